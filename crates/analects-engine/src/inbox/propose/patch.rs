//! The patch in the form that Gemini CLI 0.61.0 takes: unified diffs whose headers are absolute paths, the
//! same on both sides, or `/dev/null` before a file that is new.

use std::collections::BTreeSet;

use analects_memory::entry;
use analects_skill::patch::bare_name;
use analects_text::patch::{self, FilePatch};
use analects_world::AbsPath;

use crate::verbs::Failure;

/// What a header says where there is no file.
const NOTHING: &str = "/dev/null";

/// A patch that waits, and what it makes of the memory file.
pub(in crate::inbox) struct Pending<'a> {
    target: &'a AbsPath,
    base: Option<&'a str>,
    /// What it changes besides.
    others: String,
    text: String,
}

impl<'a> Pending<'a> {
    /// Reads a patch. One that cannot be read, or no longer fits, is not built upon.
    pub(in crate::inbox) fn read(
        patch: Option<&str>,
        base: Option<&'a str>,
        target: &'a AbsPath,
    ) -> Result<Self, Failure> {
        let patch = patch.unwrap_or_default();
        let files = patch::files(patch).map_err(|malformed| stuck(&malformed.to_string()))?;
        let n_bytes = files.iter().map(|file| file.text.len()).sum::<usize>();
        if patch
            .get(n_bytes..)
            .is_some_and(|rest| !rest.trim().is_empty())
        {
            return Err(stuck("there is something in it that is no unified diff"));
        }
        let mut pending = Self {
            target,
            base,
            others: String::new(),
            text: base.unwrap_or_default().to_owned(),
        };
        let mut is_there = base.is_some();
        for file in files {
            if bare_name(file.new_name) != target.as_str() {
                pending.others.push_str(file.text);
                continue;
            }
            let is_new = file.old_name == NOTHING;
            let applied = file.apply(&pending.text).filter(|_| is_new != is_there);
            pending.text = applied.ok_or_else(|| stuck("memory has changed since"))?;
            is_there = true;
        }
        Ok(pending)
    }

    /// The files that a patch changes, each once.
    pub(in crate::inbox) fn targets(patch: &str) -> Result<BTreeSet<AbsPath>, Failure> {
        let files = patch::files(patch).map_err(|malformed| stuck(&malformed.to_string()))?;
        let target = |file: &FilePatch<'_>| {
            AbsPath::new(bare_name(file.new_name)).map_err(|_| stuck("it names no absolute path"))
        };
        files.iter().map(target).collect()
    }

    /// The memory file, as it would be with what waits.
    pub(in crate::inbox) fn text(&self) -> &str {
        &self.text
    }

    /// The patch by which the file would become this.
    pub(in crate::inbox) fn with(&self, text: &str) -> String {
        let (base, target) = (self.base.unwrap_or_default(), self.target.as_str());
        let old_name = self.base.map_or(NOTHING, |_| target);
        let mut patch = self.others.clone();
        if !patch.is_empty() && !patch.ends_with('\n') {
            patch.push('\n');
        }
        patch.push_str(&patch::unified(base, text, old_name, target));
        patch
    }
}

/// What a patch adds, entry by entry; a patch that cannot be read adds nothing.
pub(in crate::inbox) fn added(patch: &str) -> Vec<String> {
    let files = patch::files(patch).unwrap_or_default();
    let text = |file: &FilePatch<'_>| file.added().collect::<Vec<_>>().join("\n");
    let entries = files.iter().flat_map(|file| entry::entries(&text(file)));
    entries.map(|entry| entry.text).collect()
}

/// Fails for a path that no header of a patch can say.
pub(in crate::inbox) fn require_speakable(path: &AbsPath) -> Result<(), Failure> {
    let text = path.as_str();
    let is_bad = text.contains(['\t', '\n', '\r', '"']) || text.contains("\\\\");
    match is_bad {
        true => Err(Failure::failed(format!(
            "a patch cannot name `{path}`: there are characters in it that mean something else there"
        ))),
        false => Ok(()),
    }
}

fn stuck(why: &str) -> Failure {
    Failure::failed(format!(
        "cannot add to the patch that waits in the inbox: {why}"
    ))
    .hint("look at it with `analects memory inbox list`, and accept or dismiss it first")
}
