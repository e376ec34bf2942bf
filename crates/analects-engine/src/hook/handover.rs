//! The digest that waits for a compaction to be over: kept for the same session until it is delivered.
//!
//! One small file per session: first what is handed over whole, then what may be cut. It is deleted once it was handed
//! over; what nobody took goes when it is old.

use analects_text::{tokens, truncate};
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::{Files, Pick};
use analects_world::{AbsPath, Agent};

use super::Scene;
use super::fit::Limits;
use super::host::Manners;
use super::input::Input;
use crate::verbs::Failure;
use crate::{World, write};

/// No host takes more than this of what may be cut.
const MAX_TOKENS: usize = 8_000;

/// What stands around that, and what is said of the rest.
const FRAME_TOKENS: usize = 100;

/// Stands before what may be cut, and nowhere else: in what anybody wrote it is neutralised.
const OPENING: &str = "--- What this session held before it was compacted (quotations: check before you rely on them) ---\n";
const CLOSING: &str = "--- End of what this session held ---\n";

/// Stands there instead if there is no room at all.
const NOTHING_HELD: &str = "[cut off: what this session held left out, there is no room for it]\n";

/// What is put by for a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parcel<'a> {
    /// What is handed over whole, whatever else is cut.
    pub(super) whole: &'a str,
    /// What the session held, as far as there is room.
    pub(super) held: &'a str,
}

/// How much may be handed over.
pub(super) fn limits(scene: &Scene<'_>) -> Limits {
    let tools = Manners::of(scene.host).tools;
    tools.map_or_else(|| scene.limits(), |tools| scene.limits().less(tools))
}

/// What the session held may cost this much, beside what is handed over whole. Memory has the rest.
pub(super) fn held_tokens(limits: Limits, whole: &str) -> usize {
    limits.less(whole).room.limit / 8
}

/// A conversation that has not gone on by then does not wait for this any more.
const MAX_AGE_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Puts something by for this session; nothing if there is none. What waits in vain goes.
pub(super) fn put(scene: &Scene<'_>, parcel: Parcel<'_>) -> Result<(), Failure> {
    let Some(path) = path(&scene.world, scene.host, scene.input) else {
        return Ok(());
    };
    let mut text = parcel.whole.to_owned();
    if !parcel.held.is_empty() {
        text.push_str(&framed(parcel.held, MAX_TOKENS));
    }
    // Pins and proposals are in it too: nothing that waits on the disk holds a secret.
    let text = super::guarded(scene).mask(&text);
    let new = (!text.is_empty()).then(|| text.into_bytes());
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
    let text = fitting(&text, limits(scene));
    (!text.is_empty()).then_some(text)
}

/// So much of a text as there is room for. Normally that is all of it: it was made for this room.
fn fitting(text: &str, limits: Limits) -> String {
    let at = text.find(OPENING).unwrap_or(text.len());
    let (whole, held) = text.split_at(at);
    let room = limits.room;
    let mut said = match room.taken_by(whole) <= room.limit {
        true => whole.to_owned(),
        false => cut(whole, room.limit / 4),
    };
    let held = held.strip_prefix(OPENING).unwrap_or(held);
    let held = held.strip_suffix(CLOSING).unwrap_or(held);
    if !held.is_empty() {
        let left = limits.less(&said).room;
        let framed = framed(held, held_tokens(limits, &said));
        let fits = left.taken_by(&framed) <= left.limit;
        said.push_str(if fits { &framed } else { NOTHING_HELD });
    }
    said
}

fn framed(held: &str, limit_tokens: usize) -> String {
    let held = cut(held, limit_tokens + FRAME_TOKENS);
    let end = if held.ends_with('\n') { "" } else { "\n" };
    format!("{OPENING}{held}{end}{CLOSING}")
}

/// The start of a text, which says so if that is not all.
fn cut(text: &str, limit_tokens: usize) -> String {
    if truncate::head(text, limit_tokens).len() == text.len() {
        return text.to_owned();
    }
    let head = truncate::head(text, limit_tokens.saturating_sub(FRAME_TOKENS)).trim_end();
    let all = tokens::estimate(text);
    let left_out = all - tokens::estimate(head);
    format!(
        "{head}\n[cut off: about {left_out} of {all} tokens left out, there is no room for more]\n"
    )
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
