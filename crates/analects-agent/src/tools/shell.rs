//! Runs a command for the model.
//!
//! Here stands what the model reads of it; whether it may run is for the policy to say, before. Nothing bounds what a
//! command prints, so only its start and its end are held; nothing it prints can end the section that it stands in.

mod collect;
mod environment;
mod told;

use std::collections::BTreeMap;

use analects_world::files::Trouble;
use analects_world::shell::{Command, Shell};
use analects_world::{AbsPath, Files};
use schemars::JsonSchema;
use serde::Deserialize;

use super::workspace::For;
use super::{Bench, Output, Refusal, RefusalKind};
use collect::{Collector, Decoder};

pub use environment::environment;

/// The tool.
pub const NAME: &str = "run_shell_command";

/// How much of what a command prints is held.
const KEPT_BYTES: usize = 16 * 1024 * 1024;
/// How long a command in the background is watched: whoever fails at once is told of.
const WATCHED_MS: u64 = 1_000;

/// What the model says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Args {
    /// The command line, exactly as `bash -c` gets it.
    pub command: String,
    /// What the command does, for the user, in one short sentence.
    #[serde(default)]
    pub description: Option<String>,
    /// The directory to run in: an existing one in the workspace. The working directory, if nothing is said.
    #[serde(default)]
    pub dir_path: Option<String>,
    /// Whether it is to run on in the background: a server, a watcher. What it prints in its first second is told.
    #[serde(default)]
    pub is_background: Option<bool>,
}

/// What commands are run with.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// The shell.
    pub shell: &'a dyn Shell,
    /// Our own environment; commands get what [`environment`] leaves of it.
    pub vars: &'a BTreeMap<String, String>,
    /// How long a command may go without printing anything.
    pub idle_ms: Option<u64>,
    /// How long a command may take altogether.
    pub whole_ms: Option<u64>,
}

/// Runs a command, and tells what it prints as it comes.
///
/// What is told is text, but not safe to show: whoever shows it in a terminal makes it so. A command that fails, or
/// is cancelled, has been run; only one that could not be started is refused.
pub fn run(
    args: &Args,
    bench: &Bench<'_>,
    runner: &Runner<'_>,
    hear: &mut dyn FnMut(&str),
) -> Result<Output, Refusal> {
    if bench.workspace.scope.is_some() {
        // Nothing bounds what a command looks at or writes.
        let message = "This agent was given single files: it may not run commands.";
        return Err(Refusal::new(RefusalKind::Denied, message));
    }
    if args.command.trim().is_empty() {
        let message = "there is no command: `command` is empty";
        return Err(Refusal::new(RefusalKind::BadArguments, message));
    }
    let dir = match args.dir_path.as_deref().filter(|path| !path.is_empty()) {
        None => bench.workspace.cwd.clone(),
        Some(path) => {
            let place = bench.workspace.locate(bench.files, path, For::Reading)?;
            require_dir(bench.files, &place.path)?;
            place.path
        }
    };
    run_in(&dir, args, bench, runner, hear)
}

fn require_dir(files: &dyn Files, path: &AbsPath) -> Result<(), Refusal> {
    files.require_dir(path).map_err(|trouble| {
        let kind = match trouble {
            Trouble::Missing => RefusalKind::NotFound,
            Trouble::NotDir | Trouble::Special => RefusalKind::NotDirectory,
            _ => RefusalKind::Unreadable,
        };
        Refusal::new(kind, format!("cannot run in {path}: {trouble}"))
    })
}

fn run_in(
    dir: &AbsPath,
    args: &Args,
    bench: &Bench<'_>,
    runner: &Runner<'_>,
    hear: &mut dyn FnMut(&str),
) -> Result<Output, Refusal> {
    let command = Command {
        line: &args.command,
        dir,
        vars: &environment(runner.vars),
        idle_ms: runner.idle_ms,
        whole_ms: runner.whole_ms,
        leave_ms: (args.is_background == Some(true)).then_some(WATCHED_MS),
    };
    let mut collector = Collector::new(KEPT_BYTES);
    let mut decoder = Decoder::default();
    let ran = runner.shell.run(&command, bench.cancel, &mut |piece| {
        collector.take(piece);
        decoder.decode(piece, hear);
    });
    decoder.finish(hear);
    let not_run = |why: String| {
        let message = format!("the command was not run: {why}");
        Refusal::new(RefusalKind::NotRun, message)
    };
    let told = told::told(collector.finish(), &command, &ran.map_err(not_run)?);
    Ok(Output {
        text: told.text,
        shown: told.shown,
        ..Output::default()
    })
}

#[cfg(test)]
mod tests;
