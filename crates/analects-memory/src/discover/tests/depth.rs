//! How far below the working directory a start-up looks.

use expect_test::expect;

use super::*;

const DEEP: &str = "
//- /repo/.git/
//- /repo/GEMINI.md
//- /repo/a/GEMINI.md
//- /repo/a/b/GEMINI.md
//- /repo/a/b/c/GEMINI.md
//- /repo/z/GEMINI.md
";

#[test]
fn depth_zero_ends_at_the_working_directory() {
    Look::from("/repo", DEEP)
        .depth(Depth::Levels(0))
        .check(expect![[r#"
        root /repo
        project /repo/GEMINI.md
    "#]]);
}

#[test]
fn depth_one_reads_the_directories_in_it() {
    Look::from("/repo", DEEP).check(expect![[r#"
        root /repo
        project /repo/GEMINI.md
        project /repo/a/GEMINI.md
        project /repo/z/GEMINI.md
    "#]]);
}

#[test]
fn depth_two_reads_one_level_more() {
    Look::from("/repo", DEEP)
        .depth(Depth::Levels(2))
        .check(expect![[r#"
        root /repo
        project /repo/GEMINI.md
        project /repo/a/GEMINI.md
        project /repo/z/GEMINI.md
        project /repo/a/b/GEMINI.md
    "#]]);
}

#[test]
fn depth_all_reads_everything_level_by_level() {
    Look::from("/repo", DEEP)
        .depth(Depth::All)
        .check(expect![[r#"
        root /repo
        project /repo/GEMINI.md
        project /repo/a/GEMINI.md
        project /repo/z/GEMINI.md
        project /repo/a/b/GEMINI.md
        project /repo/a/b/c/GEMINI.md
    "#]]);
}

#[test]
fn depth_counts_from_the_working_directory_and_not_from_the_root() {
    Look::from("/repo/a", DEEP).check(expect![[r#"
        root /repo
        project /repo/GEMINI.md
        project /repo/a/GEMINI.md
        project /repo/a/b/GEMINI.md
    "#]]);
}

#[test]
fn the_scan_stops_at_its_cap_and_says_so() {
    Look::from("/repo", DEEP)
        .depth(Depth::All)
        .options(|options| options.max_dirs = 3)
        .check(expect![[r#"
            root /repo
            project /repo/GEMINI.md
            project /repo/a/GEMINI.md
            project /repo/z/GEMINI.md
            ! scan-capped: /repo: the scan stopped after 3 directories (`context.discoveryMaxDirs`); deeper memory loads just in time
        "#]]);
}

#[test]
fn a_tree_that_just_fits_is_not_capped() {
    // `/repo`, `a`, `z`, `a/b`, `a/b/c`; `.git` is not entered and costs nothing.
    for (max_dirs, is_capped) in [(4, true), (5, false)] {
        let look = Look::from("/repo", DEEP).depth(Depth::All);
        let problems = look
            .options(|options| options.max_dirs = max_dirs)
            .discover()
            .problems;
        assert_eq!(!problems.is_empty(), is_capped, "{max_dirs}");
    }
}

#[test]
fn a_cap_of_zero_leaves_the_chain() {
    Look::from("/repo/a", DEEP)
        .options(|options| options.max_dirs = 0)
        .check(expect![[r#"
            root /repo
            project /repo/GEMINI.md
            project /repo/a/GEMINI.md
            ! scan-capped: /repo/a: the scan stopped after 0 directories (`context.discoveryMaxDirs`); deeper memory loads just in time
        "#]]);
}

#[test]
fn each_workspace_directory_has_a_cap_of_its_own() {
    Look::from(
        "/repo",
        &format!("{DEEP}//- /lib/a/GEMINI.md\n//- /lib/b/GEMINI.md\n"),
    )
    .places(|places| places.include = vec![abs("/lib").into()])
    .options(|options| options.max_dirs = 3)
    .check(expect![[r#"
            root /repo
            project /lib/a/GEMINI.md
            project /lib/b/GEMINI.md
            project /repo/GEMINI.md
            project /repo/a/GEMINI.md
            project /repo/z/GEMINI.md
        "#]]);
}

#[test]
fn build_products_and_git_are_never_entered_and_hidden_directories_are() {
    Look::from(
        "/repo",
        "
//- /repo/.git/hooks/GEMINI.md
//- /repo/node_modules/x/GEMINI.md
//- /repo/pkg/node_modules/GEMINI.md
//- /repo/target/GEMINI.md
//- /repo/pkg/target/debug/GEMINI.md
//- /repo/.gemini/tmp/GEMINI.md
//- /repo/pkg/.git/GEMINI.md
//- /repo/.github/GEMINI.md
//- /repo/targets/GEMINI.md
",
    )
    .depth(Depth::All)
    .check(expect![[r#"
        root /repo
        project /repo/.github/GEMINI.md
        project /repo/targets/GEMINI.md
    "#]]);
}

#[test]
fn a_linked_directory_is_not_entered() {
    Look::from(
        "/repo",
        "
//- /repo/.git/
//- /repo/inside -> real
//- /repo/loop -> ..
//- /repo/out -> /other
//- /repo/real/GEMINI.md
//- /other/GEMINI.md
",
    )
    .depth(Depth::All)
    .check(expect![[r#"
        root /repo
        project /repo/real/GEMINI.md
    "#]]);
}
