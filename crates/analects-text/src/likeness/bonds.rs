//! Which thing a text joins to which: the part of word order that carries meaning.
//!
//! `a depends on b` and `b depends on a` have the same words; so have `a for x and b for y` and
//! `a for y and b for x`. The first is caught by bonds, the second by parallels.

use std::collections::HashMap;

use super::atoms::TermKind;
use super::lexicon::speaks_of_order;
use super::prints::{Kind, apart, hash, print};
use super::read::{Item, Placed, Reading};

/// The joins of a text, as prints.
#[derive(Debug, Default)]
pub(super) struct Bonds {
    pub(super) bonds: Vec<u32>,
    /// The same bonds the other way round: a text that has one of these says the opposite.
    pub(super) reversed: Vec<u32>,
    pub(super) parallels: Vec<u32>,
}

impl Bonds {
    fn join(&mut self, name: &[u8], left: u32, right: u32) {
        let (name, left, right) = match name {
            // `from a to b` is `to b from a`.
            b"from" => (b"to".as_slice(), right, left),
            _ if name == "从".as_bytes() => ("到".as_bytes(), right, left),
            _ => (name, left, right),
        };
        self.bonds.push(bond(name, left, right));
        self.reversed.push(bond(name, right, left));
    }

    /// Drops what the text says both ways round: it is no opposite of either.
    fn drop_ambivalent(&mut self) {
        for bonds in [&mut self.bonds, &mut self.reversed] {
            bonds.sort_unstable();
            bonds.dedup();
        }
        let (bonds, reversed) = apart(&self.bonds, &self.reversed);
        self.bonds = bonds;
        self.reversed = reversed;
    }
}

/// How many neighbours on either side a link joins.
const WINDOW: usize = 4;
/// How many partners a thing may have in its clause.
const MAX_PARTNERS: usize = 8;
/// How much of a clause is looked at.
const MAX_CLAUSE_UNITS: usize = 32;

/// Two groups of neighbours and what joins them.
struct Group {
    name: &'static str,
    left: Vec<u32>,
    right: Vec<u32>,
}

/// The joins among the terms of `reading` that `keep` wants.
pub(super) fn bonds(reading: &Reading, keep: &dyn Fn(&Placed) -> bool) -> Bonds {
    let mut found = Bonds::default();
    let groups = groups(reading, keep);
    triples(reading, keep, &mut found);
    // What is equal may change sides, and a number has only one.
    let is_directed = |group: &&Group| !matches!(group.name, NUMBER | "is");
    for group in groups.iter().filter(is_directed) {
        for left in &group.left {
            for right in &group.right {
                found.join(group.name.as_bytes(), *left, *right);
            }
        }
    }
    sequence(reading, keep, &mut found);
    found.drop_ambivalent();
    parallels_of_groups(&groups, &mut found.parallels);
    parallels_of_clauses(reading, keep, &mut found.parallels);
    found
}

/// Of three words in a row, the one in the middle joins the others: `cats chase dogs`.
fn triples(reading: &Reading, keep: &dyn Fn(&Placed) -> bool, found: &mut Bonds) {
    let mut row: Vec<u32> = Vec::new();
    for item in &reading.items {
        let Item::Term(index) = item else {
            row.clear();
            continue;
        };
        let Some(placed) = reading.placed.get(*index).filter(|placed| keep(placed)) else {
            continue;
        };
        if placed.term.kind == TermKind::Run {
            row.clear();
            continue;
        }
        row.extend(units(placed));
        row.drain(..row.len().saturating_sub(3));
        if let [left, middle, right] = *row {
            found.join(&middle.to_le_bytes(), left, right);
        }
    }
}

/// What follows a word for order is a sequence: each thing comes before the next few.
fn sequence(reading: &Reading, keep: &dyn Fn(&Placed) -> bool, found: &mut Bonds) {
    let mut sentence = None;
    let mut before: Vec<u32> = Vec::new();
    for placed in reading.placed.iter().filter(|placed| keep(placed)) {
        let this = reading
            .clauses
            .get(placed.clause)
            .map(|clause| clause.sentence);
        if speaks_of_order(&placed.term.text) {
            sentence = this;
            before.clear();
            continue;
        }
        if sentence.is_none() || sentence != this {
            continue;
        }
        for unit in units(placed) {
            for before in &before {
                found.join(NEXT, *before, unit);
            }
            before.push(unit);
            before.drain(..before.len().saturating_sub(WINDOW));
        }
    }
}

const NEXT: &[u8] = b">";

/// Not a word: a number and what it stands beside.
const NUMBER: &str = "#";

fn bond(name: &[u8], left: u32, right: u32) -> u32 {
    let hash = hash(&[name, &left.to_le_bytes(), &right.to_le_bytes()]);
    print(Kind::Bond, hash)
}

fn parallel(one: u32, other: u32) -> u32 {
    let (low, high) = (one.min(other), one.max(other));
    print(
        Kind::Parallel,
        hash(&[&low.to_le_bytes(), &high.to_le_bytes()]),
    )
}

fn groups(reading: &Reading, keep: &dyn Fn(&Placed) -> bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut left: Vec<u32> = Vec::new();
    let mut open: Option<Group> = None;
    let mut number: Option<u32> = None;
    for item in &reading.items {
        match item {
            Item::Edge => {
                groups.extend(open.take());
                left.clear();
                number = None;
            }
            Item::Link(name) => {
                groups.extend(open.take());
                open = Some(Group {
                    name,
                    left: left.clone(),
                    right: Vec::new(),
                });
            }
            Item::Term(index) => {
                let Some(placed) = reading.placed.get(*index).filter(|placed| keep(placed)) else {
                    continue;
                };
                let units = units(placed);
                if placed.term.kind == TermKind::Number {
                    match (units.first(), left.last()) {
                        (Some(n), Some(before)) => groups.push(beside(*n, *before)),
                        (first, _) => number = first.copied(),
                    }
                } else if let (Some(first), Some(n)) = (units.first(), number.take()) {
                    groups.push(beside(n, *first));
                }
                if let Some(group) = &mut open {
                    let room = WINDOW.saturating_sub(group.right.len());
                    group.right.extend(units.iter().take(room));
                }
                if placed.term.is_relation {
                    groups.extend(open.replace(Group {
                        name: RELATION,
                        left: left.clone(),
                        right: Vec::new(),
                    }));
                }
                left.extend(units.iter().skip(units.len().saturating_sub(WINDOW)));
                left.drain(..left.len().saturating_sub(WINDOW));
            }
        }
    }
    groups.extend(open);
    groups.retain(|group| !group.left.is_empty() && !group.right.is_empty());
    groups
}

/// All relations share a name: whichever verb it is, both texts have it.
const RELATION: &str = "relates";

fn beside(n: u32, neighbour: u32) -> Group {
    Group {
        name: NUMBER,
        left: vec![neighbour],
        right: vec![n],
    }
}

/// What of a term can be joined: the word, or pairs of characters.
fn units(placed: &Placed) -> Vec<u32> {
    let text = &placed.term.text;
    match placed.term.kind {
        TermKind::Run => pairs(text).map(|pair| hash(&[pair.as_bytes()])).collect(),
        TermKind::Exact | TermKind::Number | TermKind::Word | TermKind::Soft => {
            vec![hash(&[text.as_bytes()])]
        }
        TermKind::All | TermKind::Any | TermKind::May | TermKind::Needless => Vec::new(),
    }
}

/// Neighbouring characters of a run; a single character is its own pair.
pub(super) fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let mut ends = run.char_indices().map(|(at, c)| at + c.len_utf8());
    let only = match (ends.next(), ends.next()) {
        (Some(_), None) => Some(run),
        _ => None,
    };
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().skip(1).map(|(at, c)| at + c.len_utf8());
    only.into_iter().chain(
        starts
            .zip(ends)
            .filter_map(|(start, end)| run.get(start..end)),
    )
}

/// Where one link occurs twice, what it joins each time.
fn parallels_of_groups(groups: &[Group], parallels: &mut Vec<u32>) {
    let mut by_name: HashMap<&str, Vec<&Group>> = HashMap::new();
    for group in groups {
        by_name.entry(group.name).or_default().push(group);
    }
    for groups in by_name.into_values().filter(|groups| groups.len() > 1) {
        let lefts = n_holding(groups.iter().map(|group| group.left.as_slice()));
        let rights = n_holding(groups.iter().map(|group| group.right.as_slice()));
        for group in groups {
            for left in group
                .left
                .iter()
                .filter(|left| lefts.get(*left) == Some(&1))
            {
                for right in group
                    .right
                    .iter()
                    .filter(|right| rights.get(*right) == Some(&1))
                {
                    parallels.push(parallel(*left, *right));
                }
            }
        }
    }
}

/// Where several clauses have something of their own, what each says of it.
fn parallels_of_clauses(
    reading: &Reading,
    keep: &dyn Fn(&Placed) -> bool,
    parallels: &mut Vec<u32>,
) {
    let mut clauses: Vec<Vec<u32>> = vec![Vec::new(); reading.clauses.len()];
    // Soft words may be missing, and then another thing would come first.
    let is_firm = |placed: &&Placed| placed.term.kind != TermKind::Soft && keep(placed);
    for placed in reading.placed.iter().filter(is_firm) {
        if let Some(clause) = clauses.get_mut(placed.clause) {
            let room = MAX_CLAUSE_UNITS.saturating_sub(clause.len());
            clause.extend(units(placed).into_iter().take(room));
        }
    }
    let holding = n_holding(clauses.iter().map(Vec::as_slice));
    let mut partners: Vec<Vec<u32>> = Vec::new();
    for clause in &clauses {
        let mut own = clause.iter().filter(|unit| holding.get(*unit) == Some(&1));
        if let Some(first) = own.next() {
            let said: Vec<u32> = own
                .take(MAX_PARTNERS)
                .map(|unit| parallel(*first, *unit))
                .collect();
            partners.extend((!said.is_empty()).then_some(said));
        }
    }
    if partners.len() > 1 {
        parallels.extend(partners.into_iter().flatten());
    }
}

/// In how many of `lists` each number occurs.
fn n_holding<'a>(lists: impl Iterator<Item = &'a [u32]>) -> HashMap<u32, usize> {
    let mut holding = HashMap::new();
    for list in lists {
        let mut list = list.to_vec();
        list.sort_unstable();
        list.dedup();
        for number in list {
            *holding.entry(number).or_insert(0) += 1;
        }
    }
    holding
}
