//! A conversation in which a host has loaded some files itself.

use super::*;

/// Hears `theirs`, then joins everything; shows what is said, and what is said when nothing has changed.
#[track_caller]
fn check(theirs: &[&str], imports: Imports, ours: &[&str], fixture: &str, expected: Expect) {
    let load = Load::of(ours, &Fixture::parse(fixture));
    let mut loader = Loader::new(&load.disk, &load.options);
    let theirs: Vec<_> = theirs.iter().map(|path| candidate(path)).collect();
    loader.hear(&theirs, imports);
    assert_eq!(
        loader.tracked(),
        [],
        "what the host says is not ours to track"
    );
    let (loaded, problems) = loader.join(&load.candidates);
    let mut shown = String::new();
    for file in &loaded {
        writeln!(shown, "{}: {:?}", file.label, file.text).unwrap();
    }
    expected.assert_eq(&(shown + &show_problems(&problems)));
    assert_eq!(loader.join(&load.candidates).0, []);

    let mut resumed = Loader::new(&load.disk, &load.options);
    resumed.hear(&theirs, imports);
    resumed.resume(loader.tracked());
    assert_eq!(
        resumed.join(&load.candidates).0,
        [],
        "also in another process"
    );
}

#[test]
fn what_the_host_loads_is_not_said_again_nor_is_its_copy() {
    check(
        &["/p/CLAUDE.md"],
        Imports::Expanded,
        &[
            "/home/u/.gemini/GEMINI.md",
            "/p/GEMINI.md",
            "/p/AGENTS.md",
            "/p/CLAUDE.md",
        ],
        "//- /home/u/.gemini/GEMINI.md\nBe brief.\n//- /p/GEMINI.md\nUse tabs.\n\
         //- /p/AGENTS.md\n  Test first.\n//- /p/CLAUDE.md\nTest first.\n",
        expect![[r#"
            ~/.gemini/GEMINI.md: "Be brief.\n"
            GEMINI.md: "Use tabs.\n"
        "#]],
    );
}

#[test]
fn imports_that_the_host_expands_are_there_too() {
    let fixture = "//- /p/CLAUDE.md\n@AGENTS.md\n//- /p/AGENTS.md\nTest first.\n\
                   //- /p/GEMINI.md\nSee @AGENTS.md\n";
    check(
        &["/p/CLAUDE.md"],
        Imports::Expanded,
        &["/p/GEMINI.md", "/p/AGENTS.md"],
        fixture,
        expect![[r#"
            GEMINI.md: "See <!-- File already processed: AGENTS.md -->\n"
        "#]],
    );
}

#[test]
fn imports_that_the_host_leaves_alone_are_ours_to_say() {
    check(
        &["/p/AGENTS.md"],
        Imports::AsWritten,
        &["/p/AGENTS.md", "/p/docs/style.md"],
        "//- /p/AGENTS.md\n@docs/style.md\n//- /p/docs/style.md\nWrap at 100.\n",
        expect![[r#"
            docs/style.md: "Wrap at 100.\n"
        "#]],
    );
}
