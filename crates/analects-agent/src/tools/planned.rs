//! What a tool plans to write, ready to be shown and committed.
//!
//! A plan is made again under the locks of the commit point, on the files as they are then; nothing here
//! writes.

use analects_text::{patch, redact};
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, ContentHash, Splice, Trace};

use super::trees::count;
use super::{Output, Place, Seen, Workspace};

/// How the name of whoever asked for a commit begins, if that was a tool of an agent: `agent:write_file`.
pub const WHO: &str = "agent:";

/// What a tool would write, and what it says once that is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// For the commit point; without files, if all is as it should be already.
    pub changes: Changes,
    /// What the model reads once they are committed.
    pub output: Output,
    /// The change as people read it.
    pub diff: String,
    /// How many lines come in.
    pub n_added: usize,
    /// How many lines go.
    pub n_removed: usize,
    /// The file, and what it holds then.
    pub after: (AbsPath, ContentHash),
}

/// One file that is to hold something else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edit<'a> {
    pub(crate) tool: &'a str,
    pub(crate) place: &'a Place,
    /// What it holds; `None` if it is not there.
    pub(crate) old: Option<&'a [u8]>,
    pub(crate) new: &'a [u8],
    /// The same as text.
    pub(crate) texts: (&'a str, &'a str),
    /// What the model reads.
    pub(crate) told: &'a str,
}

/// The journal keeps no more of a file than this; a larger change cannot be taken back.
const MAX_KEPT_BYTES: usize = 1024 * 1024;
/// More is not shown line by line, and not compared either: that may take the square of its lines.
const MAX_SHOWN_BYTES: usize = 256 * 1024;
const MAX_SHOWN_LINES: usize = 4_000;

impl Planned {
    /// The model knows what it wrote, once it is committed.
    pub fn note(&self, seen: &Seen) {
        seen.note(&self.after.0, self.after.1);
    }

    pub(crate) fn new(workspace: &Workspace, edit: Edit<'_>) -> Self {
        let path = &edit.place.path;
        let shown = workspace.shown(path);
        let is_change = edit.old != Some(edit.new);
        let trace = trace(edit.texts.0, edit.texts.1);
        let change = Change::new(path, edit.old, Some(edit.new.to_vec()))
            .inside(&edit.place.root)
            .leaving(trace);
        let files = if is_change { vec![change] } else { Vec::new() };
        let diff = diff(edit, &shown);
        let (n_added, n_removed) = (diff.n_added, diff.n_removed);
        Self {
            changes: Changes::new(format!("{WHO}{}", edit.tool), shown.clone(), files),
            output: Output {
                text: edit.told.to_owned(),
                shown: format!("{shown} +{n_added} -{n_removed}"),
                touched: vec![path.clone()],
                ..Output::default()
            },
            diff: diff.text,
            n_added,
            n_removed,
            after: (path.clone(), ContentHash::of(edit.new)),
        }
    }
}

/// What the journal may keep of a change: all of it, unless it is too much, or there is a secret in it.
pub(crate) fn trace(old: &str, new: &str) -> Trace {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let (was, is) = Splice::between(old, new).lines(old, new);
    if was.len().max(is.len()) > MAX_KEPT_BYTES {
        return Trace::Fingerprint;
    }
    let has_secret = |bytes: &[u8]| !redact::scan(&String::from_utf8_lossy(bytes)).is_empty();
    match has_secret(was) || has_secret(is) {
        true => Trace::Fingerprint,
        false => Trace::Text,
    }
}

/// How many lines a text has, in words.
pub(crate) fn lines_of(text: &str) -> String {
    count(text.lines().count(), "line", "lines")
}

struct Diff {
    text: String,
    n_added: usize,
    n_removed: usize,
}

fn diff(edit: Edit<'_>, shown: &str) -> Diff {
    let (old, new) = edit.texts;
    let (old_bytes, new_bytes) = (old.as_bytes(), new.as_bytes());
    let (was, is) = Splice::between(old_bytes, new_bytes).lines(old_bytes, new_bytes);
    let n_lines = |bytes: &[u8]| match bytes {
        [] => 0,
        _ => memchr::memchr_iter(b'\n', bytes).count() + 1,
    };
    let (n_added, n_removed) = (n_lines(is), n_lines(was));
    let is_long = was.len().max(is.len()) > MAX_SHOWN_BYTES;
    if is_long || n_added.max(n_removed) > MAX_SHOWN_LINES {
        return Diff {
            text: format!("{shown}: {n_removed} lines become {n_added}\n"),
            n_added,
            n_removed,
        };
    }
    let side = if edit.old.is_some() {
        shown
    } else {
        "/dev/null"
    };
    let text = patch::unified(old, new, side, shown);
    let n_signed = |sign: char| {
        let body = text.lines().skip(2);
        body.filter(|line| line.starts_with(sign)).count()
    };
    Diff {
        n_added: n_signed('+'),
        n_removed: n_signed('-'),
        text,
    }
}
