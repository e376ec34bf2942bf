//! One message per line, as the stdio transport has it, from a client that may send anything.
//!
//! What is too long is thrown away as it comes in and answered with an error; what is no JSON is passed
//! over in silence, since an answer could come back as more of the same. JSON that cannot be understood is
//! answered under its id, so that nobody waits for ever.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use rmcp::model::{
    ClientJsonRpcMessage, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// The longest message that is heard, here and over HTTP.
pub const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

/// A room that one long message needed is given back after it.
const KEPT_BYTES: usize = 64 * 1024;

/// Lines in, lines out.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<W>>,
    /// What has come in of the current line. It stays here when [`Transport::receive`] is given up half-way.
    line: Vec<u8>,
    /// Whether the current line was too long and the rest of it is not wanted.
    is_skipping: bool,
    /// The rest of a line that brought several messages.
    waiting: VecDeque<ClientJsonRpcMessage>,
    /// Whether the client has asked for something yet.
    is_open: bool,
    /// Set when the client is gone.
    gone: CancellationToken,
}

/// What a look at the input brought.
enum Step {
    /// The line goes on.
    More,
    /// A line is complete.
    Line,
    /// A line is longer than allowed.
    TooLong,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W, gone: CancellationToken) -> Self {
        Self {
            input: BufReader::new(input),
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            is_skipping: false,
            waiting: VecDeque::new(),
            is_open: false,
            gone,
        }
    }

    /// Reads to the end of a line; `None` at the end of the input. Nothing is lost if this is given up:
    /// bytes are taken in and noted in one go.
    async fn next(&mut self) -> Option<Step> {
        loop {
            let ready = self.input.fill_buf().await.ok()?;
            if ready.is_empty() {
                return None;
            }
            let end = ready.iter().position(|byte| *byte == b'\n');
            let part = ready.get(..end.unwrap_or(ready.len()))?;
            let n_taken = end.map_or(ready.len(), |end| end + 1);
            let step = if self.is_skipping {
                Step::More
            } else if self.line.len() + part.len() > MAX_MESSAGE_BYTES {
                Step::TooLong
            } else {
                self.line.extend_from_slice(part);
                end.map_or(Step::More, |_| Step::Line)
            };
            self.input.consume(n_taken);
            self.is_skipping = end.is_none() && (self.is_skipping || matches!(step, Step::TooLong));
            match step {
                Step::More => {}
                Step::Line => return Some(step),
                Step::TooLong => {
                    self.line = Vec::new();
                    return Some(step);
                }
            }
        }
    }

    /// Takes in the messages on the current line, if there are any.
    fn take_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        let json = line.trim_ascii();
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        // Version 2025-03-26 of the protocol has several messages in one.
        let several = match json.first() {
            Some(b'[') => serde_json::from_slice::<Vec<&RawValue>>(json).ok(),
            _ => None,
        };
        match several {
            Some(several) if !several.is_empty() => {
                for one in several {
                    self.take_message(one.get().as_bytes());
                }
            }
            _ => self.take_message(json),
        }
        line.clear();
        line.shrink_to(KEPT_BYTES);
        self.line = line;
    }

    fn take_message(&mut self, json: &[u8]) {
        match serde_json::from_slice(json) {
            Ok(message) => {
                self.is_open |= matches!(message, JsonRpcMessage::Request(_));
                // Before the first request there is nothing to notify of or to answer; a client that was cut
                // off may still send such things.
                if self.is_open {
                    self.waiting.push_back(message);
                }
            }
            Err(error) => {
                if let Some((error, id)) = complaint(json, &error) {
                    self.complain(error, id);
                }
            }
        }
    }

    /// Tells the client of a message that cannot be worked on, without waiting until it reads that.
    fn complain(&mut self, error: ErrorData, id: Option<RequestId>) {
        let sent = self.send(ServerJsonRpcMessage::error(error, id));
        tokio::spawn(async move { sent.await.unwrap_or_default() });
    }
}

/// What is said to a message that could not be read, and under which name; nothing if it is no JSON.
fn complaint(json: &[u8], error: &serde_json::Error) -> Option<(ErrorData, Option<RequestId>)> {
    // A half of a character, a number beyond all bounds and a depth that nobody needs are JSON, too.
    serde_json::from_slice::<IgnoredAny>(json).ok()?;
    let error = match error.is_data() {
        true => {
            let message = "this is no request, answer or notification";
            ErrorData::invalid_request(message, None)
        }
        false => ErrorData::parse_error(format!("cannot read this message: {error}"), None),
    };
    Some((error, asked_under(json)))
}

/// The name of a request, read from as little of it as possible. What is no request has none: whoever
/// answers badly under a name of ours must not take our answer for one to a question of its own.
fn asked_under(json: &[u8]) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct Request {
        id: Option<RequestId>,
        method: Option<IgnoredAny>,
    }
    let is_object = json.first() == Some(&b'{');
    let request: Option<Request> = is_object.then(|| serde_json::from_slice(json).ok())?;
    request
        .filter(|request| request.method.is_some())
        .and_then(|request| request.id)
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut output = output.lock().await;
            output.write_all(&line).await?;
            output.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            match self.next().await {
                Some(Step::Line | Step::More) => self.take_line(),
                Some(Step::TooLong) => {
                    let message = "this message is longer than 4 MiB";
                    self.complain(ErrorData::invalid_request(message, None), None);
                }
                None => {
                    self.gone.cancel();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.gone.cancel();
        self.output.lock().await.shutdown().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a client that sends `input` and hangs up is understood to have said.
    async fn heard(input: &[u8]) -> (Vec<String>, String) {
        let (client, server) = tokio::io::duplex(64);
        let (read, write) = tokio::io::split(server);
        let mut lines = Lines::new(read, write, CancellationToken::new());
        let input = input.to_vec();
        let (mut from, mut to) = tokio::io::split(client);
        let sending = tokio::spawn(async move {
            to.write_all(&input).await.unwrap();
            to.shutdown().await.unwrap();
        });
        let answers = tokio::spawn(async move {
            let mut text = String::new();
            tokio::io::AsyncReadExt::read_to_string(&mut from, &mut text)
                .await
                .unwrap();
            text
        });
        let mut methods = Vec::new();
        while let Some(message) = lines.receive().await {
            let message = serde_json::to_value(message).unwrap();
            methods.push(message["method"].as_str().unwrap_or("-").to_owned());
        }
        sending.await.unwrap();
        tokio::task::yield_now().await;
        lines.close().await.unwrap();
        drop(lines);
        (methods, answers.await.unwrap())
    }

    fn run(input: &[u8]) -> (Vec<String>, String) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(heard(input))
    }

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    #[test]
    fn garbage_is_passed_over_and_nonsense_is_answered() {
        let input =
            format!("\n\r\n\u{FEFF}{PING}\r\nhello\n{{\"a\":\n\0\u{7}\n[1]\n\"x\"\n{PING}\n{PING}");
        let (methods, answers) = run(input.as_bytes());
        assert_eq!(methods, ["ping", "ping"], "the last line has no end");
        assert_eq!(answers.matches("-32600").count(), 2, "{answers}");
        let (methods, answers) = run(b"\xff\xfe\n");
        assert_eq!((methods.len(), answers.as_str()), (0, ""));
    }

    #[test]
    fn json_that_cannot_be_read_is_answered_under_its_id() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        for (params, code) in [
            (r#"{"query":"abc \ud83d"}"#, -32700),
            (r#"{"limit":1e999}"#, -32700),
            (&*format!(r#"{{"x":{deep}}}"#), -32700),
            ("[]", -32600),
            (r#""x""#, -32600),
        ] {
            for id in ["7", r#""seven""#] {
                let request = format!(
                    r#"{{"jsonrpc":"2.0","method":"tools/list","params":{params},"id":{id}}}"#
                );
                let (methods, answers) = run(format!("{request}\n").as_bytes());
                assert_eq!(methods, [""; 0], "{request}");
                for part in [format!("\"id\":{id}"), format!("\"code\":{code}")] {
                    assert!(answers.contains(&part), "{request}: {answers}");
                }
            }
        }
        let (_, answers) = run(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":5e999}\n");
        assert!(!answers.contains("\"id\":7"), "no request: {answers}");
    }

    #[test]
    fn several_messages_may_come_in_one() {
        let (methods, answers) = run(format!("[{PING},{PING}]\n[{PING},7]\n[]\n").as_bytes());
        assert_eq!(methods, ["ping", "ping", "ping"]);
        assert_eq!(answers.matches("-32600").count(), 2, "{answers}");
    }

    #[test]
    fn before_the_first_request_nothing_else_counts() {
        let late =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        let (methods, _) = run(format!("{late}\n{PING}\n{late}\n").as_bytes());
        assert_eq!(methods, ["ping", "notifications/cancelled"]);
    }

    #[test]
    fn a_message_that_is_too_long_is_answered_and_the_next_one_is_heard() {
        let long = "x".repeat(MAX_MESSAGE_BYTES + 1);
        let fits = format!("{PING}{}", " ".repeat(MAX_MESSAGE_BYTES - PING.len()));
        let (methods, answers) = run(format!("{long}\n{fits}\n{long}{long}\n{PING}\n").as_bytes());
        assert_eq!(methods, ["ping", "ping"]);
        assert_eq!(answers.matches("longer than 4 MiB").count(), 2, "{answers}");
    }
}
