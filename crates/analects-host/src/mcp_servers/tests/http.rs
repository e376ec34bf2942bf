//! Servers that are called.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::http_models::tests::server::{self, Asked, chunk, json as document, sse};

use super::*;

/// What a server answers to a request, if anything, by its method.
fn result(request: &str) -> Option<Value> {
    let body = request.split("\r\n\r\n").nth(1)?;
    let asked: Value = serde_json::from_str(body).ok()?;
    let result = match asked["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "pond", "version": "1"}, "instructions": "Feed the ducks.",
        }),
        "tools/list" => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
        "tools/call" => {
            let word = asked["params"]["arguments"]["word"].as_str()?;
            json!({"content": [{"type": "text", "text": format!("echo: {word}")}]})
        }
        _ => return None,
    };
    Some(json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}))
}

const ACCEPTED: &str = "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n";

fn with_session(answer: &str) -> String {
    answer.replacen("\r\n", "\r\nMcp-Session-Id: s-1\r\n", 1)
}

fn method(asked: &Asked) -> Option<Value> {
    let body = asked.head.split("\r\n\r\n").nth(1)?;
    let asked: Value = serde_json::from_str(body).ok()?;
    Some(asked["method"].clone())
}

/// A server that answers some requests in its own way, and the others well.
fn start(own: impl Fn(&mut Asked) -> bool + Send + Sync + 'static) -> server::Server {
    server::Server::start(move |asked| {
        if own(asked) {
            return;
        }
        match result(&asked.head) {
            Some(result) => asked.say(with_session(&document("200 OK", &result.to_string()))),
            None => asked.say(ACCEPTED),
        }
    })
}

fn connect(at: &server::Server, timeout_ms: u64) -> Result<Box<dyn Connection>, Trouble> {
    let server = Server {
        name: "pond".to_owned(),
        reach: Reach::Http {
            url: format!("{}/mcp?key=q-geheim-1", at.base_url),
            headers: BTreeMap::from([("Authorization".to_owned(), format!("Bearer {SECRET}"))]),
        },
        roots: Vec::new(),
        timeout_ms,
    };
    McpServers::default().connect(&server, &Cancel::new())
}

fn connected(at: &server::Server) -> Box<dyn Connection> {
    connect(at, 60_000).unwrap()
}

#[test]
fn an_address_is_posted_to_with_its_headers_and_the_session_is_given_back() {
    let server = start(|_| false);
    let connection = connected(&server);
    assert_eq!(connection.offer().instructions, "Feed the ducks.");
    assert_eq!(names(&*connection), ["echo"]);
    assert_eq!(words(&call(&*connection, "tea").unwrap()), "echo: tea");
    drop(connection);
    let requests: Vec<_> = std::iter::from_fn(|| server.try_next()).collect();
    assert_eq!(requests.len(), 5, "{requests:?}");
    for request in &requests {
        assert!(request.contains("/mcp?key=q-geheim-1 "), "{request}");
        assert!(request.contains(&format!("authorization: Bearer {SECRET}")));
    }
    assert!(
        requests
            .iter()
            .skip(1)
            .all(|request| request.contains("mcp-session-id: s-1"))
    );
    assert!(requests.last().unwrap().starts_with("DELETE "));
    assert!(requests[3].contains("mcp-protocol-version: 2025-06-18"));
}

#[test]
fn answers_may_come_as_events_with_news_before_them() {
    let server = start(|asked| {
        let Some(result) = result(&asked.head) else {
            return false;
        };
        let noise = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}});
        asked.say(sse(&format!(
            "event: message\ndata: {noise}\n\ndata: x\n\ndata: {result}\n\n"
        )));
        true
    });
    let connection = connected(&server);
    assert_eq!(words(&call(&*connection, "tea").unwrap()), "echo: tea");
}

#[test]
fn what_is_no_answer_is_told_without_a_secret() {
    let echo = |status: &'static str| {
        move |asked: &mut Asked| {
            let body = json!({"jsonrpc": "2.0", "id": 0, "error": {"code": 1, "message": format!("bad {SECRET}")}});
            asked.say(document(status, &body.to_string()));
            true
        }
    };
    let raw = |text: &'static str| {
        move |asked: &mut Asked| {
            asked.say(text);
            true
        }
    };
    let elsewhere =
        "HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:9/x\r\ncontent-length: 0\r\n\r\n";
    type Own = Box<dyn Fn(&mut Asked) -> bool + Send + Sync>;
    let cases: [(Own, &str); 6] = [
        (Box::new(echo("200 OK")), "it refused: bad [key]"),
        (Box::new(echo("400 Bad Request")), "it refused: bad [key]"),
        (
            Box::new(echo("401 Unauthorized")),
            "it refused: PLACE wants us to say who we are (HTTP 401)",
        ),
        (
            Box::new(raw("HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n")),
            "it refused: PLACE refuses (HTTP 500)",
        ),
        (
            Box::new(raw(elsewhere)),
            "it cannot be reached: PLACE sends us elsewhere (HTTP 307)",
        ),
        (
            Box::new(|asked: &mut Asked| {
                asked.hang_up();
                true
            }),
            "it cannot be reached: PLACE hung up",
        ),
    ];
    for (own, expected) in cases {
        let server = start(own);
        let said = connect(&server, 60_000).err().unwrap().to_string();
        let place = server.base_url.trim_start_matches("http://");
        assert_eq!(said.replace(place, "PLACE"), expected);
    }
}

#[test]
fn nobody_is_there() {
    let server = start(|_| false);
    let mut far = server.base_url.clone();
    far.replace_range(far.len() - 2.., "");
    let trouble = |url: &str, headers: &[(&str, &str)]| {
        let headers = headers
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let server = Server {
            name: "pond".to_owned(),
            reach: Reach::Http {
                url: url.to_owned(),
                headers: headers.collect(),
            },
            roots: Vec::new(),
            timeout_ms: 60_000,
        };
        let connection = McpServers::default().connect(&server, &Cancel::new());
        connection.err().unwrap().to_string()
    };
    assert!(trouble("file:///etc/passwd", &[]).contains("must begin with http"));
    assert!(trouble("http://127.0.0.1:1/mcp", &[]).contains("127.0.0.1:1 cannot be connected to"));
    let url = &server.base_url;
    assert!(trouble(url, &[("a b", "x")]).contains("the header `a b` has no name"));
    assert!(
        trouble(url, &[("X", "geheim\n1")])
            .contains("the header `X` has a value that cannot be sent")
    );
    assert!(trouble(url, &[("Mcp-Session-Id", "x")]).contains("belongs to the protocol"));
}

#[test]
fn a_stream_that_never_ends_is_cut_by_the_time() {
    let server = start(|asked| {
        if method(asked) != Some(json!("tools/call")) {
            return false;
        }
        asked.say(server::ENDLESS);
        while asked.goes_on(chunk(": still here\n\n")) {}
        true
    });
    let connection = connect(&server, 2_000).unwrap();
    assert_eq!(call(&*connection, ""), Err(Trouble::TimedOut(2_000)));
}

#[test]
fn an_answer_without_measure_is_not_read() {
    let server = start(|asked| {
        if method(asked) != Some(json!("tools/call")) {
            return false;
        }
        asked.say("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
        let piece = chunk(&"x".repeat(1 << 20));
        while asked.goes_on(&piece) {}
        asked.hang_up();
        true
    });
    let connection = connected(&server);
    let said = call(&*connection, "").unwrap_err().to_string();
    assert_eq!(said, "it makes no sense: it says more than 16 MiB at once");
}

#[test]
fn a_server_that_forgot_us_is_met_again() {
    let forgot = AtomicBool::new(false);
    let server = start(move |asked| {
        let is_call = method(asked) == Some(json!("tools/call"));
        if is_call && !forgot.swap(true, Ordering::SeqCst) {
            asked.say("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
            return true;
        }
        false
    });
    let connection = connected(&server);
    assert_eq!(words(&call(&*connection, "tea").unwrap()), "echo: tea");
}

#[test]
fn a_stream_that_breaks_off_again_and_again_is_gone_on_with_but_not_in_haste() {
    let n_asked = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&n_asked);
    let server = start(move |asked| {
        let goes_on = asked.head.starts_with("GET ");
        if !goes_on && method(asked) != Some(json!("tools/call")) {
            return false;
        }
        seen.fetch_add(usize::from(goes_on), Ordering::SeqCst);
        asked.say(sse("id: 1\nretry: 0\ndata:\n\n"));
        true
    });
    let connection = connect(&server, 2_000).unwrap();
    assert_eq!(call(&*connection, ""), Err(Trouble::TimedOut(2_000)));
    let n_asked = n_asked.load(Ordering::SeqCst);
    assert!((1..=10).contains(&n_asked), "{n_asked}");
}
