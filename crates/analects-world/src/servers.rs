//! Tools that other programs offer: servers that speak MCP.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::{AbsPath, Cancel};

/// Reaches servers.
pub trait Servers: Sync {
    /// Starts or calls a server, and asks what it offers. It may be cancelled, and takes no longer than the server may.
    ///
    /// What a server that is a program started is ended with the connection.
    fn connect(&self, server: &Server, cancel: &Cancel) -> Result<Box<dyn Connection>, Trouble>;
}

/// A server that answers.
pub trait Connection: Send + Sync {
    /// What it offers.
    fn offer(&self) -> &Offer;

    /// Uses a tool of it; `hear` is told how far that is, in the server's words. It takes no longer than the server may,
    /// nor than `whole_ms`.
    fn call(
        &self,
        tool: &str,
        args: &Map<String, Value>,
        whole_ms: Option<u64>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Answer, Trouble>;
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    /// What the user calls it.
    pub name: String,
    /// Where it is.
    pub reach: Reach,
    /// The directories of the project, for a server that asks for them.
    pub roots: Vec<AbsPath>,
    /// How long it may take to answer anything.
    pub timeout_ms: u64,
}

/// Where a server is.
#[derive(Clone, PartialEq, Eq)]
pub enum Reach {
    /// A program that is started, and spoken to through its pipes.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Where it runs.
        dir: AbsPath,
        /// Its whole environment.
        vars: BTreeMap<String, String>,
    },
    /// An address that is posted to, and streams.
    Http {
        /// The address.
        url: String,
        /// What goes along with every request; there may be secrets in it.
        headers: BTreeMap<String, String>,
    },
}

/// Without values of variables and headers: there are secrets among them.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, what) = match &self.reach {
            Reach::Program { command, .. } => ("program", command),
            Reach::Http { url, .. } => ("http", url),
        };
        write!(f, "Server({} {kind} {what})", self.name)
    }
}

/// What a server offers, within bounds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Offer {
    /// How its tools are to be used, in its own words.
    pub instructions: String,
    /// Its tools.
    pub tools: Vec<Offered>,
    /// Whether there was more than we take.
    pub is_cut: bool,
}

/// A tool of a server, in its own words. Nothing of it is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Offered {
    /// Its name on the server.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The schema of its arguments, as the server says.
    pub schema: Value,
    /// What the server says about it: `readOnlyHint` and the like.
    pub annotations: Map<String, Value>,
}

/// What a tool of a server answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// What it says, piece by piece.
    pub pieces: Vec<Piece>,
    /// Whether the server says that it failed.
    pub is_error: bool,
    /// Whether there was more than we take.
    pub is_cut: bool,
}

/// A piece of what a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words, or the text of a resource.
    Text(String),
    /// An image or a sound, in base64.
    Media {
        /// What it is.
        mime: String,
        /// The bytes.
        data: String,
    },
}

/// Why a server did not answer, in words that name no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It could not be started or reached.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// It took too long.
    #[error("it took longer than {0} ms")]
    TimedOut(u64),
    /// It is gone.
    #[error("it is gone: {0}")]
    Gone(String),
    /// What it said is no MCP, or too much.
    #[error("it makes no sense: {0}")]
    Nonsense(String),
    /// It refused the request.
    #[error("it refused: {0}")]
    Refused(String),
    /// Somebody cancelled it.
    #[error("it was cancelled")]
    Cancelled,
}
