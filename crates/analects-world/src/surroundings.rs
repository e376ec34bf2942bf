//! Where and for whom a command runs, read once at its start.

use std::collections::BTreeMap;

use crate::AbsPath;

/// Which sessions a command may find, list and show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SessionScope {
    /// Those of all projects.
    #[default]
    All,
    /// Those that were held in this directory or below it.
    Project(AbsPath),
    /// None.
    Nothing,
}

impl SessionScope {
    /// True if a session is in scope that was held in `project`, or in no known directory.
    #[must_use]
    pub fn includes(&self, project: Option<&AbsPath>) -> bool {
        match self {
            Self::All => true,
            Self::Project(root) => project.is_some_and(|project| project.is_within(root)),
            Self::Nothing => false,
        }
    }
}

/// The place a command was started in. A plain value: nothing here changes while a command runs.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The working directory.
    pub cwd: AbsPath,
    /// The directory that holds `.gemini`: the user's home unless told otherwise.
    pub home: AbsPath,
    /// Environment variables; those that are not UTF-8 are left out.
    pub vars: BTreeMap<String, String>,
    /// The program that runs, where others can start it too; unknown where the system does not tell.
    pub binary: Option<AbsPath>,
    /// Which sessions may be seen; an MCP client sees fewer than the user.
    pub sessions: SessionScope,
}

impl Surroundings {
    /// An environment variable, if it is set to something.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// `~/.gemini`, the home of everything global.
    #[must_use]
    pub fn global_dir(&self) -> AbsPath {
        self.home.join(".gemini")
    }

    /// `~/.gemini/analects`, where our own bookkeeping lies.
    #[must_use]
    pub fn state_dir(&self) -> AbsPath {
        self.global_dir().join("analects")
    }

    /// What a person means by `text`: `~` is home, everything else is seen from the working directory.
    #[must_use]
    pub fn resolve(&self, text: &str) -> AbsPath {
        match text.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(rest) if rest.starts_with('/') => self.home.join(rest.trim_start_matches('/')),
            _ => self.cwd.join(text),
        }
    }
}
