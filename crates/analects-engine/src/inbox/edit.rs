//! Edits an item before it is decided.

use analects_skill::inbox::{self, Kind, Waiting};
use analects_skill::skill;
use analects_text::{frontmatter, patch};
use analects_world::AbsPath;
use analects_world::ask::Draft;
use analects_world::changes::{Change, Changes};
use analects_world::files::{Files, Trouble};

use super::items;
use super::settle::{self, Outcome, Settlement};
use crate::World;
use crate::consent::Proposed;
use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};
use crate::write;

/// How a thing that waits is changed.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// Another file of a new skill than its `SKILL.md`, by its path inside it.
    pub file: Option<&'a str>,
    /// What it should say; without it the person is given an editor.
    pub text: Option<&'a str>,
    /// Fingerprints of findings that are no secrets.
    pub allowed: &'a [String],
    /// Who asks, for the journal.
    pub who: &'a str,
}

/// Lets the person change a file of a new skill, or a patch. It waits on, as it is then; what would be wrong
/// with it is said before it is written, and does not keep anybody from writing it.
pub fn edit(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wanted: &str,
    wish: Edit<'_>,
) -> Result<Settlement, Failure> {
    let (shelf, waiting) = items::find(world, prepared, wanted)?;
    if waiting.stays() {
        let message = format!("cannot edit `{wanted}`: where it lies is only ever read");
        return Err(Failure::failed(message).hint("accept it, and edit the skill"));
    }
    let path = draft_path(world.files, &waiting, wish.file)?;
    if let Some(file) = wish.file
        && matches!(world.files.real(&path), Err(Trouble::Missing))
    {
        return Err(no_file(&waiting, file));
    }
    let base = text_of(world.files, &path, &waiting)?;
    let mine = match wish.text {
        Some(text) => text.to_owned(),
        None => edited(world, flags, &path, &base)?,
    };
    let id = &waiting.id;
    let mut plan = |files: &dyn Files| {
        let now = text_of(files, &path, &waiting)?;
        let new = match now == base {
            true => mine.clone(),
            // Somebody else wrote it while it was edited: both changes are made, or none.
            false => patch::merge(&base, &mine, &now).map_err(|_| {
                Failure::failed(format!("`{id}` has changed meanwhile, in the same lines"))
                    .hint("edit it again")
            })?,
        };
        let mut changes = Vec::new();
        if new != now {
            let root = shelf_of(files, &waiting);
            let text = new.clone().into_bytes();
            changes.push(Change::new(&path, Some(now.as_bytes()), Some(text)).inside(&root));
        }
        Ok(Proposed {
            title: format!("Change {id}, which waits in the inbox"),
            doubts: match wish.file {
                None => inbox::judge(files, &shelf, &waiting, &new),
                Some(_) => Vec::new(),
            },
            is_unwanted: false,
            changes: Changes::new(wish.who, format!("edit {id}"), changes),
        })
    };
    let decided = settle::propose(world, flags, prepared, &waiting, wish.allowed, &mut plan)?;
    let outcome = Outcome::Decided(decided);
    Ok(Settlement { waiting, outcome })
}

/// The file that is edited, links above it resolved.
fn draft_path(
    files: &dyn Files,
    waiting: &Waiting,
    file: Option<&str>,
) -> Result<AbsPath, Failure> {
    let own = shelf_of(files, waiting).join(waiting.path.file_name());
    let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('\\');
    match (waiting.kind, file) {
        (Kind::Skill, None) => Ok(own.join(skill::FILE)),
        (Kind::Skill, Some(file)) if file.split('/').all(is_name) => Ok(own.join(file)),
        (Kind::SkillUpdate | Kind::MemoryUpdate(_), None) => Ok(own),
        (_, Some(file)) => Err(no_file(waiting, file)),
    }
}

fn no_file(waiting: &Waiting, file: &str) -> Failure {
    let (file, id) = (frontmatter::shown(file), &waiting.id);
    let failure = Failure::bad_input(format!("there is no file `{file}` in `{id}`"));
    failure.hint(format!("`analects memory inbox show {id}` names its files"))
}

/// The directory in which it waits, links resolved; from there on no link is followed.
fn shelf_of(files: &dyn Files, waiting: &Waiting) -> AbsPath {
    let dir = waiting.path.parent().unwrap_or_else(AbsPath::root);
    files.real_or_same(&dir)
}

fn text_of(files: &dyn Files, path: &AbsPath, waiting: &Waiting) -> Result<String, Failure> {
    // A link could lead anywhere, and what lies there would be written.
    if files.real_or_same(path) != *path {
        let message = format!("cannot edit `{}`: it is a link", waiting.id);
        return Err(Failure::failed(message).hint("dismiss it, or remove it by hand"));
    }
    let text = write::text_of(files, path)?;
    text.ok_or_else(|| Failure::failed(format!("`{}` is no longer there", waiting.id)))
}

fn edited(world: &World<'_>, flags: &Flags, path: &AbsPath, base: &str) -> Result<String, Failure> {
    if flags.yes {
        return Err(Failure::bad_input("what should it say?")
            .hint("give the new text with `--text`, or leave `--yes` away to get an editor"));
    }
    let draft = Draft {
        name: path.file_name(),
        text: base,
    };
    world.person.edit(&draft).map_err(|error| {
        Failure::failed(error)
            .hint("give the new text: `analects memory inbox edit ITEM --text TEXT`")
    })
}
