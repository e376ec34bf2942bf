//! What a dialogue asks for, in which order, and what is left in its history.

use analects_chat::answer::{Answer, Heard};
use analects_chat::budget::Gauge;
use analects_chat::faults::faults;
use analects_chat::keep::Kept;
use analects_chat::limits::{Limits, Wishes};
use analects_chat::loops;
use analects_chat::loops::asking::SecondModel;
use analects_chat::weigh;
use analects_testkit::say;
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use analects_world::models::{Event as Piece, Wire};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn options() -> Options {
    Options {
        session: "s".to_owned(),
        max_session_turns: None,
        max_turns: MAX_TURNS,
        exempt: Vec::new(),
        loops: loops::Options {
            profile: Profile::Analects,
            switch: loops::Switch::On,
            exempt_tools: Vec::new(),
            checks_per_prompt: 3,
        },
        shelf_dir: "/out".to_owned(),
        next_speaker: Want::No,
        plan_file: None,
    }
}

fn limits(window_tokens: usize) -> Limits {
    Limits::of(window_tokens, Profile::Analects, &Wishes::default())
}

fn dialogue(window_tokens: usize, history: Vec<Content>) -> Dialogue {
    Dialogue::new(options(), limits(window_tokens), Gauge::new(0), history)
}

fn prompt(text: &str) -> Event {
    Event::Prompt(Content::text("p", Role::User, text))
}

fn heard(pieces: &[Piece]) -> Event {
    Event::Heard(whole(pieces))
}

fn whole(pieces: &[Piece]) -> Heard {
    let mut answer = Answer::default();
    for piece in pieces {
        answer.hear(piece.clone());
    }
    answer.hear(say::done());
    answer.end().unwrap()
}

fn word(next: &Next) -> &'static str {
    match next {
        Next::Prepare { .. } => "prepare",
        Next::Keep(_) => "keep",
        Next::Write { .. } => "write",
        Next::Judge(..) => "judge",
        Next::Route => "route",
        Next::Ask => "ask",
        Next::Run(_) => "run",
        Next::Listen(_) => "listen",
        Next::End(_) => "end",
    }
}

/// Somebody who does what a dialogue wants, and writes down what that was.
struct Driver {
    dialogue: Dialogue,
    way: Vec<String>,
    disk: Kept,
    routed: Limits,
}

impl Driver {
    fn new(dialogue: Dialogue) -> Self {
        Self {
            routed: *dialogue.limits(),
            dialogue,
            way: Vec::new(),
            disk: Kept::Saved,
        }
    }

    /// Steps until a model is to be asked, tools are to run, or it is over.
    fn step(&mut self, event: Event) -> Next {
        let mut event = event;
        loop {
            let step = self.dialogue.step(event);
            for note in &step.notes {
                let text = format!("{note:?}");
                let name = text.split(['(', ' ']).next().unwrap_or_default();
                self.way.push(name.to_owned());
            }
            self.way.push(word(&step.next).to_owned());
            event = match step.next {
                Next::Prepare { .. } => Event::Prepared(Ready::default()),
                Next::Keep(keeps) => Event::Kept(vec![self.disk; keeps.len()]),
                Next::Write { .. } => Event::Written(Written::NotAsked),
                Next::Judge(..) => Event::Judged(None, SecondModel::Missing),
                Next::Route => Event::Routed(self.routed),
                next => return next,
            };
        }
    }

    fn answer(&mut self, pieces: &[Piece]) -> Next {
        for piece in pieces {
            if self.dialogue.hear(piece) == Heed::Stop {
                return self.step(Event::Unanswered(Unanswered::Failed));
            }
        }
        self.step(heard(pieces))
    }

    fn run(&mut self, calls: &[Call], output: &str) -> Next {
        let parts = calls.iter().map(|call| {
            let id = call.id.clone().unwrap();
            Part::response(id, &call.name, json!({ "output": output }))
        });
        let parts = parts.collect();
        self.step(Event::Ran(parts))
    }

    fn way(&mut self) -> String {
        std::mem::take(&mut self.way).join(" ")
    }
}

/// A request and tools that answered it, each with this many words.
fn worked(n_steps: usize, n_words: usize) -> Vec<Content> {
    let mut history = vec![Content::text(
        "ask",
        Role::User,
        "Port the parser. Never touch vendor/.",
    )];
    for step in 0..n_steps {
        let id = format!("c{step}");
        let output = format!("{step} {}", "reading on ".repeat(n_words));
        let call = Part::call(&id, "read_file", json!({ "file_path": format!("f{step}") }));
        let response = Part::response(&id, "read_file", json!({ "output": output }));
        for (name, role, part) in [("m", Role::Model, call), ("r", Role::User, response)] {
            history.push(Content {
                id: format!("{name}{step}"),
                role,
                parts: vec![part],
            });
        }
    }
    history.push(Content::text("done", Role::Model, "That was all of it."));
    history
}

#[test]
fn an_answer_ends_a_prompt() {
    let mut driver = Driver::new(dialogue(100_000, Vec::new()));
    driver.step(prompt("Hello"));
    assert!(matches!(
        driver.answer(&[say::text("Hi.")]),
        Next::End(End::Answered)
    ));
    assert_eq!(driver.way(), "prepare route Asked ask Said end");
    let roles: Vec<_> = driver
        .dialogue
        .history()
        .iter()
        .map(|turn| turn.role)
        .collect();
    assert_eq!(roles, [Role::User, Role::Model]);
}

#[test]
fn tools_are_answered_in_a_turn_of_their_own_and_the_model_is_asked_again() {
    let mut driver = Driver::new(dialogue(100_000, Vec::new()));
    driver.step(prompt("Read both"));
    let calls = [
        say::call_without_id("read_file", json!({"file_path": "a"})),
        say::call("x", "read_file", json!({})),
        say::call("x", "glob", json!({})),
    ];
    let Next::Run(calls) = driver.answer(&calls) else {
        panic!("no tool is to run")
    };
    let ids: std::collections::BTreeSet<_> =
        calls.iter().map(|call| call.id.clone().unwrap()).collect();
    assert_eq!(
        (calls.len(), ids.len()),
        (3, 3),
        "each call has a name of its own"
    );
    assert_eq!(calls[1].id.as_deref(), Some("x"));
    assert!(matches!(driver.run(&calls, "text"), Next::Ask));
    assert_eq!(
        driver.way(),
        "prepare route Asked ask Said run Ran prepare ask"
    );
    let answered = driver.dialogue.history().last().unwrap();
    assert_eq!(answered.responses().count(), 3);
    assert_eq!(
        answered.id,
        format!("{}_response", driver.dialogue.history()[1].id)
    );
    driver.answer(&[say::text("Done.")]);
    assert_eq!(driver.dialogue.history().len(), 4);
}

#[test]
fn a_call_that_has_the_name_of_an_earlier_one_gets_another() {
    let mut driver = Driver::new(dialogue(100_000, Vec::new()));
    driver.step(prompt("go"));
    let mut names = Vec::new();
    for n in 0..3 {
        let Next::Run(calls) = driver.answer(&[say::call("1", "look", json!({ "n": n }))]) else {
            panic!("{}", driver.way())
        };
        driver.run(&calls, "seen");
        names.extend(calls.into_iter().filter_map(|call| call.id));
    }
    assert_eq!(names.first().unwrap(), "1");
    let resumed = dialogue(100_000, driver.dialogue.history().to_vec());
    let mut driver = Driver::new(resumed);
    driver.step(prompt("go on"));
    let Next::Run(calls) = driver.answer(&[say::call("1", "look", json!({}))]) else {
        panic!("{}", driver.way())
    };
    names.extend(calls.into_iter().filter_map(|call| call.id));
    let n_names = names.len();
    names.sort();
    names.dedup();
    assert_eq!((n_names, names.len()), (4, 4), "{names:?}");
}

#[test]
fn a_prompt_that_nobody_answered_leaves_no_trace_and_what_tools_did_stays() {
    let mut driver = Driver::new(dialogue(100_000, Vec::new()));
    driver.step(prompt("Hello"));
    let next = driver.step(Event::Unanswered(Unanswered::Failed));
    assert!(matches!(next, Next::End(End::Unanswered)));
    assert!(driver.dialogue.history().is_empty());

    driver.step(prompt("Read it"));
    let Next::Run(calls) = driver.answer(&[say::call("1", "read_file", json!({}))]) else {
        panic!("no tool is to run")
    };
    driver.run(&calls, "text");
    assert!(matches!(
        driver.step(Event::Cancelled),
        Next::End(End::Cancelled)
    ));
    assert_eq!(driver.dialogue.history().len(), 3);

    driver.step(prompt("Go on"));
    let texts: Vec<_> = driver
        .dialogue
        .history()
        .iter()
        .flat_map(Content::texts)
        .collect();
    assert_eq!(texts, ["Read it", curate::INTERRUPTED, "Go on"]);
    assert_eq!(faults(&driver.dialogue.request(Wire::Gemini)), []);
}

#[test]
fn turns_are_limited_for_a_prompt_and_for_a_session() {
    let call = |n: usize| [say::call("1", "read_file", json!({ "file_path": n }))];
    for (max_turns, max_session_turns) in [(3, None), (100, Some(3))] {
        let options = Options {
            max_turns,
            max_session_turns,
            ..options()
        };
        let mut driver = Driver::new(Dialogue::new(
            options,
            limits(100_000),
            Gauge::new(0),
            Vec::new(),
        ));
        driver.step(prompt("Read all"));
        for n in 0..2 {
            let Next::Run(calls) = driver.answer(&call(n)) else {
                panic!("no tool is to run")
            };
            assert!(matches!(driver.run(&calls, "text"), Next::Ask));
        }
        let Next::Run(calls) = driver.answer(&call(2)) else {
            panic!("no tool is to run")
        };
        assert!(matches!(
            driver.run(&calls, "text"),
            Next::End(End::TurnLimit)
        ));
        assert_eq!(
            driver
                .dialogue
                .history()
                .last()
                .unwrap()
                .responses()
                .count(),
            1
        );
    }
}

#[test]
fn a_model_that_goes_in_circles_is_told_once_and_then_stopped() {
    let mut driver = Driver::new(dialogue(100_000, Vec::new()));
    let mut next = driver.step(prompt("Read it"));
    let mut n_asked = 0;
    while !matches!(next, Next::End(_)) {
        n_asked += 1;
        assert!(n_asked < 40, "{}", driver.way());
        next = driver.answer(&[say::call("1", "read_file", json!({ "file_path": "a" }))]);
        if let Next::Run(calls) = &next {
            let calls = calls.clone();
            next = driver.run(&calls, "the same");
        }
    }
    assert!(matches!(next, Next::End(End::Loop)));
    let way = driver.way();
    assert_eq!(way.matches("Loop").count(), 2, "{way}");
    let nudges = driver.dialogue.history().iter().flat_map(Content::texts);
    assert_eq!(
        nudges
            .filter(|text| text.contains("`read_file` was called"))
            .count(),
        1
    );
}

#[test]
fn what_a_void_attempt_said_is_no_loop() {
    let mut driver = Driver::new(dialogue(100_000, Vec::new()));
    driver.step(prompt("Hello"));
    let chant = say::text("I will look at the file once more, to be quite sure. ");
    for _ in 0..3 {
        for _ in 0..6 {
            assert_eq!(driver.dialogue.hear(&chant), Heed::GoOn);
        }
        driver.dialogue.start_over();
    }
}

#[test]
fn a_long_history_is_compressed_before_something_is_sent_and_memory_is_prepared_again() {
    let mut driver = Driver::new(dialogue(20_000, worked(60, 150)));
    let before = driver.dialogue.used_tokens();
    assert!(matches!(driver.step(prompt("Go on")), Next::Ask));
    let way = driver.way();
    assert!(way.contains("write Compressed prepare"), "{way}");
    assert!(driver.dialogue.used_tokens() * 2 < before);
    let texts: Vec<_> = driver
        .dialogue
        .history()
        .iter()
        .flat_map(Content::texts)
        .collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("Never touch vendor/."))
    );
    assert_eq!(texts.last(), Some(&"Go on"));
    assert_eq!(faults(&driver.dialogue.request(Wire::Gemini)), []);
}

#[test]
fn a_disk_that_refuses_keeps_nobody_from_going_on() {
    let mut driver = Driver::new(dialogue(1_000_000, worked(90, 900)));
    driver.disk = Kept::Failed;
    assert!(matches!(driver.step(prompt("Go on")), Next::Ask));
    let way = driver.way();
    assert!(way.contains("keep"), "{way}");
    assert!(!way.contains("Swapped"), "{way}");
    let mut driver = Driver::new(dialogue(1_000_000, worked(90, 900)));
    driver.step(prompt("Go on"));
    assert!(driver.way().contains("keep Swapped"));
}

#[test]
fn a_prompt_that_does_not_fit_is_not_sent() {
    let mut driver = Driver::new(dialogue(8_000, Vec::new()));
    let next = driver.step(prompt(&"too much ".repeat(20_000)));
    assert!(matches!(next, Next::End(End::Overflow(_))), "{next:?}");
    assert!(driver.dialogue.history().is_empty());
    assert!(matches!(driver.step(prompt("Hello")), Next::Ask));
}

#[test]
fn a_call_that_fills_the_window_by_itself_does_not_end_a_session() {
    let mut driver = Driver::new(dialogue(16_000, Vec::new()));
    driver.step(prompt("Write it"));
    let long = "a line of a long file\n".repeat(20_000);
    let write = say::call(
        "1",
        "write_file",
        json!({ "file_path": "a", "content": long }),
    );
    let Next::Run(calls) = driver.answer(&[write]) else {
        panic!("no tool is to run")
    };
    assert!(matches!(driver.run(&calls, "Written."), Next::Ask));
    driver.answer(&[say::text("Done.")]);
    assert!(matches!(driver.step(prompt("And now?")), Next::Ask));
}

#[test]
fn a_long_run_of_tools_is_compressed_as_often_as_it_fills_the_window() {
    let mut n_all = 0;
    // What a server counts for a word may be more or less than our estimate of it.
    for (n_words, percent) in [
        (200, None),
        (100, Some(60)),
        (200, Some(60)),
        (200, Some(140)),
        (400, Some(100)),
    ] {
        let mut driver = Driver::new(dialogue(8_192, Vec::new()));
        let mut next = driver.step(prompt("Read all files"));
        for n in 0..90 {
            let case = format!("{n_words} words, {percent:?} percent, file {n}");
            assert!(matches!(next, Next::Ask), "{case}: {next:?}");
            let sent = weigh::history(driver.dialogue.history(), Profile::Analects);
            let counted = u64::try_from(sent).unwrap() * percent.unwrap_or(0) / 100;
            let mut pieces = vec![say::call(
                &format!("c{n}"),
                "read_file",
                json!({ "file_path": format!("f{n}") }),
            )];
            pieces.extend(percent.map(|_| say::usage(counted, 20)));
            let Next::Run(calls) = driver.answer(&pieces) else {
                panic!("{case}: no tool is to run")
            };
            next = driver.run(
                &calls,
                &format!("file {n}: {}", "reading on ".repeat(n_words)),
            );
        }
        let n_compressions = driver.way().matches("Compressed").count();
        assert!(n_compressions > 0, "{n_words} words, {percent:?} percent");
        n_all += n_compressions;
    }
    assert!(n_all > 20, "{n_all}");
}

#[test]
fn a_server_that_finds_a_request_too_large_gets_a_smaller_one_once() {
    let mut driver = Driver::new(dialogue(1_000_000, worked(40, 100)));
    driver.step(prompt("Go on"));
    let n_before = driver.dialogue.history().len();
    assert!(matches!(
        driver.step(Event::Unanswered(Unanswered::TooLarge)),
        Next::Ask
    ));
    assert!(driver.dialogue.history().len() < n_before);
    let next = driver.step(Event::Unanswered(Unanswered::TooLarge));
    assert!(matches!(next, Next::End(End::Unanswered)));
}

#[test]
fn a_model_with_a_smaller_window_gets_a_history_that_fits() {
    let mut driver = Driver::new(dialogue(1_000_000, worked(60, 150)));
    driver.routed = limits(20_000);
    assert!(matches!(driver.step(prompt("Go on")), Next::Ask));
    let way = driver.way();
    assert!(
        way.starts_with("prepare route keep Swapped write Compressed"),
        "{way}"
    );
    assert_eq!(way.matches("route").count(), 1, "{way}");
}

#[test]
fn what_an_editor_says_goes_along_with_a_prompt_and_with_nothing_else() {
    let mut dialogue = dialogue(100_000, Vec::new());
    let Next::Prepare { editor: Want::Yes } = dialogue.step(prompt("Hello")).next else {
        panic!("a prompt may have it")
    };
    let ready = Ready {
        editor: Some("open: a.rs".to_owned()),
        ..Ready::default()
    };
    dialogue.step(Event::Prepared(ready));
    dialogue.step(Event::Routed(limits(100_000)));
    let texts: Vec<_> = dialogue.history().iter().flat_map(Content::texts).collect();
    assert_eq!(texts, ["open: a.rs", "Hello"]);
    let run = dialogue.step(heard(&[say::call("1", "glob", json!({}))]));
    assert!(matches!(run.next, Next::Run(_)));
    let step = dialogue.step(Event::Ran(vec![Part::response("1", "glob", json!({}))]));
    assert!(matches!(step.next, Next::Prepare { editor: Want::No }));
}

#[test]
fn a_model_that_wanted_to_go_on_goes_on() {
    let options = Options {
        next_speaker: Want::Yes,
        ..options()
    };
    let dialogue = Dialogue::new(options, limits(100_000), Gauge::new(0), Vec::new());
    let mut driver = Driver::new(dialogue);
    driver.step(prompt("Read it"));
    let next = driver.answer(&[say::text("Now I will read it.")]);
    assert!(matches!(next, Next::Listen(_)));
    let on = r#"{"reasoning": "it announced a step", "next_speaker": "model"}"#;
    assert!(matches!(
        driver.step(Event::Spoke(Some(on.to_owned()))),
        Next::Ask
    ));
    let last = driver.dialogue.history().last().unwrap();
    assert!(last.texts().eq(["Please continue."]));
    driver.answer(&[say::text("It says seven.")]);
    for nothing in [None, Some("no JSON"), Some(r#"{"next_speaker": "user"}"#)] {
        driver.dialogue.stage = Stage::Listening;
        let next = driver.step(Event::Spoke(nothing.map(str::to_owned)));
        assert!(matches!(next, Next::End(End::Answered)));
    }
}

#[test]
fn whoever_says_something_else_than_was_asked_is_told() {
    let mut dialogue = dialogue(100_000, Vec::new());
    let step = dialogue.step(Event::Ran(Vec::new()));
    assert!(matches!(step.next, Next::End(End::OutOfStep)));
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        "[a-z][a-z ]{0,39}".prop_map(|text| say::text(&text)),
        ("[ab]?", 0..3_u8).prop_map(|(id, n)| say::call(&id, "read_file", json!({ "n": n }))),
        Just(say::call_without_id("glob", json!({}))),
    ]
}

proptest! {
    /// Whatever a model, its tools and a disk do, what is sent is valid.
    #[test]
    fn what_is_sent_is_valid_whatever_happens(
        answers in prop::collection::vec((prop::collection::vec(piece(), 1..4), 0..8_u8, 0..3_000_usize), 1..30),
        window_tokens in 2_000..40_000_usize,
        disk in prop_oneof![Just(Kept::Saved), Just(Kept::Failed)],
    ) {
        let mut driver = Driver::new(dialogue(window_tokens, Vec::new()));
        driver.disk = disk;
        let mut next = driver.step(prompt("Begin"));
        for (n, (pieces, fate, n_words)) in answers.iter().enumerate() {
            if let Next::Ask = next {
                for wire in [Wire::Gemini, Wire::OpenAi, Wire::Anthropic] {
                    prop_assert_eq!(faults(&driver.dialogue.request(wire)), []);
                }
                prop_assert!(driver.dialogue.used_tokens() <= window_tokens);
            }
            next = match (next, fate) {
                (Next::End(_), _) => driver.step(prompt(&format!("Again {n}"))),
                (_, 0) => driver.step(Event::Cancelled),
                (Next::Ask, 1) => driver.step(Event::Unanswered(Unanswered::Failed)),
                (Next::Ask, 2) => driver.step(Event::Unanswered(Unanswered::TooLarge)),
                (Next::Ask, _) => driver.answer(pieces),
                (Next::Run(calls), _) => driver.run(&calls, &"word ".repeat(*n_words)),
                (next, _) => next,
            };
            let is_half = |part: &Part| matches!(&part.body, Body::Call(call) if call.id.is_none());
            prop_assert!(!driver.dialogue.history().iter().flat_map(|turn| &turn.parts).any(is_half));
        }
    }
}
