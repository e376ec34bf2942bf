//! Soups of random lines, beside a model of the rules that is as plain as can be.

use analects_session::message::Message;
use analects_session::replay::replay;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The rules, without any thought of speed.
#[derive(Default)]
struct Plain {
    messages: Vec<(String, Value)>,
    facts: Map<String, Value>,
}

impl Plain {
    fn line(&mut self, line: &str) {
        let Ok(Value::Object(record)) = serde_json::from_str(line) else {
            return;
        };
        if let Some(Value::String(to)) = record.get("$rewindTo") {
            let at = self.messages.iter().position(|(id, _)| id == to);
            self.messages.truncate(at.unwrap_or(0));
        } else if record.get("id").is_some_and(Value::is_string) {
            self.say(Value::Object(record));
        } else if let Some(Value::Object(set)) = record.get("$set") {
            if let Some(Value::Array(messages)) = set.get("messages") {
                self.messages.clear();
                messages
                    .iter()
                    .for_each(|message| self.say(message.clone()));
            }
            self.facts.extend(set.clone());
        } else if ["sessionId", "projectHash"]
            .iter()
            .all(|name| record.get(*name).is_some_and(Value::is_string))
        {
            if let Some(Value::Array(messages)) = record.get("messages") {
                messages
                    .iter()
                    .for_each(|message| self.say(message.clone()));
            }
            self.facts.extend(record);
        }
    }

    fn say(&mut self, message: Value) {
        let Some(id) = message["id"].as_str().map(str::to_owned) else {
            return;
        };
        match self.messages.iter_mut().find(|(known, _)| *known == id) {
            Some((_, place)) => *place = message,
            None => self.messages.push((id, message)),
        }
    }
}

fn message() -> impl Strategy<Value = Value> {
    let id = prop::sample::select(vec![
        json!("a"),
        json!("b"),
        json!("ü"),
        json!(""),
        json!(5),
        json!(null),
    ]);
    let kind = prop::sample::select(vec!["user", "gemini", "info", "odd"]);
    (id, kind, "\\PC{0,6}")
        .prop_map(|(id, kind, text)| json!({ "id": id, "type": kind, "content": text }))
}

fn line() -> impl Strategy<Value = String> {
    let to = prop::sample::select(vec![json!("a"), json!("ü"), json!("x"), json!(1)]);
    let messages = prop::collection::vec(message(), 0..4);
    let messages = prop_oneof![4 => messages.prop_map(Value::from), 1 => Just(json!("none"))];
    let text = prop_oneof![Just(Value::Null), "[a-z]{0,3}".prop_map(Value::from)];
    prop_oneof![
        8 => message().prop_map(|message| message.to_string()),
        2 => to.prop_map(|to| json!({ "$rewindTo": to }).to_string()),
        2 => messages.clone().prop_map(|messages| json!({ "$set": { "messages": messages } }).to_string()),
        2 => text.prop_map(|text| json!({ "$set": { "summary": text } }).to_string()),
        1 => messages.prop_map(|messages| json!({ "sessionId": "t", "projectHash": "q", "messages": messages }).to_string()),
        1 => Just(json!({ "$set": { "sessionId": "u" }, "id": 7 }).to_string()),
        1 => "\\PC{0,12}",
        1 => "[{}\\[\\]\",:a$]{0,8}",
    ]
}

proptest! {
    #[test]
    fn a_soup_is_replayed_by_the_rules(lines in prop::collection::vec(line(), 0..24), end in prop::sample::select(vec!["\n", "\r\n"])) {
        let header = r#"{"sessionId":"s","projectHash":"p"}"#;
        let mut plain = Plain::default();
        plain.line(header);
        lines.iter().for_each(|line| plain.line(line));
        let replayed = replay(format!("{header}{end}{}", lines.join(end)).into());
        let messages: Vec<_> = replayed.messages().map(|message| message.read()).collect();
        let known: Vec<_> = plain.messages.into_iter().map(|(_, message)| Message::from_value(message)).collect();
        prop_assert_eq!(messages, known);
        let text = |name: &str| plain.facts.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        prop_assert_eq!(replayed.about().summary.as_deref(), text("summary"));
        prop_assert_eq!(replayed.about().session_id.as_deref(), text("sessionId"));
    }

    #[test]
    fn any_bytes_are_replayed(bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\":,\\\nid$set".to_vec())], 0..200)) {
        let n_bytes = bytes.len();
        prop_assert_eq!(replay(bytes).text().len(), n_bytes);
    }
}
