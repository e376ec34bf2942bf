//! `write_file`: a whole file, new or in place of another.
//!
//! An existing file keeps its encoding and its line ends. It is written over only if the model knows what it
//! holds, or if the journal can bring that back; one that changed since the model saw it is not.

use analects_chat::reading::{self, MAX_FILE_BYTES};
use analects_world::Files;
use analects_world::changes::{ContentHash, Trace};
use schemars::JsonSchema;
use serde::Deserialize;

use super::planned::{Edit, lines_of, trace};
use super::script::{Encoding, LineEnd, exact};
use super::workspace::named;
use super::{For, Planned, Refusal, RefusalKind, Seen, Workspace, look};

/// The tool.
pub const NAME: &str = "write_file";

/// Which file, and what it is to hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// The file, relative to the working directory or absolute. Directories on the way are made.
    pub file_path: String,
    /// All that the file is to hold, to the last character.
    pub content: String,
}

/// What is to be written. Asked again under the locks of the commit point.
pub fn plan(
    args: &Args,
    files: &dyn Files,
    workspace: &Workspace,
    seen: &Seen,
) -> Result<Planned, Refusal> {
    let given = &args.file_path;
    let place = workspace.locate(files, given, For::Writing)?;
    check_length(given, args.content.len())?;
    let old = look::content(files, given, &place)?.map(|blob| blob.bytes);
    let (old_text, text, new) = rewritten(old.as_deref(), &args.content);
    if let Some(old) = &old {
        let known = seen.of(&place.path);
        check_known(given, old, known, trace(&old_text, &text))?;
    }
    let lines = lines_of(&text);
    let shown = workspace.shown(&place.path);
    let told = match &old {
        None => format!("Wrote `{shown}`, which is new: {lines}."),
        Some(old) if *old == new => format!("`{shown}` holds just that already."),
        Some(_) => format!("Wrote `{shown}` anew: {lines}."),
    };
    let edit = Edit {
        tool: NAME,
        place: &place,
        old: old.as_deref(),
        new: &new,
        texts: (&old_text, &text),
        told: &told,
    };
    Ok(Planned::new(workspace, edit))
}

/// The old text, the new one with the line ends of the old, and its bytes.
fn rewritten(old: Option<&[u8]>, content: &str) -> (String, String, Vec<u8>) {
    let old = old.unwrap_or_default();
    match exact(old) {
        Some((old, encoding)) => {
            let text = LineEnd::of(&old).apply(content);
            let new = encoding.encode(&text);
            (old, text, new)
        }
        None => {
            let old = reading::decoded(old).into_owned();
            let new = Encoding::Utf8.encode(content);
            (old, content.to_owned(), new)
        }
    }
}

/// Nothing may be lost: the model has seen what it writes over, or the journal keeps it.
fn check_known(
    given: &str,
    old: &[u8],
    known: Option<ContentHash>,
    trace: Trace,
) -> Result<(), Refusal> {
    let refuse = |what: &str| {
        let message = format!("{} {what}", named(given));
        Err(Refusal::new(RefusalKind::Unwritable, message))
    };
    match known {
        _ if reading::is_binary(old) => refuse(
            "is binary. A text is not written over it; if it may go, remove it with a command first.",
        ),
        Some(known) if known == ContentHash::of(old) => Ok(()),
        Some(_) => refuse(
            "has changed since you last saw it. Read it again, then write it or `replace` in it.",
        ),
        None if trace == Trace::Text => Ok(()),
        None => refuse("exists, and what it holds could not be brought back. Read it first."),
    }
}

pub(crate) fn check_length(given: &str, n_bytes: usize) -> Result<(), Refusal> {
    if n_bytes as u64 <= MAX_FILE_BYTES {
        return Ok(());
    }
    let message = format!(
        "{} would have {n_bytes} bytes; no file of more than 20 MB is written.",
        named(given)
    );
    Err(Refusal::new(RefusalKind::TooLarge, message))
}

#[cfg(test)]
mod tests;
