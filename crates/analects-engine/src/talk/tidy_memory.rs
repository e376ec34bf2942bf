//! All of memory, gone over by the agent that keeps it; a person chooses from what it proposes.

use analects_agent::policy::Mode;
use analects_agent::subagent::{Reason, memory_agent};
use analects_text::problem::Problem;
use analects_world::model::stable_id;
use analects_world::servers::{Connection, Server, Servers, Trouble};
use analects_world::shell::{Command, Ended, Fed, Shell};
use analects_world::{AbsPath, Agent, Cancel};
use serde_json::Map;

use super::errand::Sender;
use super::ground::Ground;
use super::hooks::Hooks;
use super::keep_memory::{Request, draft};
use super::staged::Staged;
use super::{Hands, Tell, agents};
use crate::events::Session;
use crate::load_memory::Prepared;
use crate::models::choose::choose;
use crate::prompt::Audience;
use crate::remember::{By, allowed, consent_of};
use crate::tidy::{self, Proposer, Tidied};
use crate::verbs::{Failure, Flags};
use crate::{World, codes, identity};

/// What it is asked.
const REQUEST: &str = include_str!("../../prompts/tidy-memory.md");

/// Has the agent that keeps memory put all of it in order, and lets the person choose from what it proposes. Why nothing
/// came of that, if nothing did: then there are still the rules.
pub fn tidy_memory(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
) -> Result<Result<Tidied, Problem>, Failure> {
    consent_of(prepared, By::Model)?;
    let without = |why: String| {
        let message = format!("{why}; memory is tidied by rules alone");
        Problem::new(&codes::BY_RULES, message)
    };
    if let Err(failure) = choose(world, &prepared.settings, Some("flash")) {
        return Ok(Err(without(failure.message)));
    }
    let trust = prepared.decision.trust;
    let claimed = identity::claim(world, flags, &prepared.root, None, trust, "memory tidy")?;
    let folder = claimed.memory.parent().unwrap_or_else(AbsPath::root);
    let now_ms = world.clock.now_ms().to_string();
    let id = stable_id(&["memory tidy", prepared.root.as_str(), &now_ms]);
    let ground = Ground {
        world,
        prepared,
        folder: &folder,
        session: &id,
        include: &[],
        audience: Audience::Present,
    };
    let hands = Hands {
        shell: &Bare,
        servers: &Bare,
    };
    let (mut toolbox, mut problems) = ground.toolbox(hands, Mode::Default, &[]);
    let (agents, _) = agents::gather(world, prepared);
    let own = agents.into_iter().find(|it| it.name == memory_agent::NAME);
    let agent = own.unwrap_or_else(memory_agent::definition);
    toolbox.agents.clear();
    let staged = Staged::new(world.files, world.search, allowed(prepared, &[]));
    let mut inputs = Map::new();
    let input = agent.main_input().unwrap_or("request");
    inputs.insert(input.to_owned(), REQUEST.trim_end().into());
    let sender = Sender {
        world: *world,
        flags: *flags,
        prepared,
        cancel: Cancel::new(),
        session: Session::of(Agent::Gemini, &id),
        session_id: &id,
        folder: &folder,
        model: None,
        hooks: Hooks::none(),
    };
    let request = Request {
        agent: &agent,
        inputs,
        id: format!("{id}-keeper"),
    };
    let (mut n_calls, n_most) = (0, agent.limits.max_turns);
    let mut tell = |told: Tell<'_>| {
        if matches!(told, Tell::Began { .. } | Tell::Uses { .. }) {
            n_calls += 1;
            let what = "the agent that keeps memory works, step";
            world.progress.tell(what, n_calls.min(n_most), n_most);
        }
    };
    let (returned, _) = draft(&sender, &toolbox, &request, &staged, &mut tell)?;
    problems.extend(returned.problems);
    if returned.finished.reason != Reason::Goal {
        let reason = returned.finished.reason.as_str();
        let why = format!("the agent that keeps memory did not finish ({reason})");
        return Ok(Err(without(why)));
    }
    let proposer = Proposer {
        by: By::Model,
        who: memory_agent::NAME,
        title: "Tidy memory as the agent that keeps it proposes",
    };
    let rewrites = staged.rewrites(world, prepared);
    let mut tidied = tidy::offer_texts(world, flags, &rewrites, proposer)?;
    tidied.problems.extend(problems);
    Ok(Ok(tidied))
}

/// No shell and no servers: nobody here has any use for them.
pub(super) struct Bare;

impl Shell for Bare {
    fn run(&self, _: &Command<'_>, _: &Cancel, _: &mut dyn FnMut(&[u8])) -> Result<Ended, String> {
        Err("there is no shell here".to_owned())
    }

    fn feed(&self, _: &Command<'_>, _: &[u8], _: usize, _: &Cancel) -> Result<Fed, String> {
        Err("there is no shell here".to_owned())
    }
}

impl Servers for Bare {
    fn connect(&self, _: &Server, _: &Cancel) -> Result<Box<dyn Connection>, Trouble> {
        Err(Trouble::Unreachable("there are no servers here".to_owned()))
    }
}

#[cfg(test)]
mod tests;
