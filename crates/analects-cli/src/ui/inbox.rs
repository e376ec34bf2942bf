//! What waits for a yes, as people see it.

use std::io::{self, Write};

use analects_engine::verbs::memory::inbox::{
    InboxAnswer, InboxItem, InboxKind, InboxOutcome, InboxSettled, InboxShown, InboxVerdict,
};
use analects_text::sanitize::{for_terminal, one_line};

use super::write::{not_written, receipt, written};
use super::{Human, Screen, ago, shorten};

impl Human for InboxAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.items.is_empty() {
            return writeln!(out, "Nothing waits in the inbox.");
        }
        let mut last = None;
        for item in &self.items {
            let heading = heading(item);
            if last != Some(heading) {
                writeln!(out, "{}", screen.bold(heading))?;
                last = Some(heading);
            }
            let age = match &item.date {
                Some(date) => format!("  {}", ago(date, &self.now)),
                None => String::new(),
            };
            let new = match item.new {
                true => "  new",
                false => "",
            };
            let id = one_line(&item.id);
            writeln!(out, "  {id}{}{}", screen.bold(new), screen.dim(&age))?;
            if !item.description.is_empty() {
                let text = one_line(&item.description);
                let text = match screen.is_terminal {
                    true => shorten(&text, screen.width.saturating_sub(4)),
                    false => text.into_owned(),
                };
                writeln!(out, "    {text}")?;
            }
            warnings(item, out)?;
        }
        let line =
            "Look with `analects memory inbox show ITEM`, then `accept`, `edit` or `dismiss` it.";
        writeln!(out, "{}", screen.dim(line))
    }
}

impl Human for InboxShown {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let item = &self.item;
        writeln!(out, "{}", screen.bold(&one_line(&item.id)))?;
        let paths = item.targets.iter().map(|path| screen.short(path, None));
        let paths: Vec<_> = paths.collect();
        match (item.kind, paths.is_empty()) {
            (_, true) => {}
            (InboxKind::Skill, false) => writeln!(out, "may go to {}", paths.join(" or "))?,
            (_, false) => writeln!(out, "changes {}", paths.join(", "))?,
        }
        writeln!(out)?;
        write!(out, "{}", for_terminal(&self.preview))?;
        if !self.preview.is_empty() && !self.preview.ends_with('\n') {
            writeln!(out)?;
        }
        for file in &self.files {
            writeln!(out, "\n{}", screen.bold(&one_line(&file.name)))?;
            write!(out, "{}", for_terminal(&file.text))?;
            if !file.text.ends_with('\n') {
                writeln!(out)?;
            }
        }
        if !item.problems.is_empty() || item.was_dismissed || item.is_tainted {
            writeln!(out)?;
        }
        warnings(item, out)
    }

    fn is_long(&self) -> bool {
        true
    }
}

impl Human for InboxSettled {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.items.is_empty() {
            return writeln!(out, "Nothing waits in the inbox.");
        }
        for item in &self.items {
            outcome(item, out, screen)?;
        }
        match self.items.iter().any(|item| item.written) {
            true => receipt(out, screen),
            false => Ok(()),
        }
    }

    fn is_undecided(&self) -> bool {
        let mut items = self.items.iter();
        items.any(|item| item.outcome == InboxVerdict::Failed)
    }
}

fn heading(item: &InboxItem) -> &'static str {
    match item.kind {
        _ if item.is_tainted => "In quarantine: nobody here asked for what these say",
        InboxKind::Skill => "New skills",
        InboxKind::SkillUpdate => "Changes of skills",
        InboxKind::MemoryUpdate => "Changes of memory",
    }
}

fn warnings(item: &InboxItem, out: &mut dyn Write) -> io::Result<()> {
    for problem in &item.problems {
        let message = one_line(&problem.message);
        writeln!(out, "    {}: {message}", problem.severity)?;
    }
    if item.was_dismissed {
        writeln!(out, "    note: you dismissed the very same before")?;
    }
    if let Some(taint) = &item.taint {
        writeln!(out, "    note: {}", one_line(taint))?;
    }
    Ok(())
}

fn outcome(item: &InboxOutcome, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let id = one_line(&item.id);
    let doubts = |out: &mut dyn Write| {
        let mut doubts = item.doubts.iter();
        doubts.try_for_each(|doubt| writeln!(out, "! {}", one_line(doubt)))
    };
    match item.outcome {
        InboxVerdict::Written => {
            written(out, screen, &item.diff)?;
            doubts(out)?;
            writeln!(out, "Done: {id}")
        }
        InboxVerdict::Shown if item.diff.is_empty() => writeln!(out, "Nothing to change: {id}"),
        InboxVerdict::Shown => {
            doubts(out)?;
            not_written(out, screen, &item.diff)
        }
        InboxVerdict::Declined => writeln!(out, "Left as it was: {id}"),
        InboxVerdict::Skipped | InboxVerdict::Failed => {
            let word = match item.outcome {
                InboxVerdict::Failed => "Failed",
                _ => "Skipped",
            };
            let reason = one_line(item.reason.as_deref().unwrap_or_default());
            writeln!(out, "{word}: {id}: {reason}")?;
            for hint in &item.hints {
                writeln!(out, "  {}", screen.dim(&one_line(hint)))?;
            }
            Ok(())
        }
    }
}
