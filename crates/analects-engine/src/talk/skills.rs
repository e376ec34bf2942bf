//! Skills in a talk: looked for anew with every request, and those that were activated kept in view.
//!
//! Nothing is watched, as with memory: a skill that was installed, accepted, enabled or disabled meanwhile is in the next
//! request, or no longer. What an activated skill says stands in the history; once a compression has taken it out of
//! there, it stands in the system text instead.

use std::sync::Arc;

use analects_agent::tools::{Output, Refusal, RefusalKind, activate_skill};
use analects_skill::catalog::{self, Skill, Tier};
use analects_text::tokens;
use analects_world::model::Content;
use analects_world::{AbsPath, Files};

use super::part::Part as Who;
use super::run::{Run, weight};
use super::tools::Toolbox;
use crate::events::What;
use crate::load_memory;
use crate::prompt::SkillLine;
use crate::skills::{self, Skills};
use crate::verbs::Failure;

/// What all activated skills together may cost in a system text.
const MAX_TOLD_TOKENS: usize = 40_000;
/// The share of the window that one skill may have.
const WINDOW_SHARE: usize = 8;
/// A model that takes less than this is not told of skills that nobody here put there: every request pays for them.
const ROOMY_TOKENS: usize = 16_000;

/// The skills that a model may activate, and those that are.
#[derive(Debug, Clone, Default)]
pub(super) struct Repertoire {
    skills: Arc<[Skill]>,
    lines: Arc<[SkillLine]>,
    active: Vec<Active>,
    /// What is told anew, because the history does not say it any more.
    told: Vec<String>,
    /// What one skill may cost.
    limit_tokens: usize,
    /// Whether there is no room for what is bundled.
    is_narrow: bool,
}

/// A skill that was activated.
#[derive(Debug, Clone)]
struct Active {
    name: String,
    told: String,
}

impl Repertoire {
    /// What was found.
    pub(super) fn new(found: &Skills) -> Self {
        let mut new = Self {
            limit_tokens: catalog::MAX_BODY_TOKENS,
            ..Self::default()
        };
        new.offer(found.offered());
        new
    }

    /// The same for a sub-agent, which has activated nothing yet.
    pub(super) fn for_agent(&self) -> Self {
        Self {
            active: Vec::new(),
            told: Vec::new(),
            ..self.clone()
        }
    }

    /// Offers these; whether they are others than before.
    fn offer(&mut self, mut skills: Vec<Skill>) -> bool {
        if self.is_narrow {
            skills.retain(|skill| skill.tier != Tier::Bundled);
        }
        if *self.skills == *skills {
            return false;
        }
        self.lines = skills::lines(&skills).into();
        self.skills = skills.into();
        true
    }

    /// What they are called.
    pub(super) fn names(&self) -> Vec<&str> {
        self.skills.iter().map(|skill| &*skill.name).collect()
    }

    /// How the prompt tells of them.
    pub(super) fn lines(&self) -> &[SkillLine] {
        &self.lines
    }

    /// What is told anew.
    pub(super) fn told(&self) -> &[String] {
        &self.told
    }

    /// The one that a call means.
    pub(super) fn wanted(&self, args: &serde_json::Value) -> Result<Skill, Refusal> {
        let name = activate_skill::read(args, &self.names())?;
        self.named(name).cloned().ok_or_else(|| {
            let message = format!("There is no skill `{name}`.");
            Refusal::new(RefusalKind::BadArguments, message)
        })
    }

    fn named(&self, name: &str) -> Option<&Skill> {
        self.skills.iter().find(|skill| skill.name == name)
    }

    /// Opens a skill: what the model reads of it.
    pub(super) fn open(&self, files: &dyn Files, skill: &Skill) -> Result<Output, Refusal> {
        let opened = catalog::open(files, skill, self.limit_tokens).map_err(|why| {
            let message = format!("The skill `{}` cannot be read: {why}.", skill.name);
            Refusal::new(RefusalKind::Unreadable, message)
        })?;
        Ok(Output {
            text: opened.told(),
            shown: format!("activated {}", skill.name),
            ..Output::default()
        })
    }

    /// It was activated.
    fn activate(&mut self, skill: &Skill, told: String) {
        let name = skill.name.clone();
        self.active.retain(|active| active.name != name);
        self.active.push(Active { name, told });
    }

    /// Goes on with the skills that were activated in a history, as far as they are still there; their directories.
    fn resume(&mut self, files: &dyn Files, history: &[Content]) -> Vec<AbsPath> {
        let mut dirs = Vec::new();
        self.active.clear();
        for name in skills::active_in(history) {
            let Some(skill) = self.named(&name).cloned() else {
                continue;
            };
            if let Ok(output) = self.open(files, &skill) {
                self.activate(&skill, output.text);
                dirs.extend(skill.dir().cloned());
            }
        }
        dirs
    }

    /// Sees to it that everything that was activated is said: in the history, or in the system text. What was disabled
    /// since is not; what is too much is left out, the oldest first.
    fn tell_what_left(&mut self, history: &[Content]) {
        let mut left = MAX_TOLD_TOKENS.min(self.limit_tokens.saturating_mul(2));
        let mut told: Vec<_> = self
            .active
            .iter()
            .rev()
            .filter(|active| self.named(&active.name).is_some())
            .filter(|active| !skills::stands_in(history, &active.name))
            .filter_map(|active| {
                left = left.checked_sub(tokens::estimate(&active.told))?;
                Some(active.told.clone())
            })
            .collect();
        told.reverse();
        self.told = told;
    }

    /// What must survive a compression.
    pub(super) fn pin(&self) -> Option<String> {
        skills::pin(self.active.iter().map(|active| &*active.name))
    }
}

impl Toolbox<'_> {
    /// Goes on with the skills of a history, for a model that takes this many tokens.
    pub(super) fn resume_skills(
        &mut self,
        files: &dyn Files,
        history: &[Content],
        window_tokens: usize,
    ) {
        let share = window_tokens / WINDOW_SHARE;
        self.skills.limit_tokens = share.min(catalog::MAX_BODY_TOKENS);
        self.skills.is_narrow = window_tokens < ROOMY_TOKENS;
        let skills = self.skills.skills.to_vec();
        if self.skills.offer(skills) {
            self.list_skills();
        }
        for dir in self.skills.resume(files, history) {
            self.may_read(Some(&dir));
        }
    }
}

impl Run<'_, '_> {
    /// Looks which skills there are now, and what must be told of those that were activated.
    pub(super) fn look_at_skills(&mut self) -> Result<(), Failure> {
        if matches!(self.part, Who::Main) {
            let prepared = load_memory::prepare(&self.world, &self.flags)?;
            let found = skills::find(&self.world, &prepared);
            let is_other = self.toolbox.skills.offer(found.offered());
            self.tell_new(found.problems);
            if is_other {
                self.toolbox.list_skills();
                self.offered = self.toolbox.offered();
                self.tools_tokens = self.offered.iter().map(weight).sum();
            }
        }
        let history = self.course.dialogue().history();
        self.toolbox.skills.tell_what_left(history);
        Ok(())
    }

    /// Activates a skill because a person wants it: nobody else is asked. What it was, or which there are.
    pub(super) fn activate(&mut self, name: &str) -> Result<Skill, Refusal> {
        // It may have been installed a moment ago.
        let looked = self.look_at_skills();
        looked.map_err(|failure| Refusal::new(RefusalKind::Failed, failure.message))?;
        let args = serde_json::json!({ "name": name });
        let skill = self.toolbox.skills.wanted(&args)?;
        let output = self.toolbox.skills.open(self.world.files, &skill)?;
        self.has_activated(&skill, output.text);
        Ok(skill)
    }

    /// A skill was activated: its files can be read from now on, and it is counted.
    pub(super) fn has_activated(&mut self, skill: &Skill, told: String) {
        self.toolbox.skills.activate(skill, told);
        self.toolbox.may_read(skill.dir());
        let problem = self.count(What::skill(&skill.name));
        self.tell_new(problem.into_iter().collect());
    }
}
