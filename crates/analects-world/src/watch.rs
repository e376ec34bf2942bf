//! Watching: being told that a file changed, without polling.

use crate::AbsPath;

/// Tells of changes on the disk.
pub trait Watch: Send + Sync {
    /// Starts a watch, over no directory yet. `hear` is told, on a thread of the door's own, the path of
    /// everything that appeared, changed or vanished; it must not block.
    fn start(&self, hear: Hear) -> Result<Box<dyn Watching>, String>;
}

/// What is told of a change.
pub type Hear = Box<dyn Fn(AbsPath) + Send>;

/// A watch that goes on until it is dropped.
pub trait Watching: Send {
    /// Watches these directories from now on, and no others: what lies in them, not what lies deeper.
    ///
    /// Answers those that cannot be watched, with the reason.
    fn over(&mut self, dirs: &[AbsPath]) -> Vec<(AbsPath, String)>;
}
