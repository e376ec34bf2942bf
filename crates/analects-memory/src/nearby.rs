//! Just-in-time context: what a tool that touches a path brings in.
//!
//! The walk goes from the touched directory up to the project's root, like the chain at start-up, and
//! ends in the same loader, so that nothing that is in the conversation already is said again, and what
//! has changed since is.

use std::collections::BTreeSet;

use crate::discover::{DiscoverOptions, Places, Search, Trust};
use crate::layer::Layer;
use crate::load::{Brought, Loader};
use crate::stack::{self, Block, Blocks};
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_text::trim::trim;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::Files;

/// What the paths of one tool call bring in.
#[derive(Debug, Clone, Default)]
pub struct Nearby {
    /// The new and the changed files, outermost first.
    pub fragments: Vec<Fragment>,
    /// Which files had no room at all, if any; the next touch tries them again.
    pub note: Option<String>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A memory file brought in by a path.
#[derive(Debug, Clone)]
pub struct Fragment {
    /// The layer it belongs to.
    pub layer: Layer,
    /// Its text between its markers.
    pub block: Block,
}

impl Nearby {
    /// The text to put behind a tool's output; empty if there is nothing new.
    #[must_use]
    pub fn text(&self) -> String {
        if self.fragments.is_empty() {
            return String::new();
        }
        let blocks: Vec<_> = self.fragments.iter().map(|f| f.block.clone()).collect();
        let joined = stack::join(&blocks, self.note.as_deref());
        format!("--- Newly Discovered Project Context ---\n{joined}\n--- End Project Context ---")
    }

    /// What the text costs.
    #[must_use]
    pub fn tokens(&self) -> usize {
        tokens::estimate(&self.text())
    }
}

/// No tool can touch a longer path, and to walk up a path of a megabyte takes a while.
const MAX_PATH_BYTES: usize = 4096;

/// Finds and reads what touching `paths` in one go brings in beyond what the conversation of `loader`
/// holds. The order of the answer does not depend on the order of the paths.
pub fn nearby(
    files: &dyn Files,
    places: &Places,
    options: &DiscoverOptions,
    loader: &mut Loader<'_>,
    paths: &[AbsPath],
    limit_tokens: usize,
) -> Nearby {
    if places.trust == Trust::Untrusted {
        return Nearby::default();
    }
    let mut search = Search::new(files, places, options);
    let roots = roots(&mut search);
    let ends: BTreeSet<_> = paths
        .iter()
        .filter(|path| path.as_str().len() <= MAX_PATH_BYTES)
        .filter_map(|path| start(&search, &roots, path))
        .collect();
    if ends.is_empty() {
        return Nearby::default();
    }
    let candidates = search.chains(&Vec::from_iter(ends));
    let mut problems = search.problems;
    let Brought {
        loaded,
        problems: load_problems,
        echoes,
    } = loader.load_near(&candidates);
    problems.extend(load_problems);
    let said: Vec<_> = loaded
        .iter()
        .filter(|file| !trim(&file.text).is_empty())
        .collect();
    let Blocks {
        blocks,
        n_left_out,
        note,
    } = stack::blocks(&said, limit_tokens, &mut problems);
    loader.unsay(said.into_iter().take(n_left_out));
    let fragments = blocks
        .into_iter()
        .chain(echoes)
        .map(|block| Fragment {
            layer: Layer::Project,
            block,
        })
        .collect();
    Nearby {
        fragments,
        note,
        problems,
    }
}

/// The roots of all workspace directories, deepest first.
fn roots(search: &mut Search<'_>) -> Vec<(AbsPath, AbsPath)> {
    let places = search.places;
    let mut roots = vec![(search.root_of_cwd(), places.cwd.clone())];
    for include in &places.include {
        roots.push((search.root_of_include(include), include.dir.clone()));
    }
    roots.sort_by_key(|(root, dir)| std::cmp::Reverse((root.depth(), dir.depth())));
    roots
}

/// The directory to start from and the root to stop at; `None` if the path lies in no project of ours.
fn start(
    search: &Search<'_>,
    roots: &[(AbsPath, AbsPath)],
    path: &AbsPath,
) -> Option<(AbsPath, AbsPath)> {
    let dir = nearest_dir(search.files, path);
    let root_of = |dir: &AbsPath| {
        let holds = |(root, workspace): &&(AbsPath, AbsPath)| match search.options.profile {
            Profile::Analects | Profile::Seed => dir.is_within(root),
            // The original knows only the directories it was started with.
            Profile::Head => dir.is_within(workspace),
        };
        roots.iter().find(holds).map(|(root, _)| root)
    };
    // Hosts may say a path as somebody typed it, through a link to the project; we stand in the real one.
    let root = root_of(&dir).or_else(|| match search.options.profile {
        Profile::Analects | Profile::Seed => root_of(&search.files.real_or_same(&dir)),
        Profile::Head => None,
    })?;
    if search.is_home(root) {
        return None;
    }
    // A linked directory may lead out of the project; inside it, the rules of the real place count.
    let real = search.files.real_or_same(&dir);
    if real.is_within(root) && search.options.profile != Profile::Head {
        return Some((real, root.clone()));
    }
    let is_inside = real.is_within(&search.files.real_or_same(root));
    is_inside.then(|| (dir, root.clone()))
}

/// The path itself if it is a directory, else the nearest directory above it that exists: a tool may be
/// about to create the file.
fn nearest_dir(files: &dyn Files, path: &AbsPath) -> AbsPath {
    path.ancestors()
        .find(|dir| files.require_dir(dir).is_ok())
        .unwrap_or_else(AbsPath::root)
}

#[cfg(test)]
mod tests;
