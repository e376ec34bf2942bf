//! How many facts are left.

use analects_chat::limits::{Limits, Wishes};
use analects_chat::weigh;
use analects_world::Profile;
use analects_world::model::{Body, Content};
use serde_json::Value;

use super::fact::{Fact, Kind, Language, Place};
use super::model::Helper;
use super::session::Session;
use super::squeeze::{Model, Squeeze};

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trial {
    /// How much the model takes at once.
    pub(crate) window_tokens: usize,
    /// How often the session is compressed.
    pub(crate) depth: usize,
    /// Who helps.
    pub(crate) helper: Helper,
}

/// What came of it.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// The seed of the session.
    pub(crate) seed: u64,
    /// The size after each compression, as a share of that before it.
    pub(crate) sizes: Vec<f64>,
    /// Each fact, and whether it is left.
    pub(crate) facts: Vec<(Fact, Left)>,
}

/// Whether a fact is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// All that it is known by is there.
    Yes,
    /// Something is not.
    No,
}

impl Outcome {
    /// The share of facts that are left, among those that are wanted; `None` if there are none.
    pub(crate) fn share(&self, is_wanted: impl Fn(&Fact) -> bool) -> Option<f64> {
        let wanted = self.facts.iter().filter(|(fact, _)| is_wanted(fact));
        let (mut n_all, mut n_left) = (0_u32, 0_u32);
        for (_, left) in wanted {
            n_all += 1;
            n_left += u32::from(*left == Left::Yes);
        }
        (n_all > 0).then(|| f64::from(n_left) / f64::from(n_all))
    }

    /// The share of this kind in this language.
    pub(crate) fn of(&self, kind: Kind, language: Language) -> Option<f64> {
        self.share(|fact| fact.kind == kind && fact.language == language)
    }

    /// The share of what stood in this place.
    pub(crate) fn at(&self, place: Place) -> Option<f64> {
        self.share(|fact| fact.place == place)
    }
}

/// Where compression begins.
pub(crate) fn threshold(window_tokens: usize) -> usize {
    Limits::of(window_tokens, Profile::Analects, &Wishes::default()).compress_at_tokens
}

/// How many facts people tell in this many tokens: about 12 in 5,700, 120 in 90,000 and 250 in 210,000.
pub(crate) fn n_facts(n_tokens: usize) -> usize {
    match n_tokens {
        0..=5_735 => n_tokens * 12 / 5_735,
        5_736..=89_600 => 12 + (n_tokens - 5_735) * 108 / 83_865,
        _ => 120 + (n_tokens - 89_600) * 130 / 120_116,
    }
}

/// A session that is due to be compressed for the first time.
pub(crate) fn grown(seed: u64, window_tokens: usize) -> Session {
    let threshold = threshold(window_tokens);
    let mut session = Session::new(seed);
    session.grow(threshold, n_facts(threshold));
    session
}

/// Lets a session grow until it must be compressed, as often as is tried, and looks what is left.
pub(crate) fn run(trial: Trial, seed: u64, squeeze: &dyn Squeeze) -> Outcome {
    let threshold = threshold(trial.window_tokens);
    let mut session = Session::new(seed);
    let mut sizes = Vec::new();
    for _ in 0..trial.depth {
        let before = weigh::history(&session.history, Profile::Analects);
        // What hardly became smaller must grow nevertheless, or there would be nothing new to tell.
        let growth = threshold.saturating_sub(before).max(threshold / 4);
        session.grow(growth, n_facts(growth));
        let before = weigh::history(&session.history, Profile::Analects);
        let answers = trial.helper.answers(seed, &session.facts);
        let model = answers.as_ref().map(|answers| answers as &Model<'_>);
        let history = std::mem::take(&mut session.history);
        let squeezed = squeeze.squeeze(history, trial.window_tokens, model);
        drop(answers);
        session.history = squeezed;
        let after = weigh::history(&session.history, Profile::Analects);
        sizes.push(ratio(after, before));
    }
    let facts = judge(&session.facts, &session.history);
    Outcome { seed, sizes, facts }
}

/// Each fact, and whether it is left in a history.
fn judge(facts: &[Fact], history: &[Content]) -> Vec<(Fact, Left)> {
    let mut text = Text::default();
    history.iter().for_each(|content| text.add_content(content));
    let judged = facts.iter().map(|fact| {
        let left = match is_in(fact, &text) {
            true => Left::Yes,
            false => Left::No,
        };
        (fact.clone(), left)
    });
    judged.collect()
}

/// Whether all that a fact is known by is in a text.
pub(crate) fn is_in(fact: &Fact, text: &Text) -> bool {
    fact.probes.iter().all(|probe| text.has(probe))
}

/// All words of a history, with one blank where there were several.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text(String);

impl Text {
    /// More words. A line's end stands between these and others.
    pub(crate) fn add(&mut self, text: &str) {
        for word in text.split_whitespace() {
            if !self.0.is_empty() && !self.0.ends_with('\n') {
                self.0.push(' ');
            }
            self.0.push_str(word);
        }
        self.0.push('\n');
    }

    /// The words of a turn: what is said, what tools are asked and what they answer. Thoughts do not count,
    /// since no model is sent them again.
    pub(crate) fn add_content(&mut self, content: &Content) {
        for part in content.parts.iter().filter(|part| !part.is_thought) {
            match &part.body {
                Body::Text(text) => self.add(text),
                Body::Call(call) => self.add_value(&call.args),
                Body::Response(response) => self.add_value(&response.response),
                Body::Media(_) | Body::Other => {}
            }
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Array(items) => items.iter().for_each(|item| self.add_value(item)),
            Value::Object(fields) => fields.values().for_each(|value| self.add_value(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Whether a string is there.
    pub(crate) fn has(&self, probe: &str) -> bool {
        self.0.contains(probe)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "token counts are far below 2^52"
)]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
