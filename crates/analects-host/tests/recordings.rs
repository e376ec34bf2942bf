//! What llama.cpp really sent, sent again: `cargo xtask small-model --record` writes it.
//!
//! Every answer is served twice, at once and in crumbs, and must mean the same.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use analects_host::HttpModels;
use analects_world::Cancel;
use analects_world::model::{Body, Content, Part, Role};
use analects_world::models::{
    Endpoint, Event, Fault, Models, Options, Patience, Request, Secret, Wire,
};
use expect_test::{Expect, expect};

#[test]
fn words_with_their_price() {
    let answer = expect![[r#"
        There| are| many| colours|,| but| some| of
        Usage { prompt: Some(22), cached: Some(0), answer: Some(8), thoughts: None }
        Length
    "#]];
    check(Wire::OpenAi, "chat", &answer);
    let answer = expect![[r#"
        There| are| many| colours|,| but| some| of
        Usage { prompt: Some(22), cached: Some(1), answer: Some(0), thoughts: None }
        Usage { prompt: Some(22), cached: Some(1), answer: Some(8), thoughts: None }
        Length
    "#]];
    check(Wire::Anthropic, "messages", &answer);
}

#[test]
fn words_without_a_price() {
    let answer = expect![[r#"
        1|.| Red
        Length
    "#]];
    check(Wire::OpenAi, "chat-without-usage", &answer);
}

#[test]
fn json_comes_as_words() {
    let answer = expect![[r#"
        {|\n | \"|name|\":| \"|A|ur|ora|\",|\n | \"|l|eg|s|\":| |1|\n|}
        Usage { prompt: Some(14), cached: Some(1), answer: Some(26), thoughts: None }
        Done
    "#]];
    check(Wire::OpenAi, "chat-schema", &answer);
}

#[test]
fn calls_come_whole() {
    let answer = expect![[r#"
        Usage { prompt: Some(243), cached: Some(1), answer: Some(66), thoughts: None }
        read_file {"path":"c.txt"}
        read_file {"path":"d.txt"}
        Done
    "#]];
    check(Wire::OpenAi, "chat-calls", &answer);
    let answer = expect![[r#"
        Usage { prompt: Some(204), cached: Some(4), answer: Some(0), thoughts: None }
        read_file {"path":"notes.txt"}
        Usage { prompt: Some(204), cached: Some(4), answer: Some(33), thoughts: None }
        Done
    "#]];
    check(Wire::Anthropic, "messages-call", &answer);
}

#[test]
fn what_is_refused_says_why() {
    let answer = expect![[r#"
        too_large: the request does not fit into the model's window (400): request (6310 tokens) exceeds the available context size (4096 tokens), try increasing it
    "#]];
    check(Wire::OpenAi, "chat-too-large", &answer);
    let answer = expect![[r#"
        too_large: the request does not fit into the model's window (400): request (6310 tokens) exceeds the available context size (4096 tokens), try increasing it
    "#]];
    check(Wire::Anthropic, "messages-too-large", &answer);
    let answer = expect![[r#"
        refused: the server refuses the request (400): Expected 'content' to be a string or an array
    "#]];
    check(Wire::OpenAi, "chat-refused", &answer);
    let answer = expect![[r#"
        key: the server does not take the key (401): Invalid API Key
    "#]];
    check(Wire::OpenAi, "wrong-key", &answer);
}

#[test]
fn the_model_and_its_window_are_listed() {
    for crumb_bytes in CRUMBS {
        let at = serve("models", Wire::OpenAi, crumb_bytes);
        let listed = HttpModels::default().list(&at, &Cancel::new()).unwrap();
        let listed: Vec<_> = listed
            .iter()
            .map(|model| (&*model.name, model.window_tokens))
            .collect();
        assert_eq!(listed, [("smollm2", Some(4096))]);
    }
}

#[test]
fn tokens_are_counted() {
    for crumb_bytes in CRUMBS {
        let at = serve("messages-count", Wire::Anthropic, crumb_bytes);
        let history = [Content::text("1", Role::User, "Name three colours.")];
        let counted = HttpModels::default().count(&at, &request(&history), &Cancel::new());
        assert_eq!(counted, Ok(Some(22)));
    }
}

/// All at once, and in crumbs that respect nothing.
const CRUMBS: [usize; 2] = [usize::MAX, 7];

fn check(wire: Wire, name: &str, answer: &Expect) {
    let [whole, crumbs] = CRUMBS.map(|crumb_bytes| heard(&serve(name, wire, crumb_bytes)));
    assert_eq!(whole, crumbs, "{name}");
    answer.assert_eq(&whole);
}

/// What the answer means: pieces of words divided by `|`, and a line for everything else.
fn heard(at: &Endpoint) -> String {
    let history = [Content::text("1", Role::User, "Name three colours.")];
    let (mut pieces, mut lines) = (Vec::new(), Vec::new());
    let models = HttpModels::default();
    let outcome = models.ask(
        at,
        &request(&history),
        &Cancel::new(),
        &mut |event| match event {
            Event::Part(Part {
                body: Body::Text(text),
                ..
            }) => pieces.push(text),
            Event::Part(Part {
                body: Body::Call(call),
                ..
            }) => {
                assert!(
                    call.id.is_some_and(|id| id.len() > 8),
                    "the server names its calls"
                );
                lines.push(format!("{} {}", call.name, call.args));
            }
            Event::Part(part) => lines.push(format!("{part:?}")),
            Event::Usage(usage) => lines.push(format!("{usage:?}")),
            Event::Finish(finish) => lines.push(format!("{finish:?}")),
        },
    );
    let words = (!pieces.is_empty()).then(|| pieces.join("|").escape_debug().to_string());
    let fault = outcome.err().map(|fault| shown(&fault));
    let lines: Vec<_> = words.into_iter().chain(lines).chain(fault).collect();
    format!("{}\n", lines.join("\n"))
}

fn shown(fault: &Fault) -> String {
    format!("{}: {}", fault.kind.as_str(), fault.message)
}

fn request(history: &[Content]) -> Request<'_> {
    Request {
        model: "smollm2",
        system: "You are brief.",
        history,
        tools: &[],
        options: &Options::USUAL,
    }
}

/// Answers one request with a recording.
fn serve(name: &str, wire: Wire, crumb_bytes: usize) -> Endpoint {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let recording = std::fs::read(dir.join(format!("llama-{name}.txt"))).expect("it is recorded");
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is loopback");
    let address = listener.local_addr().expect("it listens");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        read_request(&mut stream)?;
        stream.set_nodelay(true)?;
        for crumb in recording.chunks(crumb_bytes) {
            stream.write_all(crumb)?;
        }
        std::io::Result::Ok(())
    });
    Endpoint {
        wire,
        base_url: match wire {
            Wire::OpenAi => format!("http://{address}/v1"),
            Wire::Gemini | Wire::Anthropic => format!("http://{address}"),
        },
        key: Some(Secret::new("a-magpie-feather")),
        proxy: None,
        patience: Patience::TALK,
    }
}

/// A server that answers before it was asked to the end would be cut off by its own answer.
fn read_request(stream: &mut TcpStream) -> std::io::Result<()> {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let n = stream.read(&mut buffer)?;
        if n == 0 {
            return Ok(());
        }
        read.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&read).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"));
        let length = length.and_then(|length| length.trim().parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Ok(());
        }
    }
}
