//! `session rewind`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::load_memory;
use crate::sessions;
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Take the last prompts of a session back, and all that came of them.
///
/// Its record keeps every word. Files that were changed meanwhile stay as they are: `memory log --all` and `memory undo`
/// are for those.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rewind {
    /// The session: its id, the beginning of its id, its file, or `latest`.
    pub session: String,
    /// How many prompts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[serde(default = "one")]
    pub prompts: usize,
}

fn one() -> usize {
    1
}

/// What was taken back.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct RewindAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The session; for another agent's, the copy of it.
    pub session: String,
    /// The prompts that were taken back, the oldest first.
    pub prompts: Vec<String>,
    /// How many turns went with them.
    pub turns: usize,
    /// Whether it was written.
    pub written: bool,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

impl Verb for Rewind {
    const NAME: &'static str = "session rewind";
    type Answer = RewindAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<RewindAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let rewound = sessions::rewind(world, flags, &prepared, &self.session, self.prompts)?;
        Ok(RewindAnswer {
            schema_version: SCHEMA_VERSION,
            session: rewound.id,
            prompts: rewound.prompts,
            turns: rewound.n_turns,
            written: rewound.is_written,
            problems: rewound.problems.iter().map(Problem::from).collect(),
        })
    }
}
