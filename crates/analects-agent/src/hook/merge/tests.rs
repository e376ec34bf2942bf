//! What becomes of several answers, event by event.

use expect_test::{Expect, expect};
use serde_json::json;

use super::*;
use crate::hook::{ExitCodes, Ran, understand};

fn check(event: Event, answers: &[Value], expected: Expect) {
    let outputs = answers.iter().map(|answer| {
        let text = answer.to_string();
        let ran = Ran {
            code: 0,
            stdout: text.as_bytes(),
            stderr: b"",
            is_cut: false,
        };
        let answer = understand(&ran, ExitCodes::Documented);
        assert_eq!(answer.faults, Vec::<String>::new());
        answer.output.unwrap()
    });
    let merged = merge(event, &outputs.collect::<Vec<_>>());
    let told = format!(
        "{:?} stops {:?} blocks {:?} asks {:?} says {:?} {}",
        merged.decision,
        merged.stops(),
        merged.blocks(),
        merged.asks(),
        merged.shown(),
        Value::Object(merged.specific.clone())
    );
    expected.assert_eq(&told);
}

#[test]
fn whoever_says_no_decides_and_what_is_said_is_joined() {
    check(
        Event::BeforeTool,
        &[],
        expect!["Some(Allow) stops None blocks None asks None says None {}"],
    );
    check(
        Event::BeforeTool,
        &[json!({}), json!({"systemMessage": "hi"})],
        expect![[r#"Some(Allow) stops None blocks None asks None says Some("hi") {}"#]],
    );
    check(
        Event::BeforeTool,
        &[
            json!({"decision": "deny", "reason": "a"}),
            json!({"decision": "allow", "reason": "b", "systemMessage": "m"}),
            json!({"decision": "ask", "reason": "c", "systemMessage": "n"}),
        ],
        expect![[
            r#"Some(Block) stops None blocks Some("a\nb\nc") asks None says Some("m\nn") {}"#
        ]],
    );
    check(
        Event::AfterTool,
        &[
            json!({"decision": "allow"}),
            json!({"decision": "ask", "reason": "c"}),
        ],
        expect![[r#"Some(Ask) stops None blocks None asks Some("c") says None {}"#]],
    );
    check(
        Event::AfterAgent,
        &[
            json!({"continue": false, "stopReason": "x", "hookSpecificOutput": {"clearContext": true}}),
            json!({"continue": true, "stopReason": "not this", "hookSpecificOutput": {"clearContext": false}}),
            json!({"continue": false, "stopReason": "y", "decision": "block"}),
        ],
        expect![[
            r#"Some(Block) stops Some("x\ny") blocks Some("x\ny") asks None says None {"clearContext":true}"#
        ]],
    );
    check(
        Event::BeforeAgent,
        &[
            json!({"hookSpecificOutput": {"additionalContext": "one", "k": 1}, "systemMessage": "loud"}),
            json!({"hookSpecificOutput": {"additionalContext": " "}, "suppressOutput": true}),
            json!({"hookSpecificOutput": {"additionalContext": "two", "k": 2}}),
        ],
        expect![[
            r#"Some(Allow) stops None blocks None asks None says None {"additionalContext":"one\ntwo","k":2}"#
        ]],
    );
}

#[test]
fn at_a_model_a_later_word_counts_unless_somebody_said_no() {
    check(
        Event::BeforeModel,
        &[
            json!({"systemMessage": "a", "hookSpecificOutput": {"llm_request": {"model": "a"}, "x": 1}}),
            json!({"decision": "allow", "hookSpecificOutput": {"llm_request": {"model": "b"}}}),
        ],
        expect![[
            r#"Some(Allow) stops None blocks None asks None says Some("a") {"llm_request":{"model":"b"},"x":1}"#
        ]],
    );
    check(
        Event::AfterModel,
        &[
            json!({"decision": "deny", "reason": "no"}),
            json!({"decision": "allow", "reason": "yes", "systemMessage": "m"}),
        ],
        expect![[r#"Some(Block) stops None blocks Some("no") asks None says Some("m") {}"#]],
    );
    check(
        Event::BeforeModel,
        &[
            json!({"continue": false, "stopReason": "enough"}),
            json!({"continue": true, "stopReason": "never"}),
        ],
        expect![[r#"None stops Some("enough") blocks None asks None says None {}"#]],
    );
}

#[test]
fn tools_that_anybody_wants_are_offered() {
    let config = |mode: &str, names: &[&str]| json!({"hookSpecificOutput": {"toolConfig": {"mode": mode, "allowedFunctionNames": names}}});
    check(
        Event::BeforeToolSelection,
        &[config("AUTO", &["b", "a"]), config("ANY", &["c", "a"])],
        expect![[
            r#"None stops None blocks None asks None says None {"toolConfig":{"mode":"ANY","allowedFunctionNames":["a","b","c"]}}"#
        ]],
    );
    check(
        Event::BeforeToolSelection,
        &[config("ANY", &["b"]), config("NONE", &["c"])],
        expect![[
            r#"None stops None blocks None asks None says None {"toolConfig":{"mode":"NONE","allowedFunctionNames":[]}}"#
        ]],
    );
    check(
        Event::BeforeToolSelection,
        &[json!({"systemMessage": "m"})],
        expect![[r#"None stops None blocks None asks None says Some("m") {}"#]],
    );
    let odd = json!({"hookSpecificOutput": {"toolConfig": {"mode": 5, "allowedFunctionNames": ["a", 7]}}});
    check(
        Event::BeforeToolSelection,
        &[odd],
        expect![[
            r#"None stops None blocks None asks None says None {"toolConfig":{"mode":"AUTO","allowedFunctionNames":["a"]}}"#
        ]],
    );
}

#[test]
fn where_nothing_is_decided_nobody_decides() {
    check(
        Event::PreCompress,
        &[
            json!({"continue": false, "decision": "deny", "hookSpecificOutput": {"additionalContext": "a", "k": 1}}),
            json!({"hookSpecificOutput": {"additionalContext": "b"}, "systemMessage": "m"}),
        ],
        expect![[
            r#"None stops None blocks None asks None says Some("m") {"additionalContext":"a\nb"}"#
        ]],
    );
    check(
        Event::SessionEnd,
        &[json!({"decision": "block", "reason": "r"})],
        expect!["None stops None blocks None asks None says None {}"],
    );
}

#[test]
fn what_one_hook_changes_is_not_undone_by_another_that_changes_something_else() {
    let wants = |name: &str, members: Value| json!({"hookSpecificOutput": {name: members}});
    check(
        Event::BeforeTool,
        &[
            wants(
                "tool_input",
                json!({"command": "safe make", "dir_path": "a"}),
            ),
            wants(
                "tool_input",
                json!({"description": "builds", "dir_path": "b"}),
            ),
        ],
        expect![[
            r#"Some(Allow) stops None blocks None asks None says None {"tool_input":{"command":"safe make","dir_path":"b","description":"builds"}}"#
        ]],
    );
    check(
        Event::BeforeModel,
        &[
            wants("llm_request", json!({"messages": []})),
            wants("llm_request", json!({"model": "b"})),
        ],
        expect![[
            r#"None stops None blocks None asks None says None {"llm_request":{"messages":[],"model":"b"}}"#
        ]],
    );
}
