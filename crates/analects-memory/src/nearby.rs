//! Just-in-time context: what a tool that touches a path brings in.
//!
//! The walk goes from the touched directory up to the project's root, like the chain at start-up, and
//! ends in the same loader, so that nothing that is in the conversation already is said again.

use analects_text::problem::Problem;
use analects_text::tokens;
use analects_text::trim::trim;
use analects_world::AbsPath;
use analects_world::files::{Files, Pick, Subdirs};

use crate::Profile;
use crate::discover::{DiscoverOptions, Places, Search, Trust};
use crate::import::Format;
use crate::layer::Layer;
use crate::load::Loader;
use crate::stack::{self, Block, Blocks};

/// What one path brings in.
#[derive(Debug, Clone, Default)]
pub struct Nearby {
    /// The new files, outermost first.
    pub fragments: Vec<Fragment>,
    /// Which new files had no room at all, if any.
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

/// Finds and reads what touching `path` brings in beyond what `loader` has read.
pub fn nearby(
    files: &dyn Files,
    places: &Places,
    options: &DiscoverOptions,
    loader: &mut Loader<'_>,
    path: &AbsPath,
    limit_tokens: usize,
) -> Nearby {
    if places.trust == Trust::Untrusted || path.as_str().len() > MAX_PATH_BYTES {
        return Nearby::default();
    }
    let mut search = Search::new(files, places, options);
    let Some((dir, root)) = start(&mut search, path) else {
        return Nearby::default();
    };
    let candidates = search.chain(&dir, &root);
    let mut problems = search.problems;
    let n_told = loader.duplicates().len();
    let (loaded, load_problems) = loader.load(&candidates, Format::Tree);
    problems.extend(load_problems);
    let said: Vec<_> = loaded
        .iter()
        .filter(|file| !trim(&file.text).is_empty())
        .collect();
    let Blocks { blocks, note } = stack::blocks(&said, limit_tokens, &mut problems);
    let echoes = loader.echoes(n_told);
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

/// The directory to start from and the root to stop at; `None` if the path lies in no project of ours.
fn start(search: &mut Search<'_>, path: &AbsPath) -> Option<(AbsPath, AbsPath)> {
    let dir = nearest_dir(search.files, path);
    let workspaces: Vec<_> = std::iter::once(&search.places.cwd)
        .chain(&search.places.include)
        .cloned()
        .collect();
    let mut roots: Vec<_> = workspaces
        .into_iter()
        .map(|dir| (search.root(&dir), dir))
        .collect();
    // The deepest root that holds the path.
    roots.sort_by_key(|(root, dir)| std::cmp::Reverse((root.depth(), dir.depth())));
    let (root, _) = roots
        .into_iter()
        .find(|(root, workspace)| match search.options.profile {
            Profile::Analects | Profile::Seed => dir.is_within(root),
            // The original knows only the directories it was started with.
            Profile::Head => dir.is_within(workspace),
        })?;
    if search.is_home(&root) {
        return None;
    }
    // A linked directory may lead out of the project; inside of it, the rules of the real place count.
    let real = search.files.real_or_same(&dir);
    if real.is_within(&root) && search.options.profile != Profile::Head {
        return Some((real, root));
    }
    let is_inside = real.is_within(&search.files.real_or_same(&root));
    is_inside.then_some((dir, root))
}

/// The path itself if it is a directory, else the nearest directory above it that exists: a tool may be
/// about to create the file.
fn nearest_dir(files: &dyn Files, path: &AbsPath) -> AbsPath {
    let pick = Pick {
        names: vec![],
        suffix: None,
        subdirs: Subdirs::Skip,
    };
    path.ancestors()
        .find(|dir| files.list_one(dir, &pick).is_ok())
        .unwrap_or_else(AbsPath::root)
}

#[cfg(test)]
mod tests;
