//! Streams as servers send them, and as they should not.

use analects_world::models::{Kind, Wire};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::http_models::wire::strange::{self, check_reading};

#[expect(
    clippy::needless_pass_by_value,
    reason = "an expectation is written in place"
)]
fn check(stream: &str, expected: Expect) {
    expected.assert_eq(&strange::told(Wire::Anthropic, stream));
}

pub(super) const ANTHROPIC: &str = r#"
    {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"claude-sonnet-4-5","stop_reason":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":1}}}
    {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
    {"type":"ping"}
    {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me "}}
    {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"see."}}
    {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"Eq+/x=="}}
    {"type":"content_block_stop","index":0}
    {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"Hidden=="}}
    {"type":"content_block_stop","index":1}
    {"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}
    {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"I look."}}
    {"type":"content_block_stop","index":2}
    {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}}
    {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}
    {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}
    {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":" \".\"}"}}
    {"type":"content_block_stop","index":3}
    {"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"toolu_2","name":"ls","input":{}}}
    {"type":"content_block_stop","index":4}
    {"type":"something_new","index":4}
    {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}
    {"type":"message_stop"}
"#;

#[test]
fn anthropic_tells_block_by_block() {
    check(
        ANTHROPIC,
        expect![[r#"
        usage: 330 (300 cached) -> 1, ? thought
        {"text":"Let me ","thought":true}
        {"text":"see.","thought":true}
        {"text":"","thought":true,"thoughtSignature":"anthropic:Eq+/x=="}
        {"text":"","thought":true,"thoughtSignature":"anthropic:redacted:Hidden=="}
        {"text":"I look."}
        {"functionCall":{"id":"toolu_1","name":"ls","args":{"path":"."}}}
        {"functionCall":{"id":"toolu_2","name":"ls","args":{}}}
        usage: 330 (300 cached) -> 89, ? thought
        Done
    "#]],
    );
}

#[test]
fn llama_cpp_signs_nothing_and_may_leave_blocks_open() {
    check(
        r#"
        {"type":"message_start","message":{"usage":{"cache_read_input_tokens":0,"input_tokens":30,"output_tokens":0}}}
        {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}
        {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}
        {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":""}}
        {"type":"content_block_stop","index":0}
        {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"yes"}}
        {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"x","name":"ls"}}
        {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}
        {"type":"message_stop"}
        "#,
        expect![[r#"
            usage: 30 (0 cached) -> 0, ? thought
            {"text":"hm","thought":true}
            {"text":"yes"}
            usage: 30 (0 cached) -> 7, ? thought
            {"functionCall":{"id":"x","name":"ls","args":{}}}
            Done
        "#]],
    );
}

#[test]
fn an_answer_may_come_whole() {
    check(
        r#"{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"Sig"},{"type":"text","text":"Hello"},{"type":"tool_use","id":"t","name":"ls","input":{"path":"."}},{"type":"server_tool_use","id":"s","name":"web_search","input":{}}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":12,"output_tokens_details":{"thinking_tokens":10}}}"#,
        expect![[r#"
            {"text":"hm","thought":true}
            {"text":"","thought":true,"thoughtSignature":"anthropic:Sig"}
            {"text":"Hello"}
            {"functionCall":{"id":"t","name":"ls","args":{"path":"."}}}
            usage: 3 (? cached) -> 2, 10 thought
            Done
        "#]],
    );
}

#[test]
fn an_answer_of_a_form_is_told_as_words() {
    check(
        r#"
        {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"analects_answer","input":{}}}
        {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"choice\":"}}
        {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"pro\"}"}}
        {"type":"content_block_stop","index":0}
        {"type":"message_delta","delta":{"stop_reason":"tool_use"}}
        {"type":"message_stop"}
        "#,
        expect![[r#"
            {"text":"{\"choice\":\"pro\"}"}
            Done
        "#]],
    );
    check(
        r#"{"type":"message","content":[{"type":"tool_use","name":"analects_answer_value","input":{"value":["a",1]}}],"stop_reason":"tool_use"}"#,
        expect![[r#"
            {"text":"[\"a\",1]"}
            Done
        "#]],
    );
    check(
        r#"{"type":"message","content":[{"type":"tool_use","name":"analects_answer_value","input":{"other":1}}],"stop_reason":"tool_use"}"#,
        expect![[r#"
            {"text":"{\"other\":1}"}
            Done
        "#]],
    );
}

#[test]
fn an_end_is_a_finish_only_if_it_has_a_reason_or_something_was_said() {
    let text =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}"#;
    let stop = r#"{"type":"message_stop"}"#;
    let reason = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let all = [
        format!("{text}\n{stop}"),
        format!("{text}\n{reason}"),
        format!("{text}\n[DONE]"),
        text.to_owned(),
        stop.to_owned(),
        r#"{"type":"ping"}"#.to_owned(),
        String::new(),
    ];
    let all = all.map(|stream| strange::told(Wire::Anthropic, &stream).replace('\n', " · ") + "\n");
    expect![[r#"
        {"text":"hi"} · Done · 
        {"text":"hi"} · Done · 
        {"text":"hi"} · Done · 
        {"text":"hi"} · ! cut: the answer ended before it was finished · 
        ! cut: the answer ended before it was finished · 
        ! cut: the answer ended before it was finished · 
        ! cut: the answer ended before it was finished · 
    "#]]
    .assert_eq(&all.concat());
}

#[test]
fn every_reason_to_stop_has_its_meaning() {
    for (reason, meaning) in [
        ("end_turn", "Done"),
        ("tool_use", "Done"),
        ("stop_sequence", "Done"),
        ("max_tokens", "Length"),
        ("model_context_window_exceeded", "Length"),
        ("refusal", r#"Blocked("refusal")"#),
        ("pause_turn", r#"Other("pause_turn")"#),
    ] {
        let piece = json!({ "type": "message_delta", "delta": { "stop_reason": reason } });
        let told = strange::told(Wire::Anthropic, &piece.to_string());
        assert_eq!(told.trim(), meaning);
    }
}

#[test]
fn a_call_that_nobody_can_read_is_a_bad_call() {
    let stream = |json: &str, reason: &str| {
        let start = json!({ "type": "content_block_start", "index": 7, "content_block": { "type": "tool_use", "id": "t", "name": "rm" } });
        let delta =
            json!({ "type": "content_block_delta", "index": 7, "delta": { "partial_json": json } });
        let end = json!({ "type": "message_delta", "delta": { "stop_reason": reason } });
        strange::told(Wire::Anthropic, &format!("{start}\n{delta}\n{end}"))
    };
    expect![[r#"
        BadCall("rm: the arguments are no JSON object")
    "#]]
    .assert_eq(&stream("{\"path\":", "tool_use"));
    expect![[r#"
        BadCall("rm: the arguments are no JSON object")
    "#]]
    .assert_eq(&stream("\"/\"", "tool_use"));
    expect![[r#"
        Length
    "#]]
    .assert_eq(&stream("{\"path\":", "max_tokens"));
}

#[test]
fn errors_inside_of_a_stream_are_faults() {
    check(
        r#"
        {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}
        {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}
        "#,
        expect![[r#"
            {"text":"hi"}
            ! busy: the server has too much to do: Overloaded
        "#]],
    );
    check(
        r#"{"type":"error"}"#,
        expect![[r#"
            ! broken: the server failed
        "#]],
    );
    check(
        r#"{"choices":[]}"#,
        expect![[r#"
        ! garbled: what the server sends is no message
    "#]],
    );
    check(
        "event soup",
        expect![[r#"
        ! garbled: what the server sends is no message
    "#]],
    );
}

#[test]
fn an_event_may_be_named_outside_of_it() {
    let mut reader = crate::http_models::wire::reader(Wire::Anthropic);
    let mut told = 0;
    let data = r#"{"index":0,"delta":{"text":"hi"}}"#;
    reader
        .read(Some("content_block_delta"), data, &mut |_| told += 1)
        .unwrap();
    assert_eq!(told, 1);
}

#[test]
fn nobody_makes_us_remember_without_end() {
    let start = |index: u64, kind: &str| {
        let block = json!({ "type": kind, "id": "t", "name": "ls", "signature": "s" });
        json!({ "type": "content_block_start", "index": index, "content_block": block }).to_string()
    };
    let kind = |pieces: Vec<String>| {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        strange::read(Wire::Anthropic, &pieces).1.unwrap_err().kind
    };
    assert_eq!(
        kind((0..129).map(|n| start(n << 50, "tool_use")).collect()),
        Kind::TooLong
    );
    assert_eq!(
        kind((0..128).map(|n| start(n << 50, "tool_use")).collect()),
        Kind::Cut
    );
    let long = |field: &str| {
        let delta = json!({ "type": "content_block_delta", "index": 0, "delta": { field: "x".repeat(1 << 20) } });
        vec![delta.to_string(); 17]
    };
    let with = |first: String, more: Vec<String>| [vec![first], more].concat();
    assert_eq!(
        kind(with(start(0, "tool_use"), long("partial_json"))),
        Kind::TooLong
    );
    assert_eq!(
        kind(with(start(0, "thinking"), long("signature"))),
        Kind::TooLong
    );
    assert_eq!(kind(long("partial_json")), Kind::Cut);
}

const WORDS: &[&str] = &[
    "type",
    "message",
    "message_start",
    "message_delta",
    "message_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "content_block",
    "content",
    "delta",
    "index",
    "text",
    "thinking",
    "signature",
    "partial_json",
    "tool_use",
    "redacted_thinking",
    "data",
    "id",
    "name",
    "input",
    "usage",
    "input_tokens",
    "output_tokens",
    "stop_reason",
    "end_turn",
    "error",
    "analects_answer_value",
    "value",
    "{}",
    "{\"a\":",
    "",
];

proptest! {
    #[test]
    fn nothing_that_a_server_sends_is_a_panic(pieces in prop::collection::vec(piece(), 0..8)) {
        check_reading(Wire::Anthropic, &pieces);
    }

    #[test]
    fn a_stream_that_lost_its_order_is_still_no_panic(
        order in prop::collection::vec(0..26_usize, 0..30),
    ) {
        let lines: Vec<&str> = ANTHROPIC.lines().collect();
        let pieces = order.iter().filter_map(|i| lines.get(*i)).map(|l| (*l).to_owned());
        check_reading(Wire::Anthropic, &pieces.collect::<Vec<_>>());
    }
}

/// Something that looks like an event, or like nothing.
fn piece() -> impl Strategy<Value = String> {
    let json = || strange::json(WORDS);
    let kind = || prop::sample::select(WORDS);
    let event = (kind(), 0..3_u64, kind(), json(), json());
    let event = event.prop_map(|(kind, index, block, one, two)| {
        json!({
            "type": kind,
            "index": index,
            "content_block": { "type": block, "text": one, "id": one, "name": block, "input": two },
            "delta": { "text": two, "thinking": one, "signature": two, "partial_json": one, "stop_reason": two },
            "content": [{ "type": block, "input": one }],
            "usage": two,
        })
    });
    prop_oneof![
        6 => event.prop_map(|v: Value| v.to_string()),
        4 => json().prop_map(|v| v.to_string()),
        1 => "\\PC{0,20}",
    ]
}
