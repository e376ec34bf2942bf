//! Settings about the servers that an agent uses.
//!
//! Who they are stands in `mcpServers`. A project may want fewer of them than the user does, never more.

use super::{Key, Kind, Merge, OWN, SHARED, list};

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

/// Variables that the programs of a project get.
pub(crate) static PROJECT_VARIABLES: Key = Key {
    name: "security.projectVariables",
    kind: Kind::Texts,
    may_be_set_by_workspace: false,
    meaning: "Environment variables that a project's own MCP servers and hooks get beside the common ones (`PATH`, `HOME`, \
              `LANG`, …): names by project folder, as in `{\"~/src/shop\": \"DATABASE_URL, NPM_TOKEN\"}`; the folder `*` \
              is every trusted project.",
    ..OWN
};
