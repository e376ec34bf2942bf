//! `memory inbox list | show | accept | edit | dismiss`: what waits for a yes, and what becomes of it.

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::inbox::{self, Item, Kind, Outcome, Settlement, To, Which, Wish};
use crate::load_memory;
use crate::verbs::answer::{self, Problem, TrustAnswer};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::when;

/// List what waits for a yes: new skills, changes of skills, changes of memory.
///
/// It is what Gemini CLI's `/memory inbox` lists. Every change was tried: one that cannot be accepted says why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct List {}

/// Show one thing that waits: all files of a skill, or a change as it would be.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Show {
    /// Its id in `memory inbox list`, or the last name of that.
    pub item: String,
}

/// Accept what waits: a skill is installed, a change is made.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Accept {
    /// Ids of `memory inbox list`, or their last names.
    #[arg(value_name = "ITEM", required_unless_present = "all")]
    #[serde(default)]
    pub items: Vec<String>,
    /// Whose a new skill becomes.
    #[arg(long, value_name = "WHOSE", default_value = "user")]
    #[serde(default)]
    pub to: Whose,
    /// All that has no problems; what lies in quarantine has to be named, and taken by itself.
    #[arg(long, conflicts_with = "items")]
    #[serde(default)]
    pub all: bool,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// Change what waits, before you decide about it.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// Its id in `memory inbox list`, or the last name of that.
    pub item: String,
    /// Another file of a new skill than its SKILL.md, by its path inside of it.
    #[arg(long, value_name = "PATH")]
    #[serde(default)]
    pub file: Option<String>,
    /// What the file or the patch should say; without it, your editor opens.
    // Such a text begins with dashes.
    #[arg(long, allow_hyphen_values = true)]
    #[serde(default)]
    pub text: Option<String>,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// Dismiss what waits, so that it is not proposed again.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dismiss {
    /// Ids of `memory inbox list`, or their last names.
    #[arg(value_name = "ITEM", required = true)]
    pub items: Vec<String>,
}

/// Whose a skill becomes.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// Yours, in every project: `~/.gemini/skills`.
    #[default]
    User,
    /// The project's: `.gemini/skills`, where it is trusted.
    Project,
}

/// What a thing that waits would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InboxKind {
    /// A new skill.
    Skill,
    /// A change of skills that are there.
    SkillUpdate,
    /// A change of memory.
    MemoryUpdate,
}

/// What waits.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InboxAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's skills may be written.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// The private memory folder in which things wait; `null` if this project has none yet.
    pub memory: Option<String>,
    /// What time it is, to tell how old things are.
    pub now: String,
    /// What waits, by kind and name.
    pub items: Vec<InboxItem>,
}

/// Something that waits.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InboxItem {
    /// What it is called.
    pub id: String,
    /// What it would be.
    pub kind: InboxKind,
    /// What it is about, in a few words.
    pub title: String,
    /// What it does, in a sentence.
    pub description: String,
    /// When it was made, in UTC, as far as is known.
    pub date: Option<String>,
    /// Where it waits.
    pub path: String,
    /// What it would change; for a new skill, where it may go.
    pub targets: Vec<String>,
    /// Whether it lies in quarantine, since it rests only on text that came from outside: it is never accepted together
    /// with others.
    pub is_tainted: bool,
    /// Why it lies there.
    pub taint: Option<String>,
    /// Whether you dismissed the very same before.
    pub was_dismissed: bool,
    /// Whether you were not shown it before.
    pub new: bool,
    /// Why it cannot be accepted as it is.
    pub problems: Vec<Problem>,
}

/// Something that waits, with all that it says.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InboxShown {
    /// The version of this answer.
    pub schema_version: u32,
    /// What it is.
    #[serde(flatten)]
    pub item: InboxItem,
    /// Its SKILL.md, or the change as it would be; the patch itself, if it does not apply. Secrets are masked.
    pub preview: String,
    /// The other files of a skill.
    pub files: Vec<InboxFile>,
}

/// A file that a skill brings along.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InboxFile {
    /// Its path inside of the skill.
    pub name: String,
    /// What it says, secrets masked.
    pub text: String,
}

/// What became of things that waited.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InboxSettled {
    /// The version of this answer.
    pub schema_version: u32,
    /// One thing after the other.
    pub items: Vec<InboxOutcome>,
}

/// What became of one thing.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct InboxOutcome {
    /// What it is called.
    pub id: String,
    /// What it is.
    pub kind: InboxKind,
    /// What became of it.
    pub outcome: InboxVerdict,
    /// Why it was skipped, or failed.
    pub reason: Option<String>,
    /// What could be done about that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// What speaks against it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// The change.
    pub diff: String,
    /// Whether it was written.
    pub written: bool,
    /// The commit, for `memory undo`.
    pub commit: Option<String>,
}

/// What became of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InboxVerdict {
    /// It is done.
    Written,
    /// Nothing had to be written, or it is a dry run.
    Shown,
    /// You said no.
    Declined,
    /// It was not tried: `--all` leaves it to you.
    Skipped,
    /// It could not be done.
    Failed,
}

impl Verb for List {
    const NAME: &'static str = "memory inbox list";
    type Answer = InboxAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InboxAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let items = inbox::items(world, &prepared)?;
        inbox::seen(world, flags, &prepared, &items);
        Ok(InboxAnswer {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            root: prepared.root.to_string(),
            memory: inbox::place(world, &prepared).map(|memory| memory.to_string()),
            now: when::utc(world.clock.now_ms()),
            items: items.iter().map(InboxItem::from).collect(),
        })
    }
}

impl Verb for Show {
    const NAME: &'static str = "memory inbox show";
    type Answer = InboxShown;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InboxShown, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let item = inbox::item(world, &prepared, &self.item)?;
        inbox::seen(world, flags, &prepared, std::slice::from_ref(&item));
        let files = item.files.iter().map(|file| InboxFile {
            name: file.name.clone(),
            text: file.text.clone(),
        });
        Ok(InboxShown {
            schema_version: SCHEMA_VERSION,
            files: files.collect(),
            item: (&item).into(),
            preview: item.preview,
        })
    }
}

impl Verb for Accept {
    const NAME: &'static str = "memory inbox accept";
    type Answer = InboxSettled;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InboxSettled, Failure> {
        let which = match (self.items.as_slice(), self.all) {
            ([], true) => Which::All,
            ([_, ..], false) => Which::Named(&self.items),
            _ => return Err(Failure::bad_input("name items, or say `all`, not both")),
        };
        let wish = Wish {
            to: match self.to {
                Whose::User => To::User,
                Whose::Project => To::Project,
            },
            allowed: &self.allow,
            who: Self::NAME,
        };
        let prepared = load_memory::prepare(world, flags)?;
        Ok(inbox::accept(world, flags, &prepared, which, wish)?.into())
    }
}

impl Verb for Edit {
    const NAME: &'static str = "memory inbox edit";
    type Answer = InboxSettled;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InboxSettled, Failure> {
        let wish = inbox::Edit {
            file: self.file.as_deref(),
            text: self.text.as_deref(),
            allowed: &self.allow,
            who: Self::NAME,
        };
        let prepared = load_memory::prepare(world, flags)?;
        let settled = inbox::edit(world, flags, &prepared, &self.item, wish)?;
        Ok(vec![settled].into())
    }
}

impl Verb for Dismiss {
    const NAME: &'static str = "memory inbox dismiss";
    type Answer = InboxSettled;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<InboxSettled, Failure> {
        if self.items.is_empty() {
            return Err(Failure::bad_input("name what to dismiss"));
        }
        let prepared = load_memory::prepare(world, flags)?;
        let settled = inbox::dismiss(world, flags, &prepared, &self.items, Self::NAME)?;
        Ok(settled.into())
    }
}

impl From<Kind> for InboxKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Skill => Self::Skill,
            Kind::SkillUpdate => Self::SkillUpdate,
            Kind::MemoryUpdate(_) => Self::MemoryUpdate,
        }
    }
}

impl From<&Item> for InboxItem {
    fn from(item: &Item) -> Self {
        Self {
            id: item.id.clone(),
            kind: item.kind.into(),
            title: item.title.clone(),
            description: item.description.clone(),
            date: item.date.map(|date| date.to_string()),
            path: item.path.to_string(),
            targets: item.targets.iter().map(ToString::to_string).collect(),
            is_tainted: item.taint.is_some(),
            taint: item.taint.clone(),
            was_dismissed: item.was_dismissed,
            new: item.is_new,
            problems: answer::problems(&item.problems),
        }
    }
}

impl From<Vec<Settlement>> for InboxSettled {
    fn from(settlements: Vec<Settlement>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            items: settlements.into_iter().map(InboxOutcome::from).collect(),
        }
    }
}

impl From<Settlement> for InboxOutcome {
    fn from(Settlement { waiting, outcome }: Settlement) -> Self {
        let told = |outcome: InboxVerdict| Self {
            id: waiting.id.clone(),
            kind: waiting.kind.into(),
            outcome,
            reason: None,
            hints: Vec::new(),
            doubts: Vec::new(),
            diff: String::new(),
            written: false,
            commit: None,
        };
        match outcome {
            Outcome::Decided(decided) => Self {
                written: decided.is_written(),
                commit: decided.commit().map(ToOwned::to_owned),
                doubts: decided.doubts.clone(),
                diff: decided.diff.clone(),
                ..told(match decided.is_declined {
                    true => InboxVerdict::Declined,
                    false if decided.is_written() => InboxVerdict::Written,
                    false => InboxVerdict::Shown,
                })
            },
            Outcome::Skipped(reason) => Self {
                reason: Some(reason),
                ..told(InboxVerdict::Skipped)
            },
            Outcome::Failed(failure) => Self {
                reason: Some(failure.message),
                hints: failure.hints,
                ..told(InboxVerdict::Failed)
            },
        }
    }
}
