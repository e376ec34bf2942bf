//! Servers that answer with something else than an answer.

use std::net::TcpListener;

use super::server::{ENDLESS, chunk, whole};
use super::*;

/// The fault of a server that says this and hangs up.
fn fault(says: impl Into<Vec<u8>>) -> Fault {
    let says = says.into();
    let server = Server::start(move |asked| {
        asked.say(&says);
        asked.hang_up();
    });
    let fault = ask(&endpoint(&server.base_url)).unwrap_err();
    assert!(!fault.message.contains(KEY), "{fault}");
    let message = fault
        .message
        .replace(server.base_url.strip_prefix("http://").unwrap(), "HOST");
    Fault { message, ..fault }
}

fn check(says: impl Into<Vec<u8>>, kind: Kind, message: &str) {
    let fault = fault(says);
    assert_eq!((fault.kind, &*fault.message), (kind, message));
}

#[test]
fn nobody_home_is_said() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap();
    drop(listener);
    let fault = ask(&endpoint(&format!("http://{place}/?key=secret"))).unwrap_err();
    assert_eq!(fault.kind, Kind::Unreachable);
    assert_eq!(fault.message, format!("nobody listens at {place}"));
}

#[test]
fn a_redirect_is_not_followed_and_the_key_stays_here() {
    let other = Server::start(|asked| asked.say(sse(HELLO)));
    let elsewhere = other.base_url.replace("127.0.0.1", "localhost");
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        let to = format!("{elsewhere}/steal?key={KEY}");
        let says = format!("HTTP/1.1 {status}\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n");
        check(
            says,
            Kind::Redirected,
            "HOST points to localhost, where no key is carried",
        );
    }
    check(
        "HTTP/1.1 301 Moved\r\nlocation: /v2/\r\ncontent-length: 0\r\n\r\n",
        Kind::Redirected,
        "HOST points to another address of its own: is this one right?",
    );
    check(
        "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n",
        Kind::Redirected,
        "HOST points elsewhere without saying where",
    );
    assert_eq!(other.try_next(), None);
    assert_eq!(other.n_connections(), 0);
}

#[test]
fn a_stream_that_breaks_off_is_cut() {
    let word = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n";
    let broke_off = "HOST broke off before its answer was over";
    check(format!("{ENDLESS}{}", chunk(word)), Kind::Cut, broke_off);
    check(
        format!("{ENDLESS}{}5\r\nda", chunk(word)),
        Kind::Cut,
        broke_off,
    );
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    check(
        format!("{head}content-length: 999\r\n\r\n{word}"),
        Kind::Cut,
        broke_off,
    );
    // Nothing tells how long it is: only the missing finish does.
    let no_finish = "the answer stops without saying why";
    check(format!("{head}\r\n{word}"), Kind::Cut, no_finish);
    let half = "the answer ends in the middle of an event";
    check(format!("{head}\r\n{word}data: {{\"cand"), Kind::Cut, half);
    check("", Kind::Cut, "HOST broke off before it answered");
}

#[test]
fn what_is_no_answer_is_garbled() {
    let page = "HOST answers with a web page: is its address right?";
    check(
        whole("200 OK", "text/html; charset=utf-8", "<p>"),
        Kind::Garbled,
        page,
    );
    check(
        whole("200 OK", "text/plain", "\n<!DOCTYPE HTML>"),
        Kind::Garbled,
        page,
    );
    check(
        whole("200 OK", "text/plain", "hi"),
        Kind::Garbled,
        "HOST answers with the content type text/plain: is its address right?",
    );
    check(
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi",
        Kind::Garbled,
        "HOST answers with something of no content type: is its address right?",
    );
    check(
        "SSH-2.0-OpenSSH_9.6\r\n",
        Kind::Garbled,
        "HOST does not speak HTTP",
    );
    let packed = "content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 2";
    let fault = fault(format!("HTTP/1.1 200 OK\r\n{packed}\r\n\r\n{{}}"));
    assert_eq!(fault.kind, Kind::Garbled);
    let kind = |says: String| self::fault(says).kind;
    assert_eq!(kind(json("200 OK", "{\"candidates\":")), Kind::Garbled);
    assert_eq!(kind(sse("data: <html>\n\n")), Kind::Garbled);
    assert_eq!(kind(sse("what?\n\n")), Kind::Garbled);
    let mut bytes = json("200 OK", "{\"a\":\"?\"}").into_bytes();
    let at = bytes.iter().rposition(|byte| *byte == b'?').unwrap();
    bytes[at] = 0xff;
    assert_eq!(self::fault(bytes).kind, Kind::Garbled);
}

#[test]
fn a_refusal_is_understood_and_the_key_in_it_is_not_repeated() {
    let body = format!(
        "{{\"error\":{{\"code\":400,\"status\":\"INVALID_ARGUMENT\",\"message\":\"API key not valid: {KEY}\\u001b[31m\"}}}}"
    );
    check(
        json("400 Bad Request", &body),
        Kind::Key,
        "the server does not take the key (400): API key not valid: [key][31m",
    );
    let echo = format!("data: {{\"error\":{{\"code\":500,\"message\":\"{KEY}\"}}}}\n\n");
    check(sse(&echo), Kind::Broken, "the server failed (500): [key]");
    check(
        whole(
            "502 Bad Gateway",
            "text/html",
            &format!("<html>{KEY}</html>"),
        ),
        Kind::Broken,
        "the server failed (502): it answered with a web page, so something else may live at this address",
    );
    let kind = format!("x/{KEY}");
    check(
        whole("200 OK", &kind, "hi"),
        Kind::Garbled,
        "HOST answers with the content type x/[key]: is its address right?",
    );
}

#[test]
fn a_server_says_when_to_come_again() {
    let says = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 3\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(fault(says).retry_after_ms, Some(3_000));
    let body = "{\"error\":{\"code\":429,\"details\":[{\"retryDelay\":\"1.5s\"}]}}";
    let busy = fault(json("429 Too Many Requests", body));
    assert_eq!((busy.kind, busy.retry_after_ms), (Kind::Busy, Some(1_500)));
}

#[test]
fn what_is_too_long_is_not_read_to_its_end() {
    let server = Server::start(|asked| {
        asked.say("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: ");
        let megabyte = vec![b'x'; 1 << 20];
        let n_megabytes = (0..100).take_while(|_| asked.goes_on(&megabyte)).count();
        assert!(n_megabytes < 100, "nobody stopped it");
    });
    let fault = ask(&endpoint(&server.base_url)).unwrap_err();
    assert_eq!(fault.kind, Kind::TooLong);
    assert_eq!(
        fault.message,
        "the server sends an event of more than 16 MiB"
    );
    server.wait_for_a_goodbye();
    let server = Server::start(|asked| {
        asked.say("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"models\":[");
        let megabyte = vec![b' '; 1 << 20];
        while asked.goes_on(&megabyte) {}
    });
    let listed = HttpModels::default().list(&endpoint(&server.base_url), &Cancel::new());
    let fault = listed.unwrap_err();
    assert_eq!(
        fault.message,
        "the server sends an answer of more than 8 MiB"
    );
    server.wait_for_a_goodbye();
}
