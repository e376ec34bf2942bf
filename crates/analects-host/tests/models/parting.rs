//! Leaving: when somebody cancels, loses patience, or is sent elsewhere.

use std::sync::Arc;
use std::thread;

use analects_testkit::ModelServer;
use analects_testkit::model_server::{HASTY, Mischief, Reply, Script, Verb};
use analects_world::Cancel;
use analects_world::models::{Endpoint, Kind, Models, Patience};

use crate::talk::{Question, WIRES, ask, ask_until, models};

#[test]
fn who_cancels_hangs_up_wherever_the_answer_is() {
    let models = models();
    let good = || Reply::say(Mischief::good());
    for wire in WIRES {
        for reply in [
            good().holding_head(),
            good().holding_after(0),
            good().holding_after(3),
        ] {
            let server = Arc::new(ModelServer::start(reply));
            let cancel = Cancel::new();
            let waits = {
                let (server, cancel) = (Arc::clone(&server), cancel.clone());
                thread::spawn(move || {
                    assert!(server.holds(0));
                    cancel.cancel();
                })
            };
            let at = server.endpoint(wire);
            let heard = ask_until(&models, &at, &Question::plain(), &cancel, |_| {});
            heard.check();
            assert_eq!(heard.end.unwrap_err().kind, Kind::Cancelled, "{wire:?}");
            assert!(server.hung_up(0), "{wire:?}");
            waits.join().unwrap();
        }
    }
}

#[test]
fn who_cancels_before_asking_asks_nobody() {
    let models = models();
    let cancel = Cancel::new();
    cancel.cancel();
    for wire in WIRES {
        let server = ModelServer::start(Script::new());
        let at = server.endpoint(wire);
        let heard = ask_until(&models, &at, &Question::plain(), &cancel, |_| {});
        assert_eq!(heard.end.unwrap_err().kind, Kind::Cancelled);
        let listed = models.list(&at, &cancel).unwrap_err();
        assert_eq!(listed.kind, Kind::Cancelled);
        assert!(server.received().is_empty());
    }
}

#[test]
fn all_of_it_has_an_end_even_if_something_always_comes() {
    let models = models();
    for wire in WIRES {
        let server = ModelServer::start(Mischief::SendsTooMuch.reply());
        let at = Endpoint {
            patience: Patience {
                whole_ms: 1,
                ..HASTY
            },
            ..server.endpoint(wire)
        };
        let fault = ask(&models, &at, &Question::plain()).end.unwrap_err();
        assert_eq!(fault.kind, Kind::TimedOut, "{wire:?} {fault:?}");
    }
}

#[test]
fn nobody_follows_to_another_host_with_or_without_a_key() {
    let models = models();
    for wire in WIRES {
        for status in [301, 302, 303, 307, 308] {
            let other = ModelServer::start(Script::new());
            let to = format!("http://{}/v1/chat/completions", other.address());
            let server = ModelServer::start_with(move |_| Reply::redirect(status, &to));
            let at = server.endpoint(wire);
            let question = Question::plain();
            let fault = ask(&models, &at, &question).end.unwrap_err();
            assert_eq!(fault.kind, Kind::Redirected, "{wire:?} {status}");
            let listed = models.list(&at, &Cancel::new()).unwrap_err();
            assert_eq!(listed.kind, Kind::Redirected);
            assert!(other.received().is_empty(), "{wire:?} {status}");
        }
    }
}

#[test]
fn counting_and_listing_fail_as_asking_does() {
    let models = models();
    let question = Question::plain();
    for wire in WIRES {
        for (mischief, kind) in [
            (Mischief::ClosesAtOnce, Kind::Cut),
            (Mischief::NoHttp, Kind::Garbled),
            (Mischief::SendsPage, Kind::Garbled),
            (Mischief::SendsHalfJson, Kind::Garbled),
            (Mischief::SendsOtherJson, Kind::Garbled),
            (Mischief::SendsGatewayPage, Kind::Broken),
            (Mischief::BusyForSecs, Kind::Busy),
            (Mischief::EchoesKey, Kind::Key),
            (Mischief::NeverAnswers, Kind::TimedOut),
        ] {
            let server = ModelServer::start_with(move |_| mischief.reply());
            let at = Endpoint {
                patience: if kind == Kind::TimedOut {
                    HASTY
                } else {
                    server.endpoint(wire).patience
                },
                ..server.endpoint(wire)
            };
            let listed = models.list(&at, &Cancel::new()).unwrap_err();
            assert_eq!(listed.kind, kind, "{wire:?} {mischief:?}");
            let counted = models.count(&at, &question.request(), &Cancel::new());
            if let Some((_, Verb::Count)) = server.received().get(1).and_then(|r| r.wants()) {
                assert_eq!(counted.unwrap_err().kind, kind, "{wire:?} {mischief:?}");
            } else {
                assert_eq!(counted, Ok(None));
            }
        }
    }
}

#[test]
fn nobody_is_there() {
    let models = models();
    for wire in WIRES {
        let at = {
            let gone = ModelServer::start(Script::new());
            gone.endpoint(wire)
        };
        let fault = ask(&models, &at, &Question::plain()).end.unwrap_err();
        assert_eq!(fault.kind, Kind::Unreachable, "{fault:?}");
    }
}
