//! Why a model gave no answer.

use std::fmt;

/// Why there is no answer, for whoever may try again and for a person who can do something about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub kind: Kind,
    /// What happened, as a lowercase fragment without any key; long texts of the server are cut.
    pub message: String,
    /// How long the server asks to be left alone.
    pub retry_after_ms: Option<u64>,
}

/// What kind of fault: one for each thing that somebody could do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Somebody wanted it to stop.
    Cancelled,
    /// Nobody is there: no address, no connection, no proxy, no trust in its certificate.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// The connection was lost before the answer was over.
    Cut,
    /// What came makes no sense: no JSON, another content type, no known shape.
    Garbled,
    /// What came is longer than anybody can use.
    TooLong,
    /// It points elsewhere, and nobody follows with a key.
    Redirected,
    /// The key is missing, wrong, or may not do this.
    Key,
    /// There is no such model there.
    NoSuchModel,
    /// The request does not fit into the model's window.
    TooLarge,
    /// There is nothing left of what was paid for, or of today's share.
    Quota,
    /// Too many requests, or too much to do: later it may work.
    Busy,
    /// The server failed.
    Broken,
    /// The server does not want this request, and will not want it later.
    Refused,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Cancelled,
        Self::Unreachable,
        Self::TimedOut,
        Self::Cut,
        Self::Garbled,
        Self::TooLong,
        Self::Redirected,
        Self::Key,
        Self::NoSuchModel,
        Self::TooLarge,
        Self::Quota,
        Self::Busy,
        Self::Broken,
        Self::Refused,
    ];

    /// One word for it, as logs have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Cut => "cut",
            Self::Garbled => "garbled",
            Self::TooLong => "too_long",
            Self::Redirected => "redirected",
            Self::Key => "key",
            Self::NoSuchModel => "no_such_model",
            Self::TooLarge => "too_large",
            Self::Quota => "quota",
            Self::Busy => "busy",
            Self::Broken => "broken",
            Self::Refused => "refused",
        }
    }
}

impl Fault {
    /// A fault of a kind.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            retry_after_ms: None,
        }
    }

    /// Somebody wanted it to stop.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(Kind::Cancelled, "somebody wanted it to stop")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
