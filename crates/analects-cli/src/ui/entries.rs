//! Entries as people see them: by file, each with its id.

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::memory::{EntryAnswer, SearchAnswer};
use analects_text::sanitize::one_line;

use super::{Human, Screen, shorten};

impl Human for SearchAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.entries.is_empty() {
            return writeln!(out, "No entry says that.");
        }
        show(&self.entries, None, out, screen)?;
        match self.left_out {
            0 => Ok(()),
            n => writeln!(out, "{n} more; see them with `--limit`"),
        }
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

/// Writes entries, a heading for each run of one file, every entry on one line.
pub(super) fn show(
    entries: &[EntryAnswer],
    root: Option<&str>,
    out: &mut dyn Write,
    screen: &Screen,
) -> io::Result<()> {
    let mut file = None;
    for entry in entries {
        if file != Some(&entry.path) {
            writeln!(out, "{}", screen.bold(&screen.short(&entry.path, root)))?;
            file = Some(&entry.path);
        }
        let text = one_line(&entry.text);
        let room = screen.width.saturating_sub(entry.id.len() + 4);
        let shown = match screen.is_terminal {
            true => shorten(&text, room),
            false => text.into_owned(),
        };
        writeln!(out, "  {}  {shown}", screen.dim(&entry.id))?;
    }
    Ok(())
}
