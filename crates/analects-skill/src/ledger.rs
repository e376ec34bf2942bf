//! The ledger of extraction runs: Gemini CLI's `.extraction-state.json`, which both programs read and write.
//!
//! Runs of every age are read, with what makes no sense left out; runs are written as Gemini CLI 0.61.0 writes them.
//! What it does not know stays as long as we are the ones who write. So all that matters stands in fields that it
//! keeps: a run that failed says so in `terminateReason`, and so does one that asked no model. Such a run notes the
//! sessions it saw as candidates, as Gemini CLI would still want to read them itself.

mod fold;
mod run;

use std::collections::{HashMap, HashSet};

use analects_session::stamp::Stamp;
use analects_world::AbsPath;
use analects_world::files::{Files, Trouble, Want, Within};
use serde_json::{Map, Value};

use crate::eligible::{Eligible, Mark};
use run::Run;

pub use run::{Finished, Learner, Version};

/// Gemini CLI never prunes this file; a longer one is not read.
const LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// How many runs may have a session before them and not get to it; then it is given up.
pub const MAX_ATTEMPTS: usize = 3;

/// After a failure nobody waits longer than this for the next run.
const MAX_BACK_OFF_MS: u64 = 24 * 60 * 60 * 1000;

/// All runs, the oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    runs: Vec<Run>,
    /// Whatever else the file says.
    rest: Map<String, Value>,
}

/// A file that is there and says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// It is no ledger.
    #[error("it is not what an extraction writes; what earlier runs did is not known")]
    Senseless,
    /// It is too long.
    #[error("it has more than {LIMIT_BYTES} bytes; what earlier runs did is not known")]
    Long,
    /// The disk does not give it.
    #[error("{0}")]
    Trouble(Trouble),
}

/// Where the ledger of a private memory folder is.
#[must_use]
pub fn place(memory: &AbsPath) -> AbsPath {
    memory.join(".extraction-state.json")
}

impl Ledger {
    /// The ledger of a private memory folder; an empty one if there is none yet.
    pub fn read(files: &dyn Files, memory: &AbsPath) -> Result<Self, Unread> {
        let want = Want {
            path: &place(memory),
            within: Within::Anywhere,
            limit_bytes: LIMIT_BYTES,
        };
        match files.read_one(want) {
            Ok(blob) if blob.is_cut() => Err(Unread::Long),
            Ok(blob) => Self::parse(&blob.bytes).ok_or(Unread::Senseless),
            Err(Trouble::Missing) => Ok(Self::default()),
            Err(trouble) => Err(Unread::Trouble(trouble)),
        }
    }

    /// The ledger that a file holds.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut rest: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        let Some(Value::Array(runs)) = rest.remove("runs") else {
            return None;
        };
        Some(Self {
            runs: runs.into_iter().filter_map(Run::read).collect(),
            rest,
        })
    }

    /// The ledger as it is written.
    #[must_use]
    pub fn print(&self) -> String {
        let runs = self.runs.iter().map(|run| Value::Object(run.raw.clone()));
        let mut fields = Map::new();
        fields.insert("runs".to_owned(), runs.collect());
        fields.extend(self.rest.clone());
        serde_json::to_string_pretty(&fields).unwrap_or_default()
    }

    /// How many runs it knows.
    #[must_use]
    pub fn n_runs(&self) -> usize {
        self.runs.len()
    }

    /// When the newest run that made a skill of this name began, for every name.
    #[must_use]
    pub fn dates(&self) -> HashMap<String, Stamp> {
        let mut dates: HashMap<String, Stamp> = HashMap::new();
        for run in &self.runs {
            let Some(at) = run.at() else { continue };
            for name in run.texts("skillsCreated") {
                let known = dates.entry(name.to_owned()).or_insert(at);
                *known = at.max(*known);
            }
        }
        dates
    }

    /// Says of each session whether it was learned from as it is now.
    pub fn mark(&self, learner: Learner, sessions: &mut [Eligible]) {
        let known = Known::of(self, learner);
        for session in sessions {
            session.mark = known.mark(session);
        }
    }

    /// How long to wait before the next run, in milliseconds; nothing if it may begin. Failures in a row double it.
    ///
    /// What happened in the future does not count: some clock was wrong.
    #[must_use]
    pub fn rest_ms(&self, now_ms: u64, interval_ms: u64) -> Option<u64> {
        let last = self.runs.iter().filter_map(Run::at).max()?;
        let failed = self.runs.iter().rev().take_while(|run| run.has_failed());
        let n_doublings = failed.count().saturating_sub(1).min(16);
        let longest = MAX_BACK_OFF_MS.max(interval_ms);
        let pause = (interval_ms << n_doublings).min(longest);
        let past = last.as_ms().abs_diff(now_ms);
        (past < pause).then(|| pause - past)
    }

    /// Notes that a run begins. If it is killed, this is what stays: a failure.
    pub fn begin(&mut self, at: Stamp, learner: Learner, candidates: &[Version]) {
        self.runs.push(Run::begun(at, learner, candidates));
    }

    /// Notes how the run that began then came out, and makes room.
    pub fn finish(&mut self, at: Stamp, finished: &Finished) {
        self.withdraw(at);
        self.runs.push(Run::finished(at, finished));
        self.fold();
    }

    /// Forgets the run that began then: nothing came of it, and nobody is to blame.
    pub fn withdraw(&mut self, at: Stamp) {
        self.runs
            .retain(|run| !(run.is_unfinished() && run.at() == Some(at)));
    }
}

/// What the runs say about sessions.
#[derive(Default)]
struct Known {
    done: HashSet<Version>,
    /// Runs of another age name sessions only: what was said until then was read.
    done_until: HashMap<String, Stamp>,
    n_attempts: HashMap<Version, usize>,
}

impl Known {
    fn of(ledger: &Ledger, learner: Learner) -> Self {
        let mut known = Self::default();
        for run in &ledger.runs {
            match (learner, run.learner()) {
                (Learner::Local, Learner::Local) => {
                    if !run.has_failed() {
                        known.done.extend(run.candidates());
                    }
                }
                (Learner::Local, Learner::Model) | (Learner::Model, Learner::Local) => {}
                (Learner::Model, Learner::Model) => known.add(run),
            }
        }
        known
    }

    fn add(&mut self, run: &Run) {
        for version in run.candidates() {
            *self.n_attempts.entry(version).or_default() += 1;
        }
        if let Some(processed) = run.processed() {
            self.done.extend(processed);
            return;
        }
        let Some(at) = run.at() else { return };
        for id in run.texts("sessionIds") {
            let until = self.done_until.entry(id.to_owned()).or_insert(at);
            *until = at.max(*until);
        }
    }

    fn mark(&self, session: &Eligible) -> Mark {
        let version = Version::of(session);
        let until = self.done_until.get(&version.id);
        let is_done =
            self.done.contains(&version) || until.is_some_and(|until| *until >= version.updated);
        let n_attempts = self.n_attempts.get(&version).copied().unwrap_or(0);
        match is_done || n_attempts >= MAX_ATTEMPTS {
            true => Mark::Old,
            false => Mark::New { n_attempts },
        }
    }
}

#[cfg(test)]
mod tests;
