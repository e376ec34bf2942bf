//! Ignore files that are senseless, oversized or closed.

use expect_test::expect;

use super::ignoring::{Git, check_scan};
use super::*;

#[test]
fn a_pattern_that_makes_no_sense_is_a_problem_with_its_line() {
    let fixture = "//- /repo/.geminiignore\n# x\n[z-a]\ngen/\n//- /repo/gen/GEMINI.md\n";
    check_scan(
        "/repo",
        Git::Off,
        fixture,
        expect![[r#"
        root /repo
        ! bad-ignore-rule: /repo/.geminiignore:2: error parsing glob '[z-a]': invalid range; 'z' > 'a'
    "#]],
    );
}

#[test]
fn ten_thousand_senseless_patterns_are_told_in_few_words() {
    let fixture = format!("//- /repo/.geminiignore\n{}", "[z-a]\n".repeat(10_000));
    let problems = Look::from("/repo", &fixture).discover().problems;
    assert!(problems.len() < 100, "{}", problems.len());
    assert!(problems.last().unwrap().message.contains("more"));
}

#[test]
fn a_pattern_that_cannot_be_compiled_does_not_switch_the_others_off() {
    let monster = format!("{}a{}\n", "{".repeat(1000), "}".repeat(1000));
    let patterns = monster + &"# filler\n".repeat(1000) + "secret/\n";
    let fixture = format!("//- /repo/.geminiignore\n{patterns}//- /repo/secret/GEMINI.md\n");
    let discovered = Look::from("/repo", &fixture).discover();
    assert!(discovered.candidates.is_empty());
    let problem = discovered.problems[0].to_string();
    assert!(
        problem.starts_with("/repo/.geminiignore:1: not used, nor the 999 lines"),
        "{problem}"
    );
}

#[test]
fn within_a_file_the_last_pattern_decides_however_far_away() {
    let patterns = "a/\n!b/\n".to_owned() + &"# filler\n".repeat(2000) + "!a/\nb/\n";
    let fixture = format!(
        "//- /repo/.geminiignore\n{patterns}//- /repo/a/GEMINI.md\n//- /repo/b/GEMINI.md\n"
    );
    check(
        &fixture,
        expect![[r#"
        root /repo
        project /repo/a/GEMINI.md
    "#]],
    );
}

#[test]
fn an_ignore_file_that_is_too_long_is_read_up_to_a_whole_line() {
    let line = "# fifteen chars\n";
    let patterns = line.repeat(256 * 1024 / line.len() - 1) + "# one less....\n*.log\n";
    let fixture = format!("//- /repo/.geminiignore\n{patterns}//- /repo/a/GEMINI.md\n");
    check(
        &fixture,
        expect![[r#"
        root /repo
        project /repo/a/GEMINI.md
        ! bad-ignore-rule: /repo/.geminiignore:16385: longer than 262144 bytes, not read from here on
    "#]],
    );
}

#[test]
fn an_ignore_file_that_cannot_be_read_is_a_problem() {
    check_scan(
        "/repo",
        Git::On,
        "
//- /repo/.git/
//- /repo/.gitignore -> /etc/outside
//- /repo/.geminiignore (denied)
//- /repo/a/.geminiignore/
//- /repo/a/GEMINI.md
//- /etc/outside
a/
",
        expect![[r#"
            root /repo
            project /repo/a/GEMINI.md
            ! unreadable: /repo/.gitignore: a link that leads outside
            ! unreadable: /repo/.geminiignore: permission denied
        "#]],
    );
}
