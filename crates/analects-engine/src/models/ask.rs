//! Asks a model until it answers, or until there is no point in trying again.
//!
//! When to try again is decided by `analects_chat::retry`; here it is done. What a failed attempt said is forgotten:
//! only a whole answer is one. Who was asked, for what and at what cost stands in the ledger.

mod keyless;

use analects_chat::advice::advise;
use analects_chat::answer::{Answer, Heard, Unusable};
use analects_chat::retry::{Because, Next, Retry, RetryOptions, Why};
use analects_chat::weigh::Counts;
use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::model::Content;
use analects_world::models::{Event, Fault, Kind, Options, Request, Tool, Usage};

use super::choose::Chosen;
use super::ledger::{self, ANSWERED, Entry, Purpose};
use crate::World;
use crate::events::{Session, Word};
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::verbs::Failure;
use keyless::keyless;

/// What a model is asked, whichever it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    /// What for.
    pub purpose: Purpose,
    /// In which session, where there is one.
    pub session: Option<&'a Session>,
    /// What it must know before anything else.
    pub system: &'a str,
    /// What was said so far; the last turn is the user's.
    pub history: &'a [Content],
    /// What it may call.
    pub tools: &'a [Tool],
    /// How it is to answer.
    pub options: &'a Options,
    /// How long all attempts together may take, where that is less than the settings allow.
    pub patience_ms: Option<u64>,
}

/// Who may be asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Among<'a> {
    /// Who is asked first.
    pub first: &'a Chosen,
    /// Who is asked if that one has nothing left to give.
    pub other: Option<&'a Chosen>,
}

/// What is told while a model answers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told<'a> {
    /// A piece of the answer.
    Piece(&'a Event),
    /// Forget every piece so far: it is asked again.
    StartOver {
        /// Why.
        why: &'a str,
        /// Who is asked now.
        model: &'a str,
        /// How long we wait before that.
        wait_ms: u64,
    },
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answered<'a> {
    /// What was said.
    pub heard: Heard,
    /// Who said it.
    pub by: &'a Chosen,
    /// How often that one was asked for it.
    pub n_attempts: u32,
    /// How long it took, all attempts and waits together.
    pub ms: u64,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer {
    /// What kind of fault it was in the end; none if there was an answer that is of no use.
    pub kind: Option<Kind>,
    /// What happened, as a fragment for a person.
    pub message: String,
    /// What could be done about it.
    pub hints: Vec<String>,
    /// What a person should know besides.
    pub problems: Vec<Problem>,
}

impl From<NoAnswer> for Failure {
    fn from(none: NoAnswer) -> Self {
        let failure = Self::failed(none.message);
        none.hints.into_iter().fold(failure, Self::hint)
    }
}

/// Asks until there is an answer, or no point in asking on.
pub(crate) fn ask<'a>(
    world: &World<'_>,
    settings: &Settings,
    among: Among<'a>,
    question: &Question<'_>,
    cancel: &Cancel,
    hear: &mut dyn FnMut(Told<'_>),
) -> Result<Answered<'a>, NoAnswer> {
    ledger::may(world, settings, question.purpose).map_err(not_now)?;
    let began_ms = world.clock.now_ms();
    let mut asking = Asking {
        world,
        question,
        retry: Retry::new(options(settings, among, question.patience_ms), began_ms),
        bill: Bill::new(among.first, began_ms),
        problems: Vec::new(),
    };
    let mut other = among.other;
    loop {
        let failed = match asking.attempt(cancel, hear) {
            Ok(heard) => return Ok(asking.answered(heard, began_ms)),
            Err(failed) => failed,
        };
        let now_ms = world.clock.now_ms();
        match asking.retry.failed(failed.why(), now_ms, dice(now_ms)) {
            Next::Wait { ms } => {
                let model = &asking.bill.by.model;
                tell_again(hear, &failed, model, ms);
                world.clock.wait(ms, cancel);
            }
            Next::Fallback(because) => match other.take() {
                Some(next) => {
                    tell_again(hear, &failed, &next.model, 0);
                    asking.settle(failed.word());
                    asking.bill = Bill::new(next, now_ms);
                }
                None => return Err(asking.given_up(&failed, because)),
            },
            Next::GiveUp(because) => return Err(asking.given_up(&failed, because)),
        }
    }
}

/// Nobody was asked: the ceiling is the user's own, and no provider can do anything about it.
fn not_now(fault: Fault) -> NoAnswer {
    let hint = "`model.backgroundDailyTokens` says how much there may be a day";
    NoAnswer {
        kind: Some(fault.kind),
        message: fault.message,
        hints: vec![hint.to_owned()],
        problems: Vec::new(),
    }
}

fn options(settings: &Settings, among: Among<'_>, patience_ms: Option<u64>) -> RetryOptions {
    let usual = RetryOptions::TALK;
    let attempts = settings.count(&setting::MAX_ATTEMPTS);
    let secs = settings.count(&setting::TIMEOUT_SECS);
    RetryOptions {
        max_attempts: attempts
            .and_then(|attempts| u32::try_from(attempts).ok())
            .unwrap_or(usual.max_attempts),
        whole_ms: secs
            .map_or(usual.whole_ms, |secs| (secs as u64).saturating_mul(1_000))
            .min(patience_ms.unwrap_or(u64::MAX)),
        n_fallbacks: u32::from(among.other.is_some()),
        ..usual
    }
}

fn tell_again(hear: &mut dyn FnMut(Told<'_>), failed: &Failed, model: &str, wait_ms: u64) {
    let why = failed.message();
    hear(Told::StartOver {
        why: &why,
        model,
        wait_ms,
    });
}

/// A number between 0 and 1 that the time of day gives: those who failed together have different ones.
fn dice(now_ms: u64) -> f64 {
    let mixed = now_ms.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
    #[expect(clippy::cast_precision_loss, reason = "sixteen bits are exact")]
    let dice = mixed as f64 / 65_535.0;
    dice
}

/// Why an attempt failed.
enum Failed {
    Fault(Fault),
    Unusable(Unusable),
}

impl Failed {
    fn why(&self) -> Why<'_> {
        match self {
            Self::Fault(fault) => Why::Fault(fault),
            Self::Unusable(unusable) => Why::Unusable(unusable),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Fault(fault) => fault.kind.as_str(),
            Self::Unusable(unusable) => unusable.as_str(),
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Fault(fault) => fault.message.clone(),
            Self::Unusable(unusable) => unusable.to_string(),
        }
    }
}

/// Attempts to get one answer.
struct Asking<'w, 'q, 'a> {
    world: &'w World<'w>,
    question: &'q Question<'q>,
    retry: Retry,
    bill: Bill<'a>,
    problems: Vec<Problem>,
}

/// What one model was asked, and what that cost so far.
struct Bill<'a> {
    by: &'a Chosen,
    began_ms: u64,
    n_attempts: u32,
    usage: Usage,
}

impl<'a> Bill<'a> {
    fn new(by: &'a Chosen, began_ms: u64) -> Self {
        Self {
            by,
            began_ms,
            n_attempts: 0,
            usage: Usage::default(),
        }
    }

    /// What failed costs, too.
    fn add(&mut self, usage: Usage) {
        let plus = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        self.usage = Usage {
            prompt: plus(self.usage.prompt, usage.prompt),
            cached: plus(self.usage.cached, usage.cached),
            answer: plus(self.usage.answer, usage.answer),
            thoughts: plus(self.usage.thoughts, usage.thoughts),
        };
    }
}

impl<'a> Asking<'_, '_, 'a> {
    fn attempt(
        &mut self,
        cancel: &Cancel,
        hear: &mut dyn FnMut(Told<'_>),
    ) -> Result<Heard, Failed> {
        if cancel.is_cancelled() {
            return Err(Failed::Fault(Fault::cancelled()));
        }
        self.bill.n_attempts = self.bill.n_attempts.saturating_add(1);
        let Question {
            system,
            history,
            tools,
            options,
            ..
        } = *self.question;
        let request = Request {
            model: &self.bill.by.model,
            system,
            history,
            tools,
            options,
        };
        let mut at = self.bill.by.endpoint.clone();
        let left_ms = self.retry.left_ms(self.world.clock.now_ms());
        at.patience.whole_ms = at.patience.whole_ms.min(left_ms);
        let (mut answer, mut usage) = (Answer::default(), None);
        let asked = self.world.models.ask(&at, &request, cancel, &mut |event| {
            if let Event::Usage(told) = &event {
                usage = Some(*told);
            }
            hear(Told::Piece(&event));
            answer.hear(event);
        });
        self.bill.add(usage.unwrap_or_default());
        asked.map_err(Failed::Fault)?;
        let mut heard = answer.end().map_err(Failed::Unusable)?;
        keyless(&mut heard.parts, at.key.as_ref());
        Ok(heard)
    }

    fn answered(mut self, heard: Heard, began_ms: u64) -> Answered<'a> {
        self.settle(ANSWERED);
        Answered {
            heard,
            by: self.bill.by,
            n_attempts: self.bill.n_attempts,
            ms: self.world.clock.now_ms().saturating_sub(began_ms),
            problems: self.problems,
        }
    }

    fn given_up(mut self, failed: &Failed, because: Because) -> NoAnswer {
        // Whoever was never asked has nothing to pay.
        if self.bill.n_attempts > 0 {
            self.settle(failed.word());
        }
        let provider = &self.bill.by.provider;
        let mut message = format!("{provider} does not answer: {}", failed.message());
        if let Because::Attempts(2..) | Because::Deadline = because {
            message = format!("{message} ({because})");
        }
        NoAnswer {
            kind: match failed {
                Failed::Fault(fault) => Some(fault.kind),
                Failed::Unusable(_) => None,
            },
            message,
            hints: advise(failed.why(), provider),
            problems: self.problems,
        }
    }

    /// Writes the bill of the model that was asked last.
    fn settle(&mut self, outcome: &'static str) {
        let Question {
            purpose,
            session,
            system,
            history,
            tools,
            ..
        } = *self.question;
        let mut counts = Counts::of(history);
        counts += Counts::of_text(system);
        for tool in tools {
            counts += Counts::of_text(&tool.description);
            counts += Counts::of_text(&tool.parameters.to_string());
        }
        let bill = &self.bill;
        let entry = Entry {
            at_ms: bill.began_ms,
            purpose,
            provider: bill.by.provider.clone(),
            model: bill.by.model.clone(),
            counts,
            usage: bill.usage,
            ms: self.world.clock.now_ms().saturating_sub(bill.began_ms),
            n_attempts: bill.n_attempts,
            outcome: Word::from(outcome),
            session: session.cloned(),
        };
        self.problems.extend(ledger::note(self.world, &entry));
    }
}

#[cfg(test)]
mod tests;
