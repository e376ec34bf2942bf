//! Choosing between the quick model and the one that thinks further, for one request.
//!
//! `analects_chat::route` decides, or says what to ask; here the two models are found and a small one is asked. Without
//! an answer in good time the rules decide: a choice must never cost more than it saves.

use analects_chat::question::Question as Asked;
use analects_chat::route::{Ask, Decision, Judge, Pick, Step, Tier, Wanted, plan};
use analects_world::Cancel;
use analects_world::models::{Form, Options, Thinking};

use super::ask::{Among, Question, ask};
use super::choose::{Chosen, choose};
use super::ledger::Purpose;
use crate::World;
use crate::events::Session;
use crate::settings::Settings;
use crate::verbs::Failure;

/// The model that answers a request.
#[derive(Debug, Clone)]
pub(crate) struct Routed {
    /// The model.
    pub chosen: Chosen,
    /// Who decided, and why.
    pub decision: Decision,
}

/// Who waits for an answer does not wait longer than this for the choice of who gives it.
const PATIENCE_MS: u64 = 8_000;
/// A few words and a reason.
const MAX_TOKENS: u32 = 1_024;

/// Chooses the model for a request.
pub(crate) fn route(
    world: &World<'_>,
    settings: &Settings,
    wish: &Ask<'_>,
    session: Option<&Session>,
    cancel: &Cancel,
) -> Result<Routed, Failure> {
    let mut wish = *wish;
    let mut tiers = None;
    if wish.wanted == Wanted::Auto && wish.instead.is_none() {
        let flash = choose(world, settings, Some(Tier::Flash.as_str()))?;
        let pro = choose(world, settings, Some(Tier::Pro.as_str()))?;
        // Where there is one model for both nobody needs to be asked.
        if flash.model == pro.model {
            wish.judge = Judge::Nobody;
        }
        tiers = Some((flash, pro));
    }
    let decision = match plan(&wish) {
        Step::Decided(decision) => decision,
        Step::Ask(asking) => {
            let said = judged(world, settings, asking.question(), session, cancel);
            asking.answered(said.as_deref())
        }
    };
    let chosen = match (&decision.pick, tiers) {
        (Pick::Model(name), _) => choose(world, settings, Some(name))?,
        (Pick::Tier(Tier::Flash), Some((flash, _))) => flash,
        (Pick::Tier(Tier::Pro), Some((_, pro))) => pro,
        (Pick::Tier(tier), None) => choose(world, settings, Some(tier.as_str()))?,
    };
    Ok(Routed { chosen, decision })
}

/// What a small model says; nothing if there is none, or if it does not answer.
fn judged(
    world: &World<'_>,
    settings: &Settings,
    asked: &Asked,
    session: Option<&Session>,
    cancel: &Cancel,
) -> Option<String> {
    let judge = choose(world, settings, Some("flash-lite")).ok()?;
    let options = Options {
        max_output_tokens: Some(MAX_TOKENS),
        temperature: Some(0.0),
        thinking: Thinking::Off,
        form: Form::Json {
            name: "route",
            schema: asked.schema.clone(),
        },
        ..Options::USUAL
    };
    let question = Question {
        purpose: Purpose::Route,
        session,
        system: &asked.system,
        history: &asked.contents,
        tools: &[],
        options: &options,
        patience_ms: Some(PATIENCE_MS),
    };
    let among = Among {
        first: &judge,
        other: None,
    };
    let answered = ask(world, settings, among, &question, cancel, &mut |_| {}).ok()?;
    let turn = answered.heard.into_content("route");
    Some(turn.texts().collect())
}

#[cfg(test)]
mod tests;
