//! Asking the person before a call is made.
//!
//! A file is written only as the person saw it: if it changes while they think, they are asked again. What they agree to
//! for good holds as long as the conversation.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use analects_agent::policy::programs;
use analects_agent::tools::{Planned, Refusal, RefusalKind, write_file};
use analects_skill::catalog::{self, Skill};
use analects_text::{sanitize, truncate};
use analects_world::ask::{Answer, Deed, Draft, Proposal};
use analects_world::changes::Base;
use analects_world::files::Files;
use analects_world::model::Call;

use super::perform::{Job, Performer, cancelled, unwritten};
use super::{Ticket, Toolbox};
use crate::talk::run::Run;
use crate::talk::stats::Decision;

/// What a person agreed to for good: programs that may be run, tools that may be used.
#[derive(Debug, Default)]
pub(in crate::talk) struct Approved(Mutex<BTreeSet<String>>);

impl Approved {
    fn covers(&self, things: &[String]) -> bool {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !things.is_empty() && things.iter().all(|thing| said.contains(thing))
    }

    fn add(&self, things: Vec<String>) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend(things);
    }
}

/// Whether a person must be asked before a file is written, and what they said.
pub(super) struct Asking {
    pub(super) must_ask: bool,
    /// What the person should know before they agree.
    doubts: Vec<String>,
    said: Cell<Option<Decision>>,
}

impl Asking {
    /// `why` is the reason for asking, which may be empty; `None` if the call needs no approval.
    pub(super) fn new(why: Option<&str>) -> Self {
        let reason = why.filter(|why| !why.is_empty());
        Self {
            must_ask: why.is_some(),
            doubts: reason.map(str::to_owned).into_iter().collect(),
            said: Cell::new(None),
        }
    }

    pub(super) fn said(&self) -> Option<Decision> {
        self.said.get()
    }
}

/// A change that a person agreed to, and that is written.
pub(super) struct Agreed {
    pub(super) planned: Planned,
    pub(super) is_edited: bool,
}

/// A file that changes more often while a person thinks will not rest.
const MAX_ROUNDS: usize = 10;
/// How much of what a tool is asked is shown.
const MAX_SHOWN_BYTES: usize = 16 * 1024;

impl Performer<'_> {
    /// Shows what would be written, and writes it once the person agrees.
    pub(super) fn agreed(
        &self,
        asking: &Asking,
        file: &str,
        plan: &dyn Fn(&dyn Files) -> Result<Planned, Refusal>,
    ) -> Result<Agreed, Refusal> {
        let (files, always) = (self.world.files, self.world.always);
        let mut edited: Option<String> = None;
        for round in 0..MAX_ROUNDS {
            if self.cancel.is_cancelled() {
                return Err(cancelled());
            }
            let Toolbox {
                workspace, seen, ..
            } = self.toolbox;
            let plan = |files: &dyn Files| match &edited {
                None => plan(files),
                Some(text) => {
                    let args = write_file::Args {
                        file_path: file.to_owned(),
                        content: text.clone(),
                    };
                    write_file::plan(&args, files, workspace, seen)
                }
            };
            let planned = plan(files)?;
            let path = &planned.after.0;
            if planned.changes.files.is_empty() || always.covers(std::iter::once(path)) {
                let is_edited = edited.is_some();
                let planned = self.write(&plan, None)?;
                return planned
                    .map(|planned| Agreed { planned, is_edited })
                    .ok_or_else(|| unwritten("Nothing was written.".to_owned()));
            }
            let text = new_text(&planned);
            let title = format!("Write {}", workspace.shown(path));
            let answer = self.world.person.consent(&Proposal {
                deed: Deed::Write,
                title: &title,
                diff: &planned.diff,
                always: "this file",
                doubts: &asking.doubts,
                is_unwanted: false,
                is_anew: round > 0 && edited.is_none(),
                may_edit: text.is_some(),
            });
            match (answer, text) {
                (Answer::Yes, _) => {}
                (Answer::Always, _) => always.add([path.clone()]),
                (Answer::Edit, Some(text)) => {
                    let name = path.file_name();
                    let draft = Draft { name, text };
                    let text = self.world.person.edit(&draft);
                    edited = Some(
                        text.map_err(|why| unwritten(format!("Nothing was written: {why}.")))?,
                    );
                    // They saw what it holds now: that much is known of it.
                    if let Some(Base::Had(hash)) = planned.changes.files.first().map(|it| it.base) {
                        seen.note(path, hash);
                    }
                    asking.said.set(Some(Decision::Modify));
                    continue;
                }
                (Answer::No | Answer::Edit, _) => {
                    asking.said.set(Some(Decision::Reject));
                    return Err(declined());
                }
                (Answer::Nobody, _) => return Err(nobody()),
            }
            if asking.said().is_none() {
                asking.said.set(Some(Decision::Accept));
            }
            let is_edited = edited.is_some();
            if let Some(planned) = self.write(&plan, Some(&planned))? {
                return Ok(Agreed { planned, is_edited });
            }
        }
        Err(unwritten(
            "Nothing was written: the file keeps changing.".to_owned(),
        ))
    }
}

impl Run<'_, '_> {
    /// Asks the person about a call that they have to agree to. What writes a file is asked when its change is known.
    pub(super) fn approve(&mut self, ticket: &mut Ticket) {
        let (Ok(job), Some(why)) = (&ticket.job, &ticket.asks) else {
            return;
        };
        if job.shows_a_change() {
            return;
        }
        let about = match job {
            Job::Skill(skill) => About::skill(skill, self.world.files),
            _ => About::of(
                job,
                &ticket.call,
                self.toolbox.served.server_of(&ticket.call.name),
            ),
        };
        if self.toolbox.approved.covers(&about.things) {
            ticket.decision = Some(Decision::AutoAccept);
            return;
        }
        let doubts: Vec<_> = Some(why.clone())
            .filter(|why| !why.is_empty())
            .into_iter()
            .collect();
        let began_ms = self.world.clock.now_ms();
        let answer = self.world.person.consent(&Proposal {
            deed: about.deed,
            title: &about.title,
            diff: &about.text,
            always: &about.always,
            doubts: &doubts,
            is_unwanted: false,
            is_anew: false,
            may_edit: false,
        });
        self.course
            .waited(self.world.clock.now_ms().saturating_sub(began_ms));
        let (decision, refusal) = match answer {
            _ if self.cancel.is_cancelled() => (None, Some(cancelled())),
            Answer::Yes => (Some(Decision::Accept), None),
            Answer::Always => {
                self.toolbox.approved.add(about.things);
                (Some(Decision::Accept), None)
            }
            Answer::No | Answer::Edit => (Some(Decision::Reject), Some(declined())),
            Answer::Nobody => (None, Some(nobody())),
        };
        ticket.decision = decision;
        if let Some(refusal) = refusal {
            ticket.job = Err(refusal);
        }
    }
}

/// What a person is told of a call.
struct About {
    deed: Deed,
    title: String,
    text: String,
    /// What "always" would cover, in words and by name; nothing if nobody can say.
    always: String,
    things: Vec<String>,
}

impl About {
    /// What a skill is for, and what belongs to it: that is what a person agrees to.
    fn skill(skill: &Skill, files: &dyn Files) -> Self {
        let opened = catalog::open(files, skill, catalog::MAX_BODY_TOKENS);
        let resources = opened.map(|opened| opened.resources).unwrap_or_default();
        let text = format!("{}\n\n{resources}", skill.description);
        Self {
            deed: Deed::Use,
            title: format!("Activate the skill {}", skill.name),
            text: truncate::head_bytes(text.trim_end(), MAX_SHOWN_BYTES).to_owned(),
            always: format!("the skill `{}`", skill.name),
            things: vec![format!("skill {}", skill.name)],
        }
    }

    fn of(job: &Job, call: &Call, server: Option<&str>) -> Self {
        if let Some(command) = job.command() {
            let programs = programs(command).unwrap_or_default();
            let named: Vec<_> = programs.iter().map(|name| format!("`{name}`")).collect();
            return Self {
                deed: Deed::Run,
                title: match job.dir() {
                    None => "Run a command".to_owned(),
                    Some(dir) => format!("Run a command in {dir}"),
                },
                text: command.to_owned(),
                always: named.join(", "),
                things: programs.iter().map(|name| format!("run {name}")).collect(),
            };
        }
        let name = sanitize::one_line(&call.name);
        let title = match server {
            Some(server) => format!("Use {name} of the server {}", sanitize::one_line(server)),
            None => format!("Use {name}"),
        };
        let text = serde_json::to_string_pretty(&call.args).unwrap_or_default();
        Self {
            deed: Deed::Use,
            title,
            text: truncate::head_bytes(&text, MAX_SHOWN_BYTES).to_owned(),
            always: format!("`{name}`"),
            things: vec![format!("use {}", call.name)],
        }
    }
}

/// The text that a file would hold, if it is one.
fn new_text(planned: &Planned) -> Option<&str> {
    let change = planned.changes.files.first()?;
    std::str::from_utf8(change.text.as_deref()?).ok()
}

fn declined() -> Refusal {
    let message = "The user declined this call. Do not make it again in other words; ask what they would rather have.";
    Refusal::new(RefusalKind::Denied, message)
}

fn nobody() -> Refusal {
    let message = "Somebody would have to agree to this call, and nobody is there any more.";
    Refusal::new(RefusalKind::Nobody, message)
}
