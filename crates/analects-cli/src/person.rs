//! Asks the person at the terminal: questions on stderr, answers from stdin.

mod pick;
mod question;

use std::io::{self, BufRead, IsTerminal, Write};

use analects_text::sanitize::{for_terminal, one_line};
use analects_world::ask::{Answer, Choice, Deed, Draft, Pick, Proposal, Question, Reply};
use analects_world::{Ask, Surroundings};

use crate::chat::keyboard::{Key, Keyboard};
use crate::chat::paint::Style;
use crate::chat::paint::diff::{self, DiffOptions};
use crate::ui::Screen;

/// Whoever sits at the terminal; nobody, if there is none.
pub(crate) struct AtTerminal<'a> {
    pub(crate) around: &'a Surroundings,
    pub(crate) screen: &'a Screen,
    pub(crate) hear: Hear<'a>,
}

/// How an answer is given.
#[derive(Clone, Copy)]
pub(crate) enum Hear<'a> {
    /// In a word and Enter.
    Lines,
    /// By one key, in a chat: what it paints steps aside meanwhile.
    Keys(&'a Keyboard, &'a dyn StepAside),
    /// In a word and Enter, in a chat that writes over nothing.
    LinesInChat(&'a Keyboard, &'a dyn StepAside),
}

/// Whoever paints, and lets somebody else have the screen.
pub(crate) trait StepAside: Sync {
    /// From now on the cursor stands at the beginning of a line, and stays there.
    fn step_aside(&self);

    /// The screen is theirs again.
    fn come_back(&self);
}

impl Hear<'_> {
    /// Does something that needs the screen, and lines from the keyboard.
    fn aloud<T>(self, during: impl FnOnce() -> T) -> T {
        match self {
            Self::Lines => during(),
            Self::Keys(keyboard, painter) | Self::LinesInChat(keyboard, painter) => {
                painter.step_aside();
                let done = keyboard.aloud(during);
                painter.come_back();
                done
            }
        }
    }
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
        if !is_there() {
            return Answer::Nobody;
        }
        if let Hear::Keys(keyboard, painter) = self.hear {
            painter.step_aside();
            let answer = self.by_key(proposal, keyboard);
            painter.come_back();
            return answer.unwrap_or(Answer::Nobody);
        }
        let asked = self.hear.aloud(|| self.in_words(proposal));
        asked.unwrap_or(Answer::Nobody)
    }

    fn edit(&self, draft: &Draft<'_>) -> Result<String, String> {
        let editor = self
            .around
            .var("VISUAL")
            .or_else(|| self.around.var("EDITOR"));
        // An editor that was named may be a program for scripts; the usual one wants a terminal.
        if editor.is_none() && !is_there() {
            return Err(
                "nobody is there to edit it, and neither VISUAL nor EDITOR is set".to_owned(),
            );
        }
        let dir = self.around.state_dir().join("drafts");
        let editor = editor.unwrap_or("vi");
        self.hear
            .aloud(|| analects_host::edit(editor, &dir, draft.name, draft.text))
    }

    fn question(&self, question: &Question<'_>) -> Reply {
        if !is_there() {
            return Reply::Nobody;
        }
        if let (Hear::Keys(keyboard, painter), 1..=9) = (self.hear, question.options.len()) {
            painter.step_aside();
            let reply = question::by_key(question, self.screen, keyboard, &mut io::stderr().lock());
            painter.come_back();
            return reply.unwrap_or(Reply::Nobody);
        }
        let asked = self.hear.aloud(|| {
            let (mut hear, mut say) = (io::stdin().lock(), io::stderr().lock());
            question::ask(question, self.screen, &mut hear, &mut say)
        });
        asked.unwrap_or(Reply::Nobody)
    }

    fn pick(&self, title: &str, choices: &[Choice]) -> Option<Vec<Pick>> {
        self.hear
            .aloud(|| pick::at_terminal(self.screen, title, choices))
    }
}

fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// How many rows of a change are shown before the question; the rest on request.
const MAX_ROWS: usize = 60;

/// How a question ends, by what is to be done.
fn ask_for(deed: Deed) -> &'static str {
    match deed {
        Deed::Write => "Write this?",
        Deed::Delete => "Delete this?",
        Deed::Run => "Run this?",
        Deed::Use => "Do this?",
    }
}

impl AtTerminal<'_> {
    /// What is asked, with what it will touch.
    fn show(
        &self,
        err: &mut dyn Write,
        proposal: &Proposal<'_>,
        max_rows: usize,
    ) -> io::Result<()> {
        if proposal.is_anew {
            let news = "The file has changed meanwhile; this is the change as it would be now.";
            writeln!(err, "{}", self.screen.bold(news))?;
        }
        writeln!(err, "{}", self.screen.bold(&one_line(proposal.title)))?;
        writeln!(err)?;
        match proposal.deed {
            Deed::Write | Deed::Delete => {
                let options = DiffOptions {
                    style: match self.hear {
                        Hear::Keys(..) => Style::Rich,
                        Hear::Lines | Hear::LinesInChat(..) => Style::Lines,
                    },
                    has_color: self.screen.has_color,
                    width: self.screen.width,
                    max_rows,
                    hint: "v shows all of it",
                };
                diff::show(err, proposal.diff, options)?;
            }
            Deed::Run | Deed::Use => {
                for line in proposal.diff.lines() {
                    writeln!(err, "  {}", for_terminal(line))?;
                }
            }
        }
        writeln!(err)?;
        for doubt in proposal.doubts {
            let word = match proposal.deed {
                Deed::Write | Deed::Delete => "warning",
                Deed::Run | Deed::Use => "note",
            };
            writeln!(err, "{word}: {}", one_line(doubt))?;
        }
        Ok(())
    }

    fn in_words(&self, proposal: &Proposal<'_>) -> io::Result<Answer> {
        let mut err = io::stderr().lock();
        self.show(&mut err, proposal, usize::MAX)?;
        let question = ask_for(proposal.deed);
        let always = match proposal.always {
            "" => String::new(),
            what => format!(", (a)lways for {}", one_line(what)),
        };
        let edit = if proposal.may_edit { ", (e)dit" } else { "" };
        loop {
            write!(err, "{question} (y)es, (n)o{always}{edit}: ")?;
            err.flush()?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                writeln!(err)?;
                return Ok(Answer::No);
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Answer::Yes),
                "n" | "no" => return Ok(Answer::No),
                "a" | "always" if !always.is_empty() => return Ok(Answer::Always),
                "e" | "edit" if proposal.may_edit => return Ok(Answer::Edit),
                _ => {}
            }
        }
    }

    fn by_key(&self, proposal: &Proposal<'_>, keyboard: &Keyboard) -> io::Result<Answer> {
        let _attending = keyboard.attend();
        let mut err = io::stderr().lock();
        self.show(&mut err, proposal, MAX_ROWS)?;
        let always = match proposal.always {
            "" => String::new(),
            what => format!("  [a]lways for {}", one_line(what)),
        };
        let edit = if proposal.may_edit { "  [e]dit" } else { "" };
        let question = self.screen.bold(ask_for(proposal.deed));
        write!(err, "{question}  [y]es  [n]o{always}{edit} ")?;
        err.flush()?;
        let (answer, word) = loop {
            let Some(key) = keyboard.key() else {
                return Ok(Answer::Nobody);
            };
            let key = match key {
                Key::Char(c) => c.to_ascii_lowercase(),
                Key::No => 'n',
                Key::Enter | Key::Other => continue,
            };
            match key {
                'y' => break (Answer::Yes, "yes"),
                'n' => break (Answer::No, "no"),
                'a' if !always.is_empty() => break (Answer::Always, "always"),
                'e' if proposal.may_edit => break (Answer::Edit, "edit"),
                'v' => {
                    let whole = for_terminal(proposal.diff).into_owned();
                    let pager = self.around.var("PAGER").unwrap_or("less");
                    // Who cannot look at all of it can still say no.
                    let _ = keyboard.aloud(|| analects_host::page(pager, whole.as_bytes()));
                }
                _ => {}
            }
        };
        writeln!(err, "{word}")?;
        Ok(answer)
    }
}
