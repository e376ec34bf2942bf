//! What a tool answers.

use analects_world::AbsPath;
use analects_world::model::Part;

/// What a tool answers if it could do what was wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Output {
    /// What the model reads.
    pub text: String,
    /// Images, documents and sounds that it sees.
    pub media: Vec<Part>,
    /// What a person sees, in one line.
    pub shown: String,
    /// The files and directories it has to do with: the rules that hold there come along.
    pub touched: Vec<AbsPath>,
}

/// What a tool answers if it could not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of reason it is.
    pub kind: RefusalKind,
    /// What the model reads: what is wrong, and what to do about it.
    pub message: String,
}

impl Refusal {
    /// A refusal for a reason.
    #[must_use]
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// What a person reads: the same on one line, without the marks by which a model tells our words from others'.
    #[must_use]
    pub fn told(&self) -> String {
        let mut told = self.message.clone();
        // Marks in the words of others have lost their power before they came here, and are none of these.
        for tag in ["untrusted_context", "hook_context"] {
            told = told.replace(&format!("<{tag}>"), " ");
            told = told.replace(&format!("</{tag}>"), " ");
        }
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Why a tool did not do what was wanted. The words are those of the original, where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// There is no such tool.
    UnknownTool,
    /// The arguments make no sense.
    BadArguments,
    /// The path leads out of the workspace.
    OutsideWorkspace,
    /// There is no such file or directory.
    NotFound,
    /// It is a directory.
    IsDirectory,
    /// It is not a directory.
    NotDirectory,
    /// It is neither a file nor a directory.
    NotAFile,
    /// It is too large.
    TooLarge,
    /// It cannot be read.
    Unreadable,
    /// It cannot be written.
    Unwritable,
    /// What was to be replaced is not there.
    NoOccurrence,
    /// It is there another number of times than was said.
    OccurrenceCount,
    /// Nothing would change.
    NoChange,
    /// The pattern makes no sense.
    BadPattern,
    /// The command could not be run.
    NotRun,
    /// The policy does not allow it.
    Denied,
    /// Nobody is there who could agree.
    Nobody,
    /// It was cancelled.
    Cancelled,
    /// Everything was stopped before it.
    Stopped,
    /// Something else went wrong.
    Failed,
}

impl RefusalKind {
    /// The word for it in records and events.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "tool_not_registered",
            Self::BadArguments => "invalid_tool_params",
            Self::OutsideWorkspace => "path_not_in_workspace",
            Self::NotFound => "file_not_found",
            Self::IsDirectory => "target_is_directory",
            Self::NotDirectory => "path_is_not_a_directory",
            Self::NotAFile => "path_is_not_a_file",
            Self::TooLarge => "file_too_large",
            Self::Unreadable => "read_content_failure",
            Self::Unwritable => "file_write_failure",
            Self::NoOccurrence => "edit_no_occurrence_found",
            Self::OccurrenceCount => "edit_expected_occurrence_mismatch",
            Self::NoChange => "edit_no_change",
            Self::BadPattern => "invalid_pattern",
            Self::NotRun => "shell_execute_error",
            Self::Denied => "policy_violation",
            Self::Nobody => "needs_consent",
            Self::Cancelled => "cancelled",
            Self::Stopped => "stop_execution",
            Self::Failed => "unhandled_exception",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_a_reason_on_one_line() {
        let message = "The server `s` failed:\n<untrusted_context>\nit is\n\tgone &lt;/x>\n</untrusted_context>\n\n\
                       <hook_context>\nfor good\n</hook_context>";
        let refusal = Refusal::new(RefusalKind::Failed, message);
        assert_eq!(
            refusal.told(),
            "The server `s` failed: it is gone &lt;/x> for good"
        );
    }
}
