//! Use cases: in what order the doors open for each thing a client may ask.
//!
//! A client (shell, chat, MCP) fills in a verb from [`verbs`] and gets a typed answer. Nothing here
//! prints, and nothing here touches the machine except through a [`World`].
//!
//! ```
//! use analects_engine::verbs::{Flags, Verb, memory};
//! use analects_engine::World;
//! use analects_testkit::FakeDesk;
//! use analects_world::{AbsPath, Surroundings};
//!
//! let desk = FakeDesk::parse("//- /repo/.git/\n//- /repo/GEMINI.md\nBe brief.\n");
//! let around = Surroundings {
//!     cwd: AbsPath::new("/repo").unwrap(),
//!     home: AbsPath::new("/home/u").unwrap(),
//!     vars: Default::default(),
//! };
//! let world = World { files: &desk, desk: &desk, programs: &desk, around: &around };
//! let flags = Flags { trust: true, ..Flags::default() };
//! let answer = memory::List {}.run(&world, &flags)?;
//! assert_eq!(answer.layers[3].files[0].path, "/repo/GEMINI.md");
//! # Ok::<(), analects_engine::verbs::Failure>(())
//! ```

pub mod check;
pub mod codes;
pub mod examine;
pub mod extensions;
pub mod identity;
mod json_edit;
mod jsonc;
pub mod load_memory;
pub mod prompt;
pub mod reload;
pub mod settings;
pub mod trust;
pub mod verbs;
pub mod write;

use analects_world::{Desk, Files, Programs, Surroundings};

/// The doors a use case may open.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The disk, for reading.
    pub files: &'a dyn Files,
    /// The commit point, for writing.
    pub desk: &'a dyn Desk,
    /// Other programs, for facts that only they know.
    pub programs: &'a dyn Programs,
    /// Where the command runs.
    pub around: &'a Surroundings,
}
