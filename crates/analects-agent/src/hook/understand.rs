//! From a finished program (exit code, stdout, stderr) to what it wants.

use analects_text::decode::{Cut, decode};
use analects_text::{sanitize, truncate};
use serde_json::{Map, Value};

use super::{Decision, Output};

/// How much of what a program complained of is told.
const MAX_COMPLAINT_BYTES: usize = 400;
/// The exit code by which a program says no.
const BLOCKS: i32 = 2;

/// What exit codes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCodes {
    /// As Gemini CLI's manual has it: 0 is fine, 2 blocks, everything else is a failure that decides nothing.
    Documented,
    /// As Gemini CLI does it: what a program prints counts whatever its code, a program that prints nothing decides
    /// nothing, and a text with any other code than 0 and 1 blocks.
    Original,
}

/// A program that ran.
#[derive(Debug, Clone, Copy)]
pub struct Ran<'a> {
    /// Its exit code.
    pub code: i32,
    /// What it printed.
    pub stdout: &'a [u8],
    /// What it complained of.
    pub stderr: &'a [u8],
    /// Whether it printed more than that.
    pub is_cut: bool,
}

/// What came of a program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// What it wants, if anything.
    pub output: Option<Output>,
    /// Whether it did what it should: only then is the next in a sequence told of it.
    pub is_success: bool,
    /// What is wrong with it, in fragments.
    pub faults: Vec<String>,
}

/// Reads what a program printed. Nothing that it prints is an error; what makes no sense has no effect.
#[must_use]
pub fn understand(ran: &Ran<'_>, codes: ExitCodes) -> Answer {
    let (out, err) = (text(ran.stdout), text(ran.stderr));
    match codes {
        ExitCodes::Documented => documented(ran, &out, &err),
        ExitCodes::Original => original(ran, &out, &err),
    }
}

fn documented(ran: &Ran<'_>, out: &str, err: &str) -> Answer {
    let mut faults = Vec::new();
    let output = match ran.code {
        0 => match Printed::read(out, ran.is_cut) {
            Printed::Object(object) => Some(output(object, &mut faults)),
            Printed::Text(said) => Some(Output {
                decision: Some(Decision::Allow),
                message: Some(said),
                ..Output::default()
            }),
            Printed::Nothing => None,
            Printed::Wrong(fault) => {
                faults.push(fault);
                None
            }
        },
        BLOCKS => {
            let said = match Printed::read(out, ran.is_cut) {
                Printed::Object(object) => output(object, &mut faults),
                Printed::Text(said) => Output {
                    reason: Some(said),
                    ..Output::default()
                },
                Printed::Nothing | Printed::Wrong(_) => Output::default(),
            };
            let complaint = Some(err.to_owned()).filter(|err| !err.is_empty());
            Some(Output {
                decision: Some(Decision::Block),
                reason: complaint.or(said.reason),
                ..said
            })
        }
        code => {
            faults.push(failure(code, if err.is_empty() { out } else { err }));
            None
        }
    };
    Answer {
        output,
        is_success: ran.code == 0,
        faults,
    }
}

fn original(ran: &Ran<'_>, out: &str, err: &str) -> Answer {
    let mut faults = Vec::new();
    let said = if out.is_empty() { err } else { out };
    let output = match Printed::read(said, ran.is_cut) {
        Printed::Object(object) => Some(output(object, &mut faults)),
        Printed::Nothing => None,
        Printed::Wrong(fault) => {
            faults.push(fault);
            None
        }
        Printed::Text(said) => Some(match ran.code {
            0 => Output {
                decision: Some(Decision::Allow),
                message: Some(said),
                ..Output::default()
            },
            1 => Output {
                decision: Some(Decision::Allow),
                message: Some(format!("Warning: {said}")),
                ..Output::default()
            },
            _ => Output {
                decision: Some(Decision::Block),
                reason: Some(said),
                ..Output::default()
            },
        }),
    };
    Answer {
        output,
        is_success: ran.code == 0,
        faults,
    }
}

/// What was printed.
enum Printed {
    Object(Map<String, Value>),
    Text(String),
    Nothing,
    Wrong(String),
}

impl Printed {
    fn read(text: &str, is_cut: bool) -> Self {
        if text.is_empty() {
            return Self::Nothing;
        }
        match serde_json::from_str(text) {
            // Some programs encode twice.
            Ok(Value::String(inner)) => match serde_json::from_str(inner.trim()) {
                Ok(Value::String(_)) | Err(_) => Self::plain(inner.trim(), is_cut),
                Ok(value) => Self::value(value),
            },
            Ok(value) => Self::value(value),
            Err(_) => Self::plain(text, is_cut),
        }
    }

    fn value(value: Value) -> Self {
        match value {
            Value::Object(object) => Self::Object(object),
            Value::Null => Self::Nothing,
            _ => Self::Wrong("printed JSON that is no object".to_owned()),
        }
    }

    fn plain(text: &str, is_cut: bool) -> Self {
        // Nobody means this as a sentence.
        match (text.starts_with('{'), is_cut) {
            (true, true) => Self::Wrong("printed too much to be understood".to_owned()),
            (true, false) => Self::Wrong("printed JSON that is broken or too deep".to_owned()),
            (false, _) if text.is_empty() => Self::Nothing,
            (false, _) => Self::Text(text.to_owned()),
        }
    }
}

fn output(mut object: Map<String, Value>, faults: &mut Vec<String>) -> Output {
    let mut fields = Fields {
        object: &mut object,
        faults,
    };
    let decision = fields.text("decision");
    let known = decision.as_deref().map(Decision::named);
    if known == Some(None) {
        fields.wrong("decision", "is no decision that there is");
    }
    Output {
        goes_on: fields.flag("continue"),
        stop_reason: fields.text("stopReason"),
        is_quiet: fields.flag("suppressOutput"),
        message: fields.text("systemMessage"),
        decision: known.flatten(),
        reason: fields.text("reason"),
        specific: fields.specific(),
    }
}

/// Tells whether a value is of a kind.
type IsKind = fn(&Value) -> bool;

/// What is specific to events, and of which kind it is.
const SPECIFIC: [(&str, IsKind); 6] = [
    ("additionalContext", Value::is_string),
    ("tool_input", Value::is_object),
    ("llm_request", Value::is_object),
    ("llm_response", Value::is_object),
    ("toolConfig", Value::is_object),
    ("clearContext", Value::is_boolean),
];

/// The fields of an answer. One of the wrong kind has no effect, and is told.
struct Fields<'a> {
    object: &'a mut Map<String, Value>,
    faults: &'a mut Vec<String>,
}

impl Fields<'_> {
    fn text(&mut self, name: &str) -> Option<String> {
        match self.object.remove(name)? {
            Value::String(text) => Some(text),
            Value::Null => None,
            _ => {
                self.wrong(name, "is no text");
                None
            }
        }
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        match self.object.remove(name)? {
            Value::Bool(flag) => Some(flag),
            Value::Null => None,
            _ => {
                self.wrong(name, "is neither true nor false");
                None
            }
        }
    }

    fn specific(&mut self) -> Map<String, Value> {
        let mut specific = match self.object.remove("hookSpecificOutput") {
            Some(Value::Object(specific)) => specific,
            None | Some(Value::Null) => return Map::new(),
            Some(_) => {
                self.wrong("hookSpecificOutput", "is no object");
                return Map::new();
            }
        };
        for (name, is_kind) in SPECIFIC {
            let is_wrong = specific.get(name).is_some_and(|value| !is_kind(value));
            let removed = is_wrong.then(|| specific.shift_remove(name)).flatten();
            if removed.is_some_and(|value| !value.is_null()) {
                self.wrong(name, "is of the wrong kind");
            }
        }
        specific
    }

    fn wrong(&mut self, name: &str, why: &str) {
        self.faults
            .push(format!("answered with `{name}`, which {why}"));
    }
}

fn failure(code: i32, complaint: &str) -> String {
    let what = match code {
        126 => "cannot be run: is it executable? ",
        127 => "cannot be run: there is no such program ",
        _ => "failed ",
    };
    let complaint = truncate::head_bytes(complaint, MAX_COMPLAINT_BYTES).trim_end();
    let complaint = sanitize::one_line(complaint);
    match complaint.is_empty() {
        true => format!("{what}(exit code {code})"),
        false => format!("{what}(exit code {code}): {complaint}"),
    }
}

fn text(bytes: &[u8]) -> String {
    decode(bytes, Cut::Whole).text.trim().to_owned()
}

#[cfg(test)]
mod tests;
