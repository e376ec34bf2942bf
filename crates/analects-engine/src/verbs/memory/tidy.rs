//! `memory tidy`: memory put in order, step by step as the person likes.

use analects_memory::tidy::Kind;
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::consent::Decided;
use crate::load_memory;
use crate::prompt::Writer;
use crate::talk::tidy_memory;
use crate::tidy::{self, Offer, Tidied, Wish};
use crate::verbs::answer::{self, Problem, TrustAnswer};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Put memory in order: merge duplicates, move entries to their layer, mark what is stale.
///
/// Every step is shown with its reason, to be taken or left. What you take is one change, which `memory undo`
/// takes back. Only list items are touched; what an extension says is never changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Tidy {
    /// Only this kind of step; may be given several times.
    #[arg(long, value_name = "KIND")]
    pub only: Vec<TidyKind>,
    /// By rules alone, also where an agent keeps memory (`memory.writer`) and a model could be asked.
    #[arg(long)]
    pub rules: bool,
    /// Only steps that change nothing but these files, or files in these directories.
    pub paths: Vec<String>,
}

/// What a step is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TidyKind {
    /// An entry goes because another one says the same.
    Duplicates,
    /// An entry is taken to the layer it belongs to.
    Layers,
    /// An entry that names what is gone is marked, or its mark is taken away.
    Stale,
    /// Somebody proposed another text.
    #[value(skip)]
    Proposed,
}

/// What was offered, and what became of it.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TidyAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own memory was looked at.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// What was offered, in the order of the files.
    pub steps: Vec<TidyStep>,
    /// What was written, or would be in a dry run; empty if nothing was chosen.
    pub diff: String,
    /// Whether something was written.
    pub written: bool,
    /// The commit, for `memory undo`.
    pub commit: Option<String>,
    /// Whether nobody was there to choose.
    pub undecided: bool,
    /// How many files were looked at.
    pub files_checked: usize,
    /// What only a person can decide, and what went wrong.
    pub problems: Vec<Problem>,
}

/// Something that can be done.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TidyStep {
    /// What it is for.
    pub kind: TidyKind,
    /// What is done, and why.
    pub reason: String,
    /// The files that it changes.
    pub files: Vec<String>,
    /// What it changes, if nothing else is taken.
    pub diff: String,
    /// What speaks against it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// Whether it was written.
    pub taken: bool,
}

impl Verb for Tidy {
    const NAME: &'static str = "memory tidy";
    type Answer = TidyAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<TidyAnswer, Failure> {
        let by_rules = self.rules || !self.only.is_empty() || !self.paths.is_empty();
        let mut refused = None;
        if !by_rules {
            let prepared = load_memory::prepare(world, flags)?;
            if Writer::of(&prepared.settings) == Writer::Manager {
                match tidy_memory(world, flags, &prepared)? {
                    Ok(tidied) => return Ok(tidied.into()),
                    Err(problem) => refused = Some(problem),
                }
            }
        }
        let all = [TidyKind::Duplicates, TidyKind::Layers, TidyKind::Stale];
        let wanted = if self.only.is_empty() {
            &all[..]
        } else {
            &self.only
        };
        let paths = self.paths.iter().map(|path| world.around.resolve(path));
        let wish = Wish {
            kinds: wanted.iter().map(|&kind| kind.into()).collect(),
            paths: paths.collect(),
        };
        let mut tidied = tidy::tidy(world, flags, &wish)?;
        tidied.problems.extend(refused);
        Ok(tidied.into())
    }
}

impl From<Tidied> for TidyAnswer {
    fn from(tidied: Tidied) -> Self {
        let Tidied {
            prepared,
            offers,
            n_files,
            decided,
            is_open,
            problems,
        } = tidied;
        let commit = decided
            .as_ref()
            .and_then(Decided::commit)
            .map(ToOwned::to_owned);
        Self {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            root: prepared.root.to_string(),
            steps: offers.into_iter().map(TidyStep::from).collect(),
            written: commit.is_some(),
            commit,
            diff: decided.map_or_else(String::new, |decided| decided.diff),
            undecided: is_open,
            files_checked: n_files,
            problems: answer::problems(&problems),
        }
    }
}

impl From<Offer> for TidyStep {
    fn from(offer: Offer) -> Self {
        let files = offer.step.files();
        Self {
            kind: offer.step.kind.into(),
            files: files.iter().map(ToString::to_string).collect(),
            reason: offer.step.reason,
            diff: offer.diff,
            doubts: offer.doubts,
            taken: offer.is_taken,
        }
    }
}

impl From<TidyKind> for Kind {
    fn from(kind: TidyKind) -> Self {
        match kind {
            TidyKind::Duplicates => Self::Duplicate,
            TidyKind::Layers => Self::Layer,
            TidyKind::Stale => Self::Stale,
            TidyKind::Proposed => Self::Proposed,
        }
    }
}

impl From<Kind> for TidyKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Duplicate => Self::Duplicates,
            Kind::Layer => Self::Layers,
            Kind::Stale => Self::Stale,
            Kind::Proposed => Self::Proposed,
        }
    }
}
