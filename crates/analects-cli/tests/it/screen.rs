//! A person at a real terminal that fills the screen: keys go in, and what is to be seen can be looked at.
//!
//! The program is the leader of a session of its own, with the terminal as its controlling one: Ctrl-C, a new
//! size and a hang-up reach it as in life. What runs under a shell ([`Screen::shell`]) can be stopped as well.
//!
//! Nothing here sleeps: who waits is woken by what the program writes, and gives up after [`PATIENCE`].

mod answers;
mod keys;
mod line;
mod picture;
mod svg;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use crate::pty::Pty;
use crate::sandbox::Sandbox;
use line::{Line, State};

/// How long something may take that happens. Whoever sees what was waited for waits no longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How much fits on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
}

impl Size {
    /// What everybody has.
    pub(crate) const USUAL: Self = Self {
        columns: 80,
        rows: 24,
    };
}

/// A program behind a terminal. Whoever drops this ends the program and all that it started.
pub(crate) struct Screen {
    child: Child,
    line: Line,
    /// What stands for the sandbox on the screen.
    real: String,
}

impl Screen {
    /// The binary.
    pub(crate) fn start<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        sandbox: &Sandbox,
        args: &[&str],
        vars: impl IntoIterator<Item = (K, V)>,
        size: Size,
    ) -> Self {
        let binary = [env!("CARGO_BIN_EXE_analects")];
        Self::run(sandbox, &[&binary[..], args].concat(), vars, size)
    }

    /// A shell with jobs, in which the binary is a command as any other: `analects`, Ctrl-Z, `fg`.
    pub(crate) fn shell<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        sandbox: &Sandbox,
        vars: impl IntoIterator<Item = (K, V)>,
        size: Size,
    ) -> Self {
        let screen = Self::run(sandbox, &["sh", "-i"], vars, size);
        screen.wait_for(PROMPT);
        screen
    }

    /// Any program.
    pub(crate) fn run<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        sandbox: &Sandbox,
        words: &[&str],
        vars: impl IntoIterator<Item = (K, V)>,
        size: Size,
    ) -> Self {
        let pty = Pty::open();
        // Whoever runs the tests may ignore signals, as `nohup` does, and that would be inherited.
        let words = [&["--default-signal", "setsid", "--ctty"], words].concat();
        let mut command = sandbox.program(Path::new("env"), &words);
        let ours = Path::new(env!("CARGO_BIN_EXE_analects")).parent().unwrap();
        command
            .env("PATH", format!("/usr/bin:/bin:{}", ours.display()))
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            .env("PS1", PROMPT)
            .envs(vars)
            .stdin(pty.other_end())
            .stdout(pty.other_end())
            .stderr(pty.other_end());
        // The size is there before anybody can ask for it.
        let line = Line::open(pty.master, size);
        let child = command.spawn().unwrap();
        Self {
            child,
            line,
            real: sandbox.real(),
        }
    }

    /// Waits until this is to be seen anywhere on the screen. A line that was wrapped is one line.
    pub(crate) fn wait_for(&self, text: &str) -> &Self {
        self.wait_until(text, |screen| screen.contents().contains(text))
    }

    /// Waits until the screen is as it should be.
    pub(crate) fn wait_until(&self, what: &str, is: impl Fn(&vt100::Screen) -> bool) -> &Self {
        self.wait(what, |state| is(state.screen()));
        self
    }

    /// Waits until this was written, whether it can still be seen or not.
    pub(crate) fn wait_for_raw(&self, bytes: &str) -> &Self {
        let has = |state: &State| contains(&state.raw, bytes.as_bytes());
        self.wait(bytes, has);
        self
    }

    fn wait(&self, what: &str, is: impl Fn(&State) -> bool) {
        let end = self.line.wait(PATIENCE, is);
        assert!(
            end.is_ok(),
            "never saw {what:?}: {}\n{}",
            end.unwrap_err(),
            self.framed()
        );
    }

    /// Types, as fast as it is read.
    pub(crate) fn type_text(&self, text: &str) -> &Self {
        self.line.send(text.as_bytes());
        self
    }

    /// Presses keys by their names: `"Ctrl-C Up Enter"`.
    pub(crate) fn keys(&self, names: &str) -> &Self {
        for name in names.split_whitespace() {
            let keyboard = self.line.state().keyboard();
            self.line.send(&keys::bytes(name, keyboard));
        }
        self
    }

    /// Pastes: marked as such where the program asked for that, else as if it were typed.
    pub(crate) fn paste(&self, text: &str) -> &Self {
        let is_marked = self.line.state().screen().bracketed_paste();
        self.line.send(&keys::pasted(text, is_marked));
        self
    }

    /// Makes the window larger or smaller.
    pub(crate) fn resize(&self, size: Size) -> &Self {
        self.line.resize(size);
        self
    }

    /// Closes the window.
    pub(crate) fn hang_up(&mut self) {
        self.line.close();
    }

    /// Sends a signal to whatever runs in the foreground.
    pub(crate) fn signal(&self, signal: Signal) -> &Self {
        kill_process_group(self.line.foreground(), signal).unwrap();
        self
    }

    /// What is to be seen, without the blanks on the right and below. Paths begin with `/T`.
    pub(crate) fn text(&self) -> String {
        self.shown(self.line.state().screen())
    }

    /// The same with everything that has left the screen at the top.
    pub(crate) fn scrollback_text(&self) -> String {
        let mut screen = self.line.state().screen().clone();
        screen.set_scrollback(usize::MAX);
        let mut above = String::new();
        for offset in (1..=screen.scrollback()).rev() {
            screen.set_scrollback(offset);
            let (_, columns) = screen.size();
            above.push_str(
                screen
                    .rows(0, columns)
                    .next()
                    .unwrap_or_default()
                    .trim_end(),
            );
            above.push('\n');
        }
        screen.set_scrollback(0);
        self.steady(&above) + &self.shown(&screen)
    }

    fn shown(&self, screen: &vt100::Screen) -> String {
        let (_, columns) = screen.size();
        let rows: Vec<_> = screen.rows(0, columns).collect();
        let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
        let text = self.steady(&rows.join("\n"));
        format!("{}\n", text.trim_end())
    }

    /// The same in every run.
    fn steady(&self, text: &str) -> String {
        let text = text.replace(&self.real, "/T");
        let varying = picture::varying(&text).into_iter();
        varying.fold(text, |text, (word, shown)| text.replace(&word, shown))
    }

    /// All that was written.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.line.state().raw.clone()
    }

    /// Agrees to whatever is asked, until the program ends.
    pub(crate) fn agree(&mut self) -> ExitStatus {
        let mut n_answered = 0;
        let is_asked = |state: &State, n_answered| answers_wanted(&state.raw).len() > n_answered;
        // Who has ended asks nothing any more.
        while (self
            .line
            .wait(PATIENCE, |state| is_asked(state, n_answered)))
        .is_ok()
        {
            let wanted = answers_wanted(&self.line.state().raw);
            for answer in wanted.iter().skip(n_answered) {
                self.line.send(answer.as_bytes());
            }
            n_answered = wanted.len();
        }
        self.end()
    }

    /// Waits until the program has ended, and has been read to its end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let handle = pidfd_open(self.pid(), PidfdFlags::empty()).unwrap();
        assert!(has_ended(&handle), "it never ends:\n{}", self.framed());
        let status = self.child.wait().unwrap();
        let left = self.line.wait(PATIENCE, |state| !state.is_open);
        assert!(
            left.is_ok(),
            "somebody still holds the terminal:\n{}",
            self.framed()
        );
        status
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    fn framed(&self) -> String {
        let text = self.text();
        let rows = text.lines().map(|row| format!("  │{row}\n"));
        rows.collect()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            let mut all = Vec::new();
            offspring(self.pid(), &mut all);
            for pid in all {
                end_now(pid);
            }
            let _ = self.child.wait();
        }
        self.line.close();
    }
}

/// What agrees to each question that was put in lines, in their order.
fn answers_wanted(raw: &[u8]) -> Vec<&'static str> {
    const QUESTIONS: [(&str, &str); 2] = [("(y)es, (n)o", "y\n"), ("Your choice (1-", "1\n")];
    let raw = String::from_utf8_lossy(raw);
    // A question that is not whole yet comes in several pieces, and an echo between them would tear it.
    let is_whole = |row: &&str| row.contains(": ");
    let rows = raw.lines().filter(is_whole);
    rows.filter_map(|row| {
        let asked = QUESTIONS
            .iter()
            .find(|(question, _)| row.contains(question));
        asked.map(|(_, answer)| *answer)
    })
    .collect()
}

/// Ends a process, and waits until it has ended. Nothing is said of one that had ended before.
fn end_now(pid: Pid) {
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    let _ = pidfd_send_signal(&handle, Signal::KILL);
    has_ended(&handle);
}

/// Waits until a process has ended; whether it has.
fn has_ended(handle: &OwnedFd) -> bool {
    let mut ends = [PollFd::new(handle, PollFlags::IN)];
    let patience = Timespec::try_from(PATIENCE).unwrap();
    matches!(poll(&mut ends, Some(&patience)), Ok(1))
}

/// What a shell says when it is ready.
const PROMPT: &str = "ready> ";

/// A process and everything that it started, whatever session that is in. Who starts comes before who is started.
fn offspring(pid: Pid, all: &mut Vec<Pid>) {
    all.push(pid);
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())) else {
        return;
    };
    for thread in threads.map_while(Result::ok) {
        let children = fs::read_to_string(thread.path().join("children"));
        for child in children.unwrap_or_default().split_whitespace() {
            if let Some(child) = child.parse().ok().and_then(Pid::from_raw) {
                offspring(child, all);
            }
        }
    }
}

/// Whether bytes occur in others.
pub(crate) fn contains(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|window| window == what)
}
