//! What was done in a conversation, short enough for an index: tools, files, how the last test ended.
//!
//! The words are those of Gemini CLI 0.61.0, so that either program can use what the other wrote.

mod program;

use analects_text::trim::trim;
use analects_text::units;
use analects_world::AbsPath;
use analects_world::model::args::{self, Enough};
use serde_json::{Map, Value};

pub(crate) use program::collapsed;
pub use program::{program, sanitized};

use crate::message::{MessageKind, Status, ToolCall};
use crate::replay::Replayed;
use crate::tool_args::{SHELL, is_path_like};

/// What was done in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scratchpad {
    /// All of it in one line.
    pub workflow_summary: Option<String>,
    /// The tools, each once, in the order of their first use.
    pub tool_sequence: Vec<String>,
    /// The files that tools were pointed at.
    pub touched_paths: Vec<String>,
    /// How the last test, build or check ended.
    pub validation: Option<Validation>,
}

/// How the last test, build or check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validation {
    /// Well.
    Passed,
    /// Badly, or it was stopped.
    Failed,
    /// It had not ended.
    Unknown,
}

impl Validation {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Passed, "passed"),
        (Self::Failed, "failed"),
        (Self::Unknown, "unknown"),
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(validation, _)| *validation == self);
        found.map_or("", |(_, word)| *word)
    }

    fn named(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map(|(validation, _)| *validation)
    }
}

impl Scratchpad {
    /// The scratchpad that a value says, if it is an object.
    #[must_use]
    pub fn from_value(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let text = |name| fields.get(name).and_then(Value::as_str);
        let list = |name| {
            let items = fields.get(name).and_then(Value::as_array);
            let texts = items.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        Some(Self {
            workflow_summary: text("workflowSummary").map(str::to_owned),
            tool_sequence: list("toolSequence"),
            touched_paths: list("touchedPaths"),
            validation: text("validationStatus").and_then(Validation::named),
        })
    }

    /// The scratchpad as it is written.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            fields.extend(value.map(|value| (name.to_owned(), value)));
        };
        let list = |items: &[String]| (!items.is_empty()).then(|| Value::from(items));
        put("version", Some(1.into()));
        put(
            "workflowSummary",
            self.workflow_summary.as_deref().map(Value::from),
        );
        put("toolSequence", list(&self.tool_sequence));
        put("touchedPaths", list(&self.touched_paths));
        put(
            "validationStatus",
            self.validation.map(|word| word.as_str().into()),
        );
        Value::Object(fields)
    }
}

/// What was done in a conversation of the project at `root`.
#[must_use]
pub fn scratchpad(replayed: &Replayed, root: &AbsPath) -> Scratchpad {
    let mut pad = Scratchpad::default();
    let answers = replayed
        .messages()
        .filter(|message| message.kind() == MessageKind::Gemini);
    for call in answers.flat_map(|message| message.read().tool_calls) {
        push_unique(&mut pad.tool_sequence, MAX_TOOLS, || entry(&call));
        touch(&call.args, root, &mut pad.touched_paths);
        pad.validation = validation(&call).or(pad.validation);
    }
    pad.workflow_summary = workflow(&pad);
    pad
}

/// How many tools are named.
const MAX_TOOLS: usize = 6;
/// How many files are named.
const MAX_PATHS: usize = 4;
/// A summary is no longer than this, in UTF-16 as the original counts.
const MAX_SUMMARY_UNITS: usize = 160;
/// A longer path is told by its last names.
const MAX_PATH_UNITS: usize = 120;

/// Words by which a tool tests, builds or checks; the others count in commands only.
const CHECKS: [&str; 5] = ["test", "lint", "build", "check", "typecheck"];
const CHECKING_COMMANDS: [&str; 4] = ["tests", "vitest", "jest", "pytest"];

fn push_unique(list: &mut Vec<String>, limit: usize, item: impl FnOnce() -> String) {
    if list.len() < limit {
        let item = item();
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// A tool in the sequence; a shell with the program it ran.
fn entry(call: &ToolCall) -> String {
    let name = match trim(&call.name) {
        "" => "unknown_tool",
        name => name,
    };
    let program = args::command(&call.args)
        .filter(|_| name == SHELL)
        .and_then(|command| program(&command));
    match program {
        Some(program) => format!("{name}: {program}"),
        None => name.to_owned(),
    }
}

fn touch(args: &Value, root: &AbsPath, touched: &mut Vec<String>) {
    if touched.len() >= MAX_PATHS {
        return;
    }
    args::paths(args, &mut |text| {
        let text = trim(text);
        let path = is_path_like(text).then(|| shortened(text, root));
        if let Some(path) = path.filter(|path| !path.is_empty()) {
            push_unique(touched, MAX_PATHS, || path);
        }
        match touched.len() < MAX_PATHS {
            true => Enough::No,
            false => Enough::Yes,
        }
    });
}

/// A path as seen from the project; one outside it by its name alone.
fn shortened(path: &str, root: &AbsPath) -> String {
    let path = match AbsPath::new(path) {
        Ok(path) => match path.relative_to(root) {
            Some(inside) if !inside.is_empty() && !inside.starts_with("..") => {
                inside.replace('\\', "/")
            }
            _ => path.file_name().to_owned(),
        },
        Err(_) => path.replace('\\', "/"),
    };
    if units::count(&path) <= MAX_PATH_UNITS {
        return path;
    }
    let names: Vec<_> = path.rsplitn(4, '/').take(3).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// How a test, build or check ended; nothing if the call is none.
fn validation(call: &ToolCall) -> Option<Validation> {
    let command = args::command(&call.args).unwrap_or_default();
    let is_check =
        has_word(&call.name, &[&CHECKS]) || has_word(&command, &[&CHECKS, &CHECKING_COMMANDS]);
    is_check.then_some(match call.status {
        Some(Status::Success) => Validation::Passed,
        Some(Status::Error | Status::Cancelled) => Validation::Failed,
        Some(
            Status::Validating | Status::Scheduled | Status::AwaitingApproval | Status::Executing,
        )
        | None => Validation::Unknown,
    })
}

fn has_word(text: &str, lists: &[&[&str]]) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.into_iter().any(|word| {
        let mut known = lists.iter().copied().flatten();
        known.any(|known| known.eq_ignore_ascii_case(word))
    })
}

fn workflow(pad: &Scratchpad) -> Option<String> {
    let mut parts = Vec::new();
    if !pad.tool_sequence.is_empty() {
        parts.push(pad.tool_sequence.join(" -> "));
    }
    if !pad.touched_paths.is_empty() {
        parts.push(format!("paths {}", pad.touched_paths.join(", ")));
    }
    match pad.validation {
        Some(Validation::Passed) => parts.push("validated".to_owned()),
        Some(Validation::Failed) => parts.push("validation failed".to_owned()),
        Some(Validation::Unknown) | None => {}
    }
    let summary = parts.join(" | ");
    if units::count(&summary) <= MAX_SUMMARY_UNITS {
        return (!summary.is_empty()).then_some(summary);
    }
    let start = units::head(&summary, MAX_SUMMARY_UNITS - 3);
    Some(format!("{start}..."))
}

#[cfg(test)]
mod tests;
