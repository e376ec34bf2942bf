//! A server for one test: a thread a connection, and what it says is up to the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

/// Long enough for the busiest machine; only a failure takes it. Shorter than the patience of whoever asks: a
/// connection must not be closed by that.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server, and what it was asked.
pub(crate) struct Server {
    pub(crate) base_url: String,
    asked: Receiver<String>,
    gone: Receiver<()>,
    n_connections: Arc<AtomicUsize>,
}

/// A request, and the connection on which it came.
pub(crate) struct Asked {
    pub(crate) head: String,
    stream: TcpStream,
}

impl Server {
    /// Starts one that does this with every request.
    pub(crate) fn start(answer: impl Fn(&mut Asked) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let (tell, asked) = mpsc::channel();
        let (leave, gone) = mpsc::channel();
        let n_connections = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&n_connections);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                seen.fetch_add(1, Ordering::SeqCst);
                let (tell, leave, answer) = (tell.clone(), leave.clone(), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &tell, &leave, &*answer));
            }
        });
        Self {
            base_url,
            asked,
            gone,
            n_connections,
        }
    }

    /// The next request, head and body.
    pub(crate) fn next(&self) -> String {
        self.asked.recv_timeout(PATIENCE).expect("a request comes")
    }

    /// Whether a request has come that nobody took notice of.
    pub(crate) fn try_next(&self) -> Option<String> {
        self.asked.try_recv().ok()
    }

    /// Waits until a client has closed its connection.
    pub(crate) fn wait_for_a_goodbye(&self) {
        self.gone.recv_timeout(PATIENCE).expect("the client leaves");
    }

    pub(crate) fn n_connections(&self) -> usize {
        self.n_connections.load(Ordering::SeqCst)
    }
}

impl Asked {
    /// Sends these bytes as they are.
    pub(crate) fn say(&mut self, bytes: impl AsRef<[u8]>) {
        // Who asked may be gone, and want no answer any more.
        let _ = self.stream.write_all(bytes.as_ref());
    }

    /// Sends these bytes as they are; whether anybody takes them.
    pub(crate) fn goes_on(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).is_ok()
    }

    /// Waits until the client closes the connection.
    pub(crate) fn wait_for_the_end(&mut self) {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest);
    }

    /// Closes the connection.
    pub(crate) fn hang_up(&mut self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

fn serve(
    mut stream: TcpStream,
    tell: &Sender<String>,
    leave: &Sender<()>,
    answer: &dyn Fn(&mut Asked),
) {
    while let Some(request) = read_request(&mut stream) {
        let head = request.clone();
        let _ = tell.send(request);
        let mut asked = Asked {
            head,
            stream: stream.try_clone().unwrap(),
        };
        answer(&mut asked);
    }
    let _ = leave.send(());
}

/// Head and body of a request; `None` once there is none any more.
pub(crate) fn read_request(stream: &mut impl Read) -> Option<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        bytes.extend(byte);
    }
    let head = String::from_utf8(bytes).unwrap();
    let lower = head.to_lowercase();
    let length = lower.split("content-length: ").nth(1);
    let length = length.and_then(|rest| rest.split("\r\n").next()?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8(body).unwrap())
}

/// A whole stream of events.
pub(crate) fn sse(body: &str) -> String {
    whole("200 OK", "text/event-stream", body)
}

/// A JSON document.
pub(crate) fn json(status: &str, body: &str) -> String {
    whole(status, "application/json; charset=UTF-8", body)
}

/// An answer with its length.
pub(crate) fn whole(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
}

/// The head of a stream that has no end yet.
pub(crate) const ENDLESS: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// A piece of such a stream.
pub(crate) fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}
