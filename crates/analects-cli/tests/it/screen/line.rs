//! The line between a terminal and its program: one thread carries bytes both ways, as a terminal does at all
//! times, so that nobody has to wait until a test looks.

use std::collections::VecDeque;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::termios::{
    InputModes, OptionalActions, Winsize, tcgetattr, tcgetpgrp, tcsetattr, tcsetwinsize,
};

use super::Size;
use super::answers::{Answers, Keyboard};

/// How many lines that left the screen are kept.
const SCROLLBACK: usize = 20_000;

/// A terminal that is read all the time.
pub(super) struct Line {
    master: Option<Arc<OwnedFd>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    wake: PipeWriter,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// What is known of the terminal.
pub(super) struct State {
    parser: vt100::Parser<Answers>,
    /// All that was written.
    pub(super) raw: Vec<u8>,
    /// What was typed and not yet read.
    typed: VecDeque<u8>,
    /// Whether somebody may still write.
    pub(super) is_open: bool,
    /// Whether the window is to be closed.
    is_leaving: bool,
}

impl State {
    pub(super) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// How keys are to be told.
    pub(super) fn keyboard(&self) -> Keyboard {
        self.parser.callbacks().keyboard()
    }
}

impl Line {
    pub(super) fn open(master: OwnedFd, size: Size) -> Self {
        let mut modes = tcgetattr(&master).unwrap();
        // As all terminals do nowadays: a backspace takes a character, not a byte.
        modes.input_modes |= InputModes::IUTF8;
        tcsetattr(&master, OptionalActions::Now, &modes).unwrap();
        tcsetwinsize(&master, window(size)).unwrap();
        rustix::io::ioctl_fionbio(&master, true).unwrap();
        let answers = Answers::default();
        let parser =
            vt100::Parser::new_with_callbacks(size.rows, size.columns, SCROLLBACK, answers);
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                parser,
                raw: Vec::new(),
                typed: VecDeque::new(),
                is_open: true,
                is_leaving: false,
            }),
            changed: Condvar::new(),
        });
        let master = Arc::new(master);
        let (woken, wake) = pipe().unwrap();
        let (theirs, carried) = (Arc::clone(&master), Arc::clone(&shared));
        let thread = thread::spawn(move || {
            carry(&theirs, woken, &carried);
            carried.state().is_open = false;
            carried.changed.notify_all();
        });
        Self {
            master: Some(master),
            shared,
            thread: Some(thread),
            wake,
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// Waits until the terminal is in a state; else says why that never came.
    pub(super) fn wait(
        &self,
        patience: Duration,
        is: impl Fn(&State) -> bool,
    ) -> Result<(), &'static str> {
        let deadline = Instant::now() + patience;
        let mut state = self.state();
        loop {
            if is(&state) {
                return Ok(());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if !state.is_open {
                return Err("the program has ended");
            }
            if left.is_zero() {
                return Err("time is up");
            }
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(super) fn send(&self, bytes: &[u8]) {
        self.state().typed.extend(bytes);
        self.wake();
    }

    pub(super) fn resize(&self, size: Size) {
        // Nothing that is written for one size is shown in the other.
        let mut state = self.state();
        let screen = state.parser.screen_mut();
        screen.set_size(size.rows, size.columns);
        tcsetwinsize(self.master(), window(size)).unwrap();
    }

    /// The group of processes that keys and signals go to.
    pub(super) fn foreground(&self) -> Pid {
        tcgetpgrp(self.master()).unwrap()
    }

    pub(super) fn close(&mut self) {
        self.state().is_leaving = true;
        self.wake();
        if let Some(thread) = self.thread.take() {
            let is_sound = thread.join().is_ok();
            assert!(is_sound || thread::panicking(), "the terminal panicked");
        }
        self.master = None;
    }

    fn wake(&self) {
        // Who has ended need not be woken.
        let _ = (&self.wake).write(&[1]);
    }

    fn master(&self) -> &OwnedFd {
        self.master.as_ref().expect("the window is still open")
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive(&self, bytes: &[u8]) {
        let mut state = self.state();
        state.parser.process(bytes);
        state.raw.extend_from_slice(bytes);
        let replies = state.parser.callbacks_mut().take();
        state.typed.extend(replies);
        drop(state);
        self.changed.notify_all();
    }
}

/// Carries bytes until the program has closed its end, or the window closes.
fn carry(master: &OwnedFd, mut woken: PipeReader, shared: &Shared) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let mut wants = PollFlags::IN;
        {
            let state = shared.state();
            if state.is_leaving {
                return;
            }
            wants.set(PollFlags::OUT, !state.typed.is_empty());
        }
        let mut ready = [
            PollFd::new(master, wants),
            PollFd::new(&woken, PollFlags::IN),
        ];
        match poll(&mut ready, None) {
            Err(Errno::INTR) => continue,
            polled => polled.unwrap(),
        };
        let [terminal, wish] = ready.map(|it| it.revents());
        if wish.contains(PollFlags::IN) {
            woken.read_exact(&mut [0]).unwrap();
        }
        if terminal.contains(PollFlags::OUT) {
            let mut state = shared.state();
            if let Ok(n) = rustix::io::write(master, state.typed.as_slices().0) {
                state.typed.drain(..n);
            }
        }
        if terminal.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            match rustix::io::read(master, &mut buffer) {
                Ok(n @ 1..) => shared.receive(&buffer[..n]),
                Err(Errno::AGAIN | Errno::INTR) => {}
                // The end of a terminal is an error on Linux.
                Ok(0) | Err(_) => return,
            }
        }
    }
}

fn window(size: Size) -> Winsize {
    Winsize {
        ws_row: size.rows,
        ws_col: size.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}
