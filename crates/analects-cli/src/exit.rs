//! What each exit code means.

use std::process::ExitCode;

use analects_engine::verbs::FailureKind;

/// Something did not work.
const FAILED: u8 = 1;
/// The command line makes no sense.
const USAGE: u8 = 2;
/// A check found something.
const FINDINGS: u8 = 3;
/// What the user gave makes no sense.
const BAD_INPUT: u8 = 42;

/// The command line could not be understood.
pub(crate) fn usage() -> ExitCode {
    ExitCode::from(USAGE)
}

/// A check found something that a script must hear of.
pub(crate) fn findings() -> ExitCode {
    ExitCode::from(FINDINGS)
}

/// The exit code of a failure.
pub(crate) fn of(kind: FailureKind) -> ExitCode {
    ExitCode::from(match kind {
        FailureKind::Failed => FAILED,
        FailureKind::BadInput => BAD_INPUT,
    })
}
