//! Problems: what went wrong while work continued.
//!
//! Text from users never makes a room fail: it yields a result and a list of these.

use std::fmt;

/// How much a problem matters to the person reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is missing.
    Note,
    /// Something was left out or read differently than it was written.
    Warning,
    /// A whole file or setting could not be used.
    Error,
}

impl Severity {
    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A kind of problem: declared once by the room that finds it, listed in the reference.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name for scripts.
    pub name: &'static str,
    /// Its weight.
    pub severity: Severity,
    /// One sentence for the reference: what it means and what to do.
    pub meaning: &'static str,
}

/// One problem, with the place it was found at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem this is.
    pub code: &'static Code,
    /// The file, if one is to blame.
    pub path: Option<String>,
    /// The line in that file, counted from one.
    pub line: Option<usize>,
    /// A lowercase fragment that says what happened here.
    pub message: String,
}

impl Problem {
    /// A problem that belongs to no file.
    #[must_use]
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self {
            code,
            path: None,
            line: None,
            message: message.into(),
        }
    }

    /// The same problem, found in `path`.
    #[must_use]
    pub fn in_file(mut self, path: impl fmt::Display) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// The same problem, found on `line`.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.line) {
            (Some(path), Some(line)) => write!(f, "{path}:{line}: {}", self.message),
            (Some(path), None) => write!(f, "{path}: {}", self.message),
            (None, _) => f.write_str(&self.message),
        }
    }
}
