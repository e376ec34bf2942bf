//! Builds a transcript line by line.
//!
//! Ids are kept as hashes: a file of a million short lines costs no more memory than it has bytes.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::stamp::Stamp;
use crate::transcript::{AttachedText, Outcome, Role, ToolUse, Turn};

use super::json::Raw;
use super::lines::Place;

/// No agent of ours is older than 2024 or younger than 2100: another date comes from a wrong clock, or is forged.
const AGE_MS: std::ops::Range<u64> = 1_704_067_200_000..4_102_444_800_000;

/// What was said so far.
#[derive(Debug, Default)]
pub(super) struct Story {
    turns: Vec<Turn>,
    /// The calls of each turn, so that they go when it goes.
    calls_of: Vec<Vec<u64>>,
    calls: HashMap<u64, (usize, usize)>,
    n_stray: usize,
    /// Texts that were put in before the first turn.
    early: Vec<AttachedText>,
    started: Option<Stamp>,
    updated: Option<Stamp>,
}

/// What comes of it.
#[derive(Debug)]
pub(super) struct Told {
    /// All turns.
    pub(super) turns: Vec<Turn>,
    /// When the first was said.
    pub(super) started: Option<Stamp>,
    /// When the last was said.
    pub(super) updated: Option<Stamp>,
    /// Results of tools whose calls are not there.
    pub(super) n_stray: usize,
}

impl Story {
    /// Something happened at that time. Lines are not always in order.
    pub(super) fn happened(&mut self, at: Option<Stamp>) {
        let Some(at) = at else { return };
        self.started = Some(self.started.map_or(at, |started| started.min(at)));
        self.updated = Some(self.updated.map_or(at, |updated| updated.max(at)));
    }

    /// Somebody says something; answers the turn's number.
    pub(super) fn say(&mut self, said: Said<'_>) -> usize {
        let Said {
            id,
            at,
            role,
            text,
            attached,
            place,
        } = said;
        let id = id.map_or_else(|| format!("line-{}", place.line), str::to_owned);
        let mut all_attached = std::mem::take(&mut self.early);
        all_attached.extend(attached);
        self.turns.push(Turn {
            id,
            at,
            role,
            text,
            attached: all_attached,
            tools: Vec::new(),
            span: place.span.clone(),
        });
        self.calls_of.push(Vec::new());
        self.turns.len() - 1
    }

    /// Attaches a text that the program put between two turns to the one before it, or else to the first one.
    pub(super) fn attach(&mut self, attached: Vec<AttachedText>) {
        match self.turns.last_mut() {
            Some(turn) => turn.attached.extend(attached),
            None => self.early.extend(attached),
        }
    }

    /// All turns so far.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// One of them.
    pub(super) fn turn_mut(&mut self, index: usize) -> Option<&mut Turn> {
        self.turns.get_mut(index)
    }

    /// A turn uses a tool. A call that is known already is the same call told twice.
    pub(super) fn call(&mut self, turn: usize, id: Option<&str>, tool: ToolUse) {
        let Some(caller) = self.turns.get_mut(turn) else {
            return;
        };
        if let Some(key) = id.map(key_of) {
            if self.calls.contains_key(&key) {
                return;
            }
            self.calls.insert(key, (turn, caller.tools.len()));
            if let Some(calls) = self.calls_of.get_mut(turn) {
                calls.push(key);
            }
        }
        caller.tools.push(tool);
    }

    /// The tool that was called so.
    pub(super) fn called(&mut self, id: &str) -> Option<&mut ToolUse> {
        let (turn, tool) = *self.calls.get(&key_of(id))?;
        self.turns.get_mut(turn)?.tools.get_mut(tool)
    }

    /// A tool answers. The first answer counts; how it ended may have been said before.
    pub(super) fn result(&mut self, id: &str, output: String, outcome: Outcome) {
        let Some(tool) = self.called(id) else {
            self.n_stray += 1;
            return;
        };
        if tool.output.is_empty() {
            tool.output = output;
        }
        if tool.outcome == Outcome::Unknown {
            tool.outcome = outcome;
        }
    }

    /// Takes back all turns from that one on.
    pub(super) fn take_back(&mut self, from: usize) {
        self.turns.truncate(from);
        let gone = self.calls_of.split_off(from.min(self.calls_of.len()));
        for key in gone.into_iter().flatten() {
            self.calls.remove(&key);
        }
    }

    /// The end.
    pub(super) fn finish(self) -> Told {
        Told {
            turns: self.turns,
            started: self.started,
            updated: self.updated,
            n_stray: self.n_stray,
        }
    }
}

/// Something that is said.
#[derive(Debug)]
pub(super) struct Said<'a> {
    /// The record's name for it.
    pub(super) id: Option<&'a str>,
    /// When.
    pub(super) at: Option<Stamp>,
    /// By whom.
    pub(super) role: Role,
    /// What.
    pub(super) text: String,
    /// What others wrote into the same message.
    pub(super) attached: Vec<AttachedText>,
    /// Where it stands.
    pub(super) place: &'a Place,
}

/// Ids that were seen.
#[derive(Debug, Default)]
pub(super) struct Seen(HashSet<u64>);

impl Seen {
    /// Remembers one; whether it is new.
    pub(super) fn insert(&mut self, id: &str) -> bool {
        self.0.insert(key_of(id))
    }

    /// Whether it was seen.
    pub(super) fn contains(&self, id: &str) -> bool {
        self.0.contains(&key_of(id))
    }
}

/// A hash that stands for an id. Whoever forges two with the same only spoils his own file.
pub(super) fn key_of(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// The time a record names, if it can be true.
pub(super) fn when(raw: Raw<'_>) -> Option<Stamp> {
    let stamp = Stamp::parse(&raw.word()?)?;
    AGE_MS.contains(&stamp.as_ms()).then_some(stamp)
}
