//! Writing through the one commit point, or showing what would be written.

mod hold;

use analects_text::patch;
use analects_world::AbsPath;
use analects_world::changes::{Base, Change, Changes, ContentHash, Form, Splice, Trace};
use analects_world::desk::{CommitError, Guard, Receipt};
use analects_world::files::{Files, Trouble, Want, Within};

use crate::verbs::{Failure, Flags};
use crate::{World, secrets};
pub(crate) use hold::hold;

/// What was written, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The changes as unified diffs, one per file.
    pub diff: String,
    /// The commit; `None` for a dry run, or if there was nothing to commit.
    pub receipt: Option<Receipt>,
}

impl Written {
    /// Nothing had to be written.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            diff: String::new(),
            receipt: None,
        }
    }
}

/// Commits what `plan` answers; with `--dry-run` it only shows it.
///
/// The plan may be asked several times, each time under all locks and on the files as they are then.
pub(crate) fn write(
    world: &World<'_>,
    flags: &Flags,
    guards: &[Guard],
    plan: &mut dyn FnMut(&dyn Files) -> Result<Changes, Failure>,
) -> Result<Written, Failure> {
    if flags.dry_run {
        let changes = plan(world.files)?;
        let before = Before::read(world.files, &changes)?;
        return Ok(Written {
            diff: before.diff(&changes, &is_told(&changes)),
            receipt: None,
        });
    }
    let mut shown = Ok(String::new());
    let mut look_and_plan = |files: &dyn Files| {
        let planned = plan(files).and_then(|changes| {
            let before = Before::read(files, &changes)?;
            let diff = before.diff(&changes, &is_told(&changes));
            Ok((before.sealed(changes), diff))
        });
        match planned {
            Ok((changes, diff)) => {
                shown = Ok(diff);
                Some(changes)
            }
            Err(failure) => {
                shown = Err(failure);
                None
            }
        }
    };
    let committed = world.desk.commit(guards, &mut look_and_plan);
    let diff = shown?;
    let receipt = committed.map_err(|error| failure(&error))?;
    Ok(Written {
        diff,
        receipt: Some(receipt),
    })
}

/// Tells which files of a change are shown: those that leave a trace in the journal. The others are our own bookkeeping.
fn is_told(changes: &Changes) -> impl Fn(&AbsPath) -> bool {
    move |path| {
        let mut files = changes.files.iter();
        files.any(|change| change.path == *path && change.trace != Trace::Nothing)
    }
}

/// Finishes what a writer that died left behind, before anybody looks for something that it was about to move.
pub(crate) fn finish(world: &World<'_>, flags: &Flags) -> Result<(), Failure> {
    if flags.dry_run || unfinished(world).is_none() {
        return Ok(());
    }
    let repaired = world.desk.repair();
    repaired.map(drop).map_err(|error| failure(&error))
}

/// The name of a commit that nobody is working on and that is not done.
pub(crate) fn unfinished(world: &World<'_>) -> Option<String> {
    let id = world.desk.status().unfinished?;
    // Somebody may just have begun it.
    (world.desk.status().unfinished.as_ref() == Some(&id)).then_some(id)
}

/// What the files of a plan hold before it, each read once and in the order of the plan.
pub(crate) struct Before(Vec<Option<Vec<u8>>>);

impl Before {
    pub(crate) fn read(files: &dyn Files, changes: &Changes) -> Result<Self, Failure> {
        let content = |change: &Change| match change.base {
            Base::Absent => Ok(None),
            Base::Had(_) => content_of(files, &change.path, change.form),
        };
        changes
            .files
            .iter()
            .map(content)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Each change with what was there.
    pub(crate) fn of<'a>(
        &'a self,
        changes: &'a Changes,
    ) -> impl Iterator<Item = (Option<&'a [u8]>, &'a Change)> {
        self.0.iter().map(Option::as_deref).zip(&changes.files)
    }

    /// The changes of those files that `is_shown` wants, as unified diffs.
    pub(crate) fn diff(&self, changes: &Changes, is_shown: &dyn Fn(&AbsPath) -> bool) -> String {
        let shown = self
            .of(changes)
            .filter(|(_, change)| is_shown(&change.path));
        shown.map(|(old, change)| diff_of(old, change)).collect()
    }

    /// The changes with a seal on each that has a secret in it: of these the journal keeps fingerprints
    /// only.
    pub(crate) fn sealed(&self, mut changes: Changes) -> Changes {
        for (old, change) in self.0.iter().zip(&mut changes.files) {
            if change.trace == Trace::Text && secrets::touches_secret(old.as_deref(), change) {
                change.trace = Trace::Fingerprint;
            }
        }
        changes
    }
}

/// Whether a file is our own bookkeeping, which nobody wants to see in a diff.
pub(crate) fn is_own(world: &World<'_>, path: &AbsPath) -> bool {
    path.relative_to(&world.around.state_dir()).is_some()
}

/// What is new among the user's own files is nobody else's business.
pub(crate) fn closed_if_new(world: &World<'_>, change: Change) -> Change {
    let own = world.around.global_dir();
    let is_own = |own: &AbsPath| change.path.is_within(own);
    let is_new = change.base == Base::Absent;
    match is_new && (is_own(&own) || is_own(&world.files.real_or_same(&own))) {
        true => change.owner_only(),
        false => change,
    }
}

/// The change that keeps a damaged file of ours, or of Gemini CLI, under another name beside it, with a notice for the
/// user; `None` if it is kept already.
pub(crate) fn set_aside(
    files: &dyn Files,
    path: &AbsPath,
    damaged: &[u8],
) -> Result<Option<Change>, Failure> {
    let hash = ContentHash::of(damaged).to_string();
    let hash = hash.get(..8).unwrap_or_default();
    let name = format!("{}{DAMAGED_MARK}{hash}", path.file_name());
    let aside = path.parent().unwrap_or_else(AbsPath::root).join(&name);
    let old = bytes_of(files, &aside)?;
    if old.as_deref() == Some(damaged) {
        return Ok(None);
    }
    let change = Change::new(&aside, old.as_deref(), Some(damaged.to_vec())).owner_only();
    let notice = format!("`{path}` was damaged and is kept as `{name}`; it was rebuilt");
    // The file itself is the copy: the journal needs none.
    Ok(Some(change.leaving(Trace::Fingerprint).with_notice(notice)))
}

/// What is between the name of a damaged file and the fingerprint of what it held.
pub(crate) const DAMAGED_MARK: &str = ".unreadable-";

/// A text that is edited here is smaller than this.
pub(crate) const LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// The content of a file as text; `None` if there is none.
pub(crate) fn text_of(files: &dyn Files, path: &AbsPath) -> Result<Option<String>, Failure> {
    let bytes = bytes_of(files, path)?;
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| Failure::failed(format!("`{path}` is not UTF-8")).hint("save it as UTF-8"))
}

/// The content of a file; `None` if there is none.
pub(crate) fn bytes_of(files: &dyn Files, path: &AbsPath) -> Result<Option<Vec<u8>>, Failure> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: LIMIT_BYTES,
    };
    match files.read_one(want) {
        Ok(blob) if blob.is_cut() => {
            let message = format!("`{path}` is larger than {LIMIT_BYTES} bytes");
            Err(Failure::failed(message))
        }
        Ok(blob) => Ok(Some(blob.bytes)),
        Err(Trouble::Missing) => Ok(None),
        Err(trouble) => Err(Failure::failed(format!("cannot read `{path}`: {trouble}"))),
    }
}

/// The content of a file, or where a link points; `None` if there is none.
pub(crate) fn content_of(
    files: &dyn Files,
    path: &AbsPath,
    form: Form,
) -> Result<Option<Vec<u8>>, Failure> {
    if form == Form::File {
        return bytes_of(files, path);
    }
    match files.link(path) {
        Ok(Some(target)) => Ok(Some(target.into_bytes())),
        Ok(None) => Err(Failure::failed(format!("`{path}` is no link any more"))),
        Err(Trouble::Missing) => Ok(None),
        Err(trouble) => Err(Failure::failed(format!("cannot read `{path}`: {trouble}"))),
    }
}

/// A larger change is not shown line by line.
const MAX_SHOWN_BYTES: usize = 256 * 1024;

fn diff_of(old: Option<&[u8]>, change: &Change) -> String {
    let path = &change.path;
    let (old_bytes, new_bytes) = (
        old.unwrap_or_default(),
        change.text.as_deref().unwrap_or_default(),
    );
    let splice = Splice::between(old_bytes, new_bytes);
    let n_bytes = splice.old.len().max(splice.new.len());
    if n_bytes > MAX_SHOWN_BYTES {
        return format!("{path}: {n_bytes} bytes\n");
    }
    let name = |is_there: bool, side: &str| match is_there {
        true => format!("{path}\t{side}"),
        false => format!("/dev/null\t{side}"),
    };
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        match change.form {
            Form::Link if !text.is_empty() => format!("link to {text}\n"),
            _ => text,
        }
    };
    patch::unified(
        &text(old_bytes),
        &text(new_bytes),
        &name(old.is_some(), "Current"),
        &name(change.text.is_some(), "Proposed"),
    )
}

pub(crate) fn failure(error: &CommitError) -> Failure {
    let failure = Failure::failed(error.to_string());
    match error {
        CommitError::Busy { .. } => failure.hint("try again when it is done"),
        CommitError::Abandoned => failure,
        CommitError::Restless(_) => failure.hint("close the program that keeps writing it"),
        CommitError::Refused { .. } => failure.hint("nothing has been changed"),
        CommitError::Unfinished { .. } => {
            failure.hint("the next command that writes will finish it")
        }
    }
}
