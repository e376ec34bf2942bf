//! The tool outputs of a history, shortened to what all of them may take together.
//!
//! The newest stay as they are. The one with which the budget is spent is cut to what is left of it, older
//! ones to the floor. The original cuts all of these to the length at which a new output is cut, and leaves
//! a shorter one as it is, so its history may be far over the budget.

use analects_text::{tokens, units};
use analects_world::Profile;
use analects_world::model::{Content, Response};
use serde_json::{Value, json};

use super::{Cap, readable, shown};
use crate::keep::{Label, Shelf};
use crate::limits::{Limits, OUTPUT_FLOOR_CHARS};
use crate::said::{Said, said};
use crate::swap::{Place, Plan, Planner, Swap, newest_first};
use crate::weigh;

/// How often a cut is made anew for a text whose ends cost more than its middle.
const MAX_TRIES: usize = 4;

/// What has to be kept and cut for the outputs to be within `limits.tool_budget_tokens`; `None` if they are,
/// or nothing can be done. `used_tokens` is how far the window is filled.
#[must_use]
pub fn plan(
    history: &[Content],
    limits: &Limits,
    used_tokens: usize,
    shelf: &Shelf<'_>,
) -> Option<Plan> {
    let mut walk = Walk {
        cap: Cap::of(limits, used_tokens),
        shelf,
        planner: Planner::default(),
    };
    let mut spent = 0_usize;
    for (at, answer) in newest_first(history) {
        if answer.response.is_null() {
            continue;
        }
        let said = said(&answer.response, limits.profile);
        let cost = weigh::words(&said.text, limits.profile);
        let left = limits.tool_budget_tokens.saturating_sub(spent);
        let swapped = match cost > left {
            true => walk.cut(at, answer, &said, left),
            false => None,
        };
        spent += swapped.unwrap_or(cost);
    }
    walk.planner.done()
}

struct Walk<'a> {
    cap: Cap,
    shelf: &'a Shelf<'a>,
    planner: Planner,
}

impl Walk<'_> {
    /// Plans a swap, and tells what the new text costs; `None` if the answer stays.
    fn cut(&mut self, at: Place, answer: &Response, said: &Said<'_>, left: usize) -> Option<usize> {
        let profile = self.cap.profile;
        let swap = |response: Value| Swap {
            at,
            keep_idx: None,
            tokens_before: weigh::response_with(answer, &answer.response, profile),
            tokens_after: weigh::response_with(answer, &response, profile),
            response,
        };
        let cap = match profile {
            Profile::Analects | Profile::Seed => self.cap.at_most(room(&said.text, left)),
            Profile::Head => self.cap,
        };
        let Some(text) = readable(&said.text, &cap) else {
            if profile == Profile::Head {
                // Nothing is cut, yet the original puts the text into another field.
                self.planner.swap(swap(json!({ "output": said.text })));
            }
            return None;
        };
        let label = Label {
            tool: &answer.name,
            call_id: answer.id.as_deref(),
        };
        let keep = self.shelf.keep_again(label, &text);
        let short = match profile {
            Profile::Analects | Profile::Seed => fitting(&text, &keep.path, cap, left),
            Profile::Head => shown(&text, &keep.path, &cap).0,
        };
        let cost = weigh::words(&short, profile);
        let mut swap = swap(said.instead(&answer.response, short, profile));
        if swap.tokens_after >= swap.tokens_before && profile != Profile::Head {
            return None;
        }
        swap.keep_idx = Some(self.planner.keep(keep));
        self.planner.swap(swap);
        Some(cost)
    }
}

/// How many units of a text this many tokens pay, if it costs the same everywhere.
fn room(text: &str, n_tokens: usize) -> usize {
    let quarters = tokens::quarters(text).max(1);
    let share = units::count(text) as u128 * 4 * n_tokens as u128 / quarters as u128;
    usize::try_from(share).unwrap_or(usize::MAX)
}

/// The ends of a text for that many tokens, or as short as it gets.
fn fitting(text: &str, path: &str, cap: Cap, n_tokens: usize) -> String {
    let mut cap = cap;
    for _ in 0..MAX_TRIES {
        let short = shown(text, path, &cap).0;
        let cost = weigh::words(&short, cap.profile);
        if cost <= n_tokens || cap.chars <= OUTPUT_FLOOR_CHARS {
            return short;
        }
        cap = cap.at_most(cap.chars * n_tokens / cost / 10 * 9);
    }
    // Whatever the ends are, no unit costs more than one and a half tokens.
    shown(text, path, &cap.at_most(n_tokens / 3 * 2)).0
}
