//! The digest that waits for a compaction to be over: kept for the same session until it is delivered.
//!
//! One small file per session. It is gone once it was handed over; what nobody took goes when it is old.

use analects_text::truncate;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::{Files, Pick};
use analects_world::{AbsPath, Agent};

use super::Scene;
use super::input::Input;
use crate::verbs::Failure;
use crate::{World, write};

/// No host takes more than this at once.
const MAX_TOKENS: usize = 8_000;

/// A conversation that has not gone on by then does not wait for this any more.
const MAX_AGE_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Puts a text by for this session; nothing if there is none. What waits in vain goes.
pub(super) fn put(scene: &Scene<'_>, text: &str) -> Result<(), Failure> {
    let Some(path) = path(&scene.world, scene.host, scene.input) else {
        return Ok(());
    };
    let text = truncate::head(text, MAX_TOKENS);
    let new = (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let mut changed = vec![(path, new)];
    changed.extend(in_vain(&scene.world).into_iter().map(|old| (old, None)));
    replace(scene, &changed)
}

/// Whether something waits for this session.
pub(super) fn is_waiting(world: &World<'_>, host: Agent, input: &Input) -> bool {
    let path = path(world, host, input);
    path.is_some_and(|path| {
        world
            .files
            .measure(&[path])
            .pop()
            .is_some_and(|it| it.is_ok())
    })
}

/// Takes what waits for this session, as much of it as there is room for.
pub(super) fn take(scene: &Scene<'_>, notes: &mut Vec<String>) -> Option<String> {
    let path = path(&scene.world, scene.host, scene.input)?;
    let text = write::text_of(scene.world.files, &path).ok().flatten()?;
    // To be told twice is a nuisance; not to be told at all is a loss.
    let taken = replace(scene, &[(path, None)]);
    notes.extend(taken.err().map(|failure| failure.to_string()));
    let room = scene.limits().room.limit / 8;
    let text = truncate::head(&text, room.max(1));
    (!text.is_empty()).then(|| text.to_owned())
}

fn replace(scene: &Scene<'_>, changed: &[(AbsPath, Option<Vec<u8>>)]) -> Result<(), Failure> {
    let mut plan = |files: &dyn Files| {
        let mut changes = Vec::new();
        for (path, new) in changed {
            let old = write::bytes_of(files, path)?;
            if old.is_some() || new.is_some() {
                let mut change = Change::new(path, old.as_deref(), new.clone()).owner_only();
                // It quotes a conversation: the journal need not hold it.
                change.trace = Trace::Fingerprint;
                changes.push(change);
            }
        }
        Ok(Changes::new("hook", "what a session held", changes))
    };
    write::write(&scene.world, &scene.flags, &[], &mut plan).map(drop)
}

/// What nobody took in all this time.
fn in_vain(world: &World<'_>) -> Vec<AbsPath> {
    let dir = dir(world);
    let listing = world.files.list_one(&dir, &Pick::ending(".txt"));
    let found = listing.map(|listing| listing.found).unwrap_or_default();
    let paths: Vec<_> = found.iter().map(|found| dir.join(&found.name)).collect();
    let measures = world.files.measure(&paths);
    let now_ms = world.clock.now_ms();
    let aged = paths.into_iter().zip(measures).filter(|(_, measure)| {
        let written_ms = measure.as_ref().map_or(now_ms, |it| it.written_ms());
        now_ms.saturating_sub(written_ms) > MAX_AGE_MS
    });
    aged.map(|(path, _)| path).collect()
}

fn path(world: &World<'_>, host: Agent, input: &Input) -> Option<AbsPath> {
    let name = input.conversation(host)?;
    Some(dir(world).join(&format!("{name}.txt")))
}

fn dir(world: &World<'_>) -> AbsPath {
    world.around.state_dir().join("handover")
}
