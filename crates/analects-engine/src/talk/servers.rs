//! Servers that an agent uses: who they are, what they offer, and using it.
//!
//! `gather` says who is to be reached and who is not; here they are met, all at once, before the first request. One that
//! fails is told of once, and the talk goes on. What they offer is made safe by `analects_agent::tools::of_server`.

mod announce;
mod entry;
mod gather;
mod offers;
mod vars;
mod words;

use std::thread;

use analects_agent::tools::{Output, Refusal, RefusalKind, of_server};
use analects_memory::discover::Trust;
use analects_memory::load::Loaded;
use analects_text::problem::Problem;
use analects_text::sanitize::one_line;
use analects_world::model::Call;
use analects_world::models::Tool;
use analects_world::servers::{Connection, Reach, Servers, Trouble};
use analects_world::{AbsPath, Cancel};
use serde_json::{Map, Value, json};

use crate::load_memory::Prepared;
use crate::verbs::Flags;
use crate::{World, codes};
use entry::Entry;

/// The servers that were met, and their tools. They are left with this, all at once.
#[derive(Default)]
pub(super) struct Served {
    met: Vec<Met>,
    tools: Vec<Held>,
}

/// A server that was met.
struct Met {
    entry: Entry,
    connection: Box<dyn Connection>,
}

/// A tool of a server.
struct Held {
    /// As the model knows it.
    tool: Tool,
    /// Whose it is.
    server: usize,
    /// What the server calls it.
    name: String,
    /// What the server says about it.
    annotations: Map<String, Value>,
}

/// A tool of a server that is to be used.
pub(super) struct ToolUse {
    tool: usize,
    args: Map<String, Value>,
}

/// Meets the servers that are wanted here. Those of the project are announced first.
pub(super) fn connect(
    world: &World<'_>,
    prepared: &Prepared,
    flags: &Flags,
    servers: &dyn Servers,
    cancel: &Cancel,
    announce: &mut dyn FnMut(Problem),
) -> (Served, Vec<Problem>) {
    let (entries, mut problems) = gather::gather(world, prepared);
    let why_not = match (flags.dry_run, prepared.decision.trust) {
        (true, _) => Some("a dry run starts no servers"),
        (false, Trust::Trusted) => None,
        (false, _) => Some("servers are only used in trusted folders (`analects trust add`)"),
    };
    if let Some(why) = why_not {
        if !entries.is_empty() {
            problems.push(Problem::new(&codes::MCP_SKIPPED, why));
        }
        return (Served::default(), problems);
    }
    for message in entries.iter().filter_map(|it| it.announcement.clone()) {
        let problem = Problem::new(&codes::PROJECT_SERVER, message);
        announce(problem);
    }
    let mut met = Vec::new();
    for (entry, result) in meet(entries, servers, cancel) {
        match result {
            Ok(connection) => met.push(Met { entry, connection }),
            Err(Trouble::Cancelled) => {}
            Err(trouble) => {
                let message = format!("the server `{}` is not used: {trouble}", entry.shown());
                let message = one_line(&message).into_owned();
                let problem = Problem::new(&codes::MCP_FAILED, message);
                problems.push(problem.in_file(&entry.file).on_line(entry.line));
            }
        }
    }
    let tools = offers::tools(&met, &mut problems);
    (Served { met, tools }, problems)
}

/// A connection, or why there is none.
type Reached = Result<Box<dyn Connection>, Trouble>;

/// All at once: each may take its time to start.
fn meet(entries: Vec<Entry>, servers: &dyn Servers, cancel: &Cancel) -> Vec<(Entry, Reached)> {
    thread::scope(|scope| {
        let meeting = entries.into_iter().map(|entry| {
            scope.spawn(move || {
                let met = servers.connect(&entry.server, cancel);
                (entry, met)
            })
        });
        let meeting: Vec<_> = meeting.collect();
        let met = meeting.into_iter();
        met.filter_map(|meeting| meeting.join().ok()).collect()
    })
}

impl Served {
    /// The tools as the model is told of them.
    pub(super) fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().map(|held| &held.tool)
    }

    /// Whose tool this is, if it is one of a server.
    pub(super) fn server_of(&self, tool: &str) -> Option<&str> {
        let held = self.tools.iter().find(|held| held.tool.name == tool)?;
        let met = self.met.get(held.server)?;
        Some(&met.entry.server.name)
    }

    /// What a call wants, if it is a tool of a server.
    pub(super) fn wanted(&self, call: &Call) -> Option<Result<ToolUse, Refusal>> {
        let mut tools = self.tools.iter();
        let tool = tools.position(|held| held.tool.name == call.name)?;
        let args = match &call.args {
            Value::Object(args) => Ok(args.clone()),
            Value::Null => Ok(Map::new()),
            _ => {
                let message = format!("The arguments of `{}` are no object.", call.name);
                Err(Refusal::new(RefusalKind::BadArguments, message))
            }
        };
        Some(args.map(|args| ToolUse { tool, args }))
    }

    /// Whose tool it is, and what is said about it there.
    pub(super) fn about(&self, wanted: &ToolUse) -> Option<(&str, &Map<String, Value>)> {
        let held = self.tools.get(wanted.tool)?;
        let met = self.met.get(held.server)?;
        Some((&met.entry.server.name, &held.annotations))
    }

    /// Whose tool this is, as hooks are told: the server's name is only what somebody calls it, so they see where it is.
    pub(super) fn identity(&self, tool: &str) -> Option<Value> {
        let held = self.tools.iter().find(|held| held.tool.name == tool)?;
        let server = &self.met.get(held.server)?.entry.server;
        let mut told = json!({ "server_name": server.name, "tool_name": held.name });
        let place = match &server.reach {
            Reach::Program {
                command, args, dir, ..
            } => json!({ "command": command, "args": args, "cwd": dir.as_str() }),
            Reach::Http { url, .. } => json!({ "url": url }),
        };
        if let (Some(told), Value::Object(place)) = (told.as_object_mut(), place) {
            told.extend(place);
        }
        Some(told)
    }

    /// Does it, within this time if it has to; `hear` is told how far it is.
    pub(super) fn run(
        &self,
        wanted: &ToolUse,
        whole_ms: Option<u64>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Output, Refusal> {
        let gone = || Refusal::new(RefusalKind::Failed, "The server is gone.");
        let held = self.tools.get(wanted.tool).ok_or_else(gone)?;
        let met = self.met.get(held.server).ok_or_else(gone)?;
        let server = met.entry.server.name.as_str();
        let mut hear = |words: &str| hear(&format!("{}\n", one_line(words)));
        let answer = met
            .connection
            .call(&held.name, &wanted.args, whole_ms, cancel, &mut hear);
        match answer {
            Ok(answer) => of_server::told(server, &held.name, answer),
            Err(trouble) => Err(of_server::refused(server, &trouble)),
        }
    }

    /// What the servers say about themselves, as memory.
    pub(super) fn words(&self) -> Vec<Loaded> {
        let met = self.met.iter();
        let said = met.map(|met| (&met.entry, met.connection.offer().instructions.as_str()));
        words::memory(said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Each may take its time to end, and nothing may be left behind.
        thread::scope(|scope| {
            for met in self.met.drain(..) {
                scope.spawn(move || drop(met));
            }
        });
    }
}

/// The directories of the project, for servers that ask for them.
fn roots(prepared: &Prepared) -> Vec<AbsPath> {
    vec![prepared.root.clone()]
}

#[cfg(test)]
mod tests;
