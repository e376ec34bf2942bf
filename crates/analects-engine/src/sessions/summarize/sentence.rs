//! A model says in one sentence what a conversation was about.
//!
//! It is shown little of it, without secrets, as a quotation. Whatever it answers, what comes out is one short line.

use analects_session::headline::{clean, question};
use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::model::{Content, Role};
use analects_world::models::{Kind, Options, Thinking};

use super::Opened;
use crate::events::Session;
use crate::models::ask::{Among, NoAnswer, Question, ask};
use crate::models::choose::{Chosen, choose};
use crate::models::ledger::Purpose;
use crate::secrets::Guarded;
use crate::settings::{Settings, keys};
use crate::verbs::Failure;
use crate::{World, codes};

/// A sentence, with room for a thought that a model cannot leave out.
const MAX_TOKENS: u32 = 2_000;

/// A model that says what conversations were about.
pub struct Teller<'a> {
    chosen: Chosen,
    settings: &'a Settings,
    patience_ms: u64,
    cancel: &'a Cancel,
}

/// What it says.
pub(super) struct Told {
    pub(super) sentence: String,
    /// The model that said it.
    pub(super) by: String,
}

/// Why it says nothing.
pub(super) struct Silence {
    why: String,
    /// Whether it would say nothing about any other conversation either.
    pub(super) is_for_all: bool,
}

impl Silence {
    pub(super) fn into_problem(self) -> Problem {
        let message = format!(
            "{}; the headline is the one that follows from the prompts",
            self.why
        );
        Problem::new(&codes::NO_HEADLINE, message)
    }
}

impl From<NoAnswer> for Silence {
    fn from(none: NoAnswer) -> Self {
        let is_for_all = match none.kind {
            Some(
                Kind::Cancelled
                | Kind::Unreachable
                | Kind::Redirected
                | Kind::Key
                | Kind::NoSuchModel
                | Kind::Quota
                | Kind::Busy,
            ) => true,
            // What is wrong may be this conversation.
            Some(
                Kind::TimedOut
                | Kind::Cut
                | Kind::Garbled
                | Kind::TooLong
                | Kind::TooLarge
                | Kind::Broken
                | Kind::Refused,
            )
            | None => false,
        };
        Self {
            why: none.message,
            is_for_all,
        }
    }
}

impl<'a> Teller<'a> {
    /// The model that is wanted, if it can be had.
    pub fn new(
        world: &World<'_>,
        settings: &'a Settings,
        wanted: &str,
        patience_ms: u64,
        cancel: &'a Cancel,
    ) -> Result<Self, Failure> {
        Ok(Self {
            chosen: choose(world, settings, Some(wanted))?,
            settings,
            patience_ms,
            cancel,
        })
    }

    /// What is wrong with keys, addresses and settings.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.chosen.problems
    }

    /// What a conversation was about.
    pub(super) fn sentence(&self, world: &World<'_>, opened: &Opened) -> Result<Told, Silence> {
        let guarded = Guarded {
            allowed: self.settings.list(&keys::ALLOWED_SECRETS),
        };
        let useless = |why: &str| Silence {
            why: why.to_owned(),
            is_for_all: false,
        };
        let transcript = &opened.transcript;
        let asked = question::question(transcript, &|text| guarded.mask(text))
            .ok_or_else(|| useless("nothing was said"))?;
        let history = [Content::text("1", Role::User, asked.text)];
        let options = Options {
            max_output_tokens: Some(MAX_TOKENS),
            temperature: Some(0.0),
            thinking: Thinking::Off,
            ..Options::USUAL
        };
        let session = Session::of(transcript.head.agent, &transcript.head.id);
        let question = Question {
            purpose: Purpose::Summarize,
            session: Some(&session),
            system: asked.system,
            history: &history,
            tools: &[],
            options: &options,
            patience_ms: Some(self.patience_ms),
        };
        let among = Among {
            first: &self.chosen,
            other: None,
        };
        let answered = ask(
            world,
            self.settings,
            among,
            &question,
            self.cancel,
            &mut |_| {},
        )?;
        let by = answered.by.model.clone();
        let said: String = answered.heard.into_content("2").texts().collect();
        // It was shown no secret; one that it makes up is none of anybody's, and looks like one all the same.
        let sentence = clean(&said)
            .map(|line| guarded.mask(&line))
            .and_then(|line| clean(&line));
        let sentence = sentence.ok_or_else(|| useless("the model said nothing of use"))?;
        Ok(Told { sentence, by })
    }
}
