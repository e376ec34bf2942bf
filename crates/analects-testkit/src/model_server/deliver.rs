//! From a reply to what is put on the wire, step by step.

use analects_world::models::Wire;
use bytes::Bytes;
use serde_json::Value;

use super::received::Received;
use super::render::{self, Rendered};
use super::reply::{Manner, Quirk, Reply, SWOLLEN, Stop, Trouble, What};

/// An answer that is ready to go.
pub(super) struct Parcel {
    /// Status and headers; without them the steps go out in place of a head.
    pub(super) head: Option<Head>,
    /// Whether nothing goes out before the test releases it.
    pub(super) holds_head: bool,
    pub(super) steps: Vec<Step>,
}

pub(super) struct Head {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
}

/// What is done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// These bytes go out.
    Bytes(Bytes),
    /// These bytes go out this many times; nobody holds them all at once.
    Again { piece: Bytes, times: u64 },
    /// Nothing goes out before the test releases it.
    Hold,
    /// The connection breaks.
    Cut,
}

/// How much of a long line is held at once.
const PIECE_BYTES: usize = 64 * 1024;

/// The steps that carry out a reply to a request.
pub(super) fn pack(reply: Reply, request: &Received) -> Parcel {
    let Reply { what, manner } = reply;
    // Who comes to an unknown address is answered as most servers would.
    let wire = request.wants().map_or(Wire::OpenAi, |(wire, _)| wire);
    let mut quirk = Quirk::None;
    let (status, rendered) = match what {
        What::Say { events, quirk: odd } => {
            quirk = odd;
            let rendered = render::answer(wire, &events, &quirk, request);
            (200, rendered)
        }
        What::Trouble(trouble) => (trouble.status, document(wire, &trouble, request)),
        What::Counted(tokens) => (200, render::document(&render::counted(wire, tokens))),
        What::Models(models) => (200, render::document(&render::models(wire, &models))),
        What::Page { status, pieces } => (status, page(pieces)),
        What::Raw(pieces) => {
            let units = pieces.into_iter().map(|piece| vec![Step::Bytes(piece)]);
            return Parcel {
                head: None,
                holds_head: manner.holds_head,
                steps: arrange(units.collect(), &manner),
            };
        }
    };
    let trouble = manner.trouble_after.as_ref();
    let trouble = trouble.map(|(n, trouble)| (*n, event(wire, trouble, request)));
    parcel(status, interrupted(rendered, trouble), &quirk, &manner)
}

/// The answer with an error in place of what would follow.
fn interrupted(mut rendered: Rendered, trouble: Option<(usize, Bytes)>) -> Rendered {
    if let Some((n, trouble)) = trouble {
        rendered.events.truncate(n);
        rendered.events.push(trouble);
    }
    rendered
}

fn parcel(status: u16, rendered: Rendered, quirk: &Quirk, manner: &Manner) -> Parcel {
    let events = rendered.events;
    let units: Vec<Vec<Step>> = events.iter().map(|event| swell(event, quirk)).collect();
    let content_type = manner.content_type.unwrap_or(rendered.content_type);
    let mut headers = manner.headers.clone();
    let mut add = |name: &str, value: String| {
        if headers.iter().all(|(known, _)| known != name) {
            headers.push((name.to_owned(), value));
        }
    };
    add("content-type", content_type.to_owned());
    if rendered.is_whole {
        // Of the answer that was meant: what is cut from it is missed.
        let length: u64 = units.iter().flatten().map(bytes_of).sum();
        add("content-length", length.to_string());
    }
    Parcel {
        head: Some(Head { status, headers }),
        holds_head: manner.holds_head,
        steps: arrange(units, manner),
    }
}

fn document(wire: Wire, trouble: &Trouble, request: &Received) -> Rendered {
    render::document(&render::trouble(wire, &told(trouble, request)))
}

fn event(wire: Wire, trouble: &Trouble, request: &Received) -> Bytes {
    render::trouble_event(wire, &told(trouble, request))
}

/// The error with the key that the request brought, if it is to say it.
fn told(trouble: &Trouble, request: &Received) -> Trouble {
    let key = request.key().unwrap_or("no key");
    Trouble {
        message: trouble.message.replace("{key}", key),
        ..trouble.clone()
    }
}

fn page(events: Vec<Bytes>) -> Rendered {
    Rendered {
        content_type: "application/octet-stream",
        events,
        is_whole: false,
    }
}

/// An event with what makes it too long, if it is the one.
fn swell(event: &Bytes, quirk: &Quirk) -> Vec<Step> {
    let found = find(event, SWOLLEN.as_bytes());
    match (quirk, found) {
        (Quirk::LongLine(bytes), Some(at)) => {
            let letters = Bytes::from(vec![b'a'; PIECE_BYTES]);
            vec![
                Step::Bytes(event.slice(..at)),
                again(letters, *bytes),
                Step::Bytes(event.slice(at + SWOLLEN.len()..)),
            ]
        }
        (Quirk::Endless(bytes), Some(_)) => {
            // Many at once: one by one would be slow for no reason.
            let many = event.repeat(PIECE_BYTES.div_ceil(event.len()));
            vec![again(Bytes::from(many), *bytes)]
        }
        _ => vec![Step::Bytes(event.clone())],
    }
}

fn again(piece: Bytes, bytes: u64) -> Step {
    let times = bytes.div_ceil(piece.len() as u64);
    Step::Again { piece, times }
}

fn bytes_of(step: &Step) -> u64 {
    match step {
        Step::Bytes(bytes) => bytes.len() as u64,
        Step::Again { piece, times } => piece.len() as u64 * times,
        Step::Hold | Step::Cut => 0,
    }
}

/// The events in a row, with everything that happens between them.
fn arrange(mut units: Vec<Vec<Step>>, manner: &Manner) -> Vec<Step> {
    if let Some(Stop::CutEvents(n) | Stop::EndEvents(n)) = manner.stop {
        units.truncate(n);
    }
    let mut steps = Vec::new();
    for (number, unit) in units.into_iter().enumerate() {
        if manner.holds_after.contains(&number) {
            steps.push(Step::Hold);
        }
        steps.extend(unit);
    }
    if let Some(Stop::CutBytes(bytes)) = manner.stop {
        steps = first_bytes(steps, bytes);
    }
    if let Some(bytes) = manner.piece_bytes {
        steps = in_pieces(steps, bytes);
    }
    if let Some(Stop::CutBytes(_) | Stop::CutEvents(_)) = manner.stop {
        steps.push(Step::Cut);
    }
    steps
}

fn first_bytes(steps: Vec<Step>, limit_bytes: usize) -> Vec<Step> {
    let mut left = limit_bytes;
    let mut kept = Vec::new();
    for step in steps {
        if left == 0 {
            break;
        }
        kept.push(match step {
            Step::Bytes(bytes) => {
                let bytes = bytes.slice(..bytes.len().min(left));
                left -= bytes.len();
                Step::Bytes(bytes)
            }
            other => other,
        });
    }
    kept
}

fn in_pieces(steps: Vec<Step>, piece_bytes: usize) -> Vec<Step> {
    let split = |step| match step {
        Step::Bytes(bytes) => {
            let starts = (0..bytes.len()).step_by(piece_bytes);
            let piece = |at: usize| bytes.slice(at..bytes.len().min(at + piece_bytes));
            starts.map(piece).map(Step::Bytes).collect()
        }
        other => vec![other],
    };
    steps.into_iter().flat_map(split).collect()
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// The refusal of a request that the real service would not have.
pub(super) fn refusal(request: &Received, refused: &Trouble) -> Parcel {
    pack(Reply::troubled(refused.clone()), request)
}

/// The body of a request as JSON; null if it is none.
pub(super) fn read_json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::say;

    fn request() -> Received {
        Received {
            method: "POST".into(),
            path: "/v1/messages".into(),
            query: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
            json: serde_json::json!({"stream": true, "model": "m"}),
            refused: None,
        }
    }

    fn bytes(steps: &[Step]) -> Vec<u8> {
        let bytes = steps.iter().filter_map(|step| match step {
            Step::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        });
        bytes.flatten().collect()
    }

    #[test]
    fn a_cut_keeps_exactly_so_many_bytes_whatever_the_pieces() {
        let reply = Reply::say([say::text("grün"), say::done()]);
        let all = bytes(&pack(reply.clone(), &request()).steps);
        for n in [1, 17, 200] {
            let cut = reply.clone().cut_after_bytes(n).in_pieces_of(3);
            let steps = pack(cut, &request()).steps;
            assert_eq!(bytes(&steps), all[..n]);
            assert_eq!(steps.last(), Some(&Step::Cut));
            assert_eq!(steps.len(), n.div_ceil(3) + 1 + extra_pieces(&reply, n));
        }
    }

    /// Pieces end where events end, too.
    fn extra_pieces(reply: &Reply, n: usize) -> usize {
        let steps = pack(reply.clone().cut_after_bytes(n), &request()).steps;
        let lengths = steps.iter().map(|step| bytes_of(step) as usize);
        let pieces: usize = lengths.map(|length| length.div_ceil(3)).sum();
        pieces - n.div_ceil(3)
    }

    #[test]
    fn a_long_line_is_never_held() {
        let long = Reply::say([say::text(SWOLLEN)]).odd(Quirk::LongLine(100_000_000));
        let steps = pack(long, &request()).steps;
        let length: u64 = steps.iter().map(bytes_of).sum();
        assert!(length >= 100_000_000);
        let held: usize = steps
            .iter()
            .map(|step| match step {
                Step::Bytes(bytes) | Step::Again { piece: bytes, .. } => bytes.len(),
                Step::Hold | Step::Cut => 0,
            })
            .sum();
        assert!(held < 100_000, "{held}");
    }
}
