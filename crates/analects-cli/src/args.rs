//! The command line: nouns, verbs and the flags they share.

use std::path::PathBuf;

use analects_engine::verbs::{
    Flags, check, config, context, doctor, memory, prompt, session, setup, skill, trust,
};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::hook::Hook;
use crate::talk::args::Talk;
use crate::tour::Tour;

/// A memory that coding agents can trust.
///
/// Finds, imports, orders and shows the memory files that apply to a directory: your own, those of
/// extensions, those of the project, and your private notes on it. Alone at a terminal it is a chat with an
/// agent that works by them; with `-p` it answers once.
#[derive(Debug, Parser)]
#[command(name = "analects", version, term_width = 80)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) talk: Talk,
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) noun: Option<Noun>,
}

/// Flags that every verb takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Work in this directory instead of the current one.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Use this home directory (also GEMINI_CLI_HOME).
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Trust the folder for this run.
    #[arg(long, global = true)]
    pub(crate) trust: bool,
    /// Answer with one JSON object.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show errors only.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Show notes too.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Load no memory at all.
    #[arg(long, global = true)]
    pub(crate) no_memory: bool,
    /// Show what would be written, and write nothing.
    #[arg(long, global = true)]
    pub(crate) dry_run: bool,
    /// Consent to what would be asked.
    #[arg(short, long, global = true)]
    pub(crate) yes: bool,
    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

impl Global {
    /// The part that the engine wants to know.
    pub(crate) fn flags(&self) -> Flags {
        Flags {
            trust: self.trust,
            no_memory: self.no_memory,
            dry_run: self.dry_run,
            yes: self.yes,
        }
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Noun {
    /// The memory that applies here.
    #[command(subcommand)]
    Memory(Memory),
    /// Remember a fact: short for `memory add`.
    Remember(memory::Add),
    Context(context::Context),
    Prompt(prompt::Prompt),
    /// What was said and done before, in whichever agent.
    #[command(subcommand, alias = "sessions")]
    Session(Session),
    /// Instructions for one kind of task, and where they come from.
    #[command(subcommand, alias = "skills")]
    Skill(Skill),
    /// The settings in force.
    #[command(subcommand)]
    Config(Config),
    /// Who may speak: the folders whose own memory is read.
    #[command(subcommand)]
    Trust(Trust),
    Doctor(doctor::Doctor),
    Setup(setup::Setup),
    Hook(Hook),
    /// Serve memory to another agent over MCP.
    Mcp(Mcp),
    Tour(Tour),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print a manual page.
    Man {
        /// The command to describe, as in `man memory show`; the program itself if none.
        command: Vec<String>,
        /// List the commands that have a page instead, one a line.
        #[arg(long, conflicts_with = "command")]
        list: bool,
    },
}

/// How the MCP server is reached.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Serve over HTTP on an address of this machine, as in `127.0.0.1:8080`,
    /// instead of stdin and stdout.
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<String>,
    /// Offer what the MCP conformance suite expects, too.
    #[arg(long, hide = true)]
    pub(crate) test_tools: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Session {
    List(session::List),
    Show(session::Show),
    Search(session::Search),
    Delete(session::Delete),
    Import(session::Import),
    Summarize(session::Summarize),
    Compress(session::Compress),
    Pin(session::Pin),
    Rewind(session::Rewind),
    Resume(Resume),
}

/// Go on with a session at a terminal; `analects --resume` for short.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The session: `latest` (also if nothing is named), its number, its id.
    pub(crate) session: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Memory {
    Show(memory::Show),
    List(memory::List),
    Cost(memory::Cost),
    #[command(alias = "refresh")]
    Reload(memory::Reload),
    Add(memory::Add),
    Forget(memory::Forget),
    Edit(memory::Edit),
    #[command(alias = "mv")]
    Move(memory::Move),
    Log(memory::Log),
    Undo(memory::Undo),
    Search(memory::Search),
    Check(check::Check),
    Tidy(memory::Tidy),
    /// What waits for a yes: new skills, and changes of skills and of memory.
    #[command(subcommand)]
    Inbox(Inbox),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Inbox {
    List(memory::inbox::List),
    Show(memory::inbox::Show),
    Accept(memory::inbox::Accept),
    Edit(memory::inbox::Edit),
    Dismiss(memory::inbox::Dismiss),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Skill {
    List(skill::List),
    Show(skill::Show),
    Check(skill::Check),
    Enable(skill::Enable),
    Disable(skill::Disable),
    Extract(skill::Extract),
    Install(skill::Install),
    Link(skill::Link),
    Uninstall(skill::Uninstall),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    Show(config::Show),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Trust {
    Show(trust::Show),
    Add(trust::Add),
    Deny(trust::Deny),
    Remove(trust::Remove),
}
