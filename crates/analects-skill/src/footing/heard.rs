//! What one session says about a step, and what all of them come to.

use super::steps::{MAX_NAMES, Needle, Wanted};
use super::{Place, Rest, Span};
use crate::origin::Origin;

/// What of a step stands in one text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hit {
    /// Whether it stands there word for word.
    is_line: bool,
    /// Which of its names do, a bit for each.
    names: u8,
}

impl Hit {
    pub(super) fn add(&mut self, needle: &Needle<'_>) {
        match needle {
            Needle::Line(_) => self.is_line = true,
            Needle::Name(_, name_idx) => self.names |= 1 << name_idx,
        }
    }
}

/// Where a step was met in one session, up to a place in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// All of its names, a bit for each.
    names: u8,
    /// Whether it is known by its names alone.
    is_name: bool,
    /// The worst of the strangers that said it word for word.
    by_stranger: Option<Origin>,
    /// The worst of those that said each of its names.
    named_by_stranger: [Option<Origin>; MAX_NAMES],
    /// Which of its names the person said.
    named_by_user: u8,
    /// Where the person said it, or had it done.
    users: Option<String>,
    /// Where the model said or did it by itself.
    own: Option<String>,
    /// Whether it did more than say it.
    is_unasked: bool,
    /// Whether it did something by itself that has the same names.
    is_alike_unasked: bool,
    /// The worst of the strangers after whose words it was done.
    obeyed: Option<Origin>,
}

impl Heard {
    pub(super) fn new(step: &Wanted) -> Self {
        let n_names = step.names.len().min(MAX_NAMES);
        Self {
            names: (0..n_names).fold(0, |bits, name_idx| bits | 1 << name_idx),
            is_name: step.lines.is_empty(),
            ..Self::default()
        }
    }

    /// What is known of a step in a session that has too much of it.
    pub(super) fn lost() -> Self {
        Self {
            by_stranger: Some(Origin::Program),
            ..Self::default()
        }
    }

    pub(super) fn hear(&mut self, span: &Span, hit: Hit) {
        let has_names = self.names != 0 && hit.names == self.names;
        let is_it = hit.is_line || (self.is_name && has_names);
        match span.origin {
            Origin::User => {
                self.named_by_user |= hit.names;
                if is_it {
                    self.users.get_or_insert_with(|| span.message.clone());
                }
            }
            Origin::Model | Origin::Command => {
                let stranger = self.stranger();
                let is_free = match stranger {
                    None => true,
                    // What the program retells of earlier turns may well be what was run in them.
                    Some(origin) => origin == Origin::Program && span.is_done,
                };
                let is_named = self.names != 0 && self.named_by_user == self.names;
                if !is_it {
                    self.is_alike_unasked |= span.is_done && has_names && is_free;
                } else if span.is_done && is_named {
                    self.users.get_or_insert_with(|| span.message.clone());
                } else if is_free {
                    self.own.get_or_insert_with(|| span.message.clone());
                    self.is_unasked |= span.is_done;
                } else if span.is_done {
                    self.obeyed = worse(self.obeyed, stranger);
                }
            }
            Origin::File | Origin::Server | Origin::Web | Origin::Issue | Origin::Program => {
                let by = Some(span.origin);
                if hit.is_line {
                    self.by_stranger = worse(self.by_stranger, by);
                }
                for (name_idx, known) in self.named_by_stranger.iter_mut().enumerate() {
                    if hit.names & (1 << name_idx) != 0 {
                        *known = worse(*known, by);
                    }
                }
            }
        }
    }

    /// The worst of the strangers that said it so far, in either way.
    fn stranger(&self) -> Option<Origin> {
        worse(self.by_stranger, self.describer())
    }

    /// The worst of those that said a name of it before the person did.
    fn describer(&self) -> Option<Origin> {
        let names = self.named_by_stranger.iter().enumerate();
        let unsaid = names.filter(|(name_idx, _)| self.named_by_user & (1 << name_idx) == 0);
        unsaid.fold(None, |worst, (_, by)| worse(worst, *by))
    }
}

/// What all sessions say about a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    places: Vec<Place>,
    is_users: bool,
    /// In how many sessions it was done unasked.
    n_unasked: usize,
    /// In how many after somebody outside this machine had asked for it, and the worst of those.
    n_obeyed: usize,
    obeyed: Option<Origin>,
    /// The worst of the strangers that said it word for word, and of those that named it.
    by_stranger: Option<Origin>,
    named_by_stranger: Option<Origin>,
    is_alike_unasked: bool,
}

impl Tally {
    pub(super) fn add(&mut self, heard: Heard, session_idx: usize) {
        self.is_alike_unasked |= heard.is_alike_unasked;
        self.is_users |= heard.users.is_some();
        let describer = heard.describer();
        let Some(message) = heard.users.or(heard.own) else {
            self.by_stranger = worse(self.by_stranger, heard.by_stranger);
            self.named_by_stranger = worse(self.named_by_stranger, describer);
            if heard.obeyed.is_some_and(Origin::is_foreign) {
                self.n_obeyed += 1;
                self.obeyed = worse(self.obeyed, heard.obeyed);
            }
            return;
        };
        self.n_unasked += usize::from(heard.is_unasked);
        self.places.push(Place {
            session_idx,
            message,
        });
    }

    pub(super) fn rest(self) -> Rest {
        // Whoever keeps asking from outside may well be obeyed where nobody hears of it.
        let outweighs = !self.is_users && self.n_unasked <= self.n_obeyed;
        let named = self.named_by_stranger.filter(|_| !self.is_alike_unasked);
        match (self.obeyed, self.by_stranger.or(named)) {
            (Some(by), _) if outweighs => Rest::Tainted(by),
            _ if !self.places.is_empty() => Rest::Sound(self.places),
            (_, Some(by)) => Rest::Tainted(by),
            (_, None) => Rest::Nothing,
        }
    }
}

/// Of two the one to be more careful about. The program that an agent runs in is less of a stranger than anybody outside.
fn worse(one: Option<Origin>, other: Option<Origin>) -> Option<Origin> {
    let rank = |origin: Origin| (origin != Origin::Program, origin);
    one.into_iter().chain(other).max_by_key(|by| rank(*by))
}
