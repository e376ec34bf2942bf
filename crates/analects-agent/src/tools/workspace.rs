//! Where tools may work.

use analects_world::{AbsPath, Files};

use super::{Refusal, RefusalKind};

/// The directories that tools may reach. Paths are judged by where they really lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Where relative paths begin.
    pub cwd: AbsPath,
    /// What may be read and written, links resolved: the project and what else belongs to the workspace.
    pub roots: Vec<AbsPath>,
    /// What may be read besides, links resolved: whole outputs of tools that lie on disk.
    pub readable: Vec<AbsPath>,
    /// What may be written besides, links resolved: the folder of plans.
    pub writable: Vec<AbsPath>,
}

/// A path in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where it really lies; for something that is not there yet, where it would.
    pub path: AbsPath,
    /// The directory of the workspace that it lies in.
    pub root: AbsPath,
}

/// What a path is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// To be read.
    Reading,
    /// To be written.
    Writing,
}

impl Workspace {
    /// Where a path of the model's leads, if that is in the workspace.
    pub fn locate(&self, files: &dyn Files, path: &str, what_for: For) -> Result<Place, Refusal> {
        let _ = (files, what_for);
        Err(Refusal::new(RefusalKind::OutsideWorkspace, path))
    }
}
