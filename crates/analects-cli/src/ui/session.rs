//! Sessions as people see them.

use std::io::{self, Write};

use analects_engine::verbs::answer::Problem;
use analects_engine::verbs::session::{
    CompressAnswer, DeleteAnswer, ImportAnswer, ListAnswer, PinAnswer, PinChange, RewindAnswer,
    SearchAnswer, Session, ShowAnswer, SummarizeAnswer,
};
use analects_text::sanitize::{for_terminal, one_line};

use super::write::not_written;
use super::{Human, Screen, ago, number, pad, shorten};

/// How much of an id tells most sessions apart, and is enough to name one.
const ID_COLUMNS: usize = 8;
const AGENT_COLUMNS: usize = 6;
const AGO_COLUMNS: usize = 12;

impl Human for ListAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.sessions.is_empty() && self.more == 0 {
            let hint = "`analects session list --all` shows those of all projects";
            return match self.all {
                true => writeln!(out, "There is no session yet."),
                false => writeln!(out, "There is no session of this project; {hint}."),
            };
        }
        let last = self.sessions.iter().filter_map(|session| session.number);
        let n_digits = last.max().map(|last| last.to_string().len());
        let mut project = None;
        for session in &self.sessions {
            if self.all && project != Some(&session.project) {
                let place = session.project.as_deref();
                let place = place.map(|path| screen.short(path, None));
                let place = place.unwrap_or_else(|| "an unknown project".to_owned());
                writeln!(out, "{}", screen.bold(&place))?;
                project = Some(&session.project);
            }
            row(session, &self.now, n_digits, out, screen)?;
        }
        if n_digits.is_some() && screen.is_terminal {
            let hint = "`analects --resume N` goes on with the session of this number";
            writeln!(out, "{}", screen.dim(hint))?;
        }
        match self.more {
            0 => Ok(()),
            n => writeln!(out, "{} older records; see more with `--limit`", number(n)),
        }
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A session; where any of them has a number, with a column for it.
fn row(
    session: &Session,
    now: &str,
    n_digits: Option<usize>,
    out: &mut dyn Write,
    screen: &Screen,
) -> io::Result<()> {
    let numbered = n_digits.map_or_else(String::new, |n_digits| {
        let number = session.number.map(|number| number.to_string());
        format!("{:>n_digits$}  ", number.unwrap_or_default())
    });
    let id: String = one_line(&session.id).chars().take(ID_COLUMNS).collect();
    let said = session.updated.as_deref().or(session.started.as_deref());
    let said = match session.is_live {
        true => "now".to_owned(),
        false => said.map_or_else(|| "?".to_owned(), |said| ago(said, now)),
    };
    let mark = if session.is_subagent {
        "(sub-agent) "
    } else {
        ""
    };
    let title = format!("{mark}{}", one_line(&session.title));
    let room = screen
        .width
        .saturating_sub(numbered.len() + ID_COLUMNS + AGENT_COLUMNS + AGO_COLUMNS + 8);
    let title = match screen.is_terminal {
        true => shorten(&title, room),
        false => title,
    };
    writeln!(
        out,
        "  {numbered}{}  {}  {}  {title}",
        screen.dim(&pad(&id, ID_COLUMNS)),
        pad(&session.agent, AGENT_COLUMNS),
        pad(&said, AGO_COLUMNS),
    )
}

impl Human for ShowAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if let Some(history) = &self.history {
            serde_json::to_writer_pretty(&mut *out, history)?;
            return writeln!(out);
        }
        for line in self.markdown.lines() {
            let shown = for_terminal(line);
            match line.starts_with('#') {
                true => writeln!(out, "{}", screen.bold(&shown))?,
                false => writeln!(out, "{shown}")?,
            }
        }
        if let Some(resume) = &self.session.resume {
            let ours = format!("analects --resume {}", self.session.id);
            let both = format!("Go on with `{ours}`, or with `{resume}`");
            writeln!(out, "\n{}", screen.dim(&both))?;
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn is_long(&self) -> bool {
        true
    }
}

impl Human for DeleteAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let done = match (self.deleted, self.declined) {
            _ if self.sessions.is_empty() => return writeln!(out, "There is nothing to delete."),
            (true, _) => "Deleted",
            (false, true) => "Not deleted",
            (false, false) => "Would be deleted",
        };
        for session in &self.sessions {
            writeln!(
                out,
                "{done}: {} {}",
                one_line(&session.id),
                one_line(&session.title)
            )?;
            for file in &session.files {
                writeln!(out, "  {}", screen.dim(&screen.short(file, None)))?;
            }
        }
        Ok(())
    }
}

impl Human for ImportAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let done = match (self.written, self.was_there) {
            (false, true) => "It is here already",
            (true, true) => "It is here already, and has what was said since",
            (true, false) => "Imported",
            (false, false) => "It would become",
        };
        writeln!(out, "{done}: {} {}", self.id, one_line(&self.title))?;
        writeln!(out, "  {}", screen.dim(&screen.short(&self.path, None)))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for SummarizeAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.summaries.is_empty() {
            return writeln!(out, "Every session of this project is summed up.");
        }
        for summary in &self.summaries {
            let id: String = one_line(&summary.id).chars().take(ID_COLUMNS).collect();
            writeln!(out, "{}  {}", screen.dim(&id), one_line(&summary.title))?;
            if let Some(workflow) = &summary.workflow {
                writeln!(out, "  {}", screen.dim(&one_line(workflow)))?;
            }
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for PinAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let id: String = one_line(&self.session).chars().take(ID_COLUMNS).collect();
        let session = format!("{id} {}", one_line(&self.title));
        if !self.diff.is_empty() && !self.written {
            return not_written(out, screen, &self.diff);
        }
        match self.change {
            Some(PinChange::Added) => writeln!(out, "Pinned to {session}")?,
            Some(PinChange::Known) => writeln!(out, "Pinned already to {session}")?,
            Some(PinChange::Removed) => writeln!(out, "No longer pinned to {session}")?,
            None if self.pins.is_empty() => {
                return writeln!(out, "Nothing is pinned to {session}");
            }
            None => writeln!(out, "Pinned to {session}")?,
        }
        for pin in &self.pins {
            let number = format!("{:>3}", pin.number);
            let number = screen.dim(&number);
            let text = for_terminal(&pin.text).replace('\n', "\n       ");
            writeln!(out, "  {number}  {text}")?;
        }
        Ok(())
    }
}

impl Human for CompressAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let id: String = one_line(&self.session).chars().take(ID_COLUMNS).collect();
        let sizes = format!(
            "{} → {} tokens",
            number(self.tokens_before),
            number(self.tokens_after)
        );
        let would = if self.written { "" } else { "would be " };
        match &*self.status {
            "UNDONE" => return writeln!(out, "{id} {would}restored: {sizes}"),
            "COMPRESSED" => writeln!(out, "{id} {would}compressed: {sizes}")?,
            "NOOP" => return writeln!(out, "{id} stays as it is: there is nothing to cut"),
            _ => return writeln!(out, "{id} stays as it is: a snapshot would be no shorter"),
        }
        let total = |kind: &str, survived: &[String]| {
            let n_lost = self.lost.iter().filter(|lost| lost.kind == kind).count();
            format!("{} of {}", survived.len(), survived.len() + n_lost)
        };
        writeln!(
            out,
            "  still there: {} paths, {} commands, {} error lines, {} wishes",
            total("path", &self.survived.paths),
            total("command", &self.survived.commands),
            total("error", &self.survived.errors),
            total("imperative", &self.survived.imperatives),
        )?;
        if self.unchecked > 0 {
            let n_unchecked = number(self.unchecked);
            writeln!(out, "  {n_unchecked} older ones were not looked for")?;
        }
        let kept = match self.kept.len() {
            1 => "1 turn stands as it was".to_owned(),
            n => format!("{n} turns stand as they were"),
        };
        writeln!(out, "  {kept}; `--json` tells all of it")?;
        if let Some(model) = &self.written_by {
            writeln!(out, "  the snapshot was written by {}", one_line(model))?;
        }
        if !self.proposed.is_empty() {
            let said = match self.proposed.len() {
                1 => "1 of your rules is in no memory: it waits in the inbox".to_owned(),
                n => format!("{n} of your rules are in no memory: they wait in the inbox"),
            };
            writeln!(out, "  {said}")?;
        }
        if self.written {
            let undo = format!("analects session compress {id} --undo");
            writeln!(out, "  {}", screen.dim(&undo))?;
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for RewindAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let would = if self.written { "" } else { "would be " };
        let prompts = match self.prompts.len() {
            1 => "1 prompt".to_owned(),
            n_prompts => format!("{n_prompts} prompts"),
        };
        writeln!(
            out,
            "{prompts} {would}taken back, {} turns in all:",
            self.turns
        )?;
        for prompt in &self.prompts {
            writeln!(
                out,
                "  {}",
                shorten(&one_line(prompt), screen.width.saturating_sub(2))
            )?;
        }
        writeln!(
            out,
            "  {}",
            screen.dim("files stay as they are; `memory log --all` tells of their changes")
        )
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Human for SearchAnswer {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.hits.is_empty() && self.memories.is_empty() {
            return writeln!(out, "Nobody said that.");
        }
        for memory in &self.memories {
            let place = screen.short(&memory.path, None);
            writeln!(out, "{}", screen.bold(&format!("memory  {place}")))?;
            writeln!(out, "  {}", one_line(&memory.text))?;
        }
        let mut session = None;
        for hit in &self.hits {
            if session != Some(&hit.session) {
                let said = hit.timestamp.as_deref();
                let said = said.map_or_else(|| "?".to_owned(), |said| ago(said, &self.now));
                let head = format!("{}  {said}  {}", hit.agent, one_line(&hit.title));
                writeln!(out, "{}", screen.bold(&shorten(&head, screen.width)))?;
                if let Some(resume) = &hit.resume {
                    writeln!(out, "  {}", screen.dim(resume))?;
                }
                session = Some(&hit.session);
            }
            writeln!(out, "  {}: {}", hit.role, one_line(&hit.snippet))?;
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}
