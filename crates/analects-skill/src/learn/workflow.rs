//! Workflows: the same commands in the same order, in several sessions.
//!
//! Of each session only those commands are looked at that belong to the project and that other sessions have, too: what
//! lies between them is no part of it. Commands that mostly come close together and in one order are a group; where
//! most of a group was done in a session, that is a place. So neither a retry, nor a step that was left out once, nor
//! other work in between hides a workflow. Linear in the number of commands.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::finding::{Finding, Kind, MAX_PLACES, Place, Told, is_validated};
use super::notes::Ended;
use super::step::Class;
use super::view::{Key, View};

/// A procedure has at most this many steps.
const MAX_STEPS: usize = 8;
/// Steps of one procedure are at most this many other steps apart,
const MAX_BETWEEN: usize = 7;
/// and this many prompts.
const MAX_PROMPTS_BETWEEN: usize = 4;
/// How many others may go with a command; the rest is chance.
const MAX_NEAR: usize = 32;
/// How many groups are looked at, the best first. Nobody has as many workflows.
const MAX_GROUPS: usize = 400;

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
    let bonds = Bonds::count(&spines);
    let places = places(&spines);
    let mut found: Vec<Finding> = Vec::new();
    for steps in bonds.groups().into_iter().take(MAX_GROUPS) {
        let finding = finding(view, &places, steps);
        let is_new = |finding: &Finding| {
            let mut known = found.iter();
            !known.any(|known| known.n_shared(&finding.steps) * 2 >= finding.steps.len())
        };
        found.extend(finding.filter(is_new));
    }
    found
}

/// One command of a session that may be a step.
#[derive(Debug, Clone, Copy)]
struct Item {
    key: Key,
    deed_idx: usize,
    n_prompts: usize,
}

impl Item {
    fn is_far_from(&self, later: &Self) -> bool {
        later.n_prompts.saturating_sub(self.n_prompts) > MAX_PROMPTS_BETWEEN
    }
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
            let is_own = facts.class == Class::Own && facts.is_own && !facts.is_edit;
            is_own && facts.n_sessions >= 2 && counts
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

/// Where each command was run: the session, and which of its commands it was.
type Places = HashMap<Key, Vec<(usize, Item)>>;

fn places(spines: &[Vec<Item>]) -> Places {
    let mut places = Places::new();
    for (session_idx, spine) in spines.iter().enumerate() {
        for item in spine {
            let its = places.entry(item.key).or_default();
            its.push((session_idx, *item));
        }
    }
    places
}

/// What belongs to each command, in whichever order, and how strongly.
type Near = HashMap<Key, Vec<(Key, usize)>>;

/// In how many sessions one command comes close behind another.
struct Bonds {
    /// How many sessions there are.
    n_sessions: usize,
    /// In how many sessions there is a command at all.
    sessions: HashMap<Key, usize>,
    /// In how many of them the second comes behind the first.
    after: HashMap<(Key, Key), usize>,
}

impl Bonds {
    fn count(spines: &[Vec<Item>]) -> Self {
        let mut bonds = Self {
            n_sessions: spines.len(),
            sessions: HashMap::new(),
            after: HashMap::new(),
        };
        for spine in spines {
            let (mut keys, mut pairs) = (HashSet::new(), HashSet::new());
            for (at, item) in spine.iter().enumerate() {
                keys.insert(item.key);
                let close = spine.iter().skip(at + 1).take(MAX_BETWEEN);
                let close = close.take_while(|other| !item.is_far_from(other));
                pairs.extend(close.map(|other| (item.key, other.key)));
            }
            for key in keys {
                *bonds.sessions.entry(key).or_default() += 1;
            }
            for pair in pairs {
                *bonds.after.entry(pair).or_default() += 1;
            }
        }
        bonds
    }

    fn n(&self, first: Key, then: Key) -> usize {
        self.after.get(&(first, then)).copied().unwrap_or(0)
    }

    /// How often two commands are done in this order, if that is often enough: mostly, when one of them is done at all,
    /// and rarely the other way round.
    fn strength(&self, first: Key, then: Key) -> Option<usize> {
        let n = self.n(first, then);
        let of = |key| self.sessions.get(&key).copied().unwrap_or(0);
        let (rare, often) = (of(first).min(of(then)), of(first).max(of(then)));
        // What is done in nearly every session goes with anything; with its like only if they go together.
        let is_habit = self.n_sessions >= 8 && often * 5 >= self.n_sessions * 3;
        let is_usual = match is_habit {
            true => n * 5 >= often * 4,
            false => n * 5 >= rare * 3,
        };
        let is_ordered = n > self.n(then, first) * 2;
        (first != then && n >= 2 && is_usual && is_ordered).then_some(n)
    }

    /// Commands that belong together, in their order; the strongest group first.
    fn groups(&self) -> Vec<Vec<Key>> {
        let mut edges: Vec<_> = self
            .after
            .keys()
            .filter_map(|&(a, b)| Some((self.strength(a, b)?, a, b)))
            .collect();
        edges.sort_unstable_by(|a, b| (b.0, a.1, a.2).cmp(&(a.0, b.1, b.2)));
        let mut near = Near::new();
        for (strength, a, b) in &edges {
            for (one, other) in [(a, b), (b, a)] {
                let its = near.entry(*one).or_default();
                // The strongest come first.
                if its.len() < MAX_NEAR {
                    its.push((*other, *strength));
                }
            }
        }
        let mut groups: Vec<Vec<Key>> = Vec::new();
        let mut done: HashSet<(Key, Key)> = HashSet::new();
        for (_, a, b) in edges {
            if done.contains(&(a, b)) {
                continue;
            }
            let group = self.grow([a, b], &near);
            for one in &group {
                done.extend(group.iter().map(|other| (*one, *other)));
            }
            groups.push(group);
        }
        // A longer one tells more, if it was done as often.
        let worth = |group: &[Key]| {
            let pairs = group.windows(2).map(|pair| match pair {
                [a, b] => self.n(*a, *b),
                _ => 0,
            });
            pairs.min().unwrap_or(0) * (group.len() - 1)
        };
        groups.sort_by(|a, b| worth(b).cmp(&worth(a)).then_with(|| a.cmp(b)));
        groups
    }

    /// Adds to a pair whatever belongs to most of what is there by then.
    fn grow(&self, pair: [Key; 2], near: &Near) -> Vec<Key> {
        let mut group: Vec<Key> = Vec::new();
        // To how many of the group something belongs, and how strongly.
        let mut around: HashMap<Key, (usize, usize)> = HashMap::new();
        let mut next = pair.to_vec();
        while let Some(key) = next.pop() {
            group.push(key);
            for (other, strength) in near.get(&key).into_iter().flatten() {
                let (n_bonds, sum) = around.entry(*other).or_default();
                *n_bonds += 1;
                *sum += strength;
            }
            if group.len() < pair.len() || group.len() >= MAX_STEPS {
                continue;
            }
            let best = around
                .iter()
                .filter(|(key, (n_bonds, _))| {
                    n_bonds * 3 >= group.len() * 2 && !group.contains(key)
                })
                .map(|(key, (_, sum))| (*sum, Reverse(*key)))
                .max();
            next.extend(best.map(|(_, Reverse(key))| key));
        }
        self.order(group)
    }

    /// Brings commands into the order in which they mostly come.
    fn order(&self, group: Vec<Key>) -> Vec<Key> {
        let n_before = |key: Key| {
            let others = group.iter().filter(|other| **other != key);
            others
                .filter(|other| self.n(**other, key) > self.n(key, **other))
                .count()
        };
        let mut ordered: Vec<_> = group.iter().map(|key| (n_before(*key), *key)).collect();
        ordered.sort_unstable();
        ordered.into_iter().map(|(_, key)| key).collect()
    }
}

/// What was done of a group in one place, and where.
type Steps = Vec<(Key, usize)>;

/// What a group was worth: where most of it was done, and whether that held.
fn finding(view: &View<'_>, run_at: &Places, group: Vec<Key>) -> Option<Finding> {
    let mut places: Vec<(Steps, usize, bool)> = Vec::new();
    let its = group.iter().filter_map(|key| run_at.get(key)).flatten();
    let mut its: Vec<_> = its.copied().collect();
    its.sort_unstable_by_key(|(session_idx, item)| (*session_idx, item.deed_idx));
    for here in its.chunk_by(|(a, _), (b, _)| a == b) {
        let session_idx = here.first().map_or(0, |(session_idx, _)| *session_idx);
        let items: Vec<_> = here.iter().map(|(_, item)| *item).collect();
        if let Some(found) = best_place(view, session_idx, &items, &group) {
            places.push((found.0, session_idx, found.1));
        }
    }
    // A step that was left out more often than not is none.
    let n_places = places.len();
    let is_step = |key: &Key| {
        let n = places
            .iter()
            .filter(|(steps, ..)| steps.iter().any(|(step, _)| step == key))
            .count();
        n * 5 >= n_places * 3
    };
    let steps: Vec<_> = group.iter().copied().filter(is_step).collect();
    let n_validated = places
        .iter()
        .filter(|(.., is_validated)| *is_validated)
        .count();
    let facts = || steps.iter().filter_map(|key| view.facts(*key));
    let does_something = facts().any(|facts| !facts.is_check);
    if steps.len() < 2 || n_validated < 2 || n_validated * 2 < n_places || !does_something {
        return None;
    }
    let whole = places.iter().filter(|(done, _, is_validated)| {
        *is_validated
            && steps
                .iter()
                .all(|step| done.iter().any(|(key, _)| key == step))
    });
    let whole: Vec<_> = whole
        .take(MAX_PLACES)
        .map(|(done, session_idx, _)| Place {
            session_idx: *session_idx,
            deeds: done
                .iter()
                .filter(|(key, _)| steps.contains(key))
                .map(|(_, idx)| *idx)
                .collect(),
            prompt: None,
        })
        .collect();
    (!whole.is_empty()).then(|| Finding {
        kind: Kind::Workflow,
        taint: view.taint(&steps),
        avoid: None,
        told: Told::Commands,
        places: whole,
        n_sessions: n_places,
        n_validated,
        pitfalls: Vec::new(),
        said: Vec::new(),
        is_cut: false,
        steps,
    })
}

/// Where in a session most of a group was done, in its order: the last time that held, else the last time.
fn best_place(
    view: &View<'_>,
    session_idx: usize,
    items: &[Item],
    group: &[Key],
) -> Option<(Steps, bool)> {
    let rank = |key: Key| group.iter().position(|step| *step == key);
    let mut best: Option<(Steps, bool)> = None;
    let mut run: Vec<(usize, Item)> = Vec::new();
    let mut end = |run: &mut Vec<(usize, Item)>| {
        let run = std::mem::take(run);
        if run.len() < 2 || run.len() * 3 < group.len() * 2 {
            return;
        }
        let deeds: Vec<_> = run.iter().map(|(_, item)| item.deed_idx).collect();
        let is_validated = is_validated(view, session_idx, &deeds);
        if is_validated
            || best
                .as_ref()
                .is_none_or(|(_, was_validated)| !was_validated)
        {
            let steps = run
                .iter()
                .map(|(_, item)| (item.key, item.deed_idx))
                .collect();
            best = Some((steps, is_validated));
        }
    };
    for item in items {
        let Some(at) = rank(item.key) else {
            continue;
        };
        let goes_on = run
            .last()
            .is_none_or(|(last, before)| *last < at && !before.is_far_from(item));
        if !goes_on {
            end(&mut run);
        }
        run.push((at, *item));
    }
    end(&mut run);
    best
}
