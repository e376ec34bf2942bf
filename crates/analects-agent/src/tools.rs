//! What a model can do besides talking.
//!
//! A tool takes arguments of a known shape ([`Wanted`]), looks at the world through the doors on its [`Bench`], and
//! answers with an [`Output`] or a [`Refusal`]. What it would write is planned here and committed by whoever runs it.
//! Names of tools and arguments are those of Gemini CLI.

mod bench;
pub mod glob;
pub mod grep_search;
pub mod list_directory;
mod output;
mod trees;
mod wanted;
mod workspace;

pub use bench::Bench;
pub use output::{Output, Refusal, RefusalKind};
pub use wanted::{Wanted, offered};
pub use workspace::{For, Place, Workspace};
