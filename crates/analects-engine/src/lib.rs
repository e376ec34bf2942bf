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

pub mod book;
pub mod change_entry;
pub mod check;
pub mod codes;
pub mod consent;
pub mod context_limits;
pub mod entries;
pub mod events;
pub mod examine;
pub mod extensions;
pub mod extract;
pub mod filing;
pub mod find_entries;
pub mod history;
pub mod hook;
mod host;
pub mod identity;
pub mod inbox;
pub mod install_skill;
mod json_edit;
mod jsonc;
pub mod load_memory;
mod mark;
pub mod models;
pub mod pages;
pub mod pins;
pub mod place;
pub mod policies;
mod private_log;
pub mod prompt;
pub mod prompt_log;
pub mod reload;
pub mod remember;
pub mod save_memory;
pub mod secrets;
mod sequence;
pub mod sessions;
pub mod settings;
pub mod setup;
pub mod skills;
pub mod talk;
pub mod tidy;
mod toml_edit;
pub mod trust;
pub mod verbs;
pub mod watch_memory;
mod when;
pub mod write;

pub use analects_world::World;
