//! Background work of a chat, which nobody waits for: headlines for past sessions, and learning from them.
//!
//! It has doors of its own and no screen: what there is to say waits for the next prompt. Neither the start of a chat
//! nor a line that is typed waits for it, and who leaves is kept for a moment at most.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use analects_engine::World;
use analects_engine::extract;
use analects_engine::sessions::summarize_next;
use analects_engine::verbs::{Failure, Flags};
use analects_host::WallClock;
use analects_world::progress::Silent;
use analects_world::{Cancel, Clock};

use super::Chat;
use crate::args::Global;
use crate::desk::{self, Doors};
use crate::person::Nobody;

/// Who leaves waits this long for what is being done to see it: what was asked of a model by then is still booked.
const FAREWELL: Duration = Duration::from_millis(300);

/// Whoever has said nothing for this long may not mind that something is done meanwhile.
const IDLE_MS: u64 = 10 * 60 * 1000;
/// It is looked this often whether that is so.
const PACE_MS: u64 = 30 * 1000;

/// Nobody is idle who waits for an answer: that time lies ahead of every clock.
const BUSY: u64 = u64::MAX;

/// Something that is being done. It is to stop once this is dropped.
pub(super) struct Background {
    cancel: Cancel,
    shared: Arc<Shared>,
    done: Receiver<()>,
}

/// What a chat and what is done behind it tell each other.
#[derive(Default)]
struct Shared {
    /// Since when the person has said nothing; [`BUSY`] as long as something is done for them.
    active_ms: AtomicU64,
    /// What there is to say.
    notices: Mutex<Vec<String>>,
}

impl Chat<'_, '_> {
    /// Begins what is done in a chat, if that has not begun; `current` is the session that goes on.
    pub(super) fn in_background(&mut self, current: Option<String>) {
        if self.background.is_none() {
            self.background = Background::begin(self.stage.cli.global.clone(), current);
        }
    }

    /// Notes that something is done for the person from now on.
    pub(super) fn be_busy(&self) {
        if let Some(background) = &self.background {
            background.shared.active_ms.store(BUSY, Ordering::Relaxed);
        }
    }

    /// Notes that it is the person's turn, and says what came up meanwhile.
    pub(super) fn hear_background(&self) {
        let Some(background) = &self.background else {
            return;
        };
        let shared = &background.shared;
        shared
            .active_ms
            .store(WallClock.now_ms(), Ordering::Relaxed);
        let notices = shared.notices.lock();
        let notices = std::mem::take(&mut *notices.unwrap_or_else(PoisonError::into_inner));
        for notice in notices {
            self.say(&notice);
        }
    }
}

impl Background {
    fn begin(global: Global, current: Option<String>) -> Option<Self> {
        let cancel = Cancel::new();
        let (tell, done): (Sender<()>, _) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let (heeded, told) = (cancel.clone(), Arc::clone(&shared));
        let began_ms = WallClock.now_ms();
        told.active_ms.store(began_ms, Ordering::Relaxed);
        let work = move || {
            // It was nobody's wish, so nobody is told what came in its way; the next start tries again.
            let _ = work(&global, current.as_deref(), began_ms, &heeded, &told);
            let _ = tell.send(());
        };
        // Without a thread for it, it is not done.
        let thread = thread::Builder::new().name("background".to_owned());
        thread.spawn(work).ok()?;
        Some(Self {
            cancel,
            shared,
            done,
        })
    }
}

fn work(
    global: &Global,
    current: Option<&str>,
    began_ms: u64,
    cancel: &Cancel,
    shared: &Shared,
) -> Result<(), Failure> {
    let (around, desk) = desk::open(global)?;
    let doors = Doors::new(desk, &around);
    let world = doors.world(&Nobody, &Silent);
    let flags = global.flags();
    // Who cannot be asked for a headline may still be learned from.
    let _ = summarize_next(&world, &flags, current, began_ms, cancel);
    learn(&world, &flags, cancel, shared);
    let mut learned_ms = shared.active_ms.load(Ordering::Relaxed);
    while !cancel.is_cancelled() {
        let active_ms = shared.active_ms.load(Ordering::Relaxed);
        // Once in every time that nothing is said for this long.
        let is_idle = world.clock.now_ms().saturating_sub(active_ms) >= IDLE_MS;
        if is_idle && active_ms != learned_ms {
            learned_ms = active_ms;
            learn(&world, &flags, cancel, shared);
        }
        world.clock.wait(PACE_MS, cancel);
    }
    Ok(())
}

fn learn(world: &World<'_>, flags: &Flags, cancel: &Cancel, shared: &Shared) {
    let Ok(report) = extract::in_background(world, flags, cancel) else {
        return;
    };
    if let Some(notice) = report.notice() {
        let notices = shared.notices.lock();
        let mut notices = notices.unwrap_or_else(PoisonError::into_inner);
        notices.push(notice);
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.cancel.cancel();
        // Whoever does not see it in time ends with the process.
        let _ = self.done.recv_timeout(FAREWELL);
    }
}
