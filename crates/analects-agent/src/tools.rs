//! The tools a model can call.
//!
//! A tool takes arguments of a known shape ([`Wanted`]), looks at the world through the doors on its [`Bench`], and
//! answers with an [`Output`] or a [`Refusal`]. What it would write is planned here and committed by whoever runs it.
//! Names of tools and arguments are those of Gemini CLI.

pub mod activate_skill;
pub mod ask_user;
pub(crate) mod basket;
mod bench;
pub(crate) mod gather;
pub mod glob;
pub mod grep_search;
pub mod list_directory;
pub(crate) mod look;
pub mod of_server;
mod output;
mod planned;
pub mod read_file;
pub mod read_many_files;
pub mod replace;
pub mod scope;
mod script;
mod seen;
pub mod shell;
#[cfg(test)]
pub(crate) mod stage;
mod trees;
mod wanted;
mod whole;
mod workspace;
pub mod write_file;

pub use bench::Bench;
pub use output::{Output, Refusal, RefusalKind};
pub use planned::{Planned, WHO};
pub use scope::Scope;
pub use seen::Seen;
pub use wanted::{Wanted, offered, schema};
pub use workspace::{For, Place, Workspace};
