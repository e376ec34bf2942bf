//! What memory files are called in the user's own folders.
//!
//! A project names its own files. The user's folders hold keys and notes on other projects beside memory, and what the
//! user remembers is not called otherwise because they work elsewhere: there only the user's names count.

use super::{Settings, keys};

/// The names of memory files in the user's own folders, in order: as they would be without the project.
pub(crate) fn own(settings: &Settings) -> Vec<String> {
    let users = settings.list_without_project(&keys::FILE_NAME);
    users.unwrap_or_default().to_vec()
}
