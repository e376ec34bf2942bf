//! What Gemini CLI itself makes of a setting that we read otherwise.

use super::{FileKind, Scope, SettingsFile, Workspace, expand_for, keys, read};
use crate::World;
use crate::jsonc::Item;

/// The name that Gemini CLI looks for whatever it is told.
const ALWAYS: &str = "GEMINI.md";

/// Where it looks the names up: under its present name, and under that of its first format.
const PATHS: [&[&str]; 2] = [&["context", "fileName"], &["contextFileName"]];

/// The names of memory files that Gemini CLI goes by: those of the strongest of its own files that names
/// any, and its default. Neither `analects.json` nor our aliases mean anything to it.
#[must_use]
pub fn memory_names(world: &World<'_>, workspace: Workspace) -> Vec<String> {
    let (files, _) = read(world, workspace);
    let told = files.iter().rev().find_map(|file| told(world, file));
    let mut names = told.unwrap_or_default();
    if !names.iter().any(|name| name == ALWAYS) {
        names.push(ALWAYS.to_owned());
    }
    names
}

fn told(world: &World<'_>, file: &SettingsFile) -> Option<Vec<String>> {
    if file.kind != FileKind::Gemini || file.scope == Scope::Default {
        return None;
    }
    let expand = |text: &str| expand_for(world, file.scope, text);
    let item = PATHS.iter().find_map(|path| at(&file.root, path))?;
    match keys::FILE_NAME.kind.accept(item, &expand) {
        Ok(keys::Setting::List(names)) if !names.is_empty() => Some(names),
        _ => None,
    }
}

fn at<'a>(root: &'a Item, path: &[&str]) -> Option<&'a Item> {
    path.iter().try_fold(root, |item, part| item.get(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_testkit::{FakeDesk, surroundings};

    fn names(tree: &str) -> Vec<String> {
        let desk = FakeDesk::parse(tree);
        let around = surroundings("/w", "/h", &[("ANALECTS_CONTEXT_FILES", "X.md")]);
        memory_names(&desk.world(&around), Workspace::Counts)
    }

    #[test]
    fn its_own_files_name_them_and_the_default_always_counts() {
        assert_eq!(names(""), ["GEMINI.md"]);
        assert_eq!(
            names(
                "//- /h/.gemini/settings.json\n{\"context\": {\"fileName\": \"USER.md\"}}\n\
                 //- /w/.gemini/settings.json\n{\"context\": {\"fileName\": [\"AGENTS.md\"]}}\n"
            ),
            ["AGENTS.md", "GEMINI.md"]
        );
    }

    #[test]
    fn what_only_we_read_does_not_count() {
        assert_eq!(
            names(
                "//- /h/.gemini/analects.json\n{\"context\": {\"fileName\": \"A.md\"}}\n\
                 //- /h/.gemini/settings.json\n{\"memoryFiles\": \"B.md\"}\n"
            ),
            ["GEMINI.md"]
        );
    }
}
