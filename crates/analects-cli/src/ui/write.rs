//! What became of a change to memory, as people see it.

use std::io::{self, Write};

use analects_engine::verbs::answer::Problem;
use analects_engine::verbs::memory::{Added, ChangedEntry, Scope, UndoAnswer};
use analects_text::sanitize::{for_terminal, one_line};

use super::{Human, Screen};

/// The code of what cannot be taken back.
const NO_WAY_BACK: &str = analects_engine::codes::NO_WAY_BACK.name;

impl Human for Added {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let path = screen.short(&self.path, None);
        let scope = match self.scope {
            Scope::Global => "for all projects",
            Scope::Project => "for this project",
        };
        let id = screen.dim(&self.id);
        let text = one_line(&self.text);
        if !self.written {
            let is_known = self.diff.is_empty();
            return match is_known {
                true => writeln!(out, "Remembered already in {path}\n  {id}  {text}"),
                false => not_written(out, screen, &self.diff),
            };
        }
        writeln!(out, "Remembered in {path}, {scope}: {}", self.because)?;
        writeln!(out, "  {id}  {text}")?;
        receipt(out, screen)
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for ChangedEntry {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if !self.written {
            return not_written(out, screen, &self.diff);
        }
        let (from, to) = (
            screen.short(&self.from, None),
            screen.short(&self.path, None),
        );
        match &self.after {
            None => writeln!(out, "Forgotten in {from}")?,
            Some(_) if from != to => writeln!(out, "Moved from {from} to {to}")?,
            Some(_) => writeln!(out, "Changed in {from}")?,
        }
        let id = screen.dim(&self.id);
        let said = self.after.as_ref().unwrap_or(&self.before);
        writeln!(out, "  {id}  {}", one_line(said))?;
        match self
            .problems
            .iter()
            .any(|problem| problem.code == NO_WAY_BACK)
        {
            true => Ok(()),
            false => receipt(out, screen),
        }
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for UndoAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if !self.written {
            return not_written(out, screen, &self.diff);
        }
        written(out, screen, &self.diff)?;
        writeln!(out, "Taken back: {}", one_line(&self.why))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A change that was not made. Whoever was asked about it has seen it.
pub(super) fn not_written(out: &mut dyn Write, screen: &Screen, diff: &str) -> io::Result<()> {
    written(out, screen, diff)?;
    writeln!(out, "{}", screen.dim("Nothing was written."))
}

/// A change, for those who have not seen it before.
pub(super) fn written(out: &mut dyn Write, screen: &Screen, diff: &str) -> io::Result<()> {
    match screen.asks_first {
        true => Ok(()),
        false => write!(out, "{}", for_terminal(diff)),
    }
}

pub(super) fn receipt(out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let line = "Take it back with `analects memory undo`.";
    writeln!(out, "{}", screen.dim(line))
}
