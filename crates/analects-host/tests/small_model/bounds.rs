//! What does not end by itself, does not fit, or is not allowed.

use analects_world::Cancel;
use analects_world::models::{Event, Finish, Form, Kind, Patience, Secret, Wire};
use serde_json::json;

use crate::server::{PATIENCE, Question, SmallModel, WIRES, ask};

#[test]
fn a_cancelled_answer_ends_at_once_and_the_server_is_free_for_the_next() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let (cancel, mut n_pieces) = (Cancel::new(), 0);
        let outcome = ask(&model.at(wire), &endless(wire), &cancel, &mut |event| {
            assert!(!cancel.is_cancelled(), "{event:?} after the cancellation");
            if let Event::Part(_) = event {
                n_pieces += 1;
                cancel.cancel();
            }
        });
        assert_eq!(outcome.unwrap_err().kind, Kind::Cancelled, "{wire:?}");
        assert_eq!(n_pieces, 1);
        // One slot: had the server gone on with it, this would wait for thousands of tokens.
        let mut at = model.at(wire);
        at.patience.whole_ms = 15_000;
        let mut finish = None;
        let next = ask(
            &at,
            &Question::new("Hello.", 2),
            &Cancel::new(),
            &mut |event| {
                if let Event::Finish(end) = event {
                    finish = Some(end);
                }
            },
        );
        assert_eq!(next, Ok(()), "{wire:?}");
        assert_eq!(finish, Some(Finish::Length), "{wire:?}");
    }
}

#[test]
fn a_question_that_was_cancelled_before_is_not_asked() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let cancel = Cancel::new();
    cancel.cancel();
    let outcome = ask(
        &model.at(Wire::OpenAi),
        &endless(Wire::OpenAi),
        &cancel,
        &mut |event| {
            panic!("{event:?}");
        },
    );
    assert_eq!(outcome.unwrap_err().kind, Kind::Cancelled);
}

#[test]
fn an_answer_without_an_end_is_cut_by_its_length() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let mut question = endless(wire);
        question.options.max_output_tokens = Some(64);
        let answer = model.ask(wire, &question).unwrap();
        assert_eq!(answer.finish, Some(Finish::Length), "{wire:?}");
        assert_eq!(answer.usage.answer, Some(64), "{wire:?}");
        assert!(answer.text().len() < 64 * 16, "{wire:?}");
    }
}

#[test]
fn an_answer_that_never_pauses_still_has_a_deadline() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let mut warm = endless(Wire::OpenAi);
    warm.options.max_output_tokens = Some(1);
    model.ask(Wire::OpenAi, &warm).unwrap();
    let mut at = model.at(Wire::OpenAi);
    at.patience = Patience {
        whole_ms: 3_000,
        ..PATIENCE
    };
    let mut n_pieces = 0;
    let outcome = ask(&at, &endless(Wire::OpenAi), &Cancel::new(), &mut |event| {
        n_pieces += usize::from(matches!(event, Event::Part(_)));
    });
    assert_eq!(outcome.unwrap_err().kind, Kind::TimedOut);
    assert!(n_pieces > 1, "it was not the first word that it waited for");
}

#[test]
fn what_does_not_fit_into_the_window_is_too_large() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        let question = Question::new(&"heron pond ".repeat(5_000), 8);
        let fault = model.ask(wire, &question).unwrap_err();
        assert_eq!(fault.kind, Kind::TooLarge, "{wire:?}: {fault:?}");
    }
}

#[test]
fn a_key_opens_the_server_and_a_wrong_one_is_not_repeated() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    for wire in WIRES {
        for key in [None, Some(Secret::new("a-magpie-feather"))] {
            let mut at = model.at(wire);
            at.key = key;
            let question = Question::new("Hello.", 2);
            let outcome = ask(&at, &question, &Cancel::new(), &mut |_| {});
            let fault = outcome.unwrap_err();
            assert_eq!(fault.kind, Kind::Key, "{wire:?}: {fault:?}");
            assert!(!fault.message.contains("magpie"), "{fault:?}");
        }
        let answer = model.ask(wire, &Question::new("Hello.", 2)).unwrap();
        assert_eq!(answer.finish, Some(Finish::Length));
    }
}

/// A question whose answer goes on for thousands of tokens: a grammar forbids the end, where the wire has one; else a
/// model this small counts as far as it may.
fn endless(wire: Wire) -> Question {
    let text = "List all whole numbers: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,";
    let mut question = Question::new(text, 3_500);
    if wire == Wire::OpenAi {
        let digit = json!({"type": "integer", "minimum": 0, "maximum": 9});
        question.options.form = Form::Json {
            name: "digits",
            schema: json!({"type": "array", "items": digit, "minItems": 1_500}),
        };
    }
    question
}
