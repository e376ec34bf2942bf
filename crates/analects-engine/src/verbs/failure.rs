//! Why a verb gave no answer.

use std::fmt;

/// Why a verb gave no answer, and what the user could do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure; decides the exit code.
    pub kind: FailureKind,
    /// A lowercase fragment that says what went wrong.
    pub message: String,
    /// Advice, one sentence each.
    pub hints: Vec<String>,
}

/// The kinds of failure a client can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// Something did not work.
    Failed,
    /// What the user gave makes no sense.
    BadInput,
    /// Somebody has said that this folder is not to be trusted.
    Untrusted,
}

impl Failure {
    /// Something did not work.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            kind: FailureKind::Failed,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// What the user gave makes no sense.
    #[must_use]
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self {
            kind: FailureKind::BadInput,
            ..Self::failed(message)
        }
    }

    /// Somebody has said that this folder is not to be trusted.
    #[must_use]
    pub fn untrusted(message: impl Into<String>) -> Self {
        Self {
            kind: FailureKind::Untrusted,
            ..Self::failed(message)
        }
    }

    /// The same failure with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
