//! A session is over: its record goes into the index, so that the next search need not read it.

use analects_world::{AbsPath, Agent};

use super::input::Input;
use crate::verbs::Failure;
use crate::{World, sessions};

/// Reads the host's record into the index. Only a record in the host's own place is one.
pub(super) fn session_end(world: &World<'_>, host: Agent, input: &Input) -> Result<(), Failure> {
    let path = input.transcript.as_deref();
    let path = path.and_then(|path| AbsPath::new(path).ok());
    let record = path.and_then(|path| sessions::at(world, host, &path));
    let record = record.ok_or_else(|| Failure::bad_input("the host names no record of its own"))?;
    sessions::refresh_one(world, &record)
        .map_err(|error| Failure::failed(format!("the session is not in the index: {error}")))
}
