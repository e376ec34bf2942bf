//! The same thing said twice.

use expect_test::expect;

use super::*;

#[test]
fn a_line_of_two_layers_is_a_repetition() {
    check_tree(
        "
//- /home/u/.gemini/GEMINI.md
Be brief.
Use tabs.
//- /repo/GEMINI.md
# Rules
- **Use tabs**
- Test first.
//- /repo/api/GEMINI.md
* test  first
",
        expect![[r#"
            ! repeated-line: /repo/GEMINI.md:2: says the same as ~/.gemini/GEMINI.md:2
            ! repeated-line: /repo/api/GEMINI.md:1: says the same as GEMINI.md:3
        "#]],
    );
}

#[test]
fn neighbours_do_not_hear_one_another() {
    check_tree(
        "
//- /repo/api/GEMINI.md
- Run the tests with the script.
//- /repo/web/GEMINI.md
- Run the tests with the script.
",
        expect![""],
    );
}

#[test]
fn within_a_file_only_what_cannot_be_meant_twice() {
    check_tree(
        "
//- /repo/GEMINI.md
## Web
- Run the tests
- Run the tests
- `cargo doc`
- `cargo doc`
- Tests:
- Tests:

1. build the thing
2. test the thing
3. build the thing

## API
- Run the tests
- Frontend
  - Ask Kim about all of the many details there
- Backend
  - Ask Kim about all of the many details there
- A longer rule of seven words or more.

## Docs
A longer rule of seven words or more.
",
        expect![[r#"
            + repeated-line: /repo/GEMINI.md:3: says the same as line 2
            ! repeated-line: /repo/GEMINI.md:22: says the same as line 19
        "#]],
    );
}

#[test]
fn two_files_that_are_almost_copies_are_told_about_once() {
    let lines: String = (0..9)
        .map(|i| format!("- Rule number {i} of ours\n"))
        .collect();
    let tree = format!("//- /repo/AGENTS.md\n{lines}//- /repo/CLAUDE.md\nHello there.\n\n{lines}");
    check_tree(
        &tree,
        expect![[r#"
            ! repeated-line: /repo/CLAUDE.md:3: 9 lines stand in both files; this one says the same as AGENTS.md:1
        "#]],
    );
}

#[test]
fn chinese_has_no_blanks_and_counts_all_the_same() {
    check_tree(
        "
//- /home/u/.gemini/GEMINI.md
- 始终使用制表符。
- 测试
//- /repo/GEMINI.md
- 始终使用制表符
- 测试
",
        expect![[r#"
            ! repeated-line: /repo/GEMINI.md:1: says the same as ~/.gemini/GEMINI.md:1
        "#]],
    );
}
