//! The flags of the command without a noun: what is asked of a model, and how the answer looks.

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};

use crate::args::Cli;

/// What is asked of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Agent options (without a command)")]
pub(crate) struct Talk {
    /// Ask this, let the model work, and print its answer.
    ///
    /// What is piped in comes first, as context. `@path` brings a file along.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// Ask this model: its name, or an alias such as `flash`.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Go on with a session: `latest` (also if nothing is named), its number, or its id.
    #[arg(short, long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "latest")]
    pub(crate) resume: Option<String>,
    /// How the answer is printed; `--json` is short for `json`.
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) output_format: Option<Format>,
    /// What may be done without asking. Nobody is asked here: what would have to be is refused.
    #[arg(long, value_name = "MODE")]
    pub(crate) approval_mode: Option<Mode>,
    /// Allow everything: short for `--approval-mode yolo`.
    #[arg(long, conflicts_with = "approval_mode")]
    pub(crate) yolo: bool,
    /// End after so many turns (also `model.maxSessionTurns`).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: Option<u32>,
    /// Read from this file what is open in an editor.
    #[arg(long, value_name = "FILE")]
    pub(crate) ide_context: Option<String>,
    /// Write nothing over: for screen readers.
    #[arg(long)]
    pub(crate) screen_reader: bool,
    /// Let the model work in these directories too.
    #[arg(long, value_name = "DIR,…", value_delimiter = ',')]
    pub(crate) include_directories: Vec<String>,
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The answer, and nothing else.
    Text,
    /// One object, at the end.
    Json,
    /// An object a line, as things happen.
    StreamJson,
}

/// What may be done without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// What the policy allows.
    Default,
    /// Changes to files too.
    #[value(alias = "auto_edit", alias = "autoEdit")]
    AutoEdit,
    /// Everything.
    Yolo,
    /// Looking only, and writing a plan.
    Plan,
}

impl Mode {
    /// The word for it, as it is written after the flag.
    pub(crate) fn word(self) -> Option<String> {
        let word = self.to_possible_value()?;
        Some(word.get_name().to_owned())
    }
}

impl Talk {
    /// What may be done without asking, if that was said.
    pub(crate) fn mode(&self) -> Option<Mode> {
        self.yolo.then_some(Mode::Yolo).or(self.approval_mode)
    }
}

/// How the answer is printed; text, unless somebody said otherwise.
pub(crate) fn format(cli: &Cli) -> Format {
    let json = cli.global.json.then_some(Format::Json);
    cli.talk.output_format.or(json).unwrap_or(Format::Text)
}

/// What the shape of the flags does not say: they are for the command without a noun, and agree with each other.
pub(crate) fn check(cli: &Cli) -> Result<(), clap::Error> {
    let complain = |kind, message: &str| Err(Cli::command().error(kind, message));
    let talk = &cli.talk;
    if cli.noun.is_some() && *talk != Talk::default() {
        let message = "agent options belong to `analects` without a command";
        return complain(ErrorKind::ArgumentConflict, message);
    }
    if let (true, Some(Format::Text | Format::StreamJson)) = (cli.global.json, talk.output_format) {
        let message = "`--json` asks for another format than `--output-format`";
        return complain(ErrorKind::ArgumentConflict, message);
    }
    if talk.prompt.as_deref().is_some_and(is_a_flag) {
        let message = "`--prompt` wants a text, and another flag follows";
        return complain(ErrorKind::InvalidValue, message);
    }
    Ok(())
}

/// Whether `text` is one of our flags. A prompt may begin with a dash, yet nobody asks a model about `--json`.
fn is_a_flag(text: &str) -> bool {
    let mut command = Cli::command();
    command.build();
    let long = text.strip_prefix("--");
    let short = text.strip_prefix('-').and_then(|text| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    });
    command.get_arguments().any(|arg| {
        let is_long = long.is_some() && arg.get_long() == long;
        let is_short = short.is_some() && arg.get_short() == short;
        is_long || is_short
    })
}

#[cfg(test)]
mod tests;
