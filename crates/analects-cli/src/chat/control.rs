//! Signals in a chat: Ctrl-C cancels the turn, twice leaves; SIGTERM and a terminal that is gone end everything in order.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analects_host::{Asked, Heed, watch_signals};
use analects_world::Cancel;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, is_raw_mode_enabled};

use super::keyboard::Keyboard;
use crate::exit;

/// The signal that tells of a terminal that is gone.
const HANG_UP: i32 = 1;

/// Paints the line that is typed again.
pub(crate) type Repaint = Arc<dyn Fn() + Send + Sync>;

/// What signals want, and whom they are told to.
#[derive(Clone, Default)]
pub(crate) struct Control {
    state: Arc<Mutex<State>>,
    /// Set once everything is to end: who waits for a line looks at it.
    pub(crate) broken: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    /// What goes on, if anything does.
    turn: Option<Cancel>,
    n_interrupts: usize,
    /// The signal by which all is to end.
    ends_by: Option<i32>,
    repaint: Option<Repaint>,
}

impl Control {
    /// Listens from now on.
    pub(crate) fn listen(&self, keyboard: &Keyboard) -> io::Result<()> {
        let (control, keyboard) = (self.clone(), keyboard.clone());
        watch_signals(move |asked| control.hear(asked, &keyboard))
    }

    /// By which the line that is typed is painted again.
    pub(crate) fn repaint_by(&self, repaint: Option<Repaint>) {
        self.state().repaint = repaint;
    }

    /// Something begins that can be stopped.
    pub(crate) fn begin(&self) -> Cancel {
        let cancel = Cancel::new();
        let mut state = self.state();
        state.n_interrupts = 0;
        state.turn = Some(cancel.clone());
        if state.ends_by.is_some() {
            cancel.cancel();
        }
        cancel
    }

    /// It is over.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.turn = None;
        state.n_interrupts = 0;
    }

    /// The code to leave with, if a signal wants everything to end.
    pub(crate) fn leaves_with(&self) -> Option<u8> {
        let ends_by = self.state().ends_by;
        ends_by.map(|signal| exit::cancelled(Some(signal)))
    }

    fn hear(&self, asked: Asked, keyboard: &Keyboard) -> Heed {
        match asked {
            Asked::GoOn => {
                self.take_the_screen_back(keyboard);
                return Heed::Heard;
            }
            Asked::Interrupt => self.state().n_interrupts += 1,
            Asked::End(signal) => {
                // In this order: an editor that begins to read now sees that it is to end.
                self.broken.store(true, Ordering::SeqCst);
                if signal == HANG_UP {
                    keyboard.gone();
                }
                let mut state = self.state();
                state.n_interrupts += 1;
                if state.ends_by.replace(signal).is_none() {
                    state.n_interrupts = state.n_interrupts.min(1);
                }
            }
        }
        let (turn, n_interrupts, ends_by) = {
            let state = self.state();
            (state.turn.clone(), state.n_interrupts, state.ends_by)
        };
        if n_interrupts > 1 {
            keyboard.aloud_for_good();
            let _ = disable_raw_mode();
            return Heed::Exit(exit::cancelled(ends_by));
        }
        // Not on this thread: who is told may take their time, and the second signal must not wait for that.
        if let Some(turn) = turn {
            std::thread::spawn(move || turn.cancel());
        }
        Heed::Heard
    }

    /// After a pause the terminal is as somebody else left it.
    fn take_the_screen_back(&self, keyboard: &Keyboard) {
        keyboard.hush_again();
        let repaint = self.state().repaint.clone();
        if is_raw_mode_enabled().unwrap_or(false) {
            // It is thought to be raw, and may not be.
            let _ = disable_raw_mode().and_then(|()| enable_raw_mode());
            if let Some(repaint) = repaint {
                repaint();
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
