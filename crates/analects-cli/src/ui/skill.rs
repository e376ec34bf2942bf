//! Skills as people see them.

mod install;

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::skill::{ListAnswer, Skill};
use analects_text::sanitize::one_line;

use super::{Human, Screen, shorten};

impl Human for ListAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if !self.enabled {
            writeln!(out, "Skills are switched off (`skills.enabled`).")?;
        }
        for skill in &self.skills {
            row(skill, &self.root, out, screen)?;
        }
        match self.hidden {
            0 => Ok(()),
            n => {
                let line =
                    format!("{n} more are disabled; see them with `analects skill list --all`.");
                writeln!(out, "{}", screen.dim(&line))
            }
        }
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

fn row(skill: &Skill, root: &str, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let place = match &skill.path {
        Some(path) => screen.short(path, Some(root)),
        None => "part of Analects".to_owned(),
    };
    let state = match (skill.is_overruled, skill.enabled) {
        (true, _) => " (overruled)",
        (false, true) => "",
        (false, false) => " (disabled)",
    };
    writeln!(
        out,
        "{}{state}  {}",
        screen.bold(&one_line(&skill.name)),
        screen.dim(&place)
    )?;
    let text = one_line(&skill.description);
    let text = match screen.is_terminal {
        true => shorten(&text, screen.width.saturating_sub(2)),
        false => text.into_owned(),
    };
    writeln!(out, "  {text}")
}
