//! Each phase has its own patience, and says which one ran out. For that of the connection see `tls`.

use super::server::{Asked, ENDLESS, chunk};
use super::*;

fn fault(base_url: &str, patience: Patience) -> Fault {
    let mut at = endpoint(base_url);
    at.patience = patience;
    let fault = ask(&at).unwrap_err();
    assert_eq!(fault.kind, Kind::TimedOut, "{fault}");
    fault
}

fn place(server: &Server) -> &str {
    server.base_url.strip_prefix("http://").unwrap()
}

#[test]
fn a_first_byte_that_never_comes_is_not_waited_for() {
    let patience = Patience {
        first_ms: 20,
        ..PATIENT
    };
    let head_alone = |asked: &mut Asked| {
        asked.say(ENDLESS);
        asked.wait_for_the_end();
    };
    for server in [
        Server::start(Asked::wait_for_the_end),
        Server::start(head_alone),
    ] {
        let fault = fault(&server.base_url, patience);
        let message = format!("{} did not begin to answer within 20 ms", place(&server));
        assert_eq!(fault.message, message);
        server.wait_for_a_goodbye();
    }
}

#[test]
fn a_server_that_falls_silent_is_left() {
    let server = Server::start(|asked| {
        asked.say(ENDLESS);
        asked.say(chunk(": I think\n\n"));
        asked.wait_for_the_end();
    });
    let patience = Patience {
        idle_ms: 20,
        ..PATIENT
    };
    let fault = fault(&server.base_url, patience);
    let message = format!(
        "{} fell silent for 20 ms in the midst of its answer",
        place(&server)
    );
    assert_eq!(fault.message, message);
    server.wait_for_a_goodbye();
}

#[test]
fn a_server_that_talks_without_end_is_left() {
    let server = Server::start(|asked| {
        asked.say(ENDLESS);
        // Until nobody listens any more.
        while asked.goes_on(chunk(": still thinking\n\n")) {}
    });
    let patience = Patience {
        whole_ms: 50,
        ..PATIENT
    };
    let fault = fault(&server.base_url, patience);
    let message = format!("{} did not end its answer within 50 ms", place(&server));
    assert_eq!(fault.message, message);
    server.wait_for_a_goodbye();
}

#[test]
fn a_refusal_that_never_ends_is_still_a_refusal() {
    let server = Server::start(|asked| {
        asked
            .say("HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: 99\r\n\r\n{");
        asked.wait_for_the_end();
    });
    let mut at = endpoint(&server.base_url);
    at.patience.idle_ms = 20;
    let fault = ask(&at).unwrap_err();
    assert_eq!(
        (fault.kind, fault.retry_after_ms),
        (Kind::Busy, Some(7_000))
    );
}
