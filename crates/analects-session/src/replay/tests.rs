//! Records, replayed.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

const HEADER: &str = r#"{"sessionId":"s","projectHash":"p","startTime":"2026-08-21T10:00:00.000Z","lastUpdated":"2026-08-21T10:00:00.000Z","kind":"main"}"#;

/// The messages and facts of a record, one per line.
fn show(replayed: &Replayed) -> String {
    let mut shown = String::new();
    for message in replayed.messages() {
        let said = message.read().content.annotated_text();
        let said = said.escape_debug();
        let kind = message.kind().as_str().unwrap_or("?");
        writeln!(shown, "{} {kind}: {said}", message.id()).unwrap();
    }
    for problem in replayed.problems() {
        let line = problem.line.unwrap_or(0);
        writeln!(shown, "! {} {line}: {}", problem.code.name, problem.message).unwrap();
    }
    shown
}

fn check(lines: &str, expect: Expect) {
    expect.assert_eq(&show(&replay(format!("{HEADER}\n{lines}").into())));
}

#[test]
fn a_message_of_the_same_id_takes_its_place() {
    check(
        r#"{"id":"a","type":"user","content":[{"text":"hi"}]}
{"id":"b","type":"gemini","content":"one"}
{"id":"c","type":"info","content":"note"}
{"id":"b","type":"gemini","content":"two"}
"#,
        expect![[r#"
            a user: hi
            b gemini: two
            c info: note
        "#]],
    );
}

#[test]
fn a_rewind_takes_back_a_message_and_all_after_it() {
    check(
        r#"{"id":"a","type":"user","content":"1"}
{"id":"b","type":"gemini","content":"2"}
{"id":"c","type":"user","content":"3"}
{"$rewindTo":"b"}
{"id":"d","type":"user","content":"4"}
{"id":"c","type":"user","content":"5"}
"#,
        expect![[r#"
            a user: 1
            d user: 4
            c user: 5
        "#]],
    );
}

#[test]
fn a_rewind_to_nowhere_takes_back_all() {
    check(
        "{\"id\":\"a\",\"type\":\"user\"}\n{\"$rewindTo\":\"zz\"}\n{\"id\":\"b\"}\n",
        expect![[r#"
            b ?: 
        "#]],
    );
}

#[test]
fn a_checkpoint_replaces_all_messages() {
    check(
        r#"{"id":"a","type":"user","content":"1"}
{"$set":{"messages":[{"id":"x","type":"user","content":"sum"},{"no":"id"},3,{"id":"y","type":"gemini","content":"ok"},{"id":"x","type":"user","content":"sum 2"}],"lastUpdated":"2026-08-21T11:00:00.000Z"}}
{"$set":{"messages":"none"}}
{"id":"b","type":"user","content":"next"}
"#,
        expect![[r#"
            x user: sum 2
            y gemini: ok
            b user: next
        "#]],
    );
}

#[test]
fn the_first_question_that_fits_decides_what_a_line_is() {
    check(
        r#"{"id":"a","$set":{"messages":[]},"sessionId":"other","projectHash":"q"}
{"id":"b","$rewindTo":7}
{"id":7,"$set":{"summary":"set"}}
{"sessionId":"t","projectHash":"q","messages":[{"id":"c"}]}
{"$rewindTo":null,"id":"d"}
{"\u0069d":"e","id":"f"}
{"version":99,"what":"is this"}
[1,2]
"#,
        expect![[r#"
            a ?: 
            b ?: 
            c ?: 
            d ?: 
            f ?: 
        "#]],
    );
}

#[test]
fn lines_that_are_no_json_are_problems_and_a_torn_last_line_is_a_note() {
    check(
        "not json\n\n  \u{a0}\n{\"id\":\"a\"}\r\n{\"id\":\"b\"}}\n\0\0\0\n{\"id\":\"c\",\"content\":\"to",
        expect![[r#"
            a ?: 
            ! line-unreadable 2: the line is no JSON
            ! line-unreadable 6: the line is no JSON
            ! line-unreadable 7: the line is no JSON
            ! line-torn 8: the last line was not written to its end
        "#]],
    );
}

#[test]
fn problems_are_reported_but_not_without_end() {
    let replayed = replay(format!("{HEADER}\n{}", "x\n".repeat(1000)).into());
    assert_eq!(replayed.problems().len(), 21);
    expect!["980 more lines are no JSON"].assert_eq(&replayed.problems()[20].message);
}

#[test]
fn facts_are_merged_one_by_one_and_the_last_word_counts() {
    let replayed = replay(
        format!(
            "\u{feff}{HEADER}\n{}",
            r#"{"$set":{"summary":"one","directories":["/a",5,"/b"]}}
{"$set":{"lastUpdated":"2026-08-21T11:00:00.000Z","analects":{"cwd":"/w"}}}
{"$set":{"memoryScratchpad":{"version":1,"toolSequence":["ls"]}}}
{"$set":{"startTime":"the year dot","summary":"two"}}
{"$set":["nothing"]}
"#
        )
        .into(),
    );
    expect![[r#"
        About {
            session_id: Some(
                "s",
            ),
            project_hash: Some(
                "p",
            ),
            started: None,
            updated: Some(
                Stamp(
                    1787310000000,
                ),
            ),
            summary: Some(
                "two",
            ),
            directories: [
                "/a",
                "/b",
            ],
            is_subagent: false,
            scratchpad: Some(
                Scratchpad {
                    workflow_summary: None,
                    tool_sequence: [
                        "ls",
                    ],
                    touched_paths: [],
                    validation: None,
                },
            ),
            scratchpad_is_stale: Some(
                false,
            ),
            first_prompt: None,
            ours: Some(
                Ours {
                    cwd: Some(
                        "/w",
                    ),
                    branch: None,
                    origin: None,
                    compressions: [],
                    rest: {},
                },
            ),
        }
    "#]]
    .assert_debug_eq(replayed.about());
}

#[test]
fn a_scratchpad_is_stale_once_something_is_said_or_taken_back() {
    let stale = |lines: &str| {
        let replayed = replay(format!("{HEADER}\n{lines}").into());
        replayed.about().scratchpad_is_stale
    };
    let pad = r#"{"$set":{"memoryScratchpad":{"version":1}}}"#;
    assert_eq!(stale("{\"id\":\"a\"}\n"), None);
    assert_eq!(stale(&format!("{{\"id\":\"a\"}}\n{pad}")), Some(false));
    assert_eq!(stale(&format!("{pad}\n{{\"id\":\"a\"}}")), Some(true));
    assert_eq!(
        stale(&format!("{pad}\n{{\"$rewindTo\":\"a\"}}")),
        Some(true)
    );
    assert_eq!(
        stale(&format!("{pad}\n{{\"id\":\"a\"}}\n{pad}")),
        Some(false)
    );
    assert_eq!(
        stale(&format!("{pad}\n{}", r#"{"$set":{"memoryScratchpad":0}}"#)),
        None
    );
    let checkpoint = r#"{"$set":{"messages":[]}}"#;
    assert_eq!(stale(&format!("{pad}\n{checkpoint}")), Some(false));
}

#[test]
fn the_first_prompt_is_the_first_that_a_model_was_meant_to_answer() {
    let first = |lines: &str| {
        let replayed = replay(format!("{HEADER}\n{lines}").into());
        replayed.about().first_prompt.clone()
    };
    let lines = r#"{"id":"a","type":"user","content":[{"text":"<session_context>x"}]}
{"id":"b","type":"user","content":"/help"}
{"id":"r","type":"user","content":[{"functionResponse":{"name":"ls"}}]}
{"id":"c","type":"user","content":[{"text":"fix "},{"inlineData":{}},{"text":"it"}]}
{"id":"d","type":"user","content":"later"}
{"$rewindTo":"a"}
"#;
    assert_eq!(first(lines).as_deref(), Some("fix it"));
    assert_eq!(
        first("{\"id\":\"b\",\"type\":\"user\",\"content\":\"?\"}"),
        None
    );
}

#[test]
fn what_can_be_taken_up_again_is_a_prompt_or_anything_of_a_model() {
    let resumable = |line: &str| replay(format!("{HEADER}\n{line}").into()).is_resumable();
    assert!(resumable(r#"{"id":"a","type":"user","content":"hi"}"#));
    assert!(!resumable(r#"{"id":"a","type":"user","content":"/hi"}"#));
    assert!(!resumable(
        r#"{"id":"a","type":"gemini","content":" ","toolCalls":[]}"#
    ));
    assert!(resumable(
        r#"{"id":"a","type":"gemini","toolCalls":[{"id":"c"}]}"#
    ));
    assert!(resumable(
        r#"{"id":"a","type":"gemini","thoughts":[{"subject":"s"}]}"#
    ));
    assert!(!resumable(r#"{"id":"a","type":"info","content":"hi"}"#));
}

#[test]
fn bytes_that_are_no_text_cost_themselves_only() {
    let mut bytes = format!("{HEADER}\n").into_bytes();
    bytes.extend(b"{\"id\":\"a\",\"type\":\"user\",\"content\":\"caf\xe9 \xf0\x9f\x98\x80\"}\n");
    let n_bytes = bytes.len();
    let replayed = replay(bytes);
    expect![[r#"
        a user: caf? 😀
        ! record-not-utf8 0: 1 bytes are not UTF-8
    "#]]
    .assert_eq(&show(&replayed));
    assert_eq!(replayed.text().len(), n_bytes);
}

#[test]
fn a_line_separator_inside_of_a_text_ends_no_line() {
    check(
        "{\"id\":\"a\",\"type\":\"user\",\"content\":\"one\u{2028}two\u{2029}\"}\r{\"id\":\"b\"}\r\r\n",
        expect![[r#"
            a user: one\u{2028}two\u{2029}
            b ?: 
        "#]],
    );
}

#[test]
fn a_record_without_a_header_is_shown_but_cannot_be_loaded() {
    let replayed = replay(b"{\"id\":\"a\",\"type\":\"user\",\"content\":\"hi\"}\n".to_vec());
    assert_eq!(replayed.standing(), Standing::Headless);
    expect![[r#"
        a user: hi
        ! no-header 0: the record has no header with the id of the session and its project
    "#]]
    .assert_eq(&show(&replayed));
    assert_eq!(replay(Vec::new()).standing(), Standing::Unreadable);
    assert_eq!(replay(b"\0\0".to_vec()).standing(), Standing::Unreadable);
    let unset = format!("{HEADER}\n{}", r#"{"$set":{"sessionId":null}}"#);
    assert_eq!(replay(unset.into()).standing(), Standing::Unreadable);
}
