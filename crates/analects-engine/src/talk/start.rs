//! Everything that has to be known before the first request.

use analects_agent::mention;
use analects_agent::policy::Mode;
use analects_agent::tools::{Bench, Seen, Workspace, shell};
use analects_agent::turn::{Dialogue, MAX_TURNS, Options};
use analects_chat::budget::Gauge;
use analects_chat::{loops, mask};
use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_world::model::{Content, Role};
use analects_world::{AbsPath, Agent, Cancel};

use super::environment;
use super::ide::IdeContext;
use super::memory::Memory;
use super::record::Record;
use super::resume::{Resumed, resume};
use super::run::Run;
use super::stats::Stats;
use super::tools::{CommandLimits, Toolbox};
use super::{Ended, Hands, Tell, Wish};
use crate::World;
use crate::events::Session;
use crate::load_memory::{self, Prepared};
use crate::models::choose::{self, choose};
use crate::models::ledger;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{context_limits, identity, policies, trust};

/// Says something to a model and lets it work until it has answered.
pub(super) fn talk(
    world: &World<'_>,
    hands: Hands<'_>,
    flags: &Flags,
    wish: &Wish,
    cancel: &Cancel,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<Ended, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    trust::refuse_headless(&prepared.decision)?;
    let settings = &prepared.settings;
    let mode = mode(&prepared, wish)?;
    let chosen = choose(world, settings, wish.model.as_deref())?;
    let other = choose::fallback(settings, &chosen);
    let claimed = identity::claim(world, flags, &prepared.root, None, prepared.decision.trust, "talk")?;
    let folder = claimed.memory.parent().unwrap_or_else(AbsPath::root);
    let mut problems = chosen.problems.clone();
    let resumed = match wish.resume.as_deref() {
        Some(wanted) => match resume(world, flags, &prepared, &folder, wanted)? {
            Ok(resumed) => Some(resumed),
            Err(problem) => {
                problems.push(problem);
                None
            }
        },
        None => None,
    };
    let Resumed { id, history, record } = resumed.unwrap_or_else(|| Resumed {
        id: wish.new_session.clone(),
        history: Vec::new(),
        record: Record::new(&wish.new_session, folder.clone()),
    });
    let shelf_dir = folder.join("tool-outputs").join(&format!("session-{id}"));
    let plans = folder.join("plans");
    let workspace = workspace(world, &prepared, wish, &shelf_dir, &plans);
    let (policy, found) = policies::gather(world, &prepared, &plans);
    problems.extend(found);
    let toolbox = Toolbox {
        hands,
        ignore_files: ignore_files(world, &prepared),
        heeds_git: settings.flag(&keys::RESPECT_GIT_IGNORE),
        workspace,
        policy,
        mode,
        vars: shell::environment(&world.around.vars),
        seen: Seen::new(),
        plan: None,
        limits: CommandLimits {
            idle_ms: Some(COMMAND_IDLE_MS),
            whole_ms: None,
        },
    };
    Err(Failure::failed(""))
}

/// A command that says nothing for so long is stopped, as in the original.
const COMMAND_IDLE_MS: u64 = 300_000;
