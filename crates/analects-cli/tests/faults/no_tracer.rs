//! Stands in for the tracer where nobody has written one for the machine: nothing can be traced there.

use std::process::Command;

use crate::fault::{Fault, Time, Traced};
use crate::place::Place;

impl Place {
    /// Never called: who cannot trace is not asked to.
    pub(crate) fn trace(&self, _: &Command, _: Fault, _: Time) -> Traced {
        unreachable!("nothing can be traced on this machine")
    }
}

/// Whether processes can be watched here at all.
pub(crate) fn can_trace() -> Result<(), String> {
    Err("processes are traced on x86-64 only".to_owned())
}
