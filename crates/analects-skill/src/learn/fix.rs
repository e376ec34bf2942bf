//! A command that fails, and what makes it pass, in several sessions.

use std::collections::HashMap;

use super::finding::{Finding, Kind, MAX_PLACES, Pitfall, Place};
use super::notes::{Ended, Notes, What};
use super::view::{Key, View, exact};
use super::workflow::Tainted;

/// What makes a command pass is looked for in so many deeds after it failed.
const MAX_DEEDS_BETWEEN: usize = 25;

/// What was done about a failure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Cure {
    /// A command of this project was run.
    Ran(Key),
    /// A file was changed.
    Edited(String),
}

/// One failure that was mended.
struct Case {
    session_idx: usize,
    failed: usize,
    passed: usize,
    cures: Vec<(Cure, usize)>,
    error: Option<String>,
}

/// Every failure that was mended in the same way in two sessions or more.
pub(super) fn fixes(view: &View<'_>, tainted: Tainted) -> Vec<Finding> {
    let mut cases: HashMap<Key, Vec<Case>> = HashMap::new();
    for (session_idx, notes) in view.notes.iter().enumerate() {
        collect(view, session_idx, notes, tainted, &mut cases);
    }
    let mut found: Vec<_> = cases
        .into_iter()
        .filter_map(|(failing, cases)| finding(view, failing, &cases))
        .collect();
    found.sort_by(|a, b| (b.n_sessions, &a.steps).cmp(&(a.n_sessions, &b.steps)));
    found
}

fn collect(
    view: &View<'_>,
    session_idx: usize,
    notes: &Notes,
    tainted: Tainted,
    cases: &mut HashMap<Key, Vec<Case>>,
) {
    for (failed, deed) in notes.deeds.iter().enumerate() {
        let (Some(step), Some(key), Ended::Failed) =
            (deed.step(), view.key(session_idx, failed), deed.ended)
        else {
            continue;
        };
        if deed.is_reckless {
            continue;
        }
        let wanted = exact(step);
        let mut cures = Vec::new();
        let after = notes
            .deeds
            .iter()
            .enumerate()
            .skip(failed + 1)
            .take(MAX_DEEDS_BETWEEN);
        for (idx, other) in after {
            match &other.what {
                What::Ran(step) if exact(step) == wanted => {
                    if other.ended == Ended::Fine && !cures.is_empty() {
                        let case = Case {
                            session_idx,
                            failed,
                            passed: idx,
                            cures: std::mem::take(&mut cures),
                            error: deed.error.clone(),
                        };
                        cases.entry(key).or_default().push(case);
                    }
                    // It failed again: what was done so far did not help.
                    break;
                }
                What::Ran(step) if other.ended == Ended::Fine && !other.is_reckless => {
                    let cure = view.key(session_idx, idx).filter(|key| {
                        view.facts(*key).is_some_and(|facts| {
                            let counts = facts.taint().is_none() || tainted == Tainted::Along;
                            facts.is_own && counts && !step.is_check
                        })
                    });
                    cures.extend(cure.map(|key| (Cure::Ran(key), idx)));
                }
                What::Edited(path) if other.ended != Ended::Failed => {
                    cures.push((Cure::Edited(path.clone()), idx));
                }
                What::Ran(_) | What::Edited(_) => {}
            }
        }
    }
}

/// What the cases of one failing command have in common.
fn finding(view: &View<'_>, failing: Key, cases: &[Case]) -> Option<Finding> {
    let mut seen: HashMap<&Cure, (usize, usize)> = HashMap::new();
    for case in cases {
        let mut here: Vec<&Cure> = case.cures.iter().map(|(cure, _)| cure).collect();
        here.sort_by_key(|cure| format!("{cure:?}"));
        here.dedup();
        for cure in here {
            let (n, last) = seen.entry(cure).or_insert((0, usize::MAX));
            if *last != case.session_idx {
                (*n, *last) = (*n + 1, case.session_idx);
            }
        }
    }
    let is_common = |cure: &Cure| seen.get(cure).is_some_and(|(n, _)| *n >= 2);
    let ran = |cure: &Cure| matches!(cure, Cure::Ran(_));
    let has_command = seen.iter().any(|(cure, (n, _))| *n >= 2 && ran(cure));
    let is_own = view.facts(failing).is_some_and(|facts| facts.is_own);
    // Which file was changed tells something only where the command itself belongs to the project.
    let counts = |cure: &Cure| is_common(cure) && (ran(cure) || (!has_command && is_own));
    let with: Vec<_> = cases
        .iter()
        .filter(|case| case.cures.iter().any(|(cure, _)| counts(cure)))
        .collect();
    let alike: Vec<_> = with
        .iter()
        .filter(|case| {
            with.iter()
                .any(|other| other.session_idx != case.session_idx && is_alike(case, other))
        })
        .collect();
    let sessions = |cases: &[&&Case]| {
        let mut all: Vec<_> = cases.iter().map(|case| case.session_idx).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let n_sessions = sessions(&alike);
    // Who fails as often as it passes is no failure that somebody mends.
    if n_sessions < 2 {
        return None;
    }
    let first = alike.first()?;
    let (mut steps, mut files) = (Vec::new(), Vec::new());
    for (cure, _) in first.cures.iter().filter(|(cure, _)| counts(cure)) {
        match cure {
            Cure::Ran(key) if !steps.contains(key) => steps.push(*key),
            Cure::Edited(path) if !files.contains(path) => files.push(path.clone()),
            Cure::Ran(_) | Cure::Edited(_) => {}
        }
    }
    let pitfall = Pitfall {
        failing,
        place: (first.session_idx, first.failed),
        error: first.error.clone(),
        fixes: steps.clone(),
        files,
    };
    steps.push(failing);
    let places = alike.iter().take(MAX_PLACES).map(|case| {
        let of = |key: &Key| {
            case.cures
                .iter()
                .find(|(cure, _)| *cure == Cure::Ran(*key))
                .map(|(_, idx)| *idx)
        };
        let mut deeds: Vec<_> = steps.iter().filter_map(of).collect();
        deeds.push(case.passed);
        Place {
            session_idx: case.session_idx,
            deeds,
            prompt: None,
        }
    });
    let places: Vec<_> = places
        .filter(|place| place.deeds.len() == steps.len())
        .collect();
    if places.is_empty() {
        return None;
    }
    Some(Finding {
        kind: Kind::Fix,
        taint: view.taint(&steps),
        steps,
        avoid: None,
        places,
        n_sessions,
        n_validated: n_sessions,
        pitfalls: vec![pitfall],
        said: Vec::new(),
        is_cut: false,
    })
}

/// Whether two failures are the same one: they say nearly the same.
fn is_alike(a: &Case, b: &Case) -> bool {
    let (Some(a), Some(b)) = (&a.error, &b.error) else {
        return a.error.is_none() && b.error.is_none() && false;
    };
    let words = |text: &str| -> std::collections::BTreeSet<String> {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 1);
        let words = words.filter(|word| !word.chars().all(|c| c.is_ascii_digit()));
        words.map(str::to_lowercase).collect()
    };
    let (a, b) = (words(a), words(b));
    let n_both = a.intersection(&b).count();
    n_both * 2 >= a.len().max(b.len()) && n_both > 0
}
