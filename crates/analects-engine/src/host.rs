//! The agents that we speak to. What is wired into each stands in `setup`, what it is told in `hook`.

use analects_world::{AbsPath, Surroundings};

/// An agent that can be wired, and then calls our hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// Gemini CLI.
    Gemini,
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
}

impl Host {
    /// All hosts.
    pub const ALL: [Self; 3] = [Self::Gemini, Self::Claude, Self::Codex];

    /// The host that this word means.
    pub(crate) fn named(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|host| host.as_str().eq_ignore_ascii_case(word))
    }

    /// The word for it, in commands and in what we write.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gemini => "gemini",
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }

    /// Its own directory in the user's home, with its settings and its records. Gemini CLI's variable moves
    /// only its own.
    pub(crate) fn dir(self, around: &Surroundings) -> AbsPath {
        let (variable, name) = match self {
            Self::Gemini => return around.global_dir(),
            Self::Claude => ("CLAUDE_CONFIG_DIR", ".claude"),
            Self::Codex => ("CODEX_HOME", ".codex"),
        };
        let told = around.var(variable).map(|dir| around.resolve(dir));
        told.unwrap_or_else(|| users_home(around).join(name))
    }

    /// Its name, as people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gemini => "Gemini CLI",
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
        }
    }
}

/// The user's home, even where Gemini CLI's variable puts another in its place.
pub(crate) fn users_home(around: &Surroundings) -> AbsPath {
    let is_geminis = around
        .var("GEMINI_CLI_HOME")
        .is_some_and(|home| around.resolve(home) == around.home);
    match around.var("HOME") {
        Some(home) if is_geminis => around.resolve(home),
        _ => around.home.clone(),
    }
}
