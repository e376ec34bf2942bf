//! Skills: which exist, what can be learned from past sessions, and what waits in the inbox to be accepted.
//!
//! Everything here reads through a door that cannot write, judges, and returns the changes that would be needed. A
//! person decides, and the engine performs them.
//!
//! ```
//! use analects_skill::skill;
//!
//! let text = "---\nname: release\ndescription: Cuts a release. Use it before every tag.\n---\n1. Tag it.\n";
//! let draft = skill::read(text, "release");
//! assert!(draft.faults.is_empty());
//! assert_eq!(draft.body, "1. Tag it.\n");
//!
//! let faults = skill::read(text, "other").faults;
//! assert_eq!(faults[0].why, "the name is `release`, but the folder is called `other`");
//! ```

pub mod catalog;
pub mod check;
pub mod codes;
pub mod eligible;
pub mod folder;
pub mod footing;
pub mod inbox;
pub mod install;
pub mod learn;
pub mod ledger;
pub mod lock;
pub mod offer;
mod origin;
pub mod package;
pub mod patch;
mod place;
pub mod quarantine;
mod refused;
mod resolve;
pub mod retold;
pub mod skill;

pub use refused::Refused;
