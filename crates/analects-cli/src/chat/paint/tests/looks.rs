//! How a typical answer looks.

use expect_test::{Expect, expect};

use super::*;

const ANSWER: &str = "\
# The plan

Run `cargo test` **first**; it is *quick*, see [the guide](https://example.org/guide). ~~Do not wait.~~

1. Look at the log, which is long enough to go on in a second row of the screen.
2. Then:
   - mend it
   - [x] tell

> What was said
> before.

```rust
fn main() {
\tlet x = \"**\";

}
```

| file | lines |
|------|------:|
| a.rs | 10 |
| main.rs | 1200 |

---

Done <b>now</b> &amp; here.

[guide]: https://example.org
";

fn check(options: PaintOptions, expected: Expect) {
    let bytes = streamed([ANSWER], 0, options);
    assert_tame(&bytes);
    let mut lines = bytes.replace('\u{1b}', "^").replace("\r\n", "\n");
    lines.retain(|c| c != '\r');
    expected.assert_eq(&lines);
}

#[test]
fn an_answer_in_color() {
    check(
        sized(60, 50),
        expect![[r#"
        ^[1mThe plan^[0m

        Run ^[36mcargo test^[0m ^[1mfirst^[0m; it is ^[3mquick^[0m, see the guide
        ^[2m(https://example.org/guide)^[0m. ^[9mDo not wait.^[0m

        1. Look at the log, which is long enough to go on in a
           second row of the screen.
        2. Then:
           • mend it
           • [x] tell

        ^[2m│ ^[0mWhat was said before.

            ^[36mfn main() {^[0m
            ^[36m    let x = "**";^[0m

            ^[36m}^[0m

        ^[1mfile^[0m     ^[1mlines^[0m
        ───────  ─────
        a.rs        10
        main.rs   1200

        ^[2m────────────────────────────────────────^[0m

        Done <b>now</b> & here.

        [guide]: https://example.org
    "#]],
    );
}

#[test]
fn an_answer_without_color() {
    let has_color = false;
    check(
        PaintOptions {
            has_color,
            ..sized(60, 50)
        },
        expect![[r##"
            # The plan

            Run `cargo test` first; it is quick, see the guide
            (https://example.org/guide). ~~Do not wait.~~

            1. Look at the log, which is long enough to go on in a
               second row of the screen.
            2. Then:
               • mend it
               • [x] tell

            │ What was said before.

                fn main() {
                    let x = "**";

                }

            file     lines
            ───────  ─────
            a.rs        10
            main.rs   1200

            ────────────────────────────────────────

            Done <b>now</b> & here.

            [guide]: https://example.org
        "##]],
    );
}

#[test]
fn an_answer_in_lines() {
    check(
        PaintOptions {
            style: Style::Lines,
            has_color: false,
            ..sized(40, 50)
        },
        expect![[r##"
            # The plan

            Run `cargo test` first; it is quick,
            see the guide
            (https://example.org/guide). ~~Do not
            wait.~~

            1. Look at the log, which is long
               enough to go on in a second row of
               the screen.
            2. Then:
               - mend it
               - [x] tell

            > What was said before.

                fn main() {
                    let x = "**";

                }

            file     lines
            -------  -----
            a.rs        10
            main.rs   1200

            ---------------------------------------

            Done <b>now</b> & here.

            [guide]: https://example.org
        "##]],
    );
}

#[test]
fn a_table_that_does_not_fit_becomes_lines() {
    let text = "| name | what it is |\n|-|-|\n| one | a long word |\n| two | another |\n";
    let page = page(&streamed([text], 0, sized(20, 20)), sized(20, 20).size);
    expect![[r#"
        name  what it is
        ────  ───────────
        one   a long word
        two   another"#]]
    .assert_eq(&page);
}
