//! Trust as people see it.

use std::io::{self, Write};

use analects_engine::verbs::answer::Problem;
use analects_engine::verbs::trust::{Changed, Shown};
use analects_text::sanitize;

use super::{Human, Screen, pad};

impl Human for Shown {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let word = if self.trusted {
            "trusted"
        } else {
            "not trusted"
        };
        let why = match (self.trust.reason.as_str(), &self.trust.rule) {
            ("rule", Some(rule)) => format!("by the rule about {}", screen.short(rule, None)),
            ("flag", _) => "by --trust".to_owned(),
            ("environment", _) => "by the environment".to_owned(),
            ("feature-off", _) => "folder trust is switched off".to_owned(),
            ("other-repository", _) => {
                "another repository lies there than the one that was trusted".to_owned()
            }
            ("foreign-owner", Some(dir)) => {
                format!("others own or may write {}", screen.short(dir, None))
            }
            ("bad-file", _) => "the rules cannot be read".to_owned(),
            _ => "nobody has decided yet".to_owned(),
        };
        writeln!(out, "{} is {word}: {why}", screen.short(&self.folder, None))?;
        for rule in &self.rules {
            let folder = screen.short(&rule.folder, None);
            writeln!(
                out,
                "  {}  {folder}",
                pad(&rule.level, "DO_NOT_TRUST".len())
            )?;
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for Changed {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let folder = screen.short(&self.folder, None);
        if self.diff.is_empty() {
            return writeln!(out, "Nothing to change for {folder}.");
        }
        write!(out, "{}", sanitize::for_terminal(&self.diff))?;
        let said = match (&self.level, self.written) {
            (_, false) => "Nothing was written: this was a dry run.".to_owned(),
            (Some(level), true) => format!("{folder}: {level}"),
            (None, true) => format!("{folder}: no rule any more"),
        };
        writeln!(out, "{said}")
    }
}
