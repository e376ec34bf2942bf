//! All doors together.

use crate::{
    Ask, Claims, Clock, Desk, Files, Index, Models, Programs, Progress, Search, Surroundings,
    Tapes, ask,
};

/// The doors a use case may open.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The disk, for reading.
    pub files: &'a dyn Files,
    /// Trees of it, to look through.
    pub search: &'a dyn Search,
    /// The commit point, for writing.
    pub desk: &'a dyn Desk,
    /// Records, for what only grows.
    pub tapes: &'a dyn Tapes,
    /// Claims, for work that only one may do at a time.
    pub claims: &'a dyn Claims,
    /// The index over what was said.
    pub index: &'a dyn Index,
    /// Whoever waits for long work.
    pub progress: &'a dyn Progress,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Other programs, for facts that only they know.
    pub programs: &'a dyn Programs,
    /// Models, for what only they can do.
    pub models: &'a dyn Models,
    /// The person, for consent.
    pub person: &'a dyn Ask,
    /// What the person need not be asked again.
    pub always: &'a ask::Always,
    /// Where the command runs.
    pub around: &'a Surroundings,
}
