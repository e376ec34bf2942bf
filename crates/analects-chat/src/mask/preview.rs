//! What the original shows of an output that it masks.
//!
//! Of a shell's output it knows the sections; of everything else it shows 250 units from either end.

use analects_text::trim::trim;
use analects_text::units;
use analects_world::model::Response;
use serde_json::Value;

const SHELL: &str = "run_shell_command";
const SECTIONS: [&str; 6] = [
    "Output",
    "Error",
    "Exit Code",
    "Signal",
    "Background PIDs",
    "Process Group PGID",
];
const END_UNITS: usize = 250;
const END_LINES: usize = 10;

/// The preview of an answer; `content` is the answer written as JSON.
pub(super) fn original(answer: &Response, content: &str) -> String {
    if answer.name == SHELL {
        return of_shell(&answer.response);
    }
    if units::count(content) <= 2 * END_UNITS {
        return content.to_owned();
    }
    let (head, tail) = (
        units::head(content, END_UNITS),
        units::tail(content, END_UNITS),
    );
    format!("{head}\n... [TRUNCATED] ...\n{tail}")
}

/// Whether JavaScript takes a value for something.
pub(super) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn of_shell(response: &Value) -> String {
    let field = |name| response.get(name).filter(|value| is_truthy(value));
    let content = match field("output").or_else(|| field("stdout")) {
        None => "",
        Some(Value::String(text)) => text,
        Some(value @ (Value::Array(_) | Value::Object(_))) => return value.to_string(),
        Some(other) => return as_text(other),
    };
    let (opening, sections) = sections(content);
    if sections.is_empty() {
        return ends(content);
    }
    let mut shown: Vec<String> = Vec::new();
    if !trim(opening).is_empty() {
        shown.push(ends(trim(opening)));
    }
    shown.extend(sections.into_iter().map(|(name, said)| match name {
        "Output" => format!("{name}: {}", ends(trim(said))),
        // The others are short, and tell most.
        _ => format!("{name}: {}", trim(said)),
    }));
    let mut preview = shown.join("\n");
    for (name, value) in beside(response) {
        let value = as_text(value);
        if !content.contains(&format!("{name}: {value}")) {
            preview.extend(["\n[", name, ": ", &value, "]"]);
        }
    }
    preview
}

/// What the answer says beside its text.
fn beside(response: &Value) -> impl Iterator<Item = (&'static str, &Value)> {
    let code = ["exitCode", "exit_code"].into_iter().find_map(|name| {
        let value = response.get(name)?;
        (!value.is_null()).then_some(value)
    });
    let code = code.filter(|code| code.as_f64() != Some(0.0));
    let error = response.get("error").filter(|error| is_truthy(error));
    let code = code.map(|code| ("Exit Code", code));
    code.into_iter().chain(error.map(|error| ("Error", error)))
}

/// What stands before the first section, and the sections by name.
fn sections(content: &str) -> (&str, Vec<(&'static str, &str)>) {
    let mut found = Vec::new();
    let is_line_end = |c: char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let starts = content
        .match_indices(is_line_end)
        .map(|(at, end)| at + end.len());
    for start in std::iter::once(0).chain(starts) {
        let line = content.get(start..).unwrap_or_default();
        let name = SECTIONS.into_iter().find(|name| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(": "))
        });
        found.extend(name.map(|name| (name, start)));
    }
    let ends = found.iter().map(|&(_, start)| start).skip(1);
    let ends: Vec<_> = ends.chain([content.len()]).collect();
    let opening = found.first().map_or(content.len(), |&(_, start)| start);
    let sections = found.into_iter().zip(ends).map(|((name, start), end)| {
        let said = content.get(start + name.len() + 2..end);
        (name, said.unwrap_or_default())
    });
    (
        content.get(..opening).unwrap_or_default(),
        sections.collect(),
    )
}

fn ends(content: &str) -> String {
    let lines: Vec<_> = content.split('\n').collect();
    if lines.len() <= 2 * END_LINES {
        return content.to_owned();
    }
    let (head, rest) = lines.split_at(END_LINES);
    let (omitted, tail) = rest.split_at(rest.len() - END_LINES);
    let (head, tail) = (head.join("\n"), tail.join("\n"));
    format!(
        "{head}\n\n... [{} lines omitted] ...\n\n{tail}",
        omitted.len()
    )
}

/// A value as JavaScript puts it into a text.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => "[object Object]".to_owned(),
        Value::Array(items) => {
            let items = items.iter().map(|item| match item {
                Value::Null => String::new(),
                item => as_text(item),
            });
            items.collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    }
}
