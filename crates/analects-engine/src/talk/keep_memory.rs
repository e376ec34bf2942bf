//! The agent that keeps memory, at work: it reaches memory files and nothing else, and what it writes waits until a
//! person agreed to all of it.

mod context;

use analects_agent::subagent::memory_agent::{self, TOOLS};
use analects_agent::subagent::{Definition, Reason};
use analects_agent::tools::Workspace;
use analects_agent::turn::Want;
use analects_world::AbsPath;
use serde_json::{Map, Value};

use super::Tell;
use super::errand::{self, Returned, Sender, Task};
use super::scope::memory_scope;
use super::staged::{Pitch, Staged};
use super::tools::Toolbox;
use crate::World;
use crate::consent::Decided;
use crate::load_memory::Prepared;
use crate::models::ledger::Purpose;
use crate::remember::{By, allowed, consent_of};
use crate::secrets::Guarded;
use crate::settings::{called, keys};
use crate::verbs::Failure;

/// What the agent is asked to do.
pub(super) struct Request<'d> {
    /// The agent: ours, or one that the user put in its place.
    pub(super) agent: &'d Definition,
    /// What it is sent with.
    pub(super) inputs: Map<String, Value>,
    /// The name of its record.
    pub(super) id: String,
}

/// What came of it.
pub(super) struct Kept {
    /// What the agent brought back.
    pub(super) returned: Returned,
    /// The change, and whether it was made; nothing if the agent wrote nothing, or did not complete its task.
    pub(super) decided: Option<Decided>,
}

impl Kept {
    /// What an agent brought back that writes for itself.
    pub(super) fn nothing(returned: Returned) -> Self {
        let decided = None;
        Self { returned, decided }
    }
}

/// Sends the agent that keeps memory, and proposes what it wrote.
pub(super) fn keep_memory<'a>(
    sender: &Sender<'a>,
    toolbox: &Toolbox<'a>,
    request: &Request<'_>,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<Kept, Failure> {
    let prepared = sender.prepared;
    let consent = consent_of(prepared, By::Model)?;
    let allowed = allowed(prepared, &[]);
    let staged = Staged::new(sender.world.files, sender.world.search, allowed.clone());
    let (returned, workspace) = draft(sender, toolbox, request, &staged, tell)?;
    // What stops an agent stops everything, and nobody is asked any more.
    let is_stopped = sender.hooks.stopped().is_some();
    if returned.finished.reason != Reason::Goal || staged.is_empty() || is_stopped {
        return Ok(Kept::nothing(returned));
    }
    let pitch = Pitch {
        who: memory_agent::NAME,
        why: "memory kept in order on request",
        title: "Change memory as the agent that keeps it proposes",
        prepared,
        workspace: &workspace,
        consent,
        guarded: &Guarded { allowed: &allowed },
    };
    let decided = staged.propose(&sender.world, &sender.flags, &pitch)?;
    Ok(Kept {
        returned,
        decided: Some(decided),
    })
}

/// Sends the agent, whose writes wait in `staged`; and where it could reach.
pub(super) fn draft<'a>(
    sender: &Sender<'a>,
    toolbox: &Toolbox<'a>,
    request: &Request<'_>,
    staged: &Staged<'_>,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<(Returned, Workspace), Failure> {
    let (world, prepared) = (sender.world, sender.prepared);
    let (scope, problems) = memory_scope(&world, prepared, &toolbox.workspace.roots);
    let mut own = toolbox.for_agent(request.agent);
    own.staged = Some(staged);
    own.workspace.scope = Some(scope);
    // Whoever takes its place gets no more tools than it has.
    own.roster.retain(|name| TOOLS.contains(&name.as_str()));
    let workspace = own.workspace.clone();
    let task = Task {
        definition: request.agent,
        inputs: inputs(&world, prepared, &request.inputs),
        context: context::initial(&world, prepared),
        memory: Want::No,
        id: request.id.clone(),
        record: Want::Yes,
        purpose: Purpose::Subagent,
    };
    let mut returned = errand::send(sender, own, &task, tell)?;
    returned.problems.extend(problems);
    Ok((returned, workspace))
}

/// What it is sent with, and the names that its prompt fills in.
fn inputs(
    world: &World<'_>,
    prepared: &Prepared,
    given: &Map<String, Value>,
) -> Map<String, Value> {
    let names = prepared.settings.list(&keys::FILE_NAME);
    let name = names.first().map_or("GEMINI.md", String::as_str);
    let mut inputs = given.clone();
    let own = called::own(&prepared.settings);
    let own = own.first().map_or("GEMINI.md", String::as_str);
    let global = world.around.global_dir().join(own);
    let project = project_file(world, &prepared.root, name);
    for (key, text) in [
        ("global_file", global.as_str()),
        ("project_file", project.as_str()),
        ("file_name", name),
    ] {
        inputs.insert(key.to_owned(), text.into());
    }
    inputs
}

/// The file of facts about the whole project: the first one that is there, or else where it would be.
fn project_file(world: &World<'_>, root: &AbsPath, name: &str) -> AbsPath {
    let plain = root.join(name);
    let hidden = root.join(".gemini").join(name);
    let is_there = |path: &AbsPath| world.files.real(path).is_ok();
    match !is_there(&plain) && is_there(&hidden) {
        true => hidden,
        false => plain,
    }
}
