//! What memory files are called, and where a project has a say in it.
//!
//! A project may call its own files as it likes. The user's folders hold keys and other people's notes beside memory, so
//! there a name that only the project gives counts if it can be nothing but a page of text, and after the user's own:
//! what they remember is not called otherwise because they work elsewhere.

use analects_world::Profile;

use super::{Settings, keys};

/// The names of memory files in the user's own folders, in order.
pub(crate) fn own(settings: &Settings) -> Vec<String> {
    let (names, users) = (settings.list(&keys::FILE_NAME), users(settings));
    let is_users = |name: &&String| users.contains(name);
    // The original knows one list for all folders, and the project replaces it.
    if settings.profile == Profile::Head {
        let counts = |name: &&String| is_users(name) || is_page(name);
        let own: Vec<_> = names.iter().filter(counts).cloned().collect();
        return match own.is_empty() {
            true => users.to_vec(),
            false => own,
        };
    }
    let more = names.iter().filter(|name| !is_users(name) && is_page(name));
    users.iter().chain(more).cloned().collect()
}

/// The names as they would be without the project.
fn users(settings: &Settings) -> &[String] {
    let users = settings.list_without_project(&keys::FILE_NAME);
    users.unwrap_or_default()
}

/// Endings of files that people write for people.
const PAGES: [&str; 4] = [".md", ".markdown", ".mdc", ".txt"];

fn is_page(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    !name.contains('/') && PAGES.iter().any(|ending| name.ends_with(ending))
}
