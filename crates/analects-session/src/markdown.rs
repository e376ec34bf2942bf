//! A conversation as Markdown, for people to read and for models to be shown.

use std::fmt::Write as _;

use analects_text::truncate;
use analects_world::provenance::Author;

use crate::transcript::{Outcome, ToolUse, Transcript, Turn};

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// How many characters of what a tool was asked.
    pub input_chars: usize,
    /// How many lines of what it answered.
    pub output_lines: usize,
}

impl Detail {
    /// Enough to follow what happened.
    pub const USUAL: Self = Self {
        input_chars: 200,
        output_lines: 10,
    };
}

/// The whole conversation: a heading, what is known about it, and every turn.
#[must_use]
pub fn markdown(transcript: &Transcript, title: &str, detail: Detail) -> String {
    let head = &transcript.head;
    let mut out = format!("# {}\n\n", one_line(title));
    let started = head.started.map(|at| at.to_string());
    for (name, said) in [
        ("Session", Some(head.id.as_str())),
        ("Agent", Some(head.agent.as_str())),
        ("Project", head.cwd.as_deref()),
        ("Branch", head.branch.as_deref()),
        ("Began", started.as_deref()),
    ] {
        if let Some(said) = said {
            push(&mut out, format_args!("- {name}: {}\n", one_line(said)));
        }
    }
    for turn in &transcript.turns {
        push_turn(&mut out, turn, detail);
    }
    out
}

fn push_turn(out: &mut String, turn: &Turn, detail: Detail) {
    let at = turn.at.map(|at| format!(" ({at})")).unwrap_or_default();
    push(out, format_args!("\n## {}{at}\n\n", turn.role.as_str()));
    let text = turn.text.trim();
    if !text.is_empty() {
        push(out, format_args!("{text}\n"));
    }
    // Texts that the program puts in for the model alone are noise to a reader.
    let attached = turn.attached.iter();
    for attached in attached.filter(|attached| attached.author != Author::System) {
        push(out, format_args!("- *{}*\n", attached.author.as_str()));
        push_quoted(out, &attached.text, detail.output_lines);
    }
    for tool in &turn.tools {
        push_tool(out, tool, detail);
    }
}

fn push_tool(out: &mut String, tool: &ToolUse, detail: Detail) {
    let input = one_line(&tool.input);
    let mut asked: String = input.chars().take(detail.input_chars).collect();
    if asked.len() < input.len() {
        asked.push('…');
    }
    let failed = match tool.outcome {
        Outcome::Failed => " (failed)",
        Outcome::Succeeded | Outcome::Unknown => "",
    };
    let name = one_line(&tool.name);
    push(out, format_args!("- **{name}**{failed} `{asked}`\n"));
    push_quoted(out, &tool.output, detail.output_lines);
}

/// Quotes the first lines of a text that the role of its turn did not write.
fn push_quoted(out: &mut String, text: &str, max_lines: usize) {
    let lines: Vec<_> = text.trim_end().lines().collect();
    for line in lines.iter().take(max_lines) {
        push(
            out,
            format_args!("  > {}\n", truncate::head_bytes(line, LINE_BYTES)),
        );
    }
    if lines.len() > max_lines {
        let n_more = lines.len() - max_lines;
        push(out, format_args!("  > … {n_more} more lines\n"));
    }
}

/// A line of a tool's answer is cut here.
const LINE_BYTES: usize = 500;

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    // A string takes whatever it is given.
    let _ = out.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use analects_world::Agent;
    use expect_test::expect;

    use super::*;
    use crate::stamp::Stamp;
    use crate::transcript::{Head, Kind, Role};

    #[test]
    fn a_conversation_reads_well() {
        let tool = ToolUse {
            name: "Bash".to_owned(),
            input: "cargo\ntest".to_owned(),
            output: "one\ntwo\nthree\n".to_owned(),
            outcome: Outcome::Failed,
            paths: Vec::new(),
        };
        let turn = |role, text: &str, tools| Turn {
            id: String::new(),
            at: Stamp::from_ms(0),
            role,
            text: text.to_owned(),
            attached: Vec::new(),
            tools,
            span: 0..0,
        };
        let transcript = Transcript {
            head: Head {
                agent: Agent::Claude,
                id: "a1".to_owned(),
                title: None,
                cwd: Some("/w/app".to_owned()),
                branch: None,
                started: None,
                updated: None,
                kind: Kind::Main,
            },
            turns: vec![
                turn(Role::User, "Do the tests pass?\n", Vec::new()),
                turn(Role::Model, "", vec![tool]),
            ],
        };
        let detail = Detail {
            input_chars: 8,
            output_lines: 2,
        };
        expect![[r#"
            # Tests and more

            - Session: a1
            - Agent: claude
            - Project: /w/app

            ## user (1970-01-01T00:00:00.000Z)

            Do the tests pass?

            ## model (1970-01-01T00:00:00.000Z)

            - **Bash** (failed) `cargo te…`
              > one
              > two
              > … 1 more lines
        "#]]
        .assert_eq(&markdown(&transcript, "Tests and\nmore", detail));
    }
}
