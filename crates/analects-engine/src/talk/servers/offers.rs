//! The tools of all servers that were met, each under a name of its own.

use std::collections::BTreeSet;

use analects_agent::tools::of_server;
use analects_text::problem::Problem;

use super::{Held, Met};
use crate::codes;

/// How many tools of servers are offered at once: some models take 128, and ours are among them.
const MAX_TOOLS: usize = 96;

/// The tools that are wanted. Of two that would have the same name, the first stays: servers come in the order of who
/// named them, the user's own before all others.
pub(super) fn tools(met: &[Met], problems: &mut Vec<Problem>) -> Vec<Held> {
    let mut names = BTreeSet::new();
    let mut tools = Vec::new();
    for (server, met) in met.iter().enumerate() {
        let (entry, offer) = (&met.entry, met.connection.offer());
        let (mut n_alike, mut n_over) = (0, 0);
        for offered in offer.tools.iter().filter(|tool| entry.wants(&tool.name)) {
            let tool = of_server::offered(&entry.server.name, offered);
            if tools.len() >= MAX_TOOLS {
                n_over += 1;
            } else if !names.insert(tool.name.clone()) {
                n_alike += 1;
            } else {
                tools.push(Held {
                    tool,
                    server,
                    name: offered.name.clone(),
                    annotations: offered.annotations.clone(),
                });
            }
        }
        let mut cut = |why: String| {
            let message = format!("the server `{}` {why}", entry.shown());
            let problem = Problem::new(&codes::MCP_CUT, message);
            problems.push(problem.in_file(&entry.file).on_line(entry.line));
        };
        if offer.is_cut {
            cut("offers more than is taken in, or what makes no sense".to_owned());
        }
        if n_alike > 0 {
            cut(format!(
                "has {n_alike} tools with names that are taken, which are left out"
            ));
        }
        if n_over > 0 {
            cut(format!(
                "has {n_over} tools for which there is no room: {MAX_TOOLS} are offered at once"
            ));
        }
    }
    tools
}
