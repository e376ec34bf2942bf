//! Sub-agents: agents that are given one task; what defines one, and when it must stop.
//!
//! A [`Definition`] says what it is told, which tools it has and how long it may take. An [`Errand`] is one run of it:
//! a [`crate::turn::Dialogue`] that knows the time, hears when the task is done (`complete_task`), and gives the model
//! one last turn to say what it found when its time or its turns are over.

pub mod codes;
pub mod complete_task;
pub mod confucius;
mod definition;
mod errand;
pub mod invoke_agent;
pub mod memory_agent;
mod schema;
mod template;

pub use complete_task::NAME as COMPLETE_TASK;
pub use definition::{Definition, LIMIT_BYTES, Output, Reading, Surroundings, Toolset, read};
pub use errand::{Answered, Errand, Finished, Limits, Offers, Reason};
pub use invoke_agent::NAME as INVOKE_AGENT;
pub use template::TemplateError;
