//! Puts a change that a model wants into the inbox instead of asking: it is added to a patch there.
//!
//! The change is planned on memory as it would be with what waits already, so that each thing that waits can be taken
//! with those before it. Only what Gemini CLI's own inbox can apply waits: a change of the user's own memory or of the
//! private notes on this project. Everything else is still asked for.

use analects_skill::inbox::{self, Kind, Layer, Shelf, Waiting};
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, Form};
use analects_world::files::Files;

use super::items::shelf_in;
use super::propose::{Pending, require_rest, require_speakable};
use crate::World;
use crate::consent::Proposed;
use crate::load_memory::Prepared;
use crate::place;
use crate::secrets::Guarded;
use crate::talk::staged::Staged;
use crate::verbs::{Failure, Flags};
use crate::write::{self, Before};

/// Puts what `plan` answers into the inbox, and shows what it would do to memory; `None` if it cannot wait there.
pub(crate) fn wait(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    guarded: &Guarded<'_>,
    plan: &mut dyn FnMut(&dyn Files) -> Result<Proposed, Failure>,
) -> Result<Option<String>, Failure> {
    let global = world.files.real_or_same(&world.around.global_dir());
    let is_near = |change: &Change| world.files.real_or_same(&change.path).is_within(&global);
    if !seen(world, &plan(world.files)?.changes).all(is_near) {
        return Ok(None);
    }
    // What was prepared does not know of a folder that is made only now.
    let shelf = shelf_in(world, prepared, place::claim(world, flags, prepared)?);
    let mut shown = None;
    let mut grow = |files: &dyn Files| {
        require_rest(world, &shelf.memory)?;
        let mut growing = Growing::read(files, &shelf)?;
        let ahead = Staged::retold(files, world.search, growing.texts(files)?);
        let proposed = plan(ahead.files())?.changes;
        let before = Before::read(ahead.files(), &proposed)?;
        guarded.check(&before, &proposed)?;
        shown = Some(before.diff(&proposed, &|path| !write::is_own(world, path)));
        for change in seen(world, &proposed) {
            if growing.add(files, change)?.is_none() {
                shown = None;
            }
        }
        let is_taken = shown.is_some() && growing.can_be_taken(files);
        let changes = match is_taken {
            true => growing.changes(),
            false => Vec::new(),
        };
        shown = shown.take().filter(|_| is_taken);
        Ok(Changes::new(proposed.who, proposed.why, changes))
    };
    write::write(world, flags, &[], &mut grow)?;
    Ok(shown)
}

/// The changes that are the user's; our bookkeeping is left out.
fn seen<'a>(world: &World<'_>, changes: &'a Changes) -> impl Iterator<Item = &'a Change> {
    let files = changes.files.iter();
    files.filter(|change| !write::is_own(world, &change.path))
}

/// The two patches that grow: of the private notes, and of the user's own memory.
struct Growing<'a> {
    shelf: &'a Shelf,
    patches: [Patch; 2],
}

/// One of them.
struct Patch {
    waiting: Waiting,
    old: Option<String>,
    text: Option<String>,
}

impl<'a> Growing<'a> {
    fn read(files: &dyn Files, shelf: &'a Shelf) -> Result<Self, Failure> {
        let read = |layer, id: &str| -> Result<Patch, Failure> {
            let path = shelf.memory.join(".inbox").join(id);
            let old = write::text_of(files, &path)?;
            let waiting = Waiting {
                id: id.to_owned(),
                kind: Kind::MemoryUpdate(layer),
                path,
                is_quarantined: false,
            };
            let text = old.clone();
            Ok(Patch { waiting, old, text })
        };
        let patches = [
            read(Layer::Private, "private/extraction.patch")?,
            read(Layer::Global, "global/extraction.patch")?,
        ];
        Ok(Self { shelf, patches })
    }

    /// Memory as it would be with what waits, file by file, without links.
    fn texts(&self, files: &dyn Files) -> Result<Vec<(AbsPath, String)>, Failure> {
        let mut texts = Vec::new();
        for patch in self
            .patches
            .iter()
            .filter_map(|patch| patch.text.as_deref())
        {
            for target in Pending::targets(patch)? {
                let base = write::text_of(files, &target)?;
                let pending = Pending::read(Some(patch), base.as_deref(), &target)?;
                texts.push((files.real_or_same(&target), pending.text().to_owned()));
            }
        }
        Ok(texts)
    }

    /// Adds a change to the patch that it belongs to; `None` if it belongs to none.
    fn add(&mut self, files: &dyn Files, change: &Change) -> Result<Option<()>, Failure> {
        let text = change.text.as_deref().filter(|_| change.form == Form::File);
        let Some(text) = text.and_then(|text| std::str::from_utf8(text).ok()) else {
            return Ok(None);
        };
        let Some((at, target)) = self.place(files, &change.path) else {
            return Ok(None);
        };
        require_speakable(&target)?;
        let base = write::text_of(files, &target)?;
        let [private, global] = &mut self.patches;
        let patch = match at {
            Layer::Private => private,
            Layer::Global => global,
        };
        let pending = Pending::read(patch.text.as_deref(), base.as_deref(), &target)?;
        patch.text = Some(pending.with(text));
        Ok(Some(()))
    }

    /// Whose memory a file is, and by which name a patch calls it.
    fn place(&self, files: &dyn Files, path: &AbsPath) -> Option<(Layer, AbsPath)> {
        let real = files.real_or_same(path);
        let mut own = self.shelf.global_files.iter();
        if let Some(named) = own.find(|named| files.real_or_same(named) == real) {
            return Some((Layer::Global, named.clone()));
        }
        let memory = files.real_or_same(&self.shelf.memory);
        let inside = real.relative_to(&memory)?;
        Some((Layer::Private, self.shelf.memory.join(inside)))
    }

    /// Whether every patch could be accepted as it is now.
    fn can_be_taken(&self, files: &dyn Files) -> bool {
        self.patches.iter().all(|patch| match &patch.text {
            Some(text) if patch.text != patch.old => {
                inbox::judge(files, self.shelf, &patch.waiting, text).is_empty()
            }
            _ => true,
        })
    }

    fn changes(self) -> Vec<Change> {
        let grown = self.patches.into_iter().filter(|it| it.text != it.old);
        let change = |patch: Patch| {
            let old = patch.old.as_deref().map(str::as_bytes);
            let text = patch.text.map(String::into_bytes);
            Change::new(&patch.waiting.path, old, text).owner_only()
        };
        grown.map(change).collect()
    }
}

#[cfg(test)]
mod tests;
