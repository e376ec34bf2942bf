//! Reads the stream of an answer: bytes, events of the server, events of ours.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use analects_world::models::{Event, Fault, Kind, Wire};
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::stream::{self, StreamExt};
use sse_stream::{ByteStreamBody, Error, Sse, SseStream};

use super::crowd::Crowd;
use super::guard::{ByteStream, Guard, Limits};
use super::wire::{self, Flow, Reader};

/// How many events are handed on at once at most.
const MAX_BATCH: usize = 64;

/// Reads the stream of an answer that lies here in pieces, on the way that a real one takes from the socket
/// on. It stands here to be measured and tested without a network.
///
/// # Errors
///
/// Whatever [`Models::ask`](analects_world::models::Models::ask) says of an answer once it comes.
pub fn read_stream(
    wire: Wire,
    chunks: impl IntoIterator<Item = Bytes, IntoIter: Send + 'static>,
    limits: Limits,
    hear: &mut dyn FnMut(Event),
) -> Result<(), Fault> {
    let bytes = stream::iter(chunks.into_iter().map(Ok)).boxed();
    let mut pieces = Pieces::new(wire::reader(wire), bytes, limits);
    // What lies here is always ready.
    while let Some(batch) = pieces.next().now_or_never().transpose()?.flatten() {
        batch.into_iter().for_each(&mut *hear);
    }
    Ok(())
}

/// The pieces of an answer.
pub(super) struct Pieces {
    sse: SseStream<ByteStreamBody<Guard, Bytes>>,
    /// `None` once the answer is over.
    reader: Option<Box<dyn Reader>>,
    crowd: Crowd,
    is_closed_by_us: Arc<AtomicBool>,
}

impl Pieces {
    pub(super) fn new(reader: Box<dyn Reader>, bytes: ByteStream, limits: Limits) -> Self {
        let is_closed_by_us = Arc::new(AtomicBool::new(false));
        let guard = Guard::new(bytes, limits, Arc::clone(&is_closed_by_us));
        Self {
            sse: SseStream::from_bytes_stream(guard),
            reader: Some(reader),
            crowd: Crowd::default(),
            is_closed_by_us,
        }
    }

    /// The next events: as many as are there, and at least one; `None` after the last.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Event>>, Fault> {
        let mut batch = Vec::new();
        while self.reader.is_some() && batch.len() < MAX_BATCH {
            let next = if batch.is_empty() {
                self.sse.next().await
            } else {
                // What is there already is not kept waiting for what is not.
                match self.sse.next().now_or_never() {
                    Some(next) => next,
                    None => break,
                }
            };
            self.take(next, &mut batch)?;
        }
        Ok((!batch.is_empty()).then_some(batch))
    }

    fn take(
        &mut self,
        next: Option<Result<Sse, Error>>,
        batch: &mut Vec<Event>,
    ) -> Result<(), Fault> {
        let mut hear = |event| batch.push(event);
        let flow = match (next, &mut self.reader) {
            (Some(Ok(Sse { data: None, .. })), _) => Flow::More,
            (
                Some(Ok(Sse {
                    event,
                    data: Some(data),
                    ..
                })),
                Some(reader),
            ) => {
                self.crowd.look(&data)?;
                let flow = reader.read(event.as_deref(), &data, &mut hear);
                flow.map_err(|fault| self.judge(fault))?
            }
            (Some(Err(error)), _) => return Err(fault(error)),
            (None, _) | (_, None) => Flow::Over,
        };
        match (flow, self.reader.take()) {
            (Flow::Over, Some(reader)) => {
                reader.end(&mut hear)?;
                finished(batch)?;
            }
            (Flow::More, reader) => self.reader = reader,
            (Flow::Over, None) => {}
        }
        Ok(())
    }

    /// The last event of a stream that just stopped may be half an event.
    fn judge(&self, fault: Fault) -> Fault {
        if fault.kind == Kind::Garbled && self.is_closed_by_us.load(Ordering::Relaxed) {
            return Fault::new(Kind::Cut, "the answer ends in the middle of an event");
        }
        fault
    }
}

/// Whoever hears an answer is promised its finish as the last of all.
pub(super) fn finished(events: &[Event]) -> Result<(), Fault> {
    match events.last() {
        Some(Event::Finish(_)) => Ok(()),
        _ => Err(Fault::new(Kind::Cut, "the answer stops before its end")),
    }
}

fn fault(error: Error) -> Fault {
    let why = match error {
        Error::Body(error) => match error.downcast::<Fault>() {
            Ok(fault) => return *fault,
            Err(error) => return Fault::new(Kind::Cut, error.to_string()),
        },
        Error::Utf8Parse(_) => "not UTF-8".to_owned(),
        error => error.to_string(),
    };
    Fault::new(
        Kind::Garbled,
        format!("the server sends no stream of events: {why}"),
    )
}

#[cfg(test)]
mod tests;
