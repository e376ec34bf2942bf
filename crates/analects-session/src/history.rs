//! A record as the history that goes back to a model.
//!
//! Parts stay values: they are Gemini's wire format, and what a model once said must come back as it was,
//! signatures included. The rules are those of Gemini CLI 0.61.0.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::message::{Message, MessageKind, Thought, ToolCall, as_part};
use crate::replay::Replayed;

/// One turn of a history.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryTurn {
    /// The message it comes from; with `_response` behind it for what its tools answered.
    pub id: String,
    /// Whose turn it is.
    pub speaker: Speaker,
    /// What it says.
    pub parts: Vec<Value>,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The user's, or that of the tools.
    User,
    /// The model's.
    Model,
}

impl Speaker {
    /// The word for it on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
        }
    }
}

/// The history of a record: what the program said, and what was never meant for a model, is left out.
#[must_use]
pub fn history(replayed: &Replayed) -> Vec<HistoryTurn> {
    let mut turns = Vec::new();
    for message in replayed.messages() {
        match message.kind() {
            MessageKind::User => turns.extend(prompt(message.read())),
            MessageKind::Gemini => answer(message.read(), &mut turns),
            MessageKind::Info
            | MessageKind::Warning
            | MessageKind::Error
            | MessageKind::Unknown => {}
        }
    }
    turns
}

fn prompt(message: Message) -> Option<HistoryTurn> {
    message.content.is_prompt().then(|| HistoryTurn {
        id: message.id,
        speaker: Speaker::User,
        parts: message.content.into_parts(),
    })
}

fn answer(message: Message, turns: &mut Vec<HistoryTurn>) {
    let said = message.content.into_parts();
    // Newer records hold calls and thoughts among the parts already.
    let is_complete = said.iter().any(|part| {
        ["functionCall", "thought"]
            .iter()
            .any(|name| part.get(name).is_some_and(is_truthy))
    });
    let parts = match is_complete {
        true => said,
        false => {
            let thoughts = message.thoughts.iter().map(thought_part);
            let calls = message.tool_calls.iter().map(call_part);
            thoughts.chain(said).chain(calls).collect()
        }
    };
    if parts.is_empty() {
        return;
    }
    let responses: Vec<_> = message.tool_calls.into_iter().flat_map(responses).collect();
    let response_id = format!("{}_response", message.id);
    turns.push(HistoryTurn {
        id: message.id,
        speaker: Speaker::Model,
        parts,
    });
    if !responses.is_empty() {
        turns.push(HistoryTurn {
            id: response_id,
            speaker: Speaker::User,
            parts: responses,
        });
    }
}

fn thought_part(thought: &Thought) -> Value {
    let text = match &*thought.subject {
        "" => thought.description.clone(),
        subject => format!("**{subject}** {}", thought.description),
    };
    json!({ "text": text, "thought": true })
}

fn call_part(call: &ToolCall) -> Value {
    let args = Some(call.args.clone()).filter(|args| !args.is_null());
    json!({ "functionCall": named(call, "args", args) })
}

fn responses(call: ToolCall) -> Vec<Value> {
    match call.result {
        Some(Value::String(output)) if !output.is_empty() => {
            let response = json!({ "output": output });
            let call = ToolCall {
                result: None,
                ..call
            };
            let response = named(&call, "response", Some(response));
            vec![json!({ "functionResponse": response })]
        }
        Some(Value::Array(parts)) => parts.into_iter().map(as_part).collect(),
        Some(part @ Value::Object(_)) => vec![part],
        _ => Vec::new(),
    }
}

/// The id and name of a call, and one field more.
fn named(call: &ToolCall, name: &str, value: Option<Value>) -> Value {
    let mut fields = Map::new();
    fields.extend(call.id.as_deref().map(|id| ("id".to_owned(), id.into())));
    fields.insert("name".to_owned(), Value::from(&*call.name));
    fields.extend(value.map(|value| (name.to_owned(), value)));
    Value::Object(fields)
}

/// Gives every call and every response an id, where a record had none: the same ones each time, and one for
/// both where a response stands right after its call.
pub fn name_calls(turns: &mut [HistoryTurn]) {
    for turn_idx in 0..turns.len() {
        let mut waiting = waiting(turns, turn_idx + 1);
        let n_parts = turns.get(turn_idx).map_or(0, |turn| turn.parts.len());
        for part_idx in 0..n_parts {
            if let Some(name) = nameless(turns, turn_idx, part_idx, CALL) {
                let id = made_up("synth", &name, turns, turn_idx, part_idx);
                set_id(turns, turn_idx, part_idx, CALL, &id);
                if let Some(at) = waiting.get_mut(&name).and_then(VecDeque::pop_front) {
                    set_id(turns, turn_idx + 1, at, RESPONSE, &id);
                }
            }
            // By now every call has an id, so a response without one has lost its call.
            if let Some(name) = nameless(turns, turn_idx, part_idx, RESPONSE) {
                let id = made_up("synth_orph", &name, turns, turn_idx, part_idx);
                set_id(turns, turn_idx, part_idx, RESPONSE, &id);
            }
        }
    }
}

/// The responses of a turn that have no id, by the tool that they come from.
fn waiting(turns: &[HistoryTurn], turn_idx: usize) -> HashMap<String, VecDeque<usize>> {
    let mut waiting: HashMap<_, VecDeque<_>> = HashMap::new();
    let turn = turns.get(turn_idx);
    let of_user = turn.filter(|turn| turn.speaker == Speaker::User);
    for part_idx in 0..of_user.map_or(0, |turn| turn.parts.len()) {
        if let Some(name) = nameless(turns, turn_idx, part_idx, RESPONSE) {
            waiting.entry(name).or_default().push_back(part_idx);
        }
    }
    waiting
}

const CALL: &str = "functionCall";
const RESPONSE: &str = "functionResponse";

/// The name of the tool, if this part calls it or answers for it without an id.
fn nameless(turns: &[HistoryTurn], turn_idx: usize, part_idx: usize, what: &str) -> Option<String> {
    let part = turns.get(turn_idx)?.parts.get(part_idx)?;
    let call = part.get(what).filter(|call| call.is_object())?;
    let is_named = call.get("id").is_some_and(is_truthy);
    let name = call.get("name").and_then(Value::as_str);
    (!is_named).then(|| name.unwrap_or("undefined").to_owned())
}

fn set_id(turns: &mut [HistoryTurn], turn_idx: usize, part_idx: usize, what: &str, id: &str) {
    let part = turns
        .get_mut(turn_idx)
        .and_then(|turn| turn.parts.get_mut(part_idx));
    let call = part.and_then(|part| part.get_mut(what));
    if let Some(call) = call.and_then(Value::as_object_mut) {
        call.insert("id".to_owned(), id.into());
    }
}

fn made_up(
    start: &str,
    name: &str,
    turns: &[HistoryTurn],
    turn_idx: usize,
    part_idx: usize,
) -> String {
    let turn = turns.get(turn_idx).map(|turn| turn.id.clone());
    let mut sources = [
        turn.unwrap_or_default(),
        turn_idx.to_string(),
        part_idx.to_string(),
    ];
    // The original sorts by UTF-16.
    sources.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    let hash = Sha256::digest(sources.join("|"));
    let hex: String = hash
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{start}_{name}_{hex}")
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
            let parts = Value::from(&*turn.parts);
            format!("{} {}: {parts}\n", turn.id, turn.speaker.as_str())
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
                b model: [{"functionCall":{"name":"ls","id":"synth_ls_45a1bf93ce3125b29106c3502a9c2b4a"}},{"functionCall":{"name":"cat","id":"synth_cat_70aa770b94bf61e223a42a0dc5d1db7a"}},{"functionCall":{"name":"ls","id":"synth_ls_82e29a5980437433f934a5d1c0176407"}}]
                c user: [{"functionResponse":{"name":"ls","id":"synth_ls_45a1bf93ce3125b29106c3502a9c2b4a"}},{"functionResponse":{"name":"rm","id":"synth_orph_rm_69eee8aeea883993f56b90e64153bf20"}},{"functionResponse":{"name":"ls","id":"synth_ls_82e29a5980437433f934a5d1c0176407"}}]
            "#]],
        );
    }
}
