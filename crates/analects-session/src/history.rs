//! A record as the history that goes back to a model.
//!
//! What a model once said must come back as it was, signatures included. The rules are those of Gemini CLI
//! 0.61.0. The way back, from a changed history to a record, is `record::messages`.

mod name_calls;

use analects_world::model::{Body, Call, Content, Part, Response, Role};
use analects_world::provenance::Author;
use serde_json::{Map, Value, json};

use crate::message::{Message, MessageKind, Thought, ToolCall};
use crate::replay::Replayed;

pub use name_calls::name_calls;

/// The history of a record: what the program said, and what was never meant for a model, is left out.
///
/// A turn has the name of its message, with `_response` behind it for what its tools answered.
#[must_use]
pub fn history(replayed: &Replayed) -> Vec<Content> {
    let messages = replayed.messages();
    messages
        .filter(|message| is_for_model(message.kind()))
        .flat_map(|message| turns(message.read()))
        .collect()
}

/// Whether messages of this kind are sent to a model.
pub(crate) fn is_for_model(kind: MessageKind) -> bool {
    match kind {
        MessageKind::User | MessageKind::Gemini => true,
        MessageKind::Info | MessageKind::Warning | MessageKind::Error | MessageKind::Unknown => {
            false
        }
    }
}

/// The turns of a message: none, one, or an answer and what its tools answered.
pub(crate) fn turns(message: Message) -> Vec<Content> {
    match message.kind {
        MessageKind::User => prompt(message).into_iter().collect(),
        MessageKind::Gemini => answer(message),
        MessageKind::Info | MessageKind::Warning | MessageKind::Error | MessageKind::Unknown => {
            Vec::new()
        }
    }
}

fn prompt(message: Message) -> Option<Content> {
    let is_prompt = message.is_prompt();
    let mut parts = message.content.into_parts();
    // What stands beside the answer of a tool belongs to it, unless the record says otherwise.
    let answers = parts
        .iter()
        .any(|part| matches!(part.body, Body::Response(_)));
    let is_recorded = !message.authors.is_empty();
    let unrecorded = (answers && !is_recorded).then_some(Author::Tool);
    let authors = message.authors.into_iter().chain(std::iter::repeat(None));
    for (part, author) in parts.iter_mut().zip(authors) {
        let is_text = matches!(part.body, Body::Text(_));
        part.author = author.or(unrecorded.filter(|_| is_text));
    }
    is_prompt.then_some(Content {
        id: message.id,
        role: Role::User,
        parts,
    })
}

fn answer(message: Message) -> Vec<Content> {
    let said = message.content.into_parts();
    // Newer records hold calls and thoughts among the parts already.
    let parts = match said.iter().any(is_complete) {
        true => said,
        false => {
            let thoughts = message.thoughts.iter().map(thought_part);
            let calls = message.tool_calls.iter().map(call_part);
            thoughts.chain(said).chain(calls).collect()
        }
    };
    if parts.is_empty() {
        return Vec::new();
    }
    let mut responses: Vec<_> = message.tool_calls.into_iter().flat_map(responses).collect();
    let is_text = |part: &&mut Part| matches!(part.body, Body::Text(_));
    for part in responses.iter_mut().filter(is_text) {
        part.author = Some(Author::Tool);
    }
    let response_id = format!("{}_response", message.id);
    let mut turns = vec![Content {
        id: message.id,
        role: Role::Model,
        parts,
    }];
    if !responses.is_empty() {
        turns.push(Content {
            id: response_id,
            role: Role::User,
            parts: responses,
        });
    }
    turns
}

/// Whether a part is one that older records keep beside the content.
pub(crate) fn is_complete(part: &Part) -> bool {
    let is_set = |name| part.rest.get(name).is_some_and(is_truthy);
    let is_call = matches!(part.body, Body::Call(_));
    is_call || part.is_thought || is_set("functionCall") || is_set("thought")
}

fn thought_part(thought: &Thought) -> Part {
    let text = match &*thought.subject {
        "" => thought.description.clone(),
        subject => format!("**{subject}** {}", thought.description),
    };
    Part {
        is_thought: true,
        ..Part::text(text)
    }
}

fn call_part(call: &ToolCall) -> Part {
    Part::new(Body::Call(Call {
        id: call.id.clone().filter(|id| !id.is_empty()),
        name: call.name.clone(),
        args: call.args.clone(),
        rest: Map::new(),
    }))
}

/// The parts that a tool answered.
pub(crate) fn responses(call: ToolCall) -> Vec<Part> {
    match call.result {
        Some(Value::String(output)) if !output.is_empty() => {
            vec![Part::new(Body::Response(Response {
                id: call.id.filter(|id| !id.is_empty()),
                name: call.name,
                response: json!({ "output": output }),
                parts: Vec::new(),
                rest: Map::new(),
            }))]
        }
        Some(Value::Array(parts)) => parts.into_iter().map(Part::from_value).collect(),
        Some(part @ Value::Object(_)) => vec![Part::from_value(part)],
        _ => Vec::new(),
    }
}

/// Whether JavaScript takes a value for true.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::replay::replay;

    fn check(lines: &str, expect: Expect) {
        let header = r#"{"sessionId":"s","projectHash":"p"}"#;
        let mut turns = history(&replay(format!("{header}\n{lines}").into()));
        name_calls(&mut turns);
        let shown = turns.iter().map(|turn| {
            let parts = serde_json::to_string(&turn.parts).unwrap();
            format!("{} {}: {parts}\n", turn.id, turn.role.as_str())
        });
        expect.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn an_old_answer_is_put_together_and_a_new_one_left_as_it_is() {
        check(
            r#"{"id":"a","type":"user","content":"hi"}
{"id":"b","type":"gemini","content":"ok","thoughts":[{"subject":"S","description":"d"},{"description":"e"}],"toolCalls":[{"id":"1","name":"ls","args":{},"result":"out"},{"id":"2","name":"cat","args":{},"result":[{"text":"x"},"y"]},{"id":"3","name":"rm","args":{}}]}
{"id":"c","type":"gemini","content":[{"functionCall":{"id":"4","name":"ls"},"thoughtSignature":"z"}],"thoughts":[{"description":"not again"}],"toolCalls":[{"id":"4","name":"ls","result":{"functionResponse":{"id":"4"}}}]}
{"id":"d","type":"info","content":"note"}
{"id":"e","type":"user","content":"/clear"}
{"id":"f","type":"gemini","content":""}
"#,
            expect![[r#"
                a user: [{"text":"hi"}]
                b model: [{"text":"**S** d","thought":true},{"text":"e","thought":true},{"text":"ok"},{"functionCall":{"id":"1","name":"ls","args":{}}},{"functionCall":{"id":"2","name":"cat","args":{}}},{"functionCall":{"id":"3","name":"rm","args":{}}}]
                b_response user: [{"functionResponse":{"id":"1","name":"ls","response":{"output":"out"}}},{"text":"x"},{"text":"y"}]
                c model: [{"functionCall":{"id":"4","name":"ls"},"thoughtSignature":"z"}]
                c_response user: [{"functionResponse":{"id":"4"}}]
            "#]],
        );
    }

    #[test]
    fn calls_without_ids_get_the_same_ones_each_time() {
        check(
            r#"{"id":"b","type":"gemini","content":[{"functionCall":{"name":"ls"}},{"functionCall":{"name":"cat"}},{"functionCall":{"name":"ls"}}]}
{"id":"c","type":"user","content":[{"functionResponse":{"name":"ls"}},{"functionResponse":{"name":"rm"}},{"functionResponse":{"name":"ls"}}]}
"#,
            expect![[r#"
                b model: [{"functionCall":{"id":"synth_ls_45a1bf93ce3125b29106c3502a9c2b4a","name":"ls"}},{"functionCall":{"id":"synth_cat_70aa770b94bf61e223a42a0dc5d1db7a","name":"cat"}},{"functionCall":{"id":"synth_ls_82e29a5980437433f934a5d1c0176407","name":"ls"}}]
                c user: [{"functionResponse":{"id":"synth_ls_45a1bf93ce3125b29106c3502a9c2b4a","name":"ls"}},{"functionResponse":{"id":"synth_orph_rm_69eee8aeea883993f56b90e64153bf20","name":"rm"}},{"functionResponse":{"id":"synth_ls_82e29a5980437433f934a5d1c0176407","name":"ls"}}]
            "#]],
        );
    }
}
