//! What a person can do when there is no answer.
//!
//! Hints only: what happened stands in the fault itself. Nothing that a server said is repeated here.

use analects_world::models::{Fault, Kind};

use crate::answer::Unusable;
use crate::retry::Why;

/// What to do about it, the best advice first. `provider` is what the person calls the server.
#[must_use]
pub fn advise(why: Why<'_>, provider: &str) -> Vec<String> {
    match why {
        Why::Fault(fault) => about_fault(fault, provider),
        Why::Unusable(unusable) => about_answer(unusable),
    }
}

fn about_fault(fault: &Fault, provider: &str) -> Vec<String> {
    let mut hints = match fault.kind {
        Kind::Cancelled => vec![],
        Kind::Unreachable => vec![
            format!("check that {provider} runs and that its address is right"),
            "check the network, the proxy and the clock: a wrong one spoils certificates"
                .to_owned(),
        ],
        Kind::TimedOut => vec![
            "try again, or ask for less at once".to_owned(),
            format!("if {provider} runs on this machine, a smaller model answers sooner"),
        ],
        Kind::Cut | Kind::Broken => vec!["try again in a moment".to_owned()],
        Kind::Garbled => vec![
            format!(
                "check that the address of {provider} is that of its API, not of a web page or a sign-in of the network"
            ),
            "check that the server speaks what the settings say".to_owned(),
        ],
        Kind::TooLong => vec!["ask for less at once, or set a limit for answers".to_owned()],
        Kind::Redirected => vec![format!(
            "set the address of {provider} to where it points, if you trust that place: keys do not follow by themselves"
        )],
        Kind::Key => vec![key_hint(provider)],
        Kind::NoSuchModel => vec![
            "choose another with `--model`; `analects doctor` says which one is used and why"
                .to_owned(),
        ],
        Kind::TooLarge => vec![
            "send less at once, or compress the session".to_owned(),
            "choose a model with a larger window".to_owned(),
        ],
        Kind::Quota => vec![
            format!("look at your plan and your limits at {provider}"),
            "choose another model with `--model`".to_owned(),
        ],
        Kind::Busy => vec!["wait a little, or choose another model with `--model`".to_owned()],
        Kind::Refused => {
            vec!["read what the server says: this request will not get better by itself".to_owned()]
        }
    };
    if let Some(ms) = fault.retry_after_ms {
        hints.insert(0, format!("the server asks to wait {}", spoken(ms)));
    }
    hints
}

fn about_answer(unusable: &Unusable) -> Vec<String> {
    let hint = match unusable {
        Unusable::Length => "allow a longer answer, or less thinking",
        Unusable::Blocked(_) | Unusable::Recitation => "say it in other words",
        Unusable::TooLong => "ask for less at once, or set a limit for answers",
        Unusable::BadCall(_) => "choose a model that is better with tools",
        Unusable::Unfinished | Unusable::Empty | Unusable::ThoughtOnly | Unusable::Other(_) => {
            "try again, or choose another model with `--model`"
        }
    };
    vec![hint.to_owned()]
}

fn key_hint(provider: &str) -> String {
    let variable = match provider.to_ascii_lowercase().as_str() {
        "gemini" => "GEMINI_API_KEY",
        "openai" => "OPENAI_API_KEY",
        "anthropic" => "ANTHROPIC_API_KEY",
        _ => {
            return format!(
                "check the key of {provider}: it is missing, wrong, or may not do this"
            );
        }
    };
    format!("set `{variable}` in the environment to a key that may do this")
}

/// A time as people say it.
fn spoken(ms: u64) -> String {
    let secs = ms.div_ceil(1_000);
    match secs {
        0..120 => format!("{secs} s"),
        120..7_200 => format!("{} min", secs.div_ceil(60)),
        _ => format!("{} h", secs.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use std::fmt::Write as _;

    #[test]
    fn there_is_advice_for_each_fault() {
        let kinds = Kind::ALL.into_iter();
        let kinds = kinds.filter(|kind| *kind != Kind::Cancelled);
        let mut all = String::new();
        for kind in kinds {
            let fault = Fault::new(kind, "the server said: sk-secret");
            let hints = advise(Why::Fault(&fault), "gemini");
            assert!(!hints.is_empty() && !hints.join("").contains("sk-secret"));
            writeln!(all, "{}: {}", kind.as_str(), hints.join("; ")).unwrap();
        }
        expect![[r"
            unreachable: check that gemini runs and that its address is right; check the network, the proxy and the clock: a wrong one spoils certificates
            timed_out: try again, or ask for less at once; if gemini runs on this machine, a smaller model answers sooner
            cut: try again in a moment
            garbled: check that the address of gemini is that of its API, not of a web page or a sign-in of the network; check that the server speaks what the settings say
            too_long: ask for less at once, or set a limit for answers
            redirected: set the address of gemini to where it points, if you trust that place: keys do not follow by themselves
            key: set `GEMINI_API_KEY` in the environment to a key that may do this
            no_such_model: choose another with `--model`; `analects doctor` says which one is used and why
            too_large: send less at once, or compress the session; choose a model with a larger window
            quota: look at your plan and your limits at gemini; choose another model with `--model`
            busy: wait a little, or choose another model with `--model`
            broken: try again in a moment
            refused: read what the server says: this request will not get better by itself
        "]]
        .assert_eq(&all);
        let cancelled = Fault::new(Kind::Cancelled, "");
        assert!(advise(Why::Fault(&cancelled), "gemini").is_empty());
        let key = Fault::new(Kind::Key, "");
        let hints = advise(Why::Fault(&key), "my server");
        assert!(hints[0].contains("the key of my server"));
        assert_eq!(
            advise(Why::Unusable(&Unusable::Length), ""),
            ["allow a longer answer, or less thinking"]
        );
    }

    #[test]
    fn how_long_the_server_asks_for_comes_first() {
        let first = |ms| {
            let fault = Fault {
                retry_after_ms: Some(ms),
                ..Fault::new(Kind::Busy, "")
            };
            advise(Why::Fault(&fault), "openai").remove(0)
        };
        assert_eq!(first(1_500), "the server asks to wait 2 s");
        assert_eq!(first(180_000), "the server asks to wait 3 min");
        assert_eq!(first(86_400_000), "the server asks to wait 24 h");
    }
}
