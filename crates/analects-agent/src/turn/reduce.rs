//! Making room before something is sent.

use analects_chat::budget::{self, Fit, Load, Overflow, Swaps, fit};
use analects_chat::compress::{self, Answer, Ask, Outcome, Status, Trigger};
use analects_chat::keep::{Kept, Shelf};
use analects_chat::swap;

use super::{Compressed, Dialogue, End, Next, Note, Stage, Step, Swapped, Why, Written, trim};

/// Whatever is done, it is not done more often than this before one request.
const MAX_REDUCTIONS: usize = 12;

impl Dialogue {
    /// Does what is necessary until everything fits, cheap things first.
    pub(super) fn reduce(&mut self) -> Step {
        if self.n_reductions >= MAX_REDUCTIONS {
            return self.checked();
        }
        self.n_reductions += 1;
        let exempt: Vec<_> = self.options.exempt.iter().map(String::as_str).collect();
        let profile = self.limits.profile;
        let load = Load {
            history: &self.history,
            request_tokens: self.gauge.cost(&self.pending, profile),
            gauge: &self.gauge,
            backoff: &self.backoff,
            limits: &self.limits,
            exempt: &exempt,
            shelf: &Shelf {
                dir: &self.options.shelf_dir,
                profile,
            },
            swaps: self.swaps,
        };
        match fit(&load) {
            Fit::AsIs => self.ready(),
            Fit::Mask(plan) => self.keep(plan, Why::Old),
            Fit::Shorten(plan) => self.keep(plan, Why::Budget),
            Fit::Compress => self.compress(),
            Fit::TooBig(overflow) => self.trim_or_give_up(overflow),
        }
    }

    /// The last thing that can be done: long arguments of calls go.
    fn trim_or_give_up(&mut self, overflow: Overflow) -> Step {
        if trim::calls(&mut self.history) == 0 {
            return self.give_up(End::Overflow(overflow));
        }
        self.gauge.changed();
        self.reduce()
    }

    /// Sends what there is, if it fits.
    fn checked(&mut self) -> Step {
        let request_tokens = self.gauge.cost(&self.pending, self.limits.profile);
        match budget::overflow(self.used_tokens(), request_tokens, &self.limits) {
            Some(overflow) => self.trim_or_give_up(overflow),
            None => self.ready(),
        }
    }

    fn keep(&mut self, mut plan: swap::Plan, why: Why) -> Step {
        let keeps = std::mem::take(&mut plan.keeps);
        self.stage = Stage::Keeping(plan, why);
        Step::only(Next::Keep(keeps))
    }

    pub(super) fn kept(&mut self, plan: swap::Plan, why: Why, kept: &[Kept]) -> Step {
        let swapped = swap::apply(std::mem::take(&mut self.history), plan, kept);
        self.history = swapped.history;
        if swapped.n_swapped == 0 {
            self.swaps = Swaps::Refused;
            return self.reduce();
        }
        self.gauge.changed();
        self.reduce().with(Note::Swapped(Swapped {
            why,
            count: swapped.n_swapped,
            before_tokens: swapped.tokens_before,
            after_tokens: swapped.tokens_after,
        }))
    }

    /// Has a snapshot written in the place of the past.
    pub(super) fn compress(&mut self) -> Step {
        let ask = Ask {
            limits: &self.limits,
            trigger: Trigger::Auto,
            pins: &self.pins,
            focus: None,
            plan_file: self.options.plan_file.as_deref(),
        };
        let Some(plan) = compress::plan(&self.history, &ask) else {
            self.backoff.nothing(self.used_tokens());
            return self.checked();
        };
        let next = Next::Write {
            question: plan.question().clone(),
            n_turns: plan.cut(),
        };
        self.stage = Stage::Writing(Box::new(plan));
        Step::only(next)
    }

    pub(super) fn written(&mut self, plan: compress::Plan, written: &Written) -> Step {
        let answer = match written {
            Written::NotAsked => Answer::NotAsked,
            Written::Failed => Answer::Failed,
            Written::Said(text) => Answer::Said(text),
        };
        let snapshot_id = self.name("snapshot");
        let mut outcome = compress::apply(
            std::mem::take(&mut self.history),
            plan,
            &snapshot_id,
            answer,
        );
        self.history = std::mem::take(&mut outcome.history);
        if outcome.status == Status::Compressed {
            self.gauge.changed();
        }
        // Of what it takes now: measured before, each compression would put off the next one.
        self.backoff.note(&outcome, self.used_tokens());
        let Outcome {
            status,
            before_tokens,
            after_tokens,
            fault,
            gone,
            constraints,
            ..
        } = outcome;
        let note = Note::Compressed(Compressed {
            status,
            snapshot_id,
            before_tokens,
            after_tokens,
            fault,
            gone,
            constraints,
        });
        if status != Status::Compressed {
            return self.reduce().with(note);
        }
        // A prompt that was sent already stands somewhere else now; it is not taken back any more.
        self.sent_from = None;
        // Memory is no part of what was compressed, and what was said of it just in time may be gone.
        self.prepare().with(note)
    }
}
