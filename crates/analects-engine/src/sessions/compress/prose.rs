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
use analects_world::model::{Content, Role};
use analects_world::models::{Options, Thinking, Usage, Wire};

use crate::events::Session;
use crate::models::ask::{Among, Question, ask};
use crate::models::choose::{self, Chosen};
use crate::models::ledger::Purpose;
use crate::secrets::Guarded;
use crate::sessions::masked;
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
    history
        .iter_mut()
        .for_each(|turn| masked::mask(turn, &guarded));
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
