//! Whether a model really answers: one short question, and how long it took.

use analects_world::Cancel;
use analects_world::model::{Content, Role};
use analects_world::models::{Event, Options, Thinking, Usage};

use super::ask::{Among, NoAnswer, Question, Told, ask};
use super::choose::Chosen;
use super::ledger::Purpose;
use crate::World;
use crate::settings::Settings;

/// A model that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Probed {
    /// What it said, or the beginning of it.
    pub text: String,
    /// How long it was until the first piece, in milliseconds.
    pub first_ms: u64,
    /// And until the last.
    pub ms: u64,
    /// How often it was asked.
    pub n_attempts: u32,
    /// What it cost, if its server says so.
    pub usage: Option<Usage>,
}

/// More of the answer nobody wants to see.
const MAX_CHARS: usize = 200;
const QUESTION: &str = "Reply with the single word: ready";
/// One word, with room for a thought that a model cannot leave out.
const MAX_TOKENS: u32 = 512;
/// Whoever is this slow is slow.
const PATIENCE_MS: u64 = 60_000;

/// Asks one short question.
pub(crate) fn probe(
    world: &World<'_>,
    settings: &Settings,
    chosen: &Chosen,
    cancel: &Cancel,
) -> Result<Probed, NoAnswer> {
    let history = [Content::text("1", Role::User, QUESTION)];
    let options = Options {
        max_output_tokens: Some(MAX_TOKENS),
        thinking: Thinking::Off,
        ..Options::USUAL
    };
    let question = Question {
        purpose: Purpose::Probe,
        session: None,
        system: "",
        history: &history,
        tools: &[],
        options: &options,
        patience_ms: Some(PATIENCE_MS),
    };
    let began_ms = world.clock.now_ms();
    let mut first_ms = None;
    let mut hear = |told: Told<'_>| match told {
        Told::Piece(Event::Part(_)) => {
            first_ms.get_or_insert_with(|| world.clock.now_ms().saturating_sub(began_ms));
        }
        Told::Piece(_) => {}
        Told::StartOver { .. } => first_ms = None,
    };
    let among = Among {
        first: chosen,
        other: None,
    };
    let answered = ask(world, settings, among, &question, cancel, &mut hear)?;
    let (ms, n_attempts, usage) = (answered.ms, answered.n_attempts, answered.heard.usage);
    let turn = answered.heard.into_content("2");
    Ok(Probed {
        text: turn.texts().flat_map(str::chars).take(MAX_CHARS).collect(),
        first_ms: first_ms.unwrap_or(ms),
        ms,
        n_attempts,
        usage,
    })
}
