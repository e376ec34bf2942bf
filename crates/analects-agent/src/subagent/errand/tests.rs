//! When a sub-agent stops, and what it leaves behind.

mod always;
mod grace;

use analects_chat::answer::{Answer, Heard};
use analects_chat::budget::Gauge;
use analects_chat::faults::faults;
use analects_chat::keep::Kept;
use analects_chat::limits::{Limits as Window, Wishes};
use analects_chat::loops;
use analects_testkit::say;
use analects_world::Profile;
use analects_world::model::Role;
use analects_world::models::{Event as Piece, Wire};
use serde_json::{Value, json};

use super::*;
use crate::turn::{Heed, Options, Ready, Unanswered, Want, Written};

const LIMITS: Limits = Limits {
    max_turns: 3,
    max_ms: 1_000,
};

/// Somebody who does what an errand wants, and writes down what that was.
struct Driver {
    errand: Errand,
    now_ms: u64,
    way: Vec<String>,
    n_asked: usize,
    /// Calls that were answered for without a tool, as whoever records them sees it.
    recorded: Vec<Answered>,
}

impl Driver {
    fn new(limits: Limits) -> Self {
        Self::with(limits, 100_000, Output::usual())
    }

    fn with(limits: Limits, window_tokens: usize, output: Output) -> Self {
        Self::after(limits, window_tokens, output, Vec::new())
    }

    /// On a dialogue that has a past.
    fn after(limits: Limits, window_tokens: usize, output: Output, past: Vec<Content>) -> Self {
        let options = Options {
            session: "s".to_owned(),
            max_session_turns: Some(1),
            max_turns: 1,
            exempt: Vec::new(),
            loops: loops::Options {
                profile: Profile::Analects,
                switch: loops::Switch::On,
                exempt_tools: Vec::new(),
                checks_per_prompt: 3,
            },
            shelf_dir: "/out".to_owned(),
            next_speaker: Want::Yes,
            plan_file: None,
        };
        let window = Window::of(window_tokens, Profile::Analects, &Wishes::default());
        let dialogue = Dialogue::new(options, window, Gauge::new(0), past);
        Self {
            errand: Errand::new(dialogue, limits, output, 0),
            now_ms: 0,
            way: Vec::new(),
            n_asked: 0,
            recorded: Vec::new(),
        }
    }

    fn begin(&mut self) -> Next {
        self.step(Event::Prompt(Content::text("p", Role::User, "Find it")))
    }

    /// Steps until a model is to be asked, tools are to run, or it is over.
    fn step(&mut self, event: Event) -> Next {
        let mut event = event;
        loop {
            let step = self.errand.step(event, self.now_ms);
            self.noted(&step.notes);
            let word = match &step.next {
                Next::Prepare { .. } => "prepare",
                Next::Keep(_) => "keep",
                Next::Write { .. } => "write",
                Next::Judge(..) => "judge",
                Next::Route => "route",
                Next::Ask => "ask",
                Next::Run(_) => "run",
                Next::Listen(_) => "listen",
                Next::End(_) => "end",
            };
            self.way.push(word.to_owned());
            event = match step.next {
                Next::Prepare { .. } => Event::Prepared(Ready::default()),
                Next::Keep(keeps) => Event::Kept(vec![Kept::Saved; keeps.len()]),
                Next::Write { .. } => Event::Written(Written::NotAsked),
                Next::Judge(..) => Event::Judged(None, SecondModel::Missing),
                Next::Route => Event::Routed(*self.errand.dialogue().limits()),
                Next::Ask => {
                    self.n_asked += 1;
                    let request = self.errand.dialogue().request(Wire::Gemini);
                    assert_eq!(faults(&request), []);
                    let is_whole = !self.way.iter().any(|word| word == "Compressed");
                    let mut texts = request.iter().flat_map(Content::texts);
                    assert!(!is_whole || texts.any(|text| text == "Find it"));
                    return Next::Ask;
                }
                next => return next,
            };
        }
    }

    /// What a note is about is the last turn at the time when it is told.
    fn noted(&mut self, notes: &[Note]) {
        for note in notes {
            let last = self.errand.dialogue().history().last();
            match note {
                Note::Said => assert_eq!(last.map(|turn| turn.role), Some(Role::Model)),
                Note::Ran => assert!(last.unwrap().responses().count() > 0),
                _ => {}
            }
            let text = format!("{note:?}");
            let name = text.split(['(', ' ']).next().unwrap_or_default();
            self.way.push(name.to_owned());
        }
        let has_run = notes.iter().any(|note| matches!(note, Note::Ran));
        assert!(has_run || self.errand.answered().is_empty());
        self.recorded.extend_from_slice(self.errand.answered());
    }

    fn answer(&mut self, pieces: &[Piece]) -> Next {
        for piece in pieces {
            if self.errand.dialogue_mut().hear(piece) == Heed::Stop {
                return self.step(Event::Unanswered(Unanswered::Failed));
            }
        }
        self.step(Event::Heard(whole(pieces)))
    }

    /// Answers, and has the tools run that are called.
    fn turn(&mut self, pieces: &[Piece]) -> Next {
        match self.answer(pieces) {
            Next::Run(calls) => self.run(&calls, "seen"),
            next => next,
        }
    }

    fn run(&mut self, calls: &[Call], output: &str) -> Next {
        let parts = calls.iter().map(|call| {
            let id = call.id.clone().unwrap();
            Part::response(id, &call.name, json!({ "output": output }))
        });
        let parts = parts.collect();
        self.step(Event::Ran(parts))
    }

    fn finished(&self) -> &Finished {
        self.errand.finished().expect("it is over")
    }

    fn last(&self) -> &Content {
        self.errand.dialogue().history().last().unwrap()
    }

    /// The responses of the last turn.
    fn responses(&self) -> Vec<String> {
        let responses = self.last().responses();
        responses
            .map(|response| format!("{} {}", response.name, response.response))
            .collect()
    }
}

fn whole(pieces: &[Piece]) -> Heard {
    let mut answer = Answer::default();
    for piece in pieces {
        answer.hear(piece.clone());
    }
    answer.hear(say::done());
    answer.end().unwrap()
}

fn look(n: usize) -> Piece {
    say::call("1", "read_file", json!({ "file_path": n }))
}

fn complete(args: Value) -> Piece {
    say::call_without_id(COMPLETE, args)
}

fn done(text: &str) -> Piece {
    complete(json!({ "result": text }))
}

const COMPLETE: &str = crate::subagent::COMPLETE_TASK;

#[test]
fn a_task_that_is_completed_is_over_and_its_last_turn_is_answered() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.turn(&[look(1)]);
    driver.now_ms = 70;
    driver.errand.waited(20);
    let Next::Run(calls) = driver.answer(&[done("Found.")]) else {
        panic!("{:?}", driver.way)
    };
    assert_eq!(calls, [], "nobody else answers it");
    assert!(matches!(driver.run(&[], ""), Next::End(End::Answered)));
    let finished = driver.finished();
    assert_eq!(finished.reason, Reason::Goal);
    assert_eq!(finished.text().as_deref(), Some("Found."));
    assert_eq!((finished.n_turns, finished.ms), (2, 50));
    assert_eq!(
        driver.way.join(" "),
        "prepare route Asked ask Said run Ran prepare ask Said run Ran end"
    );
    assert_eq!(
        driver.responses(),
        [r#"complete_task {"output":"The task is complete."}"#]
    );
    assert_eq!(faults(driver.errand.dialogue().history()), []);
    assert_eq!(driver.recorded.len(), 1);
    let again = driver.errand.step(Event::Cancelled, 80);
    assert!(matches!(again.next, Next::End(_)));
    assert_eq!(driver.finished().reason, Reason::Goal);
}

#[test]
fn whatever_else_was_called_runs_first_and_the_first_result_counts() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    let Next::Run(calls) = driver.answer(&[
        complete(json!({ "result": 7 })),
        look(1),
        done("One."),
        look(2),
        done("Two."),
    ]) else {
        panic!("{:?}", driver.way)
    };
    let names: Vec<_> = calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["read_file", "read_file"]);
    driver.now_ms = 5_000;
    assert!(matches!(
        driver.run(&calls, "seen"),
        Next::End(End::Answered)
    ));
    assert_eq!(driver.finished().text().as_deref(), Some("One."));
    assert_eq!(
        driver.responses(),
        [
            r#"complete_task {"error":"The task is not complete: `result` must be of the type string, not number. Call `complete_task` again."}"#,
            r#"read_file {"output":"seen"}"#,
            r#"complete_task {"output":"The task is complete."}"#,
            r#"read_file {"output":"seen"}"#,
            r#"complete_task {"error":"The task is complete already: the first result counts, and this one does not."}"#,
        ]
    );
}

#[test]
fn a_result_of_the_wrong_shape_can_be_handed_in_again() {
    let output = Output {
        name: "report".to_owned(),
        description: String::new(),
        schema: json!({ "type": "object", "required": ["response"] }),
    };
    let mut driver = Driver::with(LIMITS, 100_000, output);
    driver.begin();
    assert!(matches!(driver.turn(&[done("Found.")]), Next::Ask));
    assert!(
        driver.responses()[0].contains("`report` is missing"),
        "{:?}",
        driver.responses()
    );
    let report = json!({ "report": { "response": "Found." } });
    assert!(matches!(driver.turn(&[complete(report)]), Next::End(_)));
    let text = driver.finished().text();
    assert_eq!(
        text.as_deref(),
        Some("{\n  \"response\": \"Found.\"\n}"),
        "with two blanks"
    );
}

#[test]
fn a_tool_that_nobody_answered_for_is_answered_for() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    let Next::Run(calls) = driver.answer(&[look(1), look(2)]) else {
        panic!("{:?}", driver.way)
    };
    let seen = Part::text("a rule that holds there");
    let second = calls[1].id.clone().unwrap();
    let response = Part::response(second, "read_file", json!({ "output": "seen" }));
    assert!(matches!(
        driver.step(Event::Ran(vec![seen, response])),
        Next::Ask
    ));
    assert_eq!(
        driver.responses(),
        [
            r#"read_file {"error":"This was stopped before it had an answer."}"#,
            r#"read_file {"output":"seen"}"#
        ]
    );
    assert!(driver.last().texts().eq(["a rule that holds there"]));
    assert_eq!(faults(driver.errand.dialogue().history()), []);
}

#[test]
fn somebody_who_cancels_ends_it_at_once() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.now_ms = LIMITS.max_ms - 1;
    assert!(matches!(
        driver.step(Event::Cancelled),
        Next::End(End::Cancelled)
    ));
    assert_eq!(driver.finished().reason, Reason::Aborted);

    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.answer(&[look(1)]);
    assert!(matches!(
        driver.step(Event::Cancelled),
        Next::End(End::Cancelled)
    ));
    assert_eq!(driver.finished().reason, Reason::Aborted);
    assert_eq!(faults(driver.errand.dialogue().history()), []);
}

#[test]
fn a_model_that_goes_in_circles_is_stopped_without_another_turn() {
    let mut driver = Driver::new(Limits {
        max_turns: 100,
        ..LIMITS
    });
    let mut next = driver.begin();
    while matches!(next, Next::Ask) {
        next = driver.turn(&[look(1)]);
    }
    assert!(matches!(next, Next::End(End::Loop)), "{next:?}");
    assert_eq!(driver.finished().reason, Reason::Loop);
}

#[test]
fn a_model_that_does_not_answer_and_a_task_that_does_not_fit_end_it() {
    let mut driver = Driver::new(LIMITS);
    driver.begin();
    driver.step(Event::Unanswered(Unanswered::Failed));
    assert_eq!(driver.finished().reason, Reason::Error);

    let mut driver = Driver::with(LIMITS, 8_000, Output::usual());
    let long = "too much ".repeat(20_000);
    driver.step(Event::Prompt(Content::text("p", Role::User, long)));
    assert_eq!(driver.finished().reason, Reason::Overflow);
    assert_eq!(driver.finished().n_turns, 0);
}

#[test]
fn a_long_history_is_compressed_and_the_task_goes_on() {
    let limits = Limits {
        max_turns: 100,
        ..LIMITS
    };
    let mut driver = Driver::with(limits, 20_000, Output::usual());
    driver.begin();
    for n in 0..60 {
        let Next::Run(calls) = driver.answer(&[look(n)]) else {
            panic!("{:?}", driver.way)
        };
        let output = format!("{n} {}", "reading on ".repeat(150));
        assert!(matches!(driver.run(&calls, &output), Next::Ask));
    }
    let way = driver.way.join(" ");
    assert!(way.contains("write Compressed prepare"), "{way}");
    assert!(driver.errand.dialogue().history().len() < 120);
    assert!(matches!(driver.turn(&[done("Read.")]), Next::End(_)));
    assert_eq!(driver.finished().reason, Reason::Goal);
    assert_eq!(driver.finished().n_turns, 61);
}
