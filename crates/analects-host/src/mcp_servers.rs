//! Servers that speak MCP: programs that are started, and addresses that are called.

use analects_world::Cancel;
use analects_world::servers::{Connection, Server, Servers, Trouble};

/// The servers that can be reached from this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct McpServers;

impl Servers for McpServers {
    fn connect(&self, _: &Server, _: &Cancel) -> Result<Box<dyn Connection>, Trouble> {
        Err(Trouble::Unreachable("not yet".to_owned()))
    }
}
