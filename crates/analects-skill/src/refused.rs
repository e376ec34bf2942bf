//! Why something that waits cannot be taken.

use analects_text::problem::{Code, Problem};
use analects_world::AbsPath;

use crate::codes;

/// Why something that waits cannot be taken.
///
/// One variant for each thing that a person could do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It makes no sense as a patch.
    #[error("{0}")]
    BadPatch(String),
    /// A header of a patch is no plain absolute path.
    #[error("`{0}` is not the plain absolute path of a file")]
    BadName(String),
    /// Links, or the patch itself, lead to what it may not change.
    #[error("it may not change `{path}`: {why}")]
    Outside {
        /// The file.
        path: AbsPath,
        /// Why not.
        why: &'static str,
    },
    /// It begins a file that is there.
    #[error("it begins `{0}`, which is there already")]
    Exists(AbsPath),
    /// It changes a file that is not there.
    #[error("it changes `{0}`, which is not there")]
    Missing(AbsPath),
    /// The file says something else by now.
    #[error("it does not fit what `{0}` says by now")]
    Stale(AbsPath),
    /// A file cannot be read.
    #[error("`{path}` cannot be read: {why}")]
    Unreadable {
        /// The file.
        path: AbsPath,
        /// Why.
        why: String,
    },
    /// It is no skill, or none that can be taken.
    #[error("{0}")]
    BadSkill(String),
    /// There is a skill of that name.
    #[error("a skill called `{name}` is there already: `{path}`")]
    SkillExists {
        /// The name.
        name: String,
        /// Where it is.
        path: AbsPath,
    },
    /// The project is not trusted, so its skills are not written.
    #[error("this folder is not trusted, so its skills are not written")]
    Untrusted,
    /// It is gone, or was never there.
    #[error("`{0}` is no longer there")]
    Gone(AbsPath),
}

impl Refused {
    /// The kind of problem that this is.
    #[must_use]
    pub fn code(&self) -> &'static Code {
        match self {
            Self::BadPatch(_) | Self::BadName(_) => &codes::BAD_PATCH,
            Self::Outside { .. } | Self::Untrusted => &codes::PATCH_OUTSIDE,
            Self::Exists(_) | Self::Missing(_) | Self::Stale(_) | Self::Gone(_) => {
                &codes::STALE_PATCH
            }
            Self::Unreadable { .. } | Self::BadSkill(_) => &codes::BAD_SKILL,
            Self::SkillExists { .. } => &codes::SKILL_EXISTS,
        }
    }

    /// The same as a problem of what waits at `path`.
    #[must_use]
    pub fn at(&self, path: &AbsPath) -> Problem {
        Problem::new(self.code(), self.to_string()).in_file(path)
    }
}
