//! One message per line, through the pipes of a program.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use analects_world::servers::Trouble;
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::Mutex;

use super::sieve::{MAX_MESSAGE_BYTES, Sieve, Sifted};
use crate::shell::kept;

/// The pipes, seen from here.
pub(super) struct Pipes {
    says: BufReader<Receiver>,
    /// What there is of the line so far.
    line: Vec<u8>,
    /// Until it is closed.
    told: Arc<Mutex<Option<Sender>>>,
    sieve: Arc<Sieve>,
}

impl Pipes {
    pub(super) fn open(ends: kept::Pipes, sieve: Arc<Sieve>) -> Result<Self, Trouble> {
        let failed = |error: io::Error| Trouble::Unreachable(error.to_string());
        let says = Receiver::from_owned_fd(OwnedFd::from(ends.says)).map_err(failed)?;
        let told = Sender::from_owned_fd(OwnedFd::from(ends.told)).map_err(failed)?;
        Ok(Self {
            says: BufReader::new(says),
            line: Vec::new(),
            told: Arc::new(Mutex::new(Some(told))),
            sieve,
        })
    }

    /// Takes a line in; whoever stops waiting for it loses nothing. `None` if there will be no more.
    async fn next_line(&mut self) -> Option<()> {
        loop {
            let piece = self.says.fill_buf().await.ok()?;
            if piece.is_empty() {
                return (!self.line.is_empty()).then_some(());
            }
            let end = memchr::memchr(b'\n', piece);
            let (n_taken, n_line) = match end {
                Some(end) => (end + 1, end),
                None => (piece.len(), piece.len()),
            };
            if self.line.len() + n_line > MAX_MESSAGE_BYTES {
                self.sieve.too_long();
                return None;
            }
            self.line
                .extend_from_slice(piece.get(..n_line).unwrap_or_default());
            self.says.consume(n_taken);
            if end.is_some() {
                return Some(());
            }
        }
    }
}

impl Transport<RoleClient> for Pipes {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.sieve.sent(&item);
        let told = Arc::clone(&self.told);
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut told = told.lock().await;
            let told = told.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            told.write_all(&line).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            self.next_line().await?;
            let sifted = self.sieve.sift(&self.line);
            self.line.clear();
            match sifted {
                Sifted::Message(message) => return Some(*message),
                Sifted::Nothing => {}
                Sifted::Enough => return None,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        // Who writes still has it; then it is closed with the program.
        if let Ok(mut told) = self.told.try_lock() {
            *told = None;
        }
        Ok(())
    }
}
