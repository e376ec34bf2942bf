//! Doors: everything Analects can ask of the outside world, as small traits and plain values.
//!
//! No implementation lives here. The real doors are in `analects-host`, the fakes in `analects-testkit`; one contract
//! suite runs on both.
//!
//! ```
//! use analects_world::AbsPath;
//!
//! let root = AbsPath::new("/repo")?;
//! let file = root.join("docs/../GEMINI.md");
//! assert_eq!(file.as_str(), "/repo/GEMINI.md");
//! assert_eq!(file.relative_to(&root), Some("GEMINI.md"));
//! # Ok::<(), analects_world::path::NotAbsolute>(())
//! ```

mod agent;
pub mod ask;
mod cancel;
pub mod changes;
pub mod claim;
mod clock;
pub mod desk;
mod doors;
pub mod files;
pub mod frames;
pub mod index;
pub mod log;
pub mod model;
pub mod models;
pub mod ownership;
pub mod path;
mod profile;
pub mod programs;
pub mod progress;
pub mod provenance;
pub mod search;
pub mod servers;
pub mod shell;
mod surroundings;
pub mod tape;
pub mod watch;

pub use agent::Agent;
pub use ask::Ask;
pub use cancel::{Cancel, Listening};
pub use claim::Claims;
pub use clock::Clock;
pub use desk::Desk;
pub use doors::World;
pub use files::Files;
pub use index::Index;
pub use models::Models;
pub use path::AbsPath;
pub use profile::Profile;
pub use programs::Programs;
pub use progress::Progress;
pub use search::Search;
pub use servers::Servers;
pub use shell::Shell;
pub use surroundings::{SessionScope, Surroundings};
pub use tape::Tapes;
pub use watch::Watch;
