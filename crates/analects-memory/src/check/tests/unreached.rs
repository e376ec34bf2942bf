//! Files that look like memory and are not loaded.

use expect_test::expect;

use super::*;

#[test]
fn names_places_and_rules_keep_memory_out() {
    let mut look = Look::at(
        "
//- /repo/.git/GEMINI.md
Lost.
//- /repo/.geminiignore
docs/
//- /repo/GEMINI.md
Rules.
//- /repo/gemini.md
Small.
//- /repo/CLAUDE.md.txt
Doubled.
//- /repo/docs/GEMINI.md
Ignored here.
//- /repo/target/AGENTS.md
Shut.
//- /repo/node_modules/GEMINI.md
Shut too.
//- /repo/gone/GEMINI.md -> ../nowhere.md
//- /repo/a/b/c/GEMINI.md
Just in time.
",
    );
    look.pages.clear();
    look.check(expect![[r#"
        ! unreached-memory: /repo/.git/GEMINI.md: not loaded at start: no scan enters `.git`
        ! unreached-memory: /repo/CLAUDE.md.txt: not loaded: its name is not `CLAUDE.md`
        ! unreached-memory: /repo/docs/GEMINI.md: not loaded at start: an ignore file excludes it
        ! unreached-memory: /repo/gemini.md: not loaded: its name is not `GEMINI.md`
        ! unreached-memory: /repo/gone/GEMINI.md: not loaded: a link to nothing
        ! unreached-memory: /repo/node_modules/GEMINI.md: not loaded at start: no scan enters `node_modules`
        ! unreached-memory: /repo/target/AGENTS.md: not loaded at start: no scan enters `target`
    "#]]);
}

#[test]
fn what_nobody_wrote_here_is_not_looked_at() {
    check_tree(
        r#"
//- /repo/.git/HEAD
//- /repo/.gitignore
build/
//- /repo/build/gemini.md
//- /repo/node_modules/zod/package.json
{}
//- /repo/node_modules/zod/docs/agents.md
//- /repo/target/CACHEDIR.TAG
//- /repo/target/package/x/AGENTS.md/
//- /repo/vendor/lib/.git
gitdir: elsewhere
//- /repo/vendor/lib/agents.md
//- /repo/.venv/pyvenv.cfg
//- /repo/.venv/lib/CLAUDE.md.md
//- /repo/docs/agents.md
A page about agents.
//- /repo/docs/AGENTS.md.bak
"#,
        expect![""],
    );
}

#[test]
fn a_package_has_a_top_of_its_own() {
    check_tree(
        "
//- /repo/web/package.json
{}
//- /repo/web/Agents.md
Meant as memory.
",
        expect![[r#"
            ! unreached-memory: /repo/web/Agents.md: not loaded: its name is not `AGENTS.md`
        "#]],
    );
}

#[test]
fn memory_on_the_way_to_the_working_directory_is_not_filtered() {
    let mut look = Look::at(
        "//- /repo/.geminiignore\n*.md\n//- /repo/a/GEMINI.md\nA.\n//- /repo/b/GEMINI.md -> ../a/GEMINI.md\n",
    );
    look.survey.cwd = abs("/repo/a");
    let survey = survey(&look.disk, &look.survey);
    assert_eq!(survey.memory, [abs("/repo/a/GEMINI.md")]);
    assert_eq!(survey.unreached[0].path, abs("/repo/b/GEMINI.md"));
}

#[test]
fn a_file_that_is_imported_is_reached() {
    let mut look = Look::at("//- /repo/gemini.md\nSmall.\n");
    look.check(expect![[r#"
        ! unreached-memory: /repo/gemini.md: not loaded: its name is not `GEMINI.md`
    "#]]);
    let path = abs("/repo/gemini.md");
    let text = "Small.\n".to_owned();
    look.pages = vec![Page::new(path.clone(), Layer::Project, &path, text)];
    look.check(expect![""]);
}

#[test]
fn the_walk_ends_at_its_limit_and_says_so() {
    let mut look = Look::at("//- /repo/a/b/\n//- /repo/c/\n//- /repo/d/GEMINI.md\n");
    look.survey.max_dirs = 3;
    let survey = survey(&look.disk, &look.survey);
    assert!(survey.is_cut);
    assert_eq!(survey.memory, []);
    assert_eq!(look.disk.dirs_listed(), 3);
}

#[test]
fn many_ignored_files_are_counted() {
    let files: String = (0..30)
        .map(|i| format!("//- /repo/x{i:02}/GEMINI.md.md\n"))
        .collect();
    let findings = Look::at(&files).findings();
    assert_eq!(findings.len(), 20);
    let last = &findings[19].problem.message;
    assert!(last.ends_with("10 more files are not loaded"), "{last}");
}
