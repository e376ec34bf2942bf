//! The MCP server as a process: handshakes, bad input, and the end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Only a failure takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, and a client that speaks to it line by line.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Server {
    fn start(mut command: Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (told, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                told.send(line).unwrap_or_default();
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    pub(crate) fn request(&mut self, id: u32, method: &str, params: Value) -> Value {
        self.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        );
        self.answer_to(&json!(id))
    }

    /// The answer to a request; everything on stdout must be a message.
    fn answer_to(&self, id: &Value) -> Value {
        loop {
            let message = self.next();
            if message["id"] == *id && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn next(&self) -> Value {
        let line = self
            .lines
            .recv_timeout(PATIENCE)
            .expect("the server answers");
        serde_json::from_str(&line).expect("only messages go to stdout")
    }

    pub(crate) fn greet(&mut self, version: &str) -> Value {
        let client = json!({ "name": "probe", "version": "1" });
        let hello = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let answer = self.request(1, "initialize", hello);
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer
    }

    fn save(&mut self, id: u32, fact: &str) -> Value {
        let call = json!({ "name": "save_memory", "arguments": { "fact": fact } });
        self.request(id, "tools/call", call)
    }

    /// Hangs up; the server must end by itself, and well.
    pub(crate) fn hang_up(mut self) -> String {
        drop(self.input.take());
        let mut said = String::new();
        let mut errors = self.child.stderr.take().unwrap();
        errors.read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
        said
    }
}

pub(crate) fn start(sandbox: &Sandbox) -> Server {
    Server::start(sandbox.command(&["mcp"]))
}

/// A server that any command starts.
pub(crate) fn start_with(command: Command) -> Server {
    Server::start(command)
}

#[test]
fn every_version_is_greeted_and_an_unknown_one_is_offered_ours() {
    let sandbox = Sandbox::new();
    for (asked, expected) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("next", "2025-11-25"),
    ] {
        let mut server = start(&sandbox);
        let hello = server.greet(asked);
        assert_eq!(hello["result"]["protocolVersion"], expected, "{asked}");
        assert_eq!(hello["result"]["serverInfo"]["name"], "analects");
        let tools = server.request(2, "tools/list", json!({}));
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 8);
        assert_eq!(server.hang_up(), "", "nothing to say");
    }
}

#[test]
fn whoever_asks_before_it_greets_is_answered_and_may_greet() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox);
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
    server.send(r#"{"jsonrpc":"2.0","id":"probe","method":"server/discover","params":{}}"#);
    assert!(server.answer_to(&json!("probe")).get("error").is_some());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "probe", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = server.request(5, "server/discover", json!({ "_meta": meta }));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")));
    let early = server.request(6, "tools/list", json!({}));
    assert!(early.get("error").is_some());
    assert_eq!(
        server.greet("2025-11-25")["result"]["protocolVersion"],
        "2025-11-25"
    );
    server.send(r#"{"jsonrpc":"2.0","id":8,"method":"tools/list"}"#);
    assert!(
        server.answer_to(&json!(8)).get("result").is_some(),
        "without params, too"
    );
    server.hang_up();
}

#[test]
fn garbage_does_no_harm() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox);
    server.send("hello?");
    server.greet("2025-06-18");
    for line in [
        "",
        "{",
        "\u{0}",
        "null",
        "[]",
        "{\"jsonrpc\":\"2.0\"}",
        &"[".repeat(100_000),
    ] {
        server.send(line);
    }
    server
        .input
        .as_mut()
        .unwrap()
        .write_all(b"\xff\xfe\xfd\n")
        .unwrap();
    let wrong = server.request(2, "tools/call", json!({ "name": 1 }));
    assert_eq!(wrong["error"]["code"], -32602);
    let unknown = server.request(3, "tools/destroy", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    let nobody = server.request(4, "tools/call", json!({ "name": "nobody" }));
    assert_eq!(nobody["error"]["code"], -32602);
    assert!(server.save(5, "Likes tea")["result"]["structuredContent"]["success"] == true);
    server.hang_up();
}

#[test]
fn a_message_of_a_hundred_megabytes_is_refused_in_little_room() {
    let sandbox = Sandbox::new();
    let mut server = start(&sandbox);
    server.greet("2025-06-18");
    let input = server.input.as_mut().unwrap();
    input
        .write_all(br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":""#)
        .unwrap();
    let part = [b'x'; 1 << 20];
    for _ in 0..100 {
        input.write_all(&part).unwrap();
    }
    server.send(r#""}}"#);
    let refused = server.next();
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("longer than 4 MiB"), "{refused}");
    assert!(server.request(3, "ping", json!({})).get("result").is_some());
    let peak_kib = peak_kib(&server.child);
    assert!(peak_kib < 64 * 1024, "{peak_kib} KiB");
    server.hang_up();
}

/// The most memory that a process ever held.
fn peak_kib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn the_end_of_the_input_is_the_end_and_what_was_asked_is_answered() {
    let sandbox = Sandbox::new();
    start(&sandbox).hang_up();
    let mut server = start(&sandbox);
    server.greet("2025-06-18");
    let call = json!({ "name": "save_memory", "arguments": { "fact": "Likes tea" } });
    server.send(
        &json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call }).to_string(),
    );
    drop(server.input.take());
    let saved = server.answer_to(&json!(9));
    assert_eq!(saved["result"]["structuredContent"]["success"], true);
    server.hang_up();
}

#[test]
fn two_clients_at_once_lose_nothing() {
    const N_FACTS: u32 = 50;
    let sandbox = Sandbox::new();
    thread::scope(|scope| {
        for who in ["one", "two"] {
            let mut server = start(&sandbox);
            scope.spawn(move || {
                server.greet("2025-06-18");
                for n in 0..N_FACTS {
                    let saved = server.save(10 + n, &format!("client {who} says number {n}."));
                    assert_eq!(
                        saved["result"]["structuredContent"]["success"], true,
                        "{saved}"
                    );
                }
                server.hang_up();
            });
        }
    });
    let text = std::fs::read_to_string(sandbox.path("home/.gemini/GEMINI.md")).unwrap();
    for who in ["one", "two"] {
        for n in 0..N_FACTS {
            assert!(text.contains(&format!("- client {who} says number {n}.\n")));
        }
    }
    let log = sandbox.json(&["memory", "log", "-n", "1"]);
    assert_eq!(log["changes"][0]["who"], "save_memory via probe");
}
