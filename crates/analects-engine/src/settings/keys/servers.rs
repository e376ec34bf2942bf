//! Settings about the servers that an agent uses.
//!
//! Who they are stands in `mcpServers`. A project may want fewer of them than the user does, never more.

use super::SettingAuthority::{UserOnly, WorkspaceMayTighten};
use super::{Key, Kind, Merge, TighteningRule, list, own, shared};

/// The only servers that are used.
pub(crate) static ALLOWED: Key = Key {
    aliases: &["allowMCPServers"],
    kind: Kind::Names,
    meaning: "If set, the only servers of `mcpServers` that are used. Where a project sets it too, both must name a server.",
    ..shared("mcp.allowed", WorkspaceMayTighten(TighteningRule::OwnItems))
};

/// Servers that are not used.
pub(crate) static EXCLUDED: Key = Key {
    aliases: &["excludeMCPServers"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Servers of `mcpServers` that are not used.",
    ..shared(
        "mcp.excluded",
        WorkspaceMayTighten(TighteningRule::OwnItems),
    )
};

/// Variables that the programs of a project get.
pub(crate) static PROJECT_VARIABLES: Key = Key {
    kind: Kind::Texts,
    meaning: "Environment variables that a project's own MCP servers and hooks get beside the common ones (`PATH`, `HOME`, \
              `LANG`, …): names by project folder, as in `{\"~/src/shop\": \"DATABASE_URL, NPM_TOKEN\"}`; the folder `*` \
              is every trusted project.",
    ..own("security.projectVariables", UserOnly)
};
