//! From arguments to an exit code.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use analects_engine::verbs::{Failure, FailureAnswer, FailureKind, Verb};
use analects_host::commit::{CommitDesk, OpenGate};
use analects_world::Surroundings;
use clap::Parser;
use clap::error::ErrorKind;
use serde::Serialize;

use crate::args::{Cli, Color, Config, Global, Inbox, Memory, Noun, Session, Skill, Trust};
use crate::desk::{self, Doors, Home, TellingDesk};
use crate::exit;
use crate::hook;
use crate::mcp;
use crate::pages;
use crate::person::{AtTerminal, Hear};
use crate::spelling;
use crate::talk;
use crate::tour;
use crate::ui::{self, Human, Screen};
use crate::waiting::Waiting;

/// Does what the command line asks for.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    let cli = match parse(&args) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && hook::is_meant(&args) => return hook::misspelt(&error),
        Err(error) => {
            // Help and version are answers; everything else is a complaint. Nobody is left to tell if
            // even that cannot be printed.
            let printed = error.print().and_then(|()| io::stdout().flush());
            if !error.use_stderr() {
                return match printed {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                        let failure = unprinted(&error);
                        let _ = ui::problems::failure(&mut io::stderr().lock(), &failure);
                        exit::of(failure.kind)
                    }
                    _ => ExitCode::SUCCESS,
                };
            }
            if wants_json(&args) {
                print_failure(&misspelt(&error));
            }
            return exit::usage();
        }
    };
    let noun = match &cli.noun {
        Some(Noun::Hook(hook)) => return hook::run(&cli.global, hook),
        Some(noun) => noun,
        None => return talk::run(&cli),
    };
    if let Noun::Session(Session::Resume(resume)) = noun {
        return talk::resume(&cli, resume.session.as_deref().unwrap_or("latest"));
    }
    done(&cli.global, dispatch(&cli.global, noun, Hear::Lines))
}

/// The exit code of what was done; what went wrong is told.
fn done(global: &Global, dispatched: Result<ExitCode, Stop>) -> ExitCode {
    match dispatched {
        Ok(code) => code,
        Err(Stop::Failure(failure)) => report(global, &failure),
        // The reader of our output went away: that is its right.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Stop::Output(error)) => report(global, &unprinted(&error)),
    }
}

fn unprinted(error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write the answer: {error}"))
}

fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    let cli = Cli::try_parse_from(args).or_else(|error| {
        if !error.use_stderr() {
            return Err(error);
        }
        if let Some(args) = spelling::completed(args) {
            // If that makes no sense either, what was typed is complained about.
            return Cli::try_parse_from(args).map_err(|_| error);
        }
        match spelling::joined(args) {
            // What is wrong then is not that there are several words.
            Some(args) => Cli::try_parse_from(args),
            None => Err(error),
        }
    })?;
    talk::args::check(&cli)?;
    Ok(cli)
}

/// Whether a command line that could not be parsed asks for JSON.
fn wants_json(args: &[OsString]) -> bool {
    let mut flags = args.iter().take_while(|arg| *arg != "--");
    flags.any(|arg| arg == "--json")
}

/// A command line that makes no sense, as a failure: the parser's own words, in parts.
fn misspelt(error: &clap::Error) -> Failure {
    let help = "try `--help`";
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Failure::bad_input("the command is not complete").hint(help);
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let words: Vec<_> = message.split_whitespace().collect();
    let tips = paragraphs.flat_map(str::lines);
    let tips = tips.filter_map(|line| line.trim().strip_prefix("tip: "));
    let failure = Failure::bad_input(words.join(" "));
    tips.fold(failure, |failure, tip| failure.hint(tip))
        .hint(help)
}

/// Why a command ended early.
pub(crate) enum Stop {
    Failure(Failure),
    Output(io::Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Does in a chat what words of the shell ask for, and shows it there.
pub(crate) fn in_chat(global: &Global, words: &[String], hear: Hear<'_>) {
    let args = std::iter::once("analects").chain(words.iter().map(String::as_str));
    let parsed = Cli::try_parse_from(args);
    let mut cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help is an answer, and everything else says what is wrong.
            let text = error.render().to_string();
            let text = text.replace("analects ", "/").replace("error: ", "");
            let _ = writeln!(io::stdout().lock(), "{}", text.trim_end());
            return;
        }
    };
    let own = &mut cli.global;
    own.cwd.clone_from(&global.cwd);
    own.home.clone_from(&global.home);
    own.color = global.color;
    own.trust |= global.trust;
    own.dry_run |= global.dry_run;
    own.verbose |= global.verbose;
    if let Some(noun) = &cli.noun {
        done(&cli.global, dispatch(&cli.global, noun, hear));
    }
}

fn dispatch(global: &Global, noun: &Noun, hear: Hear<'_>) -> Result<ExitCode, Stop> {
    match noun {
        Noun::Memory(Memory::Show(verb)) => read(global, verb, hear),
        Noun::Memory(Memory::List(verb)) => read(global, verb, hear),
        Noun::Memory(Memory::Cost(verb)) => read(global, verb, hear),
        Noun::Memory(Memory::Reload(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Add(verb)) | Noun::Remember(verb) => answer(global, verb, hear),
        Noun::Memory(Memory::Forget(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Edit(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Move(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Log(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Undo(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Search(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Check(verb)) if !verb.fix => read(global, verb, hear),
        Noun::Memory(Memory::Check(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Tidy(verb)) => answer(global, verb, hear),
        Noun::Memory(Memory::Inbox(Inbox::List(verb))) => answer(global, verb, hear),
        Noun::Memory(Memory::Inbox(Inbox::Show(verb))) => answer(global, verb, hear),
        Noun::Memory(Memory::Inbox(Inbox::Accept(verb))) => answer(global, verb, hear),
        Noun::Memory(Memory::Inbox(Inbox::Edit(verb))) => answer(global, verb, hear),
        Noun::Memory(Memory::Inbox(Inbox::Dismiss(verb))) => answer(global, verb, hear),
        Noun::Context(verb) => read(global, verb, hear),
        Noun::Prompt(verb) => read(global, verb, hear),
        Noun::Session(Session::List(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Show(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Search(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Delete(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Import(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Summarize(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Compress(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Pin(verb)) => answer(global, verb, hear),
        Noun::Session(Session::Rewind(verb)) => answer(global, verb, hear),
        // Is a conversation, and was begun before.
        Noun::Session(Session::Resume(_)) => Ok(ExitCode::SUCCESS),
        Noun::Skill(Skill::List(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Show(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Check(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Enable(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Disable(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Extract(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Install(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Link(verb)) => answer(global, verb, hear),
        Noun::Skill(Skill::Uninstall(verb)) => answer(global, verb, hear),
        Noun::Config(Config::Show(verb)) => answer(global, verb, hear),
        Noun::Trust(Trust::Show(verb)) => answer(global, verb, hear),
        Noun::Trust(Trust::Add(verb)) => answer(global, verb, hear),
        Noun::Trust(Trust::Deny(verb)) => answer(global, verb, hear),
        Noun::Trust(Trust::Remove(verb)) => answer(global, verb, hear),
        Noun::Doctor(verb) => answer(global, verb, hear),
        Noun::Mcp(args) => Ok(mcp::serve(global, args).map(|()| ExitCode::SUCCESS)?),
        // Has an exit code of its own, and was answered before.
        Noun::Hook(_) => Ok(ExitCode::SUCCESS),
        Noun::Setup(verb) => answer(global, verb, hear),
        Noun::Tour(args) => tour::walk(global, args),
        Noun::Completions { shell } => say(&pages::completions(*shell)),
        Noun::Man { list: true, .. } => say(pages::described().as_bytes()),
        Noun::Man { command, .. } => say(&pages::page(command)?),
    }
}

/// Does what only reads, and so needs no home.
fn read<V: Verb>(global: &Global, verb: &V, hear: Hear<'_>) -> Result<ExitCode, Stop>
where
    V::Answer: Human,
{
    let (around, home) = desk::look_around(global.cwd.clone(), global.home.clone())?;
    if home == Home::Missing && !global.quiet && !global.json {
        let note = "note: this user has no home, so there is no memory but the project's own";
        writeln!(io::stderr().lock(), "{note}")?;
    }
    answer_at(global, verb, hear, &around)
}

fn answer<V: Verb>(global: &Global, verb: &V, hear: Hear<'_>) -> Result<ExitCode, Stop>
where
    V::Answer: Human,
{
    let (around, _) = desk::open(global)?;
    answer_at(global, verb, hear, &around)
}

/// Asks the engine and shows what it says; the answer chooses the exit code.
fn answer_at<V: Verb>(
    global: &Global,
    verb: &V,
    hear: Hear<'_>,
    around: &Surroundings,
) -> Result<ExitCode, Stop>
where
    V::Answer: Human,
{
    let desk = TellingDesk(CommitDesk::new(&around.state_dir(), &OpenGate));
    let screen = screen(global, around);
    let person = AtTerminal {
        around,
        screen: &screen,
        hear,
    };
    let waiting = Waiting::new(global.quiet);
    let doors = Doors::new(desk, around);
    let world = doors.world(&person, &waiting);
    let answer = verb.run(&world, &global.flags())?;
    match show(global, &answer, around, &screen) {
        // The reader of our output went away: that is its right, and changes nothing about what was found.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        shown => shown?,
    }
    if !global.json {
        ui::problems::show(&mut io::stderr().lock(), &answer, global)?;
    }
    Ok(if answer.is_undecided() {
        exit::of(FailureKind::Failed)
    } else if answer.has_findings() {
        exit::findings()
    } else {
        ExitCode::SUCCESS
    })
}

/// Prints an answer.
fn show<A: Human + Serialize>(
    global: &Global,
    answer: &A,
    around: &Surroundings,
    screen: &Screen,
) -> io::Result<()> {
    if let (false, true, Some(pager)) = (global.json, answer.is_long(), pager(around, screen)) {
        let mut shown = Vec::new();
        answer.show(&mut shown, screen)?;
        return analects_host::page(&pager, &shown);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    if global.json {
        serde_json::to_writer_pretty(&mut out, answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        answer.show(&mut out, screen)?;
    }
    out.flush()
}

/// The person's pager, where there is a person; `PAGER=` or `PAGER=cat` wants none.
fn pager(around: &Surroundings, screen: &Screen) -> Option<String> {
    let set = around.vars.get("PAGER").map_or("less", String::as_str);
    let is_wanted = screen.is_terminal && !matches!(set.trim(), "" | "cat");
    is_wanted.then(|| set.to_owned())
}

pub(crate) fn screen(global: &Global, around: &Surroundings) -> Screen {
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    let has_color = match global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let is_dumb = around.var("TERM").is_some_and(|term| term == "dumb");
            is_terminal && !is_dumb && around.var("NO_COLOR").is_none()
        }
    };
    let told = || {
        around
            .var("COLUMNS")
            .and_then(|columns| columns.parse().ok())
    };
    let asked = || {
        rustix::termios::tcgetwinsize(&stdout)
            .ok()
            .map(|size| usize::from(size.ws_col))
    };
    let width = if is_terminal {
        asked().filter(|&columns| columns > 0).or_else(told)
    } else {
        told()
    };
    Screen {
        is_terminal,
        has_color,
        asks_first: !global.yes
            && !global.dry_run
            && io::stdin().is_terminal()
            && io::stderr().is_terminal(),
        width: width.unwrap_or(80).clamp(40, 200),
        home: around.home.clone(),
    }
}

fn say(text: &[u8]) -> Result<ExitCode, Stop> {
    io::stdout().lock().write_all(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells the user what went wrong; as JSON too if that is what was asked for.
fn report(global: &Global, failure: &Failure) -> ExitCode {
    // If even this cannot be written, the exit code still tells.
    let _ = ui::problems::failure(&mut io::stderr().lock(), failure);
    if global.json {
        print_failure(failure);
    }
    exit::of(failure.kind)
}

fn print_failure(failure: &Failure) {
    let mut out = io::stdout().lock();
    let _ = serde_json::to_writer_pretty(&mut out, &FailureAnswer::from(failure));
    let _ = writeln!(out);
}
