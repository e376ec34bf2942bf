//! `analects tour`: the whole life of a memory, in a throwaway home and repository.
//!
//! Each line is run by a shell as a person would have typed it, through this very program, in an environment that holds
//! nothing of the person's. What must come of it is checked: the tour is a test, too.

mod chapters;
mod page;
mod past;
mod stage;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use analects_engine::verbs::{Failure, SCHEMA_VERSION};
use analects_host::{Asked, Heed, watch_signals};
use analects_text::sanitize::one_line;
use analects_world::{AbsPath, Cancel};
use clap::Args;
use serde::Serialize;

use crate::args::Global;
use crate::chat::keyboard::{Key, Keyboard};
use crate::desk;
use crate::exit;
use crate::run::{Stop, screen};
use crate::ui::{Screen, unpainted};
use chapters::{CHAPTERS, Chapter, Line};
use stage::{Came, NotRun, Stage};

/// See the whole life of a memory, in a home and a repository to throw away.
///
/// Needs no model, no key and no network, and touches nothing of yours. On a terminal it waits after each
/// chapter, unless `--yes` is given.
#[derive(Debug, Args)]
pub(crate) struct Tour {
    /// Leave the home and the repository where they are, and say where.
    #[arg(long)]
    keep: bool,
}

/// What is told to a program.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    schema_version: u32,
    /// Where everything lies, if it was to be kept.
    kept: Option<String>,
    chapters: Vec<Told>,
}

#[derive(Serialize)]
struct Told {
    title: &'static str,
    why: &'static str,
    commands: Vec<Ran>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ran {
    line: &'static str,
    exit_code: i32,
    stdout: String,
    stderr: String,
}

/// Walks through all chapters.
pub(crate) fn walk(global: &Global, tour: &Tour) -> Result<ExitCode, Stop> {
    // Wherever it is asked for, it takes place elsewhere.
    let (around, _) = desk::look_around(Some("/".into()), global.home.clone())?;
    let screen = screen(global, &around);
    let visitor = Visitor::new(global)?;
    // What is typed before it is asked for does not show up in the middle of an answer.
    let _hushed = visitor.is_waited_for.then(|| visitor.keyboard.hush());
    let stage = Stage::set(&around, &screen)?;
    let walked = walk_on(&stage, &screen, &visitor);
    // Whatever became of it, nothing is left behind that was not asked for.
    let kept = leave(stage, tour);
    let (walked, kept) = (walked?, kept?);
    let told = match walked {
        Walked::Through(told) => told,
        Walked::Left => return Ok(ExitCode::SUCCESS),
        Walked::Stopped => return Ok(ExitCode::from(visitor.code())),
    };
    let mut out = io::stdout().lock();
    if visitor.reads_json {
        let answer = Answer {
            schema_version: SCHEMA_VERSION,
            kept: kept.map(|kept| kept.to_string()),
            chapters: told,
        };
        serde_json::to_writer_pretty(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        page::end(&mut out, &screen, kept.as_ref())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Takes the stage away, unless it is to be kept: then it answers where it is.
fn leave(stage: Stage, tour: &Tour) -> Result<Option<AbsPath>, Stop> {
    if tour.keep {
        let kept = stage.keep();
        writeln!(io::stderr().lock(), "kept in {kept}")?;
        return Ok(Some(kept));
    }
    let struck = stage.strike();
    struck.map_err(|error| Failure::failed(format!("something was left behind: {error}")))?;
    Ok(None)
}

/// How far the tour came.
enum Walked {
    Through(Vec<Told>),
    /// The person has seen enough.
    Left,
    /// A signal came.
    Stopped,
}

fn walk_on(stage: &Stage, screen: &Screen, visitor: &Visitor) -> Result<Walked, Stop> {
    let mut silent = io::sink();
    let mut stdout = io::stdout();
    let out: &mut dyn Write = match visitor.reads_json {
        true => &mut silent,
        false => &mut stdout,
    };
    page::begin(out, screen, stage)?;
    let mut told = Vec::new();
    for (idx, chapter) in CHAPTERS.iter().enumerate() {
        if idx > 0 && !visitor.goes_on()? {
            return Ok(visitor.left());
        }
        let place = (idx + 1, CHAPTERS.len());
        page::chapter(out, screen, place, chapter)?;
        let mut commands = Vec::new();
        for line in chapter.lines {
            page::typed(out, screen, line)?;
            let came = match stage.run(line.typed, &visitor.cancel) {
                Ok(came) => came,
                Err(NotRun::Cancelled) => return Ok(visitor.left()),
                Err(NotRun::Broken(why)) => return Err(broken(chapter, line, &why).into()),
            };
            page::came(out, screen, stage, line, &came)?;
            check(chapter, line, &came)?;
            commands.push(Ran {
                line: line.typed,
                exit_code: came.code,
                stdout: came.stdout,
                stderr: came.stderr,
            });
        }
        out.flush()?;
        told.push(Told {
            title: chapter.title,
            why: chapter.why,
            commands,
        });
    }
    Ok(Walked::Through(told))
}

/// Whether a command did what this tour promises.
fn check(chapter: &Chapter, line: &Line, came: &Came) -> Result<(), Failure> {
    if came.code != line.code {
        let why = format!("ended with exit code {}, not {}", came.code, line.code);
        let said = came.stderr.lines().next().map(one_line);
        let failure = broken(chapter, line, &why);
        return Err(match said {
            Some(said) => failure.hint(format!("it said: {said}")),
            None => failure,
        });
    }
    let said = [&came.stdout, &came.stderr].map(|text| unpainted(text));
    let is_said = |words: &str| said.iter().any(|text| text.contains(words));
    match line.says.iter().find(|words| !is_said(words)) {
        Some(words) => Err(broken(chapter, line, &format!("did not say “{words}”"))),
        None => Ok(()),
    }
}

fn broken(chapter: &Chapter, line: &Line, why: &str) -> Failure {
    let title = chapter.title;
    Failure::failed(format!("in “{title}”, `{}` {why}", line.typed))
        .hint("`analects tour --keep` leaves everything in its place, to look at")
}

/// Whoever is shown around.
struct Visitor {
    /// Whether it is a program, which reads everything at the end.
    reads_json: bool,
    /// Whether somebody is there to go on when they like.
    is_waited_for: bool,
    keyboard: Keyboard,
    cancel: Cancel,
    signal: Arc<AtomicI32>,
}

impl Visitor {
    /// From now on no signal ends this process before it has tidied up.
    fn new(global: &Global) -> Result<Self, Failure> {
        let is_terminal =
            io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal();
        let visitor = Self {
            reads_json: global.json,
            is_waited_for: is_terminal && !global.json && !global.yes,
            keyboard: Keyboard::default(),
            cancel: Cancel::new(),
            signal: Arc::default(),
        };
        visitor.keyboard.heed(&visitor.cancel);
        let (cancel, keyboard) = (visitor.cancel.clone(), visitor.keyboard.clone());
        let signal = Arc::clone(&visitor.signal);
        let listening = watch_signals(move |asked| {
            match asked {
                Asked::GoOn => keyboard.hush_again(),
                Asked::Interrupt => cancel.cancel(),
                Asked::End(number) => {
                    signal.store(number, Ordering::SeqCst);
                    cancel.cancel();
                }
            }
            Heed::Heard
        });
        listening.map_err(|error| Failure::failed(format!("cannot hear signals: {error}")))?;
        Ok(visitor)
    }

    /// Waits until a person wants to see more; whether they do.
    fn goes_on(&self) -> io::Result<bool> {
        if !self.is_waited_for {
            return Ok(!self.cancel.is_cancelled());
        }
        let mut err = io::stderr().lock();
        let _attending = self.keyboard.attend();
        write!(err, "\nEnter to go on, q to end ")?;
        err.flush()?;
        let goes_on = loop {
            match self.keyboard.key() {
                Some(Key::Enter | Key::Char(' ')) => break true,
                Some(Key::No | Key::Char('q' | 'Q')) | None => break false,
                Some(Key::Char(_) | Key::Other) => {}
            }
        };
        writeln!(err)?;
        Ok(goes_on)
    }

    /// How it ended, if it ended early.
    fn left(&self) -> Walked {
        match self.cancel.is_cancelled() {
            true => Walked::Stopped,
            false => Walked::Left,
        }
    }

    /// The exit code by which a shell knows what ended this.
    fn code(&self) -> u8 {
        let signal = self.signal.load(Ordering::SeqCst);
        exit::cancelled(Some(signal).filter(|signal| *signal != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(code: i32, stdout: &str, stderr: &str) -> Option<String> {
        let [chapter, ..] = CHAPTERS else {
            unreachable!("there is a first chapter")
        };
        let line = &chapter.lines[0];
        let came = Came {
            code,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        let failure = check(chapter, line, &came).err()?;
        Some(format!("{} / {}", failure.message, failure.hints[0]))
    }

    #[test]
    fn a_command_that_does_not_do_what_it_should_is_named() {
        let line = CHAPTERS[0].lines[0].typed;
        let words = CHAPTERS[0].lines[0].says[0];
        assert_eq!(said(0, words, ""), None);
        assert_eq!(said(0, "", words), None, "wherever it says it");
        let failed = said(7, words, "error: gone\nhint: look\n").unwrap();
        assert!(
            failed.contains(&format!("`{line}` ended with exit code 7, not 0")),
            "{failed}"
        );
        let silent = said(0, "something else", "").unwrap();
        assert!(
            silent.contains(&format!("did not say “{words}”")),
            "{silent}"
        );
    }
}
