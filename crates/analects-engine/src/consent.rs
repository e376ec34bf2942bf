//! Asks before writing: shows the change, takes the answer, and writes exactly what was shown.
//!
//! No lock is held while a person thinks. If the files change meanwhile, the change is made anew on what
//! they say by then, and shown again.

use analects_text::patch;
use analects_world::AbsPath;
use analects_world::ask::{Answer, Deed, Draft, Proposal, Reach};
use analects_world::changes::{Change, Changes, Form};
use analects_world::desk::{CommitError, Receipt};
use analects_world::files::Files;

use crate::World;
use crate::inbox;
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::verbs::{Failure, Flags};
use crate::write::{self, Before};

/// How often a change is shown anew before we give up on a file that will not rest.
const MAX_ROUNDS: usize = 10;

/// A change that wants consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// What it is about, in a few words.
    pub title: String,
    /// What speaks against it, a sentence each.
    pub doubts: Vec<String>,
    /// Whether the person once decided otherwise; then no setting and no host may agree in their place.
    pub is_unwanted: bool,
    /// The change itself.
    pub changes: Changes,
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The change as it was shown last, or written.
    pub diff: String,
    /// What spoke against it, a sentence each.
    pub doubts: Vec<String>,
    /// The commit; `None` if nothing was written.
    pub receipt: Option<Receipt>,
    /// Whether the person said no.
    pub is_declined: bool,
    /// Whether the person changed the text.
    pub is_edited: bool,
    /// Whether it waits in the inbox.
    pub is_waiting: bool,
}

impl Decided {
    /// Whether something was written.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.commit().is_some()
    }

    /// The name of the commit.
    #[must_use]
    pub fn commit(&self) -> Option<&str> {
        self.receipt.as_ref()?.id.as_deref()
    }
}

/// How consent is given where no person says it.
#[derive(Debug, Clone, Copy)]
pub enum Consent<'a> {
    /// It has to be asked for, as long as the setting does not say otherwise.
    Ask,
    /// It has to be asked for, whatever the settings say.
    Person,
    /// It is given: by `--yes`, or by a setting.
    Given,
    /// Nobody is asked now: it waits in the inbox of this project, or is asked for if it cannot.
    Later(&'a Prepared),
}

impl Consent<'_> {
    /// Whether nobody needs to say anything any more.
    #[must_use]
    pub fn is_given(self) -> bool {
        matches!(self, Self::Given)
    }
}

/// Proposes what `plan` answers, and commits it once the person agrees.
///
/// `ready` is called after consent and before the commit, for what must be in place by then. New text goes
/// past `guarded`, whoever wrote it.
pub fn propose(
    world: &World<'_>,
    flags: &Flags,
    consent: Consent<'_>,
    guarded: &Guarded<'_>,
    plan: &mut dyn FnMut(&dyn Files) -> Result<Proposed, Failure>,
    ready: &mut dyn FnMut() -> Result<(), Failure>,
) -> Result<Decided, Failure> {
    let mut edit: Option<Edit> = None;
    for round in 0..MAX_ROUNDS {
        let planned = plan(world.files)?;
        let mut proposed = planned.clone();
        if let Some(edit) = &mut edit {
            edit.apply(world, &mut proposed.changes)?;
        }
        let before = Before::read(world.files, &proposed.changes)?;
        guarded.check(&before, &proposed.changes)?;
        let diff = diff(world, &before, &proposed.changes);
        let doubts = proposed.doubts.clone();
        let decided = |receipt: Option<Receipt>, diff: String| Decided {
            diff,
            doubts: doubts.clone(),
            receipt,
            is_declined: false,
            is_edited: edit.is_some(),
            is_waiting: false,
        };
        if flags.dry_run || proposed.changes.files.is_empty() {
            return Ok(decided(None, diff));
        }
        let is_open = !consent.is_given() || proposed.is_unwanted;
        let needs_answer = is_open && !flags.yes && !is_covered(world, &proposed);
        if let (Consent::Later(prepared), true) = (consent, needs_answer && !proposed.is_unwanted) {
            ready()?;
            if let Some(diff) = inbox::wait(world, flags, prepared, guarded, plan)? {
                return Ok(Decided {
                    is_waiting: true,
                    ..decided(None, diff)
                });
            }
        }
        if needs_answer {
            let proposal = Proposal {
                deed: Deed::Write,
                always: match visible(world, &proposed.changes).len() {
                    1 => "this file",
                    _ => "these files",
                },
                title: &proposed.title,
                diff: &diff,
                doubts: &proposed.doubts,
                // Whoever wants to look at everything later has not let a host agree to what cannot wait.
                is_unwanted: proposed.is_unwanted || matches!(consent, Consent::Later(_)),
                is_anew: round > 0 && edit.is_none(),
                may_edit: editable(world, &proposed.changes).is_some(),
            };
            match world.person.consent(&proposal) {
                Answer::Yes => {}
                Answer::Always => world.always.add(visible(world, &proposed.changes)),
                Answer::No => {
                    return Ok(Decided {
                        is_declined: true,
                        ..decided(None, diff)
                    });
                }
                Answer::Edit => {
                    edit = Some(Edit::make(world, &proposed.changes)?);
                    continue;
                }
                Answer::Nobody => return Err(nobody(&proposed, consent, world.person.reach())),
            }
        }
        ready()?;
        // What a person agreed to is what is written, and nothing else. Who approved without a look at it has
        // approved of the same change on a file that says more by now.
        let is_bound = needs_answer && world.person.reach() != Reach::Approved;
        let mut again = |files: &dyn Files| {
            let now = plan(files)?;
            if now == planned {
                return Ok(Some(proposed.changes.clone()));
            }
            guarded.check(&Before::read(files, &now.changes)?, &now.changes)?;
            let is_open = is_bound || needs_answer && now.is_unwanted;
            Ok((!is_open).then_some(now.changes))
        };
        if let Some((receipt, diff)) = commit(world, &mut again)? {
            return Ok(decided(Some(receipt), diff));
        }
    }
    Err(Failure::failed("the file keeps changing")
        .hint("close the program that keeps writing it, and try again"))
}

/// Proposes what `plan` answers to a person, whatever the settings say; nothing has to be in place before the commit.
pub(crate) fn ask_person(
    world: &World<'_>,
    flags: &Flags,
    guarded: &Guarded<'_>,
    plan: &mut dyn FnMut(&dyn Files) -> Result<Proposed, Failure>,
) -> Result<Decided, Failure> {
    propose(world, flags, Consent::Person, guarded, plan, &mut || Ok(()))
}

/// Makes a change anew; `None` if that is not what was agreed to.
type Replan<'a> = dyn FnMut(&dyn Files) -> Result<Option<Changes>, Failure> + 'a;

/// Commits what `plan` answers; `None` if that is no longer what was agreed to.
fn commit(world: &World<'_>, plan: &mut Replan<'_>) -> Result<Option<(Receipt, String)>, Failure> {
    let mut shown = String::new();
    let mut failed = None;
    let mut look_and_plan = |files: &dyn Files| {
        let planned = plan(files).and_then(|changes| {
            let Some(changes) = changes else {
                return Ok(None);
            };
            let before = Before::read(files, &changes)?;
            shown = diff(world, &before, &changes);
            Ok(Some(before.sealed(changes)))
        });
        planned.unwrap_or_else(|failure| {
            failed = Some(failure);
            None
        })
    };
    let committed = world.desk.commit(&[], &mut look_and_plan);
    if let Some(failure) = failed {
        return Err(failure);
    }
    match committed {
        Ok(receipt) => Ok(Some((receipt, shown))),
        Err(CommitError::Abandoned) => Ok(None),
        Err(error) => Err(write::failure(&error)),
    }
}

/// What a person made of a proposed text.
struct Edit {
    path: AbsPath,
    /// What the file held when it was edited.
    base: String,
    text: String,
}

impl Edit {
    fn make(world: &World<'_>, changes: &Changes) -> Result<Self, Failure> {
        let Some((change, text)) = editable(world, changes) else {
            return Err(Failure::failed("this change cannot be edited"));
        };
        let draft = Draft {
            name: change.path.file_name(),
            text,
        };
        let edited = world.person.edit(&draft).map_err(Failure::failed)?;
        Ok(Self {
            path: change.path.clone(),
            base: write::text_of(world.files, &change.path)?.unwrap_or_default(),
            text: edited,
        })
    }

    /// Puts the person's text in the place of the proposed one. If the file has changed since, both changes
    /// are made; where they meet, the person is shown both.
    fn apply(&mut self, world: &World<'_>, changes: &mut Changes) -> Result<(), Failure> {
        let old = write::text_of(world.files, &self.path)?;
        let now = old.as_deref().unwrap_or_default();
        if now != self.base {
            self.text = match patch::merge(&self.base, &self.text, now) {
                Ok(merged) => merged,
                Err(both) => {
                    let draft = Draft {
                        name: self.path.file_name(),
                        text: &both,
                    };
                    world.person.edit(&draft).map_err(Failure::failed)?
                }
            };
            now.clone_into(&mut self.base);
        }
        let mut files = changes.files.iter();
        let at = files.position(|change| change.path == self.path);
        let planned = at.map(|at| changes.files.remove(at));
        if self.text != now || old.is_none() {
            let old = old.as_deref().map(str::as_bytes);
            let mut change = Change::new(&self.path, old, Some(self.text.clone().into_bytes()));
            // Whoever changes the words does not change where they may go, nor who may read them.
            if let Some(planned) = planned {
                (change.within, change.access) = (planned.within, planned.access);
            }
            changes.files.insert(0, change);
        }
        Ok(())
    }
}

/// The change of the user's own files; our bookkeeping is left out.
fn diff(world: &World<'_>, before: &Before, changes: &Changes) -> String {
    let shown: Vec<_> = shown(world, changes).map(|change| &change.path).collect();
    let is_shown = |path: &AbsPath| match shown.is_empty() {
        true => !write::is_own(world, path),
        false => shown.contains(&path),
    };
    before.diff(changes, &is_shown)
}

/// What a person sees of a change. What waited in the inbox goes with what it became, and is not shown beside it.
fn shown<'a>(world: &World<'_>, changes: &'a Changes) -> impl Iterator<Item = &'a Change> {
    let shown = |change: &&Change| !write::is_own(world, &change.path) && !inbox::is_spent(change);
    changes.files.iter().filter(shown)
}

/// The one file of a change that a person would edit, with its new text.
fn editable<'a>(world: &World<'_>, changes: &'a Changes) -> Option<(&'a Change, &'a str)> {
    let mut shown = shown(world, changes);
    let (change, None) = (shown.next()?, shown.next()) else {
        return None;
    };
    let text = std::str::from_utf8(change.text.as_deref()?).ok()?;
    (change.form == Form::File).then_some((change, text))
}

fn is_covered(world: &World<'_>, proposed: &Proposed) -> bool {
    // A doubt is a question of its own: "always" did not answer it.
    proposed.doubts.is_empty()
        && world
            .always
            .covers(visible(world, &proposed.changes).iter())
}

/// The files of a change that are the user's, links resolved.
fn visible(world: &World<'_>, changes: &Changes) -> Vec<AbsPath> {
    let paths = changes.files.iter().map(|change| &change.path);
    let shown = paths.filter(|path| !write::is_own(world, path));
    shown.map(|path| world.files.real_or_same(path)).collect()
}

fn nobody(proposed: &Proposed, consent: Consent<'_>, reach: Reach) -> Failure {
    let title = &proposed.title;
    let (whose, hints) = match reach {
        Reach::Shell => ("your", ways(proposed, consent)),
        // Whoever hears this is no person, and must not get around one.
        Reach::Agent | Reach::Approved => ("the user's", vec![LEAVE_IT]),
    };
    let failure = Failure::failed(format!(
        "nothing was written: \"{title}\" needs {whose} consent, and nobody gave it"
    ));
    let doubts = proposed.doubts.iter().cloned();
    let hints = doubts.chain(hints.into_iter().map(str::to_owned));
    hints.fold(failure, Failure::hint)
}

/// What an agent hears whose user has not agreed.
const LEAVE_IT: &str =
    "only the user can agree to this: tell them what you wanted to write, and leave it to them";

/// How a person can still agree to a change.
fn ways(proposed: &Proposed, consent: Consent<'_>) -> Vec<&'static str> {
    const NOW: &str = "consent with `--yes`, or look at the change with `--dry-run`";
    match consent {
        Consent::Person => vec![NOW],
        // No setting agrees to what was forgotten on purpose.
        Consent::Ask | Consent::Given if proposed.is_unwanted => vec![NOW],
        Consent::Ask | Consent::Given => vec![
            "consent with `--yes`, or look at the change with `--dry-run`; where nobody is ever there, the \
             setting `memory.consent` may say `auto`",
        ],
        Consent::Later(_) => vec![
            "the setting `memory.consent` is `inbox`, and this change cannot wait there",
            NOW,
        ],
    }
}

#[cfg(test)]
mod tests;
