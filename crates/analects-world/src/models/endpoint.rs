//! Which server and model to ask.

use std::fmt;

/// A server that runs models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What it speaks.
    pub wire: Wire,
    /// Its address, without what the wire adds to it: `https://api.openai.com/v1`.
    pub base_url: String,
    /// What opens it, if it is locked.
    pub key: Option<Secret>,
    /// A proxy on the way to it, where one is set for us alone; those of the system are found anyway.
    pub proxy: Option<String>,
    /// How long to wait for it.
    pub patience: Patience,
}

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wire {
    /// `generateContent` and its kin.
    Gemini,
    /// Chat completions: OpenAI, Ollama, llama.cpp, vLLM, LM Studio.
    OpenAi,
    /// Messages.
    Anthropic,
}

impl Wire {
    /// All of them, with their names.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("gemini", Self::Gemini),
        ("openai", Self::OpenAi),
        ("anthropic", Self::Anthropic),
    ];

    /// Its name in settings, records and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gemini => "gemini",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

/// How long to wait for a server, phase by phase, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until there is a connection.
    pub connect_ms: u64,
    /// From the request to the first byte of the answer's body.
    pub first_ms: u64,
    /// Between two bytes of it.
    pub idle_ms: u64,
    /// For all of it.
    pub whole_ms: u64,
}

impl Patience {
    /// For a person who waits for a long answer of a model that thinks first.
    pub const TALK: Self = Self {
        connect_ms: 10_000,
        first_ms: 300_000,
        idle_ms: 120_000,
        whole_ms: 1_800_000,
    };

    /// For finding out whether anybody is there.
    pub const KNOCK: Self = Self {
        connect_ms: 300,
        first_ms: 700,
        idle_ms: 500,
        whole_ms: 1_500,
    };
}

/// A key. It is shown to nobody but the server that it opens.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key in.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key itself, for the wire and for nothing else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A model that is to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What the server calls it.
    pub name: String,
    /// How much it takes at once, where the server tells.
    pub window_tokens: Option<u64>,
}
