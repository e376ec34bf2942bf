//! The loop of a talk: does what the dialogue asks for, step by step.

use analects_agent::activity::{Activity, Happening};
use analects_agent::mention;
use analects_agent::turn::{End, Event, Next, Ready, Step, Want};
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::model::{Content, Part, Role, stable_id};
use analects_world::models::{Tool, Usage};
use analects_world::provenance::Author;
use analects_world::{AbsPath, Agent, Cancel};

use super::course::Course;
use super::hooks::Hooks;
use super::ide::{IdeContext, Telling};
use super::keep::keep;
use super::memory::{self, Memory, Share, System};
use super::part::Part as Who;
use super::record::Record;
use super::stats::Stats;
use super::tools::Toolbox;
use super::{Ended, How, Said, Tell};
use crate::events::{Session, What};
use crate::load_memory::Prepared;
use crate::models::choose::Chosen;
use crate::pins;
use crate::verbs::{Failure, Flags};
use crate::{World, codes};

/// Everything that a talk holds while it goes on.
pub(super) struct Run<'a, 't> {
    pub(super) world: World<'a>,
    pub(super) flags: Flags,
    pub(super) prepared: &'a Prepared,
    /// Somebody wants the turn that goes on to stop.
    pub(super) cancel: Cancel,
    pub(super) tell: &'t mut dyn FnMut(Tell<'_>),
    pub(super) session: Session,
    pub(super) session_id: String,
    /// The project's folder below `~/.gemini/tmp`.
    pub(super) folder: AbsPath,
    pub(super) wanted: Option<String>,
    pub(super) typed: String,
    pub(super) chosen: Chosen,
    /// Why there is no model to ask; then `chosen` is nobody.
    pub(super) absent: Option<Failure>,
    pub(super) other: Option<Chosen>,
    pub(super) course: Course,
    /// Whose talk it is.
    pub(super) part: Who,
    /// What stands before the history in every request, where the agent may know it.
    pub(super) opening: Option<Content>,
    pub(super) ide: Option<IdeContext>,
    pub(super) telling: Telling,
    pub(super) memory: Memory,
    pub(super) toolbox: Toolbox<'a>,
    /// The user's own programs.
    pub(super) hooks: Hooks,
    pub(super) offered: Vec<Tool>,
    /// What they cost in every request.
    pub(super) tools_tokens: usize,
    /// The memory that was told last, file by file.
    pub(super) shares: Vec<Share>,
    /// Whether this talk itself has written memory since.
    pub(super) has_saved: bool,
    /// How long the last snapshot took to write.
    pub(super) written_ms: u64,
    pub(super) record: Record,
    pub(super) stats: Stats,
    pub(super) activity: Activity,
    pub(super) problems: Vec<Problem>,
    pub(super) system: String,
    pub(super) answered: Option<(String, Option<Usage>)>,
    /// Why the answer that came last is not whole.
    pub(super) cut_short: Option<String>,
    pub(super) no_answer: Option<How>,
    /// What the model said last in this run.
    pub(super) response: String,
}

impl Run<'_, '_> {
    /// Does one thing after the other, until there is nothing more to do.
    pub(super) fn drive(&mut self, prompt: Content) -> Result<End, Failure> {
        let mut step = self.step(Event::Prompt(prompt));
        loop {
            for note in std::mem::take(&mut step.notes) {
                self.note(note);
            }
            let event = match step.next {
                Next::End(end) => return Ok(end),
                // Tools that were called are answered for, even if the answer is that they were stopped.
                Next::Run(calls) => Event::Ran(self.use_tools(calls)),
                _ if self.must_stop() => Event::Cancelled,
                Next::Prepare { editor } => Event::Prepared(self.prepare(editor)?),
                Next::Keep(keeps) => Event::Kept(keep(&self.world, &self.flags, &keeps)),
                Next::Write { question, n_turns } => {
                    self.before_compress();
                    Event::Written(self.write(&question, n_turns))
                }
                Next::Judge(question, round) => self.judge(&question, round),
                Next::Route => Event::Routed(self.route()?),
                Next::Listen(question) => Event::Spoke(self.listen(&question)),
                Next::Ask => self.ask(),
            };
            step = self.step(event);
        }
    }

    fn step(&mut self, event: Event) -> Step {
        let now_ms = self.world.clock.now_ms();
        // What was cut short at the last moment was cut short because the time was over.
        let now_ms = match self.is_late() && !self.cancel.is_cancelled() {
            true => now_ms.max(self.course.deadline_ms().unwrap_or(now_ms)),
            false => now_ms,
        };
        self.course.step(event, now_ms)
    }

    /// Whether somebody wants it to stop, or its time is over.
    fn must_stop(&self) -> bool {
        self.cancel.is_cancelled() || self.is_late() || self.hooks.stopped().is_some()
    }

    /// Whether the time for what goes on now is over, or as good as.
    pub(super) fn is_late(&self) -> bool {
        let left_ms = self.left_ms();
        left_ms.is_some_and(|left_ms| left_ms < LAST_MOMENT_MS)
    }

    /// How much time is left for what goes on now, if that is limited.
    pub(super) fn left_ms(&self) -> Option<u64> {
        let deadline_ms = self.course.deadline_ms()?;
        Some(deadline_ms.saturating_sub(self.world.clock.now_ms()))
    }

    /// The user's turn, with the files that it mentions and the rules that hold for them.
    pub(super) fn prompt(&mut self, said: Said<'_>) -> Content {
        let (piped, typed) = said
            .text
            .split_at_checked(said.piped_bytes)
            .unwrap_or(("", said.text));
        let bench = self
            .toolbox
            .bench(&self.world, self.prepared.settings.profile, &self.cancel);
        let mut mentioned = mention::bring(typed, &bench, &self.toolbox.seen);
        if !piped.is_empty() {
            let piped = Part::written_by(Author::File, piped);
            mentioned.parts.insert(0, piped);
        }
        let id = stable_id(&[
            &self.session_id,
            "prompt",
            &self.world.clock.now_ms().to_string(),
            // Two prompts in one moment are two prompts.
            &self.course.dialogue().history().len().to_string(),
        ]);
        if !mentioned.touched.is_empty() {
            let along = self
                .memory
                .touch(&self.world, self.prepared, &id, &mentioned.touched);
            if let Some(along) = along {
                self.stats.came_along(along.n_files, along.tokens);
                let along_text = Part::written_by(Author::File, along.text);
                mentioned.parts.push(along_text);
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
        self.look_at_skills()?;
        let system = self.system_text()?;
        self.tell_new(system.problems);
        let is_other = !self.system.is_empty() && self.system != system.text;
        match is_other {
            true => self.stats.reloaded(system.n_files, system.memory_tokens),
            false => self.stats.loaded(system.n_files, system.memory_tokens),
        }
        self.tell_changed(&system.shares);
        self.shares = system.shares;
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
        pins.extend(self.toolbox.skills.pin());
        Ok(Ready {
            overhead_tokens: tokens::estimate(&self.system) + self.tools_tokens,
            opening: self.opening.iter().cloned().collect(),
            editor,
            pins,
        })
    }

    /// The system text as everything stands now.
    pub(super) fn system_text(&mut self) -> Result<System, Failure> {
        let mut options = self.toolbox.prompt_options();
        match &self.part {
            Who::Main => {}
            Who::Agent(agent) if !self.part.remembers() => {
                return Ok(System::fixed(&agent.system));
            }
            Who::Agent(agent) => options.own = Some(&agent.system),
        }
        self.memory.render(&self.world, &options)
    }

    /// Says which memory is another one than in the request before, unless this very talk wrote it.
    fn tell_changed(&mut self, now: &[Share]) {
        let has_saved = std::mem::take(&mut self.has_saved);
        if self.system.is_empty() || has_saved {
            return;
        }
        let changed = memory::changed(&self.shares, now);
        if !changed.is_empty() {
            let message = format!("memory has changed: {}", changed.join(", "));
            // Each time it does, not only the first.
            let problem = Problem::new(&codes::MEMORY_CHANGED, message);
            (self.tell)(Tell::Notice(&problem));
        }
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

    /// What came of a prompt.
    pub(super) fn ended(&mut self, end: End) -> Ended {
        let stopped = self.hooks.stopped();
        let how = match end {
            End::Answered => How::Answered,
            End::TurnLimit => How::TurnLimit,
            End::Loop => How::Loop,
            End::Cancelled => stopped.map_or(How::Cancelled, How::Stopped),
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
            session: self.session_id.clone(),
            response: std::mem::take(&mut self.response),
            how,
            stats: self.stats.clone(),
            problems: self.problems.clone(),
        }
    }
}

/// Clocks differ by this much.
const LAST_MOMENT_MS: u64 = 20;

/// What a tool costs in every request.
pub(super) fn weight(tool: &Tool) -> usize {
    let parameters = tokens::estimate(&tool.parameters.to_string());
    tokens::estimate(&tool.name) + tokens::estimate(&tool.description) + parameters
}
