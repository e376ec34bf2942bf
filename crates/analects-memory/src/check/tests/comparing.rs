//! What is nearly the same, and what is the opposite.

use expect_test::expect;

use super::*;

#[test]
fn the_same_in_other_words_is_told_where_both_are_heard() {
    check_tree(
        "
//- /home/u/.gemini/GEMINI.md
- Run the tests before committing.
//- /repo/a/GEMINI.md
- Before you commit, run the tests
- Before you commit, please run all the tests
//- /repo/b/GEMINI.md
1. Write it down
2. Please write it down.
",
        expect![[r#"
            ! near-duplicate: /repo/a/GEMINI.md:1: says nearly the same as ~/.gemini/GEMINI.md:1
            ! near-duplicate: /repo/a/GEMINI.md:2: says nearly the same as ~/.gemini/GEMINI.md:1
        "#]],
    );
}

#[test]
fn one_rule_says_always_and_another_never() {
    check_tree(
        "
//- /home/u/.gemini/GEMINI.md
- Always use tabs for indentation.
- Use pnpm, not npm.
//- /repo/GEMINI.md
Be kind. Never use tabs for indentation!

## Never
- use pnpm
- push to main

Do not:
- squash commits
  - ever

❌ rebase shared branches
//- /repo/web/GEMINI.md
- Push to main
- Squash commits
- Rebase shared branches.
",
        expect![[r#"
            ! contradiction: /repo/GEMINI.md:1: contradicts ~/.gemini/GEMINI.md:1
            ! contradiction: /repo/GEMINI.md:4: contradicts ~/.gemini/GEMINI.md:2
            ! contradiction: /repo/web/GEMINI.md:1: contradicts GEMINI.md:5
            ! contradiction: /repo/web/GEMINI.md:2: contradicts GEMINI.md:8
            ! contradiction: /repo/web/GEMINI.md:3: contradicts GEMINI.md:11
        "#]],
    );
}

#[test]
fn what_stands_above_a_rule_belongs_to_it() {
    check_tree(
        "
//- /repo/GEMINI.md
- Never use tabs
- Never push to main
- Never squash commits

## Anti-patterns
- Use tabs

Things that went wrong before:
- Push to main

| Wrong | Right |
|---|---|
| Squash commits | Merge commits |
",
        expect![""],
    );
}

#[test]
fn neighbours_may_differ() {
    check_tree(
        "
//- /repo/go/GEMINI.md
- Always use tabs for indentation.
//- /repo/py/GEMINI.md
- Never use tabs for indentation.
",
        expect![""],
    );
}

#[test]
fn global_memory_is_for_all_projects() {
    check_tree(
        "
//- /home/u/.gemini/GEMINI.md
- Deploy acme-shop on Fridays.
- In this repo acme_shop's tests are slow.
- This project uses pnpm.
- My checkout is in ~/code/acme-shop.
- Read the README of this repo first.
- I like shops. See `./docs`.
- 这个项目使用中文。
//- /repo/GEMINI.md
- Deploy acme-shop with `./deploy`.
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md
- My key of acme-shop is old.
",
        expect![[r#"
            ! wrong-scope: /home/u/.gemini/GEMINI.md:1: `acme-shop` is this project, and this is memory for all
            ! wrong-scope: /home/u/.gemini/GEMINI.md:2: `acme_shop's` is this project, and this is memory for all
            ! wrong-scope: /home/u/.gemini/GEMINI.md:3: speaks of one project, and this is memory for all
            ! wrong-scope: /home/u/.gemini/GEMINI.md:4: `~/code/acme-shop` is this project, and this is memory for all
            ! wrong-scope: /home/u/.gemini/GEMINI.md:7: speaks of one project, and this is memory for all
        "#]],
    );
}
