//! What an answer says goes back as it came.

use analects_world::model::{Part, Role};
use analects_world::models::{Event, Wire};
use serde_json::json;

use super::answers::ANTHROPIC;
use crate::http_models::wire::anthropic::ask;
use crate::http_models::wire::strange::{read, request, response, turn};

#[test]
fn thoughts_words_and_calls_go_back_as_they_came() {
    let pieces: Vec<&str> = ANTHROPIC.lines().map(str::trim).collect();
    let (events, end) = read(Wire::Anthropic, &pieces);
    assert_eq!(end, Ok(()));
    let parts = events.into_iter().filter_map(|event| match event {
        Event::Part(part) => Some(part),
        _ => None,
    });
    let history = [
        turn(Role::User, [Part::text("look")]),
        turn(Role::Model, parts.collect::<Vec<_>>()),
        turn(
            Role::User,
            ["toolu_1", "toolu_2"].map(|id| response(Some(id), "ls", json!({}), vec![])),
        ),
    ];
    let body = ask(&request("claude-sonnet-4-5", &history)).body.unwrap();
    let expected = json!([
        { "type": "thinking", "thinking": "Let me see.", "signature": "Eq+/x==" },
        { "type": "redacted_thinking", "data": "Hidden==" },
        { "type": "text", "text": "I look." },
        { "type": "tool_use", "id": "toolu_1", "name": "ls", "input": { "path": "." } },
        { "type": "tool_use", "id": "toolu_2", "name": "ls", "input": {} },
    ]);
    assert_eq!(body["messages"][1]["content"], expected);
}
