//! `memory add`, `forget`, `edit`, `move`: changing what is remembered.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::change_entry::{self, Caller, Changed, Wish};
use crate::filing;
use crate::place::Target;
use crate::remember::{self, By, OnSecret, Remembered, Request};
use crate::verbs::answer::{LayerName, Problem, problems};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Remember a fact.
///
/// Without `--scope` or `--to` it goes where it belongs: what is about you to your own memory, what is about
/// this project to your private notes on it. Where `memory.writer` is `manager`, what is about the project or one of
/// its directories goes to the file that the project commits.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Add {
    /// What to remember, in a sentence.
    #[arg(allow_hyphen_values = true)]
    pub fact: String,
    /// Whose memory: `global` is yours in every project, `project` your private notes on this one.
    #[arg(long, conflicts_with = "to")]
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Where to: `global`, `private`, `project` (the committed file) or a directory of the project.
    #[arg(long, value_name = "PLACE")]
    #[serde(default)]
    pub to: Option<String>,
    /// Store it with secrets left out.
    #[arg(long)]
    #[serde(default)]
    pub redact: bool,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// The two scopes that Gemini CLI knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Every project of this user.
    Global,
    /// This project, privately.
    Project,
}

/// Forget an entry, and do not learn it again.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Forget {
    /// The entry: its id, the beginning of its id, or words that only it says.
    pub entry: String,
}

/// Let an entry say something else; it keeps its id.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// The entry: its id, the beginning of its id, or words that only it says.
    pub entry: String,
    /// What it should say; without it, your editor opens.
    #[arg(allow_hyphen_values = true)]
    #[serde(default)]
    pub text: Option<String>,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// Take an entry to another place; it keeps its id.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Move {
    /// The entry: its id, the beginning of its id, or words that only it says.
    pub entry: String,
    /// Where to: `global`, `private`, `project` (the committed file) or a directory of the project.
    #[arg(long, value_name = "PLACE")]
    pub to: String,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// What became of a fact.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Added {
    /// The version of this answer.
    pub schema_version: u32,
    /// The id of the entry.
    pub id: String,
    /// The file it stands in.
    pub path: String,
    /// Whose memory that is: `global`, or `project` for all that is about one project.
    pub scope: Scope,
    /// The layer of that file.
    pub layer: LayerName,
    /// Why there.
    pub because: String,
    /// What was written down.
    pub text: String,
    /// The change.
    pub diff: String,
    /// Whether it was written; not in a dry run, not if you said no, and not if it was known already.
    pub written: bool,
    /// The commit, for `memory undo`.
    pub commit: Option<String>,
    /// What is worth knowing about it.
    pub problems: Vec<Problem>,
}

/// What became of an entry.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ChangedEntry {
    /// The version of this answer.
    pub schema_version: u32,
    /// Its id.
    pub id: String,
    /// The file it stands in, or stood in.
    pub path: String,
    /// The file it stood in before.
    pub from: String,
    /// What it said before.
    pub before: String,
    /// What it says now; `null` if it is forgotten.
    pub after: Option<String>,
    /// The change.
    pub diff: String,
    /// Whether it was written.
    pub written: bool,
    /// The commit, for `memory undo`.
    pub commit: Option<String>,
    /// What is worth knowing about it.
    pub problems: Vec<Problem>,
}

impl Verb for Add {
    const NAME: &'static str = "memory add";
    type Answer = Added;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Added, Failure> {
        let target = match (&self.to, self.scope) {
            (Some(to), None) => Target::named(to),
            (None, Some(Scope::Global)) => Target::Global,
            (None, Some(Scope::Project)) => Target::Private,
            (None, None) => Target::Routed,
            (Some(_), Some(_)) => {
                return Err(Failure::bad_input("give `scope` or `to`, not both"));
            }
        };
        let request = Request {
            fact: &self.fact,
            target,
            by: By::Person,
            who: Self::NAME,
            allowed: &self.allow,
            on_secret: match self.redact {
                true => OnSecret::Redact,
                false => OnSecret::Refuse,
            },
        };
        let remembered = match target {
            Target::Routed if filing::is_wanted(world, flags)? => {
                filing::file(world, flags, &request)
            }
            _ => remember::remember(world, flags, &request),
        };
        Ok(remembered?.into())
    }
}

impl From<Remembered> for Added {
    fn from(remembered: Remembered) -> Self {
        let Remembered {
            id,
            text,
            place,
            decided,
            problems: found,
        } = remembered;
        let layer = LayerName::from(place.layer);
        Self {
            schema_version: SCHEMA_VERSION,
            id,
            path: place.path.to_string(),
            scope: match layer {
                LayerName::Global => Scope::Global,
                _ => Scope::Project,
            },
            layer,
            because: place.because,
            text,
            written: decided.is_written(),
            commit: decided.commit().map(ToOwned::to_owned),
            diff: decided.diff,
            problems: problems(&found),
        }
    }
}

impl Verb for Forget {
    const NAME: &'static str = "memory forget";
    type Answer = ChangedEntry;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ChangedEntry, Failure> {
        change(world, flags, &self.entry, Wish::Forget, &[])
    }
}

impl Verb for Edit {
    const NAME: &'static str = "memory edit";
    type Answer = ChangedEntry;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ChangedEntry, Failure> {
        let wish = Wish::Say(self.text.as_deref());
        change(world, flags, &self.entry, wish, &self.allow)
    }
}

impl Verb for Move {
    const NAME: &'static str = "memory move";
    type Answer = ChangedEntry;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ChangedEntry, Failure> {
        change(world, flags, &self.entry, Wish::Move(&self.to), &self.allow)
    }
}

fn change(
    world: &World<'_>,
    flags: &Flags,
    entry: &str,
    wish: Wish<'_>,
    allowed: &[String],
) -> Result<ChangedEntry, Failure> {
    let by = Caller::PERSON;
    Ok(change_entry::change_entry(world, flags, entry, wish, allowed, by)?.into())
}

impl From<Changed> for ChangedEntry {
    fn from(changed: Changed) -> Self {
        let Changed {
            was,
            id,
            text,
            path,
            decided,
            problems: found,
        } = changed;
        Self {
            schema_version: SCHEMA_VERSION,
            id,
            path: path.to_string(),
            from: was.path.to_string(),
            before: was.entry.text,
            after: text,
            written: decided.is_written(),
            commit: decided.commit().map(ToOwned::to_owned),
            diff: decided.diff,
            problems: problems(&found),
        }
    }
}
