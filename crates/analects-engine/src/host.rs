//! The agents that we speak to. What is wired into each stands in `setup`, what it is told in `hook`.

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
