//! Writing through the one commit point, or showing what would be written.

use analects_text::patch;
use analects_world::AbsPath;
use analects_world::changes::{Base, Change, Changes};
use analects_world::desk::{CommitError, Guard, Receipt};
use analects_world::files::{Files, Trouble, Want, Within};

use crate::World;
use crate::verbs::{Failure, Flags};

/// What was written, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The changes as unified diffs, one a file.
    pub diff: String,
    /// The commit; `None` for a dry run.
    pub receipt: Option<Receipt>,
}

/// Commits what `plan` answers; with `--dry-run` it only shows it.
///
/// The plan may be asked several times, each time under all locks and on the files as they are then.
pub fn write(
    world: &World<'_>,
    flags: &Flags,
    guards: &[Guard],
    plan: &mut dyn FnMut(&dyn Files) -> Result<Changes, Failure>,
) -> Result<Written, Failure> {
    if flags.dry_run {
        let changes = plan(world.files)?;
        return Ok(Written {
            diff: diff(world.files, &changes)?,
            receipt: None,
        });
    }
    let mut shown = Ok(String::new());
    let mut look_and_plan = |files: &dyn Files| match plan(files) {
        Ok(changes) => {
            shown = diff(files, &changes);
            shown.is_ok().then_some(changes)
        }
        Err(failure) => {
            shown = Err(failure);
            None
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

/// A text that is edited here is smaller than this.
const LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// The content of a file as text; `None` if there is none.
pub fn text_of(files: &dyn Files, path: &AbsPath) -> Result<Option<String>, Failure> {
    let bytes = bytes_of(files, path)?;
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| Failure::failed(format!("`{path}` is not UTF-8")))
}

/// The content of a file; `None` if there is none.
pub fn bytes_of(files: &dyn Files, path: &AbsPath) -> Result<Option<Vec<u8>>, Failure> {
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

/// A larger file is not shown line by line.
const MAX_SHOWN_BYTES: usize = 256 * 1024;

fn diff(files: &dyn Files, changes: &Changes) -> Result<String, Failure> {
    changes
        .files
        .iter()
        .map(|change| diff_of(files, change))
        .collect()
}

fn diff_of(files: &dyn Files, change: &Change) -> Result<String, Failure> {
    let new = change.text.as_deref();
    let old = match change.base {
        Base::Absent => None,
        Base::Had(_) => bytes_of(files, &change.path)?,
    };
    let old = old.as_deref().map(String::from_utf8_lossy);
    let n_bytes = new
        .map_or(0, <[u8]>::len)
        .max(old.as_deref().map_or(0, str::len));
    if n_bytes > MAX_SHOWN_BYTES {
        return Ok(format!("{}: {n_bytes} bytes\n", change.path));
    }
    let new = new.map(String::from_utf8_lossy);
    let name = |is_there: bool| {
        if is_there {
            change.path.as_str()
        } else {
            "/dev/null"
        }
    };
    Ok(patch::unified(
        old.as_deref().unwrap_or_default(),
        new.as_deref().unwrap_or_default(),
        name(old.is_some()),
        name(new.is_some()),
    ))
}

fn failure(error: &CommitError) -> Failure {
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
