//! What goes wrong on the way, said so that a person can do something about it.
//!
//! Errors of the network name addresses with everything in them, so none of them is repeated as it is.

use std::error::Error;
use std::io;

use analects_world::models::{Fault, Kind, Patience};

/// No answer came.
pub(super) fn on_the_way(error: &reqwest::Error, place: &str, patience: Patience) -> Fault {
    if error.is_timeout() && error.is_connect() {
        let wait = told(patience.connect_ms);
        let message = format!("no connection to {place} within {wait}");
        return Fault::new(Kind::TimedOut, message);
    }
    if error.is_dns() {
        let message = format!("{place} is not found: is its name right, and is there a network?");
        return Fault::new(Kind::Unreachable, message);
    }
    if let Some(error) = cause::<rustls::Error>(error) {
        return Fault::new(Kind::Unreachable, untrusted(error, place));
    }
    if error.is_connect() {
        let why = cause::<io::Error>(error).map(io::Error::kind);
        let message = match why {
            Some(io::ErrorKind::ConnectionRefused) => format!("nobody listens at {place}"),
            Some(kind) => format!("no connection to {place}: {kind}"),
            None => format!("no connection to {place}, or to the proxy on the way"),
        };
        return Fault::new(Kind::Unreachable, message);
    }
    if error.is_builder() {
        let message = "the request cannot be sent as it is";
        return Fault::new(Kind::Refused, message);
    }
    broken_off(error, place, "before it answered")
}

/// The answer broke off.
pub(super) fn in_the_answer(error: &reqwest::Error, place: &str) -> Fault {
    broken_off(error, place, "before its answer was over")
}

/// No byte of an answer came in time.
pub(super) fn no_first_byte(place: &str, patience: Patience) -> Fault {
    let wait = told(patience.first_ms);
    let message = format!("{place} did not begin to answer within {wait}");
    Fault::new(Kind::TimedOut, message)
}

/// The answer paused for too long.
pub(super) fn silent(place: &str, patience: Patience) -> Fault {
    let wait = told(patience.idle_ms);
    let message = format!("{place} fell silent for {wait} in the midst of its answer");
    Fault::new(Kind::TimedOut, message)
}

/// All of it took too long.
pub(super) fn too_slow(place: &str, patience: Patience) -> Fault {
    let wait = told(patience.whole_ms);
    let message = format!("{place} did not end its answer within {wait}");
    Fault::new(Kind::TimedOut, message)
}

/// Others took all the time there was.
pub(super) fn no_slot(limit: usize, patience: Patience) -> Fault {
    let wait = told(patience.whole_ms);
    let message = format!("{limit} other requests were under way for {wait}");
    Fault::new(Kind::TimedOut, message)
}

fn broken_off(error: &reqwest::Error, place: &str, when: &str) -> Fault {
    if cause::<hyper::Error>(error).is_some_and(hyper::Error::is_parse) {
        let message = format!("{place} does not speak HTTP");
        return Fault::new(Kind::Garbled, message);
    }
    Fault::new(Kind::Cut, format!("{place} broke off {when}"))
}

fn untrusted(error: &rustls::Error, place: &str) -> String {
    match error {
        rustls::Error::InvalidCertificate(why) => {
            format!("{place} has no certificate that this machine trusts: {why}")
        }
        rustls::Error::InvalidMessage(_) => {
            format!("{place} does not speak TLS: does its address begin with http:// perhaps?")
        }
        error => format!("no secure connection to {place}: {error}"),
    }
}

/// The cause of this kind, if there is one.
fn cause<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    let mut next = error.source();
    let mut found = None;
    while let Some(error) = next {
        // The innermost: errors of input and output wrap others of their own kind, and those of TLS.
        found = error.downcast_ref::<E>().or(found);
        let inner = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    found
}

fn told(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        ms if ms % 60_000 == 0 => format!("{} min", ms / 60_000),
        ms if ms % 1_000 == 0 => format!("{} s", ms / 1_000),
        ms => format!("{ms} ms"),
    }
}
