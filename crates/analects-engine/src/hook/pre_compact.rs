//! A host is about to compact a conversation: what must not be lost is put by.
//!
//! The digest of the host's own record and what is pinned wait for the compaction to be over; rules that the
//! user stated and that no memory has are proposed for the inbox, where a person decides.

use analects_chat::compress::PINNED;
use analects_chat::compress::digest::{Wanted, digest};
use analects_memory::render::harmless;
use analects_session::transcript::Kind;
use analects_world::Agent;

use super::Scene;
use super::fit::Limits;
use super::handover::{self, Parcel};
use super::input::Input;
use crate::pins::{self, Of, Pin};
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::verbs::Failure;
use crate::{inbox, sessions};

/// What a digest may cost: it comes on top of the host's own summary.
const DIGEST_TOKENS: usize = 2_500;

/// Whether the host means it. Gemini CLI tells of a compression before every request, needed or not.
pub(super) fn is_meant(host: Agent, input: &Input) -> bool {
    let is_asked_for = input.trigger.as_deref() == Some("manual");
    input.transcript.is_some() && (host != Agent::Gemini || is_asked_for)
}

/// Puts by what must not be lost. There is nothing to say to the host yet.
pub(super) fn pre_compact(scene: &Scene<'_>, notes: &mut Vec<String>) -> Result<(), Failure> {
    let world = &scene.world;
    let record = scene.input.record(world, scene.host)?;
    let opened = sessions::open(world, &record)
        .map_err(|trouble| Failure::failed(format!("cannot read `{}`: {trouble}", record.path)))?;
    let now = sessions::now(world)?;
    let allowed = scene.prepared.settings.list(&keys::ALLOWED_SECRETS);
    let turns = sessions::turns(&opened, &Guarded { allowed }, now);
    let of = Of {
        agent: scene.host,
        session: &opened.transcript.head.id,
    };
    let limits = handover::limits(scene);
    // Without pins the rest is put by all the same.
    let pins = pins::read(world, of).unwrap_or_else(|failure| {
        notes.push(failure.to_string());
        Vec::new()
    });
    let mut whole = pinned(&pins, limits);
    let wanted = Wanted {
        budget_tokens: DIGEST_TOKENS.min(handover::held_tokens(limits, &whole)),
        focus: scene.input.focus.as_deref(),
    };
    let digest = digest(&turns, wanted);
    // A sub-agent's prompts were written by a model.
    let is_subagents = opened.transcript.head.kind != Kind::Main;
    let proposed = match digest.constraints.is_empty() || is_subagents {
        true => None,
        false => {
            let facts = &digest.constraints;
            let proposed = inbox::propose(world, &scene.flags, scene.prepared, facts, "hook");
            // Without an inbox the rest is put by all the same.
            proposed
                .map_err(|failure| notes.push(failure.to_string()))
                .ok()
        }
    };
    let waiting = proposed.filter(|proposed| !proposed.facts.is_empty());
    if let Some(proposed) = waiting {
        let label = scene.prepared.load.labels.label(&proposed.path);
        let n_facts = proposed.facts.len();
        let told = format!(
            "Analects proposes to remember {n_facts} of the user's rules; they wait for the user in {label}, and nothing was written to memory.\n"
        );
        whole.push_str(&told);
    }
    let held = match digest.snapshot.is_empty() {
        true => String::new(),
        false => harmless(&digest.snapshot.render()).into_owned(),
    };
    let (whole, held) = (&*whole, &*held);
    handover::put(scene, Parcel { whole, held })
}

/// So much room is left for what is said beside pins: what has no room, what is proposed, a few lines of the
/// digest with its frame, and that memory is missing.
const BESIDE: usize = 1_800;

/// What is pinned, every text whole. A host takes only so much: what has no room is counted.
fn pinned(pins: &[Pin], limits: Limits) -> String {
    let room = limits.room;
    let mut left = room.limit.saturating_sub(BESIDE);
    let mut text = String::new();
    let mut n_left_out = 0;
    for pin in pins {
        let line = format!("{}\n", harmless(&pin.text));
        let taken = room.taken_by(&line);
        if taken > left {
            n_left_out += 1;
            continue;
        }
        left -= taken;
        text.push_str(&line);
    }
    if n_left_out > 0 {
        let n_pins = pins.len();
        let note = format!(
            "[cut off: {n_left_out} of {n_pins} pinned texts left out, there is no room for them; `analects session pin ID --list` shows them]\n"
        );
        text.push_str(&note);
    }
    match text.is_empty() {
        true => text,
        false => format!("{PINNED}\n{text}"),
    }
}
