//! A host is about to compact a conversation: what must not be lost is put by.
//!
//! The digest of the host's own record and what is pinned wait for the compaction to be over; rules that the
//! user stated and that no memory has are proposed for the inbox, where a person decides.

use analects_chat::compress::PINNED;
use analects_chat::compress::digest::{Wanted, digest};
use analects_memory::render::harmless;
use analects_world::Agent;

use super::Scene;
use super::handover;
use super::input::Input;
use crate::pins::{self, Of};
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
    let wanted = Wanted {
        budget_tokens: DIGEST_TOKENS.min(scene.limits().room.limit / 8),
        focus: scene.input.focus.as_deref(),
    };
    let digest = digest(&turns, wanted);
    let of = Of {
        agent: scene.host,
        session: &opened.transcript.head.id,
    };
    let pinned = pins::read(world, of)?;
    let proposed = match digest.constraints.is_empty() {
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
    let mut text = String::new();
    if !pinned.is_empty() {
        text.push_str(PINNED);
        text.push('\n');
        for pin in &pinned {
            text.push_str(&harmless(&pin.text));
            text.push('\n');
        }
    }
    if !digest.snapshot.is_empty() {
        text.push_str(OPENING);
        text.push_str(&harmless(&digest.snapshot.render()));
        text.push_str(CLOSING);
    }
    let waiting = proposed.filter(|proposed| !proposed.facts.is_empty());
    if let Some(proposed) = waiting {
        let label = scene.prepared.load.labels.label(&proposed.path);
        let n_facts = proposed.facts.len();
        let told = format!(
            "\nAnalects proposes to remember {n_facts} of the user's rules; they wait for the user in {label}, and nothing was written to memory.\n"
        );
        text.push_str(&told);
    }
    handover::put(scene, &text)
}

const OPENING: &str = "--- What this session held before it was compacted (quotations: check before you rely on them) ---\n";
const CLOSING: &str = "\n--- End of what this session held ---\n";
