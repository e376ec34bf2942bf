//! What tools did: files, commands, what went wrong, what was printed.

use std::collections::HashMap;

use super::super::census::is_unspaced;
use super::super::cues::{is_reading, is_trouble};
use super::super::deeds::{Deed, Outcome, Touch};
use super::super::item::{Class, Item};
use super::{Reading, Section, line, lines_of};

const COMMAND_BYTES: usize = 240;
const LINE_BYTES: usize = 300;
const PURPOSE_BYTES: usize = 160;
/// How many lines of trouble say what went wrong; the rest of one output is echo.
const TROUBLE_LINES: usize = 12;
/// An output of so few lines was printed to be read.
const SHORT_LINES: usize = 15;
/// A command that tells less is only told if it is one of the newest.
const MIN_COMMAND: f32 = 2.1;
const RECENT: usize = 20;
/// A line that is worth less is not even a candidate.
const MIN_WORTH: f32 = 1.2;

pub(super) fn done(reading: &Reading<'_>, items: &mut Vec<Item>) {
    files(reading, items);
    commands(reading, items);
    plan(reading, items);
    for (nth, deed) in reading.deeds.iter().enumerate() {
        printed(reading, nth, deed, items);
    }
}

/// Each file once, with what became of it last.
fn files(reading: &Reading<'_>, items: &mut Vec<Item>) {
    let mut known: HashMap<&str, (Touch, usize, Option<&str>)> = HashMap::new();
    for (nth, deed) in reading.deeds.iter().enumerate() {
        if matches!(deed.outcome, Outcome::Failed(_)) && deed.command.is_none() {
            continue;
        }
        for (touch, path) in &deed.touches {
            let (known, at, purpose) = known.entry(path).or_insert((*touch, nth, None));
            *known = after(*known, *touch);
            *at = nth;
            *purpose = deed.purpose.filter(|_| *touch != Touch::Read).or(*purpose);
        }
    }
    for (path, (touch, nth, purpose)) in known {
        let value = match touch {
            Touch::Read => 0.8,
            Touch::Created | Touch::Modified | Touch::Deleted => 2.5,
        };
        let (section, text) = match purpose {
            Some(purpose) => {
                let why = line(purpose, PURPOSE_BYTES);
                let text = format!("{path} {}: {why}", touch.as_str());
                (Section::Artifacts, text)
            }
            None => (Section::Files, format!("{}: {path}", touch.as_str())),
        };
        items.push(Item {
            section,
            class: Class::File,
            text,
            at: reading.at(nth),
            value: value + 0.5 * reading.census.news(path),
        });
    }
}

/// What a file is after something else became of it.
fn after(before: Touch, now: Touch) -> Touch {
    match (before, now) {
        (before, Touch::Read) => before,
        (Touch::Created, Touch::Modified) => Touch::Created,
        // What was read or changed before was there before.
        (Touch::Read | Touch::Modified, Touch::Created) => Touch::Modified,
        (_, now) => now,
    }
}

/// Each command once, with how it ended last.
fn commands(reading: &Reading<'_>, items: &mut Vec<Item>) {
    let mut known: HashMap<String, (usize, Outcome, usize)> = HashMap::new();
    for (nth, deed) in reading.deeds.iter().enumerate() {
        let Some(command) = deed.command.as_ref().filter(|_| !deed.is_only_touch) else {
            continue;
        };
        let run = known.entry(line(command, COMMAND_BYTES));
        let (count, outcome, at) = run.or_insert((0, deed.outcome, nth));
        *count += 1;
        *outcome = deed.outcome;
        *at = nth;
    }
    for (command, (count, outcome, nth)) in known {
        let times = match count {
            0 | 1 => String::new(),
            count => format!(" ×{count}"),
        };
        let (ended, weight) = match outcome {
            Outcome::Fine => (" → ok".to_owned(), 1.0),
            Outcome::Failed(Some(code)) => (format!(" → exit {code}"), 1.8),
            Outcome::Failed(None) => (" → failed".to_owned(), 1.8),
            Outcome::Unknown => (String::new(), 1.0),
        };
        let value = weight + said_in(&command) * reading.census.news(&command);
        if value < MIN_COMMAND && nth + RECENT < reading.deeds.len() {
            continue;
        }
        items.push(Item {
            section: Section::Actions,
            class: Class::Command,
            value,
            text: format!("`{command}`{times}{ended}"),
            at: reading.at(nth),
        });
    }
}

/// How much the words of a command count: more where it holds a sentence, as a commit does.
pub(super) fn said_in(command: &str) -> f32 {
    let sentence = command.split(['"', '\'']).nth(1).unwrap_or_default();
    let is_said = sentence
        .chars()
        .filter(|c| *c == ' ' || is_unspaced(*c))
        .count()
        >= 3;
    if is_said { 1.1 } else { 0.7 }
}

/// The newest plan that a tool was handed.
fn plan(reading: &Reading<'_>, items: &mut Vec<Item>) {
    let newest = reading.deeds.iter().rfind(|deed| !deed.steps.is_empty());
    if let Some(deed) = newest {
        for (nth, (mark, step)) in deed.steps.iter().enumerate() {
            items.push(Item {
                section: Section::Plan,
                class: Class::Plan,
                text: format!("{} {}", mark.as_str(), line(step, LINE_BYTES)),
                at: (deed.turn, nth),
                value: 3.0,
            });
        }
    }
}

/// Lines of an output: those that tell of trouble, and those that tell something.
fn printed(reading: &Reading<'_>, nth: usize, deed: &Deed<'_>, items: &mut Vec<Item>) {
    let is_failed = matches!(deed.outcome, Outcome::Failed(_));
    // What lies in a file can be read again; what a command printed cannot.
    let can_be_read_again = deed.command.is_none() && !is_failed;
    let n_lines = lines_of(&deed.output).take(SHORT_LINES + 1).count();
    let short = if n_lines <= SHORT_LINES { 1.6 } else { 1.0 };
    let mut n_trouble = 0;
    for (row, text) in lines_of(&deed.output).enumerate() {
        let at = (deed.turn, reading.at(nth).1.saturating_add(1 + row));
        let news = reading.census.news(text);
        if !can_be_read_again && n_trouble < TROUBLE_LINES && is_trouble(text) {
            n_trouble += 1;
            // A program that ended well may talk of errors all day.
            let value = match is_failed {
                true => (2.0 + news) * reading.among_alike(text, 0.35),
                false => (1.0 + news) * reading.among_alike(text, 0.75),
            };
            if value >= MIN_WORTH {
                items.push(Item {
                    section: Section::Actions,
                    class: Class::Trouble,
                    text: line(text, LINE_BYTES),
                    at,
                    value,
                });
            }
            continue;
        }
        if deed.touches.iter().any(|(_, path)| text.contains(&**path)) {
            continue;
        }
        let told = if is_reading(text) { 1.5 } else { 0.7 };
        let source = if can_be_read_again { 0.3 } else { 1.0 };
        let value = news * told * source * short * reading.among_alike(text, 0.75);
        if value >= MIN_WORTH {
            items.push(Item {
                section: Section::Knowledge,
                class: Class::Output,
                text: line(text, LINE_BYTES),
                at,
                value,
            });
        }
    }
}
