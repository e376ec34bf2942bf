//! Names of tools, as rules write them.

use super::Asked;
use crate::tools::of_server;

/// The tool that runs commands.
pub(super) const SHELL: &str = "run_shell_command";

/// What the tools of MCP servers are called first: `mcp_server_tool`.
const MCP: &str = of_server::PREFIX;

/// Our own tools, each with the arguments that say what it does and where. The rest is text that a model is free to
/// write, and must not let it through: the content of a file, what is looked for, why it is done.
const OWN: [(&str, &[&str]); 12] = [
    (
        "read_file",
        &["file_path", "start_line", "end_line", "offset", "limit"],
    ),
    ("read_many_files", &["include", "exclude", "recursive"]),
    ("list_directory", &["dir_path", "path", "ignore"]),
    ("glob", &["dir_path", "path", "case_sensitive"]),
    (
        "grep_search",
        &["dir_path", "path", "include", "include_pattern"],
    ),
    ("write_file", &["file_path"]),
    (
        "replace",
        &["file_path", "expected_replacements", "allow_multiple"],
    ),
    (SHELL, &["command", "dir_path", "is_background"]),
    ("save_memory", &["scope"]),
    ("ask_user", &[]),
    ("invoke_agent", &["agent_name"]),
    ("activate_skill", &["name"]),
];

/// Arguments of other tools that are text which a model is free to write.
const FREE_TEXT: [&str; 12] = [
    "ai_proposed_content",
    "content",
    "description",
    "fact",
    "instruction",
    "modified_content",
    "new_string",
    "old_string",
    "prompt",
    "query",
    "reason",
    "text",
];

/// Other names under which rules know a tool.
const ALIASES: [(&str, &str); 2] = [("search_file_content", "grep_search"), ("ShellTool", SHELL)];

/// A name in a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// Every tool.
    Any,
    /// This one.
    This(String),
    /// Those of one server: `mcp_server_*`.
    OfServer(String),
    /// Those that begin like this.
    Beginning(String),
}

impl Name {
    pub(super) fn new(text: &str) -> Self {
        let known = ALIASES.iter().find(|(alias, _)| *alias == text);
        let text = known.map_or(text, |(_, name)| name);
        let Some(start) = text.strip_suffix('*') else {
            return Self::This(text.to_owned());
        };
        let server = start
            .strip_prefix(MCP)
            .and_then(|rest| rest.strip_suffix('_'));
        match server {
            _ if start.is_empty() => Self::Any,
            Some(server) => Self::OfServer(server.to_owned()),
            None => Self::Beginning(start.to_owned()),
        }
    }

    /// Whether it is the tool that runs commands, and no other.
    pub(super) fn is_shell(&self) -> bool {
        matches!(self, Self::This(name) if name == SHELL)
    }

    /// Whether it stands for the tool of this call. A server may call its tools like ours: a rule that allows ours does
    /// not allow those.
    pub(super) fn fits(&self, asked: &Asked<'_>, server: Option<&str>, is_allow: bool) -> bool {
        let tool = asked.tool;
        match (self, asked.mcp_server) {
            (Self::Any, _) => true,
            (Self::This(name), None) => name == tool,
            (Self::This(name), Some(of)) => {
                let whole = |short: &str| of_server::name(of, short);
                let is_same = name == tool && (name.starts_with(MCP) || !is_allow);
                let is_short = server.is_some() && (whole(name) == tool || name == tool);
                is_same || is_short || *name == whole(tool)
            }
            (Self::OfServer(wanted), of) => {
                let begins = || {
                    let rest = tool
                        .strip_prefix(MCP)
                        .and_then(|rest| rest.strip_prefix(wanted.as_str()));
                    rest.is_some_and(|rest| rest.starts_with('_'))
                };
                of == Some(wanted) || (!is_allow && begins())
            }
            (Self::Beginning(start), of) => {
                let is_own = of.is_none() || start.starts_with(MCP);
                (is_own || !is_allow) && tool.starts_with(start.as_str())
            }
        }
    }
}

/// Whether an argument says what a call does or where, rather than being text that a model is free to write.
pub(super) fn is_telling(asked: &Asked<'_>, argument: &str) -> bool {
    let own = OWN
        .iter()
        .find(|(name, _)| *name == asked.tool && asked.mcp_server.is_none());
    match own {
        Some((_, telling)) => telling.contains(&argument),
        None => !FREE_TEXT.contains(&argument),
    }
}

/// One of our tools that is nearly called like this.
pub(super) fn nearly(name: &str) -> Option<&'static str> {
    // Longer than any name we know: no need to count.
    if name.len() > 40 {
        return None;
    }
    let own = OWN.iter().map(|(own, _)| *own);
    if own.clone().any(|own| own == name) {
        return None;
    }
    own.min_by_key(|own| edits(own, name))
        .filter(|own| edits(own, name) <= 3 && own.len() > 5)
}

/// How many letters must be put in, taken out or changed to make one of the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (above, b) in row.iter().skip(1).zip(&to) {
            left = (diagonal + usize::from(a != *b))
                .min(above + 1)
                .min(left + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_seen() {
        assert_eq!(nearly("run_shel_command"), Some(SHELL));
        assert_eq!(nearly("write_files"), Some("write_file"));
        assert_eq!(nearly("write_file"), None);
        assert_eq!(nearly("codebase_investigator"), None);
        assert_eq!(nearly(""), None);
        assert_eq!(edits("abc", "acb"), 2);
        assert_eq!(edits("", "ab"), 2);
    }
}
