//! All sessions together: which commands are the same, and which belong to this project.
//!
//! What is done is told by the head of a command; of the words behind it those count that are there more often than not
//! whenever the head is. What is left of a command is its key: two commands with one key are the same.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use analects_text::shell_line::program_name;

use super::cue::ascii_words;
use super::habits;
use super::mention::{self, Text};
use super::notes::{Deed, Ended, Notes, What};
use super::step::{Class, Step, Word};
use super::trace::Source;
use super::withheld;
use super::word::Kind;
use crate::origin::Origin;

/// How many places are kept of every word.
const MAX_PLACES: usize = 16;
/// How many places are looked at on behalf of one text.
const MAX_LOOKED_AT: usize = 64;

/// What a command, or the change of a file, is in all sessions.
pub(super) type Key = u64;

/// All sessions, seen together.
pub(super) struct View<'a> {
    /// The sessions.
    pub(super) notes: &'a [Notes],
    /// The key of each deed of each session.
    keys: Vec<Vec<Key>>,
    /// What is known of each key.
    facts: HashMap<Key, Facts>,
    /// In how many sessions there is a head, and in how many of them a word behind it.
    heads: HashMap<u64, u32>,
    words: HashMap<(u64, u64), u32>,
    /// Where commands were run that went well, by the words that tell them from others.
    telling: HashMap<&'a str, Vec<(usize, usize)>>,
    /// Fingerprints of what was taken out of commands.
    withheld: HashSet<u64>,
}

/// What is known of something that was done.
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
    /// Whether it is the change of a file.
    pub(super) is_edit: bool,
    /// Whether the person ever named it.
    is_users: bool,
    /// Whom it came from, where that was a stranger.
    stranger: Option<Origin>,
    /// In how many sessions it was done after a stranger had named it.
    n_after_stranger: usize,
    /// In how many it was done without anybody having named it.
    n_unasked: usize,
    last_session: usize,
    last_stranger: usize,
    last_unasked: usize,
}

impl Facts {
    /// Whom it came from, if it rests on nothing else: no person ever named it, and it was not done without that text,
    /// or, where the text came from outside this machine, not more often than with it.
    pub(super) fn taint(&self) -> Option<Origin> {
        self.stranger.filter(|origin| {
            let rests_on_more = match origin.is_foreign() {
                true => self.n_unasked > self.n_after_stranger,
                false => self.n_unasked > 0,
            };
            !self.is_users && !rests_on_more
        })
    }
}

impl<'a> View<'a> {
    /// Looks at all sessions.
    pub(super) fn new(notes: &'a [Notes]) -> Self {
        let (heads, words) = count(notes);
        let mut view = Self {
            notes,
            keys: Vec::with_capacity(notes.len()),
            facts: HashMap::new(),
            heads,
            words,
            telling: HashMap::new(),
            withheld: notes
                .iter()
                .flat_map(|note| note.withheld.clone())
                .collect(),
        };
        for (session_idx, note) in notes.iter().enumerate() {
            let keys: Vec<_> = note.deeds.iter().map(|deed| view.key_of(deed)).collect();
            for (deed, key) in note.deeds.iter().zip(&keys) {
                view.learn(session_idx, deed, *key);
            }
            view.keys.push(keys);
            for (deed_idx, deed) in note.deeds.iter().enumerate() {
                let is_safe = !deed.is_reckless && !matches!(deed.source, Source::Stranger(_));
                let went_well = deed.ended == Ended::Fine && is_safe;
                for word in deed
                    .step()
                    .filter(|_| went_well)
                    .into_iter()
                    .flat_map(mention::telling)
                {
                    let places = view.telling.entry(word).or_default();
                    if places.len() < MAX_PLACES {
                        places.push((session_idx, deed_idx));
                    }
                }
            }
        }
        view
    }

    /// Whether a text tells nothing that is masked in a command.
    pub(super) fn may_tell(&self, text: &str) -> bool {
        self.withheld.is_empty()
            || !withheld::prints(text).any(|print| self.withheld.contains(&print))
    }

    /// Where commands were run that a text names.
    pub(super) fn named_in(&self, text: &str) -> Vec<(usize, usize)> {
        let words = ascii_words(text).map(|word| word.strip_prefix("./").unwrap_or(word));
        let places = words
            .filter_map(|word| self.telling.get(word))
            .flatten()
            .copied()
            .take(MAX_LOOKED_AT);
        let text = Text::new(text);
        let is_named = |(session_idx, deed_idx): &(usize, usize)| {
            let step = self.deed(*session_idx, *deed_idx).and_then(Deed::step);
            step.is_some_and(|step| text.mentions(step).is_some())
        };
        places.filter(is_named).take(MAX_PLACES).collect()
    }

    fn learn(&mut self, session_idx: usize, deed: &Deed, key: Key) {
        let step = deed.step();
        let facts = self.facts.entry(key).or_insert(Facts {
            n_sessions: 0,
            is_own: step.is_none_or(is_own),
            is_check: step.is_some_and(|step| step.is_check),
            class: step.map_or(Class::Own, |step| step.class),
            is_edit: step.is_none(),
            is_users: false,
            stranger: None,
            n_after_stranger: 0,
            n_unasked: 0,
            last_session: usize::MAX,
            last_stranger: usize::MAX,
            last_unasked: usize::MAX,
        });
        let count = |n: &mut usize, last: &mut usize| {
            *n += usize::from(*last != session_idx);
            *last = session_idx;
        };
        match deed.source {
            Source::User => facts.is_users = true,
            Source::Stranger(origin) => {
                facts.stranger = facts.stranger.max(Some(origin));
                count(&mut facts.n_after_stranger, &mut facts.last_stranger);
            }
            Source::Own => count(&mut facts.n_unasked, &mut facts.last_unasked),
        }
        if deed.ended != Ended::Failed {
            count(&mut facts.n_sessions, &mut facts.last_session);
        }
    }

    /// The key of a deed.
    pub(super) fn key(&self, session_idx: usize, deed_idx: usize) -> Option<Key> {
        self.keys.get(session_idx)?.get(deed_idx).copied()
    }

    /// A deed.
    pub(super) fn deed(&self, session_idx: usize, deed_idx: usize) -> Option<&'a Deed> {
        self.notes.get(session_idx)?.deeds.get(deed_idx)
    }

    /// What is known of something that was done.
    pub(super) fn facts(&self, key: Key) -> Option<&Facts> {
        self.facts.get(&key)
    }

    /// Whether anything that was done came from a stranger alone.
    pub(super) fn is_tainted(&self) -> bool {
        self.facts.values().any(|facts| facts.taint().is_some())
    }

    /// Whom any of these came from, if no person ever named it.
    pub(super) fn taint(&self, keys: &[Key]) -> Option<Origin> {
        keys.iter()
            .filter_map(|key| self.facts(*key)?.taint())
            .max()
    }

    /// Whether a word belongs to a command: it is there more often than not.
    pub(super) fn is_stable(&self, step: &Step, word: &Word) -> bool {
        let head = head(step);
        let n_head = self.heads.get(&head).copied().unwrap_or(0);
        let n_word = self
            .words
            .get(&(head, hash(word.text.trim_end_matches('='))))
            .copied()
            .unwrap_or(0);
        n_word >= 2 && n_word * 2 > n_head
    }

    fn key_of(&self, deed: &Deed) -> Key {
        let step = match &deed.what {
            What::Ran(step) => step,
            What::Edited(path) => return hash(&("changed", path)),
        };
        let mut hasher = DefaultHasher::new();
        head(step).hash(&mut hasher);
        let mut belongs = Vec::new();
        let rest = rest(step);
        for word in rest {
            match word.kind {
                Kind::Flag | Kind::Plain if self.is_stable(step, word) => {
                    belongs.push(word.text.trim_end_matches('='));
                }
                _ => {}
            }
        }
        // In whichever order they were typed.
        belongs.sort_unstable();
        belongs.dedup();
        belongs.hash(&mut hasher);
        // What reads a file, or goes on to another program, does something else without it.
        let signs = step.words.iter().filter(|word| word.kind == Kind::Sign);
        signs.for_each(|word| word.text.hash(&mut hasher));
        let others = step.parts().skip(1).filter_map(<[Word]>::first);
        others.for_each(|word| word.text.hash(&mut hasher));
        hasher.finish()
    }
}

/// Whether a command belongs to this project: its program does, or what it is told to do. Which files a tool is pointed at
/// that everybody has says nothing.
fn is_own(step: &Step) -> bool {
    let is_telling = |word: &Word| {
        let is_file = step.is_check && names_a_file(&word.text);
        word.kind == Kind::Plain && !is_file && !habits::is_everyday(&word.text)
    };
    let mut told = step.words.iter().skip(1);
    step.class == Class::Own
        && (!habits::is_known(program_name(step.program())) || told.any(is_telling))
}

fn names_a_file(word: &str) -> bool {
    let name = program_name(word);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    !ending.is_empty() && ending.len() <= 5 && ending.chars().all(|c| c.is_ascii_alphanumeric())
}

/// What is done: the head of a command.
fn head(step: &Step) -> u64 {
    let mut hasher = DefaultHasher::new();
    step.program().hash(&mut hasher);
    let words = step.words.iter().take(step.n_head()).skip(1);
    for word in words.filter(|word| word.kind == Kind::Plain) {
        word.text.hash(&mut hasher);
    }
    hasher.finish()
}

/// The words behind the head, and the options in it.
fn rest(step: &Step) -> &[Word] {
    let n_head = step.n_head();
    // Options stand before what is done as well as behind it.
    let start = match step
        .words
        .iter()
        .take(n_head)
        .any(|word| word.kind == Kind::Flag)
    {
        true => 1,
        false => n_head,
    };
    step.words.get(start..).unwrap_or_default()
}

type Counts = (HashMap<u64, u32>, HashMap<(u64, u64), u32>);

/// In how many sessions there is each head, and each word behind it.
fn count(notes: &[Notes]) -> Counts {
    let (mut heads, mut words) = Counts::default();
    for note in notes {
        let (mut heads_here, mut words_here) = (HashSet::new(), HashSet::new());
        for step in note.deeds.iter().filter_map(Deed::step) {
            let head = head(step);
            heads_here.insert(head);
            words_here.extend(
                rest(step)
                    .iter()
                    .map(|word| (head, hash(word.text.trim_end_matches('=')))),
            );
        }
        for head in heads_here {
            *heads.entry(head).or_default() += 1;
        }
        for word in words_here {
            *words.entry(word).or_default() += 1;
        }
    }
    (heads, words)
}

/// A number that stands for something.
pub(super) fn hash(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
