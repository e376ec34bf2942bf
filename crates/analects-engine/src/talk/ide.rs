//! What is open in the user's editor, from a file that the editor writes.
//!
//! The file has the shape in which the companion of Gemini CLI notifies it: `{"workspaceState": {"openFiles": [{"path",
//! "timestamp", "isActive", "cursor": {"line", "character"}, "selectedText"}], "isTrusted"}}`. Only files of the
//! workspace are told of. Whatever else is in it, a broken file costs nothing but what it would have told.

use analects_chat::keep;
use analects_chat::reading::ide::{self, Cursor, MAX_OPEN_FILES, OpenFile};
use analects_memory::render;
use analects_text::problem::Problem;
use analects_text::{hidden, sanitize, units};
use analects_world::files::{Files, Trouble, Want, Within};
use analects_world::{AbsPath, Surroundings};
use serde::Deserialize;

use crate::codes;

/// Where an editor writes, for those who give no flag.
const VARIABLE: &str = "ANALECTS_IDE_CONTEXT";
/// A longer file is not read: a selection that fills it would be cut to a hundredth.
const LIMIT_BYTES: usize = 2 * 1024 * 1024;
/// At most this many files are looked at to find those of the workspace.
const MAX_LOOKED_AT: usize = 100;

/// What an editor says, and what of it was told.
#[derive(Debug)]
pub(crate) struct IdeContext {
    file: AbsPath,
    roots: Vec<AbsPath>,
    /// What the model knows; `None` if it was never told.
    told: Option<Vec<OpenFile>>,
    /// How much of a selection is told.
    selection_units: usize,
    has_complained: bool,
}

/// How much is to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    /// Everything: the history was replaced, and what was told before may be gone with it.
    Whole,
    /// What has changed, or everything if nothing was told so far.
    Changes,
}

impl IdeContext {
    /// Listens to the editor whose file is given, or named by `ANALECTS_IDE_CONTEXT`; `None` if neither is.
    #[must_use]
    pub(crate) fn wanted(
        around: &Surroundings,
        given: Option<AbsPath>,
        roots: Vec<AbsPath>,
    ) -> Option<Self> {
        let named = || around.var(VARIABLE).map(|file| around.resolve(file));
        given.or_else(named).map(|file| Self::new(file, roots))
    }

    /// Listens to what an editor writes to `file`, as far as it lies in `roots`, links resolved.
    #[must_use]
    pub(crate) fn new(file: AbsPath, roots: Vec<AbsPath>) -> Self {
        Self {
            file,
            roots,
            told: None,
            selection_units: ide::MAX_SELECTION_UNITS,
            has_complained: false,
        }
    }

    /// The same, with another limit for what is selected.
    #[must_use]
    pub(crate) fn with_selection(mut self, units: usize) -> Self {
        self.selection_units = units;
        self
    }

    /// What the model is to hear before its next request; `None` if there is nothing new. What is wrong with the file
    /// is said once.
    pub(crate) fn next(
        &mut self,
        files: &dyn Files,
        telling: Telling,
        problems: &mut Vec<Problem>,
    ) -> Option<String> {
        let now = match self.read(files) {
            Ok(now) => now,
            Err(message) => {
                if !std::mem::replace(&mut self.has_complained, true) {
                    let problem = Problem::new(&codes::IDE_CONTEXT, message);
                    problems.push(problem.in_file(&self.file));
                }
                return None;
            }
        };
        let context = match (&self.told, telling) {
            (Some(before), Telling::Changes) => ide::changes(before, &now),
            (None, _) | (_, Telling::Whole) => ide::full(&now),
        };
        self.told = Some(now);
        context.map(|context| ide::told(&context))
    }

    fn read(&self, files: &dyn Files) -> Result<Vec<OpenFile>, String> {
        let blob = files.read_one(Want {
            path: &self.file,
            within: Within::Anywhere,
            limit_bytes: LIMIT_BYTES,
        });
        let blob = blob.map_err(|trouble| match trouble {
            Trouble::Missing => "the editor has written nothing here yet".to_owned(),
            trouble => trouble.to_string(),
        })?;
        if blob.is_cut() {
            return Err(format!("{} bytes, {LIMIT_BYTES} allowed", blob.len));
        }
        let stated: Stated = serde_json::from_slice(&blob.bytes)
            .map_err(|error| format!("not what an editor says: {error}"))?;
        let state = stated.workspace_state.unwrap_or_default();
        // An editor that does not trust a workspace does not vouch for what is open in it.
        let open = match state.is_trusted {
            Some(false) => Vec::new(),
            Some(true) | None => state.open_files.unwrap_or_default(),
        };
        Ok(ide::settled(self.inside(files, open), self.selection_units))
    }

    /// The files that lie in the workspace, by where they really are; the newest of them, at most as many as are told
    /// of.
    fn inside(&self, files: &dyn Files, mut open: Vec<StatedFile>) -> Vec<OpenFile> {
        open.sort_by(|a, b| b.timestamp.total_cmp(&a.timestamp));
        // Somebody is in the newest file or in none, wherever it lies.
        for file in open.iter_mut().skip(1) {
            file.is_active = false;
        }
        let looked_at = open.into_iter().take(MAX_LOOKED_AT);
        let inside = looked_at.filter_map(|file| {
            let path = files.real_or_same(&AbsPath::new(&file.path).ok()?);
            let is_inside = self.roots.iter().any(|root| path.is_within(root));
            is_inside.then(|| file.open_at(&path, self.selection_units))
        });
        inside.take(MAX_OPEN_FILES).collect()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stated {
    workspace_state: Option<WorkspaceState>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WorkspaceState {
    open_files: Option<Vec<StatedFile>>,
    is_trusted: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatedFile {
    path: String,
    /// JavaScript has no whole numbers.
    #[serde(default)]
    timestamp: f64,
    #[serde(default)]
    is_active: bool,
    cursor: Option<StatedCursor>,
    selected_text: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
struct StatedCursor {
    line: u64,
    character: u64,
}

impl StatedFile {
    fn open_at(self, path: &AbsPath, selection_units: usize) -> OpenFile {
        OpenFile {
            path: render::harmless(&sanitize::one_line(path.as_str())).into_owned(),
            timestamp: self.timestamp as u64,
            is_active: self.is_active,
            cursor: self
                .cursor
                .map(|StatedCursor { line, character }| Cursor { line, character }),
            selected_text: self
                .selected_text
                .map(|text| harmless(&text, selection_units)),
        }
    }
}

/// A selection that cannot pass for words of ours. What would be cut off anyway is not looked at.
fn harmless(text: &str, limit_units: usize) -> String {
    let head = units::head(text, limit_units.saturating_mul(2));
    let seen = hidden::without(head);
    keep::harmless(&render::harmless(&seen)).into_owned()
}

#[cfg(test)]
mod tests;
