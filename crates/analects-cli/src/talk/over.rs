//! How a run of the agent ended, for every output format.

use analects_engine::talk::{Ended, How};
use analects_engine::verbs::{Failure, FailureKind};
use serde::Serialize;

use crate::exit;

/// A run that is over.
pub(crate) struct Over {
    /// What there is of an answer; nothing, if it never began.
    pub(crate) ended: Option<Ended>,
    /// Why there is no answer.
    pub(crate) error: Option<Trouble>,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Trouble {
    /// One word for it.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// The exit code.
    pub(crate) code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hints: Vec<String>,
}

impl Over {
    /// What came of it; `signal` is the one that cancelled it, if one did.
    pub(crate) fn new(outcome: Result<Ended, Failure>, signal: Option<i32>) -> Self {
        match outcome {
            Ok(ended) => Self {
                error: trouble(&ended.how, signal),
                ended: Some(ended),
            },
            Err(failure) => Self {
                ended: None,
                error: Some(Trouble::from(&failure)),
            },
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        self.error.as_ref().map_or(exit::FINE, |error| error.code)
    }
}

fn trouble(how: &How, signal: Option<i32>) -> Option<Trouble> {
    let trouble = |kind, code, message: &str, hint: &str| Trouble {
        kind,
        message: message.to_owned(),
        code,
        hints: vec![hint.to_owned()],
    };
    Some(match how {
        How::Answered => return None,
        How::TurnLimit => trouble(
            "turn_limit",
            exit::TURN_LIMIT,
            "the model had as many turns as it may have, and was not done",
            "`--max-turns` or `model.maxSessionTurns` allow more, `--resume` goes on",
        ),
        How::Loop => trouble(
            "loop",
            exit::LOOP,
            "the model went in circles and was stopped",
            "`--resume` goes on: tell it what to do otherwise",
        ),
        How::Overflow(message) => trouble(
            "overflow",
            exit::FAILED,
            message,
            "`analects session compress` makes a session shorter, `--model` names a model that takes more",
        ),
        How::Cancelled => trouble(
            "cancelled",
            exit::cancelled(signal),
            "cancelled",
            "`--resume` goes on where it was",
        ),
        How::Stopped(message) => trouble(
            "stopped_by_hook",
            exit::FAILED,
            message,
            "`hooksConfig.disabled` in the settings switches single hooks off, by name",
        ),
        How::NoAnswer(failure) => Trouble {
            kind: "no_answer",
            ..Trouble::from(failure)
        },
    })
}

impl From<&Failure> for Trouble {
    fn from(failure: &Failure) -> Self {
        Self {
            kind: match failure.kind {
                FailureKind::Failed => "failed",
                FailureKind::BadInput => "bad_input",
                FailureKind::Untrusted => "untrusted_folder",
            },
            message: failure.message.clone(),
            code: exit::number(failure.kind),
            hints: failure.hints.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use analects_engine::talk::Stats;

    use super::*;

    #[test]
    fn every_end_has_its_word_and_its_code() {
        let ended = |how| {
            Ok(Ended {
                session: "s".to_owned(),
                response: String::new(),
                how,
                stats: Stats::default(),
                problems: Vec::new(),
            })
        };
        for (outcome, signal, expected) in [
            (ended(How::Answered), None, ("", 0)),
            // It came too late to change anything.
            (ended(How::Answered), Some(2), ("", 0)),
            (ended(How::TurnLimit), None, ("turn_limit", 53)),
            (ended(How::Loop), None, ("loop", 54)),
            (
                ended(How::Overflow("too much".to_owned())),
                None,
                ("overflow", 1),
            ),
            (ended(How::Cancelled), Some(2), ("cancelled", 130)),
            (ended(How::Cancelled), Some(15), ("cancelled", 143)),
            (ended(How::Cancelled), None, ("cancelled", 130)),
            (
                ended(How::NoAnswer(Failure::failed("busy"))),
                None,
                ("no_answer", 1),
            ),
            (Err(Failure::failed("x")), None, ("failed", 1)),
            (Err(Failure::bad_input("x")), None, ("bad_input", 42)),
            (Err(Failure::untrusted("x")), None, ("untrusted_folder", 55)),
        ] {
            let over = Over::new(outcome, signal);
            let kind = over.error.as_ref().map_or("", |error| error.kind);
            assert_eq!((kind, over.code()), expected);
        }
    }
}
