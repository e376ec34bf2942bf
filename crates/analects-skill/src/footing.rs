//! Traces the steps of a skill to what was said and run in the sessions it was drawn from.
//!
//! A step is sound if the person said it, or if it was run without a stranger's text having said it first in that
//! session, word for word or by its names. Whoever repeats a page, or does what an issue or a file says, adds nothing to
//! it: one session in which that was run of one's own accord is enough, and where it came from outside this machine,
//! more of those than of the others.

mod heard;
mod steps;

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;
use analects_session::transcript::Transcript;

use crate::learn::hearsay;
use crate::origin::{Origin, of_tool, of_turn};
use crate::retold;
use heard::{Heard, Hit, Tally};
use steps::{Needle, Wanted};

/// What a skill rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footing {
    /// Its steps, in their order.
    pub steps: Vec<Step>,
    /// Whether it has more of them than anybody looks for.
    pub is_cut: bool,
}

/// A step of a skill: a command, an address, or a sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it says, on one line.
    pub text: String,
    /// What it is.
    pub kind: Kind,
    /// What it rests on.
    pub rests_on: Rest,
}

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something to be run.
    Command,
    /// Something to be fetched, or sent to.
    Address,
    /// What an entry says.
    Sentence,
    /// A program or a script that an entry wants to have run, without the command.
    Name,
}

/// What a step rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rest {
    /// What the person said, or what was run: the first place in each session.
    Sound(Vec<Place>),
    /// Only on what a stranger may have written: this is the worst of it.
    Tainted(Origin),
    /// On nothing that was found: it was put into other words, or made up.
    Nothing,
}

/// A place in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The session, by its place among those that were given.
    pub session_idx: usize,
    /// The name of the message.
    pub message: String,
}

impl Footing {
    /// Whether something of it was found in text of strangers, and nothing of it anywhere else.
    #[must_use]
    pub fn is_tainted_only(&self) -> bool {
        self.n_sound() == 0
            && self
                .steps
                .iter()
                .any(|it| matches!(it.rests_on, Rest::Tainted(_)))
    }

    /// Whether any command or address of it was found in text of strangers, and nowhere else. What was not looked for may
    /// have been.
    #[must_use]
    pub fn has_tainted_command(&self) -> bool {
        let is_run = |step: &Step| step.kind != Kind::Sentence;
        let is_tainted = |step: &Step| matches!(step.rests_on, Rest::Tainted(_));
        let mut steps = self.steps.iter();
        self.is_cut || steps.any(|step| is_run(step) && is_tainted(step))
    }

    /// How many of its steps are sound. A name says too little to make anything else so.
    #[must_use]
    pub fn n_sound(&self) -> usize {
        let is_sound =
            |step: &&Step| step.kind != Kind::Name && matches!(step.rests_on, Rest::Sound(_));
        self.steps.iter().filter(is_sound).count()
    }

    /// The places that its sound steps rest on, each once, at most this many.
    #[must_use]
    pub fn places(&self, limit: usize) -> Vec<&Place> {
        let mut places: Vec<&Place> = Vec::new();
        let all = self.steps.iter().flat_map(|step| match &step.rests_on {
            Rest::Sound(places) => places.as_slice(),
            Rest::Tainted(_) | Rest::Nothing => &[],
        });
        for place in all {
            if places.len() < limit && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}

/// What was said and run in sessions, ready to hold skills against it.
#[derive(Debug, Clone, Default)]
pub struct Ground {
    sessions: Vec<Vec<Span>>,
}

/// A piece of a conversation.
#[derive(Debug, Clone)]
struct Span {
    message: String,
    origin: Origin,
    /// Whether it was done, not only said.
    is_done: bool,
    /// What it says, as it is compared.
    text: String,
    /// Where its lines begin, but for the first.
    lines: Vec<usize>,
}

/// How much of a session is looked at. What comes later is not found, and so makes nothing sound.
const MAX_SESSION_BYTES: usize = 8 * 1024 * 1024;
/// How often something is found in one session before we stop to look: then nothing in it is sound.
const MAX_FINDS: usize = 2_000_000;

impl Ground {
    /// All that was said and run in these sessions, without secrets and in bounds.
    #[must_use]
    pub fn new(sessions: &[Transcript]) -> Self {
        let sessions = sessions.iter().map(spans);
        Self {
            sessions: sessions.collect(),
        }
    }

    /// What a skill, and the scripts that it brings along, rest on.
    #[must_use]
    pub fn footing(&self, skill_text: &str, scripts: &[&str]) -> Footing {
        let (steps, is_cut) = steps::steps(skill_text, scripts);
        let needles: Vec<_> = steps
            .iter()
            .enumerate()
            .flat_map(|(step_idx, step)| step.needles().map(move |needle| (step_idx, needle)))
            .collect();
        let mut tallies: Vec<_> = steps.iter().map(|_| Tally::default()).collect();
        let patterns = needles.iter().map(|(_, needle)| needle.text());
        // Whoever brings more than can be looked for is not looked for: nothing of it is sound.
        if let Ok(matcher) = AhoCorasick::new(patterns) {
            for (session_idx, session) in self.sessions.iter().enumerate() {
                let heard = hear(session, &steps, &needles, &matcher);
                for (heard, tally) in heard.into_iter().zip(&mut tallies) {
                    tally.add(heard, session_idx);
                }
            }
        }
        let steps = steps.into_iter().zip(tallies).map(|(step, tally)| Step {
            text: step.text,
            kind: step.kind,
            rests_on: tally.rest(),
        });
        Footing {
            steps: steps.collect(),
            is_cut,
        }
    }
}

/// What a session says about each step.
fn hear(
    session: &[Span],
    steps: &[Wanted],
    needles: &[(usize, Needle<'_>)],
    matcher: &AhoCorasick,
) -> Vec<Heard> {
    let mut heard: Vec<_> = steps.iter().map(Heard::new).collect();
    let mut n_finds = 0;
    for span in session {
        let mut hits: BTreeMap<usize, Hit> = BTreeMap::new();
        for found in matcher.find_overlapping_iter(span.text.as_str()) {
            n_finds += 1;
            if n_finds > MAX_FINDS {
                return steps.iter().map(|_| Heard::lost()).collect();
            }
            let Some((step_idx, needle)) = needles.get(found.pattern().as_usize()) else {
                continue;
            };
            let counts = match needle {
                Needle::Line(_) => steps::stands_alone(&span.text, found.range()),
                Needle::Name(..) => {
                    hearsay::stands_alone(&span.text, found.range()) && span.means(found.start())
                }
            };
            if counts {
                hits.entry(*step_idx).or_default().add(needle);
            }
        }
        for (step_idx, hit) in hits {
            if let Some(heard) = heard.get_mut(step_idx) {
                heard.hear(span, hit);
            }
        }
    }
    heard
}

impl Span {
    /// Whether a name that stands there is more than mentioned. A file names many things; only what it asks for, or shows
    /// as a command, is an instruction.
    fn means(&self, at: usize) -> bool {
        match self.origin {
            Origin::User | Origin::Model | Origin::Command => true,
            Origin::Server | Origin::Web | Origin::Issue => true,
            Origin::File => {
                let line_idx = self.lines.partition_point(|&start| start <= at);
                let start = line_idx.checked_sub(1).and_then(|it| self.lines.get(it));
                let end = self.lines.get(line_idx).copied();
                let line = start.copied().unwrap_or(0)..end.unwrap_or(self.text.len());
                hearsay::asks(&self.text, line, at)
            }
            // What it retells, others said before.
            Origin::Program => false,
        }
    }
}

fn spans(session: &Transcript) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut n_bytes = 0;
    let mut add = |message: &str, origin: Origin, is_done: bool, text: &str| {
        if n_bytes < MAX_SESSION_BYTES && !text.is_empty() {
            let (text, lines) = steps::normal_lines(&retold::safe(text));
            n_bytes += text.len();
            spans.push(Span {
                message: message.to_owned(),
                origin,
                is_done,
                text,
                lines,
            });
        }
    };
    for turn in &session.turns {
        for (origin, text) in of_turn(turn) {
            add(&turn.id, origin, false, text);
        }
        for tool in &turn.tools {
            add(&turn.id, Origin::Model, true, &tool.input);
            let origin = of_tool(&tool.name, &tool.input);
            add(&turn.id, origin, false, &tool.output);
        }
    }
    spans
}

#[cfg(test)]
mod tests;
