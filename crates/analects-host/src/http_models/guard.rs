//! Limits on a server's bytes, applied before anything parses them.
//!
//! It keeps an event and an answer from growing without end, notices an error that was put into the stream as
//! bare JSON, and ends the last event of a stream that stops without the empty line behind it.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use analects_world::models::{Fault, Kind};
use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream::{BoxStream, Fuse, StreamExt};

use super::refusal;

/// Bytes as they come, or why no more come.
pub(crate) type ByteStream = BoxStream<'static, Result<Bytes, Fault>>;

/// How much of an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long an event may be, in bytes, with all its lines; and a document, which is read as one.
    pub event_bytes: usize,
    /// How long all of it may be, in bytes.
    pub answer_bytes: usize,
}

impl Limits {
    /// More than any model says, and less than what hurts.
    pub const USUAL: Self = Self {
        event_bytes: 16 << 20,
        answer_bytes: 64 << 20,
    };
}

/// More of an error than this is not read.
const MAX_STRAY_BYTES: usize = 64 << 10;

/// The guard.
pub(crate) struct Guard {
    // It is asked once more after its end, for what the guard has to add.
    bytes: Fuse<ByteStream>,
    limits: Limits,
    answer_bytes: usize,
    event_bytes: usize,
    line: Line,
    stray: Option<Vec<u8>>,
    is_closed: Arc<AtomicBool>,
}

/// What there is of the line so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Nothing.
    Empty,
    /// Nothing, and the one before ended with a carriage return: a line feed belongs to it.
    AfterReturn,
    /// Something.
    Begun,
}

impl Guard {
    /// Stands before these bytes. The flag is raised when the guard had to end the stream itself, before the
    /// event which that completes.
    pub(crate) fn new(bytes: ByteStream, limits: Limits, is_closed: Arc<AtomicBool>) -> Self {
        Self {
            bytes: bytes.fuse(),
            limits,
            answer_bytes: 0,
            event_bytes: 0,
            line: Line::Empty,
            stray: None,
            is_closed,
        }
    }

    /// What of a chunk is let through.
    fn let_through(&mut self, chunk: Bytes) -> Result<Bytes, Fault> {
        self.answer_bytes = self.answer_bytes.saturating_add(chunk.len());
        if self.answer_bytes > self.limits.answer_bytes {
            return Err(too_long("an answer", self.limits.answer_bytes));
        }
        if let Some(stray) = &mut self.stray {
            let room = MAX_STRAY_BYTES.saturating_sub(stray.len());
            stray.extend(chunk.iter().take(room));
            return Ok(Bytes::new());
        }
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', &chunk).chain([chunk.len()]) {
            if self.line != Line::Begun && matches!(chunk.get(start), Some(b'{' | b'[')) {
                let stray = chunk.iter().skip(start).take(MAX_STRAY_BYTES);
                self.stray = Some(stray.copied().collect());
                return Ok(chunk.slice(..start));
            }
            self.take(end - start, chunk.get(end))?;
            start = end + 1;
        }
        Ok(chunk)
    }

    /// Counts a piece of a line, and what ends it, if it ends.
    fn take(&mut self, n_bytes: usize, end: Option<&u8>) -> Result<(), Fault> {
        if n_bytes > 0 {
            self.line = Line::Begun;
        }
        self.event_bytes += n_bytes;
        if self.event_bytes > self.limits.event_bytes {
            return Err(too_long("an event", self.limits.event_bytes));
        }
        match (end, self.line) {
            (None, _) => return Ok(()),
            (Some(b'\n'), Line::AfterReturn) => {
                self.line = Line::Empty;
                return Ok(());
            }
            (Some(_), Line::Begun) => {}
            (Some(_), Line::Empty | Line::AfterReturn) => self.event_bytes = 0,
        }
        self.line = match end {
            Some(b'\r') => Line::AfterReturn,
            _ => Line::Empty,
        };
        Ok(())
    }

    /// What is said once the server has no more to say.
    fn end(&mut self) -> Option<Result<Bytes, Fault>> {
        if let Some(stray) = self.stray.take() {
            return Some(Err(refusal::stray(&String::from_utf8_lossy(&stray))));
        }
        let was_closed = self.is_closed.swap(true, Ordering::Relaxed);
        (!was_closed).then(|| Ok(Bytes::from_static(b"\n\n")))
    }
}

impl Stream for Guard {
    type Item = Result<Bytes, Fault>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(match ready!(self.bytes.poll_next_unpin(cx)) {
            Some(Ok(chunk)) => Some(self.let_through(chunk)),
            Some(Err(fault)) => Some(Err(fault)),
            None => self.end(),
        })
    }
}

pub(super) fn too_long(what: &str, limit_bytes: usize) -> Fault {
    let mib = limit_bytes >> 20;
    let limit = match mib {
        0 => format!("{limit_bytes} bytes"),
        mib => format!("{mib} MiB"),
    };
    Fault::new(
        Kind::TooLong,
        format!("the server sends {what} of more than {limit}"),
    )
}
