//! A tool has run: the memory beside and above what it touched, as far as the session does not know it.

use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::Scene;
use super::said::{self, Said};
use super::talk::Talk;
use super::touched::{self, Touched};
use crate::verbs::Failure;

/// The text for the model, if there is any.
pub(super) fn after_tool(
    scene: &Scene<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<String>, Failure> {
    let paths = paths(scene);
    let limits = scene.limits();
    // Without a session nobody could tell what was said before, and it would be said after every tool.
    if paths.is_empty() || scene.input.session.is_none() {
        return Ok(None);
    }
    let mut problems = Vec::new();
    let mut decide = |said: &Said| {
        // The frame around the blocks is not part of their budget.
        let limit_tokens = limits.narrow_tokens().saturating_sub(FRAME_TOKENS);
        let (talk, nearby) = Talk::touch(scene, said, &paths, limit_tokens);
        problems.clone_from(&talk.problems);
        let text = nearby.text();
        let mut after = said.clone();
        after.theirs.extend(talk.brought.iter().cloned());
        // One file always has its chance, however small the budget; not with a host.
        if text.is_empty() || !limits.admit(&text) {
            // What the host told is noted also where we have nothing to add: the next tool may be one that it does not
            // follow.
            return (after != *said).then(|| (String::new(), after));
        }
        after.rows = talk.rows();
        for fragment in &nearby.fragments {
            let entries = said::entries_in(scene.world.files, &fragment.block);
            after.entries.extend(entries);
        }
        Some((text, after))
    };
    let telling = said::tell(scene, &mut decide);
    notes.extend(problems.iter().map(Problem::to_string));
    telling.told(scene, notes)
}

/// What the rulers around the blocks cost.
const FRAME_TOKENS: usize = 32;

fn paths(scene: &Scene<'_>) -> Vec<AbsPath> {
    let resolve = |touched: Touched| {
        let path = scene.world.around.resolve(&touched.text);
        let is_there = touched.is_sure || scene.world.files.real(&path).is_ok();
        is_there.then_some(path)
    };
    touched::touched(scene.input)
        .into_iter()
        .filter_map(resolve)
        .collect()
}
