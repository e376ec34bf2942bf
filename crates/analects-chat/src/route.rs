//! Which model answers a request: the quick one or the one that thinks further.
//!
//! Whoever has something to say is asked in turn: a model that cannot be had, the user's own choice, the mode,
//! another model, and at last rules that need none. Nobody is asked here: a question goes out, an answer comes
//! back, and an answer that makes no sense passes the decision on.

mod question;
mod rules;

use analects_text::sanitize::one_line;
use analects_world::Profile;
use analects_world::model::Content;
use serde_json::Value;

use crate::excerpt::excerpt;
use crate::question::{Question, object_in};
use crate::shape::is_response;
use crate::view::Lookback;
use question::question;

/// What a choice depends on.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// What was said before.
    pub history: &'a [Content],
    /// What is to be answered.
    pub request: &'a Content,
    /// What the user wants.
    pub wanted: Wanted<'a>,
    /// Another model that is to be asked because the wanted one cannot be had.
    pub instead: Option<&'a str>,
    /// What the agent may do.
    pub mode: Mode,
    /// Who may be asked.
    pub judge: Judge,
    /// What that one is shown of the history.
    pub lookback: Lookback,
    /// Whose chain is followed.
    pub profile: Profile,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// Whatever fits.
    Auto,
    /// This one.
    Model(&'a str),
}

/// What the agent may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As usual.
    Usual,
    /// It makes a plan and changes nothing.
    Plan,
    /// It carries out a plan that somebody agreed to.
    Approved,
}

/// Who may be asked which model is to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// Nobody.
    Nobody,
    /// A model that chooses.
    Choice,
    /// A model that gives marks from 1 to 100.
    Marks {
        /// From this mark on it is hard.
        threshold: u8,
    },
}

impl Judge {
    /// The threshold of the original.
    pub const THRESHOLD: u8 = 90;
}

/// What was decided, by whom, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Which model answers.
    pub pick: Pick,
    /// Who decided.
    pub source: Source,
    /// Why, in one line.
    pub reason: String,
}

/// Which model answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// One of two.
    Tier(Tier),
    /// One that was named.
    Model(String),
}

/// The quick model, or the one that thinks further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// The one that thinks further.
    Pro,
    /// The quick one.
    Flash,
}

impl Tier {
    /// The name of the alias that stands for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pro => "pro",
            Self::Flash => "flash",
        }
    }
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The wanted model cannot be had.
    Fallback,
    /// The user.
    Override,
    /// The mode.
    ApprovalMode,
    /// A model that chose.
    Classifier,
    /// A model that gave a mark.
    Numerical,
    /// Our own rules.
    Rules,
    /// Nobody.
    Default,
}

impl Source {
    /// Its name in records, as the original has it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Fallback => "agent-router/fallback",
            Self::Override => "agent-router/override",
            Self::ApprovalMode => "agent-router/approval-mode",
            Self::Classifier => "agent-router/Classifier",
            Self::Numerical => "agent-router/NumericalClassifier",
            Self::Rules => "agent-router/rules",
            Self::Default => "agent-router/default",
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing: it is decided.
    Decided(Decision),
    /// Somebody is to be asked.
    Ask(Asking),
}

/// A question on the way to a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Asking {
    question: Question,
    judge: Judge,
    /// What holds if there is no answer.
    otherwise: Decision,
}

/// How much of what a model says for a reason is kept.
const REASON_CHARS: usize = 200;

/// Decides, or says whom to ask what.
#[must_use]
pub fn plan(ask: &Ask<'_>) -> Step {
    if let Some(decision) = settled(ask) {
        return Step::Decided(decision);
    }
    let otherwise = unasked(ask);
    match asked(ask) {
        Judge::Nobody => Step::Decided(otherwise),
        judge => Step::Ask(Asking {
            question: question(ask, judge),
            judge,
            otherwise,
        }),
    }
}

impl Asking {
    /// What to ask.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What the answer decides. Without one, or with one that makes no sense, it is decided without a model.
    #[must_use]
    pub fn answered(self, answer: Option<&str>) -> Decision {
        let verdict = answer.and_then(|answer| verdict(answer, self.judge));
        verdict.unwrap_or(self.otherwise)
    }
}

/// What needs no judgement. Modes have a say only from the current original on, and never over the user.
fn settled(ask: &Ask<'_>) -> Option<Decision> {
    let decided = |pick, source, reason: &str| Decision {
        pick,
        source,
        reason: reason.to_owned(),
    };
    if let Some(model) = ask.instead {
        let pick = Pick::Model(model.to_owned());
        return Some(decided(
            pick,
            Source::Fallback,
            "the wanted model cannot be had now",
        ));
    }
    if let Wanted::Model(model) = ask.wanted {
        let pick = Pick::Model(model.to_owned());
        return Some(decided(pick, Source::Override, "the user chose it"));
    }
    let (tier, reason) = match (ask.mode, ask.profile) {
        (Mode::Usual, _) | (_, Profile::Seed) => return None,
        (Mode::Plan, _) => (Tier::Pro, "a plan is made"),
        (Mode::Approved, _) => (Tier::Flash, "a plan that was agreed to is carried out"),
    };
    Some(decided(Pick::Tier(tier), Source::ApprovalMode, reason))
}

/// Who is asked about this request. What a tool answers is no request: it was decided when it began.
fn asked(ask: &Ask<'_>) -> Judge {
    let is_response = is_response(ask.request);
    match (ask.judge, ask.profile) {
        // Marks came later.
        (Judge::Choice | Judge::Marks { .. }, Profile::Seed) => Judge::Choice,
        (Judge::Choice, Profile::Head) if is_response => Judge::Nobody,
        (Judge::Choice | Judge::Marks { .. }, Profile::Analects) if is_response => Judge::Nobody,
        (judge, _) => judge,
    }
}

/// What holds without a model's word: rules of our own, where the originals take the larger model.
fn unasked(ask: &Ask<'_>) -> Decision {
    match ask.profile {
        Profile::Analects => rules::decide(ask.history, ask.request),
        Profile::Seed | Profile::Head => Decision {
            pick: Pick::Tier(Tier::Pro),
            source: Source::Default,
            reason: "nobody decided".to_owned(),
        },
    }
}

fn verdict(answer: &str, judge: Judge) -> Option<Decision> {
    let (tier, source, said) = object_in(answer, |fields| {
        let said = |name| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        match judge {
            Judge::Nobody => None,
            Judge::Choice => {
                let choice = fields.get("model_choice")?.as_str()?.trim();
                let tier = [Tier::Pro, Tier::Flash]
                    .into_iter()
                    .find(|tier| choice.eq_ignore_ascii_case(tier.as_str()))?;
                Some((tier, Source::Classifier, said("reasoning").to_owned()))
            }
            Judge::Marks { threshold } => {
                let mark = fields.get("complexity_score")?.as_f64()?;
                let mark = Some(mark).filter(|mark| (1.0..=100.0).contains(mark))?;
                let tier = match mark >= f64::from(threshold) {
                    true => Tier::Pro,
                    false => Tier::Flash,
                };
                let said = said("complexity_reasoning");
                Some((tier, Source::Numerical, format!("{mark} of 100: {said}")))
            }
        }
    })?;
    Some(Decision {
        pick: Pick::Tier(tier),
        source,
        reason: one_line(&excerpt(said.trim(), REASON_CHARS)).into_owned(),
    })
}

#[cfg(test)]
mod tests;
