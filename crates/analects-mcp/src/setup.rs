//! What a server needs to know before it serves anybody.

use std::sync::Arc;

use analects_engine::verbs::Flags;
use analects_world::{
    Claims, Clock, Desk, Files, Index, Models, Programs, Search, Surroundings, Tapes, Watch,
};

/// The doors of this machine, for as long as the server runs.
pub trait Doors: Send + Sync {
    /// The disk, for reading.
    fn files(&self) -> &dyn Files;
    /// Trees of it, to look through.
    fn search(&self) -> &dyn Search;
    /// The commit point, for writing.
    fn desk(&self) -> &dyn Desk;
    /// Records.
    fn tapes(&self) -> &dyn Tapes;
    /// Claims on work that only one may do at a time.
    fn claims(&self) -> &dyn Claims;
    /// The index over what was said.
    fn index(&self) -> &dyn Index;
    /// The clock.
    fn clock(&self) -> &dyn Clock;
    /// Other programs.
    fn programs(&self) -> &dyn Programs;
    /// Models.
    fn models(&self) -> &dyn Models;
    /// The disk, for hearing of changes.
    fn watch(&self) -> &dyn Watch;
}

/// What all connections of a server share.
#[derive(Clone)]
pub struct Setup {
    /// The doors.
    pub doors: Arc<dyn Doors>,
    /// Where the server was started; a client's roots take the place of the working directory.
    pub around: Surroundings,
    /// What was said on the command line.
    pub flags: Flags,
    /// Whether the tools of the conformance suite are there, too.
    pub test_tools: TestTools,
}

/// Whether the server offers what the conformance suite expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestTools {
    /// Only what is ours.
    Hidden,
    /// The suite's tools, resources and prompts beside ours.
    Offered,
}
