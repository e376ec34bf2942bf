//! The side of the server that talks to clients: HTTP by hyper, and whatever is below HTTP by hand.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use super::deliver::{self, Head, Parcel, Step};
use super::log::{Log, Watch};
use super::received::Received;
use super::script::Script;
use super::strict;

/// What all connections share.
pub(super) struct Shop {
    pub(super) log: Arc<Log>,
    pub(super) script: Mutex<Script>,
}

/// Serves whoever comes, until somebody wants to stop.
pub(super) async fn serve(listener: TcpListener, shop: Arc<Shop>, mut stop: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    tokio::spawn(connection(stream, Arc::clone(&shop)));
                }
            }
            _ = &mut stop => return,
        }
    }
}

/// What is to go out in place of a head, if anything.
type Below = Arc<Mutex<Option<(Vec<Step>, Watch)>>>;

async fn connection(stream: TcpStream, shop: Arc<Shop>) {
    // Pieces are to arrive as they were sent; without this the kernel may put them together.
    let _ = stream.set_nodelay(true);
    let below = Below::default();
    let service =
        service_fn(|request| Box::pin(answer(request, Arc::clone(&shop), Arc::clone(&below))));
    let mut http = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // However it ends: who left is noted by the watch, and what hyper thinks of it does not matter.
    let _ = poll_fn(|cx| http.poll_without_shutdown(cx)).await;
    let mut stream = http.into_parts().io.into_inner();
    let left = below.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((steps, watch)) = left {
        write(&mut stream, steps, watch).await;
    }
    let _ = stream.shutdown().await;
}

/// The connection ends without a head.
#[derive(Debug)]
struct NoHead;

impl std::fmt::Display for NoHead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no head")
    }
}

impl std::error::Error for NoHead {}

async fn answer(
    request: Request<Incoming>,
    shop: Arc<Shop>,
    below: Below,
) -> Result<Response<Pour>, NoHead> {
    let mut received = read(request).await.map_err(|_| NoHead)?;
    let parcel = {
        let mut script = shop.script.lock().unwrap_or_else(PoisonError::into_inner);
        match strict::check(&received, script.key) {
            Ok(()) => deliver::pack(script.take(&received), &received),
            Err(refused) => {
                received.refused = Some(refused.message.clone());
                deliver::refusal(&received, &refused)
            }
        }
    };
    let watch = shop.log.receive(received);
    if parcel.holds_head {
        watch.hold().await;
    }
    let Parcel { head, steps, .. } = parcel;
    let Some(head) = head else {
        *below.lock().unwrap_or_else(PoisonError::into_inner) = Some((steps, watch));
        return Err(NoHead);
    };
    let (pour, poured) = mpsc::channel(1);
    tokio::spawn(run(steps, pour, watch));
    Ok(response(head, poured))
}

async fn read(request: Request<Incoming>) -> Result<Received, hyper::Error> {
    let (head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes().to_vec();
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        let value = String::from_utf8_lossy(value.as_bytes());
        (name.as_str().to_owned(), value.into_owned())
    };
    Ok(Received {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head.headers.iter().map(header).collect(),
        json: deliver::read_json(&body),
        body,
        refused: None,
    })
}

fn response(head: Head, poured: mpsc::Receiver<Result<Bytes, Broken>>) -> Response<Pour> {
    let mut response = Response::builder().status(head.status);
    for (name, value) in head.headers {
        response = response.header(name, value);
    }
    let response = response.body(Pour(poured));
    response.expect("invariant: scripts name headers that exist")
}

/// The connection breaks in the middle of a body.
#[derive(Debug)]
struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken on purpose")
    }
}

impl std::error::Error for Broken {}

/// A body that is filled from elsewhere.
struct Pour(mpsc::Receiver<Result<Bytes, Broken>>);

impl Body for Pour {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let next = self.0.poll_recv(cx);
        next.map(|next| next.map(|piece| piece.map(Frame::data)))
    }
}

/// Carries out the steps, as fast as the client reads and as long as it is there.
async fn run(steps: Vec<Step>, pour: mpsc::Sender<Result<Bytes, Broken>>, watch: Watch) {
    for step in steps {
        let is_there = match step {
            Step::Bytes(bytes) => pour.send(Ok(bytes)).await.is_ok(),
            Step::Again { piece, times } => again(&pour, &piece, times).await,
            Step::Hold => tokio::select! {
                () = watch.hold() => true,
                () = pour.closed() => false,
            },
            Step::Cut => {
                // A place in the channel means that hyper has what went before.
                let _ = pour.reserve().await;
                let _ = pour.send(Err(Broken)).await;
                return watch.over();
            }
        };
        if !is_there {
            return;
        }
    }
    watch.over();
}

async fn again(pour: &mpsc::Sender<Result<Bytes, Broken>>, piece: &Bytes, times: u64) -> bool {
    for _ in 0..times {
        if pour.send(Ok(piece.clone())).await.is_err() {
            return false;
        }
    }
    true
}

async fn write(stream: &mut TcpStream, steps: Vec<Step>, watch: Watch) {
    for step in steps {
        let done = match step {
            Step::Bytes(bytes) => stream.write_all(&bytes).await,
            Step::Again { piece, times } => write_again(stream, &piece, times).await,
            Step::Hold => tokio::select! {
                () = watch.hold() => Ok(()),
                error = gone(stream) => Err(error),
            },
            Step::Cut => break,
        };
        if done.is_err() {
            return;
        }
    }
    watch.over();
}

async fn write_again(stream: &mut TcpStream, piece: &[u8], times: u64) -> io::Result<()> {
    for _ in 0..times {
        stream.write_all(piece).await?;
    }
    Ok(())
}

/// Ends when the client has left.
async fn gone(stream: &mut TcpStream) -> io::Error {
    let mut more = [0; 512];
    loop {
        match stream.read(&mut more).await {
            Ok(0) => return io::ErrorKind::UnexpectedEof.into(),
            Ok(_) => {}
            Err(error) => return error,
        }
    }
}
