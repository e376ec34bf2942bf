//! The grants of the agent that keeps memory.

use analects_world::AbsPath;

use super::{Access, Grant, Scope};

/// Where memory files lie. All paths are without links.
#[derive(Debug, Clone, Copy)]
pub struct MemoryPlaces<'a> {
    /// The user's own directory, `~/.gemini`.
    pub global_dir: &'a AbsPath,
    /// The memory files in it, by where they really lie: they may be links into a directory of dotfiles.
    pub global_files: &'a [AbsPath],
    /// The project, and what else belongs to the workspace.
    pub roots: &'a [AbsPath],
    /// What memory files are called.
    pub names: &'a [String],
}

/// No memory is looked for in these: they belong to version control, to package managers, to what is built.
const NEVER_IN: [&str; 6] = [
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "bower_components",
    "target",
];
/// Nor is a file of any name in here, where Gemini CLI keeps settings, agents, commands, extensions beside it.
const NEVER_NAMED_IN: [&str; 1] = [".gemini"];
/// These take the place of what we tell a model, and are no memory.
const NEVER_WRITTEN: [&str; 1] = ["system.md"];
/// Whoever says that memory is called like this means settings, keys or data.
const NO_MEMORY: [&str; 7] = [".json", ".jsonl", ".toml", ".yaml", ".yml", ".lock", ".env"];

impl Scope {
    /// What an agent needs that keeps memory in order: the memory files of the user and of every directory of the
    /// project, and the Markdown files directly in a `.gemini`. No settings, no agents, no commands.
    #[must_use]
    pub fn of_memory(places: &MemoryPlaces<'_>) -> Self {
        let names = places.names.iter().filter(|name| is_memory(name));
        let names: Vec<_> = names.cloned().collect();
        let own = places.global_files.iter();
        let own = own.filter(|file| is_memory(file.file_name()));
        let mut grants: Vec<_> = own.map(|file| Grant::one(file, Access::Write)).collect();
        let markdown = |dir: &AbsPath, glob: &str| {
            let grant = Grant::matching(dir, glob, Access::Write);
            let grant = grant.expect("invariant: a test builds these globs");
            grant.never_in(&NEVER_IN).never_written(&NEVER_WRITTEN)
        };
        grants.push(markdown(places.global_dir, "*.md"));
        // In the user's own directory lie settings and agents, and everything lies below the root of a disk.
        let is_project = |root: &&AbsPath| root.depth() > 0 && !root.is_within(places.global_dir);
        for root in places.roots.iter().filter(is_project) {
            let named = Grant::named(root, &names, Access::Write);
            grants.push(named.never_in(&NEVER_IN).never_in(&NEVER_NAMED_IN));
            grants.push(markdown(root, "**/.gemini/*.md"));
        }
        Self::new(grants)
    }
}

fn is_memory(name: &str) -> bool {
    let name = name.to_lowercase();
    !NO_MEMORY.iter().any(|ending| name.ends_with(ending))
}
