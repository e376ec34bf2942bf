//! What a rule tells one to do or not to do, and which rules cannot both be kept.
//!
//! Silence is the better mistake here: whoever is warned of a contradiction must find one. So both rules
//! must be orders, of opposite sense, on exactly the same object under exactly the same conditions.

use std::collections::HashMap;

use super::atoms::TermKind;
use super::lexicon::Role;
use super::prints::{Kind, between, hash, n_shared, of_kind};
use super::read::{Clause, Placed, Reading, read};
use super::{Gist, Signs, parallels_agree, runs_agree};

/// What a rule tells one to do or not to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Polarity {
    /// `always`, `must`, `use`, or a bare command.
    Do,
    /// `never`, `must not`, `avoid`.
    Dont,
}

impl Polarity {
    fn opposite(self) -> Self {
        match self {
            Self::Do => Self::Dont,
            Self::Dont => Self::Do,
        }
    }
}

/// A rule: an order and its object.
#[derive(Debug, Clone)]
pub struct Stance {
    /// Whether the object is wanted.
    pub polarity: Polarity,
    object: Gist,
    /// What the same sentence orders in the opposite sense: the `b` of `use a, not b`.
    counterpart: Option<Gist>,
}

impl Stance {
    /// The order that `sentence` gives, if it gives one.
    ///
    /// Headings, questions, statements of fact and orders with a way out are no stances. Of several
    /// sentences the first counts. An item of a list under a heading is its own sentence: give
    /// `Never: force push` for an item `force push` under `Never`.
    #[must_use]
    pub fn of(sentence: &str) -> Option<Self> {
        let sentence = sentence.trim().trim_end_matches(['*', '_']);
        if sentence.starts_with('#') || sentence.ends_with([':', '：', '?', '？']) {
            return None;
        }
        let reading = read(sentence);
        let first = reading
            .placed
            .first()
            .and_then(|placed| reading.clauses.get(placed.clause))?
            .sentence;
        if reading
            .placed
            .iter()
            .any(|placed| leaves_a_way_out(placed, &reading, first))
        {
            return None;
        }
        let clauses = signed_clauses(&reading, first)?;
        let mut orders = clauses.iter().filter_map(|(clause, sign)| match sign {
            Sign::Order(polarity) => Some((*clause, *polarity)),
            Sign::Condition | Sign::Contrast | Sign::Neither => None,
        });
        let (main, polarity) = orders.next()?;
        let others: Vec<(usize, Polarity)> = orders.collect();
        let is_of = |placed: &Placed, clause: usize| {
            let sign = clauses
                .iter()
                .find(|(at, _)| *at == placed.clause)
                .map(|(_, sign)| *sign);
            placed.clause == clause || sign == Some(Sign::Condition)
        };
        let stance = match others.as_slice() {
            [(other, opposite)] if *opposite != polarity => {
                let is_simple = clauses.iter().all(|(at, sign)| {
                    let holds_alone = reading
                        .clauses
                        .get(*at)
                        .is_some_and(|clause| !clause.opens_with_link);
                    matches!(sign, Sign::Condition)
                        || (matches!(sign, Sign::Order(_)) && holds_alone)
                });
                is_simple.then(|| Self {
                    polarity,
                    object: object(&reading, polarity, &|placed| is_of(placed, main)),
                    counterpart: Some(object(&reading, *opposite, &|placed| is_of(placed, *other))),
                })?
            }
            _ if others.iter().any(|(_, other)| *other != polarity) => return None,
            _ => Self::with_contrast(&reading, first, polarity),
        };
        (!stance.object.is_empty()).then_some(stance)
    }

    /// Whether no one can follow both.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        self.claims().any(|(mine, is)| {
            other
                .claims()
                .any(|(theirs, is_theirs)| is != is_theirs && are_one_object(mine, theirs))
        })
    }

    fn with_contrast(reading: &Reading, sentence: usize, polarity: Polarity) -> Self {
        let is_in = |placed: &Placed| {
            reading
                .clauses
                .get(placed.clause)
                .is_some_and(|clause| clause.sentence == sentence)
        };
        let contrast = object(reading, polarity.opposite(), &|placed| {
            is_in(placed) && placed.is_contrast
        });
        Self {
            polarity,
            object: object(reading, polarity, &|placed| {
                is_in(placed) && !placed.is_contrast
            }),
            counterpart: (!contrast.is_empty()).then_some(contrast),
        }
    }

    fn claims(&self) -> impl Iterator<Item = (&Gist, Polarity)> {
        let opposite = self.polarity.opposite();
        let counterpart = self.counterpart.iter().map(move |gist| (gist, opposite));
        std::iter::once((&self.object, self.polarity)).chain(counterpart)
    }
}

/// How many earlier rules on the same object a rule is held against.
const MAX_CANDIDATES: usize = 64;

/// All pairs of rules that contradict each other, by the numbers they came with, in order of appearance.
#[must_use]
pub fn contradictions(stances: &[(usize, Stance)]) -> Vec<(usize, usize)> {
    let mut by_object: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (at, (_, stance)) in stances.iter().enumerate() {
        let objects: Vec<u32> = stance
            .claims()
            .map(|(object, _)| signature(object))
            .collect();
        let mut earlier: Vec<usize> = objects
            .iter()
            .filter_map(|object| by_object.get(object))
            .flat_map(|holders| holders.iter().rev().take(MAX_CANDIDATES).copied())
            .collect();
        earlier.sort_unstable();
        earlier.dedup();
        pairs.extend(
            earlier
                .into_iter()
                .filter(|earlier| stances[*earlier].1.contradicts(stance))
                .map(|earlier| (earlier, at)),
        );
        for object in objects {
            by_object.entry(object).or_default().push(at);
        }
    }
    pairs.sort_unstable();
    pairs
        .into_iter()
        .map(|(earlier, later)| (stances[earlier].0, stances[later].0))
        .collect()
}

/// What a clause does in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Order(Polarity),
    /// `when the tests fail`.
    Condition,
    /// `not npm`.
    Contrast,
    Neither,
}

/// A later sentence that takes something back.
fn leaves_a_way_out(placed: &Placed, reading: &Reading, first: usize) -> bool {
    let sentence = reading
        .clauses
        .get(placed.clause)
        .map_or(first, |clause| clause.sentence);
    sentence != first
        && (matches!(placed.role, Role::Except | Role::Unless)
            || (placed.term.kind == TermKind::Exact && placed.term.text == "only"))
}

/// The clauses of a sentence that say something; nothing if one of them cannot be pinned down.
fn signed_clauses(reading: &Reading, sentence: usize) -> Option<Vec<(usize, Sign)>> {
    let mut signed: Vec<(usize, Sign)> = Vec::new();
    for (at, clause) in reading.clauses.iter().enumerate() {
        if clause.sentence != sentence {
            continue;
        }
        let start = reading.placed.partition_point(|placed| placed.clause < at);
        let end = reading.placed.partition_point(|placed| placed.clause <= at);
        let terms = reading.placed.get(start..end).unwrap_or_default();
        if !terms.is_empty() {
            signed.push((at, sign(clause, terms)?));
        }
    }
    let n_orders = signed
        .iter()
        .filter(|(_, sign)| matches!(sign, Sign::Order(_)))
        .count();
    // `No emojis: do not use emojis in logs` says its rule twice, and not the same both times.
    let has_lead = signed.iter().any(|(at, sign)| {
        matches!(sign, Sign::Order(_))
            && reading
                .clauses
                .get(*at)
                .is_some_and(|clause| clause.is_lead)
    });
    (!(has_lead && n_orders > 1)).then_some(signed)
}

fn sign(clause: &Clause, terms: &[Placed]) -> Option<Sign> {
    let is_unclear = |placed: &Placed| match placed.term.kind {
        TermKind::Needless => true,
        // A denial that denies nothing, or another denial.
        TermKind::Exact => placed.term.text == "not",
        _ => false,
    };
    if clause.is_vague || clause.n_denials > 1 || terms.iter().any(is_unclear) {
        return None;
    }
    Some(if terms.iter().all(|placed| placed.role != Role::Plain) {
        Sign::Condition
    } else if clause.n_denials == 1 {
        Sign::Order(Polarity::Dont)
    } else if terms.iter().all(|placed| placed.is_contrast) {
        Sign::Contrast
    } else if clause.says_do || (clause.is_command && is_more_than_a_word(terms)) {
        Sign::Order(Polarity::Do)
    } else {
        Sign::Neither
    })
}

/// A single word may be a heading.
fn is_more_than_a_word(terms: &[Placed]) -> bool {
    match terms {
        [] => false,
        [only] => only.term.text.chars().count() > 3 && only.term.kind == TermKind::Run,
        _ => true,
    }
}

/// What the terms that `keep` wants are about, denied or not. Reasons are no part of an object.
fn object(reading: &Reading, polarity: Polarity, keep: &dyn Fn(&Placed) -> bool) -> Gist {
    let keep = |placed: &Placed| {
        let is_object = match placed.term.kind {
            TermKind::Any => false,
            TermKind::May => placed.role != Role::Plain,
            // `Test every function` orders each; `do not test every function` forbids none.
            TermKind::All => polarity == Polarity::Dont,
            _ => placed.role != Role::Because,
        };
        is_object && keep(placed)
    };
    Gist::build(reading, &keep, Signs::Dropped)
}

/// Rules on one object share this.
fn signature(object: &Gist) -> u32 {
    let mut bytes = Vec::new();
    for print in between(&object.prints, Kind::Exact, Kind::Soft) {
        bytes.extend(print.to_le_bytes());
    }
    hash(&[&bytes])
}

fn are_one_object(one: &Gist, other: &Gist) -> bool {
    let named = |gist: &'_ Gist| between(&gist.prints, Kind::Exact, Kind::Soft).to_vec();
    !one.is_empty()
        && named(one) == named(other)
        && runs_agree(&one.prints, &other.prints)
        && n_shared(&one.reversed, of_kind(&other.prints, Kind::Bond)) == 0
        && parallels_agree(&one.prints, &other.prints)
}
