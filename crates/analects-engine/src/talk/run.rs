//! Doing what a dialogue says is to be done.

use analects_agent::activity::{Activity, Happening};
use analects_agent::mention;
use analects_agent::turn::{
    Dialogue, End, Event, Heed, Next, Ready, Round, Unanswered, Want, Written,
};
use analects_chat::compress;
use analects_chat::id::stable_id;
use analects_chat::limits::Limits;
use analects_chat::loops::asking::{ATTEMPTS, SecondModel};
use analects_chat::question::Question as Asked;
use analects_chat::route;
use analects_chat::view::Lookback;
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::model::{Content, Part, Role};
use analects_world::models::{Form, Kind, Options, Thinking, Tool, Usage};
use analects_world::{Agent, Cancel};

use super::ide::{IdeContext, Telling};
use super::keep::keep;
use super::memory::Memory;
use super::record::Record;
use super::stats::{self, Stats};
use super::tools::Toolbox;
use super::{Ended, How, Tell, Wish};
use crate::World;
use crate::events::{Session, What};
use crate::load_memory::Prepared;
use crate::models::ask::{self, Among, Question, Told, ask};
use crate::models::choose::{self, Chosen};
use crate::models::ledger::Purpose;
use crate::models::route as router;
use crate::sessions::compress::prose::prose;
use crate::settings::{Settings, keys};
use crate::verbs::{Failure, Flags};
use crate::{context_limits, pins};

/// Everything that a talk holds while it goes on.
pub(super) struct Run<'a, 't> {
    pub(super) world: World<'a>,
    pub(super) flags: Flags,
    pub(super) prepared: &'a Prepared,
    pub(super) cancel: &'a Cancel,
    pub(super) tell: &'t mut dyn FnMut(Tell<'_>),
    pub(super) session: Session,
    pub(super) session_id: String,
    pub(super) wanted: Option<String>,
    pub(super) typed: String,
    pub(super) chosen: Chosen,
    pub(super) other: Option<Chosen>,
    pub(super) dialogue: Dialogue,
    /// What stands before the history in every request.
    pub(super) opening: Content,
    pub(super) ide: Option<IdeContext>,
    pub(super) telling: Telling,
    pub(super) memory: Memory,
    pub(super) toolbox: Toolbox<'a>,
    pub(super) offered: Vec<Tool>,
    /// What they cost in every request.
    pub(super) tools_tokens: usize,
    /// How long the last snapshot took to write.
    pub(super) written_ms: u64,
    pub(super) record: Record,
    pub(super) stats: Stats,
    pub(super) activity: Activity,
    pub(super) problems: Vec<Problem>,
    pub(super) system: String,
    pub(super) answered: Option<(String, Option<Usage>)>,
    pub(super) no_answer: Option<How>,
    /// What the model said last in this run.
    pub(super) response: String,
}

/// A question beside the talk.
pub(super) struct Aside<'a> {
    pub(super) purpose: Purpose,
    pub(super) system: &'a str,
    pub(super) history: &'a [Content],
    pub(super) options: &'a Options,
}

impl Run<'_, '_> {
    /// From the prompt to the end.
    pub(super) fn run(mut self, prompt: Content) -> Result<Ended, Failure> {
        let mut step = self.dialogue.step(Event::Prompt(prompt));
        loop {
            for note in std::mem::take(&mut step.notes) {
                self.note(note);
            }
            let event = match step.next {
                Next::End(end) => return Ok(self.ended(end)),
                // Tools that were called are answered for, even if the answer is that they were stopped.
                Next::Run(calls) => Event::Ran(self.use_tools(calls)),
                _ if self.cancel.is_cancelled() => Event::Cancelled,
                Next::Prepare { editor } => Event::Prepared(self.prepare(editor)?),
                Next::Keep(keeps) => Event::Kept(keep(&self.world, &self.flags, &keeps)),
                Next::Write { question, n_turns } => Event::Written(self.write(&question, n_turns)),
                Next::Judge(question, round) => self.judge(&question, round),
                Next::Route => Event::Routed(self.route()?),
                Next::Listen(question) => Event::Spoke(self.listen(&question)),
                Next::Ask => self.ask(),
            };
            step = self.dialogue.step(event);
        }
    }

    /// The user's turn, with the files that it mentions and the rules that hold for them.
    pub(super) fn prompt(&mut self, wish: &Wish) -> Content {
        let (piped, typed) = wish
            .prompt
            .split_at_checked(wish.piped_bytes)
            .unwrap_or(("", &wish.prompt));
        let bench = self
            .toolbox
            .bench(&self.world, self.prepared.settings.profile, self.cancel);
        let mut mentioned = mention::bring(typed, &bench, &self.toolbox.seen);
        if !piped.is_empty() {
            mentioned.parts.insert(0, Part::text(piped));
        }
        let id = stable_id(&[
            &self.session_id,
            "prompt",
            &self.world.clock.now_ms().to_string(),
        ]);
        if !mentioned.touched.is_empty() {
            let along = self
                .memory
                .touch(&self.world, self.prepared, &id, &mentioned.touched);
            if let Some(along) = along {
                self.stats.came_along(along.n_files, along.tokens);
                mentioned.parts.push(Part::text(along.text));
                mentioned.problems.extend(along.problems);
            }
        }
        self.tell_new(mentioned.problems);
        Content {
            id,
            role: Role::User,
            parts: mentioned.parts,
        }
    }

    /// Notes what goes on, for whoever wants to see it.
    pub(super) fn noticed(&mut self, on: Happening) {
        if let Some(snapshot) = self.activity.note(on, self.world.clock.now_ms()) {
            (self.tell)(Tell::Busy(&snapshot));
        }
    }

    /// Memory as it is now, and everything else that goes along with a request.
    fn prepare(&mut self, editor: Want) -> Result<Ready, Failure> {
        let options = self.toolbox.prompt_options();
        let system = self.memory.render(&self.world, &options)?;
        self.tell_new(system.problems);
        let is_other = !self.system.is_empty() && self.system != system.text;
        match is_other {
            true => self.stats.reloaded(system.n_files, system.memory_tokens),
            false => self.stats.loaded(system.n_files, system.memory_tokens),
        }
        self.system = system.text;
        let editor = match editor {
            Want::Yes => self.editor(),
            Want::No => None,
        };
        let of = pins::Of {
            agent: Agent::Gemini,
            session: &self.session_id,
        };
        let pinned = pins::read(&self.world, of).unwrap_or_default();
        let mut pins: Vec<_> = pinned.into_iter().map(|pin| pin.text).collect();
        pins.extend(self.toolbox.plan_pin());
        Ok(Ready {
            overhead_tokens: tokens::estimate(&self.system) + self.tools_tokens,
            opening: vec![self.opening.clone()],
            editor,
            pins,
        })
    }

    /// What an editor says, if one does.
    fn editor(&mut self) -> Option<String> {
        let telling = std::mem::replace(&mut self.telling, Telling::Changes);
        let mut problems = Vec::new();
        let ide = self.ide.as_mut();
        let said = ide.and_then(|ide| ide.next(self.world.files, telling, &mut problems));
        self.tell_new(problems);
        said
    }

    /// A snapshot of the past in the words of the model that answers.
    fn write(&mut self, asked: &compress::Question, n_turns: usize) -> Written {
        let settings = &self.prepared.settings;
        let past = self.dialogue.past(n_turns);
        let began_ms = self.world.clock.now_ms();
        let written = prose(
            &self.world,
            settings,
            &self.chosen,
            past,
            asked,
            &self.session,
            self.cancel,
        );
        let ms = self.world.clock.now_ms().saturating_sub(began_ms);
        self.written_ms = ms;
        self.billed(Purpose::Compress, &written.model, written.usage, (1, ms));
        self.tell_new(written.problems);
        written.text.map_or(Written::Failed, Written::Said)
    }

    /// What another model thinks about progress: a cheap one first.
    fn judge(&mut self, asked: &Asked, round: Round) -> Event {
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
    fn listen(&mut self, asked: &Asked) -> Option<String> {
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
            patience_ms: Some(ASIDE_PATIENCE_MS),
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
            self.cancel,
            &mut |_| {},
        );
        let answered = asked.ok()?;
        let (usage, bill) = (answered.heard.usage, (answered.n_attempts, answered.ms));
        self.billed(aside.purpose, &model.model, usage, bill);
        let turn = answered.heard.into_content("aside");
        Some(turn.texts().collect())
    }

    /// The model for this prompt. One that was named is not questioned.
    fn route(&mut self) -> Result<Limits, Failure> {
        let settings = &self.prepared.settings;
        if self.is_auto() {
            let request = self.dialogue.asked().cloned();
            let request = request.unwrap_or_else(|| Content::text("", Role::User, ""));
            let wish = route::Ask {
                history: self.dialogue.history(),
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
                self.cancel,
            )?;
            self.other = choose::fallback(settings, &routed.chosen);
            self.chosen = routed.chosen;
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

    fn ask(&mut self) -> Event {
        let window_tokens = self.dialogue.limits().window_tokens;
        self.stats.sent(self.dialogue.used_tokens(), window_tokens);
        self.noticed(Happening::StreamStart);
        let history = self.dialogue.request(self.chosen.endpoint.wire);
        let options = Options::USUAL;
        let question = Question {
            purpose: Purpose::Chat,
            session: Some(&self.session),
            system: &self.system,
            history: &history,
            tools: &self.offered,
            options: &options,
            patience_ms: None,
        };
        let (first, other) = (self.chosen.clone(), self.other.clone());
        let among = Among {
            first: &first,
            other: other.as_ref(),
        };
        // Whoever goes in circles is stopped, and only that.
        let stop = Cancel::new();
        let heard = stop.clone();
        let _listening = self.cancel.listen(move || heard.cancel());
        let (dialogue, tell) = (&mut self.dialogue, &mut *self.tell);
        let mut hear = |told: Told<'_>| match told {
            Told::Piece(piece) => {
                if let analects_world::models::Event::Part(part) = piece {
                    tell(Tell::Piece(part));
                }
                if dialogue.hear(piece) == Heed::Stop {
                    stop.cancel();
                }
            }
            Told::StartOver { why, .. } => {
                dialogue.start_over();
                tell(Tell::StartOver { why });
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
                self.billed(Purpose::Chat, &model, answered.heard.usage, bill);
                self.answered = Some((model, answered.heard.usage));
                self.tell_new(answered.problems);
                Event::Heard(answered.heard)
            }
            Err(none) => self.failed(none, ms),
        }
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
            purpose: Purpose::Chat,
            n_attempts: 1,
            ms,
        };
        let why = none.kind.map_or("unusable", Kind::as_str);
        self.stats.unanswered(&call, why);
        self.tell_new(std::mem::take(&mut none.problems));
        if self.cancel.is_cancelled() {
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
            self.dialogue.used_tokens(),
            self.dialogue.limits().window_tokens,
        );
        format!(
            "this does not fit into the window of {}, says its server, though we count about {used} tokens of {window}: \
             send less at once, or start a new session",
            self.chosen.model
        )
    }

    fn ended(mut self, end: End) -> Ended {
        let how = match end {
            End::Answered => How::Answered,
            End::TurnLimit => How::TurnLimit,
            End::Loop => How::Loop,
            End::Cancelled => How::Cancelled,
            End::Overflow(overflow) => {
                let (request, remaining) = (overflow.request_tokens, overflow.remaining_tokens);
                let what = What::Overflow {
                    request: request as u64,
                    remaining: remaining as u64,
                };
                let counted = self.count(what);
                self.tell_new(counted.into_iter().collect());
                How::Overflow(overflow.message())
            }
            End::Unanswered => self
                .no_answer
                .take()
                .unwrap_or_else(|| How::NoAnswer(Failure::failed("the model did not answer"))),
            End::OutOfStep => How::NoAnswer(Failure::failed("a step was taken out of turn")),
        };
        let settled = self.record.settle();
        self.tell_new(settled.into_iter().collect());
        self.stats.activity = self.activity.stats();
        Ended {
            session: self.session_id,
            response: self.response,
            how,
            stats: self.stats,
            problems: self.problems,
        }
    }
}

/// What is asked on the side is worth no long wait: there is a way without it.
const ASIDE_PATIENCE_MS: u64 = 20_000;

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

/// What a tool costs in every request.
pub(super) fn weight(tool: &Tool) -> usize {
    let parameters = tokens::estimate(&tool.parameters.to_string());
    tokens::estimate(&tool.name) + tokens::estimate(&tool.description) + parameters
}
