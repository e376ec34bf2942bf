//! What each exit code means.

use std::process::ExitCode;

use analects_engine::verbs::FailureKind;

/// All is well.
pub(crate) const FINE: u8 = 0;
/// Something did not work.
pub(crate) const FAILED: u8 = 1;
/// The command line makes no sense.
const USAGE: u8 = 2;
/// A check found something.
const FINDINGS: u8 = 3;
/// What the user gave makes no sense.
const BAD_INPUT: u8 = 42;
/// An agent had as many turns as it may have.
pub(crate) const TURN_LIMIT: u8 = 53;
/// An agent went in circles.
pub(crate) const LOOP: u8 = 54;
/// Somebody has said that this folder is not to be trusted.
const UNTRUSTED: u8 = 55;
/// Shells add the number of a signal to this.
const SIGNALLED: u8 = 128;
/// The signal that Ctrl-C sends.
const INTERRUPT: u8 = 2;

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
    ExitCode::from(number(kind))
}

/// The same as a number, for those who write it down.
pub(crate) fn number(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::Failed => FAILED,
        FailureKind::BadInput => BAD_INPUT,
        FailureKind::Untrusted => UNTRUSTED,
    }
}

/// Somebody wanted it to stop: by this signal, else as Ctrl-C would have done.
pub(crate) fn cancelled(signal: Option<i32>) -> u8 {
    let signal = signal.and_then(|signal| u8::try_from(signal).ok());
    SIGNALLED.saturating_add(signal.unwrap_or(INTERRUPT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_that_scripts_know() {
        assert_eq!(number(FailureKind::Failed), 1);
        assert_eq!(number(FailureKind::BadInput), 42);
        assert_eq!(number(FailureKind::Untrusted), 55);
        assert_eq!(
            [Some(2), Some(15), None, Some(-1)].map(cancelled),
            [130, 143, 130, 130]
        );
    }
}
