//! `analects hook`: reads what a host says, prints what it is to be told, and never gets in its way.
//!
//! Whatever happens, the exit code is 0: to a host 2 would mean "block", and every other one a warning on
//! its screen. For the same reason nothing is said on stderr unless somebody asked for it.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::panic;
use std::process::ExitCode;
use std::time::Duration;

use analects_engine::hook::{self, Answer, Call};
use analects_text::sanitize::one_line;
use analects_world::progress::Silent;
use clap::Args;

use crate::args::Global;
use crate::desk::{self, Doors};
use crate::person::Nobody;
use crate::spelling;

/// Answer a hook of another agent; reads JSON from stdin.
///
/// Tells the agent the memory that it does not load itself: when a session starts, before a prompt, and
/// after a tool. `analects setup` wires it. The exit code is always 0.
#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// The agent: gemini, claude or codex.
    host: String,
    /// The event, in the agent's spelling or in ours: session-start, before-agent, after-tool,
    /// pre-compact, session-end. The input tells it if this does not.
    event: Option<String>,
    /// At most so many tokens at once, if the agent was told to take more or less than it usually does.
    #[arg(long, value_name = "TOKENS")]
    room: Option<usize>,
}

/// An input is read this far: a tool may have answered with a whole disk.
const LIMIT_BYTES: u64 = 8 * 1024 * 1024;

/// How much more is taken from a host before we hang up: most of them complain if nobody listens.
const PATIENCE_BYTES: u64 = 512 * 1024 * 1024;

/// So long is a writer waited for. A host gives us ten seconds and hears nothing if that is over, and one
/// call may write several times.
const PATIENCE: Duration = Duration::from_millis(800);

/// Answers one call.
pub(crate) fn run(global: &Global, hook: &Hook) -> ExitCode {
    // The default would tell a panic on stderr.
    panic::set_hook(Box::new(|_| {}));
    let answer = panic::catch_unwind(|| answer(global, hook)).unwrap_or_else(|_| Answer {
        json: None,
        notes: vec!["something is broken inside; please report it".to_owned()],
    });
    if let Some(json) = answer.json {
        // Whoever has gone away needs no answer.
        let _ = writeln!(io::stdout().lock(), "{json}");
    }
    if global.verbose {
        for note in answer.notes {
            let _ = writeln!(io::stderr().lock(), "note: {}", one_line(&note));
        }
    }
    ExitCode::SUCCESS
}

/// Whether a command line that could not be parsed was meant for us.
pub(crate) fn is_meant(args: &[OsString]) -> bool {
    spelling::words(args)
        .first()
        .is_some_and(|(_, word)| *word == "hook")
}

/// A command line that makes no sense is told to a person, and to nobody else.
pub(crate) fn misspelt(error: &clap::Error) -> ExitCode {
    if io::stdin().is_terminal() {
        let _ = error.print();
    } else {
        // The host still wants to get rid of what it has to say.
        let _ = read();
    }
    ExitCode::SUCCESS
}

fn answer(global: &Global, hook: &Hook) -> Answer {
    let (input, is_cut) = match read() {
        Ok(read) => read,
        Err(error) => return silent(format!("cannot read the input: {error}")),
    };
    let (around, desk) = match desk::open(global) {
        Ok(open) => open,
        Err(failure) => return silent(failure.message),
    };
    let doors = Doors::new(desk.patient_for(PATIENCE), &around);
    let world = doors.world(&Nobody, &Silent);
    let call = Call {
        host: &hook.host,
        event: hook.event.as_deref(),
        input: &input,
        is_cut,
        room_tokens: hook.room,
    };
    hook::answer(&world, &global.flags(), &call)
}

fn silent(note: String) -> Answer {
    Answer {
        json: None,
        notes: vec![note],
    }
}

/// What the host says, and whether it says more than we read. A person at a terminal says nothing.
fn read() -> io::Result<(Vec<u8>, bool)> {
    let stdin = io::stdin();
    let mut bytes = Vec::new();
    if stdin.is_terminal() {
        return Ok((bytes, false));
    }
    let mut stdin = stdin.lock();
    stdin.by_ref().take(LIMIT_BYTES).read_to_end(&mut bytes)?;
    let rest = io::copy(&mut stdin.take(PATIENCE_BYTES), &mut io::sink());
    Ok((bytes, rest.is_ok_and(|n_bytes| n_bytes > 0)))
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn only_what_was_meant_for_a_hook_is() {
        for (line, expected) in [
            ("hook gemini", true),
            ("--home x -q hook claude", true),
            ("-m x hook codex", true),
            ("-qp hook", false),
            ("-pq hook", true),
            ("-p hook --nonsense", false),
            ("--prompt hook", false),
            ("--prompt=x hook", true),
            ("--resume hook", false),
            ("memory hook", false),
            ("--nonsense", false),
        ] {
            let args = ["analects"].into_iter().chain(line.split(' '));
            let args: Vec<_> = args.map(OsString::from).collect();
            assert_eq!(is_meant(&args), expected, "{line}");
        }
    }
}
