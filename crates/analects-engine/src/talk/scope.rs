//! What the agent that keeps memory may reach.

use analects_agent::tools::Scope;
use analects_agent::tools::scope::MemoryPlaces;
use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_world::AbsPath;

use crate::World;
use crate::load_memory::Prepared;
use crate::policies;
use crate::save_memory;
use crate::settings::keys;

/// What the agent that keeps memory may reach: memory files of the user, and of these roots (links resolved) where the
/// folder is trusted, without what rules of people take away; and what is wrong with those rules.
#[must_use]
pub fn memory_scope(
    world: &World<'_>,
    prepared: &Prepared,
    roots: &[AbsPath],
) -> (Scope, Vec<Problem>) {
    let real = |path: &AbsPath| world.files.real_or_same(path);
    let global_dir = world.around.global_dir();
    let names = prepared.settings.list(&keys::FILE_NAME);
    let is_plain =
        |name: &&String| !matches!(name.as_str(), "" | "." | "..") && !name.contains('/');
    let own = names.iter().filter(is_plain);
    let global_files: Vec<_> = own.map(|name| real(&global_dir.join(name))).collect();
    let scope = Scope::of_memory(&MemoryPlaces {
        global_dir: &real(&global_dir),
        global_files: &global_files,
        roots: match prepared.decision.trust {
            Trust::Trusted => roots,
            Trust::Untrusted => &[],
        },
        names,
    });
    let (narrows, problems) = policies::narrows(world, prepared, save_memory::NAME);
    let scope = narrows.into_iter().fold(scope, Scope::narrowed);
    (scope, problems)
}
