//! Use cases: which doors open, and in what order, for each thing a client may ask.
//!
//! A client (shell, chat, MCP) fills in a verb from [`verbs`] and gets a typed answer. Nothing here
//! prints, and nothing here touches the machine except through a [`World`].
//!
//! ```
//! use analects_engine::verbs::{Flags, Verb, memory};
//! use analects_testkit::{FakeDesk, surroundings};
//!
//! let desk = FakeDesk::parse("//- /repo/.git/\n//- /repo/GEMINI.md\nBe brief.\n");
//! let around = surroundings("/repo", "/home/u", &[]);
//! let flags = Flags { trust: true, ..Flags::default() };
//! let answer = memory::List::default().run(&desk.world(&around), &flags)?;
//! assert_eq!(answer.layers[3].files[0].path, "/repo/GEMINI.md");
//! # Ok::<(), analects_engine::verbs::Failure>(())
//! ```

// What a client may ask, and what is the same for all of it.
pub mod codes;
mod host;
mod json_edit;
mod jsonc;
mod mark;
mod private_log;
mod project_variables;
mod sequence;
pub mod settings;
mod toml_edit;
pub mod trust;
pub mod verbs;
mod when;

// Reading memory.
mod check;
mod context_limits;
mod entries;
mod examine;
mod extensions;
mod find_entries;
mod history;
pub mod identity;
pub mod load_memory;
mod pages;
pub mod prompt;
mod reload;
pub mod watch_memory;

// Writing it.
mod book;
pub mod change_entry;
pub mod consent;
mod filing;
mod place;
pub mod remember;
pub mod save_memory;
pub mod secrets;
mod tidy;
mod write;

// Sessions, and what is learned from them.
pub mod extract;
pub mod inbox;
mod install_skill;
mod pins;
pub mod sessions;
pub mod skills;

// Conversations with models, and the agents of others.
mod events;
pub mod hook;
pub mod models;
pub mod policies;
pub mod prompt_log;
pub mod setup;
pub mod talk;

pub use analects_world::World;
