//! Records as a few lines, to be compared.

use std::fmt::Write as _;

use analects_session::foreign::Record;
use analects_session::transcript::{Kind, Outcome, Turn};
use analects_text::problem::Problem;

/// Everything that was read.
pub(super) fn show((record, problems): &(Record, Vec<Problem>)) -> String {
    let head = &record.transcript.head;
    let mut out = format!("{} {}", head.agent.as_str(), head.id);
    if let Some(title) = &head.title {
        write!(out, " {title:?}").unwrap();
    }
    for part in [&head.cwd, &head.branch].into_iter().flatten() {
        write!(out, " {part}").unwrap();
    }
    if let Kind::Subagent { parent } = &head.kind {
        write!(out, " for {}", parent.as_deref().unwrap_or("?")).unwrap();
    }
    if let Some(base) = &record.continues {
        write!(out, " after {}:{:?}", base.id, base.end).unwrap();
    }
    out.push('\n');
    if let (Some(started), Some(updated)) = (head.started, head.updated) {
        writeln!(out, "{started} {updated}").unwrap();
    }
    record
        .transcript
        .turns
        .iter()
        .for_each(|turn| show_turn(turn, &mut out));
    for problem in problems {
        let line = problem
            .line
            .map_or(String::new(), |line| format!("{line}: "));
        writeln!(out, "! {} {line}{}", problem.code.name, problem.message).unwrap();
    }
    out
}

fn show_turn(turn: &Turn, out: &mut String) {
    writeln!(out, "{}: {}", turn.role.as_str(), short(&turn.text)).unwrap();
    for tool in &turn.tools {
        let outcome = match tool.outcome {
            Outcome::Succeeded => "ok",
            Outcome::Failed => "failed",
            Outcome::Unknown => "?",
        };
        writeln!(
            out,
            "  {} {} → {outcome} {}",
            tool.name,
            short(&tool.input),
            short(&tool.output)
        )
        .unwrap();
        if !tool.paths.is_empty() {
            writeln!(out, "    {}", tool.paths.join(" ")).unwrap();
        }
    }
}

fn short(text: &str) -> String {
    let line = text.replace('\n', "⏎");
    match line.char_indices().nth(90) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
