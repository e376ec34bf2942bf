//! Has a model write the snapshot, where somebody asked for that.
//!
//! What it writes is checked against the digest, which stands in any case. It is shown the end of the past that fits
//! into its window, without secrets: it may be run by somebody else than the one who heard them.

use analects_chat::compress::Question as Asked;
use analects_chat::compress::split::split_for_tail;
use analects_chat::curate::Signatures;
use analects_chat::harden::{HardenOptions, harden};
use analects_chat::limits::part;
use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::model::{Body, Content, Part, Role};
use analects_world::models::{Options, Thinking, Usage, Wire};
use serde_json::{Map, Value};

use crate::events::Session;
use crate::models::ask::{Among, Question, ask};
use crate::models::choose::{self, Chosen};
use crate::models::ledger::Purpose;
use crate::secrets::Guarded;
use crate::settings::{Settings, keys};
use crate::{World, codes, context_limits};

/// What a model wrote.
pub(crate) struct Prose {
    /// The text; `None` if it did not answer.
    pub(crate) text: Option<String>,
    /// Who wrote it.
    pub(crate) model: String,
    /// What it cost, as far as the server said so.
    pub(crate) usage: Option<Usage>,
    /// What a person should know.
    pub(crate) problems: Vec<Problem>,
}

/// What of its window the past may take; the rest is for the question, the answer, and our own errors.
const WINDOW_SHARE: f64 = 0.6;
/// What of it the answer may take: servers refuse a request that asks for more than is left.
const ANSWER_SHARE: f64 = 0.25;
/// A snapshot is short, and a scratchpad comes before it.
const MAX_TOKENS: u32 = 16_384;

/// For whom a model is asked, and until when.
pub(crate) struct Terms<'a> {
    /// Whose past it is.
    pub(crate) session: &'a Session,
    /// How long it may take, if that is limited.
    pub(crate) patience_ms: Option<u64>,
    pub(crate) cancel: &'a Cancel,
}

/// Asks a model to write the snapshot. That it does not answer is no failure.
pub(crate) fn prose(
    world: &World<'_>,
    settings: &Settings,
    chosen: &Chosen,
    past: &[Content],
    asked: &Asked,
    terms: &Terms<'_>,
) -> Prose {
    let other = choose::fallback(settings, chosen);
    let window_tokens = context_limits::window_tokens(settings, Some(chosen.window_tokens));
    let limit_tokens = part(window_tokens, WINDOW_SHARE);
    let history = shown(settings, past, asked, limit_tokens, chosen.endpoint.wire);
    let options = Options {
        max_output_tokens: Some(answer_tokens(chosen, window_tokens)),
        temperature: Some(0.0),
        thinking: Thinking::Usual,
        ..Options::USUAL
    };
    let question = Question {
        purpose: Purpose::Compress,
        session: Some(terms.session),
        system: &asked.system,
        history: &history,
        tools: &[],
        options: &options,
        patience_ms: terms.patience_ms,
    };
    let among = Among {
        first: chosen,
        other: other.as_ref(),
    };
    world.progress.tell("asking the model", 0, 1);
    let answered = ask(world, settings, among, &question, terms.cancel, &mut |_| {});
    world.progress.tell("asking the model", 1, 1);
    let mut problems = Vec::new();
    let mut usage = None;
    let (text, model) = match answered {
        Ok(answered) => {
            usage = answered.heard.usage;
            problems.extend(answered.problems);
            let by = answered.by.model.clone();
            let turn = answered.heard.into_content("snapshot");
            (Some(turn.texts().collect()), by)
        }
        Err(none) => {
            let message = format!("{}; the digest stands alone", none.message);
            problems.push(Problem::new(&codes::NO_PROSE, message));
            problems.extend(none.problems);
            (None, chosen.model.clone())
        }
    };
    Prose {
        text,
        model,
        usage,
        problems,
    }
}

/// How long the answer may be.
fn answer_tokens(chosen: &Chosen, window_tokens: usize) -> u32 {
    let share = u32::try_from(part(window_tokens, ANSWER_SHARE)).unwrap_or(MAX_TOKENS);
    let most = chosen.output_tokens.unwrap_or(MAX_TOKENS);
    most.min(MAX_TOKENS).min(share)
}

/// The end of the past that fits, and the question behind it.
fn shown(
    settings: &Settings,
    past: &[Content],
    asked: &Asked,
    limit_tokens: usize,
    wire: Wire,
) -> Vec<Content> {
    let start = split_for_tail(past, limit_tokens);
    let mut history = past.get(start..).unwrap_or_default().to_vec();
    let allowed = settings.list(&keys::ALLOWED_SECRETS);
    let guarded = Guarded { allowed };
    history.iter_mut().for_each(|turn| mask(turn, &guarded));
    history.push(Content::text("question", Role::User, &*asked.text));
    let signatures = match wire {
        Wire::Gemini => Signatures::Synthetic,
        Wire::OpenAi | Wire::Anthropic => Signatures::Left,
    };
    let options = HardenOptions {
        signatures,
        ..HardenOptions::ORIGINAL
    };
    harden(history, &options)
}

/// Takes the secrets out of a turn. Media are not looked into.
fn mask(turn: &mut Content, guarded: &Guarded<'_>) {
    for part in &mut turn.parts {
        mask_part(part, guarded);
    }
}

/// Parts stand in responses, and no deeper than a record's parser goes.
fn mask_part(part: &mut Part, guarded: &Guarded<'_>) {
    mask_fields(&mut part.rest, guarded);
    match &mut part.body {
        Body::Text(text) => *text = guarded.mask(text),
        Body::Call(call) => {
            mask_value(&mut call.args, guarded);
            mask_fields(&mut call.rest, guarded);
        }
        Body::Response(response) => {
            mask_value(&mut response.response, guarded);
            mask_fields(&mut response.rest, guarded);
            for part in &mut response.parts {
                mask_part(part, guarded);
            }
        }
        Body::Media(_) | Body::Other => {}
    }
}

/// Fields that we do not know, but for signatures: those must come back as they were, and are nobody's secret.
fn mask_fields(fields: &mut Map<String, Value>, guarded: &Guarded<'_>) {
    let unsigned = |name: &str| name != "thoughtSignature";
    let fields = fields.iter_mut().filter(|(name, _)| unsigned(name));
    fields.for_each(|(_, value)| mask_value(value, guarded));
}

/// As deep as a record's parser lets a value be, which is bounded.
fn mask_value(value: &mut Value, guarded: &Guarded<'_>) {
    match value {
        Value::String(text) => *text = guarded.mask(text),
        Value::Array(items) => items.iter_mut().for_each(|item| mask_value(item, guarded)),
        Value::Object(fields) => {
            let named = std::mem::take(fields).into_iter();
            *fields = named
                .map(|(name, mut value)| {
                    mask_value(&mut value, guarded);
                    (guarded.mask(&name), value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_masked_wherever_it_stands_and_a_signature_is_left() {
        let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let mut response = Part::response("1", "t", json!({ secret: [secret] }));
        if let Body::Response(response) = &mut response.body {
            response.parts = vec![Part::text(secret)];
            response.rest = Map::from_iter([("more".to_owned(), json!(secret))]);
        }
        let mut code = Part::new(Body::Other);
        code.rest = Map::from_iter([("executableCode".to_owned(), json!({ "code": secret }))]);
        let mut signed = Part::call("1", "t", json!({ secret: secret }));
        let signature = Map::from_iter([("thoughtSignature".to_owned(), json!(secret))]);
        signed.rest.clone_from(&signature);
        let mut turn = Content::text("1", Role::Model, secret);
        turn.parts.extend([response, code, signed]);
        mask(&mut turn, &Guarded { allowed: &[] });
        assert_eq!(turn.parts[3].rest, signature);
        turn.parts[3].rest.clear();
        let shown = format!("{turn:?}");
        assert!(!shown.contains(secret), "{shown}");
        assert_eq!(shown.matches("[redacted").count(), 8, "{shown}");
    }
}
