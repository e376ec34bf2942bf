//! A long history becomes a short one that still holds what matters.
//!
//! [`plan`] says where to cut and what to ask a model, if there is one; [`apply`] puts the short history
//! together, from the model's answer or without one. The digest is always made: it is the snapshot where no
//! model answers, and the measure of what a model writes. Memory and skills are no part of a history: they
//! are rendered anew by whoever sends it.

pub mod digest;
mod earlier;
mod judge;
mod question;
pub mod snapshot;
pub mod split;

use analects_text::tokens;
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use analects_world::provenance::Author;

use crate::limits::{Limits, part};
use crate::weigh;

use digest::{Digest, Wanted};
use earlier::ACKNOWLEDGEMENT;
pub use earlier::is_snapshot;
pub use judge::Fault;
use question::About;
pub use question::Question;
use snapshot::Snapshot;

/// What came of it. The words are those of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The history is short now.
    Compressed,
    /// It would not have become shorter, or not by enough.
    Inflated,
    /// Nobody could say how long it is.
    TokenCountError,
    /// There was nothing to put in its place.
    EmptySummary,
    /// There was nothing to do.
    Noop,
    /// Only what tools answered was cut.
    Truncated,
}

impl Status {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compressed => "COMPRESSED",
            Self::Inflated => "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT",
            Self::TokenCountError => "COMPRESSION_FAILED_TOKEN_COUNT_ERROR",
            Self::EmptySummary => "COMPRESSION_FAILED_EMPTY_SUMMARY",
            Self::Noop => "NOOP",
            Self::Truncated => "CONTENT_TRUNCATED",
        }
    }

    /// The number it has in the original; `Profile::Seed` knows no truncation and no empty summary.
    #[must_use]
    pub fn number(self, profile: Profile) -> u8 {
        match (self, profile) {
            (Self::Compressed, _) => 1,
            (Self::Inflated, _) => 2,
            (Self::TokenCountError, _) => 3,
            (Self::Noop, Profile::Seed) => 4,
            (Self::EmptySummary, _) => 4,
            (Self::Noop, _) => 5,
            (Self::Truncated, _) => 6,
        }
    }
}

/// Why a history is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// It has grown too long.
    Auto,
    /// The user wants it.
    Manual,
}

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// How much of everything there may be.
    pub limits: &'a Limits,
    /// Why.
    pub trigger: Trigger,
    /// What must be there word for word afterwards.
    pub pins: &'a [String],
    /// What the user is most interested in.
    pub focus: Option<&'a str>,
    /// The file of an approved plan.
    pub plan_file: Option<&'a str>,
}

/// Where a history is cut, and what will stand for what is before the cut.
#[derive(Debug, Clone)]
pub struct Plan {
    cut: usize,
    /// The newest request, if it would be cut off.
    request: Option<Content>,
    digest: Digest,
    pins: Vec<String>,
    before_tokens: usize,
    /// What the snapshot may cost.
    budget_tokens: usize,
    focus: Option<String>,
    least_gain_tokens: usize,
    profile: Profile,
    question: Question,
}

/// What a model answered.
#[derive(Debug, Clone, Copy)]
pub enum Answer<'a> {
    /// There is no model, or it was not asked.
    NotAsked,
    /// It said this.
    Said(&'a str),
    /// It did not answer.
    Failed,
}

/// What became of a history.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What came of it.
    pub status: Status,
    /// The history to go on with.
    pub history: Vec<Content>,
    /// What it cost before.
    pub before_tokens: usize,
    /// What it costs now.
    pub after_tokens: usize,
    /// The snapshot, if there is one.
    pub snapshot: Option<String>,
    /// What was wrong with the model's answer, where there was one that could not be used.
    pub fault: Option<Fault>,
    /// The turns that are gone. What was shown in them may be shown again.
    pub gone: Vec<String>,
    /// The user's constraints, which may belong in memory.
    pub constraints: Vec<String>,
}

impl Outcome {
    /// A history that stays as it is, for a reason.
    #[must_use]
    pub fn unchanged(status: Status, history: Vec<Content>, tokens: usize) -> Self {
        Self {
            status,
            history,
            before_tokens: tokens,
            after_tokens: tokens,
            snapshot: None,
            fault: None,
            gone: Vec::new(),
            constraints: Vec::new(),
        }
    }
}

/// What a short history costs at most, against the long one.
const SIZE_SHARE: f64 = 0.149;
/// What the digest may cost in any case.
const DIGEST_SHARE: f64 = 0.05;
/// What is kept of the end in any case.
const LEAST_TAIL_SHARE: f64 = 0.02;
/// Room for the digest, however short the history is.
const DIGEST_FLOOR_TOKENS: usize = 800;
/// A compression that gains less is not worth what it loses.
const LEAST_GAIN_SHARE: f64 = 0.1;
/// The share of a snapshot's room that a model's prose has in any case, in percent.
const PROSE_PERCENT: usize = 15;
/// A model that writes this many times more than it may has not understood.
const MOST_PROSE: usize = 4;
/// Stands before what was pinned.
pub const PINNED: &str = "Pinned by the user; it holds word for word:";

/// What to do to make a history short; `None` if there is nothing to cut.
#[must_use]
pub fn plan(history: &[Content], ask: &Ask<'_>) -> Option<Plan> {
    let limits = ask.limits;
    let profile = limits.profile;
    let before_tokens = weigh::history(history, profile);
    // What is over the window already must not set the measure.
    let room_tokens = before_tokens.min(limits.window_tokens);
    let Draft {
        cut,
        request,
        digest,
        budget_tokens,
    } = match profile {
        Profile::Analects => roomy(history, ask, room_tokens)?,
        Profile::Seed | Profile::Head => {
            let cut = split::split_point(history, 1.0 - limits.preserve_share, profile);
            draft(history, ask, room_tokens, cut)?
        }
    };
    let question = question::question(&About {
        history: history.get(..cut).unwrap_or_default(),
        focus: ask.focus,
        plan_file: ask.plan_file,
        budget_tokens,
    });
    Some(Plan {
        cut,
        request,
        digest,
        pins: ask.pins.to_vec(),
        before_tokens,
        budget_tokens,
        focus: ask.focus.map(ToOwned::to_owned),
        least_gain_tokens: match ask.trigger {
            Trigger::Auto => part(before_tokens, LEAST_GAIN_SHARE),
            Trigger::Manual => 1,
        },
        profile,
        question,
    })
}

/// A cut that was tried.
struct Draft {
    cut: usize,
    request: Option<Content>,
    digest: Digest,
    budget_tokens: usize,
}

/// The past comes first: a short tail, and what the digest leaves over goes to a longer one.
fn roomy(history: &[Content], ask: &Ask<'_>, room_tokens: usize) -> Option<Draft> {
    let most = ask.limits.preserve_share;
    let least_tokens = part(room_tokens, LEAST_TAIL_SHARE.min(most));
    let cut_for = |tail_tokens| match split::split_within_exchange(history, tail_tokens) {
        // One step that is all there is goes if somebody says so; of itself it stays, as the model has not seen it yet.
        0 if ask.trigger == Trigger::Manual && split::is_settled(history) => history.len(),
        cut => cut,
    };
    let short = draft(history, ask, room_tokens, cut_for(least_tokens))?;
    let spare = short.budget_tokens.saturating_sub(short.digest.tokens);
    let tail_tokens = (least_tokens + spare).min(part(room_tokens, most));
    let cut = cut_for(tail_tokens);
    if cut == short.cut {
        return Some(short);
    }
    draft(history, ask, room_tokens, cut).or(Some(short))
}

fn draft(history: &[Content], ask: &Ask<'_>, room_tokens: usize, cut: usize) -> Option<Draft> {
    let profile = ask.limits.profile;
    let (past, tail) = history
        .split_at_checked(cut)
        .filter(|(past, _)| !past.is_empty())?;
    let request = last_request(history).filter(|(at, _)| *at < cut);
    let request = request.map(|(_, request)| request);
    let kept = weigh::history(tail, profile)
        + request.as_ref().map_or(0, |it| weigh::content(it, profile))
        + ask
            .pins
            .iter()
            .map(|pin| tokens::estimate(pin))
            .sum::<usize>();
    let budget_tokens = part(room_tokens, SIZE_SHARE)
        .saturating_sub(kept)
        .max(part(room_tokens, DIGEST_SHARE))
        .max(DIGEST_FLOOR_TOKENS);
    let focus = ask.focus;
    let digest = digest::digest(
        past,
        Wanted {
            budget_tokens,
            focus,
        },
    );
    Some(Draft {
        cut,
        request,
        digest,
        budget_tokens,
    })
}

impl Plan {
    /// What a model is to be asked, after the history up to [`Plan::cut`].
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Adds what must be there word for word, too: a hook that was told about the plan may say so.
    pub fn pin(&mut self, text: String) {
        self.pins.push(text);
    }

    /// How many turns the snapshot will stand for.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.cut
    }
}

/// The newest words of the user, as a turn of their own, and where they stand.
fn last_request(history: &[Content]) -> Option<(usize, Content)> {
    let says = |it: &Content| it.texts().any(|text| !text.trim().is_empty());
    let at = history.iter().enumerate().rposition(|(at, content)| {
        content.role == Role::User && says(content) && !is_snapshot(history, at)
    })?;
    let mut request = history.get(at)?.clone();
    // What a tool answered stays with its call.
    let is_answer = |part: &Part| matches!(part.body, Body::Response(_));
    request.parts.retain(|part| !is_answer(part));
    Some((at, request))
}

/// The short history. Where it would be no shorter, the long one.
#[must_use]
pub fn apply(history: Vec<Content>, plan: Plan, id: &str, answer: Answer<'_>) -> Outcome {
    let past = history.get(..plan.cut).unwrap_or(&history);
    let judged = match answer {
        Answer::NotAsked => Ok(plan.digest.snapshot.clone()),
        Answer::Failed => Err(Fault::Unanswered),
        Answer::Said(text) => told(text, past, &plan),
    };
    let fault = judged.as_ref().err().copied();
    let snapshot = judged
        .unwrap_or_else(|_| plan.digest.snapshot.clone())
        .render();
    let mut new = vec![
        opening(id, &snapshot, &plan.pins),
        Content::text(format!("{id}-ack"), Role::Model, ACKNOWLEDGEMENT),
    ];
    let request_id = plan.request.as_ref().map(|request| request.id.clone());
    new.extend(plan.request);
    let gone = past.iter().map(|content| content.id.clone());
    let gone = gone.filter(|id| Some(id) != request_id.as_ref()).collect();
    let tail = history.get(plan.cut..).unwrap_or_default();
    let after_tokens = weigh::history(&new, plan.profile) + weigh::history(tail, plan.profile);
    if after_tokens + plan.least_gain_tokens > plan.before_tokens {
        return Outcome {
            fault,
            ..Outcome::unchanged(Status::Inflated, history, plan.before_tokens)
        };
    }
    new.extend(history.into_iter().skip(plan.cut));
    Outcome {
        status: Status::Compressed,
        history: new,
        before_tokens: plan.before_tokens,
        after_tokens,
        snapshot: Some(snapshot),
        fault,
        gone,
        constraints: plan.digest.constraints,
    }
}

/// The model's prose with the digest around it, both within the room there is.
///
/// The digest gives way a little: this much, and what it left over, is for the prose.
fn told(text: &str, past: &[Content], plan: &Plan) -> Result<Snapshot, Fault> {
    let budget_tokens = plan.budget_tokens;
    let written = judge::judged(text, past, budget_tokens * MOST_PROSE)?;
    let spare = budget_tokens.saturating_sub(plan.digest.tokens);
    let prose_tokens = spare.max(budget_tokens * PROSE_PERCENT / 100);
    let written = judge::shortened(&written, prose_tokens);
    let left = budget_tokens.saturating_sub(tokens::estimate(&written.render()));
    if left >= plan.digest.tokens {
        return judge::mend(written, &plan.digest.snapshot);
    }
    let focus = plan.focus.as_deref();
    let wanted = Wanted {
        budget_tokens: left,
        focus,
    };
    judge::mend(written, &digest::digest(past, wanted).snapshot)
}

/// The turn that stands for the past.
fn opening(id: &str, snapshot: &str, pins: &[String]) -> Content {
    let mut parts = vec![Part::written_by(Author::System, snapshot)];
    if !pins.is_empty() {
        parts.push(Part::written_by(Author::System, PINNED));
        parts.extend(pins.iter().map(Part::text));
    }
    Content {
        id: id.to_owned(),
        role: Role::User,
        parts,
    }
}

#[cfg(test)]
mod tests;
