//! What a client may ask: one struct per verb, filled in from a command line or from JSON.
//!
//! Shell, chat and MCP are spellings of the same verbs; none of them adds meaning of its own.

pub mod answer;
pub mod check;
pub mod config;
pub mod context;
pub mod doctor;
mod failure;
pub mod memory;
pub mod prompt;
pub mod session;
pub mod setup;
pub mod skill;
pub mod trust;

pub use failure::{Failure, FailureAnswer, FailureKind, Told};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::World;

/// The version of every JSON answer. Fields may be added; none goes or changes without a new number.
pub const SCHEMA_VERSION: u32 = 1;

/// What holds for every verb of one command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// Trust the folder for this run.
    pub trust: bool,
    /// Load no memory at all.
    pub no_memory: bool,
    /// Show what would be written, and write nothing.
    pub dry_run: bool,
    /// Consent to whatever is asked.
    pub yes: bool,
}

/// Something a client may ask.
pub trait Verb: clap::Args + DeserializeOwned + JsonSchema {
    /// The words that ask for it, as in `memory list`.
    const NAME: &'static str;

    /// What comes back.
    type Answer: Serialize + JsonSchema;

    /// Does it.
    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Self::Answer, Failure>;
}

/// A verb as the reference describes it.
pub struct Described {
    /// Its words.
    pub name: &'static str,
    /// The schema of its arguments.
    pub arguments: Schema,
    /// The schema of its answer.
    pub answer: Schema,
    /// Its command line.
    pub command: clap::Command,
}

/// Every verb there is.
#[must_use]
pub fn catalogue() -> Vec<Described> {
    vec![
        describe::<memory::Show>(),
        describe::<memory::List>(),
        describe::<memory::Cost>(),
        describe::<memory::Reload>(),
        describe::<memory::Add>(),
        describe::<memory::Forget>(),
        describe::<memory::Edit>(),
        describe::<memory::Move>(),
        describe::<memory::Log>(),
        describe::<memory::Undo>(),
        describe::<memory::Search>(),
        describe::<memory::Tidy>(),
        describe::<memory::inbox::List>(),
        describe::<memory::inbox::Show>(),
        describe::<memory::inbox::Accept>(),
        describe::<memory::inbox::Edit>(),
        describe::<memory::inbox::Dismiss>(),
        describe::<check::Check>(),
        describe::<context::Context>(),
        describe::<prompt::Prompt>(),
        describe::<session::List>(),
        describe::<session::Show>(),
        describe::<session::Search>(),
        describe::<session::Delete>(),
        describe::<session::Import>(),
        describe::<session::Summarize>(),
        describe::<session::Compress>(),
        describe::<session::Rewind>(),
        describe::<session::Pin>(),
        describe::<skill::List>(),
        describe::<skill::Show>(),
        describe::<skill::Check>(),
        describe::<skill::Enable>(),
        describe::<skill::Disable>(),
        describe::<skill::Extract>(),
        describe::<skill::Install>(),
        describe::<skill::Link>(),
        describe::<skill::Uninstall>(),
        describe::<config::Show>(),
        describe::<trust::Show>(),
        describe::<trust::Add>(),
        describe::<trust::Deny>(),
        describe::<trust::Remove>(),
        describe::<doctor::Doctor>(),
        describe::<setup::Setup>(),
    ]
}

fn describe<V: Verb>() -> Described {
    Described {
        name: V::NAME,
        arguments: schemars::schema_for!(V),
        answer: answer_schema::<V::Answer>(),
        command: V::augment_args(clap::Command::new(V::NAME)),
    }
}

/// The schema of what instead of an answer is printed if a verb fails.
#[must_use]
pub fn failure_schema() -> Schema {
    answer_schema::<FailureAnswer>()
}

/// What we print is described as it is written: a field that may be left out there is not required.
fn answer_schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests;
