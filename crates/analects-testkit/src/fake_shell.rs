//! A shell that prints what a test wants it to print.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use analects_world::shell::{Command, Ended, Fed, How, Limit, Shell};
use analects_world::{AbsPath, Cancel};

/// How long somebody may wait for a cancellation that never comes before the test fails.
const WAIT: Duration = Duration::from_secs(20);

/// A shell that knows some command lines, and remembers what it ran. Of all others it says that they are unknown.
#[derive(Default)]
pub struct FakeShell(Mutex<State>);

#[derive(Default)]
struct State {
    known: BTreeMap<String, Known>,
    ran: Vec<Ran>,
}

/// What a command line does.
#[derive(Clone)]
struct Known {
    pieces: Vec<Vec<u8>>,
    end: RunEnd,
}

/// How a command ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// Like this.
    So(Ended),
    /// Not before somebody cancels, or its time is over. No time passes: a limit is reached at once.
    Never,
    /// It is not started at all.
    NotStarted(String),
}

/// What was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The line.
    pub line: String,
    /// Where.
    pub dir: AbsPath,
    /// Its environment.
    pub vars: BTreeMap<String, String>,
    /// How long it may be silent.
    pub idle_ms: Option<u64>,
    /// How long it may take.
    pub whole_ms: Option<u64>,
    /// When it is left alone.
    pub leave_ms: Option<u64>,
}

impl FakeShell {
    /// A command that prints something and ends with a code.
    pub fn prints(&self, line: &str, text: &str, code: i32) {
        let how = How::Code(code);
        let left = Vec::new();
        self.does(line, &[text.as_bytes()], RunEnd::So(Ended { how, left }));
    }

    /// A command that prints something and goes on for ever.
    pub fn never_ends(&self, line: &str, text: &str) {
        self.does(line, &[text.as_bytes()], RunEnd::Never);
    }

    /// A command that prints these pieces, one after the other, and ends.
    pub fn does(&self, line: &str, pieces: &[&[u8]], end: RunEnd) {
        let pieces = pieces.iter().map(|piece| piece.to_vec()).collect();
        let known = Known { pieces, end };
        self.state().known.insert(line.to_owned(), known);
    }

    /// Everything that was run so far.
    #[must_use]
    pub fn ran(&self) -> Vec<Ran> {
        self.state().ran.clone()
    }

    /// The lines that were run so far.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.ran().into_iter().map(|ran| ran.line).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shell for FakeShell {
    fn run(
        &self,
        command: &Command<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&[u8]),
    ) -> Result<Ended, String> {
        let known = {
            let mut state = self.state();
            state.ran.push(ran(command));
            state.known.get(command.line).cloned()
        };
        let ended = |how| Ended {
            how,
            left: Vec::new(),
        };
        let Some(Known { pieces, end }) = known else {
            hear(format!("bash: line 1: {}: command not found\n", command.line).as_bytes());
            return Ok(ended(How::Code(127)));
        };
        let end = match end {
            RunEnd::NotStarted(why) => return Err(why),
            RunEnd::So(ended) => Some(ended),
            RunEnd::Never => None,
        };
        for piece in pieces {
            if cancel.is_cancelled() {
                return Ok(ended(How::Cancelled));
            }
            hear(&piece);
        }
        Ok(end.unwrap_or_else(|| ended(over(command, cancel))))
    }

    fn feed(&self, _: &Command<'_>, _: &[u8], _: usize, _: &Cancel) -> Result<Fed, String> {
        Err("not yet".to_owned())
    }
}

fn ran(command: &Command<'_>) -> Ran {
    Ran {
        line: command.line.to_owned(),
        dir: command.dir.clone(),
        vars: command.vars.clone(),
        idle_ms: command.idle_ms,
        whole_ms: command.whole_ms,
        leave_ms: command.leave_ms,
    }
}

/// What becomes of a command that never ends by itself.
fn over(command: &Command<'_>, cancel: &Cancel) -> How {
    let limits = [
        (command.leave_ms, How::Left),
        (command.idle_ms, How::TimedOut(Limit::Idle)),
        (command.whole_ms, How::TimedOut(Limit::Whole)),
    ];
    let set = limits.into_iter().filter_map(|(at, how)| Some((at?, how)));
    if cancel.is_cancelled() {
        return How::Cancelled;
    }
    if let Some((_, how)) = set.min_by_key(|&(at, _)| at) {
        return how;
    }
    let (tell, told) = mpsc::channel();
    let _listening = cancel.listen(move || {
        // Whoever waited may be gone.
        let _ = tell.send(());
    });
    told.recv_timeout(WAIT).expect("somebody should cancel");
    How::Cancelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_lines_do_what_they_should_and_others_are_unknown() {
        let shell = FakeShell::default();
        shell.prints("ls", "a\n", 0);
        shell.never_ends("serve", "up\n");
        let (dir, vars, cancel) = (AbsPath::root(), BTreeMap::new(), Cancel::new());
        let mut printed = Vec::new();
        let mut run = |line, whole_ms| {
            let command = Command {
                line,
                dir: &dir,
                vars: &vars,
                idle_ms: None,
                whole_ms,
                leave_ms: None,
            };
            let answer = shell.run(&command, &cancel, &mut |piece| {
                printed.extend_from_slice(piece);
            });
            answer.unwrap().how
        };
        assert_eq!(run("ls", None), How::Code(0));
        assert_eq!(run("nope", None), How::Code(127));
        assert_eq!(run("serve", Some(5)), How::TimedOut(Limit::Whole));
        cancel.cancel();
        assert_eq!(run("serve", None), How::Cancelled);
        assert_eq!(printed, b"a\nbash: line 1: nope: command not found\nup\n");
        assert_eq!(shell.lines(), ["ls", "nope", "serve", "serve"]);
    }
}
