//! Facts that wait for a yes: proposed for a project's private memory as a patch that a person applies or
//! dismisses, here or in Gemini CLI.
//!
//! There is one patch, and it grows: what waits already is never lost, and nothing is proposed that memory
//! says, that was forgotten on purpose, or that waits already.

mod known;
mod patch;

pub(super) use known::said;
pub(super) use patch::{Pending, added, require_speakable};

use analects_memory::note::{self, Style};
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::{Files, Pick};

use crate::World;
use crate::book::Book;
use crate::extract;
use crate::load_memory::Prepared;
use crate::place;
use crate::remember::{self, By};
use crate::secrets::Guarded;
use crate::verbs::{Failure, Flags};
use crate::write::{self, Written};
use known::Known;

/// How many facts wait at most; a person reads them one by one.
const MAX_FACTS: usize = 100;

/// What became of facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// The patch.
    pub path: AbsPath,
    /// The facts that are new in it, as they are written there.
    pub facts: Vec<String>,
    /// The others.
    pub left_out: Vec<LeftOut>,
    /// The change of the patch.
    pub written: Written,
}

/// A fact that is not proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The fact, as it was given; nothing of one with a secret in it.
    pub fact: String,
    /// Why not.
    pub why: Why,
}

/// Why a fact is not proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It is none: empty, or too long.
    NoFact(String),
    /// There is a secret of this kind in it.
    Secret(String),
    /// Memory says it, or nearly it, in this file.
    Known(AbsPath),
    /// It was forgotten on purpose.
    Forgotten,
    /// It waits already, or nearly it.
    Waiting,
    /// There is no place for it in the file, or too much is waiting.
    NoRoom,
}

/// Proposes facts for the private memory of this project.
pub fn propose(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    facts: &[String],
    who: &str,
) -> Result<Proposed, Failure> {
    remember::consent_of(prepared, By::Model)?;
    let memory = place::claim(world, flags, prepared)?;
    let target = memory.join("MEMORY.md");
    let inbox = memory.join(".inbox");
    let path = inbox.join("private/extraction.patch");
    require_speakable(&target)?;
    let allowed = remember::allowed(prepared, &[]);
    let mut known = Known {
        guarded: Guarded { allowed: &allowed },
        book: Book::read(world, world.files)?,
        said: known::said(world, prepared)?,
        waiting: Vec::new(),
    };
    let (mut new, mut left_out) = (Vec::new(), Vec::new());
    let mut plan = |files: &dyn Files| {
        require_rest(world, &memory)?;
        let old = write::text_of(files, &path)?;
        let base = write::text_of(files, &target)?;
        let pending = Pending::read(old.as_deref(), base.as_deref(), &target)?;
        known.waiting = waiting(files, &inbox)?;
        let mut draft = Draft {
            text: pending.text().to_owned(),
            facts: Vec::new(),
            left_out: Vec::new(),
        };
        for fact in facts {
            draft.add(&mut known, fact);
        }
        (new, left_out) = (draft.facts, draft.left_out);
        let mut changes = Vec::new();
        if !new.is_empty() {
            let text = pending.with(&draft.text);
            let old = old.as_deref().map(str::as_bytes);
            changes.push(Change::new(&path, old, Some(text.into_bytes())).owner_only());
        }
        Ok(Changes::new(who, "facts that wait for a yes", changes))
    };
    let written = write::write(world, flags, &[], &mut plan)?;
    Ok(Proposed {
        path,
        facts: new,
        left_out,
        written,
    })
}

/// The memory file as it would be.
struct Draft {
    text: String,
    facts: Vec<String>,
    left_out: Vec<LeftOut>,
}

impl Draft {
    fn add(&mut self, known: &mut Known<'_>, fact: &str) {
        let judged = known.judge(fact).and_then(|fact| {
            let insertion = note::insert(&self.text, &fact, Style::Plain);
            let room = insertion.filter(|_| known.waiting.len() < MAX_FACTS);
            room.map(|room| (fact, room)).ok_or(Why::NoRoom)
        });
        match judged {
            Ok((fact, room)) => {
                self.text = room.apply(&self.text);
                known.waiting.push(fact.clone());
                self.facts.push(fact);
            }
            Err(why) => {
                let fact = match why {
                    Why::Secret(_) => String::new(),
                    _ => fact.to_owned(),
                };
                self.left_out.push(LeftOut { fact, why });
            }
        }
    }
}

/// What waits in any patch of the inbox, a line each.
fn waiting(files: &dyn Files, inbox: &AbsPath) -> Result<Vec<String>, Failure> {
    let mut waiting = Vec::new();
    for kind in ["private", "global"] {
        let dir = inbox.join(kind);
        let Ok(listing) = files.list_one(&dir, &Pick::ending(".patch")) else {
            continue;
        };
        for found in listing.found {
            let text = write::text_of(files, &dir.join(&found.name))?;
            waiting.extend(patch::added(&text.unwrap_or_default()));
        }
    }
    Ok(waiting)
}

/// Fails while Gemini CLI looks for facts itself: it writes the same patch, and does not look first. We do.
pub(super) fn require_rest(world: &World<'_>, memory: &AbsPath) -> Result<(), Failure> {
    match extract::holder(world, memory)? {
        Some(holder) if !holder.is_ours => Err(Failure::failed(
            "Gemini CLI is looking for facts in this project's sessions",
        )
        .hint("try again when it is done")),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
