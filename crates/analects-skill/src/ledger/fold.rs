//! Making room: old runs become one that still knows every session they read.

use std::collections::BTreeMap;

use serde_json::Value;

use super::run::{Finished, Learner, Run, Version};
use super::{Ledger, MAX_ATTEMPTS};

/// How many runs the file holds, and how many after making room.
const MAX_RUNS: usize = 200;
const KEPT_RUNS: usize = 100;
/// How many versions of sessions a folded run keeps, the newest.
const MAX_VERSIONS: usize = 20_000;

impl Ledger {
    /// Folds the oldest runs if there are too many. Those that do not say which versions they read stay as they are:
    /// what they mean hangs on their date.
    pub(super) fn fold(&mut self) {
        if self.runs.len() <= MAX_RUNS {
            return;
        }
        let recent = self.runs.split_off(self.runs.len() - KEPT_RUNS);
        let (old, mut runs): (Vec<_>, Vec<_>) = std::mem::take(&mut self.runs)
            .into_iter()
            .partition(Run::names_versions);
        for learner in [Learner::Local, Learner::Model] {
            let its: Vec<_> = old.iter().filter(|run| run.learner() == learner).collect();
            runs.extend(folded(learner, &its));
        }
        runs.extend(recent);
        self.runs = runs;
    }
}

fn folded(learner: Learner, runs: &[&Run]) -> Option<Run> {
    let at = runs.iter().filter_map(|run| run.at()).max()?;
    // Of a run without a model that failed nobody knows what it saw.
    let seen = runs
        .iter()
        .filter(|run| learner == Learner::Model || !run.has_failed());
    let processed = newest(runs.iter().filter_map(|run| run.processed()).flatten());
    let candidates = tried(learner, seen.flat_map(|run| run.candidates()), &processed);
    let union = |field: &str| {
        let mut all: Vec<String> = Vec::new();
        for text in runs.iter().flat_map(|run| run.texts(field)) {
            if !all.iter().any(|known| known == text) {
                all.push(text.to_owned());
            }
        }
        all
    };
    let sum = |field: &str| {
        let numbers = runs.iter().map(|run| run.number(field));
        numbers.fold(0, u64::saturating_add)
    };
    let mut run = Run::finished(
        at,
        &Finished {
            learner,
            candidates,
            processed: processed.into_values().collect(),
            skills: union("skillsCreated"),
            memory_patches: union("memoryCandidatesCreated"),
            n_turns: usize::try_from(sum("turnCount")).unwrap_or(usize::MAX),
            ms: sum("durationMs"),
            reason: match learner {
                Learner::Local => String::new(),
                Learner::Model => "GOAL".to_owned(),
            },
        },
    );
    let updated = union("memoryFilesUpdated").into_iter().map(Value::from);
    run.put("memoryFilesUpdated", updated.collect());
    Some(run)
}

/// Of each session the newest version, and of all the newest ones.
fn newest(versions: impl Iterator<Item = Version>) -> BTreeMap<String, Version> {
    let mut best: BTreeMap<String, Version> = BTreeMap::new();
    for version in versions {
        match best.get_mut(&version.id) {
            Some(known) if *known >= version => {}
            Some(known) => *known = version,
            None => {
                best.insert(version.id.clone(), version);
            }
        }
    }
    let mut dates: Vec<_> = best.values().map(|version| version.updated).collect();
    dates.sort_unstable();
    let oldest = dates.len().checked_sub(MAX_VERSIONS);
    if let Some(oldest) = oldest.and_then(|at| dates.get(at)) {
        best.retain(|_, version| version.updated >= *oldest);
    }
    best
}

/// The sessions that runs had before them: with a model those that were not read, each as often as it was tried and
/// no oftener than it takes to give it up.
fn tried(
    learner: Learner,
    versions: impl Iterator<Item = Version>,
    processed: &BTreeMap<String, Version>,
) -> Vec<Version> {
    if learner == Learner::Local {
        return newest(versions).into_values().collect();
    }
    let mut counts: BTreeMap<Version, usize> = BTreeMap::new();
    let is_read = |version: &Version| processed.get(&version.id).is_some_and(|at| at >= version);
    for version in versions.filter(|version| !is_read(version)) {
        let n = counts.entry(version).or_default();
        *n = (*n + 1).min(MAX_ATTEMPTS);
    }
    let all = counts.into_iter();
    let mut all: Vec<_> = all
        .flat_map(|(version, n)| std::iter::repeat_n(version, n))
        .collect();
    all.split_off(all.len().saturating_sub(MAX_VERSIONS))
}
