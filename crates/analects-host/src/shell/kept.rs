//! A program that is kept running, and spoken to through its pipes.
//!
//! It leads a session of its own, as a command does. What it complains of is heard by a thread of its own, which also
//! ends it with all that it started, as soon as nobody wants it any more or it ended by itself.

use std::collections::BTreeMap;
use std::io::{self, PipeReader, PipeWriter};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use analects_world::{AbsPath, Cancel};
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};

use super::family::{Family, MARK, Mark};
use super::leader::{Bell, Leader};
use super::output::{Output, Stream};
use super::{Limits, Running, ending};

/// How much of the last that it complained of is kept.
const TAIL_BYTES: usize = 4 * 1024;
/// How long somebody has to end by itself, once nobody speaks to it any more.
const FAREWELL: Duration = Duration::from_millis(300);

/// What is started.
pub(crate) struct Start<'a> {
    pub(crate) command: &'a str,
    pub(crate) args: &'a [String],
    pub(crate) dir: &'a AbsPath,
    pub(crate) vars: &'a BTreeMap<String, String>,
}

/// The program. It is ended with this, and with it all that it started.
pub(crate) struct Kept {
    stop: Cancel,
    tail: Arc<Mutex<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

/// What it is told, and what it says.
pub(crate) struct Pipes {
    pub(crate) told: PipeWriter,
    pub(crate) says: PipeReader,
}

impl Kept {
    pub(crate) fn start(start: &Start<'_>) -> Result<(Self, Pipes), String> {
        let plain = |error: io::Error| error.to_string();
        let mark = Mark::new(start.vars);
        let bell = Bell::new().map_err(plain)?;
        let (input, told) = io::pipe().map_err(plain)?;
        let (says, output) = io::pipe().map_err(plain)?;
        let (complains, errors) = io::pipe().map_err(plain)?;
        let ends = Ends {
            input,
            output,
            errors,
        };
        let child = spawn(start, &mark, ends).map_err(|error| {
            match Path::new(start.dir.as_str()).is_dir() {
                true => format!("cannot run `{}`: {error}", start.command),
                false => format!("there is no directory {}", start.dir),
            }
        })?;
        let rope = bell.rope().map_err(plain)?;
        let leader = Leader::watch(child, rope)?;
        let running = Running {
            family: Family::new(leader.pid(), mark, Path::new("/proc")),
            leader,
            output: Output::new([(Stream::Err, complains)]),
            bell,
        };
        let stop = Cancel::new();
        let tail = Arc::new(Mutex::new(Vec::new()));
        let thread = keep(running, stop.clone(), Arc::clone(&tail))?;
        let kept = Self {
            stop,
            tail,
            thread: Some(thread),
        };
        Ok((kept, Pipes { told, says }))
    }

    /// Ends it, and answers the last that it complained of.
    pub(crate) fn end(mut self) -> String {
        self.finish();
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&tail).into_owned()
    }

    fn finish(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The ends of the pipes that the program has.
struct Ends {
    input: PipeReader,
    output: PipeWriter,
    errors: PipeWriter,
}

fn spawn(start: &Start<'_>, mark: &Mark, ends: Ends) -> io::Result<Box<dyn ChildWrapper>> {
    let mut wrapped = CommandWrap::with_new(start.command, |child| {
        child.args(start.args).current_dir(start.dir.as_str());
        child.env_clear().envs(start.vars).env(MARK, mark.value());
        child
            .stdin(ends.input)
            .stdout(ends.output)
            .stderr(ends.errors);
    });
    wrapped.wrap(ProcessSession).spawn()
}

fn keep(
    mut running: Running,
    stop: Cancel,
    tail: Arc<Mutex<Vec<u8>>>,
) -> Result<JoinHandle<()>, String> {
    let rope = running.bell.rope().map_err(|error| error.to_string())?;
    let pid = running.leader.pid();
    let keeping = thread::Builder::new().spawn(move || {
        let _listening = stop.listen(move || rope.pull());
        let limits = Limits {
            idle: None,
            whole: None,
            leave: None,
        };
        let mut hear = |_: Stream, piece: &[u8]| {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend_from_slice(piece);
            let n_over = tail.len().saturating_sub(TAIL_BYTES);
            tail.drain(..n_over);
        };
        // Whatever it was that stopped us listening, it is over.
        let _ = running.listen(&limits, &stop, &mut hear);
        let until = Instant::now() + FAREWELL;
        ending::wait(&mut running, Vec::new(), until, &mut hear);
        running.last_words(&mut hear);
        ending::end(&mut running, &mut hear);
        running.leader.dismiss();
    });
    keeping.map_err(|error| {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        error.to_string()
    })
}
