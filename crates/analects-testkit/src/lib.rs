//! For tests only: file trees written as text, fake doors, the contracts that fake and real doors keep, scripted
//! models, and generated past sessions whose lessons are known.
//!
//! A fake door behaves; it does not merely remember calls. Our own rooms are never faked.
//!
//! ```
//! use analects_testkit::{FakeFiles, Fixture};
//! use analects_world::files::{Files, Want, Within};
//! use analects_world::AbsPath;
//!
//! let disk = FakeFiles::new(&Fixture::parse("//- /repo/GEMINI.md\nBe brief.\n"));
//! let path = AbsPath::new("/repo/GEMINI.md").unwrap();
//! let files: &dyn Files = &disk;
//! let blob = files.read_one(Want { path: &path, within: Within::Anywhere, limit_bytes: 100 }).unwrap();
//! assert_eq!(blob.bytes, b"Be brief.\n");
//! ```
#![expect(
    clippy::unwrap_used,
    reason = "a broken fixture should stop its test at once"
)]

pub mod beside;
pub mod contract;
pub mod corpus;
mod fake_claims;
mod fake_desk;
mod fake_files;
mod fake_index;
mod fake_person;
mod fake_search;
mod fake_servers;
mod fake_shell;
mod fake_tapes;
mod fixture;
mod live_files;
pub mod model_server;
mod moved_clock;
mod place;
pub mod say;
mod scripted_models;
mod show;
mod small_model;

pub use beside::{Beside, Round};
pub use fake_claims::FakeClaims;
pub use fake_desk::FakeDesk;
pub use fake_files::FakeFiles;
pub use fake_index::FakeIndex;
pub use fake_person::FakePerson;
pub use fake_search::FakeSearch;
pub use fake_servers::{Called, FakeServers, offered};
pub use fake_shell::{FakeShell, Ran, RunEnd, fed};
pub use fake_tapes::FakeTapes;
pub use fixture::{Entry, Fixture};
pub use live_files::LiveFiles;
pub use model_server::ModelServer;
pub use moved_clock::MovedClock;
pub use place::surroundings;
pub use scripted_models::{Asked, End, Scripted, ScriptedModels};
pub use show::show_problems;
pub use small_model::SmallModel;
