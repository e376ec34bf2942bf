//! What is wired, and whether it answers.

use analects_memory::discover::Trust;
use analects_world::{AbsPath, Agent};

use super::change;
use super::draft::Draft;
use super::file;
use super::ours;
use super::wanted::{self, Config, Hook, Place, Scope};
use crate::World;
use crate::json_edit::Json;
use crate::jsonc::Item;
use crate::load_memory;
use crate::verbs::{Failure, Flags};
use crate::write;

/// How a host stands in one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The host.
    pub host: Agent,
    /// The scope.
    pub scope: Scope,
    /// Whether it has our server.
    pub mcp: State,
    /// Whether it has our hooks, by event.
    pub hooks: Vec<(&'static str, State)>,
    /// Whether the program it starts is one of ours; unknown if there is none, or none to be trusted.
    pub answers: Option<bool>,
    /// What is wrong.
    pub problem: Option<String>,
}

/// How an entry of ours stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// As this program would write it.
    Wired,
    /// There, but otherwise than this program would write it.
    Stale,
    /// Not there.
    Absent,
}

/// Looks at every host in every scope. Writes nothing.
pub fn status(world: &World<'_>, flags: &Flags) -> Result<Vec<Seen>, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let is_trusted = prepared.decision.trust == Trust::Trusted;
    let mut seen = Vec::new();
    for host in Agent::ALL {
        for scope in [Scope::User, Scope::Project] {
            // At home the project's files would be the user's.
            if scope == Scope::Project && prepared.root == world.around.home {
                continue;
            }
            let place = Place {
                around: world.around,
                scope,
                root: &prepared.root,
                binary: change::binary(world)?,
            };
            // A project that may not speak could name any program.
            let may_run = scope == Scope::User || is_trusted;
            seen.push(look(world, host, &place, may_run));
        }
    }
    Ok(seen)
}

/// Whether a host has anything of ours in one scope.
pub(super) fn is_wired(world: &World<'_>, host: Agent, place: &Place<'_>) -> bool {
    let seen = look(world, host, place, false);
    seen.mcp != State::Absent || seen.hooks.iter().any(|(_, s)| *s != State::Absent)
}

fn look(world: &World<'_>, host: Agent, place: &Place<'_>, may_run: bool) -> Seen {
    let configs = wanted::configs(host, world.files, place);
    let mut problems = Vec::new();
    let roots: Vec<_> = configs
        .iter()
        .filter_map(|config| {
            let (root, problem) = read(world, host, config);
            problems.extend(problem);
            Some((config, root?))
        })
        .collect();
    let server = roots.iter().find_map(|(config, root)| {
        let known = ours::server(root, config)?;
        Some((known, server_state(known, config)))
    });
    let hooks = configs.iter().flat_map(|config| &config.hooks);
    let hooks: Vec<_> = hooks
        .map(|hook| (hook.event, hook_state(host, hook, &roots)))
        .collect();
    let mcp = server.map_or(State::Absent, |(_, state)| state);
    let is_wired = mcp != State::Absent || hooks.iter().any(|(_, s)| *s != State::Absent);
    if is_wired {
        let off = roots.iter().filter_map(|(c, root)| (c.switched_off)(root));
        problems.extend(off.map(str::to_owned));
    }
    let command = server.and_then(|(known, _)| known.get("command")?.text());
    let answers = command.filter(|_| may_run).map(|command| {
        let asked = ask(world, command, place);
        let is_answer = asked.is_ok();
        problems.extend(asked.unwrap_or_else(Some));
        is_answer
    });
    Seen {
        host,
        scope: place.scope,
        mcp,
        hooks,
        answers,
        problem: (!problems.is_empty()).then(|| problems.join("; ")),
    }
}

/// What a file says, and why that may not count.
fn read(world: &World<'_>, host: Agent, config: &Config) -> (Option<Item>, Option<String>) {
    let text = match write::text_of(world.files, &config.path) {
        Ok(Some(text)) => text,
        Ok(None) => return (None, None),
        Err(failure) => return (None, Some(failure.message)),
    };
    match Draft::new(config.format, &text).and_then(|draft| draft.root()) {
        Ok(root) => (Some(root), config.unread(host, &text)),
        Err(bad) => {
            let place = file::located(&config.path, &bad);
            (None, Some(format!("cannot read {place}")))
        }
    }
}

fn server_state(known: &Item, config: &Config) -> State {
    let members = config.server.as_deref().unwrap_or_default();
    if !members.is_empty() && says(known, members) {
        State::Wired
    } else {
        State::Stale
    }
}

fn hook_state(host: Agent, hook: &Hook, roots: &[(&Config, Item)]) -> State {
    let mut state = State::Absent;
    for (config, root) in roots {
        for spot in ours::spots(root, host) {
            if spot.event != hook.event {
                continue;
            }
            let is_wanted_here = config.hooks.iter().any(|known| known.event == hook.event);
            let found = ours::hook_at(root, &spot).filter(|_| is_wanted_here);
            let is_right = found.is_some_and(|(group, handler)| {
                let matcher = group.get("matcher").and_then(Item::text);
                let wanted = ours::wanted_of(handler, hook, host);
                says(handler, &wanted) && (matcher == hook.matcher || !spot.is_alone)
            });
            if is_right {
                return State::Wired;
            }
            state = State::Stale;
        }
    }
    state
}

fn says(known: &Item, members: &[(&'static str, Json)]) -> bool {
    members.iter().all(|(name, value)| {
        let known = known.get(name);
        known.is_some_and(|known| value.is_said_by(known))
    })
}

/// Asks the program that a host would start for its version. An answer may still be worth a remark.
fn ask(world: &World<'_>, command: &str, place: &Place<'_>) -> Result<Option<String>, String> {
    let dir: &AbsPath = match place.scope {
        Scope::User => &world.around.home,
        Scope::Project => place.root,
    };
    let said = world.programs.ask(command, &["--version"], dir);
    let said = said.map_err(|why| format!("`{command}` does not answer: {why}"))?;
    let version = said.trim().strip_prefix("analects ");
    let version = version.ok_or_else(|| format!("`{command}` is another program"))?;
    let ours = env!("CARGO_PKG_VERSION");
    Ok((version != ours).then(|| format!("`{command}` is version {version}, this is {ours}")))
}
