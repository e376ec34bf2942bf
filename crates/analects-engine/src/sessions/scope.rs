//! Which sessions the client of an MCP server may see.

use analects_world::SessionScope;

use crate::World;
use crate::load_memory::Prepared;
use crate::settings::keys;

/// The sessions that a client may see of a server that was started here: by default those of the project
/// that the server was started in. `prepared` is of the directory in which the server was started, not of
/// one that the client names.
///
/// A root at or above the home directory is no project: nearly all sessions would be held in it.
#[must_use]
pub fn client_scope(world: &World<'_>, prepared: &Prepared) -> SessionScope {
    if prepared.settings.text(&keys::MCP_SESSIONS) == "all" {
        return SessionScope::All;
    }
    let root = world.files.real_or_same(&prepared.root);
    let home = world.files.real_or_same(&world.around.home);
    if home.is_within(&root) || world.around.home.is_within(&prepared.root) {
        return SessionScope::Nothing;
    }
    SessionScope::Project(root)
}
