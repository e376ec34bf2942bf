//! What memory files are called, and where a project has a say in it.
//!
//! A project may call its own files as it likes. The user's folders hold keys and other people's notes beside memory, so
//! there a name that only the project gives counts if it can be nothing but a page of text.

use super::{Settings, keys};

/// The names of memory files in the user's own folders, in order.
pub(crate) fn own(settings: &Settings) -> Vec<String> {
    let names = settings.list(&keys::FILE_NAME).iter();
    let counts = |name: &&String| !is_projects_alone(settings, name);
    let own: Vec<_> = names.filter(counts).cloned().collect();
    match own.is_empty() {
        true => users(settings).to_vec(),
        false => own,
    }
}

/// The names that count in the project alone.
pub(crate) fn by_project(settings: &Settings) -> Vec<String> {
    let names = settings.list(&keys::FILE_NAME).iter();
    names
        .filter(|name| is_projects_alone(settings, name))
        .cloned()
        .collect()
}

fn is_projects_alone(settings: &Settings, name: &str) -> bool {
    !users(settings).iter().any(|own| own == name) && !is_page(name)
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
