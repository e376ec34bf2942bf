//! The number of a session: Gemini CLI counts those of a project in the order in which they began.

use std::collections::HashSet;

use analects_session::transcript::Kind;
use analects_world::Agent;

use super::{Subagents, Which, is_in, open, stored};
use crate::World;
use crate::load_memory::Prepared;

/// The ids of this project's sessions that can go on here, in the order in which they began: the first is number 1.
///
/// The beginning of a record tells all of it, so the rest of it is not read.
#[must_use]
pub fn numbered(world: &World<'_>, prepared: &Prepared) -> Vec<String> {
    let which = Which {
        project: Some(&prepared.root),
        agent: Some(Agent::Gemini),
        subagents: Subagents::Left,
        trust: prepared.decision.trust,
    };
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    for record in stored(world, which) {
        let Some(transcript) = open::beginning(world, &record) else {
            continue;
        };
        let head = transcript.head;
        let is_told = head.kind == Kind::Main && !transcript.turns.is_empty();
        if is_told && is_in(&record, &head, &prepared.root) && seen.insert(head.id.clone()) {
            all.push((head.started, head.id));
        }
    }
    all.sort();
    all.into_iter().map(|(_, id)| id).collect()
}
