//! Undoes one commit exactly, or says why that is no longer possible.

use analects_memory::entry;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, ContentHash};
use analects_world::files::Files;
use analects_world::log::{LineDamage, Logged, LoggedFile};

use super::is_told;
use crate::World;
use crate::book::{Book, Remains};
use crate::codes;
use crate::consent::{self, Decided, Proposed};
use crate::inbox;
use crate::secrets::Guarded;
use crate::sessions;
use crate::verbs::{Failure, Flags};
use crate::write;

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Undone {
    /// The commit.
    pub commit: Logged,
    /// The change, and whether it was made.
    pub decided: Decided,
    /// What could not be taken back.
    pub problems: Vec<Problem>,
}

/// Takes back one commit: the `n`th newest that [`super::newest`] tells of, or the one of this name, or the
/// newest that was not taken back before.
pub(crate) fn undo(
    world: &World<'_>,
    flags: &Flags,
    which: Option<&str>,
) -> Result<Undone, Failure> {
    let (commit, later) = choose(world, which)?;
    if commit.damage.is_some() {
        return Err(damaged_entry(&commit.id));
    }
    let title = format!("Take back {} ({})", commit.id, commit.why);
    // What we noted for ourselves follows from the files; it is not put back piece by piece.
    let mine = commit.files.iter();
    let (kept, lost): (Vec<_>, Vec<_>) = mine
        .filter(|file| !write::is_own(world, &file.path))
        .partition(|file| file.old.bytes().is_some());
    let lost = lost.into_iter();
    let problems: Vec<_> = lost.map(|file| gone_for_good(&commit, file)).collect();
    if let (true, Some(first)) = (kept.is_empty(), problems.first()) {
        // It stays the newest change that was not taken back.
        return Err(Failure::failed(first.message.clone()).hint(
            "`analects memory log` numbers the changes, and `analects memory undo N` takes back an older one",
        ));
    }
    let mut plan = |files: &dyn Files| {
        let mut changes = Changes::new(
            "memory undo",
            format!("{UNDO_OF}{}", commit.why),
            Vec::new(),
        );
        changes.undoes = Some(commit.id.clone());
        let mut book = Book::read(world, files)?;
        for file in &kept {
            let (change, said) = back(world, files, &commit.id, file, &later)?;
            note(&mut book, &commit, &change, &said);
            changes.emptied.extend(emptied_by(&change));
            changes.files.push(write::closed_if_new(world, change));
        }
        changes.files.extend(book.change(world, files)?);
        let doubts = problems.iter().map(|problem| problem.message.clone());
        Ok(Proposed {
            title: title.clone(),
            doubts: doubts.collect(),
            is_unwanted: false,
            changes,
        })
    };
    let guarded = Guarded { allowed: &[] };
    let decided = consent::ask_person(world, flags, &guarded, &mut plan)?;
    Ok(Undone {
        commit,
        decided,
        problems,
    })
}

/// How the reason of a commit begins that takes another one back.
const UNDO_OF: &str = "undo of ";

/// Larger files of skills are not kept.
const MAX_KEPT_BYTES: usize = 4 * 1024 * 1024;

/// What is told of a file that the journal has no copy of.
fn gone_for_good(commit: &Logged, file: &LoggedFile) -> Problem {
    let path = &file.path;
    let message = if sessions::is_deletion(commit) {
        format!("`{path}` was deleted for good: nothing of it was kept, and it cannot come back")
    } else if file.old.len() > MAX_KEPT_BYTES {
        format!("`{path}` was too large to be kept, and cannot come back")
    } else {
        format!("what stood in `{path}` was a secret: it was not kept, and cannot come back")
    };
    Problem::new(&codes::NO_WAY_BACK, message).in_file(path)
}

/// Notes what a file says again, and what it says no longer if that was to be forgotten.
fn note(book: &mut Book, commit: &Logged, change: &Change, said: &[String]) {
    let says = said_by(change);
    for text in &says {
        book.raise(text);
    }
    if let Some(id) = forgotten_again(commit) {
        for text in said.iter().filter(|text| !says.contains(text)) {
            book.bury(id, text, Remains::of(text));
        }
    }
}

/// The name of the entry that is forgotten again, if taking back this commit does that: it brought the entry back.
fn forgotten_again(commit: &Logged) -> Option<&str> {
    let mut why = commit.why.as_str();
    let mut n_undone = 0;
    while let Some(rest) = why.strip_prefix(UNDO_OF) {
        why = rest;
        n_undone += 1;
    }
    let id = why.strip_prefix("forget ")?;
    (commit.undoes.is_some() && n_undone % 2 == 1).then_some(id)
}

/// The commit that is meant, and all that came after it, the oldest first.
fn choose(world: &World<'_>, which: Option<&str>) -> Result<(Logged, Vec<Logged>), Failure> {
    let number = which.and_then(|which| which.parse::<usize>().ok());
    let mut later: Vec<Logged> = Vec::new();
    let mut taken_back = Vec::new();
    let mut found = None;
    let mut n_told = 0;
    let mut hides_newest = false;
    let looked = world.desk.log(&mut |commit| {
        // It may be the newest change, or the one that took it back.
        hides_newest |= commit.damage == Some(LineDamage::Unreadable);
        let is_told = is_told(world, &commit);
        n_told += usize::from(is_told);
        // What took it back may itself have been taken back.
        let is_taken_back = taken_back.contains(&commit.id);
        if !is_taken_back {
            taken_back.extend(commit.undoes.clone());
        }
        let is_meant = match (which, number) {
            (None, _) => is_told && commit.undoes.is_none() && !is_taken_back,
            (_, Some(number)) => is_told && n_told == number,
            (Some(id), None) => commit.id == id,
        };
        if is_meant {
            found = Some((commit, is_taken_back));
            return false;
        }
        later.push(commit);
        true
    });
    looked.map_err(|error| write::failure(&error))?;
    later.reverse();
    if which.is_none() && hides_newest {
        let message = "the newest change is not known: a line of the journal is damaged";
        return Err(Failure::failed(message).hint(
            "`analects memory log` numbers the changes, and `analects memory undo N` takes one back",
        ));
    }
    let told = "`analects memory log` tells of all changes";
    match found {
        Some((commit, false)) => Ok((commit, later)),
        Some((commit, true)) => {
            let message = format!("{} ({}) was taken back already", commit.id, commit.why);
            let again = "to have it again, take back what took it back";
            Err(Failure::bad_input(message).hint(format!("{again}; {told}")))
        }
        None => {
            let message = match which {
                None => "there is nothing to take back".to_owned(),
                Some(which) => format!("there is no change `{which}`"),
            };
            Err(Failure::bad_input(message).hint(told))
        }
    }
}

/// The change that gives a file back what a commit took from it, and what its entries say until then.
fn back(
    world: &World<'_>,
    files: &dyn Files,
    id: &str,
    file: &LoggedFile,
    later: &[Logged],
) -> Result<(Change, Vec<String>), Failure> {
    let now = write::content_of(files, &file.path, file.form)?;
    let old = file.old.bytes().unwrap_or_default();
    let bytes = now.as_deref().unwrap_or_default();
    let new = match verify(file, now.as_deref(), later) {
        UndoCheck::Damaged => return Err(damaged_entry(id)),
        UndoCheck::Exact(new) => new,
        UndoCheck::MovedOn => {
            let at = place(file, now.as_deref(), later);
            let at = at.ok_or_else(|| moved_on(file, old, bytes))?;
            let (before, rest) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
            let (piece, after) = rest.split_at_checked(file.new.len()).unwrap_or((rest, &[]));
            [before, old, line_end(before, old, piece, after), after].concat()
        }
    };
    // A file that the commit made goes, unless somebody has written in it since.
    let is_gone = file.before.is_none() && new.is_empty();
    let new = (!is_gone).then_some(new);
    let change = Change {
        form: file.form,
        ..Change::new(&file.path, now.as_deref(), new)
    };
    let said = entry::entries(&String::from_utf8_lossy(bytes));
    let said = said.into_iter().map(|entry| entry.text).collect();
    Ok((held(world, files, file, change)?, said))
}

/// What the fingerprints of a journal entry say about taking it back.
enum UndoCheck {
    /// The file is as the commit left it. Taken back, it is this, and that is what it was before.
    Exact(Vec<u8>),
    /// The file has changed since; where the piece is by now has to be found out.
    MovedOn,
    /// The way back does not lead to what the file was before: the line is damaged.
    Damaged,
}

/// Takes back all later commits to a file, then this one, and compares what comes out with the fingerprints.
fn verify(file: &LoggedFile, now: Option<&[u8]>, later: &[Logged]) -> UndoCheck {
    let standing = standing(file, later);
    let n_bytes = now.unwrap_or_default().len();
    let is_left_as_is = standing.is_empty();
    if n_bytes.saturating_mul(standing.len()) > MAX_VERIFIED_BYTES {
        return UndoCheck::MovedOn;
    }
    let mut then = now.map(<[u8]>::to_vec);
    for change in standing.into_iter().rev() {
        match take_out(change, then.as_deref()) {
            Some(earlier) => then = earlier,
            None => return UndoCheck::MovedOn,
        }
    }
    if then.as_deref().map(ContentHash::of) != file.after {
        return UndoCheck::MovedOn;
    }
    match take_out(file, then.as_deref()) {
        Some(was) if was.as_deref().map(ContentHash::of) != file.before => UndoCheck::Damaged,
        None => UndoCheck::Damaged,
        Some(was) if is_left_as_is => UndoCheck::Exact(was.unwrap_or_default()),
        Some(_) => UndoCheck::MovedOn,
    }
}

/// More is not copied to verify one entry: each line has a checksum besides.
const MAX_VERIFIED_BYTES: usize = 64 * 1024 * 1024;

/// What a file was before one change, by the way back that the journal has; `None` if there is none, or if it leads
/// out of the file.
fn take_out(change: &LoggedFile, now: Option<&[u8]>) -> Option<Option<Vec<u8>>> {
    let old = change.old.bytes()?;
    let (before, rest) = now.unwrap_or_default().split_at_checked(change.at)?;
    let (piece, after) = rest.split_at_checked(change.new.len())?;
    if change.new.bytes().is_some_and(|new| new != piece) {
        return None;
    }
    let was = [before, old, after].concat();
    // There was no file: then nothing may be left of it.
    Some((change.before.is_some() || !was.is_empty()).then_some(was))
}

fn damaged_entry(id: &str) -> Failure {
    Failure::failed(format!(
        "the journal entry of {id} is damaged, so it cannot be taken back"
    ))
    .hint("nothing was changed; `analects memory log` shows what the entry says")
}

/// The line end that is missing where the last line of a file has none, and others have come after it since.
fn line_end(before: &[u8], old: &[u8], piece: &[u8], after: &[u8]) -> &'static [u8] {
    let last = |first: &[u8], then: &[u8]| then.last().or(first.last()).copied();
    let is_end = |byte: Option<u8>| matches!(byte, None | Some(b'\n' | b'\r'));
    let was_ended = is_end(last(before, piece));
    if !was_ended || is_end(last(before, old)) || is_end(after.first().copied()) {
        return b"";
    }
    match piece.ends_with(b"\r\n") {
        true => b"\r\n",
        false => b"\n",
    }
}

/// The change, held where the file had to lie when it was written: no link leads it elsewhere by now.
fn held(
    world: &World<'_>,
    files: &dyn Files,
    file: &LoggedFile,
    change: Change,
) -> Result<Change, Failure> {
    let Some(root) = &file.within else {
        return Ok(change);
    };
    // The folder of a skill goes with the skill, and is made again with it.
    let there = root.ancestors().find(|dir| files.require_dir(dir).is_ok());
    let root = there.unwrap_or_else(|| root.clone());
    let mut held = write::hold(world, files, &root, vec![change])?;
    held.pop()
        .ok_or_else(|| Failure::failed("nothing is left of a change"))
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
    let is_damaged = |commit: &Logged| {
        let mut files = commit.files.iter();
        commit.damage.is_some() && files.any(|change| change.path == file.path)
    };
    if later.iter().any(is_damaged) {
        return None;
    }
    for change in standing(file, later) {
        if change.before != hash {
            return None;
        }
        // Numbers from a damaged line may be anything.
        let end = change.at.checked_add(change.old.len())?;
        if end <= at && !(change.old.is_empty() && change.at == at && len == 0) {
            at = at.checked_add(change.new.len())?;
            at = at.checked_sub(change.old.len())?;
        } else if change.at < at.checked_add(len)? {
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

/// A piece of whole lines that stands in a file exactly once is the one that was put there. Where nothing was put, the
/// line above what was taken out tells where that was.
fn found(file: &LoggedFile, now: &[u8]) -> Option<usize> {
    let piece = file.new.bytes()?;
    if piece.is_empty() {
        return below(file, now);
    }
    if !piece.ends_with(b"\n") {
        return None;
    }
    let is_line_start = |at: usize| at == 0 || now.get(at - 1) == Some(&b'\n');
    let is_here = |at: usize| now.get(at..).is_some_and(|rest| rest.starts_with(piece));
    let begins_line = |at: &usize| is_line_start(*at) || piece.starts_with(b"\n");
    let mut places = (0..now.len()).filter(begins_line).filter(|&at| is_here(at));
    places.next().filter(|_| places.next().is_none())
}

/// The place after the one line that stood above, unless what was taken out is back already.
fn below(file: &LoggedFile, now: &[u8]) -> Option<usize> {
    let above = file.below?;
    let old = file.old.bytes()?;
    let mut end = 0;
    let mut places = Vec::new();
    for line in now.split_inclusive(|&byte| byte == b'\n') {
        end += line.len();
        if now
            .get(end - line.len()..)
            .is_some_and(|rest| rest.starts_with(old))
        {
            return None;
        }
        if ContentHash::of(line) == above {
            places.push(end);
        }
    }
    match places.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
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

/// How much of a version is told when a change cannot be taken back.
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
