//! Replaces tool outputs by a pointer, once their text is stored.
//!
//! Only what a tool answered is changed: turns, calls, ids and everything beside an answer stay as they are.

use std::collections::HashMap;

use analects_world::model::{Body, Content, Response};
use serde_json::Value;

use crate::keep::{Keep, Kept};

/// What is to be kept, and what stands in its place then.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// The texts to keep, each once.
    pub keeps: Vec<Keep>,
    swaps: Vec<Swap>,
}

/// A history in which outputs gave way.
#[derive(Debug, Clone, PartialEq)]
pub struct Swapped {
    /// The history.
    pub history: Vec<Content>,
    /// How many outputs gave way.
    pub n_swapped: usize,
    /// What they cost before.
    pub tokens_before: usize,
    /// What stands in their place costs.
    pub tokens_after: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Swap {
    pub(crate) at: Place,
    /// `None` if nothing is lost.
    pub(crate) keep_idx: Option<usize>,
    pub(crate) response: Value,
    pub(crate) tokens_before: usize,
    pub(crate) tokens_after: usize,
}

/// Where in a history an answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) content_idx: usize,
    pub(crate) part_idx: usize,
}

/// The history for which the plan was made, with every output swapped whose text was saved.
///
/// `outcomes` stand in the order of the plan's `keeps`; one that is missing counts as failed.
#[must_use]
pub fn apply(mut history: Vec<Content>, plan: Plan, outcomes: &[Kept]) -> Swapped {
    let (mut n_swapped, mut tokens_before, mut tokens_after) = (0, 0, 0);
    for swap in plan.swaps {
        let is_safe = (swap.keep_idx).is_none_or(|idx| outcomes.get(idx) == Some(&Kept::Saved));
        let answer = answer_mut(&mut history, swap.at).filter(|_| is_safe);
        let Some(answer) = answer else { continue };
        answer.response = swap.response;
        n_swapped += 1;
        tokens_before += swap.tokens_before;
        tokens_after += swap.tokens_after;
    }
    Swapped {
        history,
        n_swapped,
        tokens_before,
        tokens_after,
    }
}

/// What tools answered, newest first.
pub(crate) fn newest_first(history: &[Content]) -> impl Iterator<Item = (Place, &Response)> {
    let contents = history.iter().enumerate().rev();
    contents.flat_map(|(content_idx, content)| {
        let parts = content.parts.iter().enumerate().rev();
        parts.filter_map(move |(part_idx, part)| match &part.body {
            Body::Response(answer) => Some((
                Place {
                    content_idx,
                    part_idx,
                },
                answer,
            )),
            _ => None,
        })
    })
}

/// Makes a plan, swap by swap.
#[derive(Default)]
pub(crate) struct Planner {
    plan: Plan,
    by_path: HashMap<String, usize>,
}

impl Planner {
    /// Where the text of a keep stands in the plan; the same text is kept once.
    pub(crate) fn keep(&mut self, keep: Keep) -> usize {
        let known = self.by_path.get(&keep.path).copied();
        if let Some(idx) = known.filter(|&idx| self.plan.keeps.get(idx) == Some(&keep)) {
            return idx;
        }
        let idx = self.plan.keeps.len();
        self.by_path.insert(keep.path.clone(), idx);
        self.plan.keeps.push(keep);
        idx
    }

    pub(crate) fn swap(&mut self, swap: Swap) {
        self.plan.swaps.push(swap);
    }

    /// The plan, if there is anything to do.
    pub(crate) fn done(self) -> Option<Plan> {
        Some(self.plan).filter(|plan| !plan.swaps.is_empty())
    }
}

fn answer_mut(history: &mut [Content], at: Place) -> Option<&mut Response> {
    let content = history.get_mut(at.content_idx)?;
    match &mut content.parts.get_mut(at.part_idx)?.body {
        Body::Response(answer) => Some(answer),
        _ => None,
    }
}
