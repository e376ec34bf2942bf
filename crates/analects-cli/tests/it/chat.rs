//! The chat as a person has it: a real terminal, keys, and a server that plays the model.

mod background;
mod consent;
mod first;
mod hostile;
mod leaving;
mod long;
mod pausing;
mod talking;
mod together;
mod window;

use std::fs;

use analects_world::models::Wire;

use crate::agent::stage::Stage;
use crate::models::variables;
use crate::screen::{Screen, Size};

/// A chat with a model, in a folder that is trusted.
fn open(stage: &Stage) -> Screen {
    open_with(stage, &[], &[], Size::USUAL)
}

/// The same with more arguments and variables, in any window.
fn open_with(stage: &Stage, args: &[&str], vars: &[(&str, &str)], size: Size) -> Screen {
    let args = [&["--trust", "-m", "a-model"], args].concat();
    let screen = Screen::start(&stage.sandbox, &args, all_vars(stage, vars), size);
    ready(&screen);
    screen
}

/// What tells a program where the model is, and more.
fn all_vars(stage: &Stage, vars: &[(&str, &str)]) -> Vec<(String, String)> {
    let more = vars
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    let all = variables(&stage.server, stage.wire).into_iter().chain(more);
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Waits until a line can be typed, and nothing stands in it.
fn ready(screen: &Screen) {
    screen.wait_until("an empty line to type in", is_ready);
}

fn is_ready(screen: &vt100::Screen) -> bool {
    let (row, column) = screen.cursor_position();
    let row = screen.rows(0, screen.size().1).nth(usize::from(row));
    column == 2 && row.is_some_and(|row| row.trim_end() == ">")
}

/// Sends a line. Once it is seen, an empty line is the next one.
fn say(screen: &Screen, line: &str) {
    screen.type_text(line);
    screen.wait_until(line, |screen| !is_ready(screen));
    screen.keys("Enter");
}

/// On one wire: how each of them is spoken is shown elsewhere.
const WIRE: Wire = Wire::Gemini;

/// What the last recorded session of the repository can say for itself.
fn goes_on(stage: &Stage, words: &[&str]) {
    let ran = stage.talk(&["--resume", "latest", "-p", "Go on."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let last = stage.asked().pop().unwrap();
    for word in words.iter().chain(&["Go on."]) {
        assert!(last.contains(word), "{word}: {last}");
    }
}

/// A file of the sandbox, if it is there.
fn file(stage: &Stage, path: &str) -> Option<String> {
    fs::read_to_string(stage.sandbox.path(path)).ok()
}

/// A long text that does not go in circles.
fn reeds(n_sentences: usize, about: usize) -> String {
    let things = [
        "reeds", "herons", "boats", "mills", "frogs", "stones", "bridges",
    ];
    let thing = |n: usize| things[n % things.len()];
    (0..n_sentences)
        .map(|n| {
            let (first, second) = (thing(n + about), thing(n * n + 3 * about + 1));
            format!(
                "Of {first} number {} it is said that {second} {} came before. ",
                n * 37 + about,
                n * 11
            )
        })
        .collect()
}
