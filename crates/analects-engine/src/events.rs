//! Counts what the context machinery did: a private log without any content.
//!
//! An event says what kind it was, when, how many tokens, how long: never a text, a path or a command, and of
//! a session only the hash of its id. To lose one costs a number, so nothing waits for the disk, and nothing
//! fails because of it.

mod stored;
mod sum;

use std::borrow::Cow;

use analects_text::problem::Problem;
use analects_world::Agent;
use analects_world::changes::ContentHash;

use crate::private_log::{PrivateLog, Sort};
use crate::settings::{self, Settings, Workspace, keys};
use crate::{World, codes};

pub(crate) use sum::{N_DAYS, Total, Used, skills, usage};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// In which session, where that is known.
    pub session: Option<Session>,
    /// What.
    pub what: What,
}

/// A session, told apart from others and not named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub agent: Agent,
    /// The beginning of the hash of its id.
    pub hash: String,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A history was compressed.
    Compressed {
        /// What it weighed before and after.
        tokens: Weights,
        /// Who wanted it.
        trigger: Trigger,
        /// How long it took.
        ms: u64,
    },
    /// A history was not compressed, though it should have been.
    CompressionFailed {
        /// Why, in one word.
        status: Word,
        /// Who wanted it.
        trigger: Trigger,
        /// How long it took.
        ms: u64,
    },
    /// A compression was taken back.
    Uncompressed {
        /// What it weighed before and after.
        tokens: Weights,
    },
    /// Old answers of tools gave way to pointers.
    Masked {
        /// How many of them.
        count: u64,
        /// What they weighed before and after.
        tokens: Weights,
    },
    /// Answers of tools were shortened.
    Shortened {
        /// How many of them.
        count: u64,
        /// What they weighed before and after.
        tokens: Weights,
    },
    /// A request did not fit and was not sent.
    Overflow {
        /// What it weighed.
        request: u64,
        /// What there was room for.
        remaining: u64,
    },
    /// A model went in circles.
    Loop {
        /// Which kind of circle.
        kind: Word,
    },
    /// A skill was activated.
    Skill {
        /// Which one: the beginning of the hash of its name.
        skill: Word,
    },
    /// A hook of another agent ran.
    Hook {
        /// Whose.
        host: Agent,
        /// For which event.
        event: Word,
        /// What came of it.
        outcome: Word,
        /// How long it took.
        ms: u64,
    },
}

/// What something weighed, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

/// Who wanted something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The machinery itself.
    Auto,
    /// A person.
    Manual,
}

impl Trigger {
    const ALL: [Self; 2] = [Self::Auto, Self::Manual];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
        }
    }
}

/// One of our own words: whatever stands in the program, and nothing that came from outside.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(Cow<'static, str>);

impl Word {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A word that tells a name apart from others and does not tell it.
    #[must_use]
    pub fn hash_of(name: &str) -> Self {
        Self(ContentHash::of(name.as_bytes()).short().into())
    }

    /// A word such as ours are; whatever else somebody wrote into a file is none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_ours =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
        let is_word = (1..=MAX_WORD).contains(&text.len()) && text.chars().all(is_ours);
        is_word.then(|| Self(text.to_owned().into()))
    }
}

/// Our longest words are far shorter.
const MAX_WORD: usize = 40;

impl From<&'static str> for Word {
    fn from(word: &'static str) -> Self {
        Self(Cow::Borrowed(word))
    }
}

impl What {
    /// A skill was activated, by its name.
    #[must_use]
    pub fn skill(name: &str) -> Self {
        Self::Skill {
            skill: Word::hash_of(name),
        }
    }

    /// The word for its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Compressed { .. } => "compressed",
            Self::CompressionFailed { .. } => "compression_failed",
            Self::Uncompressed { .. } => "uncompressed",
            Self::Masked { .. } => "masked",
            Self::Shortened { .. } => "shortened",
            Self::Overflow { .. } => "overflow",
            Self::Loop { .. } => "loop",
            Self::Skill { .. } => "skill",
            Self::Hook { .. } => "hook",
        }
    }
}

impl Session {
    /// A session, by its id.
    #[must_use]
    pub fn of(agent: Agent, id: &str) -> Self {
        let hash = ContentHash::of(id.as_bytes()).short();
        Self { agent, hash }
    }

    /// A session, as a line of a log names it.
    pub(crate) fn read(agent: Option<&str>, hash: Option<&str>) -> Option<Self> {
        Some(Self {
            agent: Agent::named(agent?)?,
            hash: Word::read(hash?)?.as_str().to_owned(),
        })
    }
}

/// Whether events are counted, as the settings have it.
#[must_use]
pub(crate) fn is_on(settings: &Settings) -> bool {
    settings.flag(&keys::EVENTS_ENABLED)
}

/// The same for whoever has not read the settings; a project has no say in it.
#[must_use]
pub(crate) fn is_on_here(world: &World<'_>) -> bool {
    let (files, _) = settings::read(world, Workspace::Skipped);
    is_on(&settings::resolve(world, &files).0)
}

/// Notes an event. If that cannot be done, the problem is nobody's but the curious one's.
#[must_use]
pub(crate) fn note(world: &World<'_>, event: &Event) -> Option<Problem> {
    let error = LOG.append(world, &stored::print(event)).err()?;
    let message = format!("an event was not counted: {error}");
    Some(Problem::new(&codes::NOT_COUNTED, message).in_file(LOG.path(world)))
}

/// The log. There are many hooks, and everything else tells more.
static LOG: PrivateLog = PrivateLog {
    name: "events.jsonl",
    sort: |line| {
        Some(match stored::parse(line)?.what {
            What::Hook { .. } => Sort::Usual,
            _ => Sort::Special,
        })
    },
};

#[cfg(test)]
mod tests;
