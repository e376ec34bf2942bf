//! One turn of an agent: what happens next, which tools exist, and what they may do.
//!
//! Nothing here calls a model, writes a file or asks a person: it all returns values that the engine acts on. A
//! [`turn`] says what to do next and is told the outcome; [`tools`] read and plan; [`policy`] allows or denies a call;
//! a [`mention`] brings a file along; a [`hook`] lets the user's own programs decide; a [`subagent`] runs one task;
//! [`activity`] counts what happens.
//!
//! ```
//! use analects_agent::turn::{Dialogue, End, Event, MAX_TURNS, Next, Options, Ready, Want};
//! use analects_chat::budget::Gauge;
//! use analects_chat::limits::{Limits, Wishes};
//! use analects_chat::loops;
//! use analects_world::Profile;
//! use analects_world::model::{Content, Role};
//!
//! let options = Options {
//!     session: "s".to_owned(),
//!     max_session_turns: None,
//!     max_turns: MAX_TURNS,
//!     exempt: Vec::new(),
//!     loops: loops::Options {
//!         profile: Profile::Analects,
//!         switch: loops::Switch::On,
//!         exempt_tools: Vec::new(),
//!         checks_per_prompt: 3,
//!     },
//!     shelf_dir: "/out".to_owned(),
//!     next_speaker: Want::No,
//!     plan_file: None,
//! };
//! let limits = Limits::of(128_000, Profile::Analects, &Wishes::default());
//! let mut dialogue = Dialogue::new(options, limits, Gauge::new(0), Vec::new());
//!
//! // Each step says what to do next; whoever drives the dialogue does it and reports back.
//! let prompt = Content::text("p", Role::User, "Fix the parser.");
//! let step = dialogue.step(Event::Prompt(prompt));
//! assert!(matches!(step.next, Next::Prepare { .. }));
//! let step = dialogue.step(Event::Prepared(Ready::default()));
//! assert!(matches!(step.next, Next::Route));
//! let step = dialogue.step(Event::Cancelled);
//! assert!(matches!(step.next, Next::End(End::Cancelled)));
//! ```

pub mod activity;
pub mod hook;
pub mod mention;
pub mod policy;
pub mod subagent;
pub mod tools;
pub mod turn;
