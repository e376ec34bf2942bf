//! A conversation retold for a model that learns from it: short, without secrets, each line prefixed with its origin.
//!
//! The mark in front of a line is ours and stands first: whatever a text says, it stands behind the mark of its own
//! source. Lines without a mark are ours, and hold no word of the record.

use std::fmt::Write as _;
use std::ops::Range;

use analects_session::transcript::{Outcome, ToolUse, Transcript, Turn};
use analects_text::{hidden, redact, sanitize, screen, tokens, units};

use crate::origin::{Origin, of_tool, of_turn};

/// A whole conversation costs at most about this many tokens.
pub const BUDGET_TOKENS: usize = 8_000;
/// It has at most this many lines, so that it is shown whole wherever a file is.
const MAX_LINES: usize = 900;

/// How much is told of one thing.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// Lines of the beginning and of the end of what the user said.
    user: (usize, usize),
    /// The same of what the model said.
    model: (usize, usize),
    /// The same of what a local command answered.
    command: (usize, usize),
    /// The same of everything that a stranger may have written.
    tainted: (usize, usize),
    /// UTF-16 units of a line.
    line_units: usize,
}

/// From the most to the least that is told: the first that fits is taken.
const DETAILS: [Detail; 3] = [
    Detail {
        user: (24, 12),
        model: (6, 4),
        command: (6, 8),
        tainted: (3, 2),
        line_units: 240,
    },
    Detail {
        user: (10, 4),
        model: (3, 1),
        command: (2, 4),
        tainted: (1, 1),
        line_units: 180,
    },
    Detail {
        user: (4, 2),
        model: (1, 0),
        command: (0, 2),
        tainted: (1, 0),
        line_units: 140,
    },
];

/// The conversation, retold.
#[must_use]
pub fn retold(transcript: &Transcript) -> String {
    let all = 0..transcript.turns.len();
    for detail in &DETAILS {
        let mut room = Room::new();
        if blocks(transcript, detail, all.clone(), &mut room).len() == all.len() {
            return finish(transcript, &room.text, 0);
        }
    }
    shortened(transcript)
}

/// The beginning and, at more length, the end: what does not fit into either is left out.
fn shortened(transcript: &Transcript) -> String {
    let [.., detail] = &DETAILS;
    let n_turns = transcript.turns.len();
    let mut head = Room::share(1, 3);
    let begun = blocks(transcript, detail, 0..n_turns, &mut head);
    let mut tail = Room::share(2, 3);
    let mut ending = Vec::new();
    let mut from = n_turns;
    while from > begun.len() {
        let mut one = Room::share(2, 3);
        let is_told = !blocks(transcript, detail, from - 1..from, &mut one).is_empty();
        if !is_told || !tail.take(&one.text) {
            break;
        }
        ending.push(one.text);
        from -= 1;
    }
    let n_left_out = from - begun.len();
    let mut text = head.text;
    if n_left_out > 0 {
        push(
            &mut text,
            format_args!("\n-- {n_left_out} messages left out --\n"),
        );
    }
    text.extend(ending.into_iter().rev());
    finish(transcript, &text, n_left_out)
}

/// What is told about the whole, and what was told of its turns.
fn finish(transcript: &Transcript, told: &str, n_left_out: usize) -> String {
    let head = &transcript.head;
    let id = crate::eligible::safe_id(&head.id);
    let n_prompts = transcript.prompts().count();
    let mut text = format!(
        "-- session {id} of {}, {} messages, {n_prompts} by the user --\n",
        head.agent.as_str(),
        transcript.turns.len(),
    );
    if let (Some(began), Some(ended)) = (head.started, head.updated) {
        push(&mut text, format_args!("-- from {began} to {ended} --\n"));
    }
    text.push_str(told);
    let rest = match n_left_out {
        0 => "every message is told, long ones in part",
        _ => "messages in the middle are left out",
    };
    push(
        &mut text,
        format_args!("\n-- end of the session: {rest} --\n"),
    );
    // Masked piece by piece already; this is for what only looks like a secret beside its neighbours.
    redact::mask(&text, &redact::scan(&text))
}

/// Tells of turns until there is no more room; those that were told.
fn blocks(
    transcript: &Transcript,
    detail: &Detail,
    turns: Range<usize>,
    room: &mut Room,
) -> Range<usize> {
    let from = turns.start;
    let told = transcript.turns.get(turns).unwrap_or_default();
    let n_told = told.iter().zip(from..).take_while(|(turn, turn_idx)| {
        let mut block = String::new();
        let at = turn.at.map(|at| format!(", {at}")).unwrap_or_default();
        push(
            &mut block,
            format_args!("\n-- message {}{at} --\n", turn_idx + 1),
        );
        tell(&mut block, turn, detail);
        room.take(&block) && {
            room.text.push_str(&block);
            true
        }
    });
    from..from + n_told.count()
}

/// Room for this much text, and what is in it.
struct Room {
    text: String,
    quarters: usize,
    lines: usize,
}

impl Room {
    fn new() -> Self {
        Self::share(1, 1)
    }

    /// A part of the whole room.
    fn share(of: usize, parts: usize) -> Self {
        Self {
            text: String::new(),
            quarters: BUDGET_TOKENS * 4 * of / parts,
            lines: MAX_LINES * of / parts,
        }
    }

    /// Takes room for a text, if there is enough.
    fn take(&mut self, text: &str) -> bool {
        let (quarters, lines) = (tokens::quarters(text), text.matches('\n').count());
        let has_room = quarters <= self.quarters && lines <= self.lines;
        if has_room {
            self.quarters -= quarters;
            self.lines -= lines;
        }
        has_room
    }
}

fn tell(out: &mut String, turn: &Turn, detail: &Detail) {
    // What the program puts in for the model is noise to a reader.
    let texts = of_turn(turn).into_iter().enumerate();
    let texts = texts.filter(|(nth, (origin, _))| *nth == 0 || *origin != Origin::Program);
    for (_, (origin, text)) in texts {
        lines(out, &mark(origin), text, detail.of(origin), detail);
    }
    for tool in turn.tools.iter().take(MAX_TOOLS) {
        tell_tool(out, tool, detail);
    }
    if let Some(n_more) = turn.tools.len().checked_sub(MAX_TOOLS + 1) {
        push(out, format_args!("-- {} more calls --\n", n_more + 1));
    }
}

/// Of one message at most this many calls are told.
const MAX_TOOLS: usize = 20;

fn tell_tool(out: &mut String, tool: &ToolUse, detail: &Detail) {
    let asked = format!("{}: {}", bounded(&tool.name), bounded(&tool.input));
    let mark_of_call = match tool.outcome {
        Outcome::Failed => "call, failed",
        Outcome::Succeeded | Outcome::Unknown => "call",
    };
    lines(out, mark_of_call, &asked, detail.model, detail);
    let origin = of_tool(&tool.name, &tool.input);
    lines(out, &mark(origin), &tool.output, detail.of(origin), detail);
}

impl Detail {
    fn of(&self, origin: Origin) -> (usize, usize) {
        match origin {
            Origin::User => self.user,
            Origin::Model => self.model,
            Origin::Command => self.command,
            Origin::File | Origin::Server | Origin::Web | Origin::Issue | Origin::Program => {
                self.tainted
            }
        }
    }
}

/// What stands in front of a line from somewhere.
#[must_use]
pub fn mark(origin: Origin) -> String {
    match origin.is_tainted() {
        true => format!("{}, untrusted", origin.as_str()),
        false => origin.as_str().to_owned(),
    }
}

/// The first and the last lines of a text, each behind the mark of its source.
fn lines(out: &mut String, mark: &str, text: &str, (first, last): (usize, usize), detail: &Detail) {
    let text = safe(text);
    let is_end = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let all: Vec<_> = text
        .split(is_end)
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    let is_whole = all.len() <= first + last + 1;
    let n_left_out = match is_whole {
        true => 0,
        false => all.len() - first - last,
    };
    for (at, line) in all.iter().enumerate() {
        if !is_whole && at == first {
            push(out, format_args!("-- {n_left_out} lines left out --\n"));
        }
        if !is_whole && (first..all.len() - last).contains(&at) {
            continue;
        }
        let line = sanitize::one_line(line);
        let shown = units::head(&line, detail.line_units);
        let more = if shown.len() < line.len() { " …" } else { "" };
        push(out, format_args!("{mark}> {shown}{more}\n"));
    }
}

/// A text without secrets, without what nobody sees, and bounded. It is masked before it is cut for good, so that no
/// half of a secret is left.
pub(crate) fn safe(text: &str) -> String {
    let text = bounded(text);
    let text = screen::shown(&text);
    let text = hidden::without(&text);
    redact::mask(&text, &redact::scan(&text))
}

/// How much is looked at of either end of a text. Far less is told, so that whatever is cut here is not.
const END_BYTES: usize = 32 * 1024;

/// The beginning and the end of a long text.
fn bounded(text: &str) -> String {
    if text.len() <= 2 * END_BYTES {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(END_BYTES));
    let tail = text.get(text.ceil_char_boundary(text.len() - END_BYTES)..);
    let n_bytes = text.len() - 2 * END_BYTES;
    let (head, tail) = (head.unwrap_or_default(), tail.unwrap_or_default());
    format!("{head}\n(about {n_bytes} bytes)\n{tail}")
}

fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    // A string takes whatever it is given.
    let _ = out.write_fmt(what);
}

#[cfg(test)]
mod tests;
