//! Where a history is cut: what comes before becomes a summary, what comes after stays as it is.
//!
//! The original cuts only before what a user asks. After one prompt and a long run of tools that leaves
//! either everything or almost nothing to be kept, so ours also cuts between the steps of such a run.

use std::collections::HashMap;

use analects_world::Profile;
use analects_world::model::{Content, Role};

use crate::limits::part;
use crate::shape::{is_request, is_response};
use crate::weigh::{self, QUARTERS};

/// How much shorter than allowed a tail may be to begin with a request: a third.
const TOLERANCE: usize = 3;

/// A cut that lets less than this part go is as good as none: a tenth.
const IDLE: usize = 10;

/// The place of the oldest turn that stays when this share of a history is to go; 0 if nothing goes, the
/// length if everything does (`seed` and `head` only). A share that is not between 0 and 1, for which the
/// original throws, lets nothing go.
///
/// `seed` and `head` measure turns as JSON and cut before the first request that has at least the share
/// before it. Where there is none, everything goes after an answer without calls, and else what comes
/// before the last request. `analects` keeps a tail, see [`split_for_tail`].
#[must_use]
pub fn split_point(history: &[Content], fraction: f64, profile: Profile) -> usize {
    if !(fraction > 0.0 && fraction < 1.0) {
        return 0;
    }
    match profile {
        Profile::Analects => {
            let tokens = weigh::history(history, profile);
            split_for_tail(history, part(tokens, 1.0 - fraction))
        }
        Profile::Seed | Profile::Head => split_by_length(history, fraction),
    }
}

/// The place of the oldest turn that stays when the newest ones are kept, up to `tail_tokens`; 0 if the whole
/// history is that small, or if it cannot be cut.
///
/// A cut is possible before a request, and before a turn of the model that follows responses; never
/// between a call and its response, nor behind calls that wait for theirs. Of the cuts that leave a tail
/// that is small enough the oldest is taken, except that one before a request is preferred if its tail has
/// at least two thirds of the tokens.
///
/// The last exchange always stays, even if it is too long: everything from the last request on; or when
/// that alone is too long and tools ran in it, from the last turn of calls on that are all answered. Where
/// no cut there is possible, the next older one is taken.
///
/// Meant for histories without faults. In others a response still stays with an earlier call of its id, but
/// a cut may be missed.
#[must_use]
pub fn split_for_tail(history: &[Content], tail_tokens: usize) -> usize {
    let tails = tails(history);
    let fits = |at: usize| tails.get(at).is_none_or(|&tokens| tokens <= tail_tokens);
    if fits(0) {
        return 0;
    }
    let latest = last_exchange(history, fits);
    let cuts = cuts(history);
    let n_possible = cuts.partition_point(|cut| cut.at <= latest);
    let possible = cuts.get(..n_possible).unwrap_or_default();
    let n_too_long = possible.partition_point(|cut| !fits(cut.at));
    let fitting = possible.get(n_too_long..).unwrap_or_default();
    let least = tail_tokens - tail_tokens / TOLERANCE;
    let is_long = |cut: &&Cut| tails.get(cut.at).is_some_and(|&tokens| tokens >= least);
    let at_request = { fitting.iter() }
        .take_while(is_long)
        .find(|cut| cut.is_request);
    let cut = at_request.or(fitting.first()).or(possible.last());
    cut.map_or(0, |cut| cut.at)
}

/// The same, where the last exchange may go as well: if keeping it lets next to nothing go, and it is over, the cut is
/// where its tail fits, or behind all of it. For those who keep the request all the same.
#[must_use]
pub(super) fn split_within_exchange(history: &[Content], tail_tokens: usize) -> usize {
    let cut = split_for_tail(history, tail_tokens);
    let tails = tails(history);
    let weight = |at: usize| tails.get(at).copied().unwrap_or_default();
    let is_idle = weight(cut) > tail_tokens && weight(cut) > weight(0) - weight(0) / IDLE;
    let is_over = history.iter().any(is_request) && history.last().is_some_and(is_answer);
    if !is_idle || !is_over {
        return cut;
    }
    let later = cuts(history).into_iter().filter(|it| it.at > cut);
    let fitting = later.map(|it| it.at).find(|at| weight(*at) <= tail_tokens);
    fitting.unwrap_or(history.len())
}

/// Whether a history ends with calls that are all answered: nothing is under way.
pub(super) fn is_settled(history: &[Content]) -> bool {
    matches!(history, [.., calls, responses] if is_answered(calls, responses))
}

/// Whether a turn is the model's last word.
fn is_answer(turn: &Content) -> bool {
    turn.role == Role::Model && turn.calls().next().is_none()
}

fn split_by_length(history: &[Content], fraction: f64) -> usize {
    let lengths: Vec<_> = history.iter().map(weigh::json_units).collect();
    #[expect(
        clippy::cast_precision_loss,
        reason = "the original counts in floats, and no history has 2^52 characters"
    )]
    let float = |length: usize| length as f64;
    let target = float(lengths.iter().sum()) * fraction;
    let mut before = 0;
    let mut last_request = 0;
    for (at, (content, length)) in history.iter().zip(lengths).enumerate() {
        if is_request(content) {
            if float(before) >= target {
                return at;
            }
            last_request = at;
        }
        before += length;
    }
    match history.last().is_some_and(is_answer) {
        true => history.len(),
        false => last_request,
    }
}

/// What the turns from each place on cost together.
fn tails(history: &[Content]) -> Vec<usize> {
    let mut quarters = 0;
    let newest_first = history.iter().rev().map(|content| {
        quarters += weigh::content_quarters(content, Profile::Analects);
        quarters / QUARTERS
    });
    let mut tails: Vec<_> = newest_first.collect();
    tails.reverse();
    tails
}

/// Where the last exchange begins, which always stays.
fn last_exchange(history: &[Content], fits: impl Fn(usize) -> bool) -> usize {
    let last_request = history.iter().rposition(is_request);
    if let Some(at) = last_request.filter(|&at| fits(at)) {
        return at;
    }
    let run_start = last_request.map_or(0, |at| at + 1);
    let run = history.get(run_start..).unwrap_or_default();
    let last_pair = run.windows(2).rposition(|pair| match pair {
        [calls, responses] => is_answered(calls, responses),
        _ => false,
    });
    match (last_pair, last_request) {
        (Some(pair), _) => run_start + pair,
        (None, Some(request)) => request,
        (None, None) => history.len().saturating_sub(1),
    }
}

fn is_answered(calls: &Content, responses: &Content) -> bool {
    let n_calls = calls.calls().count();
    calls.role == Role::Model && n_calls > 0 && responses.responses().count() >= n_calls
}

/// A place where a history may be cut.
struct Cut {
    at: usize,
    is_request: bool,
}

/// All places, oldest first; not the start, where nothing is cut off.
fn cuts(history: &[Content]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    // A call is behind us and its response is not: how many there are changes at these places.
    let (begins, ends) = spans(history);
    let mut n_open = 0;
    let turns = history
        .windows(2)
        .zip(1..)
        .zip(begins.into_iter().zip(ends.into_iter().skip(1)));
    for ((pair, at), (begun, ended)) in turns {
        let [before, turn] = pair else { continue };
        n_open += begun;
        let is_request = is_request(turn);
        let is_step = turn.role == Role::Model && is_response(before);
        if n_open == 0 && before.calls().next().is_none() && (is_request || is_step) {
            cuts.push(Cut { at, is_request });
        }
        n_open -= ended;
    }
    cuts
}

/// For each turn, how many of its calls are answered later, and how many earlier calls it answers.
fn spans(history: &[Content]) -> (Vec<usize>, Vec<usize>) {
    let mut begins = vec![0; history.len()];
    let mut ends = vec![0; history.len()];
    let mut open: HashMap<&str, usize> = HashMap::new();
    for (at, content) in history.iter().enumerate() {
        for response in content.responses() {
            let call_at = response.id.as_deref().and_then(|id| open.remove(id));
            let begin = call_at.and_then(|call_at| begins.get_mut(call_at));
            if let (Some(begin), Some(end)) = (begin, ends.get_mut(at)) {
                *begin += 1;
                *end += 1;
            }
        }
        for call in content.calls() {
            open.extend(call.id.as_deref().map(|id| (id, at)));
        }
    }
    (begins, ends)
}

#[cfg(test)]
mod tests;
