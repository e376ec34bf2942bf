//! What came of learning from sessions, as people see it.

use std::io::{self, Write};

use analects_engine::verbs::answer::Problem;
use analects_engine::verbs::skill::{ExtractAnswer, SessionCounts, Status};
use analects_text::sanitize::one_line;

use super::{Human, Screen, shorten};

impl Human for ExtractAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if let Some(line) = looked(&self.sessions) {
            writeln!(out, "{line}")?;
        }
        if self.status == Status::Planned {
            plan(self, out, screen)?;
        }
        let made = [
            ("new skill", &self.skills),
            ("changed skill", &self.changed_skills),
            ("patch", &self.patches),
            ("in quarantine", &self.quarantined),
        ];
        for (what, names) in made {
            for name in names {
                writeln!(out, "{what}: {}", screen.bold(&one_line(name)))?;
            }
        }
        if self.turns > 0 {
            let line = format!(
                "A model read {} sessions in {} turns, for {} tokens.",
                self.read, self.turns, self.tokens
            );
            writeln!(out, "{}", screen.dim(&line))?;
        }
        let mut why = self.why.chars();
        let first = why.next().into_iter().flat_map(char::to_uppercase);
        let why: String = first.chain(why).collect();
        writeln!(out, "{}.", one_line(&why))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// What would be looked at.
fn plan(answer: &ExtractAnswer, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    for session in &answer.indexed {
        let mark = if session.is_new { "new" } else { "old" };
        let title = session.title.as_deref().unwrap_or("(no summary)");
        let line = format!("{mark}  {} ({} prompts)", one_line(title), session.prompts);
        let line = match screen.is_terminal {
            true => shorten(&line, screen.width),
            false => line,
        };
        writeln!(out, "{line}")?;
    }
    let Some(estimate) = &answer.estimate else {
        return Ok(());
    };
    let model = one_line(&estimate.model);
    writeln!(out, "{model} would take about {} tokens.", estimate.tokens)?;
    let spent = match estimate.spent_today {
        Some(spent) => spent.to_string(),
        None => "nobody knows how many".to_owned(),
    };
    let ceiling = estimate.daily_ceiling;
    writeln!(out, "Spent today on such work: {spent} of {ceiling}.")
}

/// What was looked at, in one line; nothing if nobody looked.
fn looked(counts: &SessionCounts) -> Option<String> {
    let left_out = [
        (counts.short, "too short"),
        (counts.busy, "not over yet"),
        (counts.of_agents, "of agents"),
        (counts.older, "older"),
    ];
    let left_out = left_out.into_iter().filter(|(n, _)| *n > 0);
    let mut parts = vec![format!("{} to learn from", counts.eligible)];
    parts.extend(left_out.map(|(n, why)| format!("{n} {why}")));
    let line = format!("{} sessions: {}.", counts.records, parts.join(", "));
    (counts.records > 0).then_some(line)
}
