//! Why a verb gave no answer.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::SCHEMA_VERSION;

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

/// What is printed in the place of an answer, with `--json`; the exit code tells the kind.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct FailureAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// What went wrong.
    pub error: Told,
}

/// A failure in words.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    /// What went wrong, as a fragment.
    pub message: String,
    /// What could be done about it, one sentence each.
    pub hints: Vec<String>,
}

impl From<&Failure> for FailureAnswer {
    fn from(failure: &Failure) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            error: Told {
                message: failure.message.clone(),
                hints: failure.hints.clone(),
            },
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
