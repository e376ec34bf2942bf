//! The journal as people see it.

use std::io::{self, Write};

use analects_engine::verbs::memory::{LogAnswer, LoggedFileChange};
use analects_text::sanitize::{for_terminal, one_line};

use super::{Human, Screen};

/// How many lines of a change are shown; all of it is in `--json`.
const MAX_LINES: usize = 12;

impl Human for LogAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.changes.is_empty() {
            return writeln!(out, "Nothing was written yet.");
        }
        for change in &self.changes {
            let name = match change.number {
                Some(number) => number.to_string(),
                None => one_line(&change.id).into_owned(),
            };
            let head = format!("{name}  {}  {}", change.at, one_line(&change.who));
            writeln!(out, "{}", screen.bold(&head))?;
            writeln!(out, "   {}", one_line(&change.why))?;
            for file in &change.files {
                let path = screen.short(&file.path, None);
                writeln!(out, "   {}", screen.dim(&path))?;
                show_sides(file, out, screen)?;
            }
        }
        Ok(())
    }
}

fn show_sides(file: &LoggedFileChange, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    for (sign, style, text) in [("-", "31", &file.before), ("+", "32", &file.after)] {
        let text = text.as_deref().unwrap_or_default();
        let lines: Vec<_> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        for line in lines.iter().take(MAX_LINES) {
            let line = format!("{sign} {}", for_terminal(line));
            writeln!(out, "     {}", screen.paint(style, &line))?;
        }
        if lines.len() > MAX_LINES {
            writeln!(out, "     {sign} … {} more lines", lines.len() - MAX_LINES)?;
        }
    }
    match &file.withheld {
        Some(hash) => writeln!(out, "     (not kept; fingerprint {hash})"),
        None => Ok(()),
    }
}
