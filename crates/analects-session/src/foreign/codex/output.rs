//! What tools answered, and how they ended.

use serde::Deserialize;

use crate::transcript::Outcome;

use super::super::clip::Clip;
use super::super::json::{self, Raw};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow)]
    output: Raw<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    success: Raw<'a>,
    #[serde(borrow)]
    metadata: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    exit_code: Raw<'a>,
}

/// A part of a message, or of an output.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) r#type: Raw<'a>,
    #[serde(borrow)]
    pub(super) text: Raw<'a>,
}

/// How far into an output its head goes, in which the shell's tools tell how it went.
const MAX_HEAD_BYTES: usize = 512;

/// Longer outputs are not taken apart.
const MAX_NESTED_BYTES: usize = 1024 * 1024;

/// The text of an output, and what it says about its end: a text, a list of parts, or an object; the text of
/// older versions is such an object again.
pub(super) fn read(raw: Raw<'_>, limit_bytes: usize) -> (String, Outcome) {
    let text = pour(raw, limit_bytes);
    if raw.source().is_some_and(|source| source.starts_with('{')) {
        return object(raw, limit_bytes).unwrap_or((text, Outcome::Unknown));
    }
    if text.starts_with("{\"output\":")
        && let Some(whole) = raw.text(MAX_NESTED_BYTES)
        && let Some(inner) = object(json::parse(&whole), limit_bytes)
    {
        return inner;
    }
    if REFUSED.iter().any(|start| text.starts_with(start)) {
        return (text, Outcome::Failed);
    }
    let (head, body) = split_head(&text);
    let outcome = head
        .lines()
        .find_map(outcome_of)
        .unwrap_or(Outcome::Unknown);
    (body.to_owned(), outcome)
}

/// How the agent's own answers begin when it did not do what it was asked: no code says so.
const REFUSED: [&str; 7] = [
    "apply_patch verification failed",
    "patch rejected",
    "exec command rejected by user",
    "execution error:",
    "failed to parse function arguments",
    "unsupported call:",
    "aborted by user",
];

fn object(raw: Raw<'_>, limit_bytes: usize) -> Option<(String, Outcome)> {
    let fields: Output<'_> = raw.fields();
    let said = [fields.output, fields.content]
        .into_iter()
        .find(|raw| raw.source().is_some())?;
    let Metadata { exit_code } = fields.metadata.fields();
    let outcome = match (exit_code.number(), fields.success.source()) {
        (Some(code), _) => ended(code),
        (None, Some("true")) => Outcome::Succeeded,
        (None, Some("false")) => Outcome::Failed,
        _ => Outcome::Unknown,
    };
    Some((pour(said, limit_bytes), outcome))
}

/// How a program with that code ended.
pub(super) fn ended(code: i64) -> Outcome {
    if code == 0 {
        Outcome::Succeeded
    } else {
        Outcome::Failed
    }
}

fn pour(raw: Raw<'_>, limit_bytes: usize) -> String {
    let mut clip = Clip::new(limit_bytes);
    raw.pour(&mut clip);
    raw.each(|part| {
        let part: Part<'_> = part.fields();
        clip.new_line();
        if part.r#type.is("input_image") {
            clip.push(super::item::PICTURE);
        } else {
            part.text.pour(&mut clip);
        }
    });
    clip.finish()
}

/// What the tool says about the run, and what the run printed.
fn split_head(text: &str) -> (&str, &str) {
    let starts = [
        "Chunk ID:",
        "Exit code:",
        "Command:",
        "Wall time:",
        "Script ",
    ];
    if !starts.iter().any(|start| text.starts_with(start)) {
        return ("", text);
    }
    let search = text
        .get(..text.floor_char_boundary(MAX_HEAD_BYTES))
        .unwrap_or(text);
    let Some(at) = search.find("\nOutput:") else {
        return (search, text);
    };
    let (head, body) = text.split_at(at);
    (
        head,
        body.strip_prefix("\nOutput:")
            .unwrap_or(body)
            .trim_start_matches('\n'),
    )
}

fn outcome_of(line: &str) -> Option<Outcome> {
    let code = line
        .strip_prefix("Process exited with code ")
        .or_else(|| line.strip_prefix("Exit code: "));
    if let Some(code) = code {
        return code.trim().parse().ok().map(ended);
    }
    match line {
        "Script completed" => Some(Outcome::Succeeded),
        _ if line.starts_with("Script failed") || line.starts_with("Script error") => {
            Some(Outcome::Failed)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_all_ages_tell_how_it_ended() {
        for (json, text, outcome) in [
            (
                r#""Chunk ID: 1e6301\nWall time: 0.0 seconds\nProcess exited with code 3\nOriginal token count: 2\nOutput:\nquack\n""#,
                "quack\n",
                Outcome::Failed,
            ),
            (
                r#""Exit code: 0\nWall time: 1 seconds\nOutput:\nhonk""#,
                "honk",
                Outcome::Succeeded,
            ),
            (
                r#""{\"output\":\"quack\\n\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.1}}""#,
                "quack\n",
                Outcome::Failed,
            ),
            (
                r#"{"content":"honk","success":true}"#,
                "honk",
                Outcome::Succeeded,
            ),
            (
                r#"[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"[1]"},{"type":"input_image","image_url":"data:x"}]"#,
                "[1]\n[image]",
                Outcome::Succeeded,
            ),
            (
                r#""The command said: Exit code: 0""#,
                "The command said: Exit code: 0",
                Outcome::Unknown,
            ),
            (
                r#""patch rejected by user""#,
                "patch rejected by user",
                Outcome::Failed,
            ),
            (
                r#""Success. Updated the following files:\nM patch rejected.md""#,
                "Success. Updated the following files:\nM patch rejected.md",
                Outcome::Unknown,
            ),
            ("5", "", Outcome::Unknown),
        ] {
            assert_eq!(
                read(json::parse(json), 1000),
                (text.to_owned(), outcome),
                "{json}"
            );
        }
    }
}
