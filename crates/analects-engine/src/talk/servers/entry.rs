//! One entry of `mcpServers`.

use std::collections::BTreeMap;

use analects_agent::tools::of_server::is_meant;
use analects_text::sanitize::{is_invisible, one_line};
use analects_world::AbsPath;
use analects_world::servers::{Reach, Server};

use super::announce;
use super::vars::Vars;
use crate::jsonc::{Item, Value};

/// How long a server may take for an answer unless its entry says otherwise, as in the original.
const TIMEOUT_MS: u64 = 600_000;
/// The longest time that an entry can ask for.
const MAX_TIMEOUT_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;
/// Longer names are none.
const MAX_NAME_CHARS: usize = 64;
/// How many arguments, variables, headers and tool names an entry may have.
const MAX_MEMBERS: usize = 256;

/// Whose entry it is. What the user says of a server counts for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The user's own, or the administrator's.
    Own,
    /// The project's.
    Project,
    /// An extension's.
    Extension,
}

/// A server that is wanted.
pub(super) struct Entry {
    pub(super) server: Server,
    /// The only tools that are wanted, if not all are.
    include: Option<Vec<String>>,
    exclude: Vec<String>,
    /// Shown before it starts, if the entry is the project's.
    pub(super) announcement: Option<String>,
    /// Where it stands.
    pub(super) file: AbsPath,
    pub(super) line: usize,
    /// Whose it is.
    pub(super) by: By,
}

/// What an entry is read with.
pub(super) struct Reading<'a> {
    pub(super) name: &'a str,
    pub(super) item: &'a Item,
    pub(super) file: &'a AbsPath,
    pub(super) by: By,
    pub(super) vars: Vars<'a>,
    /// Where programs run.
    pub(super) cwd: &'a AbsPath,
    pub(super) roots: Vec<AbsPath>,
}

impl Entry {
    /// What it is called, on a line of ours.
    pub(super) fn shown(&self) -> String {
        one_line(&self.server.name).into_owned()
    }

    /// Whether a tool is wanted.
    pub(super) fn wants(&self, tool: &str) -> bool {
        let include = self.include.as_ref();
        let is_included =
            include.is_none_or(|names| names.iter().any(|named| is_meant(named, tool)));
        is_included && !self.exclude.iter().any(|name| name == tool)
    }
}

/// Whether an entry is Analects itself: its tools are there already.
pub(super) fn is_us(name: &str, item: &Item) -> bool {
    let command = item.get("command").and_then(Item::text);
    let Some(command) = command else {
        return name == US;
    };
    let program = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let args = item.get("args").and_then(Item::list).unwrap_or_default();
    let is_server = args.iter().any(|arg| arg.text() == Some("mcp"));
    program.starts_with(US) && is_server
}

const US: &str = "analects";

impl Reading<'_> {
    /// The entry; or why it is none. What is wrong with a part of it goes to `doubts`.
    pub(super) fn read(self, doubts: &mut Vec<String>) -> Result<Entry, String> {
        let is_strange = |c: char| c.is_control() || is_invisible(c);
        let n_chars = self.name.chars().count();
        if self.name.trim().is_empty()
            || n_chars > MAX_NAME_CHARS
            || self.name.chars().any(is_strange)
        {
            return Err(
                "the name of a server has up to 64 characters, all of them visible".to_owned(),
            );
        }
        if self.item.object().is_none() {
            return Err("an entry is an object".to_owned());
        }
        if self.has("tcp") {
            return Err("`tcp` is not supported; use `httpUrl` or `command`".to_owned());
        }
        for unheeded in ["oauth", "authProviderType"] {
            if self.has(unheeded) {
                doubts.push(format!(
                    "`{unheeded}` is not supported; a token can go into `headers`"
                ));
            }
        }
        let trusts = self.flag("trust")? == Some(true);
        if trusts && self.by != By::Own {
            doubts.push("`trust` counts only in the user's own settings".to_owned());
        }
        let reach = self.reach(doubts)?;
        // Somebody far away has no business with directories of this machine.
        let roots = match reach {
            Reach::Program { .. } => self.roots.clone(),
            Reach::Http { .. } => Vec::new(),
        };
        Ok(Entry {
            server: Server {
                name: self.name.to_owned(),
                reach,
                roots,
                timeout_ms: self.timeout_ms()?,
            },
            include: self.texts("includeTools")?,
            exclude: self.texts("excludeTools")?.unwrap_or_default(),
            announcement: announce::announcement(self.name, self.item, &self.vars),
            file: self.file.clone(),
            line: self.item.line,
            by: self.by,
        })
    }

    fn reach(&self, doubts: &mut Vec<String>) -> Result<Reach, String> {
        let kind = self.text("type")?;
        let url = match self.text("httpUrl")? {
            Some(url) => Some(url),
            None => self.text("url")?,
        };
        match (url, kind.as_deref()) {
            (Some(_), Some("sse")) => Err(
                "`type: \"sse\"` is not supported; most servers answer to `httpUrl` too".to_owned(),
            ),
            (Some(url), _) => Ok(Reach::Http {
                url,
                headers: self.map("headers")?,
            }),
            (None, _) => self.program(doubts),
        }
    }

    fn program(&self, doubts: &mut Vec<String>) -> Result<Reach, String> {
        let Some(command) = self.text("command")?.filter(|command| !command.is_empty()) else {
            return Err("it names neither `command` nor `httpUrl` nor `url`".to_owned());
        };
        let dir = self.text("cwd")?;
        let dir = dir.map_or_else(|| self.cwd.clone(), |dir| self.cwd.join(&dir));
        let mut vars = self.vars.inherited();
        for (name, value) in self.map("env")? {
            if self.by != By::Own && super::vars::steers_programs(&name) {
                doubts.push(format!(
                    "`env.{}` decides which code runs, and counts only in the user's own settings",
                    one_line(&name)
                ));
            } else if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                doubts.push(format!("`env.{}` is no variable", one_line(&name)));
            } else {
                vars.insert(name, value);
            }
        }
        let args = self.texts("args")?.unwrap_or_default();
        if command.contains('\0') || args.iter().any(|arg| arg.contains('\0')) {
            return Err("a command has no NUL in it".to_owned());
        }
        Ok(Reach::Program {
            command,
            args,
            dir,
            vars,
        })
    }

    fn timeout_ms(&self) -> Result<u64, String> {
        match self.item.get("timeout").map(|item| &item.value) {
            None => Ok(TIMEOUT_MS),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is within the bounds"
            )]
            Some(Value::Number(ms)) if *ms >= 1.0 && *ms <= MAX_TIMEOUT_MS => Ok(*ms as u64),
            Some(_) => Err("`timeout` is a number of milliseconds, a day at most".to_owned()),
        }
    }

    fn has(&self, name: &str) -> bool {
        let item = self.item.get(name);
        item.is_some_and(|item| !matches!(item.value, Value::Null | Value::Flag(false)))
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, String> {
        match self.item.get(name).map(|item| &item.value) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Flag(flag)) => Ok(Some(*flag)),
            Some(_) => Err(format!("`{name}` is `true` or `false`")),
        }
    }

    fn text(&self, name: &str) -> Result<Option<String>, String> {
        match self.item.get(name).map(|item| &item.value) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(self.vars.filled(text))),
            Some(_) => Err(format!("`{name}` is a text")),
        }
    }

    fn texts(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        let bad = || format!("`{name}` is a list of texts, {MAX_MEMBERS} at most");
        let items = match self.item.get(name).map(|item| &item.value) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::List(items)) if items.len() <= MAX_MEMBERS => items,
            Some(_) => return Err(bad()),
        };
        let texts = items.iter().map(|item| item.text());
        let texts = texts.map(|text| text.map(|text| self.vars.filled(text)));
        texts.collect::<Option<_>>().ok_or_else(bad).map(Some)
    }

    fn map(&self, name: &str) -> Result<BTreeMap<String, String>, String> {
        let bad = || format!("`{name}` has a text for each name, {MAX_MEMBERS} at most");
        let members = match self.item.get(name).map(|item| &item.value) {
            None | Some(Value::Null) => return Ok(BTreeMap::new()),
            Some(Value::Object(members)) if members.len() <= MAX_MEMBERS => members,
            Some(_) => return Err(bad()),
        };
        let member = |(name, item): &(String, Item)| {
            let text = match &item.value {
                Value::Text(text) => self.vars.filled(text),
                Value::Number(number) => number.to_string(),
                Value::Flag(flag) => flag.to_string(),
                Value::Null | Value::List(_) | Value::Object(_) => return None,
            };
            Some((name.clone(), text))
        };
        members
            .iter()
            .map(member)
            .collect::<Option<_>>()
            .ok_or_else(bad)
    }
}
