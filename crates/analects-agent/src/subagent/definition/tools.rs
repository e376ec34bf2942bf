//! Which tools a sub-agent has.

use crate::subagent::{COMPLETE_TASK, invoke_agent};

/// What the names of servers' tools begin with.
const MCP: &str = "mcp_";
/// Names that tools had before, as files still write them.
const OLDER: [(&str, &str); 1] = [("search_file_content", "grep_search")];

/// Which tools a sub-agent has; never other agents. `complete_task` is no part of it: everybody has that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Toolset {
    /// All that the main agent has.
    All,
    /// Those that are named: `*`, `mcp_*`, `mcp_server_*` and whole names.
    Named(Vec<String>),
}

impl Toolset {
    /// Whether a tool is among them.
    #[must_use]
    pub fn has(&self, tool: &str) -> bool {
        self.fits(tool, |wanted| {
            let rest = tool.strip_prefix(MCP);
            let rest = rest.and_then(|rest| rest.strip_prefix(wanted));
            rest.is_some_and(|rest| rest.starts_with('_'))
        })
    }

    /// Whether a tool of this server is among them. Its name alone does not always tell whose it is: `mcp_a_b_c` is `c`
    /// of `a_b` or `b_c` of `a`.
    #[must_use]
    pub fn has_of(&self, server: &str, tool: &str) -> bool {
        self.fits(tool, |wanted| wanted == server)
    }

    fn fits(&self, tool: &str, is_of_server: impl Fn(&str) -> bool) -> bool {
        if [invoke_agent::NAME, COMPLETE_TASK].contains(&tool) {
            return false;
        }
        let Self::Named(names) = self else {
            return true;
        };
        names.iter().any(|name| match name.strip_suffix('*') {
            Some("") => true,
            Some(MCP) => tool.starts_with(MCP),
            Some(start) => server(start).is_some_and(&is_of_server),
            None => known(name) == tool,
        })
    }
}

/// Whether a name in a list of tools can stand for any, as far as that can be told: `tools` are those of our own, and
/// servers have others.
pub(super) fn is_known(name: &str, tools: &[&str]) -> bool {
    match name.strip_suffix('*') {
        Some("" | MCP) => true,
        Some(start) => server(start).is_some_and(|server| !server.is_empty()),
        None => name.starts_with(MCP) || tools.contains(&known(name)),
    }
}

/// The server in `mcp_server_`.
fn server(start: &str) -> Option<&str> {
    start.strip_prefix(MCP)?.strip_suffix('_')
}

fn known(name: &str) -> &str {
    let newer = OLDER.iter().find(|(older, _)| *older == name);
    newer.map_or(name, |(_, newer)| newer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Toolset {
        Toolset::Named(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn names_and_stars_say_which_tools_there_are() {
        for (names, has, has_not) in [
            (&["*"][..], &["read_file", "mcp_a_b"][..], &[][..]),
            (&["mcp_*"], &["mcp_a_b"], &["read_file", "mcpx"]),
            (
                &["mcp_a_*"],
                &["mcp_a_b"],
                &["mcp_ab_c", "mcp_a", "read_file"],
            ),
            (&["mcp_a_b"], &["mcp_a_b"], &["mcp_a_bc"]),
            (&["read_*", "read"], &[], &["read_file"]),
            (&["search_file_content"], &["grep_search"], &["glob"]),
            (&[], &[], &["read_file"]),
        ] {
            let tools = named(names);
            for tool in has {
                assert!(tools.has(tool), "{names:?} {tool}");
            }
            for tool in has_not {
                assert!(!tools.has(tool), "{names:?} {tool}");
            }
        }
        assert!(Toolset::All.has("read_file"));
    }

    #[test]
    fn nobody_has_other_agents() {
        for tools in [Toolset::All, named(&["*"]), named(&["invoke_agent"])] {
            assert!(!tools.has("invoke_agent"), "{tools:?}");
            assert!(!tools.has_of("x", "invoke_agent"), "{tools:?}");
        }
    }

    #[test]
    fn whose_tool_it_is_decides_where_that_is_known() {
        let tools = named(&["mcp_a_*"]);
        assert!(tools.has_of("a", "mcp_a_b_c"));
        assert!(!tools.has_of("a_b", "mcp_a_b_c"));
        assert!(tools.has("mcp_a_b_c"));
        assert!(named(&["mcp_*"]).has_of("a_b", "mcp_a_b_c"));
    }

    #[test]
    fn what_no_tool_can_be_called_is_seen() {
        let tools = ["read_file", "grep_search"];
        for name in [
            "*",
            "mcp_*",
            "mcp_a_*",
            "mcp_a_b",
            "read_file",
            "search_file_content",
        ] {
            assert!(is_known(name, &tools), "{name}");
        }
        for name in ["", "Read", "read_*", "mcp__*", "mcp_a*", "**"] {
            assert!(!is_known(name, &tools), "{name}");
        }
    }
}
