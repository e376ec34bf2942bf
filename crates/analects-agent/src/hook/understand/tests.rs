//! Every exit code with everything that can be printed, in both ways of reading it.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

fn ran<'a>(code: i32, stdout: &'a str, stderr: &'a str) -> Ran<'a> {
    Ran {
        code,
        stdout: stdout.as_bytes(),
        stderr: stderr.as_bytes(),
        is_cut: false,
    }
}

fn show(answer: &Answer) -> String {
    let mut told = String::new();
    match &answer.output {
        None => told.push_str("nothing"),
        Some(output) => {
            let decided = output.decision.map(|decision| format!("{decision:?}"));
            write!(
                told,
                "{}",
                decided.unwrap_or_else(|| "undecided".to_owned())
            )
            .unwrap();
            for (name, text) in [
                ("stops", output.stops()),
                ("because", output.reason.as_deref()),
                ("says", output.message.as_deref()),
            ] {
                if let Some(text) = text {
                    write!(told, ", {name} {text:?}").unwrap();
                }
            }
            if !output.specific.is_empty() {
                write!(told, ", {}", Value::Object(output.specific.clone())).unwrap();
            }
        }
    }
    for fault in &answer.faults {
        write!(told, " ! {fault}").unwrap();
    }
    told
}

fn check(codes: ExitCodes, rows: &[(i32, &str, &str)], expected: Expect) {
    let mut table = String::new();
    for (code, stdout, stderr) in rows {
        let answer = understand(&ran(*code, stdout, stderr), codes);
        assert_eq!(answer.is_success, *code == 0);
        writeln!(table, "{code} {stdout:?} {stderr:?} → {}", show(&answer)).unwrap();
    }
    expected.assert_eq(&table);
}

const ROWS: [(i32, &str, &str); 19] = [
    (0, "", ""),
    (0, "", "only a log"),
    (0, "all is well\n", ""),
    (0, r#"{"decision": "deny", "reason": "no"}"#, "a log"),
    (0, r#"{"decision": "approve", "systemMessage": "hi"}"#, ""),
    (0, r#"{"continue": false, "stopReason": "enough"}"#, ""),
    (0, r#""{\"decision\": \"block\"}""#, ""),
    (0, r#""just words""#, ""),
    (0, "[1]", ""),
    (0, "null", ""),
    (0, "{\"decision\": ", ""),
    (2, "", ""),
    (2, "", "not today\n"),
    (2, "out", "err"),
    (
        2,
        r#"{"decision": "allow", "reason": "r", "systemMessage": "m"}"#,
        "",
    ),
    (1, "", "oops"),
    (1, r#"{"decision": "deny"}"#, ""),
    (3, "", "oops"),
    (126, "", "bash: ./x: Permission denied"),
];

#[test]
fn exit_codes_mean_what_the_manual_says() {
    check(
        ExitCodes::Documented,
        &ROWS,
        expect![[r#"
        0 "" "" → nothing
        0 "" "only a log" → nothing
        0 "all is well\n" "" → Allow, says "all is well"
        0 "{\"decision\": \"deny\", \"reason\": \"no\"}" "a log" → Block, because "no"
        0 "{\"decision\": \"approve\", \"systemMessage\": \"hi\"}" "" → Allow, says "hi"
        0 "{\"continue\": false, \"stopReason\": \"enough\"}" "" → undecided, stops "enough"
        0 "\"{\\\"decision\\\": \\\"block\\\"}\"" "" → Block
        0 "\"just words\"" "" → Allow, says "just words"
        0 "[1]" "" → nothing ! printed JSON that is no object
        0 "null" "" → nothing
        0 "{\"decision\": " "" → nothing ! printed JSON that is broken or too deep
        2 "" "" → Block
        2 "" "not today\n" → Block, because "not today"
        2 "out" "err" → Block, because "err"
        2 "{\"decision\": \"allow\", \"reason\": \"r\", \"systemMessage\": \"m\"}" "" → Block, because "r", says "m"
        1 "" "oops" → nothing ! failed (exit code 1): oops
        1 "{\"decision\": \"deny\"}" "" → nothing ! failed (exit code 1): {"decision": "deny"}
        3 "" "oops" → nothing ! failed (exit code 3): oops
        126 "" "bash: ./x: Permission denied" → nothing ! cannot be run: is it executable? (exit code 126): bash: ./x: Permission denied
    "#]],
    );
}

#[test]
fn or_what_the_original_does() {
    check(
        ExitCodes::Original,
        &ROWS,
        expect![[r#"
        0 "" "" → nothing
        0 "" "only a log" → Allow, says "only a log"
        0 "all is well\n" "" → Allow, says "all is well"
        0 "{\"decision\": \"deny\", \"reason\": \"no\"}" "a log" → Block, because "no"
        0 "{\"decision\": \"approve\", \"systemMessage\": \"hi\"}" "" → Allow, says "hi"
        0 "{\"continue\": false, \"stopReason\": \"enough\"}" "" → undecided, stops "enough"
        0 "\"{\\\"decision\\\": \\\"block\\\"}\"" "" → Block
        0 "\"just words\"" "" → Allow, says "just words"
        0 "[1]" "" → nothing ! printed JSON that is no object
        0 "null" "" → nothing
        0 "{\"decision\": " "" → nothing ! printed JSON that is broken or too deep
        2 "" "" → nothing
        2 "" "not today\n" → Block, because "not today"
        2 "out" "err" → Block, because "out"
        2 "{\"decision\": \"allow\", \"reason\": \"r\", \"systemMessage\": \"m\"}" "" → Allow, because "r", says "m"
        1 "" "oops" → Allow, says "Warning: oops"
        1 "{\"decision\": \"deny\"}" "" → Block
        3 "" "oops" → Block, because "oops"
        126 "" "bash: ./x: Permission denied" → Block, because "bash: ./x: Permission denied"
    "#]],
    );
}

#[test]
fn a_field_of_the_wrong_kind_has_no_effect_and_the_others_have() {
    let wrong = [
        (
            0,
            r#"{"decision": "maybe", "reason": 5, "systemMessage": "m"}"#,
            "",
        ),
        (
            0,
            r#"{"continue": "no", "suppressOutput": 1, "stopReason": []}"#,
            "",
        ),
        (0, r#"{"hookSpecificOutput": "x", "reason": null}"#, ""),
        (
            0,
            r#"{"hookSpecificOutput": {"additionalContext": 5, "tool_input": [], "toolConfig": null, "other": 1}}"#,
            "",
        ),
        (2, r#"{"decision": 7}"#, ""),
    ];
    check(
        ExitCodes::Documented,
        &wrong,
        expect![[r#"
        0 "{\"decision\": \"maybe\", \"reason\": 5, \"systemMessage\": \"m\"}" "" → undecided, says "m" ! answered with `decision`, which is no decision that there is ! answered with `reason`, which is no text
        0 "{\"continue\": \"no\", \"suppressOutput\": 1, \"stopReason\": []}" "" → undecided ! answered with `continue`, which is neither true nor false ! answered with `stopReason`, which is no text ! answered with `suppressOutput`, which is neither true nor false
        0 "{\"hookSpecificOutput\": \"x\", \"reason\": null}" "" → undecided ! answered with `hookSpecificOutput`, which is no object
        0 "{\"hookSpecificOutput\": {\"additionalContext\": 5, \"tool_input\": [], \"toolConfig\": null, \"other\": 1}}" "" → undecided, {"other":1} ! answered with `additionalContext`, which is of the wrong kind ! answered with `tool_input`, which is of the wrong kind
        2 "{\"decision\": 7}" "" → Block ! answered with `decision`, which is no text
    "#]],
    );
}

#[test]
fn nothing_that_is_printed_is_too_much() {
    let deep = "[".repeat(200_000);
    let deep_object = "{\"a\":".repeat(200_000);
    let string = Value::String(Value::String("\"x\"".to_owned()).to_string()).to_string();
    for codes in [ExitCodes::Documented, ExitCodes::Original] {
        for text in [&deep, &deep_object, &string, "\u{0}", "\u{feff}{}"] {
            let answer = understand(&ran(0, text, text), codes);
            assert!(answer.output.is_none_or(|output| output.blocks().is_none()));
        }
        let bytes = Ran {
            code: 0,
            stdout: b"\xff\xfe\xfd{",
            stderr: b"\xc3",
            is_cut: true,
        };
        assert!(understand(&bytes, codes).is_success);
    }
    let cut = Ran {
        is_cut: true,
        ..ran(0, "{\"reason\": \"xxxx", "")
    };
    let told = understand(&cut, ExitCodes::Documented).faults;
    assert_eq!(told, ["printed too much to be understood"]);
}

#[test]
fn a_complaint_cannot_drive_a_terminal_and_has_an_end() {
    let long = format!("\u{1b}[2J{}", "x".repeat(10_000));
    let answer = understand(&ran(9, "", &long), ExitCodes::Documented);
    assert!(answer.faults[0].starts_with("failed (exit code 9): \\u{1b}[2Jxxx"));
    assert!(answer.faults[0].len() < 500);
}
