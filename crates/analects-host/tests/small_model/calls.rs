//! Tools, called and answered.
//!
//! A model this small calls a tool only where the history shows it how; the server sees to it that the call is well
//! formed.

use analects_world::model::{Content, Part, Role};
use analects_world::models::{Choice, Finish, Tool, Wire};
use serde_json::json;

use crate::server::{Answer, Question, SmallModel, WIRES};

#[test]
fn a_tool_is_called_with_arguments_of_its_schema() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let answer = model.ask(wire, &shown_how()).unwrap();
        let [call] = &answer.calls[..] else {
            panic!("{wire:?}: {answer:?}");
        };
        assert_eq!(call.name, "read_file");
        assert!(call.args["path"].is_string(), "{call:?}");
        assert!(
            call.id.as_ref().is_some_and(|id| !id.is_empty()),
            "{call:?}"
        );
        assert_eq!(answer.finish, Some(Finish::Done), "{wire:?}");
        assert!(answer.usage.answer.unwrap() > 10, "{answer:?}");
    }
}

#[test]
fn after_a_tool_has_run_the_model_goes_on() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let mut question = shown_how();
        let read = model.ask(wire, &question).unwrap();
        let [call] = &read.calls[..] else {
            panic!("{wire:?}: {read:?}");
        };
        let id = call.id.clone().unwrap();
        let said = Part::call(id.clone(), "read_file", call.args.clone());
        let told = Part::response(id, "read_file", json!({"output": "The pond is long."}));
        question.history.extend([model_says(said), user_says(told)]);
        let answer = model.ask(wire, &question).unwrap();
        assert!(!is_empty(&answer), "{wire:?}: {answer:?}");
        let more = answer.usage.prompt.unwrap() - read.usage.prompt.unwrap();
        assert!(more > 20, "the call and its answer are {more} tokens");
    }
}

#[test]
fn two_calls_in_one_turn_and_their_answers_are_a_history() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let mut question = shown_how();
        let call = |id: &str, path: &str| Part::call(id, "read_file", json!({"path": path}));
        let response = |id: &str| Part::response(id, "read_file", json!({"error": "no such file"}));
        let both = Content {
            id: "both".to_owned(),
            role: Role::Model,
            parts: vec![
                Part::text("I read both."),
                call("x", "x.md"),
                call("y", "y.md"),
            ],
        };
        let answers = Content {
            id: "answers".to_owned(),
            role: Role::User,
            parts: vec![response("x"), response("y"), Part::text("Go on.")],
        };
        question.history.extend([both, answers]);
        let answer = model.ask(wire, &question).unwrap();
        assert!(!is_empty(&answer), "{wire:?}: {answer:?}");
    }
}

#[test]
fn every_choice_is_accepted_and_none_means_none() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let choices = [
        Choice::None,
        Choice::Any,
        Choice::Only("read_file".to_owned()),
    ];
    for (wire, choice) in WIRES.into_iter().flat_map(|wire| {
        let choices = choices.iter();
        choices.map(move |choice| (wire, choice.clone()))
    }) {
        let mut question = shown_how();
        question.options.choice = choice.clone();
        let answer = model.ask(wire, &question).unwrap();
        match (choice, wire) {
            // llama.cpp overhears this word on this wire.
            (Choice::None, Wire::Anthropic) => assert!(!is_empty(&answer), "{answer:?}"),
            (Choice::None, _) => assert!(answer.calls.is_empty(), "{wire:?}: {answer:?}"),
            (choice, _) => {
                assert_eq!(names(&answer), ["read_file"], "{wire:?} {choice:?}");
            }
        }
    }
}

#[test]
fn a_call_that_was_cut_off_is_none() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let mut question = shown_how();
    // Long enough to begin the call, too short to end it.
    question.options.max_output_tokens = Some(24);
    let answer = model.ask(Wire::OpenAi, &question).unwrap();
    assert_ne!(answer.finish, Some(Finish::Done), "{answer:?}");
    assert!(answer.calls.is_empty(), "{answer:?}");
}

/// A question whose history has a call of the same kind.
fn shown_how() -> Question {
    let mut question = Question::new("Read the file notes.txt.", 80);
    let asked = Content::text("a", Role::User, "Read the file a.txt.");
    let called = Part::call("call_1", "read_file", json!({"path": "a.txt"}));
    let told = Part::response("call_1", "read_file", json!({"output": "It is empty."}));
    let answered = Content::text("d", Role::Model, "The file is empty.");
    let shown = [asked, model_says(called), user_says(told), answered];
    question.history.splice(0..0, shown);
    question.tools = vec![
        Tool {
            name: "read_file".to_owned(),
            description: "Reads a file.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"path": {"type": "string", "maxLength": 20}},
                "required": ["path"],
            }),
        },
        Tool {
            name: "list_files".to_owned(),
            description: "Lists files.".to_owned(),
            parameters: json!({"type": "object", "properties": {}}),
        },
    ];
    question
}

fn model_says(part: Part) -> Content {
    Content {
        id: "model".to_owned(),
        role: Role::Model,
        parts: vec![part],
    }
}

fn user_says(part: Part) -> Content {
    Content {
        id: "user".to_owned(),
        role: Role::User,
        parts: vec![part],
    }
}

fn names(answer: &Answer) -> Vec<&str> {
    answer.calls.iter().map(|call| &*call.name).collect()
}

fn is_empty(answer: &Answer) -> bool {
    answer.text().is_empty() && answer.calls.is_empty()
}
