//! Where drafts wait that rest on a stranger's text: beside the inbox, but where no inbox of Gemini CLI looks.
//!
//! They can be looked at and taken one by one. Nobody takes them in bulk, and no agent reads them.

use analects_world::AbsPath;

/// The directory of skills in quarantine, in a project's private memory folder.
#[must_use]
pub fn shelf(memory: &AbsPath) -> AbsPath {
    memory.join(".quarantine/skills")
}
