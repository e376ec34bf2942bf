//! Tells whether two facts contradict each other: one orders what the other forbids, denies what it states, or gives
//! the same thing another value.
//!
//! Like [`Stance`], it would rather miss a clash than see one that is none: both must say the same but for one value,
//! and the values must be of one kind. What a clash means is for a person to say.

mod rivals;
mod saying;
#[cfg(test)]
mod tests;

use analects_text::likeness::Stance;
use analects_text::truncate;

use saying::Clause;

/// A fact, ready to be held against others.
#[derive(Debug)]
pub struct Claim {
    stance: Option<Stance>,
    clauses: Vec<Clause>,
}

/// How two facts clash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clash {
    /// One is the denial of the other.
    Opposite,
    /// They give one thing two values: that of the first, that of the second.
    Values(String, String),
}

/// What is said after this many bytes is not listened to.
const MAX_BYTES: usize = 1024;
/// The same for clauses.
const MAX_CLAUSES: usize = 6;

impl Claim {
    /// Reads `fact`.
    #[must_use]
    pub fn of(fact: &str) -> Self {
        let fact = truncate::head_bytes(fact, MAX_BYTES);
        Self {
            stance: Stance::of(fact),
            clauses: Clause::all(fact).take(MAX_CLAUSES).collect(),
        }
    }

    /// How it clashes with another fact, if it does.
    #[must_use]
    pub fn clash(&self, other: &Self) -> Option<Clash> {
        if let (Some(mine), Some(theirs)) = (&self.stance, &other.stance)
            && mine.contradicts(theirs)
        {
            return Some(Clash::Opposite);
        }
        let mut pairs = self
            .clauses
            .iter()
            .flat_map(|mine| other.clauses.iter().map(move |theirs| (mine, theirs)));
        pairs.find_map(|(mine, theirs)| mine.clash(theirs))
    }
}
