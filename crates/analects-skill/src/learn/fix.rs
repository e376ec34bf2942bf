//! Fixes: a command that failed in several sessions, and what made it pass.

use std::collections::{BTreeSet, HashMap};

use super::finding::{Finding, Kind, MAX_PLACES, Pitfall, Place, Told};
use super::notes::{Deed, Ended, Notes, sounds_like_an_error};
use super::view::{Key, View, hash};
use super::workflow::Tainted;

/// What makes a command pass is looked for in this many deeds after it failed.
const MAX_DEEDS_BETWEEN: usize = 25;
/// How many cases of one failure are compared with each other,
const MAX_CASES: usize = 24;
/// and this many of one session.
const MAX_OF_ONE: usize = 3;
/// How many failures are told of, those of most sessions first.
const MAX_FIXES: usize = 200;

/// One failure that was mended.
struct Case {
    session_idx: usize,
    failed: usize,
    passed: usize,
    /// What was done in between.
    cures: Vec<(Key, usize)>,
    errors: Vec<Said>,
}

/// A line of an error, and the words by which it is compared.
struct Said {
    line: String,
    /// Whether it sounds like one.
    is_error: bool,
    words: BTreeSet<u64>,
}

/// Every failure that was mended in the same way in two sessions or more.
pub(super) fn fixes(view: &View<'_>, tainted: Tainted) -> Vec<Finding> {
    let mut cases: HashMap<Key, Vec<Case>> = HashMap::new();
    for (session_idx, notes) in view.notes.iter().enumerate() {
        for (failed, deed) in notes.deeds.iter().enumerate() {
            let is_failure = deed.ended == Ended::Failed && !deed.is_reckless;
            let Some(key) = view.key(session_idx, failed).filter(|_| is_failure) else {
                continue;
            };
            let Some(case) = case(view, session_idx, notes, failed, tainted) else {
                continue;
            };
            let known = cases.entry(key).or_default();
            let its = known.iter().rev().take(MAX_OF_ONE);
            let n_here = its.filter(|case| case.session_idx == session_idx).count();
            if n_here < MAX_OF_ONE && known.len() < MAX_CASES {
                known.push(case);
            }
        }
    }
    let found = cases.into_iter();
    let mut found: Vec<_> = found
        .filter_map(|(failing, cases)| finding(view, failing, &cases))
        .collect();
    found.sort_by(|a, b| (b.n_sessions, &a.steps).cmp(&(a.n_sessions, &b.steps)));
    found.truncate(MAX_FIXES);
    found
}

/// What was done between a failure and the same command passing.
fn case(
    view: &View<'_>,
    session_idx: usize,
    notes: &Notes,
    failed: usize,
    tainted: Tainted,
) -> Option<Case> {
    let deed = notes.deeds.get(failed)?;
    deed.step()?;
    let wanted = view.key(session_idx, failed)?;
    let mut cures: Vec<(Key, usize)> = Vec::new();
    let after = notes
        .deeds
        .iter()
        .enumerate()
        .skip(failed + 1)
        .take(MAX_DEEDS_BETWEEN);
    for (idx, other) in after {
        let key = view.key(session_idx, idx)?;
        if key == wanted {
            // If it failed again, what was done so far did not help.
            let is_mended = other.ended == Ended::Fine && !cures.is_empty();
            return is_mended.then(|| Case {
                session_idx,
                failed,
                passed: idx,
                cures,
                errors: deed.errors.iter().map(|line| Said::new(line)).collect(),
            });
        }
        if other.ended != Ended::Failed && is_cure(view, key, other, tainted) {
            cures.push((key, idx));
        }
    }
    None
}

fn is_cure(view: &View<'_>, key: Key, deed: &Deed, tainted: Tainted) -> bool {
    view.facts(key).is_some_and(|facts| {
        let counts = facts.taint().is_none() || tainted == Tainted::Along;
        facts.is_own && counts && !deed.is_reckless
    })
}

/// What the cases of one failing command have in common.
fn finding(view: &View<'_>, failing: Key, cases: &[Case]) -> Option<Finding> {
    let is_edit = |key: Key| view.facts(key).is_some_and(|facts| facts.is_edit);
    let mut seen: HashMap<Key, BTreeSet<usize>> = HashMap::new();
    for case in cases {
        for (cure, _) in &case.cures {
            seen.entry(*cure).or_default().insert(case.session_idx);
        }
    }
    let is_common = |cure: Key| seen.get(&cure).is_some_and(|sessions| sessions.len() >= 2);
    let has_command = seen.keys().any(|cure| is_common(*cure) && !is_edit(*cure));
    let is_own = view.facts(failing).is_some_and(|facts| facts.is_own);
    // Which file was changed tells something only where the command itself belongs to the project.
    let counts = |cure: Key| is_common(cure) && (!is_edit(cure) || (!has_command && is_own));
    let with: Vec<_> = cases
        .iter()
        .filter(|case| case.cures.iter().any(|(cure, _)| counts(*cure)))
        .collect();
    let alike: Vec<_> = with
        .iter()
        .copied()
        .filter(|case| {
            let mut others = with
                .iter()
                .filter(|other| other.session_idx != case.session_idx);
            others.any(|other| shared_error(case, other).is_some())
        })
        .collect();
    let sessions: BTreeSet<_> = alike.iter().map(|case| case.session_idx).collect();
    if sessions.len() < 2 {
        return None;
    }
    let mut steps = common_cures(&alike, &counts);
    let first = alike
        .iter()
        .find(|case| steps.iter().all(|key| case.has(*key)))?;
    let (files, fixes): (Vec<Key>, Vec<Key>) = steps.iter().partition(|key| is_edit(**key));
    let pitfall = Pitfall {
        failing,
        place: (first.session_idx, first.failed),
        error: alike.iter().find_map(|other| {
            shared_error(first, other).filter(|_| other.session_idx != first.session_idx)
        }),
        fixes: files.into_iter().chain(fixes).collect(),
    };
    steps.push(failing);
    let places: Vec<_> = alike
        .iter()
        .filter_map(|case| case.place(&steps))
        .take(MAX_PLACES)
        .collect();
    if places.is_empty() || steps.len() < 2 {
        return None;
    }
    Some(Finding {
        kind: Kind::Fix,
        taint: view.taint(&steps),
        steps,
        avoid: None,
        told: Told::Commands,
        places,
        n_sessions: sessions.len(),
        n_validated: sessions.len(),
        pitfalls: vec![pitfall],
        said: Vec::new(),
        is_cut: false,
    })
}

/// What was done in most cases, in the order of the first that has it all.
fn common_cures(cases: &[&Case], counts: &dyn Fn(Key) -> bool) -> Vec<Key> {
    let mut steps: Vec<Key> = Vec::new();
    for case in cases {
        for (cure, _) in &case.cures {
            let n = cases.iter().filter(|case| case.has(*cure)).count();
            if counts(*cure) && n * 2 > cases.len() && !steps.contains(cure) {
                steps.push(*cure);
            }
        }
    }
    steps
}

impl Case {
    fn has(&self, cure: Key) -> bool {
        self.cures.iter().any(|(key, _)| *key == cure)
    }

    /// Where all steps are, the failing command last; nothing if one of them is missing.
    fn place(&self, steps: &[Key]) -> Option<Place> {
        let (_, cures) = steps.split_last()?;
        let of = |key: &Key| {
            self.cures
                .iter()
                .find(|(cure, _)| cure == key)
                .map(|(_, idx)| *idx)
        };
        let mut deeds: Vec<_> = cures.iter().map(of).collect::<Option<_>>()?;
        deeds.push(self.passed);
        Some(Place {
            session_idx: self.session_idx,
            deeds,
            prompt: None,
        })
    }
}

/// What two failures both say, as the first says it; what sounds like an error before anything else, and what says more.
fn shared_error(a: &Case, b: &Case) -> Option<String> {
    let pairs = a
        .errors
        .iter()
        .flat_map(|said| b.errors.iter().map(move |other| (said, other)));
    let alike = pairs.filter_map(|(said, other)| {
        let n_shared = said.n_shared(other)?;
        Some(((said.is_error || other.is_error, n_shared), said))
    });
    // Of equals the first.
    let best = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, said)| said.line.clone())
}

impl Said {
    fn new(line: &str) -> Self {
        let words = line.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        // Numbers and names of a moment aside.
        let words = words.filter(|word| !word.chars().any(|c| c.is_ascii_digit()));
        Self {
            line: line.to_owned(),
            is_error: sounds_like_an_error(line),
            words: words.map(|word| hash(&word.to_lowercase())).collect(),
        }
    }

    /// How many words two lines share, if that is most of them.
    fn n_shared(&self, other: &Self) -> Option<usize> {
        let n_both = self.words.intersection(&other.words).count();
        let is_most = n_both * 5 >= self.words.len().max(other.words.len()) * 3;
        (n_both >= 2 && is_most).then_some(n_both)
    }
}
