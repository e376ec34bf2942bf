//! Control files that only this project can tell: configured names of memory files, what memory imports, where links
//! with protected names lead, and where git runs hooks from.

use analects_agent::policy::{ControlFiles, Rule, control_file_names};
use analects_memory::discover::Trust;
use analects_memory::import::ImportNode;
use analects_world::AbsPath;
use analects_world::files::{Want, Within};

use crate::World;
use crate::load_memory::Prepared;
use crate::settings::keys;

/// A longer `.git/config` is not read.
const MAX_CONFIG_BYTES: usize = 256 * 1024;

/// The rule that asks before a control file of this project is written, beside the built-in one.
pub(super) fn rule(world: &World<'_>, prepared: &Prepared) -> Rule {
    let mut files = ControlFiles::default();
    let settings = &prepared.settings;
    let configured = [
        settings.list(&keys::FILE_NAME),
        settings
            .list_without_project(&keys::FILE_NAME)
            .unwrap_or_default(),
    ];
    for name in configured.into_iter().flatten() {
        files.add_memory_name(name);
    }
    // Elsewhere nothing of the project is read, and every edit is asked for anyway.
    if prepared.decision.trust != Trust::Trusted {
        return files.into_rule();
    }
    let started = prepared.start(*world);
    for loaded in &started.loaded {
        add_memory_file(world, &loaded.path, &loaded.imports, &mut files);
    }
    let mut dirs = vec![prepared.root.clone(), world.around.cwd.clone()];
    dirs.extend(prepared.included.iter().cloned());
    dirs.dedup();
    for dir in &dirs {
        add_link_targets(world, dir, &mut files);
        if let Some(hooks) = hook_dir(world, dir) {
            files.add_hook_dir(world.files.real_or_same(&hooks));
        }
    }
    files.into_rule()
}

/// Memory files and what they import, however they are called.
fn add_memory_file(
    world: &World<'_>,
    path: &AbsPath,
    imports: &[ImportNode],
    files: &mut ControlFiles,
) {
    files.add_memory_file(world.files.real_or_same(path));
    for import in imports {
        add_memory_file(world, &import.path, &import.imports, files);
    }
}

fn add_link_targets(world: &World<'_>, dir: &AbsPath, files: &mut ControlFiles) {
    let real_dir = world.files.real_or_same(dir);
    for name in control_file_names() {
        let path = real_dir.join(name);
        let Ok(target) = world.files.real(&path) else {
            continue;
        };
        if target != path {
            files.add_link_target(target);
        }
    }
}

/// Where git runs the hooks of a repository from, if its configuration or the user's names a directory.
fn hook_dir(world: &World<'_>, root: &AbsPath) -> Option<AbsPath> {
    let home = &world.around.home;
    let configs = [
        git_dir(world, root).join("config"),
        home.join(".gitconfig"),
        home.join(".config/git/config"),
    ];
    let named = configs.iter().find_map(|config| {
        let text = read_text(world, config)?;
        hooks_path(&text).map(str::to_owned)
    })?;
    match named.strip_prefix("~/") {
        Some(below) => Some(home.join(below)),
        None => Some(root.join(&named)),
    }
}

/// The directory with a repository's configuration: `.git`, or what a `.git` file of a worktree leads to.
fn git_dir(world: &World<'_>, root: &AbsPath) -> AbsPath {
    let git = root.join(".git");
    let Some(text) = read_text(world, &git) else {
        return git;
    };
    let Some(dir) = text.trim().strip_prefix("gitdir:") else {
        return git;
    };
    let dir = root.join(dir.trim());
    match read_text(world, &dir.join("commondir")) {
        Some(common) => dir.join(common.trim()),
        None => dir,
    }
}

fn read_text(world: &World<'_>, path: &AbsPath) -> Option<String> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: MAX_CONFIG_BYTES,
    };
    let blob = world.files.read_one(want).ok()?;
    String::from_utf8(blob.bytes).ok()
}

/// The last `hooksPath` in a section `[core]`.
fn hooks_path(config: &str) -> Option<&str> {
    let mut is_core = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let name = section.split(']').next().unwrap_or_default();
            is_core = name.trim().eq_ignore_ascii_case("core");
        } else if let Some((name, value)) = line.split_once('=')
            && is_core
            && name.trim().eq_ignore_ascii_case("hooksPath")
        {
            let value = value.trim().trim_matches('"');
            found = Some(value).filter(|value| !value.is_empty());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::hooks_path;

    #[test]
    fn the_directory_of_hooks_is_found_in_a_configuration() {
        for (config, expected) in [
            ("[core]\n\thooksPath = .hooks\n", Some(".hooks")),
            ("[CORE]\nhookspath=\"a b\"\n[user]\nname = x\n", Some("a b")),
            ("[user]\nhooksPath = x\n[core]\nbare = false\n", None),
            ("[core]\nhooksPath = a\n[core]\nhooksPath = b\n", Some("b")),
            ("[core]\nhooksPath =\n", None),
            ("[core", None),
            ("", None),
        ] {
            assert_eq!(hooks_path(config), expected, "{config}");
        }
    }
}
