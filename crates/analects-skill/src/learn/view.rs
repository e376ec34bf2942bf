//! All sessions seen together: which commands are the same one, and which belong to this project.
//!
//! Two commands are the same if they differ only in words that were typed in one session and never again. What is left
//! of a command is its key.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::habits;
use super::notes::{Deed, Ended, Notes};
use super::step::{Class, Step, base};
use super::trace::Source;
use super::word::Kind;
use crate::origin::Origin;

/// What a command is in all sessions.
pub(super) type Key = u64;

/// All sessions, seen together.
pub(super) struct View<'a> {
    /// The sessions.
    pub(super) notes: &'a [Notes],
    /// The key of each deed of each session; none for what is no command.
    keys: Vec<Vec<Option<Key>>>,
    /// What is known of each key.
    facts: HashMap<Key, Facts>,
    /// In how many sessions a program was given a word.
    words: HashMap<u64, u32>,
}

/// What is known of a command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// In how many sessions it went well.
    pub(super) n_sessions: usize,
    /// Whether it belongs to this project.
    pub(super) is_own: bool,
    /// Whether it shows that something holds.
    pub(super) is_check: bool,
    /// Whether everybody knows it, so that it is at most in between.
    pub(super) class: Class,
    /// Whether somebody named it who may.
    is_users: bool,
    /// Whom it came from, where that was a stranger.
    stranger: Option<Origin>,
    last_session: usize,
}

impl Facts {
    /// Whom it came from, if no person ever named it.
    pub(super) fn taint(&self) -> Option<Origin> {
        self.stranger.filter(|_| !self.is_users)
    }
}

impl<'a> View<'a> {
    /// Looks at all sessions.
    pub(super) fn new(notes: &'a [Notes]) -> Self {
        let words = count_words(notes);
        let mut view = Self {
            notes,
            keys: Vec::with_capacity(notes.len()),
            facts: HashMap::new(),
            words,
        };
        for (session_idx, note) in notes.iter().enumerate() {
            let keys: Vec<_> = note
                .deeds
                .iter()
                .map(|deed| deed.step().map(|step| view.key_of(step)))
                .collect();
            for (deed, key) in note.deeds.iter().zip(&keys) {
                if let (Some(step), Some(key)) = (deed.step(), *key) {
                    view.learn(session_idx, deed, step, key);
                }
            }
            view.keys.push(keys);
        }
        view
    }

    fn learn(&mut self, session_idx: usize, deed: &Deed, step: &Step, key: Key) {
        let is_own = self.is_own(step);
        let facts = self.facts.entry(key).or_insert(Facts {
            n_sessions: 0,
            is_own: false,
            is_check: step.is_check,
            class: step.class,
            is_users: false,
            stranger: None,
            last_session: usize::MAX,
        });
        facts.is_own |= is_own;
        match deed.source {
            Source::User => facts.is_users = true,
            Source::Stranger(origin) => facts.stranger = facts.stranger.max(Some(origin)),
            Source::Own => {}
        }
        if deed.ended != Ended::Failed && facts.last_session != session_idx {
            facts.last_session = session_idx;
            facts.n_sessions += 1;
        }
    }

    /// The key of a deed, if it is a command.
    pub(super) fn key(&self, session_idx: usize, deed_idx: usize) -> Option<Key> {
        self.keys.get(session_idx)?.get(deed_idx).copied()?
    }

    /// A deed.
    pub(super) fn deed(&self, session_idx: usize, deed_idx: usize) -> Option<&'a Deed> {
        self.notes.get(session_idx)?.deeds.get(deed_idx)
    }

    /// What is known of a command.
    pub(super) fn facts(&self, key: Key) -> Option<&Facts> {
        self.facts.get(&key)
    }

    /// Whom any of these commands came from, if no person ever named it.
    pub(super) fn taint(&self, keys: &[Key]) -> Option<Origin> {
        keys.iter()
            .filter_map(|key| self.facts(*key)?.taint())
            .max()
    }

    /// Whether a word is typed again and again.
    pub(super) fn is_stable(&self, step: &Step, word: &str) -> bool {
        self.words
            .get(&word_key(step, word))
            .is_some_and(|n| *n >= 2)
    }

    /// Whether a command belongs to this project.
    fn is_own(&self, step: &Step) -> bool {
        let is_telling = |word: &str| !habits::is_everyday(word) && self.is_stable(step, word);
        step.class == Class::Own
            && (!habits::is_known(base(step.program())) || step.plain().any(is_telling))
    }

    fn key_of(&self, step: &Step) -> Key {
        let mut hasher = DefaultHasher::new();
        step.program().hash(&mut hasher);
        let mut flags = Vec::new();
        let mut was_open = false;
        let verb = step.verb();
        for (at, word) in step.words.iter().enumerate().skip(1) {
            let is_meant = verb == Some(at) || self.is_stable(step, &word.text);
            match word.kind {
                Kind::Flag if is_meant => flags.push(word.text.trim_end_matches('=')),
                Kind::Flag => {}
                Kind::Plain if is_meant => {
                    word.text.hash(&mut hasher);
                    was_open = false;
                }
                _ if was_open => {}
                _ => {
                    was_open = true;
                    0xFF_u8.hash(&mut hasher);
                }
            }
        }
        flags.sort_unstable();
        flags.dedup();
        flags.hash(&mut hasher);
        hasher.finish()
    }
}

/// In how many sessions each program was given each word.
fn count_words(notes: &[Notes]) -> HashMap<u64, u32> {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    let mut here = HashSet::new();
    for note in notes {
        here.clear();
        for step in note.deeds.iter().filter_map(Deed::step) {
            let rest = step.words.iter().skip(1);
            for word in rest.filter(|word| matches!(word.kind, Kind::Plain | Kind::Flag)) {
                here.insert(word_key(step, &word.text));
            }
        }
        for key in &here {
            *counts.entry(*key).or_default() += 1;
        }
    }
    counts
}

fn word_key(step: &Step, word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (step.program(), word).hash(&mut hasher);
    hasher.finish()
}

/// The key of a command word for word, for comparing within one session.
pub(super) fn exact(step: &Step) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in &step.words {
        (word.kind, &word.text).hash(&mut hasher);
    }
    hasher.finish()
}
