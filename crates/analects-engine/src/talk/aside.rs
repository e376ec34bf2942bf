//! Side questions to models during a talk: for a snapshot, for progress, for whose turn it is.

use analects_agent::turn::{Event, Round, Written};
use analects_chat::compress;
use analects_chat::loops::asking::{ATTEMPTS, SecondModel};
use analects_chat::question::Question as Asked;
use analects_world::model::Content;
use analects_world::models::{Form, Options, Thinking};

use super::run::Run;
use crate::models::ask::{Among, Question, ask};
use crate::models::choose::{self, Chosen};
use crate::models::ledger::Purpose;
use crate::sessions::compress::prose::{Terms, prose};

/// A question beside the talk.
pub(super) struct Aside<'a> {
    pub(super) purpose: Purpose,
    pub(super) system: &'a str,
    pub(super) history: &'a [Content],
    pub(super) options: &'a Options,
}

impl Run<'_, '_> {
    /// A snapshot of the past in the words of the model that answers.
    pub(super) fn write(&mut self, asked: &compress::Question, n_turns: usize) -> Written {
        if self.part.is_background() {
            return Written::Failed;
        }
        let settings = &self.prepared.settings;
        let past = self.course.dialogue().past(n_turns);
        let began_ms = self.world.clock.now_ms();
        let written = prose(
            &self.world,
            settings,
            &self.chosen,
            past,
            asked,
            &Terms {
                session: &self.session,
                patience_ms: self.left_ms(),
                cancel: &self.cancel,
            },
        );
        let ms = self.world.clock.now_ms().saturating_sub(began_ms);
        self.written_ms = ms;
        self.billed(Purpose::Compress, &written.model, written.usage, (1, ms));
        self.tell_new(written.problems);
        written.text.map_or(Written::Failed, Written::Said)
    }

    /// What another model thinks about progress: a cheap one first.
    pub(super) fn judge(&mut self, asked: &Asked, round: Round) -> Event {
        if self.part.is_background() {
            return Event::Judged(None, SecondModel::Missing);
        }
        let settings = &self.prepared.settings;
        let alias = match round {
            Round::First => "flash",
            Round::Second => "pro",
        };
        let judge = choose::choose(&self.world, settings, Some(alias)).ok();
        let better = choose::choose(&self.world, settings, Some("pro")).ok();
        let second = match (&judge, &better) {
            (Some(judge), Some(better)) if judge.model != better.model => SecondModel::Available,
            _ => SecondModel::Missing,
        };
        let answer = judge.and_then(|judge| self.opinion(asked, &judge));
        Event::Judged(answer, second)
    }

    /// What a cheap model says about whose turn it is.
    pub(super) fn listen(&mut self, asked: &Asked) -> Option<String> {
        if self.part.is_background() {
            return None;
        }
        let judge = choose::choose(&self.world, &self.prepared.settings, Some("flash"));
        self.opinion(asked, &judge.ok()?)
    }

    fn opinion(&mut self, asked: &Asked, judge: &Chosen) -> Option<String> {
        let options = Options {
            max_output_tokens: Some(1_024),
            temperature: Some(0.0),
            thinking: Thinking::Off,
            form: Form::Json {
                name: "opinion",
                schema: asked.schema.clone(),
            },
            ..Options::USUAL
        };
        let aside = Aside {
            purpose: Purpose::LoopCheck,
            system: &asked.system,
            history: &asked.contents,
            options: &options,
        };
        let mut answers = (0..ATTEMPTS).map_while(|_| self.aside(judge, &aside));
        answers.find(|text| !text.trim().is_empty())
    }

    /// What a model says that is asked on the side; nothing, if it does not answer soon. What it costs is noted.
    pub(super) fn aside(&mut self, model: &Chosen, aside: &Aside<'_>) -> Option<String> {
        let question = Question {
            purpose: aside.purpose,
            session: Some(&self.session),
            system: aside.system,
            history: aside.history,
            tools: &[],
            options: aside.options,
            patience_ms: self.left_ms().into_iter().chain([ASIDE_PATIENCE_MS]).min(),
        };
        let among = Among {
            first: model,
            other: None,
        };
        let settings = &self.prepared.settings;
        let asked = ask(
            &self.world,
            settings,
            among,
            &question,
            &self.cancel,
            &mut |_| {},
        );
        let answered = asked.ok()?;
        let (usage, bill) = (answered.heard.usage, (answered.n_attempts, answered.ms));
        self.billed(aside.purpose, &model.model, usage, bill);
        let turn = answered.heard.into_content("aside");
        Some(turn.texts().collect())
    }
}

/// What is asked on the side is worth no long wait: there is a way without it.
const ASIDE_PATIENCE_MS: u64 = 20_000;
