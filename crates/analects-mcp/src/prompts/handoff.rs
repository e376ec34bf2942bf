//! `handoff`: what a session was at, so that another can go on with it.

use analects_engine::World;
use analects_engine::verbs::session::{Show, ShowAnswer, ShownTurn};
use analects_engine::verbs::{Failure, Flags, Verb};
use analects_memory::render::harmless;
use analects_text::truncate;

const HANDOFF: &str = include_str!("../../prompts/handoff.md");

/// The newest prompts tell where things stand.
const MAX_PROMPTS: usize = 8;
/// How much of each.
const PROMPT_TOKENS: usize = 300;
/// How much of what the model said last.
const ANSWER_TOKENS: usize = 1000;
/// How many files and commands.
const MAX_DEEDS: usize = 20;

/// The prompt for a session; the newest of this project, if none is named.
pub(super) fn handoff(
    world: &World<'_>,
    flags: &Flags,
    session: Option<String>,
) -> Result<String, Failure> {
    // A file's path is no session: whoever asks may not read whatever they like.
    if let Some(path) = session.as_ref().filter(|session| session.contains('/')) {
        return Err(Failure::bad_input(format!("there is no session `{path}`")));
    }
    let usual = Show::default();
    let show = Show {
        session: session.unwrap_or(usual.session),
        history: false,
        secrets: false,
    };
    let shown = show.run(world, flags)?;
    let (head, tail) = HANDOFF
        .trim_end()
        .split_once("{session}")
        .unwrap_or((HANDOFF, ""));
    // Secrets are gone from what is shown, before any of it is cut.
    Ok([head, &harmless(&told(&shown)), tail].concat())
}

fn told(shown: &ShowAnswer) -> String {
    let session = &shown.session;
    let mut lines = vec![
        format!("Title: {}", session.title),
        format!("Session: {} ({})", session.id, session.agent),
    ];
    let project = session.project.iter();
    lines.extend(project.map(|project| format!("Directory: {project}")));
    let prompts: Vec<_> = shown
        .turns
        .iter()
        .filter(|turn| turn.role == "user")
        .collect();
    let n_older = prompts.len().saturating_sub(MAX_PROMPTS);
    lines.push(match n_older {
        0 => "\nWhat the user asked for:".to_owned(),
        n => format!("\nWhat the user asked for last ({n} older prompts left out):"),
    });
    for prompt in prompts.iter().skip(n_older) {
        lines.push(format!("- {}", cut(&prompt.text, PROMPT_TOKENS)));
    }
    let deeds = deeds(&shown.turns);
    if !deeds.is_empty() {
        lines.push("\nWhat was done last:".to_owned());
        lines.extend(deeds);
    }
    let mut answers = shown.turns.iter().rev();
    let last = answers.find(|turn| turn.role == "model" && !turn.text.trim().is_empty());
    if let Some(last) = last {
        lines.push("\nWhat the model said last:".to_owned());
        lines.push(cut(&last.text, ANSWER_TOKENS));
    }
    lines.join("\n")
}

/// The tools that ran last, each on a line.
fn deeds(turns: &[ShownTurn]) -> Vec<String> {
    let tools = turns.iter().rev().flat_map(|turn| turn.tools.iter().rev());
    let mut deeds: Vec<_> = tools
        .take(MAX_DEEDS)
        .map(|tool| {
            let words: Vec<_> = tool.input.split_whitespace().collect();
            let input: String = words.join(" ").chars().take(160).collect();
            let failed = if tool.outcome == "failed" {
                " (failed)"
            } else {
                ""
            };
            format!("- {}{failed}: {input}", tool.name)
        })
        .collect();
    deeds.reverse();
    deeds
}

fn cut(text: &str, limit_tokens: usize) -> String {
    let text = text.trim();
    let shown = truncate::head(text, limit_tokens);
    match shown.len() == text.len() {
        true => shown.to_owned(),
        false => format!("{shown} […]"),
    }
}
