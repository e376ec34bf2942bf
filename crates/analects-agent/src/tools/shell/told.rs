//! What the model reads about a command that ran.
//!
//! The sections are those of Gemini CLI. What was printed stands between tags that it cannot close itself; what we say
//! about it stands outside them, so that a command cannot say it in our place.

use std::borrow::Cow;
use std::fmt::Write;

use analects_text::decode::{Cut, decode};
use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::{hidden, screen};
use analects_world::shell::{Command, Ended, How, Limit};

use super::collect::Collected;
use crate::tools::look::harmless;

const TAG: &str = "untrusted_context";
const DROPPED: &str = "Dropped:";

const DELIMITERS: Delimiters = Delimiters {
    tags: &[TAG],
    rulers: &[],
    comments: &[],
    notes: &["dropped:"],
};

/// How many characters are enough to see that something is not text.
const SAMPLE_CHARS: usize = 4_096;

/// What is told of a command.
#[derive(Debug)]
pub(super) struct Told {
    /// To the model.
    pub(super) text: String,
    /// To a person, in one line.
    pub(super) shown: String,
}

/// What is told of a command that was run.
pub(super) fn told(collected: Collected, command: &Command<'_>, ended: &Ended) -> Told {
    let Printed { text, size } = printed(&collected);
    let printed = if text.is_empty() { "(empty)" } else { &text };
    let mut text = format!("<{TAG}>\nOutput: {printed}\n</{TAG}>");
    let outcome = outcome(command, ended);
    if let Some((section, said)) = &outcome {
        text.extend(["\n", section, ": ", said]);
    }
    if !ended.left.is_empty() {
        text.push_str("\nBackground PIDs: ");
        push_numbers(&mut text, &ended.left);
    }
    let how = match (ended.how, outcome) {
        (How::Left, _) => "runs on, ".to_owned(),
        (How::Code(code), Some(_)) => format!("exit code {code}, "),
        (How::Signal(_), Some((_, signal))) => format!("signal {signal}, "),
        (_, Some((_, error))) => format!("{error}, "),
        (_, None) => String::new(),
    };
    let shown = how + &size;
    Told { text, shown }
}

/// The section that says how it ended, unless it ended well.
fn outcome(command: &Command<'_>, ended: &Ended) -> Option<(&'static str, String)> {
    let time = |ms: Option<u64>| match ms.unwrap_or_default() {
        ms if ms.is_multiple_of(1_000) => format!("{} s", ms / 1_000),
        ms => format!("{ms} ms"),
    };
    let why = match ended.how {
        How::Code(0) | How::Left => return None,
        How::Code(code) => return Some(("Exit Code", code.to_string())),
        How::Signal(number) => return Some(("Signal", signal(number))),
        How::Cancelled => "cancelled before it was done".to_owned(),
        How::TimedOut(Limit::Idle) => {
            format!("ended after {} without output", time(command.idle_ms))
        }
        How::TimedOut(Limit::Whole) => format!("ended after {}", time(command.whole_ms)),
    };
    let more = match ended.left.is_empty() {
        true => "",
        false => "; not all that it started could be ended",
    };
    Some(("Error", why + more))
}

fn signal(number: i32) -> String {
    let name = match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        // The others have other numbers elsewhere.
        _ => return number.to_string(),
    };
    format!("{number} ({name})")
}

fn push_numbers(text: &mut String, numbers: &[u32]) {
    for (idx, number) in numbers.iter().enumerate() {
        let comma = if idx == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{number}");
    }
}

/// What was printed, as a reader sees it, and harmless.
struct Printed {
    text: String,
    /// How much it is, for a person.
    size: String,
}

fn printed(collected: &Collected) -> Printed {
    let Collected {
        head,
        n_dropped,
        tail,
    } = collected;
    let n_all = head.len() as u64 + n_dropped + tail.len() as u64;
    let head = decode(head, Cut::Whole).text;
    if is_binary(&head) {
        let size = format!("binary, {n_all} bytes");
        let text = format!("({size})");
        return Printed { text, size };
    }
    let mut text = clean(&head);
    if *n_dropped > 0 {
        let tail = clean(&decode(tail, Cut::Whole).text);
        let _ = write!(
            text,
            "\n[{DROPPED} {n_dropped} bytes that were printed here]\n{tail}"
        );
    }
    let text = trimmed(&text).to_owned();
    let size = match (n_dropped, text.lines().count()) {
        (1.., _) => format!("{n_all} bytes"),
        (0, 0) => "no output".to_owned(),
        (0, 1) => "1 line".to_owned(),
        (0, n_lines) => format!("{n_lines} lines"),
    };
    Printed { text, size }
}

/// Without empty lines around it; an indented first line stays indented.
fn trimmed(text: &str) -> &str {
    text.trim_start_matches('\n').trim_end()
}

fn clean(text: &str) -> String {
    let seen = screen::shown(text);
    let seen = hidden::without(&seen);
    let safe = neutralise(&seen, &DELIMITERS);
    match harmless(&safe) {
        Cow::Borrowed(_) => safe.into_owned(),
        Cow::Owned(safe) => safe,
    }
}

/// Whether hardly anybody could read it: lists with NULs between their items are still read.
fn is_binary(text: &str) -> bool {
    let sample = text.chars().take(SAMPLE_CHARS);
    let (mut n_chars, mut n_strange) = (0_usize, 0_usize);
    for c in sample {
        n_chars += 1;
        n_strange += usize::from(c == char::REPLACEMENT_CHARACTER);
    }
    n_strange * 10 > n_chars * 3
}
