//! Skills as people see them.

mod install;

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::skill::{CheckAnswer, ListAnswer, ShowAnswer, Skill, SwitchAnswer};
use analects_text::sanitize::{for_terminal, one_line};

use super::check::write_problem;
use super::write::not_written;
use super::{Human, Screen, ago, counted, shorten};

impl Human for ListAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if !self.enabled {
            writeln!(out, "Skills are switched off (`skills.enabled`).")?;
        }
        for skill in &self.skills {
            head(skill, (&self.root, &self.now), out, screen)?;
            let text = one_line(&skill.description);
            let text = match screen.is_terminal {
                true => shorten(&text, screen.width.saturating_sub(2)),
                false => text.into_owned(),
            };
            writeln!(out, "  {text}")?;
        }
        let line = match (self.hidden, self.enabled) {
            (0, _) => return Ok(()),
            (1, true) => "1 more is disabled; see it with `analects skill list --all`.".to_owned(),
            (n, true) => {
                format!("{n} more are disabled; see them with `analects skill list --all`.")
            }
            (_, false) => "See them with `analects skill list --all`.".to_owned(),
        };
        writeln!(out, "{}", screen.dim(&line))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

/// The name of a skill, whether it counts, where it lies and how often it was used.
fn head(
    skill: &Skill,
    (root, now): (&str, &str),
    out: &mut dyn Write,
    screen: &Screen,
) -> io::Result<()> {
    let place = match &skill.path {
        Some(path) => screen.short(path, Some(root)),
        None => "part of Analects".to_owned(),
    };
    let state = match (skill.is_overruled, skill.enabled) {
        (true, _) => " (overruled)",
        (false, true) => "",
        (false, false) => " (disabled)",
    };
    let used = match (skill.uses, &skill.last_used) {
        (0, _) | (_, None) => String::new(),
        (1, Some(last)) => format!(" · used once, {}", ago(last, now)),
        (n, Some(last)) => format!(" · used {n} times, last {}", ago(last, now)),
    };
    writeln!(
        out,
        "{}{state}  {}",
        screen.bold(&one_line(&skill.name)),
        screen.dim(&format!("{place}{used}"))
    )
}

impl Human for ShowAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        head(&self.skill, (&self.root, &self.now), out, screen)?;
        writeln!(out, "{}", for_terminal(&self.skill.description))?;
        writeln!(out, "\n{}", for_terminal(self.instructions.trim_end()))?;
        match self.resources.is_empty() {
            true => Ok(()),
            false => write!(out, "\n{}", for_terminal(&self.resources)),
        }
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn is_long(&self) -> bool {
        true
    }
}

impl Human for CheckAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        for finding in &self.findings {
            write_problem(out, screen, finding, &self.root)?;
        }
        let found = match self.findings.len() {
            0 => "nothing wrong".to_owned(),
            n => counted(n, "finding", "findings"),
        };
        let skills = counted(self.skills_checked, "skill", "skills");
        writeln!(out, "{skills} checked: {found}")
    }

    fn has_findings(&self) -> bool {
        !self.findings.is_empty()
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

impl Human for SwitchAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let name = one_line(&self.name);
        let state = match self.enabled {
            true => "enabled",
            false => "disabled",
        };
        if !self.diff.is_empty() && !self.written {
            return not_written(out, screen, &self.diff);
        }
        write!(out, "{}", for_terminal(&self.diff))?;
        match (&self.because, self.written) {
            (Some(why), _) => writeln!(out, "{name} is still not offered: {why}"),
            (None, true) => writeln!(out, "{name} is {state}"),
            (None, false) => writeln!(out, "{name} is {state} already"),
        }
    }
}
