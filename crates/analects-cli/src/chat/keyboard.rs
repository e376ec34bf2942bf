//! The keyboard while no line is edited: silent during a turn, read key by key when something is asked.
//!
//! What is typed ahead is neither shown in the middle of an answer nor lost, and never taken for the answer to a question
//! that came later.

use std::io::{self, Stdin, stdin};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analects_world::Cancel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::read;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::dup2_stdin;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

/// How long a wish to stop may go unnoticed.
const LOOK_UP: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// More is never typed by hand ahead of a question.
const MAX_AHEAD_BYTES: usize = 1024 * 1024;

/// A key that answers something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// A letter or a digit, as it was typed.
    Char(char),
    /// Enter.
    Enter,
    /// Esc, or the end of input: nobody wants that.
    No,
    /// Anything else.
    Other,
}

/// The keyboard of the terminal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keyboard(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// How the terminal was before it was hushed.
    before: Option<Termios>,
    ahead: Vec<u8>,
    cancel: Cancel,
    /// Whether a line editor reads it.
    is_lent: bool,
    /// Where nobody ever types, once the terminal is gone.
    nobody: Option<OwnedFd>,
}

/// As long as this lives, keys are not shown, and wait to be heard.
#[derive(Debug)]
pub(crate) struct Hushed(Keyboard, bool);

impl Keyboard {
    /// What a person may stop while they are asked something.
    pub(crate) fn heed(&self, cancel: &Cancel) {
        self.state().cancel = cancel.clone();
    }

    /// Hides what is typed from now on. Ctrl-C and Ctrl-Z are heard as ever.
    pub(crate) fn hush(&self) -> Hushed {
        let is_mine = self.state().before.is_none() && self.quiet().is_ok();
        Hushed(self.clone(), is_mine)
    }

    /// The same once more, after the terminal was somebody else's.
    pub(crate) fn hush_again(&self) {
        let is_hushed = self.state().before.is_some();
        if is_hushed {
            // A terminal that is gone needs no quiet.
            let _ = quieten().map(drop);
        }
    }

    /// Gives the terminal back as it was: nobody comes back.
    pub(crate) fn aloud_for_good(&self) {
        self.loud();
    }

    /// Gives the terminal back as it was, for a program that needs all of it or a line that is typed.
    pub(crate) fn aloud<T>(&self, during: impl FnOnce() -> T) -> T {
        let was_quiet = self.loud();
        let done = during();
        if was_quiet {
            let _ = self.quiet();
        }
        done
    }

    /// Lets a line editor read it.
    pub(crate) fn lend<T>(&self, during: impl FnOnce() -> T) -> T {
        self.state().is_lent = true;
        let done = during();
        self.state().is_lent = false;
        done
    }

    /// The terminal is gone.
    ///
    /// crossterm reads a terminal that is gone over and over and never comes back, so the editor would not see that
    /// everything is to end. It is given a pipe instead: there it finds nothing, and looks up.
    pub(crate) fn gone(&self) {
        let mut state = self.state();
        if !state.is_lent || state.nobody.is_some() {
            return;
        }
        // Without a pipe the second signal ends the process.
        let Ok((hears, types)) = pipe_with(PipeFlags::NONBLOCK | PipeFlags::CLOEXEC) else {
            return;
        };
        if dup2_stdin(hears).is_ok() {
            state.nobody = Some(types);
        }
    }

    /// What was typed while nobody listened.
    pub(crate) fn take_ahead(&self) -> String {
        self.drain();
        let bytes = std::mem::take(&mut self.state().ahead);
        readable(&bytes)
    }

    /// Hides what is typed, and puts aside what was typed so far: it is no answer to what is asked from now on.
    pub(crate) fn attend(&self) -> Hushed {
        let hushed = self.hush();
        self.drain();
        hushed
    }

    /// Waits for the next key; `None` if the terminal is gone.
    pub(crate) fn key(&self) -> Option<Key> {
        let cancel = self.state().cancel.clone();
        loop {
            if cancel.is_cancelled() {
                return Some(Key::No);
            }
            if !wait(LOOK_UP) {
                continue;
            }
            let mut bytes = [0; 64];
            let n_read = read(stdin(), &mut bytes)
                .ok()
                .filter(|n_read| *n_read > 0)?;
            return Some(understood(bytes.get(..n_read).unwrap_or_default()));
        }
    }

    fn drain(&self) {
        let mut bytes = [0; 4096];
        while wait(Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        }) {
            let Some(n_read) = read(stdin(), &mut bytes).ok().filter(|n_read| *n_read > 0) else {
                return;
            };
            let mut state = self.state();
            let room = MAX_AHEAD_BYTES.saturating_sub(state.ahead.len());
            let typed = bytes.get(..n_read.min(room)).unwrap_or_default();
            state.ahead.extend_from_slice(typed);
            if typed.len() < n_read {
                return;
            }
        }
    }

    fn quiet(&self) -> io::Result<()> {
        let before = quieten()?;
        self.state().before = Some(before);
        Ok(())
    }

    fn loud(&self) -> bool {
        let mut state = self.state();
        let before = state.before.take();
        drop(state);
        let Some(before) = before else { return false };
        // A terminal that is gone need not be restored.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Hushed {
    fn drop(&mut self) {
        if self.1 {
            self.0.drain();
            self.0.loud();
        }
    }
}

/// Neither echo nor lines, and says how it was.
fn quieten() -> io::Result<Termios> {
    let stdin: Stdin = stdin();
    let before = tcgetattr(&stdin)?;
    let mut now = before.clone();
    now.local_modes
        .remove(LocalModes::ECHO | LocalModes::ICANON);
    // Else Ctrl-C would throw away what was typed before it.
    now.local_modes.insert(LocalModes::NOFLSH);
    now.special_codes[SpecialCodeIndex::VMIN] = 1;
    now.special_codes[SpecialCodeIndex::VTIME] = 0;
    tcsetattr(&stdin, OptionalActions::Now, &now)?;
    Ok(before)
}

/// Whether there is something to read, or nothing ever will be.
fn wait(most: Timespec) -> bool {
    let stdin = stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut fds, Some(&most)) {
        Ok(n_ready) => n_ready > 0,
        // A signal came in between; one looks again.
        Err(rustix::io::Errno::INTR) => false,
        Err(_) => true,
    }
}

fn understood(bytes: &[u8]) -> Key {
    match bytes {
        [b'\r' | b'\n', ..] => Key::Enter,
        [0x1b] | [0x03 | 0x04, ..] => Key::No,
        [0x1b, ..] => Key::Other,
        _ => {
            let text = String::from_utf8_lossy(bytes);
            let first = text.chars().next().filter(|c| !c.is_control());
            first.map_or(Key::Other, Key::Char)
        }
    }
}

/// What was typed, without what only moves a cursor; a line that was sent is a line.
fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut chars),
            // Backspace takes back what was typed before it.
            '\u{7f}' | '\u{8}' => drop(shown.pop()),
            '\r' | '\n' => shown.push('\n'),
            '\t' => shown.push('\t'),
            c if c.is_control() => {}
            c => shown.push(c),
        }
    }
    shown
}

fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    if chars.next_if(|c| matches!(c, '[' | 'O')).is_none() {
        return;
    }
    for c in chars.by_ref() {
        if matches!(c, '@'..='~') {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_understood() {
        let cases: [(&[u8], Key); 9] = [
            (b"y", Key::Char('y')),
            (b"Y\n", Key::Char('Y')),
            ("ä".as_bytes(), Key::Char('ä')),
            (b"\r", Key::Enter),
            (b"\n", Key::Enter),
            (b"\x1b", Key::No),
            (b"\x03", Key::No),
            (b"\x1b[A", Key::Other),
            (b"\x00", Key::Other),
        ];
        for (bytes, key) in cases {
            assert_eq!(understood(bytes), key, "{bytes:?}");
        }
    }

    #[test]
    fn what_was_typed_ahead_is_words_and_nothing_else() {
        let cases = [
            ("hello", "hello"),
            ("one\rtwo\n", "one\ntwo\n"),
            ("a\u{1b}[Ab\u{1b}OPc", "abc"),
            ("ab\u{7f}c", "ac"),
            ("\u{3}x\u{0}", "x"),
            ("\u{1b}[200~pasted\u{1b}[201~", "pasted"),
            ("你好", "你好"),
        ];
        for (typed, shown) in cases {
            assert_eq!(readable(typed.as_bytes()), shown, "{typed:?}");
        }
        assert_eq!(readable(&[0xff, b'a', 0x1b]), "\u{fffd}a");
    }
}
