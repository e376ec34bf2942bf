//! What every tool is given to work with.

use analects_chat::reading::Measures;
use analects_world::{AbsPath, Cancel, Files, Profile, Search};

use super::Workspace;

/// What tools work with. They write nothing themselves.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The disk, for reading.
    pub files: &'a dyn Files,
    /// Trees, to look through.
    pub search: &'a dyn Search,
    /// Where they may work.
    pub workspace: &'a Workspace,
    /// Files in the syntax of `.gitignore` that say what is not to be looked at.
    pub ignore_files: &'a [AbsPath],
    /// Whether `.gitignore` counts, too.
    pub heeds_git: bool,
    /// How much of a text is shown at once.
    pub measures: Measures,
    /// Whose numbers and words.
    pub profile: Profile,
    /// Whoever may stop them.
    pub cancel: &'a Cancel,
}
