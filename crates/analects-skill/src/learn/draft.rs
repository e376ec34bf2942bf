//! A finding as a skill: what stands in its `SKILL.md`.
//!
//! Everything here was done and seen. What varied from one time to the next stands as a placeholder; what nobody saw is
//! not claimed.

mod command;
mod seen;

use std::fmt::Write as _;

use super::finding::{Finding, Kind, Pitfall, Told};
use super::view::{Key, View};

/// How many prompts are quoted.
const MAX_QUOTES: usize = 3;
/// How many sessions and messages are named.
const MAX_EVIDENCE: usize = 8;

/// Everything a draft is made from.
pub(super) struct Draft<'a> {
    /// All sessions.
    pub(super) view: &'a View<'a>,
    /// What was found.
    pub(super) finding: &'a Finding,
    /// What it is called.
    pub(super) name: &'a str,
    /// How sure it is, in percent.
    pub(super) score: u32,
}

impl Draft<'_> {
    /// The text of `SKILL.md`.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.head(&mut out);
        self.when(&mut out);
        self.procedure(&mut out);
        self.pitfalls(&mut out);
        self.verification(&mut out);
        out
    }

    /// The commands, as they are written down.
    pub(super) fn lines(&self) -> Vec<String> {
        let keys = self.finding.steps.iter();
        keys.map(|key| match self.finding.told {
            Told::Programs => self.program(*key),
            Told::Commands | Told::AvoidedProgram => self.shown(*key),
        })
        .collect()
    }

    /// What was done wrong, as far as it was meant.
    fn avoided(&self) -> Option<String> {
        let key = self.finding.avoid?;
        Some(match self.finding.told {
            Told::Commands => code(&self.shown(key)),
            Told::AvoidedProgram | Told::Programs => code(&self.program(key)),
        })
    }

    fn head(&self, out: &mut String) {
        let finding = self.finding;
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let sessions: Vec<_> = self.sessions().into_iter().take(MAX_EVIDENCE).collect();
        let evidence: Vec<_> = self.evidence();
        let taint = finding.taint.map_or("none", |origin| origin.as_str());
        push(out, format_args!("---\nname: {}\n", self.name));
        push(
            out,
            format_args!("description: {}\n", quoted(&self.description())),
        );
        push(out, format_args!("metadata:\n  analects-origin: learner\n"));
        push(
            out,
            format_args!("  analects-sessions: {}\n", quoted(&sessions.join(", "))),
        );
        push(
            out,
            format_args!("  analects-evidence: {}\n", quoted(&evidence.join(", "))),
        );
        push(out, format_args!("  analects-score: \"{}\"\n", self.score));
        push(
            out,
            format_args!("  analects-taint: {}\n---\n", quoted(taint)),
        );
    }

    fn description(&self) -> String {
        const MAX_CHARS: usize = 600;
        let lines = self.lines();
        let told = |lines: &[String]| {
            lines
                .iter()
                .map(|line| code(line))
                .collect::<Vec<_>>()
                .join(", then ")
        };
        let what = match self.finding.kind {
            Kind::Workflow | Kind::Order => format!("Runs {} in this project.", told(&lines)),
            Kind::Fix => {
                let failing = lines.last().map(|line| code(line)).unwrap_or_default();
                format!("What makes {failing} pass again in this project when it fails.")
            }
            Kind::Correction => {
                format!("In this project it is {}{}.", told(&lines), self.instead())
            }
        };
        let asked = self.quotes();
        let when = match asked.first() {
            Some(first) => format!(" Use it when asked for something like “{first}”."),
            None => " Use it whenever one of these commands is about to be run.".to_owned(),
        };
        let text = what + &when;
        text.chars().take(MAX_CHARS).collect()
    }

    fn instead(&self) -> String {
        let avoided = self.avoided();
        avoided.map_or(String::new(), |avoided| format!(", not {avoided}"))
    }

    fn when(&self, out: &mut String) {
        out.push_str("## When to Use\n\n");
        for quote in self.quotes() {
            push(
                out,
                format_args!("- When the user asks for something like: “{quote}”\n"),
            );
        }
        let finding = self.finding;
        match finding.kind {
            Kind::Workflow | Kind::Order => {
                out.push_str("- When one of the steps below is about to be done: they belong together, in this order.\n");
            }
            Kind::Fix => {
                let failing = self.last_step();
                push(
                    out,
                    format_args!("- When {failing} fails as described under Pitfalls and Fixes.\n"),
                );
            }
            Kind::Correction => {
                let lines = self.lines();
                let first = lines.first().map(|line| code(line)).unwrap_or_default();
                push(
                    out,
                    format_args!(
                        "- Whenever {first} is what the task needs{}.\n",
                        self.instead()
                    ),
                );
            }
        }
        let n = finding.n_sessions;
        let sessions = if n == 1 { "session" } else { "sessions" };
        push(
            out,
            format_args!(
                "- Not for other projects: it was learned from {n} {sessions} of this one.\n\n"
            ),
        );
    }

    fn procedure(&self, out: &mut String) {
        out.push_str("## Procedure\n\n");
        let between = self.between();
        let mut number = 0;
        let mut step = |out: &mut String, what: &str, dir: Option<String>| {
            number += 1;
            let place = dir.map(|dir| format!(" (in {})", code(&dir)));
            push(
                out,
                format_args!("{number}. {what}{}\n", place.unwrap_or_default()),
            );
        };
        for (at, key) in self.finding.steps.iter().enumerate() {
            if self.finding.told == Told::Programs {
                let program = code(&self.program(*key));
                step(
                    out,
                    &format!("Run what the task needs with {program}"),
                    None,
                );
                continue;
            }
            step(out, &self.to_do(*key), self.dir(at));
            for (_, key) in between.iter().filter(|(after, _)| *after == at) {
                step(out, &self.to_do(*key), None);
            }
        }
        if self.lines().iter().any(|line| command::has_gap(line)) {
            out.push_str(
                "\nWhat stands in `<…>` was another each time, or was not kept: fill in what the task is about.\n",
            );
        }
        if self.finding.is_cut {
            out.push_str(
                "\nA further step was seen here that only a text of unknown origin asked for. It was left out.\n",
            );
        }
        out.push('\n');
    }

    /// The last command: of a fix the one that fails.
    fn last_step(&self) -> String {
        let last = self.finding.steps.last();
        last.map(|key| code(&self.shown(*key))).unwrap_or_default()
    }

    /// A step as it is to be done.
    fn to_do(&self, key: Key) -> String {
        let what = match self.is_edit(key) {
            true => "Change",
            false => "Run",
        };
        format!("{what} {}", code(&self.shown(key)))
    }

    fn is_edit(&self, key: Key) -> bool {
        self.view.facts(key).is_some_and(|facts| facts.is_edit)
    }

    fn pitfalls(&self, out: &mut String) {
        out.push_str("## Pitfalls and Fixes\n\n");
        let n_before = out.len();
        for pitfall in &self.finding.pitfalls {
            push(out, format_args!("- {}\n", self.pitfall(pitfall)));
        }
        if let Some(avoided) = self.avoided() {
            let instead = self.lines();
            let instead = instead.first().map(|line| code(line)).unwrap_or_default();
            push(
                out,
                format_args!("- {avoided} is not what this project uses → run {instead}\n"),
            );
        }
        let said = self.finding.said.iter();
        let said = said.filter(|said| self.view.may_tell(said));
        for said in said.take(MAX_QUOTES) {
            push(out, format_args!("- The user said: “{said}”\n"));
        }
        if out.len() == n_before {
            out.push_str("- None was seen.\n");
        }
        out.push('\n');
    }

    fn pitfall(&self, pitfall: &Pitfall) -> String {
        let failing = code(&self.shown_at(pitfall.failing, pitfall.place));
        let says = match pitfall
            .error
            .as_ref()
            .filter(|error| self.view.may_tell(error))
        {
            Some(error) => format!(" fails with {}", code(error)),
            None => " fails".to_owned(),
        };
        let fix = |key: &Key| {
            let what = if self.is_edit(*key) { "change" } else { "run" };
            format!("{what} {}", code(&self.shown(*key)))
        };
        let fixes: Vec<_> = pitfall.fixes.iter().map(fix).collect();
        let fixes = fixes.join(", then ");
        format!("{failing}{says} → {fixes}, then run it again")
    }

    fn verification(&self, out: &mut String) {
        out.push_str("## Verification\n\n");
        let checks = self.checks();
        for (line, n) in &checks {
            let times = if *n == 1 {
                "once".to_owned()
            } else {
                format!("{n} times")
            };
            push(
                out,
                format_args!("- Run {}; it passed {times} afterwards.\n", code(line)),
            );
        }
        let finding = self.finding;
        match finding.kind {
            Kind::Fix => {
                let failing = self.last_step();
                push(out, format_args!("- {failing} ends without an error.\n"));
            }
            Kind::Workflow if checks.is_empty() => {
                let n = finding.n_validated;
                push(
                    out,
                    format_args!(
                        "- Every step ends without an error; the user was content {n} times.\n"
                    ),
                );
            }
            Kind::Workflow | Kind::Order | Kind::Correction => {
                out.push_str("- Every step ends without an error.\n");
            }
        }
    }
}

/// A text as code in Markdown, whatever it holds.
fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = analects_text::sanitize::one_line(&line);
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("`{line}`"),
        _ => format!("{fence} {line} {fence}"),
    }
}

fn push(out: &mut String, what: std::fmt::Arguments<'_>) {
    // A string takes whatever it is given.
    let _ = out.write_fmt(what);
}
