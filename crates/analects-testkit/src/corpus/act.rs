//! Something that happens in some sessions of a project, and what should be learned from it.

use super::episode::{Episode, Scene};
use super::{Decoy, Planted, Poison};

/// Something that happens in some sessions, each time a little differently.
pub(super) struct Act {
    pub(super) n_sessions: usize,
    pub(super) place: Place,
    pub(super) play: Play,
    pub(super) planted: Option<Planted>,
    pub(super) decoy: Option<Decoy>,
    pub(super) poison: Option<Poison>,
}

/// Plays it in one session.
pub(super) type Play = Box<dyn Fn(&mut Scene<'_>, Time) -> Episode>;

/// The how-manieth time something happens, counted from zero, and how often it will.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time {
    pub(super) nth: usize,
    pub(super) of: usize,
}

/// In which sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In sessions from which something may be learned.
    Eligible,
    /// Only in others.
    Ineligible,
    /// In one session, of which there are two files.
    Twice,
}

impl Act {
    pub(super) fn planted(planted: Planted, n_sessions: usize, play: Play) -> Self {
        Self {
            planted: Some(planted),
            ..Self::new(n_sessions, play)
        }
    }

    pub(super) fn decoy(
        what: &'static str,
        heads: Vec<String>,
        n_sessions: usize,
        play: Play,
    ) -> Self {
        let decoy = Decoy { what, heads };
        Self {
            decoy: Some(decoy),
            ..Self::new(n_sessions, play)
        }
    }

    pub(super) fn poison(poison: Poison, n_sessions: usize, play: Play) -> Self {
        Self {
            poison: Some(poison),
            ..Self::new(n_sessions, play)
        }
    }

    pub(super) fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    fn new(n_sessions: usize, play: Play) -> Self {
        Self {
            n_sessions,
            place: Place::Eligible,
            play,
            planted: None,
            decoy: None,
            poison: None,
        }
    }
}
