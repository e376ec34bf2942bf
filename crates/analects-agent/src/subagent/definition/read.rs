//! Reads a sub-agent from a Markdown file: fields in the head, its system text below.
//!
//! A field that says something impossible makes no agent at all: with a default in its place, it could do more than
//! whoever wrote it wanted. A field that nobody knows means nothing, and is told.

use analects_text::decode::without_mark;
use analects_text::frontmatter::{self, Field, Given, shown};
use analects_text::lines::LineIndex;
use analects_text::problem::{Code, Problem};
use analects_text::{hidden, truncate};
use serde_json::json;

use super::tools::is_known;
use super::{Definition, Output, SURROUNDINGS, Toolset};
use crate::subagent::{Limits, codes, template};

/// A file may be this long.
pub const LIMIT_BYTES: usize = 256 * 1024;

/// A name may be this long.
const MAX_NAME_BYTES: usize = 64;
/// What people call it, its model and the name of a tool may be this long.
const MAX_WORD_BYTES: usize = 200;
/// What it is for may be this long.
const MAX_DESCRIPTION_BYTES: usize = 4_000;
/// Nobody needs more turns.
const MAX_TURNS: f64 = 1_000.0;
/// Nobody waits longer: a day.
const MAX_MINUTES: f64 = 24.0 * 60.0;
const MS_PER_MINUTE: f64 = 60_000.0;

/// The one input of an agent that is read from a file.
const QUERY: &str = "query";

/// Which file is read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The file, as it is shown.
    pub file: &'a str,
    /// The names of all tools that are not those of servers.
    pub tools: &'a [&'a str],
}

/// Reads a file: the agent that it defines, if it does, and what is wrong with it.
#[must_use]
pub fn read(text: &str, reading: &Reading<'_>) -> (Option<Definition>, Vec<Problem>) {
    let mut file = File {
        reading,
        problems: Vec::new(),
    };
    let definition = file.definition(text);
    (definition, file.problems)
}

struct File<'a> {
    reading: &'a Reading<'a>,
    problems: Vec<Problem>,
}

/// What the fields say, as far as it makes sense.
#[derive(Default)]
struct Fields {
    name: Option<String>,
    description: Option<String>,
    title: Option<String>,
    tools: Option<Vec<String>>,
    model: Option<String>,
    temperature: Option<f64>,
    max_turns: Option<f64>,
    minutes: Option<f64>,
    is_remote: bool,
}

impl File<'_> {
    fn definition(&mut self, text: &str) -> Option<Definition> {
        if text.len() > LIMIT_BYTES {
            return self.bad(1, format!("longer than {LIMIT_BYTES} bytes"));
        }
        if let Some(at) = text.find('\0') {
            let line = LineIndex::new(text).line(at);
            return self.bad(line, "a byte of zero: this is no text");
        }
        let text = without_mark(text);
        let parts = match frontmatter::split(text) {
            Ok(parts) => parts,
            Err(wrong) => return self.bad(wrong.line, wrong.why),
        };
        let fields = match parts.fields() {
            Ok(fields) => fields,
            Err(wrong) if wrong.is_list => {
                let known = "only remote agents are written so, and those are not run here";
                return self.bad(wrong.line, format!("{}: {known}", wrong.why));
            }
            Err(wrong) => return self.bad(wrong.line, wrong.why),
        };
        let fields = self.fields(fields)?;
        let prompt = self.prompt(parts.body, parts.body_line)?;
        self.whole(fields, prompt)
    }

    /// Everything together, unless something is missing.
    fn whole(&mut self, fields: Fields, prompt: String) -> Option<Definition> {
        let Some(name) = fields.name else {
            return self.bad(1, "`name` is missing");
        };
        let Some(description) = fields.description else {
            return self.bad(
                1,
                "`description` is missing: without it nobody knows what the agent is for",
            );
        };
        let usual = Limits::USUAL;
        Some(Definition {
            title: fields.title.unwrap_or_else(|| name.clone()),
            name,
            description,
            prompt,
            query: format!("${{{QUERY}}}"),
            input: json!({
                "type": "object",
                "properties": { QUERY: { "type": "string", "description": "The task." } },
                "required": [QUERY],
            }),
            output: Output::usual(),
            tools: fields.tools.map_or(Toolset::All, Toolset::Named),
            model: fields.model,
            temperature: fields.temperature,
            limits: Limits {
                max_turns: fields.max_turns.map_or(usual.max_turns, whole_number),
                max_ms: fields.minutes.map_or(usual.max_ms, milliseconds),
            },
        })
    }

    /// The fields one by one; nothing if one of them makes the agent impossible, or it runs elsewhere.
    fn fields(&mut self, given: Vec<Field>) -> Option<Fields> {
        let mut fields = Fields::default();
        let mut is_fine = true;
        for field in given {
            let line = field.line;
            if let Err(why) = self.field(field, &mut fields) {
                self.problem(&codes::BAD_AGENT, line, why);
                is_fine = false;
            }
        }
        if fields.is_remote {
            // Whatever else there is to say is about an agent that is not run.
            self.problems
                .retain(|problem| problem.code == &codes::AGENT_SKIPPED);
            return None;
        }
        is_fine.then_some(fields)
    }

    fn field(&mut self, field: Field, fields: &mut Fields) -> Result<(), String> {
        let Field { name, line, value } = field;
        if value == Given::Nothing {
            return Ok(());
        }
        match name.as_str() {
            "name" => fields.name = Some(agent_name(value)?),
            "description" => {
                fields.description = Some(text(&name, value, MAX_DESCRIPTION_BYTES)?);
            }
            "display_name" => fields.title = Some(text(&name, value, MAX_WORD_BYTES)?),
            "kind" => match text(&name, value, MAX_WORD_BYTES)?.as_str() {
                "local" => {}
                "remote" => {
                    fields.is_remote = true;
                    let message = "a remote agent: only local ones are run here, so it is left out";
                    self.problem(&codes::AGENT_SKIPPED, line, message);
                }
                other => return Err(format!("`kind` is `local`, not `{}`", shown(other))),
            },
            "tools" => fields.tools = Some(self.tools(value)?),
            "model" => {
                let model = text(&name, value, MAX_WORD_BYTES)?;
                fields.model = (model != "inherit").then_some(model);
            }
            "temperature" => fields.temperature = Some(number(&name, &value, 0.0..=2.0)?),
            "max_turns" => fields.max_turns = Some(turns(&value)?),
            "timeout_mins" => fields.minutes = Some(minutes(&value)?),
            other => {
                let message = format!("the field `{}` is unknown and means nothing", shown(other));
                self.problem(&codes::ODD_AGENT, line, message);
            }
        }
        Ok(())
    }

    /// The tools that are named. One that is not there yet may come with a server or an extension.
    fn tools(&mut self, value: Given) -> Result<Vec<String>, String> {
        let Given::List(names) = value else {
            return Err("`tools` must be a list of names".to_owned());
        };
        for (name, line) in &names {
            if !is_known(name, self.reading.tools) {
                let message = format!("there is no tool `{}`", shown(name));
                self.problem(&codes::ODD_AGENT, *line, message);
            }
        }
        Ok(names.into_iter().map(|(name, _)| name).collect())
    }

    /// The system text, without anything that only a model would see.
    fn prompt(&mut self, body: &str, body_line: usize) -> Option<String> {
        let lines = LineIndex::new(body);
        let line = |at: usize| body_line + lines.line(at) - 1;
        let hidden = hidden::find(body);
        if let Some(first) = hidden.first() {
            let message = format!(
                "characters that nobody sees are left out of its text ({})",
                hidden.len()
            );
            self.problem(&codes::ODD_AGENT, line(first.at), message);
        }
        let is_given = |word: &str| word == QUERY || SURROUNDINGS.contains(&word);
        if let Some((at, word)) = template::words(body).find(|(_, word)| !is_given(word)) {
            let known = SURROUNDINGS.join("}`, `${");
            let message = format!(
                "`${{{}}}` stands for nothing: there are `${{{QUERY}}}`, `${{{known}}}`",
                shown(word)
            );
            return self.bad(line(at), message);
        }
        let prompt = hidden::without(body);
        let prompt = prompt.trim();
        if prompt.is_empty() {
            return self.bad(
                body_line,
                "nothing stands below the frontmatter: that is the agent's system text",
            );
        }
        Some(prompt.replace("\r\n", "\n"))
    }

    fn bad<T>(&mut self, line: usize, message: impl Into<String>) -> Option<T> {
        self.problem(&codes::BAD_AGENT, line, message);
        None
    }

    fn problem(&mut self, code: &'static Code, line: usize, message: impl Into<String>) {
        let problem = Problem::new(code, message).in_file(self.reading.file);
        self.problems.push(problem.on_line(line));
    }
}

fn agent_name(value: Given) -> Result<String, String> {
    let name = text("name", value, MAX_NAME_BYTES)?;
    let is_of_name =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    match name.bytes().all(is_of_name) {
        true => Ok(name),
        false => Err(format!(
            "`{}` is no name: it is made of small letters, digits, `-` and `_`",
            shown(&name)
        )),
    }
}

fn text(name: &str, value: Given, max_bytes: usize) -> Result<String, String> {
    let Given::Text(text) = value else {
        return Err(format!("`{name}` must be words"));
    };
    let text = hidden::without(&text);
    let text = text.trim();
    match text {
        "" => Err(format!("`{name}` must not be empty")),
        text if truncate::head_bytes(text, max_bytes).len() < text.len() => {
            Err(format!("`{name}` is longer than {max_bytes} bytes"))
        }
        text => Ok(text.to_owned()),
    }
}

fn number(name: &str, value: &Given, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let number = match value {
        Given::Text(text) => text.parse::<f64>().ok(),
        _ => None,
    };
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("`{name}` must be a number from {least} to {most}")
        })
}

fn turns(value: &Given) -> Result<f64, String> {
    let turns = number("max_turns", value, 1.0..=MAX_TURNS)?;
    match turns.fract() == 0.0 {
        true => Ok(turns),
        false => Err("`max_turns` must be a whole number".to_owned()),
    }
}

fn minutes(value: &Given) -> Result<f64, String> {
    let minutes = number("timeout_mins", value, 0.0..=MAX_MINUTES)?;
    match minutes > 0.0 {
        true => Ok(minutes),
        false => Err("`timeout_mins` must be more than 0".to_owned()),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 1 and `MAX_TURNS`"
)]
fn whole_number(turns: f64) -> usize {
    turns as usize
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and `MAX_MINUTES`"
)]
fn milliseconds(minutes: f64) -> u64 {
    (minutes * MS_PER_MINUTE).ceil() as u64
}
