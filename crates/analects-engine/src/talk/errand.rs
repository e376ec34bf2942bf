//! Runs a sub-agent on the same loop as every talk, with its own tools, record, memory and limits.

use analects_agent::activity::Activity;
use analects_agent::subagent::{
    Definition, Errand, Finished, Reason, Surroundings, TemplateError, complete_task,
};
use analects_agent::turn::{Dialogue, Want};
use analects_chat::budget::Gauge;
use analects_text::problem::Problem;
use analects_world::model::Content;
use analects_world::provenance::Author;
use analects_world::{AbsPath, Cancel};
use serde_json::{Map, Value};

use super::course::Course;
use super::ground::Ground;
use super::hooks::Hooks;
use super::ide::Telling;
use super::memory::Memory;
use super::part::{Part, Sent};
use super::record::{Record, Whose};
use super::run::{Run, weight};
use super::stats::Stats;
use super::tools::Toolbox;
use super::{How, Tell};
use crate::World;
use crate::context_limits;
use crate::events::Session;
use crate::load_memory::Prepared;
use crate::models::choose::{self, Chosen, choose};
use crate::models::ledger::{self, Purpose};
use crate::verbs::{Failure, Flags};
use crate::when;

/// What a sub-agent is sent with.
pub(super) struct Task<'d> {
    /// What it is.
    pub(super) definition: &'d Definition,
    /// What it is given.
    pub(super) inputs: Map<String, Value>,
    /// What stands before its first message.
    pub(super) context: String,
    /// Whether it is told what memory says.
    pub(super) memory: Want,
    /// The name of its record.
    pub(super) id: String,
    /// Whether there is one.
    pub(super) record: Want,
    /// What its requests are for.
    pub(super) purpose: Purpose,
}

/// From where a sub-agent is sent.
pub(super) struct Sender<'a> {
    pub(super) world: World<'a>,
    pub(super) flags: Flags,
    pub(super) prepared: &'a Prepared,
    pub(super) cancel: Cancel,
    /// The conversation that it works for.
    pub(super) session: Session,
    pub(super) session_id: &'a str,
    /// The project's folder below `~/.gemini/tmp`.
    pub(super) folder: &'a AbsPath,
    /// The model of that conversation, if there is one.
    pub(super) model: Option<&'a Chosen>,
    /// The hooks of that conversation.
    pub(super) hooks: Hooks,
}

/// A sub-agent that came back.
pub(super) struct Returned {
    /// What came of its task.
    pub(super) finished: Finished,
    /// What its model said last, in words.
    pub(super) response: String,
    /// Why its model gave no answer, if that ended it.
    pub(super) unanswered: Option<Failure>,
    /// What it took.
    pub(super) stats: Stats,
    /// What a person should know.
    pub(super) problems: Vec<Problem>,
}

/// Sends a sub-agent with these tools, and waits for it.
pub(super) fn send<'a>(
    sender: &Sender<'a>,
    toolbox: Toolbox<'a>,
    task: &Task<'_>,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<Returned, Failure> {
    let Sender {
        world,
        flags,
        prepared,
        ..
    } = *sender;
    let definition = task.definition;
    let settings = &prepared.settings;
    let chosen = model(sender, definition)?;
    let limits = context_limits::limits(settings, Some(chosen.window_tokens));
    let calibration = ledger::calibration(&world, &chosen.provider, &chosen.model);
    let ground = Ground {
        world: &world,
        prepared,
        folder: sender.folder,
        session: &task.id,
        include: &[],
        audience: toolbox.audience,
    };
    // The errand itself counts its turns; the last one is its grace.
    let options = ground.options(definition.limits.max_turns.saturating_add(2));
    let dialogue = Dialogue::new(
        options,
        limits,
        Gauge::calibrated(0, calibration),
        Vec::new(),
    );
    let now_ms = world.clock.now_ms();
    let errand = Errand::new(
        dialogue,
        definition.limits,
        definition.output.clone(),
        now_ms,
    );
    let today = when::date(world.clock.now_ms());
    let around = Surroundings {
        cli_version: env!("CARGO_PKG_VERSION"),
        active_model: &chosen.model,
        today: &today,
    };
    let unfilled = |error: TemplateError| Failure::failed(error.to_string());
    let system = definition.system(&task.inputs, &around, &[]);
    let system = system.map_err(unfilled)?;
    let query = definition.first_message(&task.inputs, &around);
    let query = format!("{}{}", task.context, query.map_err(unfilled)?);
    let mut offered = toolbox.offered();
    offered.push(complete_task::offered(&definition.output));
    let mut run = Run {
        world,
        flags,
        prepared,
        cancel: sender.cancel.clone(),
        tell,
        session: sender.session.clone(),
        wanted: Some(chosen.model.clone()),
        typed: query.clone(),
        session_id: task.id.clone(),
        folder: sender.folder.clone(),
        other: choose::fallback(settings, &chosen),
        chosen,
        absent: None,
        course: Course::Errand(Box::new(errand)),
        part: Part::Agent(Sent {
            system,
            memory: task.memory,
            temperature: definition.temperature,
            purpose: task.purpose,
        }),
        // What lies around it is nothing to an agent that may reach single files only.
        opening: match toolbox.workspace.scope {
            None => Some(ground.opening(&toolbox.workspace.roots)),
            Some(_) => None,
        },
        ide: None,
        telling: Telling::Changes,
        memory: Memory::new(flags),
        tools_tokens: offered.iter().map(weight).sum(),
        offered,
        shares: Vec::new(),
        has_saved: false,
        written_ms: 0,
        toolbox,
        hooks: sender.hooks.clone(),
        record: Record::new(
            &task.id,
            sender.folder.clone(),
            &flags,
            match task.record {
                Want::Yes => Whose::Agent {
                    parent: sender.session_id.to_owned(),
                },
                Want::No => Whose::Nobody,
            },
        ),
        stats: Stats::default(),
        activity: Activity::default(),
        problems: Vec::new(),
        system: String::new(),
        answered: None,
        cut_short: None,
        no_answer: None,
        response: String::new(),
    };
    let task_id = format!("{}-task", task.id);
    run.drive(Content::written_by(task_id, Author::Model, query))?;
    Ok(run.returned())
}

/// The model of a sub-agent: its own, if that can be had.
fn model(sender: &Sender<'_>, definition: &Definition) -> Result<Chosen, Failure> {
    let settings = &sender.prepared.settings;
    let own = definition.model.as_deref();
    let chosen = own.map(|alias| choose(&sender.world, settings, Some(alias)));
    match (chosen, sender.model) {
        (Some(Ok(chosen)), _) => Ok(chosen),
        (_, Some(chosen)) => Ok(chosen.clone()),
        (Some(Err(_)) | None, None) => choose(&sender.world, settings, None),
    }
}

impl Run<'_, '_> {
    /// What a sub-agent brings back.
    fn returned(mut self) -> Returned {
        let settled = self.record.settle();
        self.tell_new(settled.into_iter().collect());
        let finished = self.course.finished().cloned();
        Returned {
            // An errand that is over always says how.
            finished: finished.unwrap_or(Finished {
                reason: Reason::Error,
                result: None,
                n_turns: 0,
                ms: 0,
            }),
            response: self.response,
            unanswered: match self.no_answer {
                Some(How::NoAnswer(failure)) => Some(failure),
                Some(How::Overflow(message)) => Some(Failure::failed(message)),
                _ => None,
            },
            stats: self.stats,
            problems: self.problems,
        }
    }
}
