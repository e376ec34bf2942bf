//! `doctor`: is everything in order, and what to do where it is not.

mod model;
mod spending;
mod usage;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use model::{KeySource, Model, Probe};
pub use spending::{Spending, SpentFor, SpentOn};
pub use usage::{Day, Usage, UsageOf};

use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::examine::{self, About, Asking};
use crate::identity;
use crate::load_memory;

/// Look at everything Analects depends on, and say what to do where something is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Doctor {
    /// Give this project its private folder: its own, or the one named, whose project is gone.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "")]
    pub adopt: Option<String>,
    /// Tell what the context machinery and the hooks did and saved, and what models were asked for and cost.
    #[arg(long)]
    pub usage: bool,
    /// Tell where this model would be asked; an alias or `provider:model` will do.
    #[arg(short, long, value_name = "NAME")]
    pub model: Option<String>,
    /// Ask that model one short question, and tell whether it answers.
    #[arg(long)]
    pub probe: bool,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Examined {
    /// The version of this answer.
    pub schema_version: u32,
    /// The version of the program.
    pub version: String,
    /// Every finding, by topic.
    pub findings: Vec<Finding>,
    /// The model that would be asked, if there is one.
    pub model: Option<Model>,
    /// What it said, if it was asked.
    pub probe: Option<Probe>,
    /// Keys and addresses that are set, and by whom.
    pub keys: Vec<KeySource>,
    /// What was adopted, if that was asked for.
    pub adopted: Option<Adopted>,
    /// What was counted, if that was asked for.
    pub usage: Option<Usage>,
}

/// One finding.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// `ok`, `note`, `warning` or `error`.
    pub severity: String,
    /// What it is about: `paths`, `trust`, `settings`, `registry`, `commits`, `providers` or `budget`.
    pub topic: String,
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A private folder that now belongs to this project.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Adopted {
    /// Its name.
    pub folder: String,
    /// The private memory in it.
    pub memory: String,
    /// Where the project was before.
    pub moved_from: Option<String>,
    /// What changes in the registry and the markers.
    pub diff: String,
    /// Whether it was written; not in a dry run, and not if all was in place.
    pub written: bool,
}

impl Verb for Doctor {
    const NAME: &'static str = "doctor";
    type Answer = Examined;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Examined, Failure> {
        let adopted = self
            .adopt
            .as_deref()
            .map(|folder| adopt(world, flags, folder))
            .transpose()?;
        let prepared = load_memory::prepare(world, flags)?;
        let about = About {
            model: self.model.as_deref(),
            asking: match self.probe {
                true => Asking::Once,
                false => Asking::Never,
            },
        };
        let examined = examine::examine(world, &prepared, about);
        Ok(Examined {
            schema_version: SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            findings: examined.findings,
            model: examined.model,
            probe: examined.probe,
            keys: examined.keys,
            adopted,
            usage: self.usage.then(|| Usage::now(world, &prepared.settings)),
        })
    }
}

fn adopt(world: &World<'_>, flags: &Flags, folder: &str) -> Result<Adopted, Failure> {
    let wanted = Some(folder).filter(|folder| !folder.is_empty());
    let prepared = load_memory::prepare(world, flags)?;
    let (root, trust) = (&prepared.root, prepared.decision.trust);
    let claimed = identity::claim(world, flags, root, wanted, trust, "doctor")?;
    let receipt = &claimed.written.receipt;
    Ok(Adopted {
        folder: claimed.slug,
        memory: claimed.memory.to_string(),
        moved_from: claimed.moved_from.map(|path| path.to_string()),
        written: receipt.as_ref().is_some_and(|receipt| receipt.id.is_some()),
        diff: claimed.written.diff,
    })
}

#[cfg(test)]
mod tests;
