//! Taking back one commit, exactly, or saying why that is no longer possible.

use analects_memory::entry;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, ContentHash};
use analects_world::files::Files;
use analects_world::log::{Logged, LoggedFile, Piece};

use super::is_told;
use crate::World;
use crate::book::Book;
use crate::consent::{self, Consent, Decided, Proposed};
use crate::inbox;
use crate::secrets::Guarded;
use crate::verbs::{Failure, Flags};
use crate::write;

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// The commit.
    pub commit: Logged,
    /// The change, and whether it was made.
    pub decided: Decided,
}

/// Takes back one commit: the `n`th newest that [`super::newest`] tells of, or the one of this name, or the
/// newest that was not taken back before.
pub fn undo(world: &World<'_>, flags: &Flags, which: Option<&str>) -> Result<Undone, Failure> {
    let (commit, later) = choose(world, which)?;
    let title = format!("Take back {} ({})", commit.id, commit.why);
    let mut plan = |files: &dyn Files| {
        let mut changes =
            Changes::new("memory undo", format!("undo of {}", commit.why), Vec::new());
        changes.undoes = Some(commit.id.clone());
        let mut returned = Vec::new();
        for file in &commit.files {
            // What we noted for ourselves follows from the files; it is not put back piece by piece.
            if !write::is_own(world, &file.path) {
                let change = back(files, file, &later)?;
                returned.extend(said_by(&change));
                changes.emptied.extend(emptied_by(&change));
                changes.files.push(write::closed_if_new(world, change));
            }
        }
        let mut book = Book::read(world, files)?;
        for text in &returned {
            book.raise(text);
        }
        changes.files.extend(book.change(world, files)?);
        Ok(Proposed {
            title: title.clone(),
            doubts: Vec::new(),
            is_unwanted: false,
            changes,
        })
    };
    let guarded = Guarded { allowed: &[] };
    let decided = consent::propose(
        world,
        flags,
        Consent::Person,
        &guarded,
        &mut plan,
        &mut || Ok(()),
    )?;
    Ok(Undone { commit, decided })
}

/// The commit that is meant, and all that came after it, the oldest first.
fn choose(world: &World<'_>, which: Option<&str>) -> Result<(Logged, Vec<Logged>), Failure> {
    let number = which.and_then(|which| which.parse::<usize>().ok());
    let mut later: Vec<Logged> = Vec::new();
    let mut taken_back = Vec::new();
    let mut found = None;
    let mut n_told = 0;
    let looked = world.desk.log(&mut |commit| {
        let is_told = is_told(world, &commit);
        n_told += usize::from(is_told);
        taken_back.extend(commit.undoes.clone());
        let is_meant = match (which, number) {
            (None, _) => is_told && commit.undoes.is_none() && !taken_back.contains(&commit.id),
            (_, Some(number)) => is_told && n_told == number,
            (Some(id), None) => commit.id == id,
        };
        if is_meant {
            found = Some(commit);
            return false;
        }
        later.push(commit);
        true
    });
    looked.map_err(|error| write::failure(&error))?;
    later.reverse();
    let Some(commit) = found else {
        let message = match which {
            None => "there is nothing to take back".to_owned(),
            Some(which) => format!("there is no change `{which}`"),
        };
        return Err(Failure::bad_input(message).hint("`analects memory log` tells of all changes"));
    };
    Ok((commit, later))
}

/// The change that gives a file back what a commit took from it.
fn back(files: &dyn Files, file: &LoggedFile, later: &[Logged]) -> Result<Change, Failure> {
    let now = write::content_of(files, &file.path, file.form)?;
    let Piece::Bytes(old) = &file.old else {
        return Err(Failure::failed(format!(
            "what stood in `{}` was a secret: it was not kept, and cannot come back",
            file.path
        )));
    };
    let bytes = now.as_deref().unwrap_or_default();
    let at = place(file, now.as_deref(), later).ok_or_else(|| moved_on(file, old, bytes))?;
    let (before, rest) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    let after = rest.get(file.new.len()..).unwrap_or_default();
    let new = [before, old, after].concat();
    // A file that the commit made goes, unless somebody has written in it since.
    let is_gone = file.before.is_none() && new.is_empty();
    let new = (!is_gone).then_some(new);
    Ok(Change {
        form: file.form,
        ..Change::new(&file.path, now.as_deref(), new)
    })
}

/// Where the piece that a commit put stands by now; `None` if it stands there no more.
fn place(file: &LoggedFile, now: Option<&[u8]>, later: &[Logged]) -> Option<usize> {
    let hash = now.map(ContentHash::of);
    followed(file, hash, later).or_else(|| found(file, now?))
}

/// Follows the piece through all later commits to the same file, as long as nobody else wrote to it.
fn followed(file: &LoggedFile, now: Option<ContentHash>, later: &[Logged]) -> Option<usize> {
    let mut at = file.at;
    let mut hash = file.after;
    let len = file.new.len();
    for change in standing(file, later) {
        if change.before != hash {
            return None;
        }
        let end = change.at + change.old.len();
        if end <= at && !(change.old.is_empty() && change.at == at && len == 0) {
            at = at + change.new.len() - change.old.len();
        } else if change.at < at + len {
            return None;
        }
        hash = change.after;
    }
    (hash == now).then_some(at)
}

/// What later commits did to the same file, without those that the next one took back: together they did
/// nothing, but a place that was gone in between could not be followed through them.
fn standing<'a>(file: &LoggedFile, later: &'a [Logged]) -> Vec<&'a LoggedFile> {
    let mut standing: Vec<(&str, &LoggedFile)> = Vec::new();
    for commit in later {
        let change = commit.files.iter().find(|change| change.path == file.path);
        let Some(change) = change else { continue };
        let last = standing.last().map(|(id, _)| *id);
        if last.is_some() && last == commit.undoes.as_deref() {
            standing.pop();
        } else {
            standing.push((&commit.id, change));
        }
    }
    standing.into_iter().map(|(_, change)| change).collect()
}

/// A piece of whole lines that stands in a file exactly once is the one that was put there.
fn found(file: &LoggedFile, now: &[u8]) -> Option<usize> {
    let piece = file.new.bytes()?;
    if piece.is_empty() || !piece.ends_with(b"\n") {
        return None;
    }
    let is_line_start = |at: usize| at == 0 || now.get(at - 1) == Some(&b'\n');
    let is_here = |at: usize| now.get(at..).is_some_and(|rest| rest.starts_with(piece));
    let begins_line = |at: &usize| is_line_start(*at) || piece.starts_with(b"\n");
    let mut places = (0..now.len()).filter(begins_line).filter(|&at| is_here(at));
    places.next().filter(|_| places.next().is_none())
}

fn moved_on(file: &LoggedFile, old: &[u8], now: &[u8]) -> Failure {
    let said = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).trim().to_owned();
        match text.chars().count() {
            0 => "(nothing)".to_owned(),
            n_chars if n_chars > MAX_TOLD => {
                let start: String = text.chars().take(MAX_TOLD).collect();
                format!("{start}…")
            }
            _ => text,
        }
    };
    Failure::failed(format!(
        "`{}` has moved on since: the change cannot be taken back exactly",
        file.path
    ))
    .hint(format!("before the change it said: {}", said(old)))
    .hint(format!("now the file says: {}", said(now)))
    .hint("change it by hand, or with `analects memory edit`")
}

/// So much of a version is told when a change cannot be taken back.
const MAX_TOLD: usize = 2000;

/// What the entries of the file say once the change is made; what waits in the inbox stands for itself, too.
fn said_by(change: &Change) -> Vec<String> {
    let text = String::from_utf8_lossy(change.text.as_deref().unwrap_or_default());
    let entries = entry::entries(&text).into_iter().map(|entry| entry.text);
    let waiting = match inbox::is_in_inbox(&change.path) {
        true => inbox::candidates(&text),
        false => Vec::new(),
    };
    entries.chain(waiting).collect()
}

/// The directories of a skill that goes, the innermost first: without them, it could not be accepted again.
fn emptied_by(change: &Change) -> Vec<AbsPath> {
    let dirs: Vec<_> = change.path.ancestors().skip(1).collect();
    let is_root = |dir: &AbsPath| dir.file_name() == "skills";
    match (&change.text, dirs.iter().position(is_root)) {
        (None, Some(at)) => dirs.into_iter().take(at).collect(),
        _ => Vec::new(),
    }
}
