//! Talk → request: what is sent to a model, and what was left out.
//!
//! Histories in, histories and plans out. Nothing here calls a model, writes a file or reads the clock: what has to
//! happen outside is part of a plan, and the outcome is handed back.
//!
//! ```
//! use analects_chat::compress::{Answer, Ask, Status, Trigger, apply, plan};
//! use analects_chat::limits::{Limits, Wishes};
//! use analects_world::Profile;
//! use analects_world::model::{Content, Role};
//!
//! let mut history = vec![Content::text("ask", Role::User, "Port the parser. Never touch vendor/.")];
//! for step in 0..200 {
//!     let report = format!("Step {step} is done, and the tests of this part pass. ").repeat(5);
//!     history.push(Content::text(format!("m{step}"), Role::Model, report));
//!     history.push(Content::text(format!("u{step}"), Role::User, "Go on."));
//! }
//!
//! let pins = ["the build machine is called heron".to_owned()];
//! let ask = Ask {
//!     limits: &Limits::of(128_000, Profile::Analects, &Wishes::default()),
//!     trigger: Trigger::Manual,
//!     pins: &pins,
//!     focus: None,
//!     plan_file: None,
//! };
//! let plan = plan(&history, &ask).expect("there is something to cut");
//! // With a model it would be asked `plan.question()`; without one the digest stands for the past.
//! let outcome = apply(history, plan, "snapshot", Answer::NotAsked);
//!
//! assert_eq!(outcome.status, Status::Compressed);
//! assert!(outcome.after_tokens * 4 < outcome.before_tokens);
//! assert!(outcome.snapshot.is_some_and(|text| text.contains("Never touch vendor/.")));
//! assert!(outcome.history[0].texts().any(|text| text == pins[0]));
//! ```

pub mod advice;
pub mod answer;
pub mod audit;
pub mod budget;
pub mod compress;
pub mod condense;
pub mod curate;
mod excerpt;
pub mod faults;
pub mod harden;
pub mod keep;
pub mod limits;
pub mod loops;
pub mod mask;
pub mod question;
pub mod reading;
pub mod retry;
pub mod route;
mod said;
pub mod shape;
pub mod shorten;
pub mod swap;
pub mod view;
pub mod weigh;

#[cfg(test)]
mod sketch;
