//! One message cut down to a number of tokens, its shape kept: the original's normalisation.

use std::borrow::Cow;

use analects_text::{tokens, units};
use analects_world::Profile;
use analects_world::model::Response;
use serde_json::{Map, Value};

use crate::weigh;

/// What stands before a tool's output that was cut.
pub const TOOL_PREFIX: &str = "[Message Normalized: Tool output exceeded size limit]";
/// Which share of what is shown is the start.
pub const HEAD_SHARE: f64 = 0.2;

const GAP: &str = "\n...\n";
const MIN_TOKENS: usize = 10;
const MIN_UNITS: usize = 100;
/// The original looks at no more of a text.
const SAMPLE: usize = 1_000;

/// How many UTF-16 units of a text this many tokens pay.
///
/// The original takes a third of a token for an ASCII character here and a quarter when it counts, and looks
/// only at the start of the text. `analects` has one price.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "texts are far below 2^52, and the cast saturates"
)]
pub fn units_for(text: &str, n_tokens: usize, profile: Profile) -> usize {
    if text.is_empty() {
        return 0;
    }
    let per_unit = match profile {
        Profile::Analects => tokens::quarters(text) as f64 / 4.0 / units::count(text) as f64,
        Profile::Seed | Profile::Head => {
            let sample = text.encode_utf16().take(SAMPLE);
            let (n_ascii, n_all) = sample.fold((0, 0), |(ascii, all), unit| {
                (ascii + usize::from(unit <= 127), all + 1)
            });
            let ascii = n_ascii as f64 / f64::from(n_all);
            ascii * 0.33 + (1.0 - ascii) * 1.5
        }
    };
    (n_tokens as f64 / per_unit).floor() as usize
}

/// A text in at most `target` units: the prefix, its start and its end; only the prefix if there is no room.
#[must_use]
pub fn cut<'a>(text: &'a str, target: usize, prefix: &str, head_share: f64) -> Cow<'a, str> {
    if units::count(text) <= target {
        return Cow::Borrowed(text);
    }
    let around = units::count(prefix) + GAP.len() + 1;
    let room = target.saturating_sub(around);
    if room == 0 {
        return Cow::Owned(prefix.to_owned());
    }
    let n_head = share_of(room, head_share).min(room);
    let (head, tail) = (units::head(text, n_head), units::tail(text, room - n_head));
    Cow::Owned(format!("{prefix}\n{head}{GAP}{tail}"))
}

/// An answer each of whose long texts is cut to a share of its tokens; `None` if nothing has to be cut.
/// `saved_at` is where the whole is, if it was kept.
#[must_use]
pub fn response(
    answer: &Response,
    share: f64,
    saved_at: Option<&str>,
    profile: Profile,
) -> Option<Response> {
    let fields = answer.response.as_object()?;
    let mut is_cut = false;
    let mut cut_field = |value: &Value| {
        let text = value
            .as_str()
            .filter(|text| units::count(text) > MIN_UNITS)?;
        let n_tokens = share_of(weigh::words(text, profile), share);
        let target = units_for(text, n_tokens.max(MIN_TOKENS), profile);
        let Cow::Owned(mut short) = cut(text, target, TOOL_PREFIX, HEAD_SHARE) else {
            return None;
        };
        if let Some(path) = saved_at {
            short.extend(["\n\nFull output saved to: ", path]);
        }
        is_cut = true;
        Some(Value::String(short))
    };
    let fields: Map<String, Value> = fields
        .iter()
        .map(|(name, value)| {
            (
                name.clone(),
                cut_field(value).unwrap_or_else(|| value.clone()),
            )
        })
        .collect();
    is_cut.then(|| Response {
        response: Value::Object(fields),
        ..answer.clone()
    })
}

/// A share of a number, rounded down.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "texts are far below 2^52, and the cast saturates"
)]
fn share_of(n: usize, share: f64) -> usize {
    (n as f64 * share).floor() as usize
}
