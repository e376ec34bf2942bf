//! Hooks at the beginning and the end: of a session, and of what a model does for one prompt.

use analects_agent::hook::{Occasion, codes, told};
use analects_agent::turn::End;
use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::model::{Content, Part, stable_id};
use analects_world::provenance::Author;

use super::run::Limits;
use super::shown;
use crate::talk::run::Run;
use crate::verbs::Failure;

/// How often a hook may send the model on after it has answered.
const MAX_AGAIN: usize = 10;
/// Whoever cancelled does not wait longer than this for the last hooks.
const LAST_MS: u64 = 5_000;

/// Whether a session begins with a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::talk) enum Began {
    /// It does.
    Now,
    /// It began with an earlier one.
    Before,
}

impl Run<'_, '_> {
    /// Runs the hooks for the end of a session that has begun, whatever happened in it.
    pub(in crate::talk) fn farewell(&mut self, reason: &str) {
        // Nobody can cancel these: who has cancelled gets them, but soon.
        let limits = Limits {
            most_ms: self.cancel.is_cancelled().then_some(LAST_MS),
        };
        self.fire_until(&Occasion::SessionEnd(reason), &Cancel::new(), limits);
    }

    /// From a prompt to the last word, with hooks around it; those of a session's start before the first one.
    pub(in crate::talk) fn attended(
        &mut self,
        mut prompt: Content,
        began: Began,
    ) -> Result<End, Failure> {
        if began == Began::Now {
            self.session_start(&mut prompt);
        }
        if !self.before_agent(&mut prompt) {
            return Ok(End::Cancelled);
        }
        let asked = self.typed.clone();
        let mut end = self.drive(prompt)?;
        for n_again in 0.. {
            let Some(next) = self.after_agent(&asked, &end, n_again) else {
                break;
            };
            end = self.drive(next)?;
        }
        Ok(end)
    }

    fn session_start(&mut self, prompt: &mut Content) {
        // Only a session that goes on has a record before anything is said.
        let source = match self.record.path() {
            Some(_) => "resume",
            None => "startup",
        };
        let output = self.fire(&Occasion::SessionStart(source));
        if let Some(context) = output.as_ref().and_then(|output| output.context()) {
            let context = Part::written_by(Author::Hook, told::context(context));
            prompt.parts.insert(0, context);
        }
    }

    /// Whether the model is asked at all.
    fn before_agent(&mut self, prompt: &mut Content) -> bool {
        let typed = self.typed.clone();
        let Some(output) = self.fire(&Occasion::BeforeAgent(&typed)) else {
            return true;
        };
        if let Some(why) = output.stops() {
            // What was said stays said.
            let problem = self.record.asked(&self.world, self.prepared, prompt);
            self.tell_new(problem.into_iter().collect());
            self.hooks
                .stop(format!("a hook stopped the agent: {}", shown(why)));
            return false;
        }
        if let Some(why) = output.blocks() {
            self.hooks
                .stop(format!("a hook blocked the prompt: {}", shown(why)));
            return false;
        }
        if let Some(context) = output.context() {
            let context = Part::written_by(Author::Hook, told::context(context));
            prompt.parts.push(context);
        }
        true
    }

    /// What the model is sent on with, if hooks want that.
    fn after_agent(&mut self, asked: &str, end: &End, n_again: usize) -> Option<Content> {
        if !matches!(end, End::Answered) {
            return None;
        }
        let response = self.response.clone();
        let output = self.fire(&Occasion::AfterAgent {
            prompt: asked,
            response: &response,
            is_again: n_again > 0,
        })?;
        if let Some(why) = output.stops() {
            // There is an answer, and nothing to be stopped.
            self.show(Some(why));
            return None;
        }
        let why = told::said(output.blocks()?);
        if n_again >= MAX_AGAIN {
            let message = format!(
                "hooks sent the model on {MAX_AGAIN} times after its answer; that is enough"
            );
            self.tell_new(vec![Problem::new(&codes::HOOK_FAILED, message)]);
            return None;
        }
        let now = self.world.clock.now_ms().to_string();
        let id = stable_id(&[&self.session_id, "hook", &n_again.to_string(), &now]);
        self.typed.clone_from(&why);
        Some(Content::written_by(id, Author::Hook, why))
    }
}
