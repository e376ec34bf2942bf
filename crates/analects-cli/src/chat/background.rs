//! What is done behind a chat, and nobody waits for: past sessions get their headline.
//!
//! It has doors of its own and no screen. Neither the start of a chat nor a line that is typed waits for it, and who
//! leaves is kept for a moment at most.

use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use analects_engine::sessions::summarize_next;
use analects_engine::verbs::Failure;
use analects_world::Cancel;
use analects_world::progress::Silent;

use super::Chat;
use crate::args::Global;
use crate::desk::{self, Doors};
use crate::person::Nobody;

/// Who leaves waits this long for what is being done to see it: what was asked of a model by then is still booked.
const FAREWELL: Duration = Duration::from_millis(300);

/// Something that is being done. It is to stop once this is dropped.
pub(super) struct Background {
    cancel: Cancel,
    done: Receiver<()>,
}

impl Chat<'_, '_> {
    /// Begins what is done once in a chat, if that has not begun; `current` is the session that goes on.
    pub(super) fn in_background(&mut self, current: Option<String>) {
        if self.background.is_none() {
            self.background = Background::begin(self.stage.cli.global.clone(), current);
        }
    }
}

impl Background {
    fn begin(global: Global, current: Option<String>) -> Option<Self> {
        let cancel = Cancel::new();
        let (tell, done) = mpsc::channel();
        let heeded = cancel.clone();
        let work = move || {
            // It was nobody's wish, so nobody is told what came in its way; the next start tries again.
            let _ = summed_up(&global, current.as_deref(), &heeded);
            let _ = tell.send(());
        };
        // Without a thread for it, it is not done.
        let thread = thread::Builder::new().name("background".to_owned());
        thread.spawn(work).ok()?;
        Some(Self { cancel, done })
    }
}

fn summed_up(global: &Global, current: Option<&str>, cancel: &Cancel) -> Result<(), Failure> {
    let (around, desk) = desk::open(global)?;
    let doors = Doors::new(desk, &around);
    let world = doors.world(&Nobody, &Silent);
    summarize_next(&world, &global.flags(), current, cancel)?;
    Ok(())
}

impl Drop for Background {
    fn drop(&mut self) {
        self.cancel.cancel();
        // Whoever does not see it in time ends with the process.
        let _ = self.done.recv_timeout(FAREWELL);
    }
}
