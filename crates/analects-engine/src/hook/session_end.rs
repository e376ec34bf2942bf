//! A session is over: its record goes into the index, so that the next search need not read it.

use analects_world::Agent;

use super::input::Input;
use crate::verbs::Failure;
use crate::{World, sessions};

/// Reads the host's record into the index.
pub(super) fn session_end(world: &World<'_>, host: Agent, input: &Input) -> Result<(), Failure> {
    let record = input.record(world, host)?;
    sessions::refresh_one(world, &record)
        .map_err(|error| Failure::failed(format!("the session is not in the index: {error}")))
}
