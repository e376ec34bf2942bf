//! Settings about the servers that an agent uses.
//!
//! Who they are stands in `mcpServers`. A project may want fewer of them than the user does, never more.

use super::{Key, Kind, Merge, SHARED, list};

/// The only servers that are used.
pub(crate) static ALLOWED: Key = Key {
    name: "mcp.allowed",
    aliases: &["allowMCPServers"],
    kind: Kind::Names,
    meaning: "If set, the only servers of `mcpServers` that are used. Where a project sets it too, both must name a server.",
    ..SHARED
};

/// Servers that are not used.
pub(crate) static EXCLUDED: Key = Key {
    name: "mcp.excluded",
    aliases: &["excludeMCPServers"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Servers of `mcpServers` that are not used.",
    ..SHARED
};
