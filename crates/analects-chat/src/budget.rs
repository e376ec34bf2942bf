//! Whether what is to be sent fits, and what to do first if it does not.
//!
//! Cheap steps come first: they cost no model call. After each of them the history is measured again, so a
//! step that gained enough is the last one.

mod backoff;
mod calibration;
mod gauge;

use analects_world::model::Content;

use crate::keep::Shelf;
use crate::limits::{Limits, part};
use crate::{mask, shorten, swap};

pub use backoff::{Backoff, Urgency};
pub use calibration::{Calibration, Sample};
pub use gauge::Gauge;

/// What to do before a request can be sent.
#[derive(Debug)]
pub enum Fit {
    /// Nothing: it fits.
    AsIs,
    /// Put old tool output away.
    Mask(swap::Plan),
    /// Cut tool output to its budget.
    Shorten(swap::Plan),
    /// Compress the history.
    Compress,
    /// It does not fit, whatever is done: nothing may be sent.
    TooBig(Overflow),
}

/// A request that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow {
    /// What the request would cost.
    pub request_tokens: usize,
    /// What is left of the window.
    pub remaining_tokens: usize,
    /// The window.
    pub window_tokens: usize,
}

/// What is to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// What was said so far.
    pub history: &'a [Content],
    /// What the new request alone costs.
    pub request_tokens: usize,
    /// What everything so far takes of the window.
    pub gauge: &'a Gauge,
    /// What came of the last compression.
    pub backoff: &'a Backoff,
    /// How much of everything there may be.
    pub limits: &'a Limits,
    /// Tools whose output is never put away.
    pub exempt: &'a [&'a str],
    /// Where whole outputs are put.
    pub shelf: &'a Shelf<'a>,
    /// Whether they can be.
    pub swaps: Swaps,
}

/// Whether outputs can give way to pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swaps {
    /// They can.
    Possible,
    /// The disk refused the last time: asked again at once, it would refuse for ever.
    Refused,
}

/// What to do next. To be asked again after each step, until it says [`Fit::AsIs`] or [`Fit::TooBig`].
#[must_use]
pub fn fit(load: &Load<'_>) -> Fit {
    let Load {
        history, limits, ..
    } = *load;
    let can_swap = load.swaps == Swaps::Possible;
    if let Some(plan) = can_swap
        .then(|| mask::plan(history, limits, load.exempt, load.shelf))
        .flatten()
    {
        return Fit::Mask(plan);
    }
    let used = load.gauge.used(history, limits.profile);
    let overflow = overflow(used, load.request_tokens, limits);
    let is_long = used + load.request_tokens >= limits.compress_at_tokens;
    let urgency = match overflow {
        Some(_) => Urgency::Overflow,
        None => Urgency::Usual,
    };
    if (is_long || overflow.is_some()) && load.backoff.allows(used, urgency) {
        let plan = can_swap.then(|| shorten::budget::plan(history, limits, used, load.shelf));
        return plan.flatten().map_or(Fit::Compress, Fit::Shorten);
    }
    overflow.map_or(Fit::AsIs, Fit::TooBig)
}

/// What is wrong if a request of this size is sent now.
#[must_use]
pub fn overflow(used_tokens: usize, request_tokens: usize, limits: &Limits) -> Option<Overflow> {
    let remaining_tokens = limits.window_tokens.saturating_sub(used_tokens);
    // Where tools have answered there is nothing new to send, and yet it may be too much.
    let is_full = used_tokens > limits.window_tokens;
    let is_over = is_full || request_tokens > part(remaining_tokens, limits.overflow_share);
    is_over.then_some(Overflow {
        request_tokens,
        remaining_tokens,
        window_tokens: limits.window_tokens,
    })
}

/// From which share of the window on it helps to compress.
const HELPS_SHARE: f64 = 0.25;

impl Overflow {
    /// What to tell the user: both numbers, and what to do.
    #[must_use]
    pub fn message(&self) -> String {
        let Self {
            request_tokens,
            remaining_tokens,
            window_tokens,
        } = self;
        if *request_tokens == 0 {
            return format!(
                "what was said so far is more than the {window_tokens} tokens of the model's window, and none of it could be made shorter: begin a new session, or choose a model with a larger window"
            );
        }
        let used = window_tokens.saturating_sub(*remaining_tokens);
        let advice = match used > part(*window_tokens, HELPS_SHARE) {
            true => "compress the session, begin a new one, or send less at once",
            false => "send less at once, or choose a model with a larger window",
        };
        format!(
            "this message would take about {request_tokens} tokens, and {remaining_tokens} of {window_tokens} are left: {advice}"
        )
    }
}

#[cfg(test)]
mod tests;
