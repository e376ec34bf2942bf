//! Lists the items that wait, and where.

use analects_memory::discover::Trust;
use analects_skill::codes;
use analects_skill::inbox::{self, Item, Shelf, Waiting};
use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::seen::{self, Seen};
use crate::World;
use crate::book::Book;
use crate::identity;
use crate::load_memory::Prepared;
use crate::remember;
use crate::secrets::Guarded;
use crate::settings::called;
use crate::verbs::{Failure, Flags};

/// How many things wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub n_all: usize,
    /// Those that nobody was shown yet.
    pub n_new: usize,
}

/// How many things wait here. Directories are listed and no thing is opened, so that a status line can ask at every
/// prompt; one that cannot be accepted as it is counts too, since somebody has to look at it.
#[must_use]
pub fn count(world: &World<'_>, prepared: &Prepared) -> Count {
    let memory = place(world, prepared);
    let all = memory.map_or_else(Vec::new, |memory| inbox::waiting(world.files, &memory));
    let is_new = match all.is_empty() {
        true => Vec::new(),
        false => Seen::read(world).are_new(world.files, &all),
    };
    Count {
        n_all: all.len(),
        n_new: is_new.into_iter().filter(|is_new| *is_new).count(),
    }
}

/// Notes that a person was shown these: from now on they are not new.
pub fn seen(world: &World<'_>, flags: &Flags, prepared: &Prepared, items: &[Item]) {
    let memory = place(world, prepared);
    let there = memory.map_or_else(Vec::new, |memory| inbox::waiting(world.files, &memory));
    let is_shown = |one: &&Waiting| items.iter().any(|item| item.id == one.id);
    let shown: Vec<_> = there.iter().filter(is_shown).cloned().collect();
    seen::note(world, flags, &shown, &there);
}

/// Everything that waits here, looked at and tried: all that a list with a preview needs.
///
/// Patches are tried against their files as they are now, new skills are judged by the standard, and secrets are
/// masked. What speaks against an item stands in its `problems`; one without problems can be accepted.
pub fn items(world: &World<'_>, prepared: &Prepared) -> Result<Vec<Item>, Failure> {
    let Some(shelf) = shelf(world, prepared) else {
        return Ok(Vec::new());
    };
    let all = inbox::waiting(world.files, &shelf.memory);
    looked_at(world, prepared, &shelf, &all)
}

/// The one thing that somebody means by its id, or by its last name; as [`items`] tells of it.
pub fn item(world: &World<'_>, prepared: &Prepared, wanted: &str) -> Result<Item, Failure> {
    let (shelf, waiting) = find(world, prepared, wanted)?;
    let mut found = looked_at(world, prepared, &shelf, &[waiting])?;
    found.pop().ok_or_else(|| unknown(wanted))
}

/// The private memory folder whose inbox this is: the one that Gemini CLI uses for this project, if it knows it.
#[must_use]
pub fn place(world: &World<'_>, prepared: &Prepared) -> Option<AbsPath> {
    match prepared.places.private.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        // A worktree hears the notes of its main checkout as well, and has an inbox of its own.
        [.., last] => {
            let own = identity::registered_folder(world, &prepared.root);
            own.or_else(|| Some(last.clone()))
        }
    }
}

/// Where things wait here and where they may go; `None` if this project has no private folder yet.
pub(crate) fn shelf(world: &World<'_>, prepared: &Prepared) -> Option<Shelf> {
    let memory = place(world, prepared)?;
    Some(shelf_in(world, prepared, memory))
}

/// The same for this private memory folder.
pub(super) fn shelf_in(world: &World<'_>, prepared: &Prepared, memory: AbsPath) -> Shelf {
    let global = world.around.global_dir();
    let names = called::own(&prepared.settings);
    let files = names.iter().filter(|name| !name.contains('/'));
    Shelf {
        memory,
        global_files: files.map(|name| global.join(name)).collect(),
        user_skills: global.join("skills"),
        root: prepared.root.clone(),
        is_trusted: prepared.decision.trust == Trust::Trusted,
    }
}

/// What somebody means, if it is one thing.
pub(super) fn find(
    world: &World<'_>,
    prepared: &Prepared,
    wanted: &str,
) -> Result<(Shelf, Waiting), Failure> {
    let shelf = shelf(world, prepared).ok_or_else(|| unknown(wanted))?;
    let all = inbox::waiting(world.files, &shelf.memory);
    match inbox::meant(&all, wanted).as_slice() {
        [] => Err(unknown(wanted)),
        [one] => Ok((shelf, (*one).clone())),
        several => {
            let ids: Vec<_> = several.iter().map(|one| one.id.as_str()).collect();
            let hint = format!("say which one: {}", ids.join(", "));
            Err(Failure::bad_input(format!("`{wanted}` could be several things")).hint(hint))
        }
    }
}

fn unknown(wanted: &str) -> Failure {
    let wanted = analects_text::frontmatter::shown(wanted);
    Failure::bad_input(format!("nothing called `{wanted}` waits in the inbox"))
        .hint("`analects memory inbox list` names all that waits")
}

fn looked_at(
    world: &World<'_>,
    prepared: &Prepared,
    shelf: &Shelf,
    all: &[Waiting],
) -> Result<Vec<Item>, Failure> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let allowed = remember::allowed(prepared, &[]);
    let guarded = Guarded { allowed: &allowed };
    let book = Book::read(world, world.files)?;
    let mut items = inbox::look(world.files, shelf, all);
    let are_new = Seen::read(world).are_new(world.files, all);
    for (item, is_new) in items.iter_mut().zip(are_new) {
        item.is_new = is_new;
        item.was_dismissed = !item.gist.is_empty() && book.is_buried(&item.gist);
        mask(item, &guarded);
    }
    Ok(items)
}

/// Takes secrets out of what is shown, and says that they are there.
fn mask(item: &mut Item, guarded: &Guarded<'_>) {
    let texts = item.files.iter_mut().map(|file| &mut file.text);
    let mut kinds = Vec::new();
    for text in texts.chain([&mut item.preview, &mut item.description]) {
        let found = guarded.find(text);
        if !found.is_empty() {
            kinds.extend(found.into_iter().map(|secret| secret.kind));
            *text = guarded.mask(text);
        }
    }
    kinds.sort();
    kinds.dedup();
    if !kinds.is_empty() {
        let message = format!("this looks like a secret ({})", kinds.join(", "));
        let problem = Problem::new(&codes::SECRET_WAITS, message).in_file(&item.path);
        item.problems.push(problem);
    }
}
