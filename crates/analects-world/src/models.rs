//! Asking a model, whoever runs it.
//!
//! One attempt, one answer: whoever asks decides whether to try again. An answer is a stream of events; the
//! call returns when it is over, and at once when somebody cancels.

mod endpoint;
mod event;
mod fault;
mod request;

pub use endpoint::{Endpoint, Listed, Patience, Secret, Wire};
pub use event::{Event, Finish, Usage};
pub use fault::{Fault, Kind};
pub use request::{Choice, Form, Options, Request, Thinking, Tool};

use crate::Cancel;

/// Models that answer over a wire.
pub trait Models: Sync {
    /// Asks, and tells every piece of the answer as it comes.
    ///
    /// `Ok` means that the answer was heard to its end, and that the last event was an [`Event::Finish`].
    /// After a fault whatever was told before is not an answer.
    fn ask(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault>;

    /// How many tokens the request has, as whoever runs the model counts; `None` where nobody offers to count.
    fn count(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Option<u64>, Fault>;

    /// The models to be had there. Sends no key to a server that was not given one, and follows nobody elsewhere.
    fn list(&self, at: &Endpoint, cancel: &Cancel) -> Result<Vec<Listed>, Fault>;
}
