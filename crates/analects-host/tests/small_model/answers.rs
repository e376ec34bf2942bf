//! Words, their price, their end; JSON of a schema.

use analects_host::HttpModels;
use analects_world::Cancel;
use analects_world::model::{Content, Role};
use analects_world::models::{Finish, Form, Models, Wire};
use serde_json::{Value, json};

use crate::server::{MODEL, Question, SmallModel, WIRES};

#[test]
fn words_come_in_pieces_with_their_price_and_their_end() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let mut question = Question::new("Name three colours.", 24);
        question.system = "You are brief.";
        let answer = model.ask(wire, &question).unwrap();
        assert!(answer.pieces.len() >= 3, "{wire:?}: {answer:?}");
        assert!(!answer.text().trim().is_empty());
        let (read, written) = (answer.usage.prompt.unwrap(), answer.usage.answer.unwrap());
        // Eight words and the marks of two turns; what came from a cache is part of it.
        assert!((8..60).contains(&read), "{wire:?}: {answer:?}");
        assert!(answer.usage.cached.unwrap_or(0) <= read, "{answer:?}");
        assert!((3..=24).contains(&written), "{wire:?}: {answer:?}");
        assert!(answer.pieces.len() as u64 <= written, "{answer:?}");
        let ends = [Finish::Done, Finish::Length].map(Some);
        assert!(ends.contains(&answer.finish), "{answer:?}");
        assert!(answer.calls.is_empty());
    }
}

#[test]
fn an_answer_that_may_not_be_longer_says_so() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let question = Question::new("Tell a long story of a heron.", 5);
        let answer = model.ask(wire, &question).unwrap();
        assert_eq!(answer.finish, Some(Finish::Length), "{wire:?}");
        assert_eq!(answer.usage.answer, Some(5), "{wire:?}");
    }
}

#[test]
fn a_system_text_and_earlier_turns_reach_the_model() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let mut question = Question::new("And which is the third?", 4);
        let alone = model.ask(wire, &question).unwrap();
        question.system = "You are a bird that knows every pond between the mill and the sea.";
        let told = model.ask(wire, &question).unwrap();
        let past = [
            Content::text("a", Role::User, "Which ponds lie behind the mill?"),
            Content::text(
                "b",
                Role::Model,
                "The long one, the round one and the deep one.",
            ),
        ];
        question.history.splice(0..0, past);
        let talked = model.ask(wire, &question).unwrap();
        let read = [&alone, &told, &talked].map(|answer| answer.usage.prompt.unwrap());
        assert!(
            read[0] + 10 < read[1] && read[1] + 14 < read[2],
            "{wire:?}: {read:?}"
        );
    }
}

#[test]
fn an_answer_of_a_schema_is_of_that_schema() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let mut question = Question::new("Describe a heron.", 80);
    question.options.form = Form::Json {
        name: "bird",
        schema: json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 12},
                "legs": {"type": "integer", "minimum": 0, "maximum": 9},
                "flies": {"type": "boolean"},
            },
            "required": ["name", "legs", "flies"],
            "additionalProperties": false,
        }),
    };
    let answer = model.ask(Wire::OpenAi, &question).unwrap();
    assert_eq!(answer.finish, Some(Finish::Done), "{answer:?}");
    let said: Value = serde_json::from_str(&answer.text()).unwrap();
    assert!(
        said["name"].is_string() && said["flies"].is_boolean(),
        "{said}"
    );
    assert!(
        said["legs"].as_u64().is_some_and(|legs| legs <= 9),
        "{said}"
    );
    assert_eq!(said.as_object().unwrap().len(), 3, "{said}");
}

#[test]
fn one_of_several_calls_may_be_asked_for_as_json() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let call = |name: &str, argument: &str| {
        json!({
            "type": "object",
            "properties": {
                "name": {"const": name},
                "arguments": {
                    "type": "object",
                    "properties": {argument: {"type": "string", "maxLength": 16}},
                    "required": [argument],
                    "additionalProperties": false,
                },
            },
            "required": ["name", "arguments"],
            "additionalProperties": false,
        })
    };
    let mut question = Question::new("Read the file notes.txt.", 80);
    question.options.form = Form::Json {
        name: "call",
        schema: json!({"anyOf": [call("read_file", "path"), call("list_files", "folder")]}),
    };
    let answer = model.ask(Wire::OpenAi, &question).unwrap();
    let said: Value = serde_json::from_str(&answer.text()).unwrap();
    let argument = match said["name"].as_str() {
        Some("read_file") => "path",
        Some("list_files") => "folder",
        _ => panic!("{said}"),
    };
    assert!(said["arguments"][argument].is_string(), "{said}");
}

#[test]
fn the_model_is_listed_with_its_window() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let at = model.at(Wire::OpenAi);
    let listed = HttpModels::default().list(&at, &Cancel::new()).unwrap();
    let [only] = &listed[..] else {
        panic!("{listed:?}");
    };
    assert_eq!(only.name, MODEL);
    assert_eq!(only.window_tokens, Some(8192), "what it runs with");
}
