//! What a command is told, and what it prints.
//!
//! All of its pipes are served by whoever waits for it, in one thread: what it does not read cannot keep us from hearing
//! what it prints, and the other way round.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// As much as a pipe holds.
const PIECE_BYTES: usize = 64 * 1024;

/// Which of its streams something was printed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// The standard output, or both in one.
    Out,
    /// The standard error, where it is heard for itself.
    Err,
}

/// Whoever hears what is printed.
pub(super) type Hear<'a> = dyn FnMut(Stream, &[u8]) + 'a;

/// The ends of the pipes at which a command is heard and fed.
pub(super) struct Output {
    /// Each until nobody is left who could write.
    pipes: Vec<(Stream, PipeReader)>,
    /// Until everything is told, or nobody is left who could read.
    feeding: Option<Feeding>,
    piece: Vec<u8>,
}

/// What a command is told.
struct Feeding {
    pipe: PipeWriter,
    rest: Vec<u8>,
    n_told: usize,
}

/// What happened first.
pub(super) struct Stirred {
    /// Whether something was printed.
    pub(super) is_heard: bool,
    /// Who else stirred, by place.
    pub(super) others: Vec<usize>,
}

impl Output {
    pub(super) fn new(pipes: impl IntoIterator<Item = (Stream, PipeReader)>) -> Self {
        Self {
            pipes: pipes.into_iter().collect(),
            feeding: None,
            piece: vec![0; PIECE_BYTES],
        }
    }

    /// Tells the command `input` through this pipe, piece by piece as it reads, and nothing more after that.
    pub(super) fn feed(&mut self, pipe: PipeWriter, input: &[u8]) -> io::Result<()> {
        // Only this end: whoever reads may do so as it likes.
        rustix::io::ioctl_fionbio(&pipe, true)?;
        self.feeding = Some(Feeding {
            pipe,
            rest: input.to_vec(),
            n_told: 0,
        });
        Ok(())
    }

    /// Whether anybody may still print something.
    pub(super) fn is_open(&self) -> bool {
        !self.pipes.is_empty()
    }

    /// Sleeps until something is printed, one of the others stirs, or the time is over; tells one piece of each stream
    /// at most. Whatever the command reads meanwhile is told to it.
    pub(super) fn hear_or(
        &mut self,
        others: &[BorrowedFd<'_>],
        until: Option<Instant>,
        hear: &mut Hear<'_>,
    ) -> io::Result<Stirred> {
        let Awake {
            others,
            pipes,
            may_feed,
        } = self.wait(others, until)?;
        if may_feed {
            self.tell_more();
        }
        let mut stirred = Stirred {
            is_heard: false,
            others,
        };
        // From the last to the first, so that places stay as they are when a pipe goes.
        for place in pipes.into_iter().rev() {
            let Some((stream, pipe)) = self.pipes.get_mut(place) else {
                continue;
            };
            match pipe.read(&mut self.piece) {
                Ok(0) => drop(self.pipes.remove(place)),
                Ok(n_bytes) => {
                    hear(*stream, self.piece.get(..n_bytes).unwrap_or_default());
                    stirred.is_heard = true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(stirred)
    }

    /// Lets those who still print go on: somebody takes it in and forgets it, as long as this process lives.
    pub(super) fn leave(&mut self) {
        for (_, mut pipe) in self.pipes.drain(..) {
            let forget = move || io::copy(&mut pipe, &mut io::sink()).map(drop);
            // Without a thread the pipe breaks, which is what happens when this process ends.
            let _ = thread::Builder::new().spawn(forget);
        }
    }

    fn tell_more(&mut self) {
        let Some(feeding) = &mut self.feeding else {
            return;
        };
        let rest = feeding.rest.get(feeding.n_told..).unwrap_or_default();
        let is_over = match feeding.pipe.write(rest) {
            Ok(n_bytes) => {
                feeding.n_told += n_bytes;
                feeding.n_told >= feeding.rest.len()
            }
            Err(error) => !matches!(
                error.kind(),
                io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock
            ),
        };
        // Who closes its ears may have good reasons; the end of the pipe tells the others that this was all.
        if is_over {
            self.feeding = None;
        }
    }

    fn wait(&self, others: &[BorrowedFd<'_>], until: Option<Instant>) -> io::Result<Awake> {
        let feeding = self.feeding.as_ref().map(|feeding| feeding.pipe.as_fd());
        let reads = others.iter().copied();
        let reads = reads.chain(self.pipes.iter().map(|(_, pipe)| pipe.as_fd()));
        let reads = reads.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let writes = feeding.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT));
        let mut fds: Vec<_> = reads.chain(writes).collect();
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut fds, left.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        // What hung up has something to say as well: that it is over.
        let stirs = |fd: &PollFd<'_>| !fd.revents().is_empty();
        let may_feed = self.feeding.is_some() && fds.pop().is_some_and(|fd| stirs(&fd));
        let places = |fds: &[PollFd<'_>]| {
            let stirred = fds.iter().enumerate().filter(|(_, fd)| stirs(fd));
            stirred.map(|(place, _)| place).collect()
        };
        let (others, pipes) = fds.split_at(others.len());
        Ok(Awake {
            others: places(others),
            pipes: places(pipes),
            may_feed,
        })
    }
}

/// What somebody was woken by: the others and the pipes by place.
struct Awake {
    others: Vec<usize>,
    pipes: Vec<usize>,
    may_feed: bool,
}
