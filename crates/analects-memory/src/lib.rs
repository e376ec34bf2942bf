//! Files → text: which memory files apply to a directory, in what order, as what text.
//!
//! The stream runs `discover` → `load` (with `import`) → `stack` → `layer` → `render`. `nearby` does the same for a
//! path that a tool touches; `check` finds what is wrong with the files. Writing goes the other way: `route` says where
//! a fact belongs, `note` where it goes in a file, `entry` finds it again, `clash` finds what contradicts it, `tidy`
//! puts all of it in order; each returns texts or steps. Everything reads through a `&dyn Files`, writes nothing, knows
//! no settings, and never fails on a file's content.
//!
//! ```
//! use analects_memory::layer::{HierarchicalMemory, Layer};
//! use analects_world::Profile;
//!
//! let mut memory = HierarchicalMemory::default();
//! memory.set(Layer::Global, "Answer in English.".to_owned());
//! memory.set(Layer::Project, "Use Go 1.22.".to_owned());
//! assert_eq!(
//!     memory.flatten(Profile::Analects),
//!     "--- Global ---\nAnswer in English.\n\n--- Project ---\nUse Go 1.22."
//! );
//! ```

pub mod check;
pub mod clash;
pub mod codes;
pub mod discover;
pub mod entry;
pub mod fingerprint;
pub mod import;
pub mod label;
pub mod layer;
pub mod load;
pub mod nearby;
pub mod note;
pub mod page;
pub mod render;
pub mod route;
pub mod stack;
pub mod tidy;
pub mod trace;

mod written;
