//! Something that waits, looked at: everything that a person needs to decide about it.

use std::collections::HashMap;
use std::fmt::Write;

use analects_session::stamp::Stamp;
use analects_text::patch::unified;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Files, Trouble, Want, Within};

use super::accept::{self, To};
use super::{Kind, Layer, Shelf, Waiting};
use crate::ledger::Ledger;
use crate::patch::{self, Edit, MAX_PATCH_BYTES};
use crate::{Refused, codes, folder, quarantine, skill};

/// Something that waits for a yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What a person calls it.
    pub id: String,
    /// What it would be.
    pub kind: Kind,
    /// What it is about, in a few words.
    pub title: String,
    /// What it does, in a sentence.
    pub description: String,
    /// When it was made, as far as is known.
    pub date: Option<Stamp>,
    /// Where it waits.
    pub path: AbsPath,
    /// What would be written: files of a patch, or where the skill may go.
    pub targets: Vec<AbsPath>,
    /// What to read before one decides: `SKILL.md`, or the change as a diff.
    pub preview: String,
    /// The other files of a skill.
    pub files: Vec<ItemFile>,
    /// Why it lies in quarantine, if it does: then it is never accepted together with others.
    pub taint: Option<String>,
    /// Whether a person said no to the very same before; who looks has to know that, and say so.
    pub was_dismissed: bool,
    /// Whether nobody was shown it yet; who looks has to know that, too.
    pub is_new: bool,
    /// Why it cannot be accepted as it is.
    pub problems: Vec<Problem>,
    /// The text that tells this candidate from others; empty if it could not be read. Of a skill it is [`skill::gist`].
    /// Unlike the preview, it may hold secrets: it is compared, never shown.
    pub gist: String,
}

/// A file that a skill brings along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemFile {
    /// Its path inside the skill.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// Looks at things that wait, each tried as far as that goes without writing.
#[must_use]
pub fn look(files: &dyn Files, shelf: &Shelf, all: &[Waiting]) -> Vec<Item> {
    let has_skill = all.iter().any(|waiting| waiting.kind == Kind::Skill);
    let dates = match has_skill {
        true => Ledger::read(files, &shelf.memory)
            .unwrap_or_default()
            .dates(),
        false => HashMap::new(),
    };
    let one = |waiting: &Waiting| match shelf.allowed(waiting.kind) {
        None => new_skill(files, shelf, waiting, &dates),
        Some(allowed) => {
            let text = patch_text(files, &waiting.path);
            let mut item = blank(waiting);
            item.date = written(files, &waiting.path);
            match text {
                Ok(text) => {
                    item.preview.clone_from(&text);
                    let tried = patch::read(&text).and_then(|patch| {
                        item.targets = patch.targets();
                        item.description = described(&patch);
                        patch.dry_run(files, &allowed)
                    });
                    match tried {
                        Ok(edits) => item.preview = edits.iter().map(shown).collect(),
                        Err(refused) => item.problems.push(refused.at(&waiting.path)),
                    }
                    item.gist = text;
                }
                Err(refused) => item.problems.push(refused.at(&waiting.path)),
            }
            item
        }
    };
    all.iter().map(one).collect()
}

fn blank(waiting: &Waiting) -> Item {
    let name = waiting.path.file_name();
    let stem = name.strip_suffix(".patch").unwrap_or(name);
    Item {
        id: waiting.id.clone(),
        kind: waiting.kind,
        title: match waiting.kind {
            Kind::Skill | Kind::SkillUpdate => stem.to_owned(),
            Kind::MemoryUpdate(Layer::Private) => "Private memory".to_owned(),
            Kind::MemoryUpdate(Layer::Global) => "Global memory".to_owned(),
        },
        description: String::new(),
        date: None,
        path: waiting.path.clone(),
        targets: Vec::new(),
        preview: String::new(),
        files: Vec::new(),
        taint: waiting
            .is_quarantined
            .then(|| quarantine::UNKNOWN.to_owned()),
        was_dismissed: false,
        is_new: false,
        problems: Vec::new(),
        gist: String::new(),
    }
}

fn new_skill(
    files: &dyn Files,
    shelf: &Shelf,
    waiting: &Waiting,
    dates: &HashMap<String, Stamp>,
) -> Item {
    let name = waiting.path.file_name();
    let mut item = blank(waiting);
    let manifest = waiting.path.join(skill::FILE);
    let mut folder = folder::read(files, &waiting.path);
    item.date = dates
        .get(name)
        .copied()
        .or_else(|| written(files, &manifest));
    for why in &folder.refusals {
        item.problems
            .push(Problem::new(&codes::BAD_SKILL, why.clone()).in_file(&waiting.path));
    }
    let history = accept::history(&folder.files);
    item.problems
        .extend(history.map(|refused| refused.at(&waiting.path)));
    let rest = match folder.files.first() {
        Some(file) if file.name == skill::FILE => folder.files.split_off(1),
        _ => std::mem::take(&mut folder.files),
    };
    let Some(file) = folder.files.pop() else {
        return item;
    };
    let draft = skill::read(&file.text, name);
    for fault in &draft.faults {
        let problem = Problem::new(&codes::BAD_SKILL, fault.why.clone()).in_file(&manifest);
        item.problems.push(problem.on_line(fault.line));
    }
    if item.problems.is_empty() {
        item.targets.push(shelf.user_skills.join(name));
        let free = accept::free(files, shelf, name, To::User);
        item.problems
            .extend(free.err().map(|refused| refused.at(&waiting.path)));
        if shelf.is_trusted {
            item.targets.push(shelf.project_skills().join(name));
        }
    }
    if let (Some(taint), Some(origin)) = (&mut item.taint, quarantine::origin(&file.text)) {
        *taint = origin;
    }
    item.description = draft.description;
    item.gist = skill::gist(&file.text);
    item.preview = file.text;
    let rest = rest.into_iter().map(|file| ItemFile {
        name: file.name,
        text: file.text,
    });
    item.files = rest.collect();
    item
}

/// What a patch does, in a sentence.
fn described(patch: &patch::Patch<'_>) -> String {
    let lines = |n: usize| match n {
        1 => "1 line".to_owned(),
        n => format!("{n} lines"),
    };
    let names: Vec<_> = patch
        .targets()
        .iter()
        .map(|path| path.file_name().to_owned())
        .collect();
    let mut said = match patch.counts() {
        (new, 0) => format!("adds {}", lines(new)),
        (0, old) => format!("takes {} away", lines(old)),
        (new, old) => format!("adds {}, takes {} away", lines(new), lines(old)),
    };
    // Writing to a string cannot fail.
    let _ = write!(said, " in {}", names.join(", "));
    said
}

fn shown(edit: &Edit) -> String {
    let path = edit.spot.path.as_str();
    let old = edit.old.as_deref();
    let old_name = old.map_or("/dev/null", |_| path);
    unified(old.unwrap_or_default(), &edit.new, old_name, path)
}

fn written(files: &dyn Files, path: &AbsPath) -> Option<Stamp> {
    let measured = files.measure(std::slice::from_ref(path)).pop()?;
    Stamp::from_ms(measured.ok()?.written_ms())
}

/// What would be wrong with something that waits if it said this, a lowercase fragment each.
#[must_use]
pub fn judge(files: &dyn Files, shelf: &Shelf, waiting: &Waiting, text: &str) -> Vec<String> {
    match shelf.allowed(waiting.kind) {
        None => {
            let faults = skill::read(text, waiting.path.file_name())
                .faults
                .into_iter();
            let told = faults.map(|fault| format!("line {}: {}", fault.line, fault.why));
            told.collect()
        }
        Some(allowed) => {
            let tried = patch::read(text).and_then(|patch| patch.dry_run(files, &allowed));
            tried.err().iter().map(ToString::to_string).collect()
        }
    }
}

/// The text of a patch that waits. One behind a link is none.
pub(crate) fn patch_text(files: &dyn Files, path: &AbsPath) -> Result<String, Refused> {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    let real = files.real_or_same(&dir).join(path.file_name());
    let want = Want {
        path: &real,
        within: Within::Itself,
        limit_bytes: MAX_PATCH_BYTES,
    };
    let blob = files.read_one(want).map_err(|trouble| match trouble {
        Trouble::Missing => Refused::Gone(path.clone()),
        Trouble::Outside => Refused::BadPatch("it is a link".to_owned()),
        other => Refused::BadPatch(other.to_string()),
    })?;
    if blob.is_cut() {
        let why = format!("it has more than {MAX_PATCH_BYTES} bytes");
        return Err(Refused::BadPatch(why));
    }
    let text = String::from_utf8(blob.bytes);
    text.map_err(|_| Refused::BadPatch("it is not UTF-8".to_owned()))
}
