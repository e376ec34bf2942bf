//! `analects -p`: one prompt, an agent at work, one answer.
//!
//! Nothing but the answer goes to stdout. Who works, and by which rules, is the engine's business; here stand the
//! flags, what is piped in, the formats, and the exit code.

pub(crate) mod args;
pub(crate) mod aside;
pub(crate) mod input;
mod json;
mod once;
mod over;
mod stream;
mod text;
mod voice;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use analects_engine::prompt::Audience;
use analects_engine::talk::{self, Ended, Hands, Tell, Wish};
use analects_engine::verbs::Failure;
use analects_host::{McpServers, RealShell, Signals, WallClock};
use analects_world::progress::Silent;
use analects_world::{Cancel, Surroundings};
use clap::CommandFactory;
use uuid::Uuid;

use crate::args::Cli;
use crate::chat;
use crate::desk::{self, Doors, TellingDesk};
use crate::exit;
use crate::person::Nobody;
use crate::ui;
use args::{Mode, Talk};
use aside::Detail;
use input::Input;
use voice::{Voice, VoiceOptions};

/// Answers one prompt. Whoever asks nothing at a terminal is shown what can be asked.
pub(crate) fn run(cli: &Cli) -> ExitCode {
    if cli.talk.prompt.is_none() && cli.talk.output_format.is_none() && !cli.global.json {
        match (io::stdin().is_terminal(), io::stdout().is_terminal()) {
            (true, true) => return chat::run(cli, None),
            // Whoever asks nothing at a terminal and reads nothing there is shown what can be asked.
            (true, false) if cli.talk == Talk::default() => return help(),
            _ => {}
        }
    }
    let input = read(cli);
    let format = args::format(cli);
    let cancel = Cancel::new();
    let mut voice = Voice::new(
        io::stdout(),
        io::stderr(),
        &VoiceOptions {
            format,
            detail: Detail::wanted(&cli.global, format),
            is_terminal: io::stdout().is_terminal(),
            prompt: input.as_ref().ok().map(|input| &*input.text),
            clock: &WallClock,
            cancel: &cancel,
        },
    );
    // From here on: while we read, a signal may end us as it ends everybody. Without ears for it that stays so.
    let signals = Signals::listen(&cancel).ok();
    let outcome = match &input {
        Ok(input) => hold(cli, input, &cancel, &mut |told| voice.tell(&told)),
        Err(failure) => Err(failure.clone()),
    };
    let signal = signals.and_then(|signals| signals.first());
    ExitCode::from(voice.end(outcome, signal))
}

/// Goes on with a session at a terminal.
pub(crate) fn resume(cli: &Cli, session: &str) -> ExitCode {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return chat::run(cli, Some(session));
    }
    let failure = Failure::bad_input("a session goes on at a terminal, and this is none")
        .hint("`analects --resume SESSION -p TEXT` asks it one thing");
    // If even this cannot be written, the exit code still tells.
    let _ = ui::problems::failure(&mut io::stderr().lock(), &failure);
    exit::of(failure.kind)
}

/// Holds the talk, with this machine's doors.
fn hold(
    cli: &Cli,
    input: &Input,
    cancel: &Cancel,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<Ended, Failure> {
    let (around, desk) = desk::open(&cli.global)?;
    let wish = Wish {
        new_session: Uuid::new_v4().to_string(),
        ..wish(&cli.talk, input, &around)
    };
    let doors = Doors::new(TellingDesk(desk), &around);
    let world = doors.world(&Nobody, &Silent);
    let hands = Hands {
        shell: &RealShell::default(),
        servers: &McpServers::default(),
    };
    talk::talk(&world, hands, &cli.global.flags(), &wish, cancel, tell)
}

/// What the command line wants of the engine, but for the name of a new session.
pub(crate) fn wish(talk: &Talk, input: &Input, around: &Surroundings) -> Wish {
    Wish {
        prompt: input.text.clone(),
        piped_bytes: input.piped_bytes,
        new_session: String::new(),
        model: talk.model.clone(),
        resume: talk.resume.clone(),
        mode: talk.mode().and_then(Mode::word),
        max_turns: talk.max_turns,
        ide: talk.ide_context.as_deref().map(|path| around.resolve(path)),
        include: talk.include_directories.clone(),
        audience: Audience::Absent,
    }
}

fn read(cli: &Cli) -> Result<Input, Failure> {
    let stdin = io::stdin();
    let prompt = cli.talk.prompt.as_deref();
    let mut warn = |words: &str| {
        if !cli.global.quiet {
            // If it cannot be said, it happens all the same.
            let _ = writeln!(io::stderr().lock(), "warning: {words}");
        }
    };
    let piped = match stdin.is_terminal() {
        true => Vec::new(),
        false => input::piped(stdin.lock(), prompt, &mut warn)?,
    };
    input::gather(prompt, piped)
}

fn help() -> ExitCode {
    let help = Cli::command().render_help();
    // Nobody is left to tell if even that cannot be printed.
    let _ = write!(io::stderr().lock(), "{help}");
    exit::usage()
}

#[cfg(test)]
mod tests;
