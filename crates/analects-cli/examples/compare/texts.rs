//! What is done to texts while they stream by or before a model is shown them.

use std::time::Duration;

use analects_chat::keep::{Kept, Label, Shelf};
use analects_chat::limits::{Limits, Wishes};
use analects_chat::loops::{Detector, Event, Options, Switch};
use analects_chat::shorten::{self, Cap};
use analects_chat::weigh;
use analects_world::Profile;
use analects_world::model::Part;
use serde_json::{Value, json};

use crate::{Request, timed};

/// Watches a text that arrives in pieces; says at which of them it was seen to go round in circles.
pub(crate) fn loops(request: &Request, text: &str) -> (Duration, Value) {
    let pieces = pieces(text, request.chars);
    let job = || {
        let mut detector = Detector::new(Options {
            profile: Profile::Analects,
            switch: Switch::On,
            exempt_tools: Vec::new(),
            checks_per_prompt: 0,
        });
        let mut watched = pieces.iter();
        watched.position(|piece| detector.observe(Event::Text(piece)).is_some())
    };
    timed(request.times, job, |seen| json!(seen))
}

/// What the paragraphs of a text cost a model.
pub(crate) fn estimate(request: &Request, text: &str) -> (Duration, Value) {
    let parts: Vec<_> = text.split("\n\n").map(Part::text).collect();
    let job = || weigh::parts(&parts, Profile::Head);
    timed(request.times, job, |tokens| json!(tokens))
}

/// Shows the start and the end of a tool's output, in the original's words.
pub(crate) fn cut(request: &Request, text: &str) -> (Duration, Value) {
    let cap = cap(request, Profile::Head);
    timed(
        request.times,
        || shown(text, Profile::Head, &cap),
        |shown| json!(shown),
    )
}

/// The same from the bytes that a program wrote.
pub(crate) fn cut_bytes(request: &Request, text: &str) -> (Duration, Value) {
    let cap = cap(request, Profile::Head);
    let job = || {
        let text = String::from_utf8_lossy(text.as_bytes());
        shown(&text, Profile::Head, &cap)
    };
    timed(request.times, job, |shown| json!(shown))
}

/// Looks at every UTF-16 unit of a text and does nothing else.
pub(crate) fn pass(request: &Request, text: &str) -> (Duration, Value) {
    let job = || text.encode_utf16().map(usize::from).sum::<usize>();
    timed(request.times, job, |sum| json!(sum))
}

fn cap(request: &Request, profile: Profile) -> Cap {
    let mut limits = Limits::of(1_048_576, profile, &Wishes::default());
    limits.output_chars = request.chars;
    Cap::of(&limits, 0)
}

fn shown(output: &str, profile: Profile, cap: &Cap) -> String {
    let label = Label {
        tool: "run_shell_command",
        call_id: Some("c1"),
    };
    let shelf = Shelf { dir: "/t", profile };
    let plan = shorten::plan(output, label, &shelf, cap);
    shorten::apply(plan.unwrap(), Kept::Saved)
}

/// A text in pieces of that many characters.
fn pieces(text: &str, n_chars: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .nth(n_chars)
            .map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
