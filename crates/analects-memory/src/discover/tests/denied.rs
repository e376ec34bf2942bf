//! Directories that somebody denied, in a project that may speak.

use expect_test::expect;

use super::*;

const TREE: &str = "
//- /home/u/.gemini/GEMINI.md
//- /repo/.git/
//- /repo/GEMINI.md
//- /repo/.gemini/memory/note.md
//- /repo/own/GEMINI.md
//- /repo/own/linked.md -> ../vendor/GEMINI.md
//- /repo/vendor/GEMINI.md
//- /repo/vendor/.gemini/GEMINI.md
//- /repo/vendor/.geminiignore
lib
//- /repo/vendor/deep/GEMINI.md
//- /repo/vendor/lib/good/GEMINI.md
";

fn look(cwd: &str, said: &[(&str, Trust)]) -> Look {
    let said: Vec<_> = said.iter().map(|(dir, trust)| (abs(dir), *trust)).collect();
    Look::from(cwd, TREE)
        .depth(Depth::All)
        .names(&["GEMINI.md", "linked.md"])
        .places(|places| places.denied = Denied::new(said))
}

#[test]
fn a_denied_directory_below_does_not_speak_and_neither_does_a_link_into_it() {
    look("/repo", &[("/repo/vendor", Trust::Untrusted)]).check(expect![[r#"
        root /repo
        global /home/u/.gemini/GEMINI.md
        user_project /repo/.gemini/memory/note.md
        project /repo/GEMINI.md
        project /repo/own/GEMINI.md
        ! denied-folder: /repo/vendor: marked DO_NOT_TRUST: its memory is left out
    "#]]);
}

#[test]
fn what_was_trusted_below_a_denied_directory_speaks_again() {
    let said = [
        ("/repo/vendor", Trust::Untrusted),
        ("/repo/vendor/lib/good", Trust::Trusted),
    ];
    look("/repo", &said).check(expect![[r#"
        root /repo
        global /home/u/.gemini/GEMINI.md
        user_project /repo/.gemini/memory/note.md
        project /repo/GEMINI.md
        project /repo/own/GEMINI.md
        project /repo/vendor/lib/good/GEMINI.md
        ! denied-folder: /repo/vendor: marked DO_NOT_TRUST: its memory is left out
    "#]]);
}

#[test]
fn a_denied_root_does_not_speak_to_a_trusted_directory_in_it() {
    let said = [("/repo", Trust::Untrusted), ("/repo/own", Trust::Trusted)];
    look("/repo/own", &said).check(expect![[r#"
        root /repo
        global /home/u/.gemini/GEMINI.md
        project /repo/own/GEMINI.md
        ! denied-folder: /repo: marked DO_NOT_TRUST: its memory is left out
    "#]]);
}

#[test]
fn what_is_the_users_own_speaks_wherever_it_lies() {
    let said = [("/", Trust::Untrusted), ("/repo", Trust::Trusted)];
    let found = look("/repo", &said).discover();
    assert_eq!(
        found.candidates[0].path.as_str(),
        "/home/u/.gemini/GEMINI.md"
    );
    assert_eq!(show_problems(&found.problems), "");
}

#[test]
fn an_included_directory_speaks_no_higher_than_it_was_trusted() {
    let include = Include {
        dir: abs("/lib/core/x"),
        top: Some(abs("/lib/core")),
    };
    Look::from(
        "/repo",
        "//- /lib/.git/\n//- /lib/GEMINI.md\n//- /lib/core/GEMINI.md\n//- /lib/core/x/GEMINI.md\n//- /repo/\n",
    )
    .places(|places| places.include = vec![include])
    .check(expect![[r#"
        root /repo
        project /lib/core/GEMINI.md
        project /lib/core/x/GEMINI.md
    "#]]);
}
