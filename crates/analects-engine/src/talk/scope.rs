//! What the agent that keeps memory may reach.

use analects_agent::tools::Scope;
use analects_agent::tools::scope::MemoryPlaces;
use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_world::AbsPath;

use crate::World;
use crate::load_memory::Prepared;
use crate::policies;
use crate::save_memory;
use crate::settings::{called, keys};

/// What the agent that keeps memory may reach: memory files of the user, and of these roots (links resolved) where the
/// folder is trusted, without what rules of people take away; and what is wrong with those rules.
#[must_use]
pub fn memory_scope(
    world: &World<'_>,
    prepared: &Prepared,
    roots: &[AbsPath],
) -> (Scope, Vec<Problem>) {
    let real = |path: &AbsPath| world.files.real_or_same(path);
    let global_dir = world.around.global_dir();
    let names = prepared.settings.list(&keys::FILE_NAME);
    let is_plain =
        |name: &&String| !matches!(name.as_str(), "" | "." | "..") && !name.contains('/');
    let own = called::own(&prepared.settings);
    let own = own.iter().filter(is_plain);
    let global_files: Vec<_> = own.map(|name| real(&global_dir.join(name))).collect();
    let scope = Scope::of_memory(&MemoryPlaces {
        global_dir: &real(&global_dir),
        global_files: &global_files,
        roots: match prepared.decision.trust {
            Trust::Trusted => roots,
            Trust::Untrusted => &[],
        },
        names,
    });
    let (narrows, problems) = policies::narrows(world, prepared, save_memory::NAME);
    let scope = narrows.into_iter().fold(scope, Scope::narrowed);
    (scope, problems)
}

#[cfg(test)]
mod tests {
    use analects_agent::tools::For;
    use analects_testkit::{FakeDesk, show_problems, surroundings};

    use super::*;
    use crate::load_memory::prepare;
    use crate::verbs::Flags;

    const TREE: &str = "//- /w/.git/\n//- /h/.gemini/GEMINI.md -> ../dotfiles/me.md\n//- /h/dotfiles/me.md\n\
                        //- /h/.gemini/settings.json\n{\"context\": {\"fileName\": [\"GEMINI.md\", \"../.ssh/x\", \"settings.json\"]}}\n";

    /// Which of these may be written.
    fn given(tree: &str, trust: bool) -> (Vec<&'static str>, String) {
        let desk = FakeDesk::parse(tree);
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        let flags = Flags {
            trust,
            ..Flags::default()
        };
        let prepared = prepare(&world, &flags).unwrap();
        let (scope, problems) = memory_scope(&world, &prepared, &[AbsPath::root().join("w")]);
        let paths = [
            "/w/a/GEMINI.md",
            "/w/.gemini/x.md",
            "/h/.gemini/x.md",
            "/h/dotfiles/me.md",
            "/h/.ssh/x",
            "/h/.gemini/settings.json",
            "/w/settings.json",
            "/h/dotfiles/GEMINI.md",
        ];
        let writes = |path: &&str| {
            scope
                .file(&AbsPath::new(path).unwrap(), For::Writing)
                .is_some()
        };
        (
            paths.into_iter().filter(writes).collect(),
            show_problems(&problems),
        )
    }

    #[test]
    fn memory_of_the_user_and_of_a_trusted_project_is_given() {
        let all = [
            "/w/a/GEMINI.md",
            "/w/.gemini/x.md",
            "/h/.gemini/x.md",
            "/h/dotfiles/me.md",
        ];
        assert_eq!(given(TREE, true), (all.to_vec(), String::new()));
        assert_eq!(
            given(TREE, false).0,
            ["/h/.gemini/x.md", "/h/dotfiles/me.md"]
        );
        let narrow = "//- /h/.gemini/policies/memory-manager.toml\n[tools.write]\nallow = ['^/h/', '/etc/']\n";
        let (left, problems) = given(&format!("{TREE}{narrow}"), true);
        assert_eq!(
            (left, &*problems),
            (vec!["/h/.gemini/x.md", "/h/dotfiles/me.md"], "")
        );
    }
}
