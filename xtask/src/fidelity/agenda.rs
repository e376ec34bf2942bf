//! What is yet to be told in a stage of a session, and when.

use std::collections::VecDeque;

use super::dice::Dice;
use super::fact::{Kind, Language, Place};

/// A stage with fewer tokens is small.
pub(crate) const SMALL: usize = 20_000;

/// A fact that waits for its moment.
pub(crate) struct Pending {
    /// Which share of the stage is over then, in thousandths.
    due: usize,
    /// What kind of fact it is.
    pub(crate) kind: Kind,
    /// In which language it will be told.
    pub(crate) language: Language,
}

/// What is yet to be told in a stage, and how long it is.
pub(crate) struct Agenda {
    start: usize,
    /// How many tokens the stage has.
    pub(crate) length: usize,
    user: VecDeque<Pending>,
    tool: VecDeque<Pending>,
    model: VecDeque<Pending>,
}

impl Agenda {
    /// Six facts of ten for the user, three for tools, one for the model; of each the same of every kind and
    /// language as far as it goes, in any order.
    pub(crate) fn new(start: usize, length: usize, n_facts: usize, dice: &mut Dice) -> Self {
        let n_tool = (n_facts * 3 + 5) / 10;
        let n_model = (n_facts + 5) / 10;
        let n_user = n_facts - n_tool - n_model;
        // The last facts must be told before the end; one request of a small stage takes long.
        let latest = if length < SMALL { 840 } else { 960 };
        let mut some = |n: usize| {
            let offset = dice.below(8);
            let all = (0..n).map(|at| {
                let at = at + offset;
                (Kind::ALL[at % 4], Language::ALL[at / 4 % 2])
            });
            let mut all: Vec<_> = all.collect();
            dice.shuffle(&mut all);
            let mut dues: Vec<_> = (0..n).map(|_| dice.below(latest)).collect();
            dues.sort_unstable();
            let pending = all.into_iter().zip(dues);
            let pending = pending.map(|((kind, language), due)| Pending {
                due,
                kind,
                language,
            });
            pending.collect::<VecDeque<_>>()
        };
        Self {
            start,
            length: length.max(1),
            user: some(n_user),
            tool: some(n_tool),
            model: some(n_model),
        }
    }

    /// What is due by this moment, in tokens since the beginning.
    pub(crate) fn next(&mut self, place: Place, by: usize) -> Option<Pending> {
        let over = by.saturating_sub(self.start) * 1000 / self.length;
        let waiting = match place {
            Place::User => &mut self.user,
            Place::Tool => &mut self.tool,
            Place::Model => &mut self.model,
        };
        waiting.pop_front_if(|pending| pending.due <= over)
    }

    /// In which language the user will tell the next fact.
    pub(crate) fn language_of_next(&self) -> Option<Language> {
        self.user.front().map(|pending| pending.language)
    }

    /// What the user will tell later after all.
    pub(crate) fn put_back(&mut self, pending: Pending) {
        self.user.push_front(pending);
    }

    /// Whether the stage is as long as it should be.
    pub(crate) fn is_late(&self, by: usize) -> bool {
        by.saturating_sub(self.start) >= self.length
    }

    /// Whether all is done but what the user has to say, if anything: there is no time for more work.
    pub(crate) fn is_waiting_for_user(&self, by: usize) -> bool {
        self.tool.is_empty() && self.is_late(by)
    }

    /// Whether nothing is left to be told, too.
    pub(crate) fn is_over(&self, by: usize) -> bool {
        let is_told = [&self.user, &self.tool, &self.model]
            .iter()
            .all(|waiting| waiting.is_empty());
        is_told && self.is_late(by)
    }
}
