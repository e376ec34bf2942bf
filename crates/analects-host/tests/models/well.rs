//! What goes well, on every wire.

use std::thread;

use analects_testkit::ModelServer;
use analects_testkit::model_server::{KEY, Quirk, Recording, Reply, Script};
use analects_testkit::say;
use analects_world::Cancel;
use analects_world::model::{Content, Part, Role};
use analects_world::models::{Choice, Event, Finish, Form, Kind, Listed, Models, Usage, Wire};
use serde_json::json;

use crate::talk::{Heard, Question, WIRES, ask, models};

/// A thought, words in pieces, two calls, what it cost, and the end.
fn everything() -> Vec<Event> {
    vec![
        say::thought("Erst "),
        say::signed(say::thought("denken."), "c2lnbmF0dXJl"),
        say::text("Grü"),
        say::text("ße, 世"),
        say::text("界 👋"),
        say::call(
            "call_1",
            "look",
            json!({"path": "ä.txt", "lines": [1, 2.5]}),
        ),
        say::call("call_2", "look", json!({})),
        Event::Usage(Usage {
            prompt: Some(100),
            cached: Some(40),
            answer: Some(30),
            thoughts: Some(7),
        }),
        say::done(),
    ]
}

fn check_everything(heard: &Heard) {
    assert_eq!(heard.end, Ok(()));
    assert_eq!(heard.thoughts(), "Erst denken.");
    assert_eq!(heard.words(), "Grüße, 世界 👋");
    let calls: Vec<_> = heard.calls();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].id.as_deref(), Some("call_1"));
    assert_eq!(calls[0].args, json!({"path": "ä.txt", "lines": [1, 2.5]}));
    assert_eq!(
        (calls[1].id.as_deref(), &calls[1].args),
        (Some("call_2"), &json!({}))
    );
    assert_eq!(heard.finishes(), [&Finish::Done]);
    let usage = heard.usage().expect("usage was said");
    let told = (usage.prompt, usage.cached, usage.answer, usage.thoughts);
    assert_eq!(told, (Some(100), Some(40), Some(30), Some(7)));
}

#[test]
fn everything_is_heard_on_every_wire() {
    let models = models();
    for wire in WIRES {
        let server = ModelServer::start(Reply::say(everything()));
        check_everything(&ask(&models, &server.endpoint(wire), &Question::plain()));
        assert_eq!(server.received()[0].refused, None);
        assert!(!server.hung_up(0), "{wire:?} read it to its end");
    }
}

#[test]
fn pieces_may_end_anywhere() {
    let models = models();
    for wire in WIRES {
        let whole = ModelServer::start(Reply::say(everything()));
        let whole = ask(&models, &whole.endpoint(wire), &Question::plain());
        for bytes in [1, 2, 7, 1000] {
            let server = ModelServer::start(Reply::say(everything()).in_pieces_of(bytes));
            let heard = ask(&models, &server.endpoint(wire), &Question::plain());
            assert_eq!(heard.events, whole.events, "{wire:?} in pieces of {bytes}");
        }
    }
}

#[test]
fn an_answer_may_come_whole() {
    let models = models();
    for wire in WIRES {
        let server = ModelServer::start(Reply::say(everything()).odd(Quirk::Whole));
        check_everything(&ask(&models, &server.endpoint(wire), &Question::plain()));
    }
}

#[test]
fn words_are_heard_before_the_answer_is_over() {
    let models = models();
    for wire in WIRES {
        // The first event of two wires only opens the message.
        let held = Reply::say([say::text("first"), say::text("last"), say::done()]);
        let n_events = match wire {
            Wire::Gemini => 1,
            Wire::OpenAi => 2,
            Wire::Anthropic => 4,
        };
        let server = std::sync::Arc::new(ModelServer::start(held.holding_after(n_events)));
        let at = server.endpoint(wire);
        let held = std::sync::Arc::clone(&server);
        let release = move |n_heard| {
            if n_heard == 1 {
                assert!(held.holds(0));
                held.release(0);
            }
        };
        let question = Question::plain();
        let heard = crate::talk::ask_until(&models, &at, &question, &Cancel::new(), release);
        heard.check();
        assert_eq!(heard.words(), "firstlast", "{wire:?}: {:?}", heard.end);
    }
}

#[test]
fn every_finish_has_its_meaning() {
    let models = models();
    for wire in WIRES {
        let finish = |finish: Finish| {
            let server = ModelServer::start(Reply::say([say::text("a"), say::finish(finish)]));
            let heard = ask(&models, &server.endpoint(wire), &Question::plain());
            assert_eq!(heard.end, Ok(()));
            heard.finishes()[0].clone()
        };
        assert_eq!(finish(Finish::Length), Finish::Length);
        let blocked = finish(Finish::Blocked("SAFETY".to_owned()));
        assert!(
            matches!(blocked, Finish::Blocked(_)),
            "{wire:?} {blocked:?}"
        );
        let other = finish(Finish::Other("new_reason".to_owned()));
        assert_eq!(other, Finish::Other("new_reason".to_owned()));
    }
    let server = ModelServer::start(Reply::say([say::finish(Finish::Blocked("SAFETY".into()))]));
    let heard = ask(&models, &server.endpoint(Wire::Gemini), &Question::plain());
    assert_eq!(heard.finishes(), [&Finish::Blocked("SAFETY".to_owned())]);
}

#[test]
fn an_answer_of_a_form_is_words_of_that_form() {
    let models = models();
    let mut question = Question::plain();
    question.options.form = Form::Json {
        name: "verdict",
        schema: json!({
            "type": "object",
            "properties": {"is_stuck": {"type": "boolean"}, "why": {"type": "string"}},
            "required": ["is_stuck"],
        }),
    };
    question.options.choice = Choice::None;
    for wire in WIRES {
        let json = r#"{"is_stuck":true}"#;
        // However the form is asked for, a model that cannot be told otherwise writes it.
        let server = ModelServer::start(Reply::say([say::text(json), say::done()]));
        let heard = ask(&models, &server.endpoint(wire), &question);
        assert_eq!(server.received()[0].refused, None, "{wire:?}");
        assert_eq!(
            (heard.words(), heard.end),
            (json.to_owned(), Ok(())),
            "{wire:?}"
        );
        let body = server.received()[0].json.to_string();
        assert!(body.contains("is_stuck"), "{wire:?} sends the schema");
    }
}

#[test]
fn what_was_heard_can_be_said_again_with_its_signatures() {
    let models = models();
    for wire in WIRES {
        let server = ModelServer::start([
            Reply::say(everything()),
            Reply::say([say::text("Gut."), say::done()]),
        ]);
        let at = server.endpoint(wire);
        let first = ask(&models, &at, &Question::plain());
        let parts: Vec<Part> = first.parts().cloned().collect();
        let response = |id| Part::response(id, "look", json!({"output": "ok"}));
        let history = vec![
            Content::text("1", Role::User, "Hello?"),
            Content {
                id: "2".to_owned(),
                role: Role::Model,
                parts,
            },
            Content {
                id: "3".to_owned(),
                role: Role::User,
                parts: vec![response("call_1"), response("call_2")],
            },
        ];
        let second = ask(&models, &at, &Question::with_history(history));
        assert_eq!(
            (second.words(), second.end),
            ("Gut.".to_owned(), Ok(())),
            "{wire:?}"
        );
        let body = server.received()[1].json.to_string();
        let has_signature = body.contains("\"c2lnbmF0dXJl\"");
        assert_eq!(has_signature, wire != Wire::OpenAi, "{wire:?} {body}");
    }
}

#[test]
fn tokens_are_counted_where_somebody_offers_to() {
    let models = models();
    let question = Question::plain();
    for wire in WIRES {
        let server = ModelServer::start(Script::new().counting(1234));
        let counted = models.count(&server.endpoint(wire), &question.request(), &Cancel::new());
        let n_requests = usize::from(wire != Wire::OpenAi);
        assert_eq!(counted, Ok((wire != Wire::OpenAi).then_some(1234)));
        assert_eq!(server.received().len(), n_requests);
        assert!(
            server
                .received()
                .iter()
                .all(|request| request.refused.is_none())
        );
    }
}

#[test]
fn models_are_listed_and_no_other_is_to_be_had() {
    let models = models();
    for wire in WIRES {
        let listed = |name: &str, window_tokens| Listed {
            name: name.to_owned(),
            window_tokens,
        };
        let there = vec![listed("small", Some(8192)), listed("large", None)];
        let server = ModelServer::start(Script::new().with_models(there));
        let at = server.endpoint(wire);
        let told = models.list(&at, &Cancel::new()).unwrap();
        let names: Vec<&str> = told.iter().map(|listed| &*listed.name).collect();
        assert_eq!(names, ["small", "large"], "{wire:?}");
        // Anthropic's list says no window.
        let window = (wire != Wire::Anthropic).then_some(8192);
        assert_eq!(told[0].window_tokens, window, "{wire:?}");
        let heard = ask(&models, &at, &Question::plain());
        assert_eq!(heard.end.unwrap_err().kind, Kind::NoSuchModel, "{wire:?}");
    }
}

#[test]
fn who_has_no_key_sends_none_and_who_has_a_wrong_one_is_told() {
    let models = models();
    for wire in WIRES {
        let script = Script::new().turn(Reply::say([say::text("a"), say::done()]));
        let server = ModelServer::start(script.without_key());
        let mut at = server.endpoint(wire);
        at.key = None;
        assert_eq!(ask(&models, &at, &Question::plain()).end, Ok(()));
        models.list(&at, &Cancel::new()).unwrap();
        for received in server.received() {
            assert_eq!(received.key(), None, "{received:?}");
        }
        let locked = ModelServer::start(Script::new());
        at.base_url = locked.base_url(wire);
        let missing = ask(&models, &at, &Question::plain()).end.unwrap_err();
        assert_eq!(missing.kind, Kind::Key, "{wire:?} {missing:?}");
        at.key = Some(analects_world::models::Secret::new("wrong-key-12345"));
        let wrong = ask(&models, &at, &Question::plain()).end.unwrap_err();
        assert_eq!(wrong.kind, Kind::Key, "{wire:?} {wrong:?}");
        assert!(!wrong.message.contains("wrong-key-12345"));
    }
}

#[test]
fn keys_travel_in_the_head_alone() {
    let models = models();
    for wire in WIRES {
        let server = ModelServer::start(Reply::say(everything()));
        let at = server.endpoint(wire);
        ask(&models, &at, &Question::plain());
        models.list(&at, &Cancel::new()).unwrap();
        for received in server.received() {
            assert!(!received.query.contains(KEY) && !received.path.contains(KEY));
            assert!(!String::from_utf8_lossy(&received.body).contains(KEY));
            let with_key = received
                .headers
                .iter()
                .filter(|(_, value)| value.contains(KEY));
            assert_eq!(with_key.count(), 1, "{wire:?}");
        }
    }
}

#[test]
fn many_are_asked_at_once() {
    let models = models();
    for wire in WIRES {
        let server = ModelServer::start_with(|_| Reply::say([say::text("a"), say::done()]));
        let at = server.endpoint(wire);
        thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| assert_eq!(ask(&models, &at, &Question::plain()).words(), "a"));
            }
        });
        assert_eq!(server.received().len(), 12);
    }
}

/// The beginning and the end of what llama.cpp sent once; it puts several events into one chunk.
const RECORDED: &str = concat!(
    "HTTP/1.1 200 OK\n",
    "Server: llama.cpp\n",
    "Content-Type: text/event-stream\n",
    "\n",
    r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1794820369,"id":"chatcmpl-1AS","model":"smollm2","system_fingerprint":"b0-unknown","object":"chat.completion.chunk"}"#,
    "\n\n",
    r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"There"}}],"created":1794820369,"id":"chatcmpl-1AS","model":"smollm2","system_fingerprint":"b0-unknown","object":"chat.completion.chunk"}"#,
    "\n\n",
    r#"data: {"choices":[{"finish_reason":"length","index":0,"delta":{}}],"created":1794820369,"id":"chatcmpl-1AS","model":"smollm2","system_fingerprint":"b0-unknown","object":"chat.completion.chunk"}"#,
    "\n\n",
    r#"data: {"choices":[],"created":1794820369,"id":"chatcmpl-1AS","model":"smollm2","system_fingerprint":"b0-unknown","object":"chat.completion.chunk","usage":{"completion_tokens":8,"prompt_tokens":22,"total_tokens":30,"prompt_tokens_details":{"cached_tokens":0}},"timings":{"cache_n":0,"prompt_n":22,"prompt_ms":298.732}}"#,
    "\n\n",
    "data: [DONE]\n\n",
);

#[test]
fn a_recording_of_another_server_is_understood() {
    let recording = Recording::parse(RECORDED.as_bytes()).unwrap();
    let server = ModelServer::start(Reply::recorded(&recording));
    let heard = ask(
        &models(),
        &server.endpoint(Wire::OpenAi),
        &Question::plain(),
    );
    assert_eq!(
        (heard.words(), heard.finishes()),
        ("There".to_owned(), vec![&Finish::Length])
    );
    assert_eq!(heard.usage().unwrap().prompt, Some(22));
}
