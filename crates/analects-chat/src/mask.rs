//! Masking: old tool outputs are replaced by a pointer to their text.
//!
//! The newest outputs stay, up to a number of tokens, and so does the last exchange with the tools; what is
//! older is masked, if that is enough to be worth it and where it saves something. A pointer has the path,
//! the size, and a glimpse of both ends.
//!
//! An output that looks like a pointer is none: ours has an exact form, names a file of its own call and is
//! short. The original takes every output for masked that has its tag somewhere inside.

mod preview;

use analects_text::{tokens, units};
use analects_world::Profile;
use analects_world::model::{Content, Response};
use serde_json::{Value, json};

use crate::keep::{Keep, Label, MASK_TAG, Shelf};
use crate::limits::{Limits, OUTPUT_FLOOR_CHARS};
use crate::said::{pretty, said, worded};
use crate::shorten::ends::ends;
use crate::shorten::{Size, grouped, left_out};
use crate::swap::{Place, Plan, Planner, Swap, newest_first};
use crate::weigh;

/// Tools whose outputs are worth more than they cost, by the names of the original.
pub const EXEMPT: [&str; 4] = [
    "activate_skill",
    "ask_user",
    "enter_plan_mode",
    "exit_plan_mode",
];

const PREVIEW_TOKENS: usize = 200;
const PREVIEW_LINES: usize = 20;
const ORIGINAL_POINTER: &str = "Output too large. Full output available at: ";

/// What has to be kept and masked; `None` if it is not worth it. Outputs of tools in `exempt` stay.
#[must_use]
pub fn plan(
    history: &[Content],
    limits: &Limits,
    exempt: &[&str],
    shelf: &Shelf<'_>,
) -> Option<Plan> {
    let old = outdated(history, limits, exempt);
    let prunable: usize = old.iter().map(|old| old.tokens).sum();
    if prunable < limits.prune_from_tokens {
        return None;
    }
    let mut planner = Planner::default();
    let mut n_pruned = 0;
    for Old { at, answer, tokens } in old {
        let (keep, response) = masked(answer, limits.profile, shelf);
        let tokens_after = weigh::response_with(answer, &response, limits.profile);
        let is_worth_it = match limits.profile {
            // Half an output is worth more than what a pointer saves on it.
            Profile::Analects | Profile::Seed => tokens_after * 2 <= tokens,
            Profile::Head => tokens_after < tokens,
        };
        if is_worth_it {
            n_pruned += tokens;
            let keep_idx = Some(planner.keep(keep));
            planner.swap(Swap {
                at,
                keep_idx,
                response,
                tokens_before: tokens,
                tokens_after,
            });
        }
    }
    match limits.profile {
        Profile::Analects | Profile::Seed if n_pruned < limits.prune_from_tokens => None,
        _ => planner.done(),
    }
}

/// Whether an answer is a pointer that was put in the place of another.
#[must_use]
pub fn is_masked(answer: &Response, profile: Profile) -> bool {
    match profile {
        Profile::Analects | Profile::Seed => {
            worded(&answer.response).is_some_and(|text| is_pointer(text, label(answer)))
        }
        Profile::Head => has_tag(&answer.response),
    }
}

/// An output that the newest ones have outdated.
struct Old<'a> {
    at: Place,
    answer: &'a Response,
    tokens: usize,
}

/// All outputs beyond the newest `protect_tokens`, newest first. The one that crosses that line is among them.
fn outdated<'a>(history: &'a [Content], limits: &Limits, exempt: &[&str]) -> Vec<Old<'a>> {
    let profile = limits.profile;
    let latest = latest(history, profile);
    let mut n_newer = 0_usize;
    let mut old = Vec::new();
    for (at, answer) in newest_first(history) {
        let is_latest = at.content_idx >= latest;
        let counts = profile != Profile::Head || !is_latest;
        if !counts
            || exempt.contains(&&*answer.name)
            || says_nothing(&answer.response)
            || is_masked(answer, profile)
        {
            continue;
        }
        let tokens = weigh::response_with(answer, &answer.response, profile);
        n_newer = n_newer.saturating_add(tokens);
        if n_newer > limits.protect_tokens && !is_latest {
            old.push(Old { at, answer, tokens });
        }
    }
    old
}

/// From which turn on everything is still under the model's eyes.
fn latest(history: &[Content], profile: Profile) -> usize {
    match profile {
        // The last call of tools, and what they answer.
        Profile::Analects | Profile::Seed => {
            let last_call = history
                .iter()
                .rposition(|content| content.calls().next().is_some());
            last_call.unwrap_or(history.len())
        }
        // Whatever comes last, which is mostly the call alone.
        Profile::Head => history.len().saturating_sub(1),
    }
}

fn says_nothing(response: &Value) -> bool {
    !preview::is_truthy(response)
}

/// The whole text of an answer, and the pointer at it.
fn masked(answer: &Response, profile: Profile, shelf: &Shelf<'_>) -> (Keep, Value) {
    let label = label(answer);
    if profile == Profile::Head {
        let text = pretty(&answer.response);
        let keep = shelf.keep_again(label, &text);
        let preview = preview::original(answer, &text);
        let path = &keep.path;
        let pointer = format!("<{MASK_TAG}>\n{preview}\n\n{ORIGINAL_POINTER}{path}\n</{MASK_TAG}>");
        return (keep, json!({ "output": pointer }));
    }
    let said = said(&answer.response, profile);
    let keep = shelf.keep_again(label, &said.text);
    let pointer = pointer(&said.text, &keep.path);
    let response = said.instead(&answer.response, pointer, profile);
    (keep, response)
}

fn label(answer: &Response) -> Label<'_> {
    Label {
        tool: &answer.name,
        call_id: answer.id.as_deref(),
    }
}

fn pointer(text: &str, path: &str) -> String {
    let (size, quarters) = (Size::of(text), tokens::quarters(text).max(1));
    let n_quarters = (quarters / 4).min(PREVIEW_TOKENS * 4);
    let shown = ends(
        text,
        size.units * n_quarters / quarters,
        Some(PREVIEW_LINES),
    )
    .harmless();
    let n_shown: usize = shown.units().iter().sum();
    let preview = shown.around(&left_out(size.units.saturating_sub(n_shown)));
    let (n_bytes, n_lines) = (grouped(text.len()), grouped(size.lines));
    format!(
        "<{MASK_TAG}>\n{}\nMasked: {n_bytes} bytes on {n_lines} lines. Whole text: {path}\n</{MASK_TAG}>",
        preview.trim_end_matches('\n')
    )
}

/// Whether a text has the form of a pointer, ours or the original's, at a text of this very call.
fn is_pointer(text: &str, label: Label<'_>) -> bool {
    let inner = text
        .strip_prefix("<tool_output_masked>\n")
        .and_then(|rest| rest.strip_suffix("\n</tool_output_masked>"));
    let Some((_, last)) = inner.and_then(|inner| inner.rsplit_once('\n')) else {
        return false;
    };
    let path = last
        .strip_prefix(ORIGINAL_POINTER)
        .or_else(|| path_of_ours(last));
    // A text that is longer than any pointer gains nothing by looking like one.
    units::count(text) <= OUTPUT_FLOOR_CHARS && path.is_some_and(|path| label.owns(path))
}

fn path_of_ours(line: &str) -> Option<&str> {
    let (n_bytes, rest) = line.strip_prefix("Masked: ")?.split_once(" bytes on ")?;
    let (n_lines, path) = rest.split_once(" lines. Whole text: ")?;
    let is_number = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
    };
    (is_number(n_bytes) && is_number(n_lines)).then_some(path)
}

/// Whether the tag opens anywhere in a value.
fn has_tag(value: &Value) -> bool {
    let opens = |text: &str| text.contains("<tool_output_masked");
    match value {
        Value::String(text) => opens(text),
        Value::Array(items) => items.iter().any(has_tag),
        Value::Object(fields) => (fields.iter()).any(|(name, value)| opens(name) || has_tag(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
