//! Tidies memory: finds possible steps, lets the person choose, and writes the chosen ones in one commit.
//!
//! Where the steps come from is the business of a `Source`: the rules of the memory room (`found`), or texts
//! that somebody else proposes (`proposed`). A source is asked again under all locks. What was chosen is then
//! done to the files as they are; what cannot be done any more is told.

mod book;
mod found;
mod proposed;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use analects_memory::entry;
use analects_memory::page::Page;
use analects_memory::tidy::{self, Kind, Rewrite, Step};
use analects_text::problem::Problem;
use analects_text::{patch, redact, truncate};
use analects_world::AbsPath;
use analects_world::ask::{Choice, Pick};
use analects_world::changes::Changes;
use analects_world::files::Files;

use crate::book::Book;
use crate::consent::{self, Consent, Decided, Proposed};
use crate::load_memory::{self, Prepared};
use crate::place;
use crate::remember::{self, By};
use crate::secrets::Guarded;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, write};

use found::Found;
use proposed::Texts;

/// How much is told of what was forgotten and would come back with a step.
const MAX_RAISED: usize = 10;
const MAX_RAISED_BYTES: usize = 200;

/// What is to be tidied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    /// What kinds of steps are wanted.
    pub kinds: Vec<Kind>,
    /// Only steps that change nothing but these files, or files in these directories; all if there are none.
    pub paths: Vec<AbsPath>,
}

/// Who proposes texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposer<'a> {
    /// Whose choice it is.
    pub by: By,
    /// The words for the journal.
    pub who: &'a str,
    /// What it is about, in a few words.
    pub title: &'a str,
}

/// What was offered, and what became of it.
#[derive(Debug)]
pub struct Tidied {
    /// What is known about the folder.
    pub prepared: Prepared,
    /// What was offered, in order.
    pub offers: Vec<Offer>,
    /// How many files were looked at.
    pub n_files: usize,
    /// The change, if there was one to decide about.
    pub decided: Option<Decided>,
    /// Whether nobody was there to choose.
    pub is_open: bool,
    /// What only a person can decide, and what went wrong.
    pub problems: Vec<Problem>,
}

/// A step as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The step.
    pub step: Step,
    /// What it changes, if nothing else is taken; secrets are masked.
    pub diff: String,
    /// What speaks against it.
    pub doubts: Vec<String>,
    /// Whether it brings back what a person had forgotten; then no setting may agree in their place.
    pub is_unwanted: bool,
    /// Whether it was written.
    pub is_taken: bool,
}

/// Tidies the memory that applies here by rules alone.
pub(crate) fn tidy(world: &World<'_>, flags: &Flags, wish: &Wish) -> Result<Tidied, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let (found, problems) = Found::new(world, flags, &prepared, wish);
    found.require_paths(world.files)?;
    let proposer = Proposer {
        by: By::Person,
        who: "memory tidy",
        title: "Tidy memory",
    };
    let parts = offer(world, flags, &prepared, &found, proposer)?;
    Ok(parts.into_tidied(prepared, problems))
}

/// Lets the person choose from texts that somebody proposes. A file that says something else by now than it
/// did for the proposer gets both changes, where they do not meet.
pub(crate) fn offer_texts(
    world: &World<'_>,
    flags: &Flags,
    rewrites: &[Rewrite],
    proposer: Proposer<'_>,
) -> Result<Tidied, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let texts = Texts::new(world, flags, &prepared, rewrites);
    let parts = offer(world, flags, &prepared, &texts, proposer)?;
    Ok(parts.into_tidied(prepared, Vec::new()))
}

/// Where steps come from.
trait Source {
    /// What could be done to the files as they are.
    fn look(&self, files: &dyn Files) -> Result<Sight, Failure>;

    /// The file of private notes, which has to be claimed before anything is written to it.
    fn shelf(&self) -> Option<&AbsPath>;
}

/// What could be done, and to what.
#[derive(Debug, Default)]
struct Sight {
    pages: Vec<Page>,
    steps: Vec<Step>,
    problems: Vec<Problem>,
}

/// What came of an offer.
struct Parts {
    offers: Vec<Offer>,
    n_files: usize,
    decided: Option<Decided>,
    is_open: bool,
    problems: Vec<Problem>,
}

impl Parts {
    fn into_tidied(self, prepared: Prepared, mut problems: Vec<Problem>) -> Tidied {
        problems.extend(self.problems);
        Tidied {
            prepared,
            offers: self.offers,
            n_files: self.n_files,
            decided: self.decided,
            is_open: self.is_open,
            problems,
        }
    }
}

fn offer(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    source: &dyn Source,
    proposer: Proposer<'_>,
) -> Result<Parts, Failure> {
    let consent = remember::consent_of(prepared, proposer.by)?;
    let allowed = remember::allowed(prepared, &[]);
    let guarded = Guarded { allowed: &allowed };
    let mut sight = source.look(world.files)?;
    let book = Book::read(world, world.files)?;
    let mut parts = Parts {
        offers: offers(world, &guarded, &book, &mut sight),
        n_files: sight.pages.len(),
        decided: None,
        is_open: false,
        problems: sight.problems,
    };
    world.progress.tell("tidying", 1, 1);
    if parts.offers.is_empty() {
        return Ok(parts);
    }
    let is_given = flags.dry_run || flags.yes || consent.is_given();
    let picks = match is_given {
        true => parts.offers.iter().map(|it| unasked(flags, it)).collect(),
        false => match pick(world, proposer.title, &parts.offers) {
            Some(picks) => picks,
            None => {
                parts.is_open = true;
                return Ok(parts);
            }
        },
    };
    if is_given {
        let left = parts.offers.iter().zip(&picks);
        let left = left.filter(|(_, pick)| **pick == Pick::Leave);
        parts
            .problems
            .extend(left.map(|(offer, _)| unwanted(&offer.step)));
    }
    let chosen = parts.offers.iter().zip(&picks).enumerate();
    let chosen = chosen.filter(|(_, (_, pick))| **pick == Pick::Take);
    let chosen: Vec<_> = chosen
        .map(|(at, (offer, _))| (at, offer.step.clone()))
        .collect();
    if chosen.is_empty() {
        return Ok(parts);
    }
    let done = write(
        world,
        flags,
        prepared,
        source,
        (proposer, &guarded),
        &chosen,
    )?;
    for (at, _) in &chosen {
        let is_done = done.steps.contains(at);
        parts.offers[*at].is_taken = is_done && done.decided.is_written();
        if !is_done {
            parts.problems.push(moved_on(&parts.offers[*at].step));
        }
    }
    let told = |path: &AbsPath| {
        let message = "a secret stands among what changed: `memory undo` cannot take this back";
        Problem::new(&codes::NO_WAY_BACK, message).in_file(path)
    };
    parts.problems.extend(done.sealed.iter().map(told));
    parts.decided = Some(done.decided);
    Ok(parts)
}

/// What becomes of a step that nobody is asked about.
fn unasked(flags: &Flags, offer: &Offer) -> Pick {
    match offer.is_unwanted && !flags.yes {
        true => Pick::Leave,
        false => Pick::Take,
    }
}

fn unwanted(step: &Step) -> Problem {
    let message = format!(
        "not done, because something in it was forgotten on purpose: {}",
        step.reason
    );
    Problem::new(&codes::FORGOTTEN, message)
}

/// What was written of that which was chosen.
struct Done {
    steps: Vec<usize>,
    /// Files that cannot be taken back.
    sealed: Vec<AbsPath>,
    decided: Decided,
}

fn write(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    source: &dyn Source,
    (proposer, guarded): (Proposer<'_>, &Guarded<'_>),
    chosen: &[(usize, Step)],
) -> Result<Done, Failure> {
    let (mut steps, mut sealed) = (Vec::new(), Vec::new());
    let mut plan = |files: &dyn Files| {
        let sight = source.look(files)?;
        let found = again(&sight.steps, chosen);
        let mut taken = vec![false; sight.steps.len()];
        for (step, _) in &found {
            taken[*step] = true;
        }
        let applied = tidy::apply(&sight.pages, &sight.steps, &taken);
        let kept = found
            .iter()
            .filter(|(step, _)| !applied.left.contains(step));
        steps = kept.map(|(_, at)| *at).collect();
        let planned = book::changes(world, files, &sight.pages, &applied.texts)?;
        sealed = planned.sealed;
        let changes = write::hold(world, files, &prepared.root, planned.changes)?;
        let n_steps = steps.len();
        let counted = if n_steps == 1 { "step" } else { "steps" };
        let why = format!("{n_steps} {counted} to tidy memory");
        Ok(Proposed {
            title: proposer.title.to_owned(),
            doubts: Vec::new(),
            is_unwanted: false,
            changes: Changes::new(proposer.who, why, changes),
        })
    };
    let is_touched = |shelf: &&AbsPath| chosen.iter().any(|(_, step)| step.files().contains(shelf));
    let shelf = source.shelf().filter(is_touched);
    let mut ready = || match shelf {
        Some(shelf) => claim(world, flags, prepared, shelf),
        None => Ok(()),
    };
    // The person has chosen, and each step was shown: nobody is asked twice.
    let given = Consent::Given;
    let decided = consent::propose(world, flags, given, guarded, &mut plan, &mut ready)?;
    Ok(Done {
        decided: Decided {
            diff: masked(&decided.diff),
            doubts: Vec::new(),
            ..decided
        },
        steps,
        sealed,
    })
}

/// Makes sure that the notes that something goes to are this project's own.
fn claim(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    shelf: &AbsPath,
) -> Result<(), Failure> {
    let memory = place::claim(world, flags, prepared)?;
    match shelf.parent().as_ref() == Some(&memory) {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "`{shelf}` has become the notes of another project meanwhile"
        ))
        .hint("nothing was written; try again")),
    }
}

/// Which of the steps that there are now were chosen, each with the place it was offered at.
fn again(now: &[Step], chosen: &[(usize, Step)]) -> Vec<(usize, usize)> {
    let mut open: Vec<_> = chosen.iter().collect();
    let mut found = Vec::new();
    for (index, step) in now.iter().enumerate() {
        let same = open
            .iter()
            .position(|(_, wanted)| wanted.does_the_same_as(step));
        found.extend(same.map(|same| (index, open.remove(same).0)));
    }
    found
}

fn offers(world: &World<'_>, guarded: &Guarded<'_>, book: &Book, sight: &mut Sight) -> Vec<Offer> {
    let n_steps = sight.steps.len();
    let mut offers = Vec::with_capacity(n_steps);
    let each = tidy::each(&sight.pages, &sight.steps);
    for (index, (step, applied)) in sight.steps.iter().zip(each).enumerate() {
        world.progress.tell("tidying", index, n_steps + 1);
        if let Some(problem) = secret(guarded, &sight.pages, step) {
            sight.problems.push(problem);
            continue;
        }
        let diff = diff(&sight.pages, &applied);
        if diff.is_empty() {
            continue;
        }
        let lost = match step.kind {
            Kind::Proposed => tidy::lost(&sight.pages, &applied.texts),
            // These keep what there is, whatever else is taken.
            Kind::Duplicate | Kind::Layer | Kind::Stale => Vec::new(),
        };
        let told = |lost: &tidy::Lost| format!("nothing would say \"{}\" any more", lost.text);
        let raised = match step.kind {
            Kind::Proposed => raised(book, &sight.pages, &applied),
            Kind::Duplicate | Kind::Layer | Kind::Stale => Vec::new(),
        };
        let again = raised
            .iter()
            .map(|text| format!("this was forgotten on purpose: \"{text}\""));
        offers.push(Offer {
            step: step.clone(),
            diff: masked(&diff),
            doubts: lost.iter().map(told).chain(again).collect(),
            is_unwanted: !raised.is_empty(),
            is_taken: false,
        });
    }
    offers
}

/// What a step says that no page said before, and that a person had forgotten.
fn raised(book: &Book, pages: &[Page], applied: &tidy::Applied) -> Vec<String> {
    let texts = |text: &str| entry::entries(text).into_iter().map(|entry| entry.text);
    let known: HashSet<_> = pages.iter().flat_map(|page| texts(&page.text)).collect();
    let new = applied.texts.values().flat_map(|text| texts(text));
    let new = new.filter(|text| !known.contains(text) && book.is_forgotten(text));
    new.take(MAX_RAISED)
        .map(|text| truncate::head_bytes(&text, MAX_RAISED_BYTES).to_owned())
        .collect()
}

fn diff(pages: &[Page], applied: &tidy::Applied) -> String {
    let shown = applied.texts.iter().map(|(path, new)| {
        let page = pages.iter().find(|page| page.path == *path);
        let old_name = match page {
            Some(_) => format!("{path}\tCurrent"),
            None => "/dev/null\tCurrent".to_owned(),
        };
        let old = page.map_or("", |page| page.text.as_str());
        patch::unified(old, new, &old_name, &format!("{path}\tProposed"))
    });
    shown.collect()
}

/// A secret is not taken to a place where it was not before.
fn secret(guarded: &Guarded<'_>, pages: &[Page], step: &Step) -> Option<Problem> {
    let brings = step.edits.iter().find(|edit| {
        let page = pages.iter().find(|page| page.path == edit.path);
        let (was, is) = match &edit.deed {
            tidy::Deed::Remove(_) => return false,
            tidy::Deed::Replace(range, new) => {
                let was = page.and_then(|page| page.text.get(range.clone()));
                (was.unwrap_or_default(), new)
            }
            tidy::Deed::Note(fact, _) => ("", fact),
        };
        let was = guarded.find(was);
        guarded.find(is).iter().any(|secret| !was.contains(secret))
    })?;
    let message = "what looks like a secret was not taken there";
    Some(Problem::new(&codes::SECRET_LEFT, message).in_file(&brings.path))
}

fn pick(world: &World<'_>, title: &str, offers: &[Offer]) -> Option<Vec<Pick>> {
    let choice = |offer: &Offer| Choice {
        title: offer.step.reason.clone(),
        diff: offer.diff.clone(),
        doubts: offer.doubts.clone(),
    };
    let choices: Vec<_> = offers.iter().map(choice).collect();
    let picks = world.person.pick(title, &choices)?;
    // Whoever answers to less than was asked has not agreed to the rest.
    let rest = std::iter::repeat(Pick::Leave);
    Some(picks.into_iter().chain(rest).take(offers.len()).collect())
}

fn moved_on(step: &Step) -> Problem {
    let message = format!("not done, the file has changed meanwhile: {}", step.reason);
    let problem = Problem::new(&codes::MOVED_ON, message);
    match step.edits.first() {
        Some(edit) => problem.in_file(&edit.path),
        None => problem,
    }
}

/// The lines around a change may hold a secret, and what is shown ends up in logs.
fn masked(diff: &str) -> String {
    redact::mask(diff, &redact::scan(diff))
}
