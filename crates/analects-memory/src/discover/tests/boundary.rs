//! Where a project begins.

use expect_test::expect;

use super::*;

const NESTED: &str = "
//- /work/GEMINI.md
//- /work/repo/.git/
//- /work/repo/GEMINI.md
//- /work/repo/pkg/Cargo.toml
//- /work/repo/pkg/GEMINI.md
//- /work/repo/pkg/src/GEMINI.md
";

#[test]
fn nothing_above_the_marked_directory_is_read() {
    Look::from("/work/repo/pkg/src", NESTED).check(expect![[r#"
        root /work/repo
        project /work/repo/GEMINI.md
        project /work/repo/pkg/GEMINI.md
        project /work/repo/pkg/src/GEMINI.md
    "#]]);
}

#[test]
fn the_nearest_of_several_markers_counts() {
    Look::from("/work/repo/pkg/src", NESTED)
        .markers(&[".git", "Cargo.toml"])
        .check(expect![[r#"
        root /work/repo/pkg
        project /work/repo/pkg/GEMINI.md
        project /work/repo/pkg/src/GEMINI.md
    "#]]);
}

#[test]
fn a_marker_may_be_a_file_a_link_or_lie_deeper() {
    for marker in [
        "/w/repo/.git",
        "/w/repo/.git -> ../gone",
        "/w/repo/.hg/store/",
    ] {
        let fixture = format!("//- {marker}\n//- /w/repo/src/\n//- /w/GEMINI.md\n");
        let look = Look::from("/w/repo/src", &fixture).markers(&[".git", ".hg/store"]);
        assert_eq!(look.discover().root, abs("/w/repo"), "{marker}");
    }
}

#[test]
fn without_a_marker_the_working_directory_is_the_root() {
    Look::from(
        "/work/plain/src",
        "//- /work/plain/GEMINI.md\n//- /work/plain/src/GEMINI.md\n",
    )
    .check(expect![[r#"
            root /work/plain/src
            project /work/plain/src/GEMINI.md
        "#]]);
}

#[test]
fn with_no_markers_configured_the_working_directory_is_the_root() {
    Look::from("/work/repo/pkg/src", NESTED)
        .markers(&[])
        .check(expect![[r#"
        root /work/repo/pkg/src
        project /work/repo/pkg/src/GEMINI.md
    "#]]);
}

#[test]
fn a_marker_that_leads_out_of_its_directory_is_skipped_and_reported_once() {
    Look::from("/work/repo/pkg/src", NESTED)
        .markers(&["../repo", "/work", "./.git/"])
        .places(|places| places.include = vec![abs("/work/repo/pkg").into(), abs("/work").into()])
        .depth(Depth::Levels(0))
        .check(expect![[r#"
            root /work/repo
            project /work/repo/GEMINI.md
            project /work/repo/pkg/GEMINI.md
            project /work/GEMINI.md
            project /work/repo/GEMINI.md
            project /work/repo/pkg/GEMINI.md
            project /work/repo/pkg/src/GEMINI.md
            ! unsafe-name: boundary marker `../repo` leads out of its directory
            ! unsafe-name: boundary marker `/work` leads out of its directory
        "#]]);
}

#[test]
fn a_repository_inside_another_hides_it() {
    Look::from(
        "/repo/vendor/lib",
        "
//- /repo/.git/
//- /repo/GEMINI.md
//- /repo/vendor/GEMINI.md
//- /repo/vendor/lib/.git
gitdir: ../../.git/modules/lib
//- /repo/vendor/lib/GEMINI.md
",
    )
    .check(expect![[r#"
        root /repo/vendor/lib
        project /repo/vendor/lib/GEMINI.md
    "#]]);
}

/// A home that is a repository itself, as people with dotfiles have it.
const DOTFILES: &str = "
//- /home/u/.git/
//- /home/u/GEMINI.md
//- /home/u/.gemini/GEMINI.md
//- /home/u/.gemini/memory/old.md
//- /home/u/work/GEMINI.md
//- /home/u/work/src/GEMINI.md
//- /link -> /home/u
";

#[test]
fn a_dotfiles_repository_does_not_turn_home_into_a_project() {
    Look::from("/home/u/work/src", DOTFILES).check(expect![[r#"
        root /home/u/work/src
        global /home/u/.gemini/GEMINI.md
        project /home/u/work/src/GEMINI.md
    "#]]);
}

#[test]
fn home_itself_has_no_project_memory() {
    Look::from("/home/u", DOTFILES)
        .depth(Depth::All)
        .check(expect![[r#"
        root /home/u
        global /home/u/.gemini/GEMINI.md
    "#]]);
}

#[test]
fn home_reached_through_a_link_is_still_home() {
    Look::from("/link", DOTFILES)
        .depth(Depth::All)
        .check(expect![[r#"
        root /link
        global /home/u/.gemini/GEMINI.md
    "#]]);
}

#[test]
fn a_home_that_is_a_link_does_not_become_a_project_either() {
    let looks = [("/link", "/home/u/work/src"), ("/home/u", "/link/work/src")];
    for (home, cwd) in looks {
        let look = Look::from(cwd, DOTFILES).places(|places| places.home = abs(home));
        assert_eq!(look.discover().root, abs(cwd), "home {home}");
    }
}

#[test]
fn a_repository_around_home_ends_at_home() {
    let fixture = "//- /.git/\n//- /GEMINI.md\n//- /home/u/work/GEMINI.md\n";
    Look::from("/home/u/work", fixture).check(expect![[r#"
        root /home/u/work
        project /home/u/work/GEMINI.md
    "#]]);
}

#[test]
fn a_root_above_home_is_refused_also_from_outside_of_home() {
    Look::from(
        "/repo/src",
        "//- /repo/.git/\n//- /repo/GEMINI.md\n//- /repo/src/GEMINI.md\n",
    )
    .places(|places| places.home = abs("/repo/.ci-home"))
    .check(expect![[r#"
            root /repo/src
            project /repo/src/GEMINI.md
        "#]]);
}

#[test]
fn home_as_an_include_directory_brings_nothing_in() {
    Look::from("/repo", &format!("{DOTFILES}//- /repo/GEMINI.md\n"))
        .places(|places| places.include = vec![abs("/link").into(), abs("/home/u").into()])
        .depth(Depth::All)
        .check(expect![[r#"
            root /repo
            global /home/u/.gemini/GEMINI.md
            project /repo/GEMINI.md
        "#]]);
}
