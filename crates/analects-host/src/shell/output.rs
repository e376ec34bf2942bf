//! What a command prints.

use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// As much as a pipe holds.
const PIECE_BYTES: usize = 64 * 1024;

/// The end of the pipe at which a command is heard.
pub(super) struct Output {
    /// Until nobody is left who could write.
    pipe: Option<PipeReader>,
    piece: Vec<u8>,
}

/// What happened first.
pub(super) struct Stirred {
    /// Whether something was printed.
    pub(super) is_heard: bool,
    /// Who else stirred, by place.
    pub(super) others: Vec<usize>,
}

impl Output {
    pub(super) fn new(pipe: PipeReader) -> Self {
        Self {
            pipe: Some(pipe),
            piece: vec![0; PIECE_BYTES],
        }
    }

    /// Whether anybody may still print something.
    pub(super) fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Sleeps until something is printed, one of the others stirs, or the time is over; tells one piece at most.
    pub(super) fn hear_or(
        &mut self,
        others: &[BorrowedFd<'_>],
        until: Option<Instant>,
        hear: &mut dyn FnMut(&[u8]),
    ) -> io::Result<Stirred> {
        let (others, is_readable) = self.wait(others, until)?;
        let mut stirred = Stirred {
            is_heard: false,
            others,
        };
        let Some(pipe) = self.pipe.as_mut().filter(|_| is_readable) else {
            return Ok(stirred);
        };
        match pipe.read(&mut self.piece) {
            Ok(0) => self.pipe = None,
            Ok(n_bytes) => {
                hear(self.piece.get(..n_bytes).unwrap_or_default());
                stirred.is_heard = true;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(stirred)
    }

    /// Lets those who still print go on: somebody takes it in and forgets it, as long as this process lives.
    pub(super) fn leave(&mut self) {
        let Some(mut pipe) = self.pipe.take() else {
            return;
        };
        let forget = move || io::copy(&mut pipe, &mut io::sink()).map(drop);
        // Without a thread the pipe breaks, which is what happens when this process ends.
        let _ = thread::Builder::new().spawn(forget);
    }

    fn wait(
        &self,
        others: &[BorrowedFd<'_>],
        until: Option<Instant>,
    ) -> io::Result<(Vec<usize>, bool)> {
        let fds = others
            .iter()
            .copied()
            .chain(self.pipe.as_ref().map(AsFd::as_fd));
        let mut fds: Vec<_> = fds
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
            .collect();
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut fds, left.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        // What hung up has something to say as well: that it is over.
        let mut stirred: Vec<_> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let is_readable = self.pipe.is_some() && stirred.pop().unwrap_or_default();
        let others = stirred.iter().enumerate().filter(|&(_, &stirs)| stirs);
        Ok((others.map(|(place, _)| place).collect(), is_readable))
    }
}
