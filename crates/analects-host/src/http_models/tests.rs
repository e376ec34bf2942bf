//! Real sockets on this machine, and servers that behave as badly as they can.

mod cancelling;
mod faults;
mod patience;
mod process;
mod proxies;
pub(crate) mod server;
mod tls;

use analects_world::model::{Content, Part, Role};
use analects_world::models::{Finish, Options, Patience, Secret, Wire};

use super::*;
use server::{Server, json, sse};

/// Long enough for the busiest machine; only a failure takes it.
const LONG_MS: u64 = 300_000;
const PATIENT: Patience = Patience {
    connect_ms: LONG_MS,
    first_ms: LONG_MS,
    idle_ms: LONG_MS,
    whole_ms: LONG_MS,
};
const KEY: &str = "sk-geheim-0123456789";

/// A whole answer.
const HELLO: &str = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hello\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":3}}\n\n";

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        wire: Wire::Gemini,
        base_url: base_url.to_owned(),
        key: Some(Secret::new(KEY)),
        proxy: None,
        patience: PATIENT,
    }
}

fn history() -> [Content; 1] {
    [Content::text("1", Role::User, "hi")]
}

fn request(history: &[Content]) -> Request<'_> {
    Request {
        model: "gemini-2.5-flash",
        system: "",
        history,
        tools: &[],
        options: &Options::USUAL,
    }
}

/// Asks, and answers everything that was heard.
fn ask(at: &Endpoint) -> Result<Vec<Event>, Fault> {
    let mut events = Vec::new();
    let history = history();
    let mut hear = |event| events.push(event);
    HttpModels::default().ask(at, &request(&history), &Cancel::new(), &mut hear)?;
    Ok(events)
}

#[test]
fn an_answer_is_heard_to_its_end_and_the_key_goes_into_the_head() {
    let server = Server::start(|asked| asked.say(sse(HELLO)));
    let events = ask(&endpoint(&server.base_url)).unwrap();
    assert_eq!(events.len(), 3);
    assert_eq!(events[0], Event::Part(Part::text("hello")));
    assert_eq!(events[2], Event::Finish(Finish::Done));
    let asked = server.next();
    assert!(
        asked.starts_with(
            "POST /v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse HTTP/1.1\r\n"
        ),
        "{asked}"
    );
    assert!(asked.contains(&format!("\r\nx-goog-api-key: {KEY}\r\n")));
    assert!(asked.contains("\r\ncontent-type: application/json\r\n"));
    assert!(
        !asked.contains("accept-encoding"),
        "nobody asks for compression"
    );
    assert_eq!(asked.matches(KEY).count(), 1);
    assert!(asked.ends_with(r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#));
}

#[test]
fn an_answer_that_comes_whole_is_read_as_one_piece() {
    let whole =
        r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"MAX_TOKENS"}]}"#;
    let server = Server::start(move |asked| asked.say(json("200 OK", whole)));
    let events = ask(&endpoint(&server.base_url)).unwrap();
    assert_eq!(
        events,
        [Event::Part(Part::text("a")), Event::Finish(Finish::Length)]
    );
}

#[test]
fn tokens_are_counted_and_models_listed() {
    let server = Server::start(|asked| {
        let body = if asked.head.starts_with("GET") {
            r#"{"models":[{"name":"models/a","inputTokenLimit":5}]}"#
        } else {
            r#"{"totalTokens":31}"#
        };
        asked.say(json("200 OK", body));
    });
    let models = HttpModels::default();
    let mut at = endpoint(&server.base_url);
    let history = history();
    let cancel = Cancel::new();
    let counted = models.count(&at, &request(&history), &cancel);
    assert_eq!(counted, Ok(Some(31)));
    assert!(
        server
            .next()
            .contains("/v1beta/models/gemini-2.5-flash:countTokens ")
    );
    at.key = None;
    let listed = Listed {
        name: "a".to_owned(),
        window_tokens: Some(5),
    };
    assert_eq!(models.list(&at, &cancel), Ok(vec![listed]));
    let asked = server.next();
    assert!(asked.starts_with("GET /v1beta/models?pageSize=1000 HTTP/1.1\r\n"));
    assert!(!asked.contains("x-goog-api-key"), "no key was given");
    at.wire = Wire::OpenAi;
    assert_eq!(models.count(&at, &request(&history), &cancel), Ok(None));
}

#[test]
fn a_document_that_says_something_else_is_garbled() {
    for body in [
        "{}",
        "[]",
        "{\"totalTokens\":-1}",
        "{\"totalTokens\"",
        "\"\"",
    ] {
        let server = Server::start(move |asked| asked.say(json("200 OK", body)));
        let at = endpoint(&server.base_url);
        let history = history();
        let models = HttpModels::default();
        let counted = models.count(&at, &request(&history), &Cancel::new());
        assert_eq!(counted.unwrap_err().kind, Kind::Garbled, "{body}");
        let listed = models.list(&at, &Cancel::new());
        assert_eq!(listed.unwrap_err().kind, Kind::Garbled, "{body}");
    }
}

#[test]
fn a_connection_is_used_again() {
    let server = Server::start(|asked| asked.say(sse(HELLO)));
    let models = HttpModels::default();
    let at = endpoint(&server.base_url);
    let history = history();
    for _ in 0..3 {
        let cancel = Cancel::new();
        let asked = models.ask(&at, &request(&history), &cancel, &mut |_| {});
        assert_eq!(asked, Ok(()));
    }
    assert_eq!(server.n_connections(), 1);
}

#[test]
fn no_more_requests_than_the_limit_are_under_way() {
    let (let_go, gate) = std::sync::mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let server = Server::start(move |asked| {
        gate.lock().unwrap().recv().unwrap();
        asked.say(sse(HELLO));
    });
    let models = HttpModels::with_limit(2);
    let at = endpoint(&server.base_url);
    let history = history();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let cancel = Cancel::new();
                models.ask(&at, &request(&history), &cancel, &mut |_| {})
            });
        }
        // Both are there, and hold their places.
        server.next();
        server.next();
        let mut hasty = at.clone();
        hasty.patience.whole_ms = 50;
        let fault = models.ask(&hasty, &request(&history), &Cancel::new(), &mut |_| {});
        let fault = fault.unwrap_err();
        assert_eq!(fault.kind, Kind::TimedOut);
        assert_eq!(fault.message, "2 other requests were under way for 50 ms");
        assert_eq!(server.n_connections(), 2, "the third never came");
        let_go.send(()).unwrap();
        let_go.send(()).unwrap();
    });
    let_go.send(()).unwrap();
    let asked = models.ask(&at, &request(&history), &Cancel::new(), &mut |_| {});
    assert_eq!(asked, Ok(()), "there is room again");
}

#[test]
fn nothing_starts_before_it_is_needed() {
    let models = HttpModels::default();
    assert!(models.reactor.lock().unwrap().is_none());
    let mut at = endpoint("no address");
    assert_eq!(
        models.list(&at, &Cancel::new()).unwrap_err().kind,
        Kind::Unreachable
    );
    at = endpoint("http://127.0.0.1:1");
    at.key = Some(Secret::new("a\nb"));
    assert_eq!(
        models.list(&at, &Cancel::new()).unwrap_err().kind,
        Kind::Key
    );
    assert!(models.reactor.lock().unwrap().is_none());
    assert_eq!(format!("{models:?}"), "HttpModels { limit: 4, .. }");
}
