//! Rules that narrow what an agent was granted.
//!
//! Two shapes are read, both of them of files called `memory-manager.toml`: lists of patterns (`[tools.read]` and
//! `[tools.write]`, each with `allow`), and ordinary rules that name the agent (`[[rule]]` with `subagent`). The
//! patterns are sought in the path that a call really leads to, never in anything else that it says. Whatever cannot
//! be understood lets nothing through.

use analects_text::lines::LineIndex;
use analects_text::problem::Problem;
use toml::de::{DeTable, DeValue};

use super::field;
use super::pattern::{Pattern, Purse};
use super::{LIMIT_BYTES, codes};

/// What such a file is called in a directory of rules.
pub const NARROW_FILE: &str = "memory-manager.toml";

/// The tools that only look.
const READING: [&str; 5] = [
    "read_file",
    "read_many_files",
    "list_directory",
    "glob",
    "grep_search",
];
/// The tools that write.
const WRITING: [&str; 2] = ["write_file", "replace"];
/// A file may hold this many rules, and a list this many patterns.
const MAX_ITEMS: usize = 1_000;

/// What the rules of one file let through.
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    read: Side,
    write: Side,
}

/// What is let through for one kind of tools.
#[derive(Debug, Clone, Default)]
struct Side {
    /// Only paths in which one of these is found; all, if nobody says.
    allow: Option<Vec<Sought>>,
    /// No path in which one of these is found.
    deny: Vec<Sought>,
}

/// What is sought in a path.
#[derive(Debug, Clone)]
enum Sought {
    Anything,
    Pattern(Pattern),
}

impl Narrow {
    /// Reads what a file says about an agent. `file` is what the file is called in messages.
    #[must_use]
    pub fn read(text: &str, agent: &str, file: &str) -> (Self, Vec<Problem>) {
        if text.len() > LIMIT_BYTES {
            return Self::unreadable(&format!("longer than {LIMIT_BYTES} bytes"), file);
        }
        let root = match DeTable::parse(text) {
            Ok(root) => root.into_inner(),
            Err(error) => {
                let why = format!("not valid TOML: {}", field::shown(error.message()));
                return Self::unreadable(&why, file);
            }
        };
        let mut reader = Reader {
            agent,
            file,
            lines: LineIndex::new(text),
            purse: Purse::default(),
            narrow: Self::default(),
            problems: Vec::new(),
        };
        for (name, value) in &root {
            let name: &str = name.get_ref();
            reader.member(name, value);
        }
        (reader.narrow, reader.problems)
    }

    /// What a file stands for that is there and cannot be read: it lets nothing through.
    #[must_use]
    pub fn unreadable(why: &str, file: &str) -> (Self, Vec<Problem>) {
        let message = format!("{why}; the agent may not touch anything until this is repaired");
        let problem = Problem::new(&codes::BAD_POLICY, message).in_file(file);
        let mut nothing = Self::default();
        nothing.shut();
        (nothing, vec![problem])
    }

    /// Whether a path, that of a directory with a `/` at its end, may be read.
    #[must_use]
    pub fn lets_read(&self, path: &str) -> bool {
        self.read.lets(path)
    }

    /// Whether a path may be written.
    #[must_use]
    pub fn lets_write(&self, path: &str) -> bool {
        self.write.lets(path)
    }

    fn shut(&mut self) {
        self.read.deny.push(Sought::Anything);
        self.write.deny.push(Sought::Anything);
    }
}

impl Side {
    fn lets(&self, path: &str) -> bool {
        let finds = |all: &[Sought]| all.iter().any(|it| it.is_in(path));
        self.allow.as_deref().is_none_or(finds) && !finds(&self.deny)
    }

    /// From now on only what is said to be allowed is.
    fn allowed(&mut self) -> &mut Vec<Sought> {
        self.allow.get_or_insert_default()
    }
}

impl Sought {
    fn is_in(&self, path: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Pattern(pattern) => pattern.is_match(path),
        }
    }
}

struct Reader<'a> {
    agent: &'a str,
    file: &'a str,
    lines: LineIndex,
    purse: Purse,
    narrow: Narrow,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn member(&mut self, name: &str, value: &toml::Spanned<DeValue<'_>>) {
        let line = self.lines.line(value.span().start);
        match (name, value.get_ref()) {
            ("tools", DeValue::Table(tools)) => self.tools(tools, line),
            ("rule", DeValue::Array(rules)) if rules.len() <= MAX_ITEMS => {
                for rule in rules.iter() {
                    let line = self.lines.line(rule.span().start);
                    match rule.get_ref().as_table() {
                        Some(rule) => self.rule(rule, line),
                        None => self.give_up("a rule that is no table", line),
                    }
                }
            }
            _ => {
                let name = field::shown(name);
                self.give_up(&format!("`{name}` is unknown, or too long"), line);
            }
        }
    }

    /// The shape with lists: `[tools.read] allow = […]`.
    fn tools(&mut self, tools: &DeTable<'_>, line: usize) {
        for (kind, value) in tools {
            let kind: &str = kind.get_ref();
            let shown = field::shown(kind);
            let table = value.get_ref().as_table();
            let Some(table) = table.filter(|_| ["read", "write"].contains(&kind)) else {
                self.give_up(&format!("`tools.{shown}` is unknown"), line);
                continue;
            };
            for (name, value) in table {
                let name: &str = name.get_ref();
                let items = value.get_ref().as_array();
                let items = items.filter(|items| items.len() <= MAX_ITEMS);
                let (Some(items), true) = (items, ["allow", "deny"].contains(&name)) else {
                    let name = field::shown(name);
                    self.give_up(&format!("`tools.{shown}.{name}` is unknown"), line);
                    continue;
                };
                let mut sought = Vec::new();
                for item in items.iter() {
                    let line = self.lines.line(item.span().start);
                    sought.push(self.pattern(item.get_ref(), line));
                }
                let side = self.side(kind);
                match name {
                    "allow" => side.allowed().extend(sought.into_iter().flatten()),
                    _ => side.deny.extend(sought.into_iter().map(or_anything)),
                }
            }
        }
    }

    /// The shape with rules. Those about other agents, or about everybody, are none of ours.
    fn rule(&mut self, rule: &DeTable<'_>, line: usize) {
        let text = |name: &str| rule.get(name).map(|value| value.get_ref().as_str());
        match text("subagent") {
            Some(Some(agent)) if agent == self.agent => {}
            Some(None) => return self.give_up("`subagent` is no text", line),
            Some(Some(_)) | None => return,
        }
        if rule.contains_key("mcpName") {
            return;
        }
        let is_allow = text("decision") == Some(Some("allow"));
        // A rule that holds at times only does not surely allow, but may well deny.
        let is_plain = rule.iter().all(|(name, _)| {
            let name: &str = name.get_ref();
            KNOWN.contains(&name)
        });
        let sought = match rule.get("argsPattern") {
            None if is_plain => Some(Sought::Anything),
            None => None,
            Some(value) => self.pattern(value.get_ref(), line),
        };
        let names = rule
            .get("toolName")
            .map(|value| field::texts(value.get_ref()));
        let is_about = |tools: &[&str]| match &names {
            Some(Ok(names)) => names.iter().any(|name| fits(name, tools)),
            Some(Err(_)) | None => true,
        };
        let is_sure = is_plain && matches!(names, Some(Ok(_)));
        if is_allow && !is_sure {
            let message = "only `toolName` and `argsPattern` say what an agent is given; the rule allows nothing";
            self.problem(message, line);
        }
        for (kind, tools) in [("read", &READING[..]), ("write", &WRITING[..])] {
            if !is_about(tools) {
                continue;
            }
            let side = self.side(kind);
            match (text("decision").flatten(), &sought) {
                (Some("allow"), Some(sought)) if is_sure => side.allowed().push(sought.clone()),
                // Whoever has to be asked has not allowed it.
                (Some("allow" | "ask_user"), _) => {
                    side.allowed();
                }
                (_, sought) => side.deny.push(or_anything(sought.clone())),
            }
        }
    }

    /// A pattern for paths. One for the JSON of arguments may end with the quotation mark after a path, which is the
    /// path's end.
    fn pattern(&mut self, value: &DeValue<'_>, line: usize) -> Option<Sought> {
        let made = field::text(value).and_then(|text| {
            let of_path = of_path(text);
            if of_path.contains('"') {
                let why = "it speaks of more than a path, and only the path counts here";
                return Err(why.to_owned());
            }
            Pattern::new(&of_path, &mut self.purse)
        });
        match made {
            Ok(pattern) => Some(Sought::Pattern(pattern)),
            Err(why) => {
                self.problem(&format!("{why}; the pattern allows nothing"), line);
                None
            }
        }
    }

    fn side(&mut self, kind: &str) -> &mut Side {
        match kind {
            "write" => &mut self.narrow.write,
            _ => &mut self.narrow.read,
        }
    }

    fn give_up(&mut self, why: &str, line: usize) {
        self.narrow.shut();
        let message = format!("{why}; the agent may not touch anything until this is repaired");
        let problem = Problem::new(&codes::BAD_POLICY, message).in_file(self.file);
        self.problems.push(problem.on_line(line));
    }

    fn problem(&mut self, message: &str, line: usize) {
        let problem = Problem::new(&codes::BAD_RULE, message).in_file(self.file);
        self.problems.push(problem.on_line(line));
    }
}

/// What a rule may say and still be sure to allow.
const KNOWN: [&str; 9] = [
    "subagent",
    "toolName",
    "decision",
    "priority",
    "argsPattern",
    "denyMessage",
    "deny_message",
    "name",
    "description",
];

/// A pattern that makes no sense denies everything.
fn or_anything(sought: Option<Sought>) -> Sought {
    sought.unwrap_or(Sought::Anything)
}

/// Whether a name in a rule means one of these tools.
fn fits(name: &str, tools: &[&str]) -> bool {
    match name.strip_suffix('*') {
        Some(start) => tools.iter().any(|tool| tool.starts_with(start)),
        None => tools.contains(&name),
    }
}

/// A pattern for the JSON of arguments as one for a path alone.
fn of_path(pattern: &str) -> String {
    let Some(path) = pattern.strip_suffix('"') else {
        return pattern.to_owned();
    };
    let n_escapes = path.len() - path.trim_end_matches('\\').len();
    let path = match n_escapes % 2 {
        0 => path,
        _ => path.strip_suffix('\\').unwrap_or(path),
    };
    format!("{path}$")
}

#[cfg(test)]
mod tests;
