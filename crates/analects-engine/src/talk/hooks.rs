//! The user's hooks in a talk: gathered once, run at each event, their answers carried out.
//!
//! What hooks there are and what their answers mean is the business of `analects_agent::hook`. Here they are gathered, told
//! and started, and what they decide takes effect: at the beginning and the end ([`session`]), around a model ([`model`]),
//! around a compression ([`compress`]); around tools it is done where tools are run.

mod compress;
mod gather;
mod model;
mod run;
mod seen;
mod session;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use analects_agent::hook::{
    Base, Disabled, Event, ExitCodes, Hook, Occasion, Output, Places, Selected, Source, codes,
    input, merge, select,
};
use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_text::{sanitize, truncate};
use analects_world::{Cancel, Shell};

use super::Tell;
use super::run::Run;
use crate::settings::keys;
use crate::trust::{Given, Rules};
use crate::when;

pub(super) use gather::gather;
pub(super) use model::{Before, Outgoing};
use run::{Limits, Runner};
pub(super) use session::Began;

/// How much of what a hook wants the user to read is shown.
const MAX_SHOWN_BYTES: usize = 4_000;

/// The hooks of a session, and what they decided for all of it.
#[derive(Clone)]
pub(super) struct Hooks {
    shared: Arc<Shared>,
    /// The tools that the model was offered last, if hooks had a say in it.
    pub(super) offered: Option<Vec<String>>,
}

struct Shared {
    /// The session of whoever talks to a person: an agent that is sent has no other.
    session: String,
    hooks: Vec<Hook>,
    disabled: Disabled,
    codes: ExitCodes,
    /// The environment of all hooks but the project's.
    vars: BTreeMap<String, String>,
    /// The environment of the project's hooks.
    project_vars: BTreeMap<String, String>,
    /// Why everything stops, once a hook wants that.
    stopped: Mutex<Option<String>>,
}

impl Hooks {
    /// None at all: for work that no hook has a say in.
    pub(super) fn none() -> Self {
        Self {
            shared: Arc::new(Shared {
                session: String::new(),
                hooks: Vec::new(),
                disabled: Disabled::default(),
                codes: ExitCodes::Documented,
                vars: BTreeMap::new(),
                project_vars: BTreeMap::new(),
                stopped: Mutex::default(),
            }),
            offered: None,
        }
    }

    /// The same for an agent that is sent: what stops it stops everything.
    pub(super) fn for_agent(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            offered: None,
        }
    }

    /// Whether any hook is there for an event.
    pub(super) fn has(&self, event: Event) -> bool {
        self.shared.hooks.iter().any(|hook| hook.event == event)
    }

    /// A hook wants everything to stop. The first reason counts.
    pub(super) fn stop(&self, why: String) {
        let mut stopped = self
            .shared
            .stopped
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        stopped.get_or_insert(why);
    }

    /// Forgets that everything was to stop: somebody says something new.
    pub(super) fn go_on(&self) {
        let mut stopped = self
            .shared
            .stopped
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *stopped = None;
    }

    /// Why everything stops, if it does.
    pub(super) fn stopped(&self) -> Option<String> {
        let stopped = self
            .shared
            .stopped
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        stopped.clone()
    }
}

impl Run<'_, '_> {
    /// Runs the hooks that there are for an occasion, tells what they say, and answers what they want together.
    pub(super) fn fire(&mut self, occasion: &Occasion<'_>) -> Option<Output> {
        let cancel = self.cancel.clone();
        self.fire_until(occasion, &cancel, Limits::OWN)
    }

    fn fire_until(
        &mut self,
        occasion: &Occasion<'_>,
        cancel: &Cancel,
        mut limits: Limits,
    ) -> Option<Output> {
        let event = occasion.event();
        if !self.hooks.has(event) {
            return None;
        }
        let shared = Arc::clone(&self.hooks.shared);
        let hooks = self.still_trusted(&shared, event);
        let selected = select(&hooks, event, occasion.subject(), &shared.disabled);
        if selected.hooks.is_empty() {
            return None;
        }
        limits.most_ms = self.left_ms().into_iter().chain(limits.most_ms).min();
        let told = self.told(occasion);
        let (answers, problems) = self.run_hooks(&selected, told, &shared, limits, cancel);
        self.tell_new(problems);
        let output = merge(event, &answers);
        self.show(output.shown());
        Some(output)
    }

    fn run_hooks(
        &self,
        selected: &Selected<'_>,
        told: serde_json::Map<String, serde_json::Value>,
        shared: &Shared,
        limits: Limits,
        cancel: &Cancel,
    ) -> (Vec<Output>, Vec<Problem>) {
        let shell: &dyn Shell = self.toolbox.hands.shell;
        let cwd = &self.world.around.cwd;
        let runner = Runner {
            shell,
            dir: cwd,
            vars: &shared.vars,
            project_vars: &shared.project_vars,
            places: Places {
                project_dir: cwd.as_str(),
                plans_dir: self.toolbox.plans.as_str(),
                cwd: cwd.as_str(),
                session_id: &shared.session,
            },
            codes: shared.codes,
            limits,
            cancel,
        };
        runner.run(selected, told)
    }

    fn told(&self, occasion: &Occasion<'_>) -> serde_json::Map<String, serde_json::Value> {
        let transcript = self.record.path().map_or("", |path| path.as_str());
        let base = Base {
            session_id: &self.hooks.shared.session,
            transcript_path: transcript,
            cwd: self.world.around.cwd.as_str(),
            timestamp: &when::utc(self.world.clock.now_ms()),
        };
        input(&base, occasion)
    }

    /// The hooks of an event that may still run: those of a project only as long as it is trusted.
    fn still_trusted(&mut self, shared: &Shared, event: Event) -> Vec<Hook> {
        let wanted = shared.hooks.iter().filter(|hook| hook.event == event);
        let mut hooks: Vec<_> = wanted.cloned().collect();
        if hooks.iter().any(|hook| hook.source == Source::Project) && !self.is_trusted_now() {
            hooks.retain(|hook| hook.source != Source::Project);
            let message =
                "the hooks of this project do not run any more: its folder is no longer trusted";
            self.tell_new(vec![Problem::new(&codes::HOOKS_OFF, message)]);
        }
        hooks
    }

    fn is_trusted_now(&self) -> bool {
        let given = Given {
            flag: self.flags.trust,
            feature_on: self.prepared.settings.flag(&keys::FOLDER_TRUST),
        };
        let world = &self.world;
        let decision = Rules::read(world).decide(world, &world.around.cwd, given);
        decision.trust == Trust::Trusted
    }

    /// Shows what hooks want the user to read, each time they do.
    fn show(&mut self, message: Option<&str>) {
        let Some(message) = message else { return };
        let problem = Problem::new(&codes::HOOK_SAYS, shown(message));
        (self.tell)(Tell::Notice(&problem));
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// What a hook says, as a terminal may show it.
fn shown(text: &str) -> String {
    let text = truncate::head_bytes(text.trim(), MAX_SHOWN_BYTES).trim_end();
    sanitize::for_terminal(text).into_owned()
}

#[cfg(test)]
mod tests;
