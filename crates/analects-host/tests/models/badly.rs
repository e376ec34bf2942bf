//! Every way to misbehave on every wire: what comes of it.

use std::sync::Arc;

use analects_host::HttpModels;
use analects_testkit::ModelServer;
use analects_testkit::model_server::{HASTY, KEY, Mischief, Reply};
use analects_world::models::{Endpoint, Finish, Kind, Usage, Wire};

use crate::talk::{Heard, Question, WIRES, ask, models};

/// What is heard if all of it is heard.
const WORDS: &str = "Hello, grüße";

/// What comes of it.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// A fault of this kind.
    Fault(Kind),
    /// An answer with these words.
    Words(&'static str, Finish),
}

fn expected(wire: Wire, mischief: Mischief) -> Outcome {
    use Outcome::{Fault, Words};
    let all = || Words(WORDS, Finish::Done);
    match mischief {
        Mischief::NeverAnswers | Mischief::FallsSilent => Fault(Kind::TimedOut),
        Mischief::ClosesAtOnce
        | Mischief::CutWithinEvent
        | Mischief::CutBetweenEvents
        | Mischief::EndsEarly
        | Mischief::SaysNothing => Fault(Kind::Cut),
        Mischief::NoHttp
        | Mischief::SendsPage
        | Mischief::SendsHalfJson
        | Mischief::SendsOtherJson
        | Mischief::SaysWrongType
        | Mischief::SendsBytes => Fault(Kind::Garbled),
        Mischief::TroubleInStream
        | Mischief::BusyForSecs
        | Mischief::BusyUntilDate
        | Mischief::BusySaysBody
        | Mischief::IsOverloaded => Fault(Kind::Busy),
        Mischief::Fails | Mischief::SendsGatewayPage => Fault(Kind::Broken),
        Mischief::IsUsedUp => Fault(Kind::Quota),
        Mischief::EchoesKey | Mischief::EchoesKeyInStream => Fault(Kind::Key),
        Mischief::SendsLongLine | Mischief::SendsTooMuch => Fault(Kind::TooLong),
        Mischief::PointsElsewhere => Fault(Kind::Redirected),
        Mischief::CallsBadly => Words("", Finish::BadCall(String::new())),
        Mischief::CallsStranger | Mischief::OnlyFinishes | Mischief::OnlyThinks => {
            Words("", Finish::Done)
        }
        Mischief::CountsNegative
        | Mischief::CountsFractions
        | Mischief::CountsWords
        | Mischief::CountsHuge
        | Mischief::EarlyEndMark
        | Mischief::NoEndMark => all(),
        // Where the end is marked, an answer is over even if nobody says why; here nothing marks it.
        Mischief::NoFinish if wire == Wire::Gemini => Fault(Kind::Cut),
        Mischief::NoFinish => Words("Hello", Finish::Done),
    }
}

/// The outcome, without the words in which a finish is explained.
fn outcome(heard: &Heard) -> (Option<Kind>, String, Option<Finish>) {
    let finish = heard.finishes().first().map(|finish| match finish {
        Finish::BadCall(_) => Finish::BadCall(String::new()),
        finish => (*finish).clone(),
    });
    match &heard.end {
        Ok(()) => (None, heard.words(), finish),
        Err(fault) => (Some(fault.kind), String::new(), None),
    }
}

/// The server misbehaves once, then it answers well: nothing of the first may stick to the second.
fn check(models: &Arc<HttpModels>, wire: Wire, mischief: Mischief) -> Heard {
    let good = Reply::say(Mischief::good());
    let server = ModelServer::start([mischief.reply(), good]);
    let calm = server.endpoint(wire);
    let at = match mischief {
        Mischief::NeverAnswers | Mischief::FallsSilent => Endpoint {
            patience: HASTY,
            ..calm.clone()
        },
        _ => calm.clone(),
    };
    let question = Question::plain();
    let heard = ask(models, &at, &question);
    let (kind, words, finish) = match expected(wire, mischief) {
        Outcome::Fault(kind) => (Some(kind), String::new(), None),
        Outcome::Words(words, finish) => (None, words.to_owned(), Some(finish)),
    };
    let name = format!("{} {mischief:?}", wire.name());
    assert_eq!(outcome(&heard), (kind, words, finish), "{name}: {heard:?}");
    let told = format!("{heard:?}");
    assert!(!told.contains(KEY), "{name}: {told}");
    if matches!(
        mischief,
        Mischief::SendsLongLine
            | Mischief::SendsTooMuch
            | Mischief::NeverAnswers
            | Mischief::FallsSilent
    ) {
        assert!(server.hung_up(0), "{name}: who has enough hangs up");
    }
    let again = ask(models, &calm, &question);
    assert_eq!(again.words(), WORDS, "{name}: {:?}", again.end);
    assert!(again.end.is_ok());
    for received in server.received() {
        assert_eq!(received.refused, None, "{name}");
    }
    assert_eq!(server.received().len(), 2, "{name}: one attempt each");
    heard
}

#[test]
fn every_mischief_has_its_outcome_on_gemini() {
    let models = models();
    for mischief in Mischief::ALL {
        check(&models, Wire::Gemini, mischief);
    }
}

#[test]
fn every_mischief_has_its_outcome_on_openai() {
    let models = models();
    for mischief in Mischief::ALL {
        check(&models, Wire::OpenAi, mischief);
    }
}

#[test]
fn every_mischief_has_its_outcome_on_anthropic() {
    let models = models();
    for mischief in Mischief::ALL {
        check(&models, Wire::Anthropic, mischief);
    }
}

#[test]
fn how_long_to_wait_is_heard_wherever_it_is_said() {
    let models = models();
    let wait = |wire, mischief| {
        let heard = check(&models, wire, mischief);
        heard.end.unwrap_err().retry_after_ms
    };
    for wire in WIRES {
        assert_eq!(wait(wire, Mischief::BusyForSecs), Some(7_000));
        assert_eq!(wait(wire, Mischief::BusyUntilDate), Some(0));
        assert_eq!(wait(wire, Mischief::IsOverloaded), None);
    }
    assert_eq!(wait(Wire::Gemini, Mischief::BusySaysBody), Some(9_000));
}

#[test]
fn counts_that_cannot_be_true_are_not_told() {
    let models = models();
    for wire in WIRES {
        for mischief in [
            Mischief::CountsNegative,
            Mischief::CountsFractions,
            Mischief::CountsWords,
            Mischief::CountsHuge,
        ] {
            let usage = check(&models, wire, mischief).usage().unwrap_or_default();
            assert_eq!(usage, Usage::default(), "{wire:?} {mischief:?}");
        }
    }
}

#[test]
fn a_call_that_nobody_can_read_is_no_call_and_a_stranger_is_one() {
    let models = models();
    for wire in WIRES {
        let bad = check(&models, wire, Mischief::CallsBadly);
        assert!(bad.calls().is_empty(), "{bad:?}");
        let strange = check(&models, wire, Mischief::CallsStranger);
        let [call] = strange.calls()[..] else {
            panic!("{strange:?}");
        };
        assert_eq!(call.name, "no_such_tool");
    }
}

#[test]
fn a_cut_at_any_byte_is_never_half_an_answer() {
    let models = models();
    let question = Question::plain();
    for wire in WIRES {
        let mut n_cut = 0;
        // Every byte would take long; these fall in the frame of an event, in its words, and behind the finish.
        for bytes in (1..2500).step_by(41) {
            let reply = Reply::say(Mischief::good()).cut_after_bytes(bytes);
            let server = ModelServer::start(reply);
            let heard = ask(&models, &server.endpoint(wire), &question);
            match &heard.end {
                Ok(()) => assert_eq!(heard.words(), WORDS, "{wire:?} {bytes}"),
                Err(fault) => assert_eq!(fault.kind, Kind::Cut, "{wire:?} {bytes} {fault}"),
            }
            n_cut += usize::from(heard.end.is_err());
        }
        // Gemini marks no end: there the end of the body is one.
        assert!((10..=61).contains(&n_cut), "{wire:?} {n_cut}");
    }
}
