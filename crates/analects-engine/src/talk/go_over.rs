//! Runs the agent that drafts skills over past sessions, in the background and without questions; what it writes is
//! handed back to the caller.

use analects_agent::policy::Mode;
use analects_agent::subagent::{Definition, Reason, confucius};
use analects_agent::tools::Scope;
use analects_agent::turn::Want;
use analects_chat::reading::Measures;
use analects_text::problem::Problem;
use analects_world::model::stable_id;
use analects_world::{AbsPath, Agent, Cancel};
use serde_json::{Map, Value};

use super::errand::{self, Sender, Task};
use super::ground::Ground;
use super::hooks::Hooks;
use super::staged::Staged;
use super::tidy_memory::Bare;
use super::{Hands, Tell};
use crate::World;
use crate::events::Session;
use crate::load_memory::Prepared;
use crate::models::ledger::Purpose;
use crate::prompt::Audience;
use crate::verbs::{Failure, Flags};

/// What the agent is sent with.
pub(crate) struct Outing<'a> {
    pub(crate) world: World<'a>,
    pub(crate) flags: &'a Flags,
    pub(crate) prepared: &'a Prepared,
    /// Stops it, in the middle of an answer too.
    pub(crate) cancel: Cancel,
    /// The project's folder below `~/.gemini/tmp`.
    pub(crate) folder: AbsPath,
    /// What its texts are filled in with.
    pub(crate) inputs: Map<String, Value>,
    /// All that it can reach.
    pub(crate) scope: Scope,
    /// The disk as it sees it, and where its writes wait.
    pub(crate) staged: &'a Staged<'a>,
}

/// What came of it.
pub(crate) struct WentOver {
    /// How it ended.
    pub(crate) reason: Reason,
    /// How many turns it took.
    pub(crate) n_turns: usize,
    /// How many tokens it cost, as its server counts.
    pub(crate) tokens: u64,
    /// Why there was no answer, if that ended it.
    pub(crate) unanswered: Option<Failure>,
    /// What a person should know.
    pub(crate) problems: Vec<Problem>,
}

/// Sends the agent, and waits for it.
pub(crate) fn go_over(
    outing: &Outing<'_>,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<WentOver, Failure> {
    let Outing {
        world,
        flags,
        prepared,
        ..
    } = *outing;
    let now_ms = world.clock.now_ms().to_string();
    let id = stable_id(&["skill-extraction", prepared.root.as_str(), &now_ms]);
    let ground = Ground {
        world: &world,
        prepared,
        folder: &outing.folder,
        session: &id,
        include: &[],
        audience: Audience::Absent,
    };
    let hands = Hands {
        shell: &Bare,
        servers: &Bare,
    };
    let (toolbox, mut problems) = ground.toolbox(hands, Mode::Default, &[]);
    let agent: Definition = confucius::definition();
    let mut own = toolbox.for_agent(&agent);
    own.staged = Some(outing.staged);
    own.workspace.scope = Some(outing.scope.clone());
    // What a project wants nobody to look at is not in the scope, and what is in it is meant to be looked at.
    own.ignore_files.clear();
    own.heeds_git = false;
    // However little of a file the user wants to see at once, a session is told in one piece.
    own.measures = Measures::USUAL;
    let sender = Sender {
        world,
        flags: *flags,
        prepared,
        cancel: outing.cancel.clone(),
        session: Session::of(Agent::Gemini, &id),
        session_id: &id,
        folder: &outing.folder,
        model: None,
        hooks: Hooks::none(),
    };
    let task = Task {
        definition: &agent,
        inputs: outing.inputs.clone(),
        context: String::new(),
        memory: Want::No,
        id: id.clone(),
        // A copy of what was said in other sessions would outlive them.
        record: Want::No,
        purpose: Purpose::Learn,
    };
    let returned = errand::send(&sender, own, &task, tell)?;
    problems.extend(returned.problems);
    let models = returned.stats.models.values();
    Ok(WentOver {
        reason: returned.finished.reason,
        n_turns: returned.finished.n_turns,
        tokens: models.map(|model| model.tokens.total).sum(),
        unanswered: returned.unanswered,
        problems,
    })
}
