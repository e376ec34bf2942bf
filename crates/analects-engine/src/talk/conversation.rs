//! A conversation: one talk kept open, prompt after prompt.

use analects_agent::turn::End;
use analects_memory::layer::Layer;
use analects_text::tokens;
use analects_world::Cancel;

use super::hooks::Began;
use super::resume::resume;
use super::run::Run;
use super::{Ended, Said, Stats};
use crate::inbox;
use crate::models::choose::{self, choose};
use crate::verbs::session::{Compress, CompressAnswer, Rewind, RewindAnswer};
use crate::verbs::{Failure, Verb};
use crate::{context_limits, skills};

/// A conversation with a model that has tools. Everything in it stays as it is from one prompt to the next: history,
/// record, servers, what a person agreed to for good.
pub struct Conversation<'a, 't> {
    run: Run<'a, 't>,
    began: Began,
    /// Why it ends, as hooks are told.
    reason: &'static str,
}

/// How a conversation stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The session.
    pub session: String,
    /// The model that is asked.
    pub model: String,
    /// How many tokens it takes.
    pub window_tokens: usize,
    /// How many of them are taken.
    pub used_tokens: usize,
    /// What memory takes of that.
    pub memory_tokens: usize,
    /// Whether what is said is recorded.
    pub is_recorded: bool,
    /// Whether all of this was counted: before the first prompt nobody knows what goes along with it.
    pub is_counted: bool,
}

/// What fills the window, part by part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// How many tokens there are.
    pub window_tokens: usize,
    /// What has some of them, in the order in which a model reads it.
    pub parts: Vec<Taken>,
}

/// A part of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// What takes it.
    pub by: Taker,
    /// How much.
    pub tokens: usize,
}

/// What takes a part of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taker {
    /// Our own instructions.
    Instructions,
    /// A layer of memory.
    Memory(Layer),
    /// The tools.
    Tools,
    /// Where the agent is.
    Surroundings,
    /// What was said and done.
    History,
}

impl Taker {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Memory(Layer::Global) => "memory, global",
            Self::Memory(Layer::Private) => "memory, private",
            Self::Memory(Layer::Extension) => "memory, extensions",
            Self::Memory(Layer::Project) => "memory, project",
            Self::Tools => "tools",
            Self::Surroundings => "surroundings",
            Self::History => "history",
        }
    }
}

impl Window {
    /// How many tokens are left.
    #[must_use]
    pub fn free_tokens(&self) -> usize {
        let taken: usize = self.parts.iter().map(|part| part.tokens).sum();
        self.window_tokens.saturating_sub(taken)
    }
}

impl<'a, 't> Conversation<'a, 't> {
    pub(super) fn new(run: Run<'a, 't>) -> Self {
        Self {
            run,
            began: Began::Now,
            reason: "exit",
        }
    }

    /// Says something, and lets the model work until it has answered, or until somebody cancels.
    pub fn say(&mut self, said: Said<'_>, cancel: &Cancel) -> Result<Ended, Failure> {
        self.find_model()?;
        let run = &mut self.run;
        run.cancel = cancel.clone();
        run.typed = said.text.to_owned();
        run.response.clear();
        run.no_answer = None;
        run.hooks.go_on();
        let prompt = run.prompt(said);
        let began = std::mem::replace(&mut self.began, Began::Before);
        let end = run.attended(prompt, began);
        self.reason = match &end {
            Ok(End::Answered | End::TurnLimit | End::Loop) => "exit",
            _ => "other",
        };
        end.map(|end| run.ended(end))
    }

    /// Activates a skill because the person wants it, and says what they want it for.
    ///
    /// It stands in the system text from now on, so that the record holds the person's words and nobody else's.
    pub fn follow(
        &mut self,
        skill: &str,
        said: Said<'_>,
        cancel: &Cancel,
    ) -> Result<Ended, Failure> {
        self.find_model()?;
        let activated = self.run.activate(skill);
        let skill = activated.map_err(|refusal| Failure::bad_input(refusal.message))?;
        let parts = said.text.split_at_checked(said.piped_bytes);
        let (piped, typed) = parts.unwrap_or(("", said.text));
        let text = format!("{piped}{}", skills::request(&skill.name, typed));
        let said = Said {
            text: &text,
            piped_bytes: piped.len(),
        };
        self.say(said, cancel)
    }

    /// How it stands.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let run = &self.run;
        Standing {
            session: run.session_id.clone(),
            model: run.chosen.model.clone(),
            window_tokens: run.window_tokens(),
            used_tokens: run.course.dialogue().used_tokens(),
            memory_tokens: run.shares.iter().map(|share| share.tokens).sum(),
            is_recorded: run.record.is_on(),
            is_counted: !run.system.is_empty(),
        }
    }

    /// How much waits for a yes in this project.
    #[must_use]
    pub fn inbox(&self) -> inbox::Count {
        inbox::count(&self.run.world, self.run.prepared)
    }

    /// What it took so far.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.run.stats
    }

    /// The tools that the model may call, each with the first line of what it is for.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &str)> {
        let offered = self.run.offered.iter();
        offered.map(|tool| {
            let first = tool.description.lines().next().unwrap_or_default();
            (tool.name.as_str(), first)
        })
    }

    /// What fills the window now.
    pub fn window(&mut self) -> Result<Window, Failure> {
        let system = self.run.system_text()?;
        let run = &self.run;
        let profile = run.prepared.settings.profile;
        let memory: usize = system.shares.iter().map(|share| share.tokens).sum();
        let own = tokens::estimate(&system.text).saturating_sub(memory);
        let opening: Vec<_> = run.opening.iter().cloned().collect();
        let opening = analects_chat::weigh::history(&opening, profile);
        let history = analects_chat::weigh::history(run.course.dialogue().history(), profile);
        let layer = |layer: Layer| {
            let of = system.shares.iter().filter(|share| share.layer == layer);
            Taken {
                by: Taker::Memory(layer),
                tokens: of.map(|share| share.tokens).sum(),
            }
        };
        let taken = |by: Taker, tokens: usize| Taken { by, tokens };
        let mut parts = vec![taken(Taker::Instructions, own)];
        parts.extend(Layer::READING_ORDER.map(layer));
        parts.push(taken(Taker::Tools, run.tools_tokens));
        parts.push(taken(Taker::Surroundings, opening));
        parts.push(taken(Taker::History, history));
        Ok(Window {
            window_tokens: run.window_tokens(),
            parts,
        })
    }

    /// From now on this model is asked; its name, or an alias.
    pub fn use_model(&mut self, wanted: &str) -> Result<(), Failure> {
        self.choose_model(Some(wanted))?;
        self.run.wanted = Some(wanted.to_owned());
        Ok(())
    }

    /// The model that is asked, or why there is none.
    pub fn model(&self) -> Result<&str, &Failure> {
        match &self.run.absent {
            None => Ok(&self.run.chosen.model),
            Some(failure) => Err(failure),
        }
    }

    /// Looks for a model once more if there was none: somebody may have set a key since, or started a server.
    fn find_model(&mut self) -> Result<(), Failure> {
        match self.run.absent {
            None => Ok(()),
            Some(_) => self.choose_model(self.run.wanted.clone().as_deref()),
        }
    }

    fn choose_model(&mut self, wanted: Option<&str>) -> Result<(), Failure> {
        let run = &mut self.run;
        let settings = &run.prepared.settings;
        let chosen = choose(&run.world, settings, wanted)?;
        run.other = choose::fallback(settings, &chosen);
        run.chosen = chosen;
        run.absent = None;
        Ok(())
    }

    /// Makes it short, as `session compress` does, by the model that is talked to; by rules if there is none.
    pub fn compress(
        &mut self,
        focus: Option<&str>,
        cancel: &Cancel,
    ) -> Result<CompressAnswer, Failure> {
        self.run.cancel = cancel.clone();
        let pins: Vec<_> = self.run.before_manual_compress().into_iter().collect();
        let chosen = &self.run.chosen;
        let model = chosen.alias.as_ref().unwrap_or(&chosen.model).clone();
        let has_model = self.run.absent.is_none();
        let wanted = Compress {
            session: String::new(),
            undo: false,
            focus: focus.map(str::to_owned),
            window: Some(self.run.window_tokens()),
            model: has_model.then_some(model),
        };
        let answer = self.compress_as(&wanted, &pins)?;
        if answer.is_compressed() {
            let (before, after) = (answer.tokens_before, answer.tokens_after);
            self.run.after_manual_compress(before, after);
        }
        Ok(answer)
    }

    /// Takes the last compression back.
    pub fn uncompress(&mut self) -> Result<CompressAnswer, Failure> {
        self.run.cancel = Cancel::new();
        let wanted = Compress {
            session: String::new(),
            undo: true,
            focus: None,
            window: None,
            model: None,
        };
        self.compress_as(&wanted, &[])
    }

    fn compress_as(
        &mut self,
        wanted: &Compress,
        pins: &[String],
    ) -> Result<CompressAnswer, Failure> {
        let (world, flags) = (self.run.world, self.run.flags);
        let cancel = self.run.cancel.clone();
        self.amend(|session| {
            let session = session.to_owned();
            let wanted = Compress {
                session,
                ..wanted.clone()
            };
            wanted.run_with(&world, &flags, pins, &cancel)
        })
    }

    /// Takes the last prompts back, and all that came of them.
    pub fn rewind(&mut self, prompts: usize) -> Result<RewindAnswer, Failure> {
        let (world, flags) = (self.run.world, self.run.flags);
        self.amend(|session| {
            let session = session.to_owned();
            Rewind { session, prompts }.run(&world, &flags)
        })
    }

    /// Lets somebody else change the record, and goes on from what it says then. Without a record there is nothing to
    /// change.
    fn amend<T>(&mut self, amend: impl FnOnce(&str) -> Result<T, Failure>) -> Result<T, Failure> {
        let run = &mut self.run;
        if !run.record.is_on() {
            return Err(Failure::bad_input("nothing was said yet in this session"));
        }
        let settled = run.record.rest();
        run.tell_new(settled.into_iter().collect());
        let amended = amend(&run.session_id);
        // Whatever came of it: the record has to go on.
        let resumed = resume(
            &run.world,
            &run.flags,
            run.prepared,
            &run.folder,
            &run.session_id,
        )?;
        if let Ok(resumed) = resumed {
            run.record = resumed.record;
            run.memory.forget_what_left(&resumed.history);
            run.toolbox.seen.forget();
            let window_tokens = run.chosen.window_tokens;
            let files = run.world.files;
            run.toolbox
                .resume_skills(files, &resumed.history, window_tokens);
            run.course.dialogue_mut().go_on_from(resumed.history);
        }
        amended
    }

    /// Why it will end, in the word that hooks know: `clear`, `exit`, `logout`, `prompt_input_exit` or `other`.
    pub fn leave_for(&mut self, reason: &'static str) {
        self.reason = reason;
    }

    /// It is over.
    pub(super) fn end(mut self) {
        if self.began == Began::Before {
            self.run.farewell(self.reason);
        }
    }
}

impl Run<'_, '_> {
    /// How much the model takes at once, if nobody says otherwise.
    fn window_tokens(&self) -> usize {
        let settings = &self.prepared.settings;
        context_limits::limits(settings, Some(self.chosen.window_tokens)).window_tokens
    }
}
