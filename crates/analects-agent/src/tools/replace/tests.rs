//! What is replaced, and what a model is told if nothing is.

use analects_testkit::{FakeDesk, Fixture};
use analects_world::desk::Desk;
use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::tools::stage::Stage;

const CODE: &str = "\
fn main() {
    let name = \"world\";
    greet(name);
}
fn greet(name: &str) {
    println!(\"hello {name}\");
}
fn part(name: &str) {
    println!(\"bye {name}\");
}
";

fn args(old: &str, new: &str) -> Args {
    Args {
        file_path: "a.rs".to_owned(),
        old_string: old.to_owned(),
        new_string: new.to_owned(),
        ..Args::default()
    }
}

fn planned(bytes: &[u8], args: &Args) -> Result<Planned, Refusal> {
    let stage = Stage::new(&Fixture::parse("//- /repo/\n").file("/repo/a.rs", bytes));
    let bench = stage.bench();
    plan(args, bench.files, bench.workspace)
}

fn result(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    let all = Args {
        allow_multiple: Some(true),
        ..args(old, new)
    };
    let planned = planned(bytes, &all).unwrap();
    planned.changes.files[0].text.clone().unwrap()
}

fn told(planned: Result<Planned, Refusal>) -> String {
    match planned {
        Ok(planned) => format!(
            "{}\n{}<{}>\n",
            planned.output.text, planned.diff, planned.output.shown
        ),
        Err(refusal) => format!("{}: {refusal}\n", refusal.kind.as_str()),
    }
}

fn check(args: &Args, expected: Expect) {
    expected.assert_eq(&told(planned(CODE.as_bytes(), args)));
}

#[test]
fn a_text_that_stands_there_once_is_replaced() {
    check(
        &args("    greet(name);\n", "    greet(name);\n    part(name);\n"),
        expect![[r#"
            Changed `a.rs`: 1 replacement at line 3.
            --- a.rs
            +++ a.rs
            @@ -1,6 +1,7 @@
             fn main() {
                 let name = "world";
                 greet(name);
            +    part(name);
             }
             fn greet(name: &str) {
                 println!("hello {name}");
            <a.rs +1 -0>
        "#]],
    );
}

#[test]
fn several_are_replaced_if_that_was_said() {
    let several = Args {
        expected_replacements: Some(2),
        ..args("name: &str", "who: &str")
    };
    check(
        &several,
        expect![[r#"
            Changed `a.rs`: 2 replacements at lines 5, 8.
            --- a.rs
            +++ a.rs
            @@ -2,9 +2,9 @@
                 let name = "world";
                 greet(name);
             }
            -fn greet(name: &str) {
            +fn greet(who: &str) {
                 println!("hello {name}");
             }
            -fn part(name: &str) {
            +fn part(who: &str) {
                 println!("bye {name}");
             }
            <a.rs +2 -2>
        "#]],
    );
    let all = Args {
        allow_multiple: Some(true),
        ..args("name", "who")
    };
    let all = planned(CODE.as_bytes(), &all).unwrap();
    assert_eq!(
        all.output.text,
        "Changed `a.rs`: 6 replacements at lines 2, 3, 5, 6, 8, 9."
    );
}

#[test]
fn another_number_than_was_said_is_told_with_its_lines() {
    check(
        &args("name: &str", "who: &str"),
        expect![[r#"
            edit_expected_occurrence_mismatch: `old_string` stands in `a.rs` 2 times, not once: at lines 5, 8. Take more of the lines around along to mean one place, or say `expected_replacements: 2` to replace all.
        "#]],
    );
    let three = Args {
        expected_replacements: Some(3),
        ..args("fn main", "fn start")
    };
    check(
        &three,
        expect![[r#"
            edit_expected_occurrence_mismatch: `old_string` stands in `a.rs` once, not 3 times: at line 1. Take more of the lines around along to mean one place, or say `expected_replacements: 1` to replace all.
        "#]],
    );
    let none = Args {
        expected_replacements: Some(0),
        ..args("fn main", "fn start")
    };
    check(
        &none,
        expect![[r#"
        invalid_tool_params: `expected_replacements` is 0: then there is nothing to do.
    "#]],
    );
}

#[test]
fn a_difference_of_white_space_is_named_and_not_overlooked() {
    check(
        &args(
            "fn greet(name: &str) {\n  println!(\"hello {name}\");\n}",
            "x",
        ),
        expect![[r#"
            edit_no_occurrence_found: `old_string` does not stand in `a.rs`. Only white space differs at lines 5 to 7: indentation, blanks or blank lines. This stands there:
            5	fn greet(name: &str) {
            6	    println!("hello {name}");
            7	}
        "#]],
    );
}

#[test]
fn the_nearest_lines_are_shown() {
    check(
        &args(
            "fn greet(name: &str) {\n    println!(\"hallo {name}!\");\n}\n",
            "x",
        ),
        expect![[r#"
            edit_no_occurrence_found: `old_string` does not stand in `a.rs`. The nearest is at lines 5 to 7:
            5	fn greet(name: &str) {
            6	    println!("hello {name}");
            7	}
            Give the text exactly as it stands in the file; read it again if it may have changed.
        "#]],
    );
    check(
        &args("completely different words", "x"),
        expect![[r#"
        edit_no_occurrence_found: `old_string` does not stand in `a.rs`. Nothing there is like it. Read the file again.
    "#]],
    );
}

#[test]
fn nothing_to_change_is_said() {
    check(
        &args("fn main", "fn main"),
        expect![[r#"
        edit_no_change: Nothing would change in `a.rs`: `old_string` and `new_string` say the same.
    "#]],
    );
    check(
        &args("bye {name}\");\n}\n", "bye {name}\");\n}"),
        expect![[r#"
            edit_no_change: Nothing would change in `a.rs`: its last line keeps its end.
        "#]],
    );
}

#[test]
fn an_empty_text_makes_a_file_and_never_writes_over_one() {
    check(
        &args("", "x"),
        expect![[r#"
        invalid_tool_params: `a.rs` exists. Give the text that is to go as `old_string`; `write_file` writes a file anew.
    "#]],
    );
    let new = Args {
        file_path: "new/b.rs".to_owned(),
        ..args("", "fn b() {}\n")
    };
    check(
        &new,
        expect![[r#"
            Wrote `new/b.rs`, which is new: 1 line.
            --- /dev/null
            +++ new/b.rs
            @@ -0,0 +1 @@
            +fn b() {}
            <new/b.rs +1 -0>
        "#]],
    );
    let gone = Args {
        file_path: "gone.rs".to_owned(),
        ..args("x", "y")
    };
    check(
        &gone,
        expect![[r#"
        file_not_found: `gone.rs` does not exist. `glob` and `list_directory` tell what is there.
    "#]],
    );
}

#[test]
fn marks_that_reading_took_the_power_of_are_explained() {
    let text = "x\n--- End Project Context ---\n";
    let refused = planned(
        text.as_bytes(),
        &args(r"\-\-\- End Project Context ---", "y"),
    );
    expect![[r#"
        edit_no_occurrence_found: `old_string` does not stand in `a.rs`. Marks of ours are shown in another way than they stand in files: write `---` for `\-\-\-`, `<` for `&lt;` and `[` for `&#91;`.
    "#]].assert_eq(&told(refused));
    let as_it_stands = result(text.as_bytes(), "--- End Project Context ---", "y");
    assert_eq!(as_it_stands, b"x\ny\n");
}

#[test]
fn what_is_no_text_is_left_alone() {
    let refused = planned(b"a\xFFb\n", &args("a", "b"));
    expect![[r#"
        file_write_failure: `a.rs` holds bytes that are no text: an edit could change more of it than was meant.
    "#]].assert_eq(&told(refused));
}

#[test]
fn line_ends_and_encodings_stay() {
    assert_eq!(
        result(b"a\r\nb\r\nc\r\n", "a\nb", "x\ny"),
        b"x\r\ny\r\nc\r\n"
    );
    assert_eq!(result(b"a\r\nb\r\nc\r\n", "b\r\n", ""), b"a\r\nc\r\n");
    // Only the lines that are touched: the odd one stays odd.
    assert_eq!(
        result(b"a\r\nb\r\nc\nd\r\n", "b\nc\n", "x\n"),
        b"a\r\nx\r\nd\r\n"
    );
    assert_eq!(result(b"a\nb\r\nc\n", "a", "x"), b"x\nb\r\nc\n");
    assert_eq!(result(b"\xEF\xBB\xBFa\n", "a", "b"), b"\xEF\xBB\xBFb\n");
    assert_eq!(result(b"\xFF\xFEa\0\n\0", "a", "b"), b"\xFF\xFEb\0\n\0");
}

#[test]
fn a_last_line_keeps_its_end() {
    assert_eq!(result(b"a\nb\n", "b\n", "c"), b"a\nc\n");
    assert_eq!(result(b"a\r\nb\r\n", "b\n", "c"), b"a\r\nc\r\n");
    assert_eq!(result(b"a\n", "a\n", ""), b"");
    assert_eq!(result(b"a", "a", "b\n"), b"b\n");
}

#[test]
fn a_result_that_is_too_large_is_not_made() {
    let text = "x".repeat(1 << 20);
    let all = Args {
        allow_multiple: Some(true),
        ..args("x", &"y".repeat(1 << 20))
    };
    let refused = planned(text.as_bytes(), &all).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::TooLarge);
}

#[test]
fn a_file_that_changes_meanwhile_is_changed_as_it_is_now() {
    let desk = FakeDesk::parse("//- /repo/a.rs\nlet a = 1;\n");
    let stage = Stage::parse("//- /repo/\n");
    let workspace = stage.bench().workspace;
    let mut n_plans = 0;
    let committed = desk.commit(&[], &mut |files| {
        let planned = plan(&args("a = 1", "a = 2"), files, workspace).ok()?;
        n_plans += 1;
        if n_plans == 1 {
            desk.edit("/repo/a.rs", "let b = 0;\nlet a = 1;\n");
        }
        Some(planned.changes)
    });
    assert!(committed.is_ok() && n_plans == 2);
    assert_eq!(
        desk.text("/repo/a.rs").as_deref(),
        Some("let b = 0;\nlet a = 2;\n")
    );
}

#[test]
fn a_large_file_with_nothing_but_near_misses_is_searched_once() {
    let line = "let value = compute(value, other_value);\n";
    let wanted = line.repeat(2_000).replace("compute", "computed");
    let refused = planned(line.repeat(40_000).as_bytes(), &args(&wanted, "x")).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::NoOccurrence);
    assert!(refused.message.contains("lines 1 to 2000"), "{refused}");
    assert!(refused.message.len() < 1_000, "{}", refused.message.len());
}

proptest! {
    #[test]
    fn what_is_replaced_is_what_a_program_would_replace(
        text in "[ab\n]{1,30}", old in "[ab\n]{1,3}", new in "[abc\n]{0,4}"
    ) {
        let expected = text.replace(&old, &new);
        let planned = planned(text.as_bytes(), &Args { allow_multiple: Some(true), ..args(&old, &new) });
        let n_found = text.matches(&old).count();
        match planned {
            Ok(planned) => {
                let now = planned.changes.files[0].text.clone().unwrap();
                let now = String::from_utf8(now).unwrap();
                let kept = expected.clone() + "\n";
                let is_kept = text.ends_with('\n') && !expected.ends_with('\n') && now == kept;
                prop_assert!(now == expected || is_kept, "{now:?} for {expected:?}");
                prop_assert!(n_found > 0);
            }
            Err(refusal) => match refusal.kind {
                RefusalKind::NoOccurrence => prop_assert_eq!(n_found, 0),
                RefusalKind::NoChange => prop_assert!(expected == text || expected.clone() + "\n" == text),
                kind => prop_assert!(false, "{kind:?}"),
            },
        }
    }

    #[test]
    fn lines_that_end_with_two_characters_are_no_different(
        text in "[ab\n]{1,30}\n", old in "[ab\n]{1,3}", new in "[abc\n]{0,4}"
    ) {
        let all = Args { allow_multiple: Some(true), ..args(&old, &new) };
        let now = |text: &str| {
            let planned = planned(text.as_bytes(), &all).ok()?;
            String::from_utf8(planned.changes.files[0].text.clone()?).ok()
        };
        let crlf = now(&text.replace('\n', "\r\n"));
        prop_assert_eq!(crlf, now(&text).map(|text| text.replace('\n', "\r\n")));
    }

    #[test]
    fn no_wish_is_too_odd(text in "(?s).{0,40}", old in "(?s).{0,8}", new in "(?s).{0,8}") {
        let _ = told(planned(text.as_bytes(), &args(&old, &new)));
    }
}
