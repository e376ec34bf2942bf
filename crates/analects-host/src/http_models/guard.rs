//! What stands between the bytes of a server and whoever takes them apart.
//!
//! It keeps a line and an answer from growing without end, notices an error that was put into the stream as
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
pub(super) type ByteStream = BoxStream<'static, Result<Bytes, Fault>>;

/// How much of an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long a line may be, in bytes.
    pub line_bytes: usize,
    /// How long all of it may be, in bytes.
    pub answer_bytes: usize,
}

impl Limits {
    /// More than any model says, and less than what hurts.
    pub const USUAL: Self = Self {
        line_bytes: 16 << 20,
        answer_bytes: 64 << 20,
    };
}

/// More of an error than this is not read.
const MAX_STRAY_BYTES: usize = 64 << 10;

/// The guard.
pub(super) struct Guard {
    // It is asked once more after its end, for what the guard has to add.
    bytes: Fuse<ByteStream>,
    limits: Limits,
    answer_bytes: usize,
    line_bytes: usize,
    stray: Option<Vec<u8>>,
    is_closed: Arc<AtomicBool>,
}

impl Guard {
    /// Stands before these bytes. The flag is raised when the guard had to end the stream itself, before the
    /// event which that completes.
    pub(super) fn new(bytes: ByteStream, limits: Limits, is_closed: Arc<AtomicBool>) -> Self {
        Self {
            bytes: bytes.fuse(),
            limits,
            answer_bytes: 0,
            line_bytes: 0,
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
            if self.line_bytes == 0 && matches!(chunk.get(start), Some(b'{' | b'[')) {
                let stray = chunk.iter().skip(start).take(MAX_STRAY_BYTES);
                self.stray = Some(stray.copied().collect());
                return Ok(chunk.slice(..start));
            }
            self.line_bytes += end - start;
            if self.line_bytes > self.limits.line_bytes {
                return Err(too_long("a line", self.limits.line_bytes));
            }
            if end < chunk.len() {
                self.line_bytes = 0;
            }
            start = end + 1;
        }
        Ok(chunk)
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
