//! What the scan passes over.

use expect_test::expect;

use super::*;

/// Scans everything below `cwd`, with git's rules switched on or off.
#[track_caller]
pub(super) fn check_scan(cwd: &str, git: Git, fixture: &str, expected: Expect) {
    Look::from(cwd, fixture)
        .depth(Depth::All)
        .options(|options| options.ignore.git = git == Git::On)
        .check(expected);
}

#[derive(PartialEq)]
pub(super) enum Git {
    On,
    Off,
}

#[test]
fn a_geminiignore_prunes_directories_and_passes_over_files() {
    check_scan(
        "/repo",
        Git::Off,
        "
//- /repo/.geminiignore
# generated

gen/
  /docs/old  
pkg/CLAUDE.md
//- /repo/gen/GEMINI.md
//- /repo/pkg/gen/deep/GEMINI.md
//- /repo/docs/old/GEMINI.md
//- /repo/pkg/docs/old/GEMINI.md
//- /repo/pkg/CLAUDE.md
//- /repo/pkg/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/pkg/GEMINI.md
            project /repo/pkg/docs/old/GEMINI.md
        "#]],
    );
}

#[test]
fn a_deeper_geminiignore_decides_below_itself() {
    check_scan(
        "/repo",
        Git::Off,
        "
//- /repo/.geminiignore
out/
//- /repo/a/.geminiignore
!out/
/tmp
//- /repo/a/out/GEMINI.md
//- /repo/a/tmp/GEMINI.md
//- /repo/a/b/tmp/GEMINI.md
//- /repo/b/out/GEMINI.md
//- /repo/b/tmp/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/a/out/GEMINI.md
            project /repo/b/tmp/GEMINI.md
            project /repo/a/b/tmp/GEMINI.md
        "#]],
    );
}

#[test]
fn nothing_comes_back_below_an_ignored_directory() {
    check_scan(
        "/repo",
        Git::Off,
        "
//- /repo/.geminiignore
out/
!out/keep/
*.md
!/docs/GEMINI.md
//- /repo/out/keep/GEMINI.md
//- /repo/docs/GEMINI.md
//- /repo/src/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/docs/GEMINI.md
        "#]],
    );
}

#[test]
fn case_does_not_matter() {
    check_scan(
        "/repo",
        Git::Off,
        "//- /repo/.geminiignore\nBUILD/\n//- /repo/build/GEMINI.md\n",
        expect![[r#"
        root /repo
    "#]],
    );
}

#[test]
fn an_ignored_gemini_directory_takes_its_memory_with_it() {
    check_scan(
        "/repo",
        Git::Off,
        "
//- /repo/.geminiignore
/pkg/.gemini/
//- /repo/pkg/GEMINI.md
//- /repo/pkg/.gemini/GEMINI.md
//- /repo/lib/.gemini/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/lib/.gemini/GEMINI.md
            project /repo/pkg/GEMINI.md
        "#]],
    );
}

#[test]
fn the_way_down_to_the_working_directory_is_not_filtered() {
    check_scan(
        "/repo/gen/x",
        Git::On,
        "
//- /repo/.git/
//- /repo/.gitignore
gen/
//- /repo/.geminiignore
gen/
GEMINI.md
//- /repo/GEMINI.md
//- /repo/gen/GEMINI.md
//- /repo/gen/x/GEMINI.md
//- /repo/gen/x/AGENTS.md
//- /repo/gen/x/y/AGENTS.md
//- /repo/gen/x/y/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/GEMINI.md
            project /repo/gen/GEMINI.md
            project /repo/gen/x/GEMINI.md
            project /repo/gen/x/AGENTS.md
            project /repo/gen/x/y/AGENTS.md
        "#]],
    );
}

#[test]
fn geminiignore_can_be_switched_off() {
    Look::from(
        "/repo",
        "//- /repo/.geminiignore\na/\n//- /repo/a/GEMINI.md\n",
    )
    .options(|options| options.ignore.gemini = false)
    .check(expect![[r#"
            root /repo
            project /repo/a/GEMINI.md
        "#]]);
}

const REPOSITORY: &str = "
//- /repo/.git/info/exclude
local/
//- /repo/.gitignore
dist/
*.log.md
//- /repo/dist/GEMINI.md
//- /repo/local/GEMINI.md
//- /repo/src/.gitignore
/gen
!dist/
//- /repo/src/gen/GEMINI.md
//- /repo/src/dist/GEMINI.md
//- /repo/src/deep/gen/GEMINI.md
//- /repo/src/deep/local/GEMINI.md
";

#[test]
fn git_rules_count_where_they_are_switched_on() {
    check_scan(
        "/repo",
        Git::On,
        REPOSITORY,
        expect![[r#"
        root /repo
        project /repo/src/dist/GEMINI.md
        project /repo/src/deep/gen/GEMINI.md
    "#]],
    );
}

#[test]
fn git_rules_do_not_count_by_default() {
    check_scan(
        "/repo",
        Git::Off,
        REPOSITORY,
        expect![[r#"
        root /repo
        project /repo/dist/GEMINI.md
        project /repo/local/GEMINI.md
        project /repo/src/dist/GEMINI.md
        project /repo/src/gen/GEMINI.md
        project /repo/src/deep/gen/GEMINI.md
        project /repo/src/deep/local/GEMINI.md
    "#]],
    );
}

#[test]
fn git_rules_from_above_hold_in_a_subdirectory() {
    check_scan(
        "/repo/src",
        Git::On,
        REPOSITORY,
        expect![[r#"
        root /repo
        project /repo/src/dist/GEMINI.md
        project /repo/src/deep/gen/GEMINI.md
    "#]],
    );
}

#[test]
fn git_rules_mean_nothing_outside_of_a_repository() {
    check_scan(
        "/repo",
        Git::On,
        "//- /repo/.gitignore\ndist/\n//- /repo/dist/GEMINI.md\n",
        expect![[r#"
        root /repo
        project /repo/dist/GEMINI.md
    "#]],
    );
}

#[test]
fn git_means_the_blanks_in_front_of_a_pattern() {
    let fixture = "//- /repo/.git/\n//- /repo/.gitignore\n dist/\n//- /repo/dist/GEMINI.md\n";
    check_scan(
        "/repo",
        Git::On,
        fixture,
        expect![[r#"
        root /repo
        project /repo/dist/GEMINI.md
    "#]],
    );
}

#[test]
fn a_geminiignore_overrules_git_in_both_directions() {
    check_scan(
        "/repo",
        Git::On,
        "
//- /repo/.git/
//- /repo/.gitignore
dist/
!src/
//- /repo/.geminiignore
!dist/
src/
//- /repo/dist/GEMINI.md
//- /repo/src/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/dist/GEMINI.md
        "#]],
    );
}

#[test]
fn custom_files_are_the_strongest_and_the_first_of_them_wins() {
    Look::from(
        "/repo",
        "
//- /etc/first
!a/
b/
//- /repo/second
a/
!b/
/c
//- /repo/.geminiignore
a/
!c/
!b/
//- /repo/a/GEMINI.md
//- /repo/b/GEMINI.md
//- /repo/c/GEMINI.md
//- /repo/d/c/GEMINI.md
",
    )
    .depth(Depth::All)
    .options(|options| {
        options.ignore.custom = vec![abs("/etc/first"), abs("/repo/second"), abs("/repo/missing")];
    })
    .check(expect![[r#"
        root /repo
        project /repo/a/GEMINI.md
        project /repo/d/c/GEMINI.md
    "#]]);
}

#[test]
fn as_in_gemini_cli_only_the_working_directory_decides_if_so_asked() {
    Look::from(
        "/repo/a",
        "
//- /repo/.git/
//- /repo/.geminiignore
x/
//- /repo/a/.geminiignore
y/
//- /repo/a/b/.geminiignore
z/
//- /repo/a/b/x/GEMINI.md
//- /repo/a/b/y/GEMINI.md
//- /repo/a/b/z/GEMINI.md
",
    )
    .depth(Depth::All)
    .options(|options| options.ignore.scope = IgnoreScope::FromCwd)
    .check(expect![[r#"
        root /repo
        project /repo/a/b/x/GEMINI.md
        project /repo/a/b/z/GEMINI.md
    "#]]);
}
