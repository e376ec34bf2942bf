//! A client of few words, so that the server is not tested by the code that it tests.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use analects_world::models::Wire;

use super::{KEY, ModelServer};

/// An answer.
pub(super) struct Heard {
    /// 0 if there is no head.
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
    /// Whether the body came to the end that the head promised.
    pub(super) is_whole: bool,
}

impl Heard {
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The data of every server-sent event.
    pub(super) fn data(&self) -> Vec<&str> {
        let lines = self.text().lines();
        lines
            .filter_map(|line| line.strip_prefix("data: "))
            .collect()
    }

    /// The same as JSON, without what is none.
    pub(super) fn values(&self) -> Vec<Value> {
        let data = self.data();
        data.iter()
            .flat_map(|data| serde_json::from_str(data))
            .collect()
    }
}

/// Runs a conversation to its end.
pub(super) fn block<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_io().build().unwrap().block_on(future)
}

/// A well-formed request for an answer.
pub(super) fn ask(wire: Wire, is_streamed: bool) -> (&'static str, String) {
    let messages = r#""messages":[{"role":"user","content":"Hello?"}]"#;
    match wire {
        Wire::Gemini => {
            let path = if is_streamed {
                "/v1beta/models/m:streamGenerateContent?alt=sse"
            } else {
                "/v1beta/models/m:generateContent"
            };
            let body = r#"{"contents":[{"role":"user","parts":[{"text":"Hello?"}]}]}"#;
            (path, body.to_owned())
        }
        Wire::OpenAi if is_streamed => {
            let options = r#""stream":true,"stream_options":{"include_usage":true}"#;
            (
                "/v1/chat/completions",
                format!(r#"{{"model":"m",{options},{messages}}}"#),
            )
        }
        Wire::OpenAi => (
            "/v1/chat/completions",
            format!(r#"{{"model":"m",{messages}}}"#),
        ),
        Wire::Anthropic => {
            let body =
                format!(r#"{{"model":"m","max_tokens":9,"stream":{is_streamed},{messages}}}"#);
            ("/v1/messages", body)
        }
    }
}

/// The headers that the wire wants.
pub(super) fn headers(wire: Wire) -> String {
    let own = match wire {
        Wire::Gemini => format!("x-goog-api-key: {KEY}\r\n"),
        Wire::OpenAi => format!("Authorization: Bearer {KEY}\r\n"),
        Wire::Anthropic => format!("x-api-key: {KEY}\r\nanthropic-version: 2023-06-01\r\n"),
    };
    format!("{own}Content-Type: application/json\r\n")
}

/// Sends a request and leaves the connection open.
pub(super) async fn send(server: &ModelServer, path: &str, headers: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let method = if body.is_empty() { "GET" } else { "POST" };
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Sends a request and reads all that comes.
pub(super) async fn talk(server: &ModelServer, path: &str, headers: &str, body: &str) -> Heard {
    let mut stream = send(server, path, headers, body).await;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    parse(&bytes)
}

/// Asks for an answer, and reads all of it.
pub(super) fn asked(server: &ModelServer, wire: Wire, is_streamed: bool) -> Heard {
    let (path, body) = ask(wire, is_streamed);
    block(talk(server, path, &headers(wire), &body))
}

fn parse(bytes: &[u8]) -> Heard {
    let mut heard = Heard {
        status: 0,
        head: String::new(),
        body: bytes.to_vec(),
        is_whole: false,
    };
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return heard;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let Some(line) = head.strip_prefix("http/1.1 ") else {
        return heard;
    };
    heard.status = line
        .get(..3)
        .and_then(|word| word.parse().ok())
        .unwrap_or(0);
    let rest = &bytes[end + 4..];
    (heard.body, heard.is_whole) = if head.contains("transfer-encoding: chunked") {
        unchunk(rest)
    } else {
        let length = head.split("content-length: ").nth(1).unwrap_or("0");
        let length = length.lines().next().and_then(|word| word.parse().ok());
        (rest.to_vec(), length == Some(rest.len()))
    };
    heard.head = head;
    heard
}

fn unchunk(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") else {
            return (body, false);
        };
        let size = std::str::from_utf8(&bytes[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        let rest = &bytes[end + 2..];
        body.extend_from_slice(&rest[..size.min(rest.len())]);
        let Some(rest) = rest.get(size + 2..) else {
            return (body, false);
        };
        bytes = rest;
    }
}
