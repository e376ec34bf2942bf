//! What waits for a compaction to be over: a text for the same session, kept until it is taken.
//!
//! One small file a session. It is gone once it was handed over, and goes with the first one that is newer.

use analects_text::truncate;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::Files;
use analects_world::{AbsPath, Agent};

use super::Scene;
use super::input::Input;
use crate::verbs::Failure;
use crate::{World, write};

/// No host takes more than this at once.
const MAX_TOKENS: usize = 8_000;

/// Puts a text by for this session; nothing if there is none.
pub(super) fn put(scene: &Scene<'_>, text: &str) -> Result<(), Failure> {
    let Some(path) = path(&scene.world, scene.host, scene.input) else {
        return Ok(());
    };
    let text = truncate::head(text, MAX_TOKENS);
    let new = (!text.is_empty()).then(|| text.as_bytes().to_vec());
    replace(scene, &path, new)
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

/// Takes what waits for this session, so much of it as there is room for.
pub(super) fn take(scene: &Scene<'_>, notes: &mut Vec<String>) -> Option<String> {
    let path = path(&scene.world, scene.host, scene.input)?;
    let text = write::text_of(scene.world.files, &path).ok().flatten()?;
    // To be told twice is a nuisance; not to be told at all is a loss.
    let taken = replace(scene, &path, None);
    notes.extend(taken.err().map(|failure| failure.to_string()));
    let room = scene.limits().room.limit / 8;
    let text = truncate::head(&text, room.max(1));
    (!text.is_empty()).then(|| text.to_owned())
}

fn replace(scene: &Scene<'_>, path: &AbsPath, new: Option<Vec<u8>>) -> Result<(), Failure> {
    let mut plan = |files: &dyn Files| {
        let old = write::bytes_of(files, path)?;
        let mut changes = Vec::new();
        if old.is_some() || new.is_some() {
            let mut change = Change::new(path, old.as_deref(), new.clone()).owner_only();
            // It quotes a conversation: the journal need not hold it.
            change.trace = Trace::Fingerprint;
            changes.push(change);
        }
        Ok(Changes::new("hook", "what a session held", changes))
    };
    write::write(&scene.world, &scene.flags, &[], &mut plan).map(drop)
}

fn path(world: &World<'_>, host: Agent, input: &Input) -> Option<AbsPath> {
    let name = input.conversation(host)?;
    let dir = world.around.state_dir().join("handover");
    Some(dir.join(&format!("{name}.txt")))
}
