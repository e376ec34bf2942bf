//! What is wanted in the files of a host.

use analects_world::files::Files;
use analects_world::{AbsPath, Agent, Surroundings};

use super::{claude, codex, gemini};
use crate::json_edit::Json;
use crate::jsonc::{self, Item};

/// For which of a user's projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// For all of them, in files of the user's.
    User,
    /// For this one, in files of its own.
    Project,
}

/// The files of a host, with what we want in them.
pub(super) fn configs(host: Agent, files: &dyn Files, place: &Place<'_>) -> Vec<Config> {
    match host {
        Agent::Gemini => gemini::configs(place),
        Agent::Claude => claude::configs(files, place),
        Agent::Codex => codex::configs(files, place),
    }
}

/// What the user should know once a host is wired.
pub(super) fn notes(host: Agent, scope: Scope) -> &'static [&'static str] {
    match host {
        Agent::Gemini => gemini::NOTES,
        Agent::Claude => claude::notes(scope),
        Agent::Codex => codex::notes(scope),
    }
}

impl Scope {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// Where a host is wired, and to what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) around: &'a Surroundings,
    pub(super) scope: Scope,
    /// The project's root.
    pub(super) root: &'a AbsPath,
    /// The program to run.
    pub(super) binary: &'a AbsPath,
}

impl Place<'_> {
    /// The shell command of a hook.
    pub(super) fn hook_command(&self, host: Agent, event: &str) -> Json {
        let binary = quoted_for_shell(self.binary.as_str());
        Json::Text(format!("{binary} hook {} {event}", host.as_str()))
    }

    /// The program as a server is told to start it.
    pub(super) fn server(&self) -> [(&'static str, Json); 2] {
        let args = Json::List(vec![Json::Text("mcp".to_owned())]);
        let command = Json::Text(self.binary.to_string());
        [("command", command), ("args", args)]
    }
}

/// A file of a host's, and what we want in it. What we do not want there is taken out.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub(super) path: AbsPath,
    pub(super) format: Format,
    /// The name of the table that holds servers, if the file has one.
    pub(super) table: Option<&'static str>,
    /// The members of our server.
    pub(super) server: Option<Members>,
    pub(super) hooks: Vec<Hook>,
    /// Whether the host locks the file while it writes.
    pub(super) is_locked: bool,
    /// Says which switch of the host's turns off what we wired.
    pub(super) switched_off: fn(&Item) -> Option<&'static str>,
}

impl Config {
    /// Why the host cannot read a text that we can.
    pub(super) fn unread(&self, host: Agent, text: &str) -> Option<String> {
        let (is_read, what) = match self.format {
            Format::Commented => (jsonc::is_plain(text, true), "a comma"),
            Format::Json => (jsonc::is_plain(text, false), "a comment or a comma"),
            Format::Toml => (true, ""),
        };
        let (path, host) = (&self.path, host.name());
        // Commas and comments are looked for behind it.
        if text.starts_with('\u{feff}') && self.format != Format::Toml {
            let message = format!("{host} cannot read `{path}`: it begins with a byte order mark");
            return Some(message);
        }
        (!is_read).then(|| format!("{host} cannot read `{path}`: there is {what} too many"))
    }

    /// The same file with nothing of ours in it.
    pub(super) fn without_us(&self) -> Self {
        Self {
            server: None,
            hooks: Vec::new(),
            ..self.clone()
        }
    }
}

pub(super) type Members = Vec<(&'static str, Json)>;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON in which the host understands comments.
    Commented,
    /// JSON in which it does not.
    Json,
    Toml,
}

/// One hook.
#[derive(Debug, Clone)]
pub(super) struct Hook {
    /// The host's own name of the event.
    pub(super) event: &'static str,
    /// For which tools; for everything if none.
    pub(super) matcher: Option<&'static str>,
    pub(super) handler: Members,
}

impl Hook {
    /// The hook as an element of its event's list.
    pub(super) fn group(&self) -> Json {
        let matcher = self.matcher.map(|matcher| {
            let matcher = Json::Text(matcher.to_owned());
            ("matcher".to_owned(), matcher)
        });
        let handlers = Json::List(vec![object(&self.handler)]);
        let hooks = ("hooks".to_owned(), handlers);
        Json::Object(matcher.into_iter().chain([hooks]).collect())
    }
}

/// Members as an object.
pub(super) fn object(members: &Members) -> Json {
    let member = |(name, value): &(&str, Json)| ((*name).to_owned(), value.clone());
    Json::Object(members.iter().map(member).collect())
}

/// A path as a shell reads it back.
fn quoted_for_shell(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,=".contains(c);
    if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// Whether a switch stands as said.
pub(super) fn is_set(root: &Item, path: [&str; 2], to: bool) -> bool {
    let item = root.get(path[0]).and_then(|item| item.get(path[1]));
    item.is_some_and(|item| Json::Flag(to).is_said_by(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_the_shell() {
        assert_eq!(quoted_for_shell("/opt/bin/analects"), "/opt/bin/analects");
        assert_eq!(quoted_for_shell("/my bin/a"), "'/my bin/a'");
        assert_eq!(quoted_for_shell("/it's/$a"), r"'/it'\''s/$a'");
    }
}
