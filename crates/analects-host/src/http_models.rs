//! Models over HTTP.
//!
//! `wire` knows what servers want to be told and what they mean; everything else here carries it there and
//! back: `clients` and `call` ask, `answer` looks at what came, `guard`, `crowd` and `pieces` take a stream apart,
//! `refusal` and `trouble` say what went wrong. Nothing is tried twice and no redirect is followed.

pub(crate) mod address;
mod answer;
mod call;
pub(crate) mod clients;
pub(crate) mod crowd;
pub(crate) mod guard;
mod pieces;
mod reactor;
mod refusal;
pub(crate) mod scrub;
mod trouble;
mod waiting;
mod wire;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use analects_world::Cancel;
use analects_world::models::{Endpoint, Event, Fault, Kind, Listed, Models, Request};
use reqwest::Client;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use answer::Answer;
use call::{Begun, Call};
pub use guard::Limits;
pub use pieces::read_stream;
use pieces::{Pieces, finished};
use reactor::Reactor;
use waiting::{Teller, wait};
use wire::{Flow, Letter, Reader};

/// Models over HTTP. Nothing is started before the first request.
pub struct HttpModels {
    limit: usize,
    reactor: Mutex<Option<Arc<Reactor>>>,
}

impl HttpModels {
    /// At most this many answers are under way at once; others wait for their turn.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self {
            limit: limit.max(1),
            reactor: Mutex::new(None),
        }
    }

    fn reactor(&self) -> Result<Arc<Reactor>, Fault> {
        let mut reactor = self.reactor.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reactor) = &*reactor {
            return Ok(Arc::clone(reactor));
        }
        let started = Arc::new(Reactor::start(self.limit)?);
        Ok(Arc::clone(reactor.insert(started)))
    }

    /// Everything that a request needs, or why it cannot be made.
    fn prepare(
        &self,
        at: &Endpoint,
        letter: Letter,
        cancel: &Cancel,
    ) -> Result<(Arc<Reactor>, Trip), Fault> {
        if cancel.is_cancelled() {
            return Err(Fault::cancelled());
        }
        let call = Call::new(at, letter)?;
        let reactor = self.reactor()?;
        let trip = Trip {
            client: reactor.clients.client(at, &call.url)?,
            slots: Some(Arc::clone(&reactor.slots)),
            limit: self.limit,
            call,
        };
        Ok((reactor, trip))
    }

    fn ask_once(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        let (reactor, trip) = self.prepare(at, wire::ask(at.wire, request), cancel)?;
        let reader = wire::reader(at.wire);
        wait(&reactor.handle, cancel, hear, |teller| async move {
            let result = trip
                .go(async |begun| read(begun, reader, &teller).await)
                .await;
            teller.over(result);
        })
    }

    fn fetch(&self, at: &Endpoint, letter: Letter, cancel: &Cancel) -> Result<Value, Fault> {
        let (reactor, mut trip) = self.prepare(at, letter, cancel)?;
        // A knock must not wait behind answers, nor behind other knocks.
        trip.slots = None;
        wait(&reactor.handle, cancel, &mut |_| {}, |teller| async move {
            teller.over(trip.go(answer::document).await);
        })
    }
}

impl Default for HttpModels {
    fn default() -> Self {
        Self::with_limit(4)
    }
}

impl fmt::Debug for HttpModels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_struct("HttpModels");
        told.field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Models for HttpModels {
    fn ask(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        let key = at.key.as_ref();
        let names = wire::names(at.wire, request);
        let mut hear = |mut event| {
            names.restore(&mut event);
            hear(scrub::scrubbed_event(event, key));
        };
        let asked = self.ask_once(at, request, cancel, &mut hear);
        asked.map_err(|fault| scrub::scrubbed(fault, key))
    }

    fn count(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Option<u64>, Fault> {
        let Some(letter) = wire::count(at.wire, request) else {
            return Ok(None);
        };
        let answer = self.fetch(at, letter, cancel);
        let counted = answer.and_then(|answer| {
            let counted = wire::counted(at.wire, &answer);
            counted.ok_or_else(|| unexpected("number of tokens"))
        });
        counted
            .map(Some)
            .map_err(|fault| scrub::scrubbed(fault, at.key.as_ref()))
    }

    fn list(&self, at: &Endpoint, cancel: &Cancel) -> Result<Vec<Listed>, Fault> {
        let answer = self.fetch(at, wire::list(at.wire), cancel);
        let listed = answer.and_then(|answer| {
            let listed = wire::listed(at.wire, &answer);
            listed.ok_or_else(|| unexpected("list of models"))
        });
        let key = at.key.as_ref();
        let mut listed = listed.map_err(|fault| scrub::scrubbed(fault, key))?;
        listed.retain(|listed| scrub::is_name(&listed.name, key));
        Ok(listed)
    }
}

/// A request that waits for its turn.
struct Trip {
    call: Call,
    client: Client,
    /// Where to wait for a turn, if at all.
    slots: Option<Arc<Semaphore>>,
    limit: usize,
}

impl Trip {
    /// Goes there and brings back what `read` makes of the answer, within the time that there is for all of it.
    async fn go<T>(self, read: impl AsyncFnOnce(Begun) -> Result<T, Fault>) -> Result<T, Fault> {
        let Self {
            call,
            client,
            slots,
            limit,
        } = self;
        let patience = call.patience;
        let place = call.place.clone();
        let by = call::after(patience.whole_ms);
        let _slot = match slots {
            Some(slots) => match timeout_at(by, slots.acquire_owned()).await {
                Ok(Ok(slot)) => Some(slot),
                _ => return Err(trouble::no_slot(limit, patience)),
            },
            None => None,
        };
        let work = async { read(call.send(&client).await?).await };
        let result = timeout_at(by, work).await;
        result.unwrap_or_else(|_| Err(trouble::too_slow(&place, patience)))
    }
}

/// Reads an answer to its end, and tells every piece of it.
async fn read(begun: Begun, reader: Box<dyn Reader>, teller: &Teller<()>) -> Result<(), Fault> {
    match answer::answer(begun).await? {
        Answer::Stream(begun) => {
            let mut pieces = Pieces::new(reader, begun.bytes(), Limits::USUAL);
            while let Some(events) = pieces.next().await? {
                teller.events(events).await;
            }
        }
        Answer::Document(begun) => {
            let text = answer::text(begun, Limits::USUAL.event_bytes).await?;
            teller.events(read_whole(reader, &text)?).await;
        }
    }
    Ok(())
}

/// The events of an answer that came whole.
fn read_whole(mut reader: Box<dyn Reader>, text: &str) -> Result<Vec<Event>, Fault> {
    crowd::look(text)?;
    let mut events = Vec::new();
    let (Flow::More | Flow::Over) = reader.read(None, text, &mut |event| events.push(event))?;
    reader.end(&mut |event| events.push(event))?;
    finished(&events)?;
    Ok(events)
}

fn unexpected(what: &str) -> Fault {
    let message = format!("the server answers with something that is no {what}");
    Fault::new(Kind::Garbled, message)
}

#[cfg(test)]
pub(crate) mod tests;
