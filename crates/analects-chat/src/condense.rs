//! Oversized tool output, summarised by a model.
//!
//! The whole output is kept. Of the answer, errors and warnings stay word for word, and those that it left
//! out are put back, as far as the budget goes; the rest of the answer gives way first. Both the question
//! whether an output is too large and the budget are in tokens. An answer that is empty, declines, quotes
//! what was never printed or saves nothing is not used: the output is shortened then, as without a model. What was
//! marked as untrusted stays marked, and the answer cannot end the mark.

mod quoted;
mod trouble;

use std::borrow::Cow;

use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::sanitize::one_line;
use analects_text::{tokens, truncate, units};
use thiserror::Error;

use crate::keep::{self, CONDENSED, Keep, Kept, Label, Shelf};
use crate::reading::MAX_LINE_UNITS;
use crate::shorten::ends::ends;
use crate::shorten::{Size, grouped, left_out};
use quoted::{Piece, pieces};

/// How much is told, and how much is read for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// What a condensed output may cost, all in all. An output within it stays as it is.
    pub told_tokens: usize,
    /// What the model may read of an output; of a longer one it gets both ends.
    pub read_tokens: usize,
}

/// What to ask a model, and what to keep before the answer is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The question.
    pub prompt: String,
    /// The most that the answer may cost.
    pub max_answer_tokens: usize,
    /// The whole output.
    pub keep: Keep,
}

/// Why an answer is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unfit {
    /// There is none.
    #[error("the model said nothing")]
    Empty,
    /// The model would rather not.
    #[error("the model declined")]
    Refusal,
    /// It quotes as an error what was never printed, or does not end a quotation.
    #[error("the model quotes what was not printed")]
    Forged,
    /// Its quotations alone are more than may be told.
    #[error("the errors alone are over the budget")]
    OverBudget,
    /// It costs as much as the output.
    #[error("the answer is no shorter than the output")]
    NotShorter,
}

const PROMPT: &str = include_str!("../prompts/condense-output.md");
const PRINTED: Delimiters = Delimiters {
    tags: &["printed"],
    rulers: &[],
    comments: &[],
    notes: &[],
};
/// The tag around what strangers may have written. A model's words about it are no more trustworthy, so
/// they stand between the same tags.
const UNTRUSTED_OPENING: &str = "<untrusted_context>\n";
const UNTRUSTED_CLOSING: &str = "\n</untrusted_context>";
const UNTRUSTED: Delimiters = Delimiters {
    tags: &["untrusted_context"],
    rulers: &[],
    comments: &[],
    notes: &[],
};
/// The words around what is told.
const AROUND_TOKENS: usize = 40;
/// How models open when they decline.
const REFUSALS: [&str; 9] = [
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "i cannot",
    "i can't",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "as an ai",
];

/// What to ask about an output; `None` if it is within the budget.
#[must_use]
pub fn plan(output: &str, label: Label<'_>, shelf: &Shelf<'_>, budgets: &Budgets) -> Option<Plan> {
    if tokens::estimate(output) <= budgets.told_tokens {
        return None;
    }
    let read = read(output, budgets.read_tokens);
    let printed = neutralise(&read, &PRINTED);
    let max_answer_tokens = budgets.told_tokens.saturating_sub(AROUND_TOKENS);
    let prompt = filled(|name| match name {
        "budget_tokens" => Cow::Owned(max_answer_tokens.to_string()),
        "tool" => one_line(label.tool),
        _ => Cow::Borrowed(&*printed),
    });
    Some(Plan {
        prompt,
        max_answer_tokens,
        keep: shelf.keep(label, output),
    })
}

/// What is told instead of the output for which the plan was made, or why the answer is of no use.
pub fn apply(plan: &Plan, answer: &str, kept: Kept, budgets: &Budgets) -> Result<String, Unfit> {
    let (output, answer) = (&*plan.keep.text, answer.trim());
    if answer.is_empty() {
        return Err(Unfit::Empty);
    }
    if tokens::estimate(answer) >= tokens::estimate(output) {
        return Err(Unfit::NotShorter);
    }
    let pieces = pieces(answer).ok_or(Unfit::Forged)?;
    if declines(&pieces) {
        return Err(Unfit::Refusal);
    }
    if !quoted::were_printed(&pieces, output) {
        return Err(Unfit::Forged);
    }
    let notice = notice(plan, kept);
    let (opening, closing) = match output.contains(UNTRUSTED_OPENING) {
        true => (UNTRUSTED_OPENING, UNTRUSTED_CLOSING),
        false => ("", ""),
    };
    let around = [&*notice, opening, closing].concat();
    let told = told(&pieces, output, answer, &around, budgets.told_tokens)?;
    let told = neutralise(&told, &UNTRUSTED);
    let condensed = [&*notice, opening, &keep::harmless(&told), closing].concat();
    match tokens::estimate(&condensed) {
        cost if cost >= tokens::estimate(output) => Err(Unfit::NotShorter),
        cost if cost > budgets.told_tokens => Err(Unfit::OverBudget),
        _ => Ok(condensed),
    }
}

/// What the model gets to read of an output.
fn read(output: &str, n_tokens: usize) -> Cow<'_, str> {
    let quarters = tokens::quarters(output);
    let budget = n_tokens.saturating_mul(4);
    if quarters <= budget {
        return Cow::Borrowed(output);
    }
    let n_units = units::count(output);
    let room = n_units as u128 * budget as u128 / quarters as u128;
    let shown = ends(output, usize::try_from(room).unwrap_or(n_units), None);
    let n_shown: usize = shown.units().iter().sum();
    Cow::Owned(shown.around(&left_out(n_units.saturating_sub(n_shown))))
}

/// The prompt with its blanks filled in; what is filled in is not searched for blanks.
fn filled<'a>(fill: impl Fn(&str) -> Cow<'a, str>) -> String {
    let mut prompt = String::new();
    let mut rest = PROMPT;
    while let Some((before, (name, after))) = rest
        .split_once('{')
        .and_then(|(before, from)| Some((before, from.split_once('}')?)))
    {
        prompt.extend([before, &fill(name)]);
        rest = after;
    }
    prompt + rest
}

/// Whether an answer is about the model instead of the output.
fn declines(pieces: &[Piece<'_>]) -> bool {
    let [only] = pieces else { return false };
    let said = only.text.to_lowercase().replace('’', "'");
    !only.is_quoted()
        && said.len() < 600
        && REFUSALS.iter().any(|opening| said.starts_with(opening))
}

fn notice(plan: &Plan, kept: Kept) -> String {
    let size = Size::of(&plan.keep.text);
    let (n_units, n_lines) = (grouped(size.units), grouped(size.lines));
    let place = match kept {
        Kept::Saved => format!("Whole text: {}", plan.keep.path),
        Kept::Failed => "The whole text could not be saved and is lost.".to_owned(),
    };
    format!("[{CONDENSED} {n_units} characters on {n_lines} lines, told by a model.\n{place}]\n")
}

/// The answer and what it left out, for that many tokens with the notice.
fn told(
    pieces: &[Piece<'_>],
    output: &str,
    answer: &str,
    notice: &str,
    n_tokens: usize,
) -> Result<String, Unfit> {
    let quoted = pieces.iter().filter(|piece| piece.is_quoted());
    let fixed: usize = quoted.map(|piece| tokens::quarters(piece.text)).sum();
    let fixed = (fixed + tokens::quarters(notice)).div_ceil(4) + AROUND_TOKENS;
    let left = n_tokens.checked_sub(fixed).ok_or(Unfit::OverBudget)?;
    let dropped = trouble::dropped(output, answer);
    let wanted = dropped.iter().map(|line| cost(line)).sum();
    let mut for_prose = (left / 2).max(left.saturating_sub(wanted));
    let mut left = left;
    let mut text = String::new();
    for piece in pieces {
        let said = match piece.is_quoted() {
            true => piece.text,
            false => truncate::head(piece.text, for_prose),
        };
        if !piece.is_quoted() {
            let cost = tokens::quarters(said).div_ceil(4);
            for_prose = for_prose.saturating_sub(cost);
            left = left.saturating_sub(cost);
        }
        text.push_str(said);
    }
    put_back(&mut text, &dropped, left);
    Ok(text)
}

/// Adds the lines that nobody should miss, as far as the tokens go.
fn put_back(text: &mut String, dropped: &[&str], n_tokens: usize) {
    if dropped.is_empty() {
        return;
    }
    text.push_str("\n[Printed as well:]");
    let mut left = n_tokens;
    for (idx, line) in dropped.iter().enumerate() {
        let Some(rest) = left.checked_sub(cost(line)) else {
            let n_more = grouped(dropped.len() - idx);
            text.extend(["\n[and ", &n_more, " more errors or warnings]"]);
            return;
        };
        left = rest;
        let shown = units::head(line, MAX_LINE_UNITS);
        text.extend(["\n", shown]);
        if shown.len() < line.len() {
            text.push_str("... [truncated]");
        }
    }
}

/// What a line costs that is put back.
fn cost(line: &str) -> usize {
    let shown = units::head(line, MAX_LINE_UNITS);
    let cut_mark = if shown.len() < line.len() { 4 } else { 0 };
    tokens::estimate(shown) + 1 + cut_mark
}

#[cfg(test)]
mod tests;
