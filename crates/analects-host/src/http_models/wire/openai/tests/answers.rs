//! Streams as servers send them, and as they should not.

use analects_world::models::{Event, Kind, Wire};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::http_models::wire::strange::{self, check_reading};

#[expect(
    clippy::needless_pass_by_value,
    reason = "an expectation is written in place"
)]
fn check(stream: &str, expected: Expect) {
    expected.assert_eq(&strange::told(Wire::OpenAi, stream));
}

const OPENAI: &str = r#"
    {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"role":"assistant","content":null,"refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}
    {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"I "},"finish_reason":null}],"usage":null}
    {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"look."},"finish_reason":null}],"usage":null}
    {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"ls","arguments":""}}]},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"pa"}}]},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"ls","arguments":""}}]},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"th\":\".\"}"}}]},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}
    {"choices":[],"usage":{"prompt_tokens":57,"completion_tokens":30,"total_tokens":87,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":10}}}
    [DONE]
"#;

#[test]
fn openai_numbers_its_calls_and_counts_at_the_end() {
    check(
        OPENAI,
        expect![[r#"
        {"text":"I "}
        {"text":"look."}
        usage: 57 (40 cached) -> 20, 10 thought
        {"functionCall":{"id":"call_a","name":"ls","args":{"path":"."}}}
        {"functionCall":{"id":"call_b","name":"ls","args":{}}}
        Done
    "#]],
    );
}

#[test]
fn ollama_sends_whole_calls_under_one_number_or_none() {
    check(
        r#"
        {"id":"chatcmpl-9","object":"chat.completion.chunk","model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"hm"},"finish_reason":null}]}
        {"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_x","index":0,"type":"function","function":{"name":"ls","arguments":"{\"path\":\"a\"}"}}]},"finish_reason":null}]}
        {"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_y","index":0,"type":"function","function":{"name":"ls","arguments":"{\"path\":\"b\"}"}}]},"finish_reason":null}]}
        {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}
        [DONE]
        "#,
        expect![[r#"
            {"text":"hm","thought":true}
            {"functionCall":{"id":"call_x","name":"ls","args":{"path":"a"}}}
            {"functionCall":{"id":"call_y","name":"ls","args":{"path":"b"}}}
            Done
        "#]],
    );
    check(
        r#"
        {"choices":[{"delta":{"tool_calls":[{"function":{"name":"ls","arguments":{"path":"a"}}},{"function":{"name":"ls","arguments":"{}"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"id":"same","function":{"name":"cat","arguments":"{}"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"id":"same","function":{"arguments":""}}]},"finish_reason":"stop"}]}
        "#,
        expect![[r#"
            {"functionCall":{"name":"ls","args":{"path":"a"}}}
            {"functionCall":{"name":"ls","args":{}}}
            {"functionCall":{"id":"same","name":"cat","args":{}}}
            Done
        "#]],
    );
}

#[test]
fn llama_cpp_splits_calls_and_counts_with_timings() {
    check(
        r#"
        {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1,"model":"smol","object":"chat.completion.chunk"}
        {"choices":[{"finish_reason":null,"index":0,"delta":{"reasoning_content":"Let me"}}],"object":"chat.completion.chunk"}
        {"choices":[{"finish_reason":null,"index":0,"delta":{"reasoning_content":" see."}}],"object":"chat.completion.chunk"}
        {"choices":[{"finish_reason":null,"index":0,"delta":{"tool_calls":[{"index":0,"id":"Ab12","type":"function","function":{"name":"ls","arguments":"{"}}]}}]}
        {"choices":[{"finish_reason":null,"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}
        {"choices":[{"finish_reason":"tool_calls","index":0,"delta":{}}],"object":"chat.completion.chunk"}
        {"choices":[],"created":1,"usage":{"completion_tokens":8,"prompt_tokens":11,"total_tokens":19},"timings":{"prompt_n":11,"predicted_per_second":90.1}}
        [DONE]
        "#,
        expect![[r#"
            {"text":"Let me","thought":true}
            {"text":" see.","thought":true}
            usage: 11 (? cached) -> 8, ? thought
            {"functionCall":{"id":"Ab12","name":"ls","args":{}}}
            Done
        "#]],
    );
}

#[test]
fn vllm_may_count_in_every_chunk_and_repeat_names() {
    check(
        r#"
        {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":{"prompt_tokens":5,"completion_tokens":0}}
        {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-1","type":"function","index":3,"function":{"name":"ls"}}]}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}
        {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-1","index":3,"function":{"name":"ls","arguments":"{\"a\":"}}]}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}
        {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"","index":3,"function":{"name":"ls","arguments":"{}}"}}]}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}
        {"choices":[{"index":0,"delta":{"tool_calls":[{"index":18446744073709551615,"function":{"name":"la"}}]}}]}
        {"choices":[{"index":0,"delta":{"tool_calls":[{"index":18446744073709551615,"function":{"name":"st","arguments":" "}}]}}]}
        {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"tool_calls","stop_reason":null}]}
        [DONE]
        [DONE]
        "#,
        expect![[r#"
            usage: 5 (? cached) -> 0, ? thought
            usage: 5 (? cached) -> 1, ? thought
            usage: 5 (? cached) -> 2, ? thought
            {"functionCall":{"id":"chatcmpl-tool-1","name":"ls","args":{"a":{}}}}
            {"functionCall":{"name":"last","args":{}}}
            Done
        "#]],
    );
}

#[test]
fn an_answer_may_come_whole() {
    check(
        r#"{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"},{"type":"image"}],"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"null"}}]},"finish_reason":"tool_calls"},{"index":1,"message":{"content":"another"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
        expect![[r#"
            {"text":"Hello"}
            usage: 3 (? cached) -> 2, ? thought
            {"functionCall":{"id":"c","name":"ls","args":{}}}
            Done
        "#]],
    );
    let function = r#"{"choices":[{"message":{"content":null,"function_call":{"name":"ls","arguments":"{}"}},"finish_reason":"function_call"}]}"#;
    check(
        function,
        expect![[r#"
        {"functionCall":{"name":"ls","args":{}}}
        Done
    "#]],
    );
}

#[test]
fn a_whole_message_behind_its_pieces_is_not_heard_twice() {
    check(
        r#"
        {"choices":[{"index":0,"delta":{"content":"hi"}}]}
        {"choices":[{"index":0,"message":{"content":"hi"},"finish_reason":"stop"}]}
        "#,
        expect![[r#"
            {"text":"hi"}
            Done
        "#]],
    );
}

#[test]
fn done_is_a_finish_only_if_something_was_said() {
    check(
        r#"{"choices":[{"delta":{"content":"hi"},"finish_reason":null}]}
        [DONE]"#,
        expect![[r#"
            {"text":"hi"}
            Done
        "#]],
    );
    check(
        r#"{"choices":[{"delta":{"reasoning":"hm"},"finish_reason":""}]}
        [DONE]"#,
        expect![[r#"
            {"text":"hm","thought":true}
            ! cut: the answer ended before it was finished
        "#]],
    );
    check(
        "[DONE]",
        expect![[r#"
        ! cut: the answer ended before it was finished
    "#]],
    );
    check(
        r#"{"choices":[{"delta":{"content":"hi"}}]}"#,
        expect![[r#"
        {"text":"hi"}
        ! cut: the answer ended before it was finished
    "#]],
    );
    check(
        "",
        expect![[r#"
        ! cut: the answer ended before it was finished
    "#]],
    );
}

#[test]
fn every_reason_to_finish_has_its_meaning() {
    let finish = |reason: &str| {
        let chunk =
            json!({ "choices": [{ "delta": { "content": "x" }, "finish_reason": reason }] });
        let told = strange::told(Wire::OpenAi, &chunk.to_string());
        told.lines().last().unwrap().to_owned()
    };
    for (reason, meaning) in [
        ("stop", "Done"),
        ("tool_calls", "Done"),
        ("length", "Length"),
        ("content_filter", r#"Blocked("content_filter")"#),
        ("error", r#"Other("error")"#),
    ] {
        assert_eq!(finish(reason), meaning);
    }
    check(
        r#"
        {"choices":[{"index":0,"delta":{"refusal":"I cannot "}}]}
        {"choices":[{"index":0,"delta":{"refusal":"do that."},"finish_reason":"stop"}]}
        "#,
        expect![[r#"
            Blocked("I cannot do that.")
        "#]],
    );
}

#[test]
fn a_call_that_nobody_can_read_is_a_bad_call() {
    let call = |args: &str, reason: &str| {
        let calls = json!([
            { "index": 0, "id": "1", "function": { "name": "rm", "arguments": args } },
            { "index": 1, "id": "1", "function": { "name": "ls", "arguments": "" } },
        ]);
        let chunk =
            json!({ "choices": [{ "delta": { "tool_calls": calls }, "finish_reason": reason }] });
        strange::told(Wire::OpenAi, &chunk.to_string())
    };
    expect![[r#"
        {"functionCall":{"id":"1","name":"ls","args":{}}}
        BadCall("rm: the arguments are no JSON object")
    "#]]
    .assert_eq(&call("{\"path\": ", "tool_calls"));
    expect![[r#"
        {"functionCall":{"id":"1","name":"ls","args":{}}}
        BadCall("rm: the arguments are no JSON object")
    "#]]
    .assert_eq(&call("[1]", "stop"));
    expect![[r#"
        {"functionCall":{"id":"1","name":"ls","args":{}}}
        Length
    "#]]
    .assert_eq(&call("{\"path\": ", "length"));
    let nameless = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":"stop"}]}"#;
    check(
        nameless,
        expect![[r#"
        BadCall("a tool without a name")
    "#]],
    );
}

#[test]
fn errors_inside_of_a_stream_are_faults() {
    check(
        r#"{"choices":[{"delta":{"content":"hi"}}]}
        {"error":{"message":"The server is overloaded","type":"server_overloaded","code":503}}"#,
        expect![[r#"
            {"text":"hi"}
            ! busy: the server has too much to do (503): The server is overloaded
        "#]],
    );
    check(
        r#"{"object":"error","message":"too many tokens for the context window","type":"BadRequestError","code":400}"#,
        expect![[r#"
            ! too_large: the request does not fit into the model's window (400): too many tokens for the context window
        "#]],
    );
    check(
        r#"{"error":"llama runner died"}"#,
        expect![[r#"
            ! broken: the server failed: llama runner died
        "#]],
    );
    check(
        "<html>",
        expect![[r#"
        ! garbled: what the server sends is no chat completion
    "#]],
    );
    check(
        r#""words""#,
        expect![[r#"
        ! garbled: what the server sends is no chat completion
    "#]],
    );
    check(
        r#"{"detail":"Not Found"}"#,
        expect![[r#"
        ! garbled: what the server sends is no chat completion
    "#]],
    );
}

#[test]
fn nobody_makes_us_remember_without_end() {
    let piece = |index: u64, args: &str| {
        let call = json!({ "index": index, "id": index.to_string(), "function": { "name": "ls", "arguments": args } });
        json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }).to_string()
    };
    let kind = |pieces: &[String]| {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        strange::read(Wire::OpenAi, &pieces).1.unwrap_err().kind
    };
    let many: Vec<String> = (0..129).map(|n| piece(n * 1_000_000_007, "")).collect();
    assert_eq!(kind(&many), Kind::TooLong);
    assert_eq!(kind(&many[..128]), Kind::Cut);
    let long = vec![piece(0, &"x".repeat(1 << 20)); 17];
    assert_eq!(kind(&long), Kind::TooLong);
    assert_eq!(kind(&long[..15]), Kind::Cut);
}

const WORDS: &[&str] = &[
    "choices",
    "delta",
    "message",
    "content",
    "reasoning",
    "reasoning_content",
    "tool_calls",
    "function",
    "function_call",
    "name",
    "arguments",
    "index",
    "id",
    "finish_reason",
    "stop",
    "length",
    "usage",
    "prompt_tokens",
    "completion_tokens",
    "error",
    "object",
    "refusal",
    "text",
    "type",
    "{}",
    "{\"a\":",
    "",
];

proptest! {
    #[test]
    fn nothing_that_a_server_sends_is_a_panic(pieces in prop::collection::vec(piece(), 0..8)) {
        check_reading(Wire::OpenAi, &pieces);
    }

    #[test]
    fn arguments_are_the_same_however_they_are_cut(
        path in "\\PC{0,20}",
        cuts in prop::collection::vec(0..60_usize, 0..6),
    ) {
        let args = json!({ "path": path, "n": [1, { "é": null }] });
        let pieces: Vec<String> = cut(&args.to_string(), cuts).iter().map(|args| {
            json!({ "choices": [{ "delta": { "tool_calls": [
                { "index": 0, "id": "1", "function": { "name": "ls", "arguments": args } }
            ] } }] }).to_string()
        }).chain(["[DONE]".to_owned()]).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let (events, end) = strange::read(Wire::OpenAi, &pieces);
        prop_assert_eq!(end, Ok(()));
        let Some(Event::Part(part)) = events.first() else { panic!("no call") };
        prop_assert_eq!(&part.to_value()["functionCall"]["args"], &args);
    }

    #[test]
    fn a_stream_that_lost_its_order_is_still_no_panic(
        order in prop::collection::vec(0..12_usize, 0..16),
    ) {
        let lines: Vec<&str> = OPENAI.lines().collect();
        let pieces = order.iter().filter_map(|i| lines.get(*i)).map(|l| (*l).to_owned());
        check_reading(Wire::OpenAi, &pieces.collect::<Vec<_>>());
    }
}

/// Something that looks like a chunk, or like nothing.
fn piece() -> impl Strategy<Value = String> {
    let json = || strange::json(WORDS);
    let call = (json(), json(), json(), json()).prop_map(|(index, id, name, arguments)| {
        json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } })
    });
    let delta = (json(), prop::collection::vec(call, 0..3)).prop_map(|(content, calls)| {
        json!({ "content": content.clone(), "reasoning": content, "tool_calls": calls })
    });
    let chunk = (delta, json(), json()).prop_map(|(delta, reason, usage)| {
        json!({ "choices": [{ "delta": delta, "finish_reason": reason }], "usage": usage })
    });
    prop_oneof![
        4 => chunk.prop_map(|v: Value| v.to_string()),
        4 => json().prop_map(|v| v.to_string()),
        1 => Just("[DONE]".to_owned()),
        1 => "\\PC{0,20}",
    ]
}

fn cut(text: &str, mut cuts: Vec<usize>) -> Vec<String> {
    cuts.sort_unstable();
    let mut pieces = vec![String::new()];
    for (i, c) in text.chars().enumerate() {
        if cuts.contains(&i) {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push(c);
    }
    pieces
}
