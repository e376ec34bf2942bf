//! The warning to a model that is looping.

use analects_text::sanitize::one_line;
use analects_world::model::Call;
use serde_json::Value;

use super::calls::Cycle;
use super::talk::Chant;
use crate::excerpt::excerpt;

const NUDGE: &str = include_str!("../../prompts/loop-nudge.md");
const NAME_CHARS: usize = 80;
const QUOTE_CHARS: usize = 300;

/// The feedback for the model, to be sent as a turn of the user.
pub(super) fn nudge(detail: &str) -> String {
    NUDGE.trim_end().replace("{detail}", detail)
}

/// A cycle of calls in a sentence; the last of them is known.
pub(super) fn of_calls(Cycle { n_calls, rounds }: Cycle, last: &Call) -> String {
    let name = excerpt(&last.name, NAME_CHARS);
    let args = match &last.args {
        Value::Null => "none".to_owned(),
        args => args.to_string(),
    };
    let args = excerpt(&args, QUOTE_CHARS);
    let detail = match n_calls {
        1 => format!("`{name}` was called {rounds} times in a row with the same arguments: {args}"),
        _ => format!(
            "the same {n_calls} tool calls were made {rounds} times in the same order; the last of them is \
             `{name}` with the arguments: {args}"
        ),
    };
    one_line(&detail).into_owned()
}

/// A chant in a sentence. Its text is quoted, so that it cannot pass for ours.
pub(super) fn of_chant(Chant { text, times }: &Chant) -> String {
    let text = Value::from(excerpt(text.trim(), QUOTE_CHARS)).to_string();
    let detail = format!("the same text was said {times} times: {text}");
    one_line(&detail).into_owned()
}

/// What another model thinks, in a sentence.
pub(super) fn of_opinion(analysis: &str) -> String {
    let analysis = Value::from(excerpt(analysis.trim(), QUOTE_CHARS)).to_string();
    let detail =
        format!("another model looked at your last turns and found no progress: {analysis}");
    one_line(&detail).into_owned()
}
