//! `session list`.

use std::collections::HashMap;

use analects_world::Agent;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AgentName, Session};
use crate::World;
use crate::load_memory::{self, Prepared};
use crate::sessions::{self, Subagents, Which};
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// List the sessions of this project, whichever agent held them, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct List {
    /// Those of all projects.
    #[arg(short, long)]
    pub all: bool,
    /// Only those of this agent.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentName>,
    /// Those of sub-agents, too.
    #[arg(long)]
    pub subagents: bool,
    /// How many.
    #[arg(short = 'n', long, default_value_t = DEFAULT_LIMIT)]
    pub limit: usize,
}

const DEFAULT_LIMIT: usize = 20;

impl Default for List {
    fn default() -> Self {
        Self {
            all: false,
            agent: None,
            subagents: false,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// The sessions there are.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ListAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// What time it is, in UTC.
    pub now: String,
    /// Whether they are of all projects.
    pub all: bool,
    /// The sessions, the newest first.
    pub sessions: Vec<Session>,
    /// How many older records were not looked at; not all of them need be of this project.
    pub more: usize,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Verb for List {
    const NAME: &'static str = "session list";
    type Answer = ListAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ListAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let which = Which {
            project: (!self.all).then_some(&prepared.root),
            agent: self.agent.map(Into::into),
            subagents: match self.subagents {
                true => Subagents::Along,
                false => Subagents::Left,
            },
            trust: prepared.decision.trust,
        };
        let found = sessions::list(world, which, self.limit);
        let mut sessions: Vec<_> = found.sessions.iter().map(Session::from).collect();
        number(world, &prepared, &mut sessions);
        Ok(ListAnswer {
            schema_version: SCHEMA_VERSION,
            now: crate::when::utc(world.clock.now_ms()),
            all: self.all,
            sessions,
            more: found.n_more,
            problems: found.problems.iter().map(Problem::from).collect(),
        })
    }
}

/// Gives every session its number, where it has one.
fn number(world: &World<'_>, prepared: &Prepared, sessions: &mut [Session]) {
    let has_number =
        |session: &Session| session.agent == Agent::Gemini.as_str() && !session.is_subagent;
    if !sessions.iter().any(has_number) {
        return;
    }
    let ids = sessions::numbered(world, prepared);
    let numbers: HashMap<_, _> = ids.iter().zip(1..).collect();
    for session in sessions.iter_mut().filter(|session| has_number(session)) {
        session.number = numbers.get(&session.id).copied();
    }
}
