//! Where a path may lie to bring something in.

use expect_test::expect;

use super::*;

#[test]
fn an_untrusted_project_stays_silent() {
    Talk::new("/repo", REPO)
        .places(|places| places.trust = Trust::Untrusted)
        .check(
            &["/repo/api/v1/handler.go"],
            expect![[r#"
            touch /repo/api/v1/handler.go
        "#]],
        );
}

#[test]
fn a_path_outside_of_the_project_brings_nothing_in() {
    check(
        &format!("{REPO}//- /other/GEMINI.md\nother\n//- /home/u/.gemini/GEMINI.md\nglobal\n"),
        &[
            "/other/x",
            "/",
            "/home/u/.gemini/GEMINI.md",
            "/repository/x",
            "/repo/../other/x",
        ],
        expect![[r#"
            touch /other/x
            touch /
            touch /home/u/.gemini/GEMINI.md
            touch /repository/x
            touch /repo/../other/x
        "#]],
    );
}

#[test]
fn a_path_of_a_megabyte_brings_nothing_in() {
    let near = Talk::new("/repo", REPO).touch(&[&format!("/repo/api/{}", "x/".repeat(500_000))]);
    assert!(near[0].fragments.is_empty());
}

#[test]
fn a_linked_directory_that_leaves_the_project_brings_nothing_in() {
    check(
        &format!(
            "{REPO}//- /repo/out -> /other\n//- /other/GEMINI.md\nother\n//- /other/sub/GEMINI.md\nsub\n"
        ),
        &["/repo/out/x", "/repo/out/sub/x"],
        expect![[r#"
            touch /repo/out/x
            touch /repo/out/sub/x
        "#]],
    );
}

#[test]
fn a_link_out_and_back_in_does_not_carry_anything_along() {
    check(
        &format!(
            "{REPO}//- /repo/out -> /other\n//- /other/GEMINI.md\nother\n//- /other/back -> /repo/web\n"
        ),
        &["/repo/out/back/x"],
        expect![[r#"
            touch /repo/out/back/x
              project /repo/web/CLAUDE.md
        "#]],
    );
}

#[test]
fn a_linked_directory_inside_the_project_speaks_once() {
    check(
        &format!("{REPO}//- /repo/www -> web\n"),
        &["/repo/www/x", "/repo/web/x"],
        expect![[r#"
            touch /repo/www/x
              project /repo/web/CLAUDE.md
            touch /repo/web/x
        "#]],
    );
}

#[test]
fn a_memory_file_that_is_a_link_out_of_the_project_is_a_problem() {
    check(
        &format!("{REPO}//- /repo/lib/GEMINI.md -> /etc/motd\n//- /etc/motd\nsecret\n"),
        &["/repo/lib/x"],
        expect![[r#"
            touch /repo/lib/x
            ! link-outside: /repo/lib/GEMINI.md: a link that leads outside
        "#]],
    );
}

#[test]
fn include_directories_have_context_of_their_own() {
    Talk::new(
        "/repo",
        &format!("{REPO}//- /lib/.git/\n//- /lib/GEMINI.md\nlib\n//- /lib/core/GEMINI.md\ncore\n//- /lib/core/x/GEMINI.md\nx\n"),
    )
    .places(|places| places.include = vec![abs("/lib/core").into()])
    .check(&["/lib/core/x/y.rs", "/lib/other.rs", "/repo/web/a"], expect![[r#"
        touch /lib/core/x/y.rs
          project /lib/core/x/GEMINI.md
        touch /lib/other.rs
        touch /repo/web/a
          project /repo/web/CLAUDE.md
    "#]]);
}

#[test]
fn a_nested_include_directory_is_walked_up_to_its_own_root() {
    Talk::new("/repo", &format!("{REPO}//- /repo/api/v1/.git/\n"))
        .places(|places| places.include = vec![abs("/repo/api/v1").into()])
        .check(
            &["/repo/api/v1/handler.go", "/repo/api/x"],
            expect![[r#"
            touch /repo/api/v1/handler.go
            touch /repo/api/x
              project /repo/api/GEMINI.md
              project /repo/api/.gemini/GEMINI.md
        "#]],
        );
}

#[test]
fn home_is_no_project_here_either() {
    Talk::new(
        "/home/u",
        "//- /home/u/GEMINI.md\nhome\n//- /home/u/x/GEMINI.md\nx\n",
    )
    .check(
        &["/home/u/x/y", "/home/u/y"],
        expect![[r#"
            touch /home/u/x/y
            touch /home/u/y
        "#]],
    );
}

#[test]
fn a_path_through_a_link_to_the_project_is_a_path_of_it() {
    check(
        &format!("{REPO}//- /link -> repo\n"),
        &["/link/web/x", "/link/web/new/y"],
        expect![[r#"
            touch /link/web/x
              project /repo/web/CLAUDE.md
            touch /link/web/new/y
        "#]],
    );
}

#[test]
fn a_denied_directory_does_not_speak_and_those_around_it_do() {
    let said = [
        (abs("/repo/api"), Trust::Untrusted),
        (abs("/repo/api/v1"), Trust::Trusted),
    ];
    Talk::new("/repo", &format!("{REPO}//- /repo/api/v1/GEMINI.md\nv1\n"))
        .places(|places| places.denied = Denied::new(said))
        .check(
            &["/repo/api/x", "/repo/api/v1/x", "/repo/web/x"],
            expect![[r#"
                touch /repo/api/x
                ! denied-folder: /repo/api: marked DO_NOT_TRUST: its memory is left out
                touch /repo/api/v1/x
                  project /repo/api/v1/GEMINI.md
                ! denied-folder: /repo/api: marked DO_NOT_TRUST: its memory is left out
                touch /repo/web/x
                  project /repo/web/CLAUDE.md
            "#]],
        );
}

#[test]
fn nothing_above_the_trusted_part_of_an_included_project_speaks() {
    let include = Include {
        dir: abs("/lib/core"),
        top: Some(abs("/lib/core")),
    };
    Talk::new(
        "/repo",
        &format!("{REPO}//- /lib/.git/\n//- /lib/GEMINI.md\nlib\n//- /lib/core/x/GEMINI.md\nx\n//- /lib/y/GEMINI.md\ny\n"),
    )
    .places(|places| places.include = vec![include])
    .check(&["/lib/core/x/a", "/lib/y/a"], expect![[r#"
        touch /lib/core/x/a
          project /lib/core/x/GEMINI.md
        touch /lib/y/a
    "#]]);
}
