//! Choosing the model, and asking it.

use analects_agent::activity::Happening;
use analects_agent::hook;
use analects_agent::subagent::{COMPLETE_TASK, Offers};
use analects_agent::turn::{Event, Heed, Unanswered};
use analects_chat::limits::Limits;
use analects_chat::route;
use analects_chat::view::Lookback;
use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::model::{Content, Role};
use analects_world::models::{Kind, Options, Tool, Usage};

use super::hooks::{Before, Outgoing};
use super::run::Run;
use super::{How, Tell, stats};
use crate::models::ask::{self, Among, Question, Told, ask};
use crate::models::choose;
use crate::models::ledger::Purpose;
use crate::models::route as router;
use crate::settings::{Settings, keys};
use crate::verbs::Failure;
use crate::{codes, context_limits};

impl Run<'_, '_> {
    /// The model for this prompt. One that was named is not questioned.
    pub(super) fn route(&mut self) -> Result<Limits, Failure> {
        let settings = &self.prepared.settings;
        if self.is_auto() {
            let request = self.course.dialogue().asked().cloned();
            let request = request.unwrap_or_else(|| Content::text("", Role::User, ""));
            let wish = route::Ask {
                history: self.course.dialogue().history(),
                request: &request,
                wanted: route::Wanted::Auto,
                instead: None,
                mode: self.toolbox.route_mode(),
                judge: route::Judge::Choice,
                lookback: lookback(settings),
                profile: settings.profile,
            };
            let routed = router::route(
                &self.world,
                settings,
                &wish,
                Some(&self.session),
                &self.cancel,
            )?;
            self.other = choose::fallback(settings, &routed.chosen);
            let before = std::mem::replace(&mut self.chosen, routed.chosen);
            if before.model != self.chosen.model {
                let message = format!("{} answers: {}", self.chosen.model, routed.decision.reason);
                self.tell_each(Problem::new(&codes::ROUTED, message));
            }
        }
        Ok(context_limits::limits(
            settings,
            Some(self.chosen.window_tokens),
        ))
    }

    fn is_auto(&self) -> bool {
        let named = self.wanted.as_deref();
        let set = self
            .prepared
            .settings
            .text(&crate::settings::keys::model::NAME);
        named.unwrap_or(set) == "auto"
    }

    pub(super) fn ask(&mut self) -> Event {
        let window_tokens = self.course.dialogue().limits().window_tokens;
        self.stats
            .sent(self.course.dialogue().used_tokens(), window_tokens);
        self.noticed(Happening::StreamStart);
        self.cut_short = None;
        let mut outgoing = Outgoing {
            history: self.course.dialogue().request(self.chosen.endpoint.wire),
            options: Options {
                temperature: self.part.temperature(),
                ..Options::USUAL
            },
            tools: self.tools_now(),
            first: self.chosen.clone(),
            other: self.other.clone(),
        };
        if let Before::Instead(event) = self.before_model(&mut outgoing) {
            return event;
        }
        let purpose = self.part.purpose();
        let question = Question {
            purpose,
            session: Some(&self.session),
            system: &self.system,
            history: &outgoing.history,
            tools: &outgoing.tools,
            options: &outgoing.options,
            patience_ms: self.left_ms(),
        };
        let among = Among {
            first: &outgoing.first,
            other: outgoing.other.as_ref(),
        };
        // Whoever goes in circles is stopped, and only that.
        let stop = Cancel::new();
        let heard = stop.clone();
        let _listening = self.cancel.listen(move || heard.cancel());
        // A hook that may change the answer has to hear it before anybody else does.
        let is_held = self.hooks.has(hook::Event::AfterModel);
        let (dialogue, tell) = (self.course.dialogue_mut(), &mut *self.tell);
        let first = &outgoing.first.model;
        let mut hear = |told: Told<'_>| match told {
            Told::Piece(piece) => {
                if let analects_world::models::Event::Part(part) = piece
                    && !is_held
                {
                    tell(Tell::Piece(part));
                }
                if dialogue.hear(piece) == Heed::Stop {
                    stop.cancel();
                }
            }
            Told::StartOver {
                why,
                model,
                wait_ms,
            } => {
                dialogue.start_over();
                let why = match wait_ms / 1_000 {
                    _ if model != first => format!("{why}; {model} is asked instead"),
                    0 => why.to_owned(),
                    secs => format!("{why}; again in {secs} s"),
                };
                tell(Tell::StartOver { why: &why });
            }
        };
        let settings = &self.prepared.settings;
        let began_ms = self.world.clock.now_ms();
        let asked = ask(&self.world, settings, among, &question, &stop, &mut hear);
        let ms = self.world.clock.now_ms().saturating_sub(began_ms);
        match asked {
            Ok(answered) => {
                let model = answered.by.model.clone();
                let bill = (answered.n_attempts, answered.ms);
                self.billed(purpose, &model, answered.heard.usage, bill);
                self.answered = Some((model, answered.heard.usage));
                self.tell_new(answered.problems);
                self.cut_short = answered.heard.cut_short();
                self.after_model(&outgoing, answered.heard)
            }
            Err(none) => self.failed(none, ms),
        }
    }

    /// The tools that the model may call in this turn.
    fn tools_now(&self) -> Vec<Tool> {
        let mut tools = self.offered.clone();
        if self.course.offers() == Offers::OnlyCompletion {
            tools.retain(|tool| tool.name == COMPLETE_TASK);
        }
        tools
    }

    /// What an answer cost.
    pub(super) fn billed(
        &mut self,
        purpose: Purpose,
        model: &str,
        usage: Option<Usage>,
        (n_attempts, ms): (u32, u64),
    ) {
        let call = stats::Call {
            model,
            purpose,
            n_attempts,
            ms,
        };
        self.stats.answered(&call, &usage.unwrap_or_default());
    }

    fn failed(&mut self, mut none: ask::NoAnswer, ms: u64) -> Event {
        let call = stats::Call {
            model: &self.chosen.model,
            purpose: self.part.purpose(),
            n_attempts: 1,
            ms,
        };
        let why = none.kind.map_or("unusable", Kind::as_str);
        self.stats.unanswered(&call, why);
        self.tell_new(std::mem::take(&mut none.problems));
        if self.cancel.is_cancelled() || self.is_late() {
            return Event::Cancelled;
        }
        let why = match none.kind {
            Some(Kind::TooLarge) => Unanswered::TooLarge,
            _ => Unanswered::Failed,
        };
        self.no_answer = Some(match why {
            Unanswered::TooLarge => How::Overflow(self.too_large()),
            Unanswered::Failed => How::NoAnswer(Failure::from(none)),
        });
        Event::Unanswered(why)
    }

    /// The server counts more than we do, and nothing is left that could be shortened.
    fn too_large(&self) -> String {
        let (used, window) = (
            self.course.dialogue().used_tokens(),
            self.course.dialogue().limits().window_tokens,
        );
        format!(
            "this does not fit into the window of {}, says its server, though we count about {used} tokens of {window}: \
             send less at once, or start a new session",
            self.chosen.model
        )
    }
}

/// What whoever chooses the model is shown of the history.
fn lookback(settings: &Settings) -> Lookback {
    let usual = Lookback::USUAL;
    let window = settings.count(&keys::context::HISTORY_SEARCH_WINDOW);
    let turns = settings.count(&keys::context::HISTORY_TURNS);
    Lookback {
        window: window.unwrap_or(usual.window),
        turns: turns.unwrap_or(usual.turns),
    }
}
