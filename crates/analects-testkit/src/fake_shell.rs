//! A shell that prints what a test wants it to print.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
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
    answers: BTreeMap<String, Answers>,
    ran: Vec<Ran>,
}

/// What a command line answers to what it is told.
type Answers = Arc<dyn Fn(&str) -> Fed + Send + Sync>;

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
    /// What it was told, if it was told anything.
    pub input: Option<String>,
}

/// What a command that was fed answers: its code, what it prints, what it complains of.
#[must_use]
pub fn fed(code: i32, stdout: &str, stderr: &str) -> Fed {
    Fed {
        ended: Ended {
            how: How::Code(code),
            left: Vec::new(),
        },
        stdout: stdout.as_bytes().to_vec(),
        stderr: stderr.as_bytes().to_vec(),
        is_cut: false,
    }
}

impl FakeShell {
    /// A command that answers to what it is told.
    pub fn answers(&self, line: &str, answer: impl Fn(&str) -> Fed + Send + Sync + 'static) {
        let answer = Arc::new(answer);
        self.state().answers.insert(line.to_owned(), answer);
    }

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
            state.ran.push(ran(command, None));
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

    /// Answers as [`FakeShell::answers`] has it. Any other known line prints what it prints to its standard output.
    fn feed(
        &self,
        command: &Command<'_>,
        input: &[u8],
        most_bytes: usize,
        cancel: &Cancel,
    ) -> Result<Fed, String> {
        let input = String::from_utf8_lossy(input).into_owned();
        let (answers, known) = {
            let mut state = self.state();
            state.ran.push(ran(command, Some(input.clone())));
            let known = state.known.get(command.line).cloned();
            (state.answers.get(command.line).cloned(), known)
        };
        let mut answer = match (answers, known) {
            _ if cancel.is_cancelled() => ended_early(How::Cancelled),
            (Some(answers), _) => answers(&input),
            (None, Some(Known { pieces, end })) => Fed {
                stdout: pieces.concat(),
                ..match end {
                    RunEnd::NotStarted(why) => return Err(why),
                    RunEnd::So(ended) => Fed {
                        ended,
                        ..ended_early(How::Cancelled)
                    },
                    RunEnd::Never => ended_early(over(command, cancel)),
                }
            },
            (None, None) => {
                let told = format!("bash: line 1: {}: command not found\n", command.line);
                fed(127, "", &told)
            }
        };
        for stream in [&mut answer.stdout, &mut answer.stderr] {
            answer.is_cut |= stream.len() > most_bytes;
            stream.truncate(most_bytes);
        }
        Ok(answer)
    }
}

fn ended_early(how: How) -> Fed {
    let mut fed = fed(0, "", "");
    fed.ended.how = how;
    fed
}

fn ran(command: &Command<'_>, input: Option<String>) -> Ran {
    Ran {
        line: command.line.to_owned(),
        dir: command.dir.clone(),
        vars: command.vars.clone(),
        idle_ms: command.idle_ms,
        whole_ms: command.whole_ms,
        leave_ms: command.leave_ms,
        input,
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
    #[test]
    fn who_is_fed_answers_to_what_it_is_told() {
        let shell = FakeShell::default();
        shell.answers("shout", |input| fed(2, &input.to_uppercase(), "no"));
        shell.never_ends("sit", "");
        let (dir, vars, cancel) = (AbsPath::root(), BTreeMap::new(), Cancel::new());
        let feed = |line, most_bytes| {
            let command = Command {
                line,
                dir: &dir,
                vars: &vars,
                idle_ms: None,
                whole_ms: Some(5),
                leave_ms: None,
            };
            shell.feed(&command, b"hello", most_bytes, &cancel).unwrap()
        };
        assert_eq!(feed("shout", 9), fed(2, "HELLO", "no"));
        let cut = feed("shout", 3);
        assert_eq!((&*cut.stdout, cut.is_cut), (&b"HEL"[..], true));
        assert_eq!(feed("sit", 9).ended.how, How::TimedOut(Limit::Whole));
        assert_eq!(feed("nope", 99).ended.how, How::Code(127));
        assert_eq!(shell.ran()[0].input.as_deref(), Some("hello"));
    }
}
