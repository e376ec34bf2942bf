//! The same commands in the same order, in several sessions.
//!
//! Of each session only those commands are looked at that belong to the project and that other sessions have, too:
//! what lies between them is no part of it. Runs of such commands are counted, one of them passed over where need be.
//! Linear in the number of commands.

use std::collections::{HashMap, HashSet};

use super::finding::{Finding, Kind, MAX_PLACES, Place, is_validated};
use super::notes::Ended;
use super::step::Class;
use super::view::{Key, View};

/// A procedure has at most so many steps.
const MAX_STEPS: usize = 8;
/// Two steps of one procedure are at most so many prompts apart.
const MAX_PROMPTS_BETWEEN: usize = 3;

/// Whether commands count that no person ever named and a stranger did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tainted {
    /// They do.
    Along,
    /// They do not.
    Left,
}

/// Every workflow that was repeated and shown to hold.
pub(super) fn workflows(view: &View<'_>, tainted: Tainted) -> Vec<Finding> {
    let spines: Vec<_> = (0..view.notes.len())
        .map(|idx| spine(view, idx, tainted))
        .collect();
    let pairs = frequent_pairs(&spines);
    let mut grams: HashMap<Vec<Key>, Seen> = HashMap::new();
    for (session_idx, spine) in spines.iter().enumerate() {
        each_run(spine, &pairs, &mut |keys, deeds| {
            let seen = grams.entry(keys.to_vec()).or_default();
            seen.see(view, session_idx, deeds);
        });
    }
    let mut good: Vec<_> = grams
        .into_iter()
        .filter(|(keys, seen)| is_good(view, keys, seen))
        .collect();
    let worth = |keys: &[Key], seen: &Seen| seen.n_validated * (keys.len() - 1);
    good.sort_by(|(a, in_a), (b, in_b)| {
        let best = worth(b, in_b).cmp(&worth(a, in_a));
        best.then(b.len().cmp(&a.len())).then(a.cmp(b))
    });
    let mut chosen: Vec<Finding> = Vec::new();
    for (steps, seen) in good {
        // Who shares two steps with a better one is a part of it, or it by another way.
        let is_known = chosen.iter().any(|known| known.n_shared(&steps) >= 2);
        if !is_known {
            chosen.push(seen.into_finding(view, steps));
        }
    }
    chosen
}

/// One command of a session that may be a step.
#[derive(Debug, Clone, Copy)]
struct Item {
    key: Key,
    deed_idx: usize,
    n_prompts: usize,
}

/// The commands of a session that belong to the project and to other sessions.
fn spine(view: &View<'_>, session_idx: usize, tainted: Tainted) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let Some(notes) = view.notes.get(session_idx) else {
        return items;
    };
    for (deed_idx, deed) in notes.deeds.iter().enumerate() {
        let Some(key) = view.key(session_idx, deed_idx) else {
            continue;
        };
        let is_step = view.facts(key).is_some_and(|facts| {
            let counts = facts.taint().is_none() || tainted == Tainted::Along;
            facts.class == Class::Own && facts.is_own && facts.n_sessions >= 2 && counts
        });
        if !is_step || deed.ended == Ended::Failed || deed.is_reckless {
            continue;
        }
        let item = Item {
            key,
            deed_idx,
            n_prompts: deed.n_prompts,
        };
        match items.last_mut() {
            // Done again: the last time counts.
            Some(last) if last.key == key => *last = item,
            _ => items.push(item),
        }
    }
    items
}

/// Pairs that follow each other, at most one other in between, in two sessions or more.
fn frequent_pairs(spines: &[Vec<Item>]) -> HashSet<(Key, Key)> {
    let mut counts: HashMap<(Key, Key), (usize, usize)> = HashMap::new();
    for (session_idx, spine) in spines.iter().enumerate() {
        for (at, item) in spine.iter().enumerate() {
            for other in spine.iter().skip(at + 1).take(2) {
                if item.key == other.key || is_far(item, other) {
                    continue;
                }
                let (n, last) = counts
                    .entry((item.key, other.key))
                    .or_insert((0, usize::MAX));
                if *last != session_idx {
                    (*n, *last) = (*n + 1, session_idx);
                }
            }
        }
    }
    counts
        .into_iter()
        .filter(|(_, (n, _))| *n >= 2)
        .map(|(pair, _)| pair)
        .collect()
}

fn is_far(a: &Item, b: &Item) -> bool {
    b.n_prompts.saturating_sub(a.n_prompts) > MAX_PROMPTS_BETWEEN
}

/// Every run of a session that is made of such pairs; one item of it may be passed over.
fn each_run(spine: &[Item], pairs: &HashSet<(Key, Key)>, tell: &mut dyn FnMut(&[Key], &[usize])) {
    for start in 0..spine.len() {
        let mut keys = Vec::with_capacity(MAX_STEPS);
        let mut deeds = Vec::with_capacity(MAX_STEPS);
        if let Some(first) = spine.get(start) {
            keys.push(first.key);
            deeds.push(first.deed_idx);
            extend(spine, start, 1, pairs, &mut keys, &mut deeds, tell);
        }
    }
}

fn extend(
    spine: &[Item],
    at: usize,
    n_skips: usize,
    pairs: &HashSet<(Key, Key)>,
    keys: &mut Vec<Key>,
    deeds: &mut Vec<usize>,
    tell: &mut dyn FnMut(&[Key], &[usize]),
) {
    if keys.len() >= MAX_STEPS {
        return;
    }
    let Some(item) = spine.get(at) else {
        return;
    };
    for skipped in 0..=n_skips {
        let next_at = at + 1 + skipped;
        let Some(next) = spine.get(next_at) else {
            return;
        };
        let fits = pairs.contains(&(item.key, next.key))
            && !keys.contains(&next.key)
            && !is_far(item, next);
        if fits {
            keys.push(next.key);
            deeds.push(next.deed_idx);
            tell(keys, deeds);
            extend(spine, next_at, n_skips - skipped, pairs, keys, deeds, tell);
            keys.pop();
            deeds.pop();
        }
    }
}

/// Where a run was seen.
#[derive(Debug, Default)]
struct Seen {
    n_sessions: usize,
    n_validated: usize,
    last: Option<(usize, bool)>,
    places: Vec<Place>,
}

impl Seen {
    fn see(&mut self, view: &View<'_>, session_idx: usize, deeds: &[usize]) {
        let was_here = self.last.filter(|(last, _)| *last == session_idx);
        if was_here.is_some_and(|(_, is_validated)| is_validated) {
            return;
        }
        let is_validated = is_validated(view, session_idx, deeds);
        self.n_sessions += usize::from(was_here.is_none());
        self.n_validated += usize::from(is_validated);
        self.last = Some((session_idx, is_validated));
        if is_validated && self.places.len() < MAX_PLACES {
            self.places.push(Place {
                session_idx,
                deeds: deeds.to_vec(),
                prompt: None,
            });
        }
    }

    fn into_finding(self, view: &View<'_>, steps: Vec<Key>) -> Finding {
        Finding {
            kind: Kind::Workflow,
            taint: view.taint(&steps),
            avoid: None,
            places: self.places,
            n_sessions: self.n_sessions,
            n_validated: self.n_validated,
            pitfalls: Vec::new(),
            said: Vec::new(),
            is_cut: false,
            steps,
        }
    }
}

/// Whether a run is worth a skill: repeated, shown to hold, and its steps mostly seen together.
fn is_good(view: &View<'_>, keys: &[Key], seen: &Seen) -> bool {
    let facts = || keys.iter().filter_map(|key| view.facts(*key));
    let rarest = facts()
        .map(|facts| facts.n_sessions)
        .min()
        .unwrap_or(usize::MAX);
    let does_something = facts().any(|facts| !facts.is_check);
    seen.n_validated >= 2
        && seen.n_validated * 2 >= seen.n_sessions
        && seen.n_sessions * 2 > rarest
        && does_something
}
