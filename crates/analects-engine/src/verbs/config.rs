//! `config show`: every setting, its value, and who set it.

use std::collections::BTreeMap;

use analects_world::Profile;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{self, Problem, TrustAnswer};
use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::load_memory;
use crate::settings::InForce;
use crate::settings::keys::Setting;

/// Show every setting with its value and its origin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Show {}

/// All settings in force.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the workspace's own settings count.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The settings, in the order of the reference.
    pub settings: Vec<Entry>,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// One setting.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its dotted name.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// What set it.
    pub origin: Origin,
    /// What it means.
    pub meaning: String,
    /// Who may set it: `user` alone, a `workspace` too, or a workspace that may only `tighten` it.
    pub authority: String,
}

/// What set a value.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// `default`, `system-defaults`, `user`, `workspace`, `system` or `environment`.
    pub scope: String,
    /// The file, or the environment variable's name.
    pub source: Option<String>,
    /// The line in the file.
    pub line: Option<usize>,
}

/// A setting's value.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
#[serde(untagged)]
pub enum Value {
    /// None.
    Unset(()),
    /// A switch.
    Flag(bool),
    /// A number.
    Count(usize),
    /// A part of a whole.
    Share(f64),
    /// A word.
    Text(String),
    /// A list.
    List(Vec<String>),
    /// Tokens, by the name of a tool or a model.
    Budgets(BTreeMap<String, usize>),
    /// Texts, by name.
    Texts(BTreeMap<String, String>),
}

impl From<&Setting> for Value {
    fn from(setting: &Setting) -> Self {
        match setting {
            Setting::Unset => Self::Unset(()),
            Setting::Flag(flag) => Self::Flag(*flag),
            Setting::Count(count) => Self::Count(*count),
            Setting::Share(share) => Self::Share(*share),
            Setting::Budgets(budgets) => Self::Budgets(budgets.clone()),
            Setting::Texts(texts) => Self::Texts(texts.clone()),
            Setting::Text(text) => Self::Text(text.clone()),
            Setting::List(list) => Self::List(list.clone()),
        }
    }
}

impl Verb for Show {
    const NAME: &'static str = "config show";
    type Answer = Shown;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Shown, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let entry = |in_force: &InForce| Entry {
            key: in_force.key.name.to_owned(),
            value: (&in_force.value).into(),
            origin: Origin {
                scope: in_force.origin.scope.as_str().to_owned(),
                source: in_force.origin.source.clone(),
                line: in_force.origin.line,
            },
            meaning: in_force.key.meaning.to_owned(),
            authority: in_force.key.authority.as_str().to_owned(),
        };
        Ok(Shown {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            settings: prepared.settings.all().iter().map(entry).collect(),
            problems: answer::problems(prepared.problems()),
        })
    }
}

/// The default of every setting in every profile, for the reference.
#[must_use]
pub fn default_of(key: &crate::settings::keys::Key, profile: Profile) -> Value {
    (&(key.default)(profile)).into()
}
