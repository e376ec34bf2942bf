//! `setup HOST | status`: Analects inside of another agent.

use analects_world::Agent;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::setup::{self, Direction, FileState, State};

/// Wire Analects into another agent: its server and its hooks, in the agent's own files.
///
/// Everything else in those files stays as it is. `--dry-run` shows what would change.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Setup {
    /// The agent, or `status` to see what is wired anywhere and whether it answers.
    #[arg(value_enum, value_name = "HOST")]
    pub host: Target,
    /// Whether for all your projects or for this one.
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub scope: Scope,
    /// Give the agent's files back what they held before.
    #[arg(long)]
    #[serde(default)]
    pub uninstall: bool,
}

/// What can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Gemini CLI.
    Gemini,
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// All of them, to look at.
    Status,
}

/// For which projects.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// For all of them, in your own files.
    #[default]
    User,
    /// For this one, in its files.
    Project,
}

/// What was wired, or is.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Wired {
    /// The version of this answer.
    pub schema_version: u32,
    /// What was asked for.
    pub host: Target,
    /// For which projects; `status` looks at both.
    pub scope: Scope,
    /// The agent's files, and what becomes of them.
    pub files: Vec<File>,
    /// Whether something was written; not in a dry run, and not if there was nothing to change.
    pub written: bool,
    /// The commit's name in the journal.
    pub id: Option<String>,
    /// What to know or to do before it works.
    pub notes: Vec<String>,
    /// Every agent in every scope, for `status`.
    pub hosts: Vec<HostState>,
    /// Whether we were taken out.
    #[serde(skip)]
    pub is_undone: bool,
}

/// A file of an agent's.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// The file.
    pub path: String,
    /// What changes in it.
    pub diff: String,
    /// `created`, `changed`, `unchanged` or `removed`.
    pub state: String,
}

/// How an agent is wired in one scope.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct HostState {
    /// The agent: `gemini`, `claude` or `codex`.
    pub host: String,
    /// `user` or `project`.
    pub scope: String,
    /// Our server: `wired`, `stale` (there, but not as this program would write it) or `absent`.
    pub mcp: String,
    /// Our hooks, in the same words.
    pub hooks: Vec<HookState>,
    /// Whether the program that the agent would start is one of ours. Nothing is known if there is none,
    /// or if the folder that names it is not trusted.
    pub answers: Option<bool>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// How a hook is wired.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct HookState {
    /// The agent's own name of the event.
    pub event: String,
    /// `wired`, `stale` or `absent`.
    pub state: String,
}

impl Verb for Setup {
    const NAME: &'static str = "setup";
    type Answer = Wired;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Wired, Failure> {
        let host = match self.host {
            Target::Gemini => Agent::Gemini,
            Target::Claude => Agent::Claude,
            Target::Codex => Agent::Codex,
            Target::Status => return self.status(world, flags),
        };
        let scope = match self.scope {
            Scope::User => setup::Scope::User,
            Scope::Project => setup::Scope::Project,
        };
        let direction = if self.uninstall {
            Direction::Uninstall
        } else {
            Direction::Install
        };
        let changed = setup::change(world, flags, host, scope, direction)?;
        Ok(Wired {
            files: changed.files.into_iter().map(File::from).collect(),
            written: changed.written,
            id: changed.id,
            notes: changed.notes,
            ..self.answer()
        })
    }
}

impl Setup {
    fn status(&self, world: &World<'_>, flags: &Flags) -> Result<Wired, Failure> {
        if self.uninstall {
            return Err(
                Failure::bad_input("`--uninstall` wants the name of an agent")
                    .hint("`analects setup status` shows what is wired"),
            );
        }
        let seen = setup::status(world, flags)?;
        Ok(Wired {
            hosts: seen.into_iter().map(HostState::from).collect(),
            ..self.answer()
        })
    }

    fn answer(&self) -> Wired {
        Wired {
            schema_version: SCHEMA_VERSION,
            host: self.host,
            scope: self.scope,
            files: Vec::new(),
            written: false,
            id: None,
            notes: Vec::new(),
            hosts: Vec::new(),
            is_undone: self.uninstall,
        }
    }
}

impl From<setup::FileChange> for File {
    fn from(file: setup::FileChange) -> Self {
        let state = match file.state {
            FileState::Created => "created",
            FileState::Changed => "changed",
            FileState::Unchanged => "unchanged",
            FileState::Removed => "removed",
        };
        Self {
            path: file.path.to_string(),
            diff: file.diff,
            state: state.to_owned(),
        }
    }
}

impl From<setup::Seen> for HostState {
    fn from(seen: setup::Seen) -> Self {
        let hook = |(event, state): (&str, State)| HookState {
            event: event.to_owned(),
            state: word(state),
        };
        Self {
            host: seen.host.as_str().to_owned(),
            scope: seen.scope.as_str().to_owned(),
            mcp: word(seen.mcp),
            hooks: seen.hooks.into_iter().map(hook).collect(),
            answers: seen.answers,
            problem: seen.problem,
        }
    }
}

fn word(state: State) -> String {
    let word = match state {
        State::Wired => "wired",
        State::Stale => "stale",
        State::Absent => "absent",
    };
    word.to_owned()
}
