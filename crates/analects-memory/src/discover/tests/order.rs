//! The order of candidates, and what it costs to find them.

use analects_testkit::Entry;
use expect_test::expect;
use proptest::prelude::*;

use super::*;

#[test]
fn outermost_first_then_depth_then_name_then_the_gemini_directory() {
    Look::from(
        "/repo/m",
        "
//- /repo/.git/
//- /repo/m/b/x/GEMINI.md
//- /repo/m/b/.gemini/GEMINI.md
//- /repo/m/b/GEMINI.md
//- /repo/m/a/z/GEMINI.md
//- /repo/m/a/AGENTS.md
//- /repo/m/.gemini/AGENTS.md
//- /repo/m/.cfg/GEMINI.md
//- /repo/m/CLAUDE.md
//- /repo/m/AGENTS.md
//- /repo/m/.gemini/GEMINI.md
//- /repo/m/GEMINI.md
//- /repo/CLAUDE.md
//- /repo/.gemini/GEMINI.md
",
    )
    .depth(Depth::All)
    .check(expect![[r#"
        root /repo
        project /repo/.gemini/GEMINI.md
        project /repo/CLAUDE.md
        project /repo/m/GEMINI.md
        project /repo/m/.gemini/GEMINI.md
        project /repo/m/AGENTS.md
        project /repo/m/.gemini/AGENTS.md
        project /repo/m/CLAUDE.md
        project /repo/m/.cfg/GEMINI.md
        project /repo/m/a/AGENTS.md
        project /repo/m/b/GEMINI.md
        project /repo/m/b/.gemini/GEMINI.md
        project /repo/m/a/z/GEMINI.md
        project /repo/m/b/x/GEMINI.md
    "#]]);
}

#[test]
fn the_configured_order_of_names_counts_and_not_the_alphabet() {
    Look::from("/repo", "//- /repo/A.md\n//- /repo/B.md\n//- /repo/.gemini/B.md\n//- /repo/x/A.md\n//- /repo/x/B.md\n")
        .names(&["B.md", "A.md"])
        .check(expect![[r#"
            root /repo
            project /repo/B.md
            project /repo/.gemini/B.md
            project /repo/A.md
            project /repo/x/B.md
            project /repo/x/A.md
        "#]]);
}

fn paths() -> impl Strategy<Value = Vec<String>> {
    let dir = prop::sample::select(vec!["", "a/", "b/", "a/b/", "a/a/", "c/a/b/", ".x/"]);
    let name = prop::sample::select(vec![
        "GEMINI.md",
        "AGENTS.md",
        "CLAUDE.md",
        ".gemini/GEMINI.md",
        ".gemini/AGENTS.md",
        ".gemini/memory/n.md",
        ".gemini/memory/m.md",
    ]);
    prop::collection::hash_set((dir, name), 0..25).prop_map(|set| {
        set.into_iter()
            .map(|(dir, name)| format!("/repo/{dir}{name}"))
            .collect()
    })
}

proptest! {
    #[test]
    fn the_order_does_not_depend_on_the_disk(
        (paths, shuffled) in paths().prop_flat_map(|paths| (Just(paths.clone()), Just(paths).prop_shuffle()))
    ) {
        let found = |paths: &[String]| {
            let fixture = paths.iter().fold(Fixture::default(), |tree, path| tree.file(path, "x"));
            let look = Look::on(FakeFiles::new(&fixture.with("/repo", Entry::Dir)), "/repo");
            look.depth(Depth::All).discover().candidates
        };
        let first = found(&paths);
        prop_assert_eq!(&first, &found(&shuffled));
        prop_assert_eq!(first.len(), paths.iter().filter(|path| is_looked_for(path)).count());
    }
}

/// Notes are looked for at the root only.
fn is_looked_for(path: &str) -> bool {
    !path.contains("/memory/") || path.starts_with("/repo/.gemini/memory/")
}

/// A tree in which every directory has ten sub-directories, until there are `n_dirs`.
fn wide_tree(n_dirs: usize) -> Fixture {
    let mut dirs = vec!["/repo".to_owned()];
    let mut fixture = Fixture::default().with("/repo/.git", Entry::Dir);
    for i in 1..n_dirs {
        let dir = format!("{}/d{i}", dirs[(i - 1) / 10]);
        fixture = fixture.with(&dir, Entry::Dir);
        if i % 10 == 0 {
            fixture = fixture.file(&format!("{dir}/GEMINI.md"), "x");
        }
        if i % 50 == 0 {
            fixture = fixture.file(&format!("{dir}/.geminiignore"), "none/\n");
        }
        dirs.push(dir);
    }
    fixture
}

#[test]
fn ten_times_the_tree_costs_ten_times_the_calls() {
    let calls = |n_dirs: usize| {
        let look = Look::on(FakeFiles::new(&wide_tree(n_dirs)), "/repo")
            .depth(Depth::All)
            .names(&["GEMINI.md"])
            .options(|options| options.max_dirs = 1_000_000);
        let discovered = look.discover();
        assert_eq!(discovered.candidates.len(), (n_dirs - 1) / 10);
        assert!(discovered.problems.is_empty());
        (look.disk.dirs_listed(), look.disk.files_read())
    };
    let (small, large) = (calls(1_000), calls(10_000));
    assert!(small.0 < 1_010 && small.1 < 25, "{small:?}");
    assert!(
        large.0 <= small.0 * 10 + 10 && large.1 <= small.1 * 11,
        "{small:?} {large:?}"
    );
}
