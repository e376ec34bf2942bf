//! What goes to stderr beside the answer: tools at work, notices, and why there is no answer.
//!
//! A model's words and those of its tools stand in it, so every line is made safe for a terminal.

use std::collections::HashMap;
use std::io::Write;

use analects_engine::talk::Tell;
use analects_text::problem::{Problem, Severity};
use analects_text::sanitize::{for_terminal, one_line};
use serde_json::Value;

use super::args::Format;
use super::once::Once;
use super::over::Trouble;
use crate::args::Global;

/// Says things beside the answer. If that cannot be written, the run goes on all the same.
pub(crate) struct Aside<'a> {
    err: Box<dyn Write + 'a>,
    detail: Detail,
    /// The tools that are at work, by their calls.
    at_work: HashMap<String, String>,
    known: Once,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// Why there is no answer, and nothing else: all that a program wants to know stands in its JSON.
    Failure,
    /// Errors.
    Errors,
    /// A line for each tool, and warnings.
    Usual,
    /// What tools print, and notes.
    All,
}

impl Detail {
    /// As much as somebody wants.
    pub(crate) fn wanted(global: &Global, format: Format) -> Self {
        match (format, global) {
            (_, Global { verbose: true, .. }) => Self::All,
            (Format::Json | Format::StreamJson, _) => Self::Failure,
            (Format::Text, Global { quiet: true, .. }) => Self::Errors,
            (Format::Text, _) => Self::Usual,
        }
    }
}

/// How many characters of what a tool is asked are shown.
const ARGS_CHARS: usize = 120;

impl<'a> Aside<'a> {
    pub(crate) fn new(err: impl Write + 'a, detail: Detail) -> Self {
        Self {
            err: Box::new(err),
            detail,
            at_work: HashMap::new(),
            known: Once::default(),
        }
    }

    /// Says what happens now.
    pub(crate) fn tell(&mut self, told: &Tell<'_>) {
        match *told {
            Tell::Began { session, model } => {
                self.line(Detail::All, "note", &format!("session {session}, {model}"));
            }
            Tell::Uses { id, name, args } => {
                self.at_work.insert(id.to_owned(), name.to_owned());
                let line = format!("{name} {}", brief(args));
                self.line(Detail::Usual, "tool", line.trim_end());
            }
            Tell::Prints { text, .. } if self.detail >= Detail::All => {
                let _ = write!(self.err, "{}", for_terminal(text)).and_then(|()| self.err.flush());
            }
            Tell::Used { id, result, shown } => {
                let name = self.at_work.remove(id).unwrap_or_default();
                match result {
                    Ok(_) => self.line(Detail::All, "note", &format!("{name}: {shown}")),
                    Err(refusal) => {
                        let line = format!("{name}: {}", refusal.told());
                        self.line(Detail::Usual, "warning", &line);
                    }
                }
            }
            Tell::StartOver { why } => {
                let line = format!("the model is asked again: {why}");
                self.line(Detail::Usual, "note", &line);
            }
            Tell::Notice(problem) => self.notice(problem),
            Tell::Busy(snapshot) => {
                let line = format!("at work: {} events lately", snapshot.stats.total_events);
                self.line(Detail::All, "note", &line);
            }
            Tell::Agent { name, told } => self.agent(name, told),
            Tell::Piece(_) | Tell::Said { .. } | Tell::Prints { .. } => {}
        }
    }

    /// Says what a sub-agent does: what it uses, and what went wrong.
    fn agent(&mut self, agent: &str, told: &Tell<'_>) {
        match *told {
            Tell::Uses { name, args, .. } => {
                let line = format!("{agent} › {name} {}", brief(args));
                self.line(Detail::Usual, "tool", line.trim_end());
            }
            Tell::Used {
                result: Err(refusal),
                ..
            } => {
                let line = format!("{agent}: {}", refusal.told());
                self.line(Detail::Usual, "warning", &line);
            }
            Tell::Notice(problem) => self.notice(problem),
            _ => {}
        }
    }

    /// Says what a person should know, if that was not said before.
    pub(crate) fn notice(&mut self, problem: &Problem) {
        let severity = problem.code.severity;
        let since = match severity {
            Severity::Error => Detail::Errors,
            Severity::Warning => Detail::Usual,
            Severity::Note => Detail::All,
        };
        if self.known.is_new(problem) {
            let line = format!("{problem} [{}]", problem.code.name);
            self.line(since, severity.as_str(), &line);
        }
    }

    /// Says why there is no answer.
    pub(crate) fn trouble(&mut self, trouble: &Trouble) {
        self.line(Detail::Failure, "error", &trouble.message);
        for hint in &trouble.hints {
            self.line(Detail::Failure, "hint", hint);
        }
    }

    fn line(&mut self, since: Detail, word: &str, text: &str) {
        if self.detail >= since {
            let _ = writeln!(self.err, "{word}: {}", one_line(text));
        }
    }
}

/// What a tool is asked, in a few words: its values are enough to know what it is about.
pub(crate) fn brief(args: &Value) -> String {
    let text = match args {
        Value::Object(args) => {
            let values: Vec<_> = args.values().map(word).collect();
            values.join(" ")
        }
        Value::Null => String::new(),
        other => word(other),
    };
    let cut: String = text.chars().take(ARGS_CHARS).collect();
    match cut.len() < text.len() {
        true => format!("{cut}…"),
        false => cut,
    }
}

fn word(value: &Value) -> String {
    match value {
        // The first line of a long text tells what it is.
        Value::String(text) => {
            let first = text.lines().next().unwrap_or_default();
            let cut: String = first.chars().take(ARGS_CHARS).collect();
            match cut.len() < text.trim_end().len() {
                true => format!("{cut}…"),
                false => cut,
            }
        }
        other => other.to_string(),
    }
}
