//! Half an hour in a minute: many turns in a small window, left and taken up again, and one thing taken back.

use analects_testkit::model_server::{Received, Script};
use analects_testkit::say as model;

use crate::agent::stage::{Stage, quiet};
use crate::chat::{WIRE, open, open_with, ready, reeds, say};
use crate::screen::{Screen, Size};

const N_TURNS: usize = 36;

/// Whether tools are offered: questions of our own have none.
fn is_chat(it: &Received) -> bool {
    it.json.get("tools").is_some()
}

/// What must be there to the end.
const FACTS: [&str; 3] = [
    "Never touch vendor/.",
    "The pond is called Heron Mere.",
    "Deploys happen on Tuesdays.",
];

fn turns(screen: &Screen, numbers: std::ops::Range<usize>) {
    for n in numbers {
        let fact = if n == 0 { FACTS[0] } else { "Go on." };
        say(
            screen,
            &format!("Question {n}: what lies behind the mill? {fact}"),
        );
        screen.wait_for(&format!("End of answer {n}."));
        ready(screen);
    }
}

fn leave(mut screen: Screen) {
    screen.keys("Ctrl-D");
    assert_eq!(screen.end().code(), Some(0), "{}", screen.text());
}

#[test]
fn a_long_conversation_keeps_what_was_planted_and_stays_valid() {
    let mut script = Script::new();
    for n in 0..N_TURNS {
        let said = model::text(&format!("{}\n\nEnd of answer {n}.", reeds(50, n)));
        script = script.turn_when(is_chat, quiet([said]));
    }
    let script = script.otherwise(|_| {
        let goal = "<overall_goal>Describe the pond.</overall_goal>";
        quiet([model::text(&format!(
            "<state_snapshot>{goal}</state_snapshot>"
        ))])
    });
    let stage = Stage::new(WIRE, script).window(16_000);
    let screen = open(&stage);
    turns(&screen, 0..6);
    say(&screen, &format!("/pin {}", FACTS[1]));
    ready(&screen);
    say(&screen, &format!("/pin {}", FACTS[2]));
    ready(&screen);
    turns(&screen, 6..14);
    leave(screen);

    let screen = open_with(&stage, &["--resume", "latest"], &[], Size::USUAL);
    turns(&screen, 14..24);
    say(&screen, "/rewind");
    // What was taken back stands in the line, to be said otherwise.
    screen.wait_for("> Question 23:").wait_for("taken back");
    screen.wait_until("the prompt in the line", |screen| {
        let (row, column) = screen.cursor_position();
        let row = screen.rows(0, screen.size().1).nth(usize::from(row));
        column > 2 && row.is_some_and(|row| row.starts_with("> Question 23:"))
    });
    screen.keys("Ctrl-C");
    ready(&screen);
    turns(&screen, 24..25);
    let last = stage.asked().pop().unwrap();
    assert!(!last.contains("Question 23:"), "it was taken back");
    leave(screen);

    let screen = open_with(&stage, &["--resume", "latest"], &[], Size::USUAL);
    turns(&screen, 25..N_TURNS);
    let requests = stage.requests();
    let n_snapshots = requests.iter().filter(|it| !is_chat(it)).count();
    assert!(n_snapshots >= 3, "{n_snapshots} compressions");
    let last = requests.iter().rfind(|it| is_chat(it)).unwrap();
    let last = last.json.to_string();
    for fact in FACTS {
        assert!(last.contains(fact), "{fact}: {last}");
    }
    leave(screen);
    let listed = stage.sandbox.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1, "{listed}");
}
