//! Cancelling takes effect at once, and nothing stays behind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;

use super::server::{Asked, ENDLESS, chunk};
use super::*;

/// Says one word and then nothing more.
fn one_word(asked: &mut Asked) {
    asked.say(ENDLESS);
    asked.say(chunk(
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n",
    ));
    asked.wait_for_the_end();
}

#[test]
fn a_server_that_never_answers_is_left_at_once() {
    let server = Server::start(Asked::wait_for_the_end);
    let models = HttpModels::default();
    let cancel = Cancel::new();
    let history = history();
    let at = endpoint(&server.base_url);
    thread::scope(|scope| {
        let asking = scope.spawn(|| models.ask(&at, &request(&history), &cancel, &mut |_| {}));
        server.next();
        cancel.cancel();
        let fault = asking.join().unwrap().unwrap_err();
        assert_eq!(fault.kind, Kind::Cancelled);
    });
    server.wait_for_a_goodbye();
}

#[test]
fn a_list_can_be_cancelled_too() {
    let server = Server::start(Asked::wait_for_the_end);
    let models = HttpModels::default();
    let cancel = Cancel::new();
    let at = endpoint(&server.base_url);
    thread::scope(|scope| {
        let asking = scope.spawn(|| models.list(&at, &cancel));
        server.next();
        cancel.cancel();
        let fault = asking.join().unwrap().unwrap_err();
        assert_eq!(fault.kind, Kind::Cancelled);
    });
    server.wait_for_a_goodbye();
}

#[test]
fn nothing_more_is_heard_after_somebody_cancelled() {
    let server = Server::start(|asked| {
        asked.say(ENDLESS);
        let word = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n";
        asked.say(chunk(&word.repeat(50)));
        asked.wait_for_the_end();
    });
    let cancel = Cancel::new();
    let history = history();
    let mut n_heard = 0;
    let mut hear = |_| {
        n_heard += 1;
        cancel.cancel();
    };
    let at = endpoint(&server.base_url);
    let models = HttpModels::default();
    let asked = models.ask(&at, &request(&history), &cancel, &mut hear);
    assert_eq!(asked.unwrap_err().kind, Kind::Cancelled);
    assert_eq!(n_heard, 1);
    server.wait_for_a_goodbye();
}

#[test]
fn who_is_cancelled_already_asks_nobody() {
    let models = HttpModels::default();
    let cancel = Cancel::new();
    cancel.cancel();
    let history = history();
    let at = endpoint("http://127.0.0.1:9");
    let asked = models.ask(&at, &request(&history), &cancel, &mut |_| {});
    assert_eq!(asked.unwrap_err().kind, Kind::Cancelled);
    assert!(models.reactor.lock().unwrap().is_none());
}

#[test]
fn who_waits_for_a_turn_can_stop_waiting() {
    let server = Server::start(one_word);
    let models = HttpModels::with_limit(1);
    let history = history();
    let at = endpoint(&server.base_url);
    let (first, second) = (Cancel::new(), Cancel::new());
    let (tell, told) = mpsc::channel();
    thread::scope(|scope| {
        let holding = scope.spawn(|| {
            let mut hear = |_| tell.send(()).unwrap();
            models.ask(&at, &request(&history), &first, &mut hear)
        });
        told.recv().unwrap();
        let waiting = scope.spawn(|| models.ask(&at, &request(&history), &second, &mut |_| {}));
        second.cancel();
        let fault = waiting.join().unwrap().unwrap_err();
        assert_eq!(fault.kind, Kind::Cancelled);
        assert_eq!(server.n_connections(), 1);
        first.cancel();
        let fault = holding.join().unwrap().unwrap_err();
        assert_eq!(fault.kind, Kind::Cancelled);
    });
    server.wait_for_a_goodbye();
}

#[test]
fn a_panic_of_whoever_hears_leaves_nothing_behind() {
    let server = Server::start(one_word);
    let models = HttpModels::default();
    let history = history();
    let at = endpoint(&server.base_url);
    let asked = catch_unwind(AssertUnwindSafe(|| {
        let mut hear = |_| std::panic::resume_unwind(Box::new(()));
        models.ask(&at, &request(&history), &Cancel::new(), &mut hear)
    }));
    assert!(asked.is_err());
    server.wait_for_a_goodbye();
}

#[test]
fn its_connections_go_with_it() {
    let server = Server::start(|asked| asked.say(sse(HELLO)));
    ask(&endpoint(&server.base_url)).unwrap();
    // The one that was kept for the next request.
    server.wait_for_a_goodbye();
}
