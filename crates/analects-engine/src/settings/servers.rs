//! Entries of `mcpServers`: who names which server.
//!
//! What an entry means is not known here. Entries hold secrets, so nothing of them is shown.

use std::fmt;

use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::{FileKind, Scope, Settings, SettingsFile};
use crate::codes;
use crate::jsonc::Item;

/// An entry.
#[derive(Clone)]
pub(crate) struct ServerEntry {
    /// What the server is called.
    pub(crate) name: String,
    /// Whose entry it is.
    pub(crate) scope: Scope,
    /// The file that it stands in.
    pub(crate) file: AbsPath,
    /// All that it says.
    pub(crate) item: Item,
}

impl fmt::Debug for ServerEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerEntry({} {})", self.scope.as_str(), self.name)
    }
}

/// All entries, weakest scope first.
pub(super) fn gather(files: &[SettingsFile], problems: &mut Vec<Problem>) -> Vec<ServerEntry> {
    let mut all = Vec::new();
    for file in files.iter().filter(|file| file.kind == FileKind::Gemini) {
        let Some(item) = file.root.get("mcpServers") else {
            continue;
        };
        let Some(members) = item.object() else {
            let message = "`mcpServers`: expected an object with an entry for each server";
            let problem = Problem::new(&codes::BAD_SETTING, message);
            problems.push(problem.in_file(&file.path).on_line(item.line));
            continue;
        };
        // The last one counts if a name stands twice, as everywhere in JSON.
        let is_last = |at: usize, name: &str| {
            let mut behind = members.iter().skip(at + 1);
            behind.all(|(other, _)| other != name)
        };
        let last = members.iter().enumerate();
        let last = last.filter(|(at, (name, _))| is_last(*at, name));
        all.extend(last.map(|(_, (name, item))| ServerEntry {
            name: name.clone(),
            scope: file.scope,
            file: file.path.clone(),
            item: item.clone(),
        }));
    }
    all
}

/// The entries that are not the project's, of each name the strongest, in the order of their names.
pub(crate) fn own(settings: &Settings) -> Vec<&ServerEntry> {
    strongest(settings, |scope| scope != Scope::Workspace)
}

/// The entries that are the project's.
pub(crate) fn of_project(settings: &Settings) -> Vec<&ServerEntry> {
    strongest(settings, |scope| scope == Scope::Workspace)
}

fn strongest(settings: &Settings, is_meant: impl Fn(Scope) -> bool) -> Vec<&ServerEntry> {
    let meant = settings.servers().iter();
    let meant = meant.filter(|entry| is_meant(entry.scope));
    let by_name: std::collections::BTreeMap<_, _> =
        meant.map(|entry| (entry.name.as_str(), entry)).collect();
    by_name.into_values().collect()
}
