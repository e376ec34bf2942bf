//! Stores whole tool outputs before they are cut.

use analects_chat::keep::{Keep, Kept};
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::Files;

use crate::verbs::Flags;
use crate::{World, write};

/// Puts each text on disk, unless it is there already. A file with another text stays as it is, and a disk that
/// refuses is no failure: what is not kept is not cut either.
pub(super) fn keep(world: &World<'_>, flags: &Flags, keeps: &[Keep]) -> Vec<Kept> {
    let one = |keep: &Keep| match kept(world, flags, keep) {
        Some(()) => Kept::Saved,
        None => Kept::Failed,
    };
    keeps.iter().map(one).collect()
}

fn kept(world: &World<'_>, flags: &Flags, keep: &Keep) -> Option<()> {
    let path = AbsPath::new(&keep.path).ok()?;
    let mut is_another = false;
    let mut plan = |files: &dyn Files| {
        let there = write::bytes_of(files, &path)?;
        let change = match there.as_deref() {
            None => vec![Change {
                trace: Trace::Nothing,
                ..Change::new(&path, None, Some(keep.text.clone().into_bytes())).owner_only()
            }],
            Some(there) => {
                is_another = there != keep.text.as_bytes();
                Vec::new()
            }
        };
        Ok(Changes::new("talk", "the whole output of a tool", change))
    };
    let written = write::write(world, flags, &[], &mut plan);
    (written.is_ok() && !is_another && !flags.dry_run).then_some(())
}
