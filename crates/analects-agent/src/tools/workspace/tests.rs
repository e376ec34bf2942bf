//! Where paths lead, on trees with links.

use analects_testkit::{Entry, FakeFiles, Fixture};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

const TREE: &str = "\
//- /repo/src/main.rs
//- /repo/in -> src
//- /repo/out -> /etc
//- /repo/dangling -> /etc/none
//- /repo/loop -> loop
//- /repo/deep -> /other/sub
//- /repo/pipe (special)
//- /other/sub/x
//- /etc/passwd
//- /out/put.txt
//- /plans/
";

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn workspace() -> Workspace {
    Workspace {
        cwd: path("/repo"),
        roots: vec![path("/repo"), path("/other/sub")],
        readable: vec![path("/out")],
        writable: vec![path("/plans")],
        scope: None,
    }
}

fn check(what_for: For, given: &[&str], expected: Expect) {
    let files = FakeFiles::new(&Fixture::parse(TREE));
    let told = given.iter().map(|given| {
        let told = match workspace().locate(&files, given, what_for) {
            Ok(place) => format!("{} in {}", place.path, place.root),
            Err(refusal) => format!("{}: {refusal}", refusal.kind.as_str()),
        };
        format!("{told}\n")
    });
    expected.assert_eq(&told.collect::<String>());
}

#[test]
fn paths_in_the_workspace_are_found_where_they_really_lie() {
    check(
        For::Writing,
        &[
            "src/main.rs",
            "./src/../src//main.rs",
            "/repo/in/main.rs",
            "in/new/file.rs",
            "in/../x",
            "deep/x",
            "deep/../x",
            ".",
            "pipe",
            "/plans/one.md",
            "SRC/main.rs",
        ],
        expect![[r#"
            /repo/src/main.rs in /repo
            /repo/src/main.rs in /repo
            /repo/src/main.rs in /repo
            /repo/src/new/file.rs in /repo
            /repo/x in /repo
            /other/sub/x in /other/sub
            /repo/x in /repo
            /repo in /repo
            /repo/pipe in /repo
            /plans/one.md in /plans
            /repo/SRC/main.rs in /repo
        "#]],
    );
    check(
        For::Reading,
        &["/out/put.txt"],
        expect![[r#"
            /out/put.txt in /out
        "#]],
    );
}

#[test]
fn what_leads_elsewhere_is_refused_with_the_reason() {
    check(
        For::Writing,
        &[
            "../x",
            "/etc/passwd",
            "out/passwd",
            "out/new/x",
            "/repository/x",
            "/out/put.txt",
            "dangling",
            "dangling/x",
            "loop/x",
            "src/main.rs/x",
            "~/x",
            "",
            " ",
            "a\0b",
            "a\nb\u{1b}[2J",
            &"x/".repeat(3000),
            &"x".repeat(300),
        ],
        expect![[r#"
            path_not_in_workspace: `../x` is outside of the workspace. Files can be written below `/repo`, `/other/sub`, `/plans` only; give a path in there.
            path_not_in_workspace: `/etc/passwd` is outside of the workspace. Files can be written below `/repo`, `/other/sub`, `/plans` only; give a path in there.
            path_not_in_workspace: `out/passwd` (it leads to `/etc/passwd`) is outside of the workspace. Files can be written below `/repo`, `/other/sub`, `/plans` only; give a path in there.
            path_not_in_workspace: `out/new/x` (it leads to `/etc/new/x`) is outside of the workspace. Files can be written below `/repo`, `/other/sub`, `/plans` only; give a path in there.
            path_not_in_workspace: `/repository/x` is outside of the workspace. Files can be written below `/repo`, `/other/sub`, `/plans` only; give a path in there.
            path_not_in_workspace: `/out/put.txt` is outside of the workspace. Files can be written below `/repo`, `/other/sub`, `/plans` only; give a path in there.
            file_not_found: `dangling` leads over a link to nowhere.
            file_not_found: `dangling/x` leads over a link to nowhere.
            file_not_found: `loop/x` leads in a circle of links.
            path_is_not_a_directory: `src/main.rs/x` leads through a file.
            invalid_tool_params: `~/x` cannot be used: `~` is not expanded. Give a path relative to `/repo`, or an absolute one.
            invalid_tool_params: The path is empty. Say which file or directory is meant.
            invalid_tool_params: The path is empty. Say which file or directory is meant.
            invalid_tool_params: `a\u{0}b` has control characters in it.
            invalid_tool_params: `a\u{a}b\u{1b}[2J` has control characters in it.
            invalid_tool_params: `x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/…` is longer than 4096 bytes.
            invalid_tool_params: `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` has a name that is too long.
        "#]],
    );
}

#[test]
fn a_directory_of_that_name_is_no_home() {
    let files = FakeFiles::new(&Fixture::parse("//- /repo/~/x\n"));
    let place = workspace().locate(&files, "~/x", For::Reading).unwrap();
    assert_eq!(place.path.as_str(), "/repo/~/x");
}

/// A tree of few names, in which anything can be a link to anything.
fn trees() -> impl Strategy<Value = Fixture> {
    let name = prop::sample::select(vec!["a", "b", "w", "..", "w/a"]);
    let target = prop::collection::vec(name, 0..4)
        .prop_flat_map(|names| (Just(names), any::<bool>()))
        .prop_map(|(names, is_absolute)| {
            format!("{}{}", if is_absolute { "/" } else { "" }, names.join("/"))
        });
    let entry = prop_oneof![
        2 => Just(Entry::Dir),
        2 => Just(Entry::File(Vec::new())),
        3 => target.prop_map(Entry::Link),
    ];
    let place = prop::collection::vec(prop::sample::select(vec!["a", "b", "w"]), 1..4);
    prop::collection::vec((place, entry), 0..12).prop_map(|entries| {
        let mut fixture = Fixture::default().with("/w", Entry::Dir);
        for (place, entry) in entries {
            let path = format!("/{}", place.join("/"));
            let mut above = path
                .rmatch_indices('/')
                .map(|(at, _)| path.get(..at).unwrap());
            // A parent that is no directory cannot hold anything; the workspace itself stays.
            let is_held = above.all(|dir| {
                let held = fixture.entries.iter().rev().find(|(path, _)| path == dir);
                held.is_none_or(|(_, entry)| *entry == Entry::Dir)
            });
            let is_new = fixture
                .entries
                .iter()
                .all(|(other, _)| *other != path && !other.starts_with(&format!("{path}/")));
            if is_held && is_new {
                fixture = fixture.with(&path, entry);
            }
        }
        fixture
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn no_path_leads_out_of_the_workspace(
        tree in trees(), given in "(/w/|/)?((a|b|w|new|\\.\\.|\\.)/){0,4}(a|b|w|new)"
    ) {
        let files = FakeFiles::new(&tree);
        let workspace = Workspace {
            cwd: path("/w"),
            roots: vec![path("/w")],
            readable: Vec::new(),
            writable: Vec::new(),
            scope: None,
        };
        if let Ok(place) = workspace.locate(&files, &given, For::Writing) {
            prop_assert!(place.path.is_within(&place.root) && place.root == path("/w"));
            // Wherever somebody who follows links ends up: inside, or nowhere at all.
            for above in place.path.ancestors().filter(|above| above.is_within(&place.root)) {
                match files.real(&above) {
                    Ok(real) => prop_assert_eq!(real, above),
                    Err(trouble) => {
                        prop_assert_eq!(trouble, Trouble::Missing);
                        let parent = above.parent().unwrap();
                        prop_assert!(!is_link(&files, &parent, above.file_name()));
                    }
                }
            }
        }
    }
}
