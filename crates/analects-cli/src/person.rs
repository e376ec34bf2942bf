//! The person at the terminal, asked on stderr and heard on stdin.

mod pick;
mod question;

use std::io::{self, BufRead, IsTerminal, Write};

use analects_text::sanitize::{for_terminal, one_line};
use analects_world::ask::{Answer, Choice, Draft, Pick, Proposal, Question, Reply};
use analects_world::{Ask, Surroundings};

use crate::ui::Screen;

/// Whoever sits at the terminal; nobody, if there is none.
pub(crate) struct AtTerminal<'a> {
    pub(crate) around: &'a Surroundings,
    pub(crate) screen: &'a Screen,
}

/// Nobody sits in front of a hook, or of an agent that works for a script.
pub(crate) struct Nobody;

impl Ask for Nobody {
    fn consent(&self, _: &Proposal<'_>) -> Answer {
        Answer::Nobody
    }

    fn edit(&self, _: &Draft<'_>) -> Result<String, String> {
        Err("nobody is there".to_owned())
    }

    fn question(&self, _: &Question<'_>) -> Reply {
        Reply::Nobody
    }

    fn pick(&self, _: &str, _: &[Choice]) -> Option<Vec<Pick>> {
        None
    }
}

impl Ask for AtTerminal<'_> {
    fn consent(&self, proposal: &Proposal<'_>) -> Answer {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Answer::Nobody;
        }
        self.ask(proposal).unwrap_or(Answer::Nobody)
    }

    fn edit(&self, draft: &Draft<'_>) -> Result<String, String> {
        let editor = self
            .around
            .var("VISUAL")
            .or_else(|| self.around.var("EDITOR"));
        let dir = self.around.state_dir().join("drafts");
        analects_host::edit(editor.unwrap_or("vi"), &dir, draft.name, draft.text)
    }

    fn question(&self, question: &Question<'_>) -> Reply {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Reply::Nobody;
        }
        let (mut hear, mut say) = (io::stdin().lock(), io::stderr().lock());
        question::ask(question, self.screen, &mut hear, &mut say).unwrap_or(Reply::Nobody)
    }

    fn pick(&self, title: &str, choices: &[Choice]) -> Option<Vec<Pick>> {
        pick::at_terminal(self.screen, title, choices)
    }
}

impl AtTerminal<'_> {
    fn ask(&self, proposal: &Proposal<'_>) -> io::Result<Answer> {
        let mut err = io::stderr().lock();
        if proposal.is_anew {
            let news = "The file has changed meanwhile; this is the change as it would be now.";
            writeln!(err, "{}", self.screen.bold(news))?;
        }
        writeln!(err, "{}", self.screen.bold(&one_line(proposal.title)))?;
        writeln!(err)?;
        show_diff(&mut err, self.screen, proposal.diff)?;
        writeln!(err)?;
        for doubt in proposal.doubts {
            writeln!(err, "warning: {}", one_line(doubt))?;
        }
        let edit = if proposal.may_edit { ", (e)dit" } else { "" };
        loop {
            write!(
                err,
                "Write this? (y)es, (n)o, (a)lways for this file{edit}: "
            )?;
            err.flush()?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                writeln!(err)?;
                return Ok(Answer::No);
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Answer::Yes),
                "n" | "no" => return Ok(Answer::No),
                "a" | "always" => return Ok(Answer::Always),
                "e" | "edit" if proposal.may_edit => return Ok(Answer::Edit),
                _ => {}
            }
        }
    }
}

/// A diff in the colours that people know.
fn show_diff(out: &mut dyn Write, screen: &Screen, diff: &str) -> io::Result<()> {
    for line in diff.lines() {
        let line = for_terminal(line);
        let style = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            _ => "0",
        };
        writeln!(out, "{}", screen.paint(style, &line))?;
    }
    Ok(())
}
