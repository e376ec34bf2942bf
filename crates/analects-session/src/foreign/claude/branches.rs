//! Which way a conversation took where somebody went back and asked otherwise.
//!
//! Every line names the one before it. Seen from the last line, a prompt that is not on the way to it was left, with
//! all that came of it. Lines that lead nowhere, as after a compaction, were not: nobody knows where they belong.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::key_of;

/// The lines of a record, and what they point to.
#[derive(Debug, Default)]
pub(super) struct Branches {
    /// In the order of the file.
    lines: Vec<Line>,
    at: HashMap<u64, usize>,
}

#[derive(Debug)]
struct Line {
    key: u64,
    parent: Option<u64>,
    /// The turn it is a part of.
    turn: Option<usize>,
    /// Whether a person began that turn.
    is_prompt: bool,
}

impl Branches {
    /// One more line.
    pub(super) fn add(
        &mut self,
        id: &str,
        parent: Option<&str>,
        turn: Option<usize>,
        is_prompt: bool,
    ) {
        let key = key_of(id);
        self.at.insert(key, self.lines.len());
        self.lines.push(Line {
            key,
            parent: parent.map(key_of),
            turn,
            is_prompt,
        });
    }

    /// The turns on ways that were left, in order.
    pub(super) fn left(&self) -> Vec<usize> {
        let way = self.way();
        let mut left: HashSet<u64> = HashSet::new();
        let mut turns = BTreeSet::new();
        let mut kept = HashSet::new();
        for (nth, line) in self.lines.iter().enumerate() {
            // What is said to come before must stand before.
            let is_before = |parent: &u64| self.at.get(parent).is_some_and(|&at| at < nth);
            let parent = line.parent.filter(is_before);
            let is_off = !way.contains(&line.key);
            let goes_on = parent.is_some_and(|parent| left.contains(&parent));
            if is_off && (goes_on || (line.is_prompt && parent.is_some())) {
                left.insert(line.key);
                turns.extend(line.turn);
            } else {
                kept.extend(line.turn);
            }
        }
        turns
            .into_iter()
            .filter(|turn| !kept.contains(turn))
            .collect()
    }

    /// The lines from the last one back to where it began.
    fn way(&self) -> HashSet<u64> {
        let mut way = HashSet::new();
        let last = self.lines.iter().rev().find(|line| line.turn.is_some());
        let mut next = last.map(|line| line.key);
        while let Some(key) = next.filter(|key| way.insert(*key)) {
            let line = self.at.get(&key).and_then(|&at| self.lines.get(at));
            next = line.and_then(|line| line.parent);
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as `id parent`, a prompt with `?` behind it; each is a turn.
    fn left(lines: &str) -> Vec<usize> {
        let mut branches = Branches::default();
        for (turn, line) in lines.split(", ").enumerate() {
            let (id, parent) = line.split_once(' ').unwrap();
            let parent = Some(parent).filter(|parent| *parent != "-");
            let is_prompt = id.ends_with('?');
            branches.add(id, parent, Some(turn), is_prompt);
        }
        branches.left()
    }

    #[test]
    fn what_was_asked_otherwise_is_left_with_all_that_came_of_it() {
        assert_eq!(left("a? -, b a?, c? b, d c?, e? b, f e?"), [2, 3]);
        assert_eq!(left("a? -, b a?, c? b, d c?"), [0; 0]);
        // Steps of one answer may stand side by side.
        assert_eq!(left("a? -, b a?, c b, d b, e d"), [0; 0]);
        // After a compaction nothing leads back.
        assert_eq!(left("a? -, b a?, c? -, d c?"), [0; 0]);
        assert_eq!(left("a? -, b a?, c? gone, d c?"), [0; 0]);
        assert_eq!(left("a? a?, b? b?"), [0; 0]);
    }
}
