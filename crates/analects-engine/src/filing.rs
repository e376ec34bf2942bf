//! Files one fact without a model: into the file it belongs in, unless some file already says it.
//!
//! The road of `remember`, for whoever lets an agent keep the files in order and has no model at hand. It looks through
//! all layers first, also those that no load brings in at start; asks one question where the words leave two places;
//! and tells the root file of a directory's, all in one change that is agreed to and undone as one.

mod choose;
mod known;
#[cfg(test)]
mod tests;

use analects_memory::note::Fact;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::Changes;
use analects_world::files::Files;

use crate::check;
use crate::consent::{self, Consent, Proposed};
use crate::load_memory::{self, Prepared, Started};
use crate::place::{Place, Target};
use crate::remember::{self, Reference, Remembered, Request, Slip};
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, write};
use choose::Choice;
use known::Known;

/// Whether facts are filed here: by `memory.writer`.
#[must_use]
pub(crate) fn is_on(prepared: &Prepared) -> bool {
    prepared.settings.text(&keys::WRITER) == "manager"
}

/// The same for whoever has prepared nothing yet.
pub(crate) fn is_wanted(world: &World<'_>, flags: &Flags) -> Result<bool, Failure> {
    Ok(is_on(&load_memory::prepare(world, flags)?))
}

/// At most this many directories of a project are looked into.
const MAX_DIRS: usize = 5_000;

/// Files a fact. Where a place was named, it goes there, whatever its words say.
pub(crate) fn file(
    world: &World<'_>,
    flags: &Flags,
    request: &Request<'_>,
) -> Result<Remembered, Failure> {
    if request.target != Target::Routed {
        return remember::remember(world, flags, request);
    }
    let prepared = load_memory::prepare(world, flags)?;
    let consent = remember::consent_of(&prepared, request.by)?;
    let allowed = remember::allowed(&prepared, request.allowed);
    let guarded = Guarded { allowed: &allowed };
    let fact = remember::cleaned(request, &guarded)?;
    let mut problems = prepared.problems().to_vec();
    problems.extend(remember::remarks(&fact));
    let survey = check::survey(world, &prepared, MAX_DIRS);
    let mut started = prepared.start(*world);
    if let Some(survey) = &survey {
        // What is wrong with files elsewhere is no matter of this fact.
        check::touch_all(world, &prepared, &mut started, survey);
    }
    let choice = Choice::of(world, &prepared, survey.as_ref(), &fact);
    let known = Known::read(world, &started, choice.reach(&prepared.root))?;
    if let Some(twin) = known.twin_of(&fact) {
        return Ok(twin.remembered(problems));
    }
    let chosen = choice.settle(world, flags, &prepared, &fact)?;
    problems.extend(chosen.problems);
    let job = Job {
        world,
        prepared: &prepared,
        request,
        consent,
        guarded: &guarded,
        reference: chosen
            .root
            .and_then(|root| reference(&prepared.root, &chosen.place, root)),
        doubts: doubts(&started, &known, request, &chosen.place, &fact),
        place: chosen.place,
        fact,
    };
    // What was declined is shown, as if nobody had meant it.
    let flags = Flags {
        dry_run: flags.dry_run || chosen.is_declined,
        ..*flags
    };
    let mut remembered = job.propose(&flags)?;
    remembered.decided.is_declined |= chosen.is_declined;
    remembered.problems.splice(0..0, problems);
    Ok(remembered)
}

/// Everything that was found out about a fact before it is written.
struct Job<'a> {
    world: &'a World<'a>,
    prepared: &'a Prepared,
    request: &'a Request<'a>,
    consent: Consent<'a>,
    guarded: &'a Guarded<'a>,
    reference: Option<Reference>,
    doubts: Vec<Problem>,
    place: Place,
    fact: Fact,
}

impl Job<'_> {
    /// Shows the change, and writes it once it is agreed to.
    fn propose(self, flags: &Flags) -> Result<Remembered, Failure> {
        let Self {
            world,
            prepared,
            request,
            consent,
            guarded,
            reference,
            doubts,
            place,
            fact,
        } = self;
        let is_unwanted = doubts.iter().any(|doubt| doubt.code == &codes::FORGOTTEN);
        let slip = Slip::new(world, place, fact);
        let mut plan = |files: &dyn Files| {
            let changes = slip.plan(world, files, reference.as_ref())?;
            let changes = write::hold(world, files, &prepared.root, changes)?;
            Ok(Proposed {
                title: slip.title(),
                doubts: doubts.iter().map(|doubt| doubt.message.clone()).collect(),
                is_unwanted,
                changes: Changes::new(request.who, slip.why(), changes),
            })
        };
        let mut ready = || slip.make_ready(world, flags, prepared);
        let decided = consent::propose(world, flags, consent, guarded, &mut plan, &mut ready)?;
        let noted = slip.noted(world, flags, &decided);
        Ok(Remembered {
            id: noted.id,
            text: noted.text,
            place: noted.place,
            decided,
            problems: doubts,
        })
    }
}

/// What speaks against writing this fact there.
fn doubts(
    started: &Started<'_>,
    known: &Known,
    request: &Request<'_>,
    place: &Place,
    fact: &Fact,
) -> Vec<Problem> {
    let mut doubts = known.clashes(fact);
    doubts.extend(remember::forgotten(
        request.by,
        &known.book,
        &remember::said(fact),
    ));
    let over = remember::over_budget(started, place.layer, fact.as_str(), &known.noted);
    doubts.extend(over);
    doubts
}

/// The line in the root file that tells of a directory's. It is no import: that would say everything twice.
fn reference(root: &AbsPath, place: &Place, root_place: Place) -> Option<Reference> {
    let mark = place.path.relative_to(root)?.to_owned();
    let dir = speaks_for(&place.path);
    let dir = dir.relative_to(root)?;
    // Code, so that nothing in the path is read as anything else.
    let line = format!("See `{mark}` for what holds in `{dir}` alone.");
    let line = Fact::clean(&line).ok()?;
    Some(Reference {
        place: root_place,
        line,
        mark,
    })
}

/// The directory that a memory file speaks for.
fn speaks_for(path: &AbsPath) -> AbsPath {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    match dir.file_name() {
        ".gemini" => dir.parent().unwrap_or_else(AbsPath::root),
        _ => dir,
    }
}
