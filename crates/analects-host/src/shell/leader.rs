//! The first process of a command, and who waits for its end.

use std::ffi::OsStr;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use analects_world::shell::{Command, How};
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::family::{MARK, Mark};
use super::output::{Output, Stream};
use crate::programs::{STANDARD_PATH, find_in};

/// The first process: it leads the session and the group that the others are in.
///
/// Until it is dismissed it stays in the table of processes even if it has ended. So nobody else can get its
/// number, and signals to its group meet nobody else.
pub(super) struct Leader {
    pid: Pid,
    told: Receiver<How>,
    how: Option<How>,
    gate: Sender<()>,
    thread: JoinHandle<()>,
}

/// What a command is told and how it is heard.
#[derive(Debug, Clone, Copy)]
pub(super) enum Terms<'a> {
    /// It is told nothing, and both of its streams come in one, in their order.
    Silent,
    /// It is told this, and its streams are kept apart.
    Fed(&'a [u8]),
}

/// Starts a command.
pub(super) fn start(
    command: &Command<'_>,
    terms: Terms<'_>,
    mark: &Mark,
    bell: &Bell,
) -> Result<(Leader, Output), String> {
    let plain = |error: io::Error| error.to_string();
    let path = command
        .vars
        .get("PATH")
        .map_or(STANDARD_PATH, String::as_str);
    let program = program(path.as_ref(), STANDARD_PATH.as_ref());
    let rope = bell.rope().map_err(plain)?;
    let (streams, output) = terms.pipes().map_err(plain)?;
    let child = spawn(command, &program, mark, streams).map_err(|error| {
        match Path::new(command.dir.as_str()).is_dir() {
            true => format!("cannot run {}: {error}", program.display()),
            false => format!("there is no directory {}", command.dir),
        }
    })?;
    let leader = Leader::watch(child, rope)?;
    Ok((leader, output))
}

/// The command's ends of its pipes.
struct Streams {
    input: Stdio,
    out: PipeWriter,
    errors: PipeWriter,
}

impl Terms<'_> {
    /// The pipes: the command's ends, and ours.
    fn pipes(self) -> io::Result<(Streams, Output)> {
        let (heard, out) = io::pipe()?;
        let Self::Fed(told) = self else {
            let streams = Streams {
                input: Stdio::null(),
                errors: out.try_clone()?,
                out,
            };
            return Ok((streams, Output::new([(Stream::Out, heard)])));
        };
        let (heard_errors, errors) = io::pipe()?;
        let (input, feeding) = io::pipe()?;
        let mut output = Output::new([(Stream::Out, heard), (Stream::Err, heard_errors)]);
        output.feed(feeding, told)?;
        let input = Stdio::from(input);
        Ok((Streams { input, out, errors }, output))
    }
}

/// `bash`, or `sh` where there is none.
fn program(path: &OsStr, standard: &OsStr) -> PathBuf {
    let mut found = [path, standard].into_iter();
    let bash = found.find_map(|path| find_in(path, "bash"));
    bash.unwrap_or_else(|| PathBuf::from("/bin/sh"))
}

fn spawn(
    command: &Command<'_>,
    program: &Path,
    mark: &Mark,
    streams: Streams,
) -> io::Result<Box<dyn ChildWrapper>> {
    let Streams { input, out, errors } = streams;
    let mut wrapped = CommandWrap::with_new(program, |child| {
        child.arg("-c").arg(command.line);
        child.current_dir(command.dir.as_str());
        child.env_clear().envs(command.vars).env(MARK, mark.value());
        child.stdin(input).stdout(out).stderr(errors);
    });
    wrapped.wrap(ProcessSession).spawn()
}

impl Leader {
    pub(super) fn watch(mut child: Box<dyn ChildWrapper>, rope: Rope) -> Result<Self, String> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or("the command has no number")?;
        let (tell, told) = mpsc::channel();
        let (gate, opened) = mpsc::channel::<()>();
        let watching = thread::Builder::new().spawn(move || {
            // Nobody may listen any more, if the command was left alone.
            let _ = tell.send(end_of(pid));
            rope.pull();
            let _ = opened.recv();
            let _ = child.wait();
        });
        let thread = watching.map_err(|error| {
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
            error.to_string()
        })?;
        Ok(Self {
            pid,
            told,
            how: None,
            gate,
            thread,
        })
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// How it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<How> {
        self.how = self.how.or_else(|| self.told.try_recv().ok());
        self.how
    }

    /// Takes it out of the table of processes; if it still runs, once it has ended.
    pub(super) fn dismiss(mut self) {
        let has_ended = self.ended().is_some();
        drop(self.gate);
        if has_ended {
            let _ = self.thread.join();
        }
    }
}

/// Waits for the end of a process and leaves it where it is.
fn end_of(pid: Pid) -> How {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let status = retry_on_intr(|| waitid(WaitId::Pid(pid), options));
    let status = status.ok().flatten();
    let signal = status
        .as_ref()
        .and_then(|status| status.terminating_signal());
    let code = status.as_ref().and_then(|status| status.exit_status());
    match (signal, code) {
        (Some(signal), _) => How::Signal(signal),
        // Where our own parent ignores the ends of children there is no code to be had.
        (None, code) => How::Code(code.unwrap_or(-1)),
    }
}

/// Wakes whoever sleeps over a command's output.
pub(super) struct Bell {
    heard: PipeReader,
    // Held here too, so that the pipe never hangs up: that would wake us again and again.
    rung: PipeWriter,
}

/// What a bell is rung by.
pub(super) struct Rope(PipeWriter);

impl Bell {
    pub(super) fn new() -> io::Result<Self> {
        let (heard, rung) = io::pipe()?;
        Ok(Self { heard, rung })
    }

    pub(super) fn rope(&self) -> io::Result<Rope> {
        self.rung.try_clone().map(Rope)
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.heard.as_fd()
    }

    /// Makes it silent again, once it has rung.
    pub(super) fn hush(&mut self) {
        // It is rung twice at most: by the end and by a cancellation.
        let _ = self.heard.read(&mut [0; 2]);
    }
}

impl Rope {
    pub(super) fn pull(mut self) {
        // Nobody listens any more if the command was left alone.
        let _ = self.0.write_all(b"!");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_bash_it_is_sh() {
        let empty = tempfile::tempdir().unwrap();
        let full = tempfile::tempdir().unwrap();
        std::fs::write(full.path().join("bash"), "").unwrap();
        let (empty, full) = (empty.path().as_os_str(), full.path().as_os_str());
        let bash = Path::new(full).join("bash");
        assert_eq!(program(empty, empty), Path::new("/bin/sh"));
        assert_eq!(program(full, empty), bash);
        assert_eq!(program(empty, full), bash);
        assert_eq!(program("".as_ref(), empty), Path::new("/bin/sh"));
    }
}
