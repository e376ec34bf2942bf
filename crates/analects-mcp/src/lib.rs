//! Analects for other agents: an MCP server over stdio, and over HTTP on this machine.
//!
//! Tools, resources and prompts map to the engine's verbs. Each request loads everything afresh, in the project that
//! the client's roots name; between two requests only what a client has said is kept.
//!
//! ```no_run
//! # fn setup() -> analects_mcp::Setup { unimplemented!() }
//! use analects_mcp::{Over, serve};
//!
//! // Until the client hangs up.
//! serve(setup(), Over::Stdio)?;
//! # Ok::<(), analects_engine::verbs::Failure>(())
//! ```

mod consent;
mod exposure;
mod http;
mod news;
mod prompts;
mod resources;
mod roots;
mod rounds;
mod schema;
mod serve;
mod server;
mod setup;
mod test_tools;
mod tools;
mod wire;
mod work;

pub use serve::{Over, serve, serve_lines};
pub use setup::{Doors, Setup, TestTools};
pub use wire::MAX_MESSAGE_BYTES;
