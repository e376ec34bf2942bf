//! The real doors: how each trait of `analects-world` is done on this machine.
//!
//! This is the only crate that touches the file system, the network, other programs, the clock and the environment. It
//! makes no decisions: no `if` here depends on what a file means.
//!
//! ```
//! use analects_host::Disk;
//! use analects_world::{AbsPath, Files};
//!
//! let files: &dyn Files = &Disk;
//! assert!(files.real(&AbsPath::root()).is_ok());
//! ```

mod checkout;
mod claim;
mod clock;
pub mod commit;
mod disk;
mod editor;
mod fnv;
pub mod http_models;
pub mod index;
mod mcp_servers;
mod pager;
mod places;
mod private_dir;
mod process_table;
mod programs;
mod reactor;
mod scratch;
mod search;
mod shell;
mod signals;
mod tape;
mod watch;

pub use claim::DiskClaims;
pub use clock::WallClock;
pub use disk::Disk;
pub use editor::edit;
pub use http_models::HttpModels;
pub use index::LazyIndex;
pub use mcp_servers::McpServers;
pub use pager::page;
pub use places::{NoPlace, surroundings};
pub use programs::RealPrograms;
pub use scratch::Scratch;
pub use search::DiskSearch;
pub use shell::RealShell;
pub use signals::{Asked, Heed, Signals, pause, watch_signals};
pub use tape::DiskTapes;
pub use watch::DiskWatch;
