//! The MCP server over HTTP: who gets in, and what is too much.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::sandbox::Sandbox;

/// Only a failure takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a port of its own.
struct Web {
    child: Child,
    address: String,
    token: String,
}

impl Web {
    fn start(sandbox: &Sandbox) -> Self {
        let mut command = sandbox.command(&["mcp", "--http", "127.0.0.1:0"]);
        let mut child = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut line = |before: &str| {
            let line = said.next().unwrap().unwrap();
            line.strip_prefix(before)
                .expect("it says where it is")
                .to_owned()
        };
        let address = line("listening on http://")
            .trim_end_matches("/mcp")
            .to_owned();
        let token = line("token: ");
        Self {
            child,
            address,
            token,
        }
    }

    /// The status of an answer, and all that came with it.
    fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .unwrap();
        let mut answer = String::new();
        // An event stream ends with its answer; who is turned away may be cut off.
        let _ = stream.read_to_string(&mut answer);
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer)
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}}"#;

#[test]
fn over_http_host_origin_and_token_decide() {
    let sandbox = Sandbox::new();
    let web = Web::start(&sandbox);
    let host = ("host", web.address.as_str());
    let bearer = format!("Bearer {}", web.token);
    let token = ("authorization", bearer.as_str());
    let status = |headers: &[(&str, &str)]| web.post(headers, HELLO).0;
    assert_eq!(status(&[("host", "evil.example"), token]), 403);
    assert_eq!(
        status(&[host, ("origin", "http://evil.example"), token]),
        403
    );
    assert_eq!(status(&[host, ("origin", "http://evil.example")]), 403);
    assert_eq!(status(&[host]), 401);
    assert_eq!(status(&[host, ("authorization", "Bearer wrong")]), 401);
    let (status, answer) = web.post(&[host, token], HELLO);
    assert_eq!(status, 200, "{answer}");
    let session = answer
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap();
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "save_memory", "arguments": { "fact": "Likes tea" } } });
    let session = [
        host,
        token,
        ("mcp-session-id", session),
        ("origin", "http://localhost:1"),
    ];
    let (status, answer) = web.post(&session, &call.to_string());
    assert_eq!(status, 200);
    assert!(answer.contains("Remembered as d73e14c0"), "{answer}");
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(5 << 20));
    assert_eq!(web.post(&session, &long).0, 413);
}

#[test]
fn over_http_there_is_an_end_to_sessions() {
    let sandbox = Sandbox::new();
    let web = Web::start(&sandbox);
    let bearer = format!("Bearer {}", web.token);
    let headers = [
        ("host", web.address.as_str()),
        ("authorization", bearer.as_str()),
    ];
    let mut first = None;
    for _ in 0..256 {
        let (status, answer) = web.post(&headers, HELLO);
        assert_eq!(status, 200, "{answer}");
        first.get_or_insert(answer);
    }
    let (status, answer) = web.post(&headers, HELLO);
    assert_eq!(status, 503);
    assert!(answer.contains("256 sessions are open"), "{answer}");
    let first = first.unwrap();
    let mut lines = first.lines();
    let session = lines.find_map(|line| line.strip_prefix("mcp-session-id: "));
    let headers = [headers[0], headers[1], ("mcp-session-id", session.unwrap())];
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    assert_eq!(web.post(&headers, ping).0, 200, "those who are in stay in");
}

#[test]
fn over_http_only_this_machine_is_served() {
    let sandbox = Sandbox::new();
    for address in ["0.0.0.0:0", "[::]:0", "example.com:80"] {
        let ran = sandbox.run(&["mcp", "--http", address]);
        assert_eq!(ran.code, 42, "{address}");
        assert!(ran.err.contains("127.0.0.1:PORT"), "{}", ran.err);
    }
}

#[test]
fn a_weak_token_is_refused_before_anybody_can_use_it() {
    let sandbox = Sandbox::new();
    for weak in ["secret", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] {
        let mut command = sandbox.command(&["mcp", "--http", "127.0.0.1:0"]);
        let output = command
            .env("ANALECTS_MCP_TOKEN", weak)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(42), "{said}");
        assert!(
            said.contains("128 random bits") && said.contains("openssl rand"),
            "{said}"
        );
        assert!(
            !said.contains("listening") && !said.contains("aaaaaa"),
            "{said}"
        );
    }
}
