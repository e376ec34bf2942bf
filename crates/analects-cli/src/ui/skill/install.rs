//! Skills that come and go, as people see it.

use std::io::{self, Write};

use analects_engine::verbs::skill::{
    InstallAnswer, InstallOutcome, InstallSource, InstallVerdict, UninstallAnswer,
};
use analects_text::sanitize::one_line;

use crate::ui::write::{not_written, receipt, written};
use crate::ui::{Human, Screen};

impl Human for InstallAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        writeln!(out, "From {}", came_from(&self.source, screen))?;
        for note in &self.notes {
            writeln!(out, "note: {}", one_line(note))?;
        }
        for skill in &self.skills {
            outcome(skill, out, screen)?;
        }
        match self.skills.iter().any(|skill| skill.written) {
            true => receipt(out, screen),
            false => Ok(()),
        }
    }

    fn is_undecided(&self) -> bool {
        let mut skills = self.skills.iter();
        skills.any(|skill| skill.outcome == InstallVerdict::Failed)
    }
}

fn came_from(source: &InstallSource, screen: &Screen) -> String {
    let location = screen.short(&source.location, None);
    let reference = source.reference.as_ref().map(|it| format!("#{it}"));
    let commit = source.commit.as_ref().map(|it| format!(" at {it}"));
    let (reference, commit) = (reference.unwrap_or_default(), commit.unwrap_or_default());
    one_line(&format!("{location}{reference}{commit}")).into_owned()
}

fn outcome(skill: &InstallOutcome, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let name = one_line(&skill.name);
    match skill.outcome {
        InstallVerdict::Shown if skill.diff.is_empty() => {
            writeln!(out, "Nothing to change: {name}")
        }
        InstallVerdict::Shown => {
            doubts(&skill.doubts, out)?;
            not_written(out, screen, &skill.diff)
        }
        InstallVerdict::Written => {
            written(out, screen, &skill.diff)?;
            doubts(&skill.doubts, out)?;
            let path = skill.path.as_deref().unwrap_or_default();
            writeln!(
                out,
                "Done: {name}  {}",
                screen.dim(&screen.short(path, None))
            )
        }
        InstallVerdict::Declined => writeln!(out, "Left as it was: {name}"),
        InstallVerdict::Failed => {
            let reason = one_line(skill.reason.as_deref().unwrap_or_default());
            writeln!(out, "Failed: {name}: {reason}")?;
            for hint in &skill.hints {
                writeln!(out, "  {}", screen.dim(&one_line(hint)))?;
            }
            Ok(())
        }
    }
}

fn doubts(doubts: &[String], out: &mut dyn Write) -> io::Result<()> {
    for doubt in doubts {
        writeln!(out, "note: {}", one_line(doubt))?;
    }
    Ok(())
}

impl Human for UninstallAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let name = one_line(&self.name);
        if self.declined {
            return writeln!(out, "Left as it was: {name}");
        }
        doubts(&self.doubts, out)?;
        if !self.written {
            return not_written(out, screen, &self.diff);
        }
        for path in &self.paths {
            let path = screen.short(path, None);
            match self.is_link {
                true => writeln!(out, "Gone: {path}, a link; what it led to is still there")?,
                false => writeln!(out, "Gone: {path}")?,
            }
        }
        receipt(out, screen)
    }
}
