//! Which sub-agents there are.

use analects_agent::subagent::Definition;
use analects_text::problem::Problem;

use crate::World;
use crate::load_memory::Prepared;

/// The sub-agents that the main agent can send.
pub(super) fn gather(_: &World<'_>, _: &Prepared) -> (Vec<Definition>, Vec<Problem>) {
    (Vec::new(), Vec::new())
}
