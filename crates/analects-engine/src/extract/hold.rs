//! Holds the extraction lock while we work, and never takes over a live one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use analects_skill::lock::{self, Holder, STALE_MS, Verdict};
use analects_world::AbsPath;
use analects_world::claim::{ClaimError, MAX_CLAIM_BYTES, Who};
use analects_world::files::{Trouble, Want, Within};

use crate::World;
use crate::sessions;
use crate::verbs::Failure;

/// The lock is made younger this often; nobody takes it for old before [`STALE_MS`].
const BEAT_MS: u64 = 5 * 60 * 1000;
/// Whoever finds a dead lock this often in a row is not alone.
const MAX_TRIES: usize = 5;

/// What came of taking the lock.
pub(super) enum Taken<'a> {
    /// It is ours.
    Ours(Box<Hold<'a>>),
    /// Somebody else is at work.
    Busy(Holder),
}

/// A lock that is ours; given back when this goes.
pub(super) struct Hold<'a> {
    world: World<'a>,
    path: AbsPath,
    me: Who,
    kept: Mutex<Kept>,
}

struct Kept {
    /// What the lock says.
    text: Vec<u8>,
    /// Since when.
    beat_ms: u64,
    /// Whether somebody took it from us.
    is_lost: bool,
}

/// Takes the lock of a private memory folder, if nobody has it who is alive.
pub(super) fn take<'a>(world: &World<'a>, memory: &AbsPath) -> Result<Taken<'a>, Failure> {
    let path = lock::place(memory);
    let me = world.claims.who();
    for _ in 0..MAX_TRIES {
        let now = sessions::now(world)?;
        let text = lock::write(&me, now);
        if world.claims.put(&path, &text).map_err(failure)? {
            let beat_ms = now.as_ms();
            return Ok(Taken::Ours(Box::new(Hold {
                world: *world,
                path,
                me,
                kept: Mutex::new(Kept {
                    text,
                    beat_ms,
                    is_lost: false,
                }),
            })));
        }
        // Gone since: the next try may get it.
        let Some((text, written_ms)) = look(world, &path)? else {
            continue;
        };
        let pulse = |pid| world.claims.pulse(pid);
        match lock::judge(&text, written_ms, now.as_ms(), &me, pulse) {
            Verdict::Held(holder) => return Ok(Taken::Busy(holder)),
            Verdict::Stale(_) => {
                world.claims.swap(&path, &text, None).map_err(failure)?;
            }
        }
    }
    Ok(Taken::Busy(Holder::default()))
}

/// Whoever is at work in a private memory folder, if somebody is.
pub(super) fn holder(world: &World<'_>, memory: &AbsPath) -> Result<Option<Holder>, Failure> {
    let Some((text, written_ms)) = look(world, &lock::place(memory))? else {
        return Ok(None);
    };
    let (me, now_ms) = (world.claims.who(), world.clock.now_ms());
    let pulse = |pid| world.claims.pulse(pid);
    match lock::judge(&text, written_ms, now_ms, &me, pulse) {
        Verdict::Held(holder) => Ok(Some(holder)),
        Verdict::Stale(_) => Ok(None),
    }
}

/// What a lock says, and when it was written.
fn look(world: &World<'_>, path: &AbsPath) -> Result<Option<(Vec<u8>, u64)>, Failure> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: MAX_CLAIM_BYTES,
    };
    let blob = match world.files.read_one(want) {
        Err(Trouble::Missing) => return Ok(None),
        Err(trouble) => {
            return Err(Failure::failed(format!("cannot read `{path}`: {trouble}")));
        }
        Ok(blob) => blob,
    };
    let measure = world.files.measure(std::slice::from_ref(path)).pop();
    let measure = measure.and_then(Result::ok);
    Ok(measure.map(|measure| (blob.bytes, measure.written_ms())))
}

fn failure(error: ClaimError) -> Failure {
    Failure::failed(error.to_string())
}

impl Hold<'_> {
    /// Makes the lock younger when it is time; false if it is no longer ours.
    pub(super) fn beat(&self) -> bool {
        let mut kept = self.kept();
        let Ok(now) = sessions::now(&self.world) else {
            return !kept.is_lost;
        };
        let age = now.as_ms().abs_diff(kept.beat_ms);
        if kept.is_lost || age < BEAT_MS {
            return !kept.is_lost;
        }
        let text = lock::write(&self.me, now);
        match self.world.claims.swap(&self.path, &kept.text, Some(&text)) {
            Ok(true) => {
                kept.text = text;
                kept.beat_ms = now.as_ms();
            }
            Ok(false) => kept.is_lost = true,
            // The disk may take it the next time, as long as nobody may take the lock.
            Err(_) => kept.is_lost = age > STALE_MS,
        }
        !kept.is_lost
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let kept = self.kept();
        if !kept.is_lost {
            // One that stays behind is stale as soon as our process is gone.
            let _ = self.world.claims.swap(&self.path, &kept.text, None);
        }
    }
}

#[cfg(test)]
mod tests;
