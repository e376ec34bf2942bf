//! The agents that we know: they keep records, load memory, and can be wired to call us.

/// A coding agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Gemini CLI, and we ourselves: our records have its format.
    Gemini,
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
}

impl Agent {
    /// All agents.
    pub const ALL: [Self; 3] = [Self::Gemini, Self::Claude, Self::Codex];

    /// The agent that this word means.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|agent| agent.as_str().eq_ignore_ascii_case(word))
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
