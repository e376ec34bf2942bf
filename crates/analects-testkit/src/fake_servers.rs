//! Servers that offer and answer what a test wants.

use analects_world::Cancel;
use analects_world::servers::{Connection, Server, Servers, Trouble};

/// No server can be reached.
#[derive(Debug, Default)]
pub struct FakeServers;

impl Servers for FakeServers {
    fn connect(&self, server: &Server, _: &Cancel) -> Result<Box<dyn Connection>, Trouble> {
        let message = format!("there is no `{}`", server.name);
        Err(Trouble::Unreachable(message))
    }
}
