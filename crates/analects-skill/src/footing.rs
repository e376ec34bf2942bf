//! What the steps of a skill rest on: what was said and run in the sessions that it was drawn from.
//!
//! A step is sound if the person said it, or if it was run without a stranger's text having said it first in that
//! session. Whoever repeats a page, or does what an issue says, adds nothing to it. Running what a file says is sound:
//! that is what a project's own scripts and notes are for.

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
    /// What it rests on.
    pub rests_on: Rest,
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

    /// Whether any step of it comes from outside of this machine and from nowhere else.
    #[must_use]
    pub fn has_foreign_step(&self) -> bool {
        let is_foreign =
            |step: &Step| matches!(step.rests_on, Rest::Tainted(by) if by.is_foreign());
        self.steps.iter().any(is_foreign)
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
    footing(skill_text, &[], sessions).is_tainted_only()
}

/// What a skill, and the scripts that it brings along, rest on in these sessions.
#[must_use]
pub fn footing(skill_text: &str, scripts: &[&str], sessions: &[Transcript]) -> Footing {
    let steps = steps::steps(skill_text, scripts);
    let needles: Vec<_> = steps
        .iter()
        .enumerate()
        .flat_map(|(step_idx, step)| step.needles.iter().map(move |needle| (step_idx, needle)))
        .collect();
    let mut found: Vec<_> = steps.iter().map(|_| Rest::Nothing).collect();
    // More needles than memory are not found; then nothing is.
    let patterns = needles.iter().map(|(_, needle)| needle.as_str());
    let Ok(matcher) = AhoCorasick::new(patterns) else {
        return Footing::default();
    };
    for (session_idx, session) in sessions.iter().enumerate() {
        let mut heard: Vec<Heard> = steps.iter().map(|_| Heard::default()).collect();
        for span in spans(session) {
            let text = steps::normal(&retold::safe(span.text));
            for hit in matcher.find_overlapping_iter(text.as_str()) {
                let Some((step_idx, needle)) = needles.get(hit.pattern().as_usize()) else {
                    continue;
                };
                let is_word = steps::stands_alone(&text, hit.range());
                let (Some(heard), true) = (heard.get_mut(*step_idx), is_word && !needle.is_empty())
                else {
                    continue;
                };
                heard.hear(&span);
            }
        }
        for (heard, rest) in heard.into_iter().zip(&mut found) {
            heard.add_to(rest, session_idx);
        }
    }
    let steps = steps.into_iter().zip(found);
    Footing {
        steps: steps
            .map(|(step, rests_on)| Step {
                text: step.text,
                rests_on,
            })
            .collect(),
    }
}

/// A piece of a conversation.
struct Span<'a> {
    message: &'a str,
    origin: Origin,
    /// Whether it was done, not only said.
    is_done: bool,
    text: &'a str,
}

fn spans(session: &Transcript) -> impl Iterator<Item = Span<'_>> {
    session.turns.iter().flat_map(|turn| {
        let message = turn.id.as_str();
        let span = move |origin, is_done, text| Span {
            message,
            origin,
            is_done,
            text,
        };
        let said = of_turn(turn.role, &turn.text).into_iter();
        let said = said.map(move |(origin, text)| span(origin, false, text));
        let tools = turn.tools.iter().flat_map(move |tool| {
            let origin = of_tool(&tool.name, &tool.input);
            [
                span(Origin::Model, true, tool.input.as_str()),
                span(origin, false, tool.output.as_str()),
            ]
        });
        said.chain(tools)
    })
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
    fn hear(&mut self, span: &Span<'_>) {
        if self.sound.is_some() {
            return;
        }
        let counts = match span.origin {
            Origin::User => true,
            Origin::Model if span.is_done => !self.stranger.is_some_and(Origin::is_foreign),
            Origin::Model | Origin::Command => self.stranger.is_none(),
            Origin::File | Origin::Server | Origin::Web | Origin::Issue | Origin::Program => false,
        };
        if counts {
            self.sound = Some(span.message.to_owned());
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
    (origin.is_foreign(), origin)
}

#[cfg(test)]
mod tests;
