//! What the steps of a skill rest on: what was said and run in the sessions that it was drawn from.
//!
//! A step is sound if the person said it, or if it was run without a stranger's text having said it first in that
//! session. Whoever repeats a page, or does what an issue or a file says, adds nothing to it: one session in which that
//! was run of one's own accord is enough.

mod steps;

use aho_corasick::AhoCorasick;
use analects_session::transcript::Transcript;

use crate::origin::{Origin, of_tool, of_turn};
use crate::retold;

/// What a skill rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footing {
    /// Its steps, in their order.
    pub steps: Vec<Step>,
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

    /// Whether any command or address of it was found in text of strangers, and nowhere else.
    #[must_use]
    pub fn has_tainted_command(&self) -> bool {
        let is_run = |step: &Step| step.kind != Kind::Sentence;
        let is_tainted = |step: &Step| matches!(step.rests_on, Rest::Tainted(_));
        self.steps
            .iter()
            .any(|step| is_run(step) && is_tainted(step))
    }

    /// How many of its steps are sound.
    #[must_use]
    pub fn n_sound(&self) -> usize {
        let is_sound = |step: &&Step| matches!(step.rests_on, Rest::Sound(_));
        self.steps.iter().filter(is_sound).count()
    }

    /// The places that its sound steps rest on, each once, at most so many.
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

/// Whether a skill rests on text of strangers only: its commands occur there, and nowhere else in these sessions.
#[must_use]
pub fn rests_on_tainted_only(skill_text: &str, sessions: &[Transcript]) -> bool {
    Ground::new(sessions)
        .footing(skill_text, &[])
        .is_tainted_only()
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
}

/// So much of a session is looked at. What comes later is not found, and so makes nothing sound.
const MAX_SESSION_BYTES: usize = 8 * 1024 * 1024;

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
        let steps = steps::steps(skill_text, scripts);
        let needles: Vec<_> = steps
            .iter()
            .enumerate()
            .flat_map(|(step_idx, step)| step.needles.iter().map(move |needle| (step_idx, needle)))
            .collect();
        let mut found: Vec<_> = steps.iter().map(|_| Rest::Nothing).collect();
        let patterns = needles.iter().map(|(_, needle)| needle.as_str());
        // Whoever brings more than can be looked for is not looked for: nothing of it is sound.
        if let Ok(matcher) = AhoCorasick::new(patterns) {
            for (session_idx, session) in self.sessions.iter().enumerate() {
                let mut heard: Vec<Heard> = steps.iter().map(|_| Heard::default()).collect();
                for span in session {
                    for hit in matcher.find_overlapping_iter(span.text.as_str()) {
                        let step = needles.get(hit.pattern().as_usize());
                        let heard = step.and_then(|(step_idx, _)| heard.get_mut(*step_idx));
                        if let Some(heard) = heard
                            && steps::stands_alone(&span.text, hit.range())
                        {
                            heard.hear(span);
                        }
                    }
                }
                for (heard, rest) in heard.into_iter().zip(&mut found) {
                    heard.add_to(rest, session_idx);
                }
            }
        }
        let steps = steps.into_iter().zip(found).map(|(step, rests_on)| Step {
            text: step.text,
            kind: step.kind,
            rests_on,
        });
        Footing {
            steps: steps.collect(),
        }
    }
}

fn spans(session: &Transcript) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut n_bytes = 0;
    let mut add = |message: &str, origin: Origin, is_done: bool, text: &str| {
        if n_bytes < MAX_SESSION_BYTES && !text.is_empty() {
            let text = steps::normal(&retold::safe(text));
            n_bytes += text.len();
            spans.push(Span {
                message: message.to_owned(),
                origin,
                is_done,
                text,
            });
        }
    };
    for turn in &session.turns {
        for (origin, text) in of_turn(turn.role, &turn.text) {
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

/// Where a step was met in one session.
#[derive(Default)]
struct Heard {
    /// The worst of the strangers that said it so far.
    stranger: Option<Origin>,
    /// Where it was said or done by somebody who counts.
    sound: Option<String>,
}

impl Heard {
    fn hear(&mut self, span: &Span) {
        if self.sound.is_some() {
            return;
        }
        let counts = match span.origin {
            Origin::User => true,
            // What the program retells of earlier turns may well be what was run in them.
            Origin::Model if span.is_done => {
                matches!(self.stranger, None | Some(Origin::Program))
            }
            Origin::Model | Origin::Command => self.stranger.is_none(),
            Origin::File | Origin::Server | Origin::Web | Origin::Issue | Origin::Program => false,
        };
        if counts {
            self.sound = Some(span.message.clone());
        } else if span.origin.is_tainted() {
            let is_worse = |known: Origin| rank(span.origin) > rank(known);
            if self.stranger.is_none_or(is_worse) {
                self.stranger = Some(span.origin);
            }
        }
    }

    fn add_to(self, rest: &mut Rest, session_idx: usize) {
        match (self.sound, self.stranger, &mut *rest) {
            (Some(message), _, Rest::Sound(places)) => places.push(Place {
                session_idx,
                message,
            }),
            (Some(message), ..) => {
                *rest = Rest::Sound(vec![Place {
                    session_idx,
                    message,
                }]);
            }
            (None, Some(by), Rest::Nothing) => *rest = Rest::Tainted(by),
            (None, Some(by), Rest::Tainted(known)) if rank(by) > rank(*known) => *known = by,
            (None, ..) => {}
        }
    }
}

/// The program that an agent runs in is less of a stranger than anybody outside.
fn rank(origin: Origin) -> (bool, Origin) {
    (origin != Origin::Program, origin)
}

#[cfg(test)]
mod tests;
