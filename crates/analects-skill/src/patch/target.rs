//! What a patch may change, by where its paths really lead.

use analects_world::AbsPath;
use analects_world::files::{Files, Kind};

use crate::resolve::{kind_at, resolve};
use crate::{Refused, skill};

/// What patches of one kind may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// The notes that lie directly in this folder.
    Private(AbsPath),
    /// These files.
    Global(Vec<AbsPath>),
    /// What lies in the folders of skills that are there.
    Skills {
        /// The directories of those folders.
        roots: Vec<AbsPath>,
        /// Such a directory that is not written, because nobody trusts the project.
        barred: Option<AbsPath>,
    },
}

/// A file that may be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Its path; links are resolved where `within` is set.
    pub path: AbsPath,
    /// The directory from which it must be reached without a link; `None` if the user's own links count.
    pub within: Option<AbsPath>,
}

impl Allowed {
    /// Where a patch may write if it names `target`, or why it may not.
    pub fn locate(&self, files: &dyn Files, target: &AbsPath) -> Result<Spot, Refused> {
        let outside = |why: &'static str| Refused::Outside {
            path: target.clone(),
            why,
        };
        match self {
            Self::Private(dir) => {
                let root = resolve(files, dir).path;
                let parent = target.parent().unwrap_or_else(AbsPath::root);
                if parent != *dir && parent != root {
                    return Err(outside(
                        "only notes directly in the project's private memory",
                    ));
                }
                let name = target.file_name();
                if name.starts_with('.') || !name.ends_with(".md") {
                    return Err(outside("only notes, which end in `.md`"));
                }
                let path = root.join(name);
                match resolve(files, &path).path == path && !is_link(files, &path) {
                    true => Ok(Spot {
                        path,
                        within: Some(root),
                    }),
                    false => Err(outside("a link leads elsewhere")),
                }
            }
            Self::Global(allowed) => {
                let is_it =
                    |file: &&AbsPath| *file == target || in_real_dir(files, file) == *target;
                let file = allowed.iter().find(is_it);
                let file = file.ok_or_else(|| outside("only your own global memory"))?;
                Ok(Spot {
                    path: file.clone(),
                    within: None,
                })
            }
            Self::Skills { roots, barred } => {
                let path = resolve(files, target).path;
                let in_barred = |dir: &AbsPath| path.is_within(&resolve(files, dir).path);
                if barred.as_ref().is_some_and(in_barred) {
                    return Err(Refused::Untrusted);
                }
                let roots = roots.iter().map(|root| resolve(files, root).path);
                let root = roots.into_iter().find(|root| path.is_within(root));
                let root = root.ok_or_else(|| outside("only files of skills that are there"))?;
                let below = path.relative_to(&root).unwrap_or_default();
                let (folder, rest) = below.split_once('/').unwrap_or((below, ""));
                let manifest = root.join(folder).join(skill::FILE);
                if rest.is_empty() || kind_at(files, &manifest) != Some(Kind::File) {
                    return Err(outside("only files of skills that are there"));
                }
                if below.split('/').any(|name| name.starts_with('.')) {
                    return Err(outside("hidden files are not patched"));
                }
                match is_link(files, &path) {
                    true => Err(outside("a link leads elsewhere")),
                    false => Ok(Spot {
                        path,
                        within: Some(root),
                    }),
                }
            }
        }
    }
}

fn is_link(files: &dyn Files, path: &AbsPath) -> bool {
    kind_at(files, path) == Some(Kind::Link)
}

/// The file as it is called if the links above it are resolved.
fn in_real_dir(files: &dyn Files, file: &AbsPath) -> AbsPath {
    let dir = file.parent().unwrap_or_else(AbsPath::root);
    resolve(files, &dir).path.join(file.file_name())
}
