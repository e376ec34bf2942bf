//! Requests.

use analects_world::model::{Content, Part, Role, Source};
use analects_world::models::{Choice, Form, Options, Request, Thinking};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::valid::check_valid;
use crate::http_models::wire::anthropic::{ask, count};
use crate::http_models::wire::strange::{call, lines, ls, media, request, response, thought, turn};

#[expect(
    clippy::needless_pass_by_value,
    reason = "an expectation is written in place"
)]
fn check(request: &Request<'_>, expected: Expect) {
    let letter = ask(request);
    assert_eq!(letter.path, "/v1/messages");
    let body = letter.body.unwrap();
    check_valid(&body);
    let headers = letter
        .headers
        .iter()
        .map(|(name, value)| format!("({name}: {value})\n"));
    expected.assert_eq(&(headers.collect::<String>() + &lines(&body)));
}

fn conversation() -> Vec<Content> {
    vec![
        turn(
            Role::User,
            [
                Part::text("What is here?"),
                media("image/png", Source::Inline("iVBO".to_owned())),
            ],
        ),
        turn(
            Role::Model,
            [
                thought("old", Some("anthropic:Old")),
                Part::text("An image."),
            ],
        ),
        turn(Role::User, [Part::text("And around it?")]),
        turn(
            Role::Model,
            [
                thought("a ", None),
                thought("list", None),
                thought("", Some("anthropic:Sig+/=")),
                thought("", Some("anthropic:redacted:Data")),
                thought("foreign", Some("gemini")),
                Part::text("I look."),
                call(Some("1"), "ls", json!({ "path": "." })),
                call(None, "ls", json!(null)),
            ],
        ),
        turn(
            Role::User,
            [
                Part::text("Hurry!"),
                response(None, "ls", json!({ "error": "no path" }), vec![]),
                response(
                    Some("1"),
                    "ls",
                    json!({ "output": "a\nb" }),
                    vec![media("application/pdf", Source::Inline("JVBE".to_owned()))],
                ),
            ],
        ),
    ]
}

fn with(model: &'static str, options: &Options, check: impl FnOnce(&Request<'_>)) {
    let (history, tools) = (conversation(), [ls()]);
    check(&Request {
        model,
        system: "Be brief.",
        history: &history,
        tools: &tools,
        options,
    });
}

#[test]
fn a_conversation_with_tools_is_told_in_full() {
    let options = Options {
        thinking: Thinking::Tokens(2000),
        temperature: Some(0.3),
        ..Options::USUAL
    };
    with("claude-sonnet-4-5", &options, |request| {
        check(
            request,
            expect![[r#"
            (anthropic-version: 2023-06-01)
            model: "claude-sonnet-4-5"
            max_tokens: 10192
            system: [{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}]
            tools[] {"name":"ls","description":"Lists a directory.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}},"cache_control":{"type":"ephemeral"}}
            messages[] {"role":"user","content":[{"type":"text","text":"What is here?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}
            messages[] {"role":"assistant","content":[{"type":"text","text":"An image."}]}
            messages[] {"role":"user","content":[{"type":"text","text":"And around it?"}]}
            messages[] {"role":"assistant","content":[{"type":"thinking","thinking":"a list","signature":"Sig+/="},{"type":"redacted_thinking","data":"Data"},{"type":"text","text":"I look."},{"type":"tool_use","id":"1","name":"ls","input":{"path":"."}},{"type":"tool_use","id":"call_1","name":"ls","input":{}}]}
            messages[] {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"a\nb"},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"}}]},{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"no path"}],"is_error":true},{"type":"text","text":"Hurry!","cache_control":{"type":"ephemeral"}}]}
            thinking: {"type":"enabled","budget_tokens":2000}
            stream: true
        "#]],
        );
    });
}

#[test]
fn what_is_counted_is_what_would_be_sent() {
    let options = Options {
        max_output_tokens: Some(5),
        temperature: Some(0.3),
        ..Options::USUAL
    };
    with("claude-opus-4-8", &options, |request| {
        let mut asked = ask(request);
        let letter = count(request);
        assert_eq!(letter.path, "/v1/messages/count_tokens");
        assert_eq!(letter.headers, asked.headers);
        let body = asked.body.as_mut().and_then(Value::as_object_mut).unwrap();
        for field in ["stream", "max_tokens"] {
            assert!(body.shift_remove(field).is_some());
        }
        assert_eq!(letter.body, asked.body);
    });
}

/// Everything but messages, system and tools.
fn options_of(model: &str, options: &Options, history: &[Content]) -> String {
    let tools = [ls()];
    let letter = ask(&Request {
        tools: &tools,
        options,
        ..request(model, history)
    });
    let mut body = letter.body.unwrap();
    check_valid(&body);
    for field in ["model", "messages", "stream"] {
        body.as_object_mut().unwrap().shift_remove(field);
    }
    if body["tools"].as_array().unwrap().len() == 1 {
        body.as_object_mut().unwrap().shift_remove("tools");
    }
    let headers = letter
        .headers
        .iter()
        .skip(1)
        .map(|(name, _)| format!(" +{name}"));
    format!("{model}: {body}{}\n", headers.collect::<String>())
}

const GENERATIONS: [&str; 7] = [
    "smollm2",
    "claude-haiku-4-5",
    "claude-opus-4-6",
    "claude-opus-4-8",
    "claude-sonnet-5",
    "claude-fable-5",
    "claude-opus-5-5",
];

#[test]
fn every_generation_is_told_how_to_think_in_its_own_words() {
    let history = [Content::text("", Role::User, "hi")];
    let all = |thinking, max_output_tokens, choice| {
        let options = Options {
            thinking,
            max_output_tokens,
            choice,
            temperature: Some(0.5),
            ..Options::USUAL
        };
        GENERATIONS
            .map(|model| options_of(model, &options, &history))
            .concat()
    };
    expect![[r#"
        smollm2: {"max_tokens":8192,"temperature":0.5}
        claude-haiku-4-5: {"max_tokens":8192,"temperature":0.5}
        claude-opus-4-6: {"max_tokens":16384,"temperature":0.5}
        claude-opus-4-8: {"max_tokens":16384}
        claude-sonnet-5: {"max_tokens":16384}
        claude-fable-5: {"max_tokens":16384}
        claude-opus-5-5: {"max_tokens":16384}
    "#]]
    .assert_eq(&all(Thinking::Usual, None, Choice::Auto));
    expect![[r#"
        smollm2: {"max_tokens":100,"tool_choice":{"type":"none"},"temperature":0.5}
        claude-haiku-4-5: {"max_tokens":100,"tool_choice":{"type":"none"},"temperature":0.5}
        claude-opus-4-6: {"max_tokens":100,"tool_choice":{"type":"none"},"temperature":0.5}
        claude-opus-4-8: {"max_tokens":100,"tool_choice":{"type":"none"}}
        claude-sonnet-5: {"max_tokens":100,"tool_choice":{"type":"none"},"thinking":{"type":"disabled"}}
        claude-fable-5: {"max_tokens":100,"tool_choice":{"type":"none"},"output_config":{"effort":"low"}}
        claude-opus-5-5: {"max_tokens":100,"tool_choice":{"type":"none"},"output_config":{"effort":"low"}}
    "#]].assert_eq(&all(Thinking::Off, Some(100), Choice::None));
    expect![[r#"
        smollm2: {"max_tokens":13192,"thinking":{"type":"enabled","budget_tokens":5000}}
        claude-haiku-4-5: {"max_tokens":13192,"thinking":{"type":"enabled","budget_tokens":5000}}
        claude-opus-4-6: {"max_tokens":16384,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}}
        claude-opus-4-8: {"max_tokens":16384,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}}
        claude-sonnet-5: {"max_tokens":16384,"output_config":{"effort":"medium"}}
        claude-fable-5: {"max_tokens":16384,"output_config":{"effort":"medium"}}
        claude-opus-5-5: {"max_tokens":16384,"output_config":{"effort":"medium"}}
    "#]].assert_eq(&all(Thinking::Tokens(5000), None, Choice::Auto));
    expect![[r#"
        smollm2: {"max_tokens":3000,"tool_choice":{"type":"any"},"temperature":0.5}
        claude-haiku-4-5: {"max_tokens":3000,"tool_choice":{"type":"any"},"temperature":0.5}
        claude-opus-4-6: {"max_tokens":3000,"tool_choice":{"type":"any"},"temperature":0.5}
        claude-opus-4-8: {"max_tokens":3000,"tool_choice":{"type":"any"}}
        claude-sonnet-5: {"max_tokens":3000,"tool_choice":{"type":"any"},"thinking":{"type":"disabled"}}
        claude-fable-5: {"max_tokens":3000,"output_config":{"effort":"medium"}}
        claude-opus-5-5: {"max_tokens":3000,"output_config":{"effort":"medium"}}
    "#]].assert_eq(&all(Thinking::Tokens(5000), Some(3000), Choice::Any));
}

#[test]
fn a_form_is_a_tool_that_must_be_called_or_a_schema_where_nobody_can_be_made_to() {
    let history = [Content::text("", Role::User, "hi")];
    let all = |schema: Value| {
        let form = Form::Json {
            name: "verdict",
            schema,
        };
        let options = Options {
            form,
            ..Options::USUAL
        };
        ["smollm2", "claude-sonnet-5", "claude-opus-5-5"]
            .map(|model| options_of(model, &options, &history))
            .concat()
    };
    let object =
        json!({ "type": "object", "properties": { "n": { "type": "integer", "minimum": 1 } } });
    expect![[r#"
        smollm2: {"max_tokens":8192,"tools":[{"name":"ls","description":"Lists a directory.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},{"name":"analects_answer","description":"Takes your answer. Nobody reads anything else.","input_schema":{"type":"object","properties":{"n":{"type":"integer","minimum":1}}},"cache_control":{"type":"ephemeral"}}],"tool_choice":{"type":"tool","name":"analects_answer"}}
        claude-sonnet-5: {"max_tokens":16384,"tools":[{"name":"ls","description":"Lists a directory.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},{"name":"analects_answer","description":"Takes your answer. Nobody reads anything else.","input_schema":{"type":"object","properties":{"n":{"type":"integer","minimum":1}}},"cache_control":{"type":"ephemeral"}}],"tool_choice":{"type":"tool","name":"analects_answer"},"thinking":{"type":"disabled"}}
        claude-opus-5-5: {"max_tokens":16384,"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}}}}
    "#]].assert_eq(&all(object));
    expect![[r#"
        smollm2: {"max_tokens":8192,"tools":[{"name":"ls","description":"Lists a directory.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},{"name":"analects_answer_value","description":"Takes your answer. Nobody reads anything else.","input_schema":{"type":"object","properties":{"value":{"type":"array","items":{"type":"string"}}},"required":["value"]},"cache_control":{"type":"ephemeral"}}],"tool_choice":{"type":"tool","name":"analects_answer_value"}}
        claude-sonnet-5: {"max_tokens":16384,"tools":[{"name":"ls","description":"Lists a directory.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},{"name":"analects_answer_value","description":"Takes your answer. Nobody reads anything else.","input_schema":{"type":"object","properties":{"value":{"type":"array","items":{"type":"string"}}},"required":["value"]},"cache_control":{"type":"ephemeral"}}],"tool_choice":{"type":"tool","name":"analects_answer_value"},"thinking":{"type":"disabled"}}
        claude-opus-5-5: {"max_tokens":16384,"output_config":{"format":{"type":"json_schema","schema":{"type":"array","items":{"type":"string"}}}}}
    "#]].assert_eq(&all(
        json!({ "type": "array", "items": { "type": "string" } }),
    ));
}

#[test]
fn thoughts_are_not_asked_for_where_another_model_began() {
    let history = [
        turn(Role::User, [Part::text("look")]),
        turn(
            Role::Model,
            [
                thought("foreign", Some("gemini")),
                call(Some("1"), "ls", json!({})),
            ],
        ),
        turn(
            Role::User,
            [response(Some("1"), "ls", json!({ "output": "a" }), vec![])],
        ),
    ];
    let thinking = Thinking::Tokens(2000);
    let options = Options {
        thinking,
        ..Options::USUAL
    };
    expect![[r#"
        claude-sonnet-4-5: {"max_tokens":8192}
    "#]]
    .assert_eq(&options_of("claude-sonnet-4-5", &options, &history));
}

#[test]
fn thoughts_that_are_bound_to_their_place_may_be_dropped() {
    let history = conversation();
    expect![[r#"
        claude-opus-5-5: {"max_tokens":16384,"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}}} +anthropic-beta
    "#]].assert_eq(&options_of("claude-opus-5-5", &Options::USUAL, &history));
    expect![[r#"
        claude-opus-5: {"max_tokens":16384}
    "#]]
    .assert_eq(&options_of("claude-opus-5", &Options::USUAL, &history));
}

#[test]
fn tools_that_were_called_are_declared_even_if_none_may_be() {
    let history = [
        turn(
            Role::Model,
            [
                call(Some("a:b"), "ls", json!("x")),
                call(Some("a:c"), "a.b", json!({})),
            ],
        ),
        turn(
            Role::User,
            [media("video/mp4", Source::Inline("AA".to_owned()))],
        ),
    ];
    check(
        &request("claude-opus-4-8", &history),
        expect![[r#"
        (anthropic-version: 2023-06-01)
        model: "claude-opus-4-8"
        max_tokens: 16384
        tools[] {"name":"a_b_e61d99190466522c","input_schema":{"type":"object"}}
        tools[] {"name":"ls","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}
        tool_choice: {"type":"none"}
        messages[] {"role":"user","content":[{"type":"text","text":"[The conversation goes on.]"}]}
        messages[] {"role":"assistant","content":[{"type":"tool_use","id":"a_b_e661911904a01160","name":"ls","input":{"value":"x"}},{"type":"tool_use","id":"a_c_e661921904a01313","name":"a_b_e61d99190466522c","input":{}}]}
        messages[] {"role":"user","content":[{"type":"tool_result","tool_use_id":"a_b_e661911904a01160","content":[{"type":"text","text":"(no result: the tool was interrupted, or its result is gone)"}],"is_error":true},{"type":"tool_result","tool_use_id":"a_c_e661921904a01313","content":[{"type":"text","text":"(no result: the tool was interrupted, or its result is gone)"}],"is_error":true},{"type":"text","text":"[left out: video/mp4]","cache_control":{"type":"ephemeral"}}]}
        stream: true
    "#]],
    );
}
