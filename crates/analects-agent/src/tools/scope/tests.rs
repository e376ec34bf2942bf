//! What is granted and what is not, path by path.

use analects_testkit::{FakeFiles, Fixture};
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::tools::{RefusalKind, Workspace};

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// A memory scope as an engine builds it, with the global file among dotfiles.
fn memory() -> Scope {
    Scope::of_memory(&MemoryPlaces {
        global_dir: &path("/home/u/.gemini"),
        global_files: &[
            path("/home/u/dotfiles/GEMINI.md"),
            path("/home/u/.gemini/AGENTS.md"),
        ],
        roots: &[path("/repo"), path("/lib")],
        names: &names(&[
            "GEMINI.md",
            "AGENTS.md",
            "CONTEXT",
            "settings.json",
            "../x.md",
            "..",
        ]),
    })
}

/// What may be done with each path: `rw`, `r-`, `--`, and `/` if something below it may.
fn check(scope: &Scope, paths: &[&str], expected: Expect) {
    let told = paths.iter().map(|&text| {
        let path = path(text);
        let sign = |is, sign| if is { sign } else { '-' };
        let reads = sign(scope.file(&path, For::Reading).is_some(), 'r');
        let writes = sign(scope.file(&path, For::Writing).is_some(), 'w');
        let enters = sign(scope.enters(&path), '/');
        format!("{reads}{writes}{enters} {text}\n")
    });
    expected.assert_eq(&told.collect::<String>());
}

#[test]
fn memory_is_granted_and_what_lies_beside_it_is_not() {
    check(
        &memory(),
        &[
            "/repo/GEMINI.md",
            "/repo/a/b/AGENTS.md",
            "/repo/CONTEXT",
            "/repo/.gemini/GEMINI.md",
            "/repo/.gemini/any name.md",
            "/repo/a/.gemini/notes.md",
            "/lib/GEMINI.md",
            "/home/u/.gemini/GEMINI.md",
            "/home/u/.gemini/notes.md",
            "/home/u/dotfiles/GEMINI.md",
            // It takes the place of the system prompt.
            "/repo/.gemini/system.md",
            "/home/u/.gemini/System.MD",
            "/home/u/.gemini/system.md",
            "/repo/.gemini/settings.json",
            "/repo/settings.json",
            "/home/u/.gemini/settings.json",
            "/repo/.gemini/agents/GEMINI.md",
            "/repo/.gemini/agents/x.md",
            "/repo/.gemini/x.md/y",
            "/repo/.GEMINI/x.md",
            "/repo/.gemini/x.MD",
            "/repo/gemini.md",
            "/repo/GEMINI.md.bak",
            "/repo/xGEMINI.md",
            "/repo/README.md",
            "/repo/.git/GEMINI.md",
            "/repo/.GIT/GEMINI.md",
            "/repo/a/node_modules/b/GEMINI.md",
            "/repo/target/.gemini/x.md",
            "/repository/GEMINI.md",
            "/home/u/.gemini/tmp/x/GEMINI.md",
            "/home/u/dotfiles/other/GEMINI.md",
            "/home/u/dotfiles/AGENTS.md",
            "/home/u/GEMINI.md",
            "/x.md",
            "/etc/passwd",
            "/repo",
            "/repo/a/b",
            "/repo/.gemini",
            "/repo/.gemini/agents",
            "/repo/.git",
            "/home/u/.gemini",
            "/home/u/.gemini/tmp",
            "/home/u/dotfiles",
            "/home/u",
            "/",
        ],
        expect![[r#"
            rw/ /repo/GEMINI.md
            rw/ /repo/a/b/AGENTS.md
            rw/ /repo/CONTEXT
            rw/ /repo/.gemini/GEMINI.md
            rw/ /repo/.gemini/any name.md
            rw/ /repo/a/.gemini/notes.md
            rw/ /lib/GEMINI.md
            rw- /home/u/.gemini/GEMINI.md
            rw- /home/u/.gemini/notes.md
            rw- /home/u/dotfiles/GEMINI.md
            r-/ /repo/.gemini/system.md
            --- /home/u/.gemini/System.MD
            r-- /home/u/.gemini/system.md
            --/ /repo/.gemini/settings.json
            --/ /repo/settings.json
            --- /home/u/.gemini/settings.json
            --/ /repo/.gemini/agents/GEMINI.md
            --/ /repo/.gemini/agents/x.md
            --/ /repo/.gemini/x.md/y
            --/ /repo/.GEMINI/x.md
            --/ /repo/.gemini/x.MD
            --/ /repo/gemini.md
            --/ /repo/GEMINI.md.bak
            --/ /repo/xGEMINI.md
            --/ /repo/README.md
            --- /repo/.git/GEMINI.md
            --- /repo/.GIT/GEMINI.md
            --- /repo/a/node_modules/b/GEMINI.md
            --- /repo/target/.gemini/x.md
            --- /repository/GEMINI.md
            --- /home/u/.gemini/tmp/x/GEMINI.md
            --- /home/u/dotfiles/other/GEMINI.md
            --- /home/u/dotfiles/AGENTS.md
            --- /home/u/GEMINI.md
            --- /x.md
            --- /etc/passwd
            --/ /repo
            --/ /repo/a/b
            --/ /repo/.gemini
            --/ /repo/.gemini/agents
            --- /repo/.git
            --/ /home/u/.gemini
            --- /home/u/.gemini/tmp
            --/ /home/u/dotfiles
            --- /home/u
            --- /
        "#]],
    );
}

#[test]
fn globs_and_single_files_grant_what_they_say() {
    let glob = |dir: &str, glob| Grant::matching(&path(dir), glob, Access::Read).unwrap();
    let scope = Scope::new(vec![
        glob("/a", "docs/*/x*.md"),
        glob("/b", "src/**/*.txt"),
        glob("/c", "{p/q,r}/*.md"),
        glob("/d", "all/**"),
        Grant::one(&path("/e/f"), Access::Write),
    ]);
    check(
        &scope,
        &[
            "/a/docs/1/x.md",
            "/a/docs/1/2/x.md",
            "/a/docs/x.md",
            "/a/docs",
            "/a/docs/1",
            "/a/docs/1/2",
            "/a/src",
            "/b/src/a.txt",
            "/b/src/a/b/c.txt",
            "/b/src/a/b",
            "/b/doc",
            "/c/p/q/x.md",
            "/c/r/x.md",
            "/c/s/x.md",
            "/c/p",
            "/d/all/x",
            "/d/all/x/y",
            "/d/x",
            "/e/f",
            "/e/f/g",
            "/e/g",
            "/e",
        ],
        expect![[r#"
            r-- /a/docs/1/x.md
            --- /a/docs/1/2/x.md
            --/ /a/docs/x.md
            --/ /a/docs
            --/ /a/docs/1
            --- /a/docs/1/2
            --- /a/src
            r-/ /b/src/a.txt
            r-/ /b/src/a/b/c.txt
            --/ /b/src/a/b
            --- /b/doc
            r-/ /c/p/q/x.md
            r-/ /c/r/x.md
            --/ /c/s/x.md
            --/ /c/p
            r-/ /d/all/x
            r-/ /d/all/x/y
            --- /d/x
            rw- /e/f
            --- /e/f/g
            --- /e/g
            --/ /e
        "#]],
    );
    assert!(Grant::matching(&path("/"), "a[", Access::Read).is_err());
    check(
        &Scope::default(),
        &["/", "/a"],
        expect![[r#"
        --- /
        --- /a
    "#]],
    );
}

#[test]
fn a_project_that_is_the_home_of_settings_or_everything_is_none() {
    let home = path("/home/u/.gemini");
    let scope = Scope::of_memory(&MemoryPlaces {
        global_dir: &home,
        global_files: &[],
        roots: &[home.clone(), home.join("agents"), AbsPath::root()],
        names: &names(&["GEMINI.md"]),
    });
    check(
        &scope,
        &[
            "/home/u/.gemini/agents/GEMINI.md",
            "/GEMINI.md",
            "/home/u/.gemini/GEMINI.md",
        ],
        expect![[r#"
            --- /home/u/.gemini/agents/GEMINI.md
            --- /GEMINI.md
            rw- /home/u/.gemini/GEMINI.md
        "#]],
    );
}

#[test]
fn a_search_begins_where_a_grant_does() {
    let shown: Vec<_> = memory().roots().iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["/home/u/.gemini", "/home/u/dotfiles", "/lib", "/repo"]
    );
}

#[test]
fn rules_only_take_away() {
    let rules = "[tools.read]\nallow = ['(^|.*/)\\.gemini/.*']\n[tools.write]\nallow = ['\\.md', '/etc/']\n";
    let (narrow, problems) = Narrow::read(rules, "save_memory", "x.toml");
    assert_eq!(problems, []);
    check(
        &memory().narrowed(narrow),
        &[
            "/repo/GEMINI.md",
            "/repo/.gemini/GEMINI.md",
            "/repo/.gemini/settings.json",
            "/home/u/.gemini/AGENTS.md",
            "/etc/passwd",
            "/repo",
            "/repo/.gemini",
        ],
        expect![[r#"
            --/ /repo/GEMINI.md
            rw/ /repo/.gemini/GEMINI.md
            --/ /repo/.gemini/settings.json
            rw- /home/u/.gemini/AGENTS.md
            --- /etc/passwd
            --/ /repo
            --/ /repo/.gemini
        "#]],
    );
    let (shut, _) = Narrow::unreadable("broken", "x.toml");
    let scope = memory().narrowed(shut);
    assert!(scope.file(&path("/repo/GEMINI.md"), For::Reading).is_none());
    assert!(!scope.tells(&path("/repo"), Kind::Dir));
}

#[test]
fn what_is_refused_is_refused_in_the_same_words_whatever_is_there() {
    let tree = "\
//- /repo/secret.txt
x
//- /repo/dangling -> /nowhere
//- /repo/loop -> loop
//- /repo/out -> /etc
//- /repo/GEMINI.md -> secret.txt
//- /repo/a/GEMINI.md -> ../.gemini/notes.md
//- /repo/.gemini/notes.md
y
//- /etc/passwd
";
    let files = FakeFiles::new(&Fixture::parse(tree));
    let workspace = Workspace {
        cwd: path("/repo"),
        roots: vec![path("/")],
        readable: vec![path("/etc")],
        writable: vec![path("/etc")],
        scope: Some(memory()),
    };
    let words = |given: &str, what_for| {
        let refusal = workspace.locate(&files, given, what_for).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::OutsideWorkspace, "{given}");
        refusal.message.replace(given, "X")
    };
    for what_for in [For::Reading, For::Listing, For::Writing] {
        let missing = words("no-such-file", what_for);
        for given in [
            "secret.txt",
            "dangling",
            "loop",
            "out/passwd",
            "/etc/passwd",
            "secret.txt/x",
        ] {
            assert_eq!(words(given, what_for), missing, "{given}");
        }
    }
    expect![[r#"
        `X` (it leads to `/repo/secret.txt`) is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/lib`; `**/.gemini/*.md` below `/repo`; `*.md` below `/home/u/.gemini`; `/home/u/.gemini/AGENTS.md`; `/home/u/dotfiles/X`; `X`, `AGENTS.md`, `CONTEXT` in `/lib` and at any depth below; `X`, `AGENTS.md`, `CONTEXT` in `/repo` and at any depth below.
    "#]]
    .assert_eq(&format!("{}\n", words("GEMINI.md", For::Writing)));
    let place = workspace
        .locate(&files, "a/GEMINI.md", For::Writing)
        .unwrap();
    assert_eq!(place.path.as_str(), "/repo/.gemini/notes.md");
}

proptest! {
    #[test]
    fn what_may_be_written_is_memory_by_its_name(
        below in "((\\.gemini|\\.git|a|GEMINI\\.md|\\.\\.|settings\\.json|x\\.md|AGENTS\\.md)/?){1,6}"
    ) {
        let path = path("/repo").join(&below);
        if memory().file(&path, For::Writing).is_some() {
            let dir = path.parent().unwrap();
            let is_named = ["GEMINI.md", "AGENTS.md"].contains(&path.file_name());
            let is_beside = dir.file_name() == ".gemini" && path.file_name().ends_with(".md");
            prop_assert!(is_named || is_beside, "{path}");
            prop_assert!(path.is_within(&AbsPath::root().join("repo")), "{path}");
            prop_assert!(!path.as_str().contains("/.git/"), "{path}");
            prop_assert!(dir.ancestors().all(|dir| memory().enters(&dir) || !dir.is_within(&self::path("/repo"))));
        }
    }
}
