//! One run of learning, from taking the lock to recording the outcome.
//!
//! Wherever it is killed, the next one goes on: a lock whose process is gone means nothing, a run that did not come to
//! its end is noted as one before it begins, and everything else is written whole.

use analects_session::stamp::Stamp;
use analects_skill::eligible::{self, Eligible, MAX_NEW, Mark};
use analects_skill::ledger::{self, Finished, Learner, Ledger, Unread, Version};
use analects_text::problem::Problem;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::Files;
use analects_world::{AbsPath, Cancel};

use super::hold::{self, Taken};
use super::mode::{self, Mode};
use super::shelf::{self, Shelf};
use super::survey::{self, Limits, MAX_RECORD_BYTES};
use super::{Job, Made, Occasion, Outcome, Report, Wish, confucius, local};
use crate::load_memory::{self, Prepared};
use crate::verbs::{Failure, Flags};
use crate::{World, codes, inbox, place, sessions, write};

/// Learns from past sessions, if there is anything new in them.
///
/// With `--dry-run` it says what it would look at, and writes nothing at all.
pub fn run(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wish: &Wish,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let learners = Learners {
        local: &local::learn,
        model: &confucius::send,
    };
    run_with(world, flags, prepared, wish, cancel, learners)
}

/// A run that nobody asked for and nobody waits for: only if it is time, and only if something may be written.
pub fn in_background(world: &World<'_>, flags: &Flags, cancel: &Cancel) -> Result<Report, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    if flags.dry_run {
        return Ok(Report::new(Mode::Off));
    }
    let wish = Wish {
        occasion: Occasion::Background,
        since: None,
        all: false,
        model: false,
    };
    run(world, flags, &prepared, &wish, cancel)
}

/// Those who learn; a test has others.
#[derive(Clone, Copy)]
pub(super) struct Learners<'a> {
    /// Without a model.
    pub(super) local: &'a dyn Fn(&Job<'_>) -> Result<Made, Failure>,
    /// With one, which is told what was found without.
    pub(super) model: &'a dyn Fn(&Job<'_>, &str) -> Result<Made, Failure>,
}

pub(super) fn run_with(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wish: &Wish,
    cancel: &Cancel,
    learners: Learners<'_>,
) -> Result<Report, Failure> {
    let mode = match mode::mode(world, prepared) {
        Mode::Local if wish.model => Mode::Model,
        mode => mode,
    };
    let mut report = Report::new(mode);
    if mode == Mode::Off {
        return Ok(report);
    }
    let known = inbox::place(world, prepared);
    let mut run = Run {
        world,
        flags,
        prepared,
        wish,
        cancel,
        learners,
        memory: known.clone().unwrap_or_else(AbsPath::root),
        learner: match mode {
            Mode::Off | Mode::Local => Learner::Local,
            Mode::Model => Learner::Model,
        },
    };
    let goes_on = || !cancel.is_cancelled();
    if flags.dry_run {
        if run.look(&mut report, &goes_on)? && mode == Mode::Model {
            run.estimate(&mut report);
        }
        return Ok(report);
    }
    match known {
        Some(_) if run.rests(&mut report)? => return Ok(report),
        Some(_) => {}
        // A project that nobody knows gets a folder once there is something to put into it.
        None if !run.look(&mut report, &goes_on)? => return Ok(report),
        None => run.memory = place::claim(world, flags, prepared)?,
    }
    let hold = match hold::take(world, &run.memory)? {
        Taken::Ours(hold) => hold,
        Taken::Busy(holder) => {
            report.outcome = Outcome::Busy(holder);
            return Ok(report);
        }
    };
    let beat = || hold.beat();
    let goes_on = || !cancel.is_cancelled() && beat();
    if run.look(&mut report, &goes_on)? {
        run.learn(&mut report, &beat)?;
    }
    Ok(report)
}

struct Run<'a> {
    world: &'a World<'a>,
    flags: &'a Flags,
    prepared: &'a Prepared,
    wish: &'a Wish,
    cancel: &'a Cancel,
    learners: Learners<'a>,
    memory: AbsPath,
    learner: Learner,
}

impl Run<'_> {
    /// Whether it is too early for a run that nobody asked for. Looked at before the lock is taken: most often it is.
    fn rests(&self, report: &mut Report) -> Result<bool, Failure> {
        if self.wish.occasion == Occasion::Asked {
            return Ok(false);
        }
        let ledger = self.ledger(self.world.files, &mut Vec::new())?;
        let interval_ms = mode::interval_ms(&self.prepared.settings);
        let rest_ms = ledger.rest_ms(self.world.clock.now_ms(), interval_ms);
        if let Some(ms) = rest_ms {
            report.outcome = Outcome::Resting { ms };
        }
        Ok(rest_ms.is_some())
    }

    /// Looks what there is to learn from; whether there is.
    fn look(&self, report: &mut Report, goes_on: &dyn Fn() -> bool) -> Result<bool, Failure> {
        // Somebody may have had the lock since.
        if self.rests(report)? {
            return Ok(false);
        }
        let ledger = self.ledger(self.world.files, &mut report.problems)?;
        let limits = Limits {
            rules: mode::rules(&self.prepared.settings),
            max_record_bytes: MAX_RECORD_BYTES,
            since: self.wish.since,
        };
        let Some(mut survey) = survey::survey(self.world, self.prepared, limits, goes_on) else {
            report.outcome = Outcome::Stopped;
            return Ok(false);
        };
        ledger.mark(self.learner, &mut survey.sessions);
        if self.wish.all {
            renew(&mut survey.sessions);
        }
        report.problems.append(&mut survey.problems);
        report.indexed = eligible::indexed(&survey.sessions);
        report.survey = survey;
        let is_new = report.survey.n_new() > 0;
        report.outcome = match is_new {
            true => Outcome::Planned,
            false => Outcome::NothingNew,
        };
        Ok(is_new)
    }

    /// Says what a model would cost, or that none can be asked.
    fn estimate(&self, report: &mut Report) {
        let estimate = confucius::estimate(&self.job(report, &|| true), "");
        match estimate {
            Ok(estimate) => report.estimate = Some(estimate),
            Err(failure) => report.problems.push(not_asked(&failure)),
        }
    }

    fn job<'b>(&'b self, report: &'b Report, beat: &'b (dyn Fn() -> bool + Sync)) -> Job<'b> {
        Job {
            world: *self.world,
            flags: self.flags,
            prepared: self.prepared,
            memory: self.memory.clone(),
            sessions: &report.survey.sessions,
            indexed: &report.indexed,
            index: eligible::index(&report.indexed),
            cancel: self.cancel,
            beat,
        }
    }

    /// Has the sessions learned from, and notes what came of it.
    fn learn(&self, report: &mut Report, beat: &(dyn Fn() -> bool + Sync)) -> Result<(), Failure> {
        let at = sessions::now(self.world)?;
        let before = Shelf::look(self.world.files, &self.memory);
        let candidates = self.candidates(report);
        self.note(&mut |ledger| ledger.begin(at, self.learner, &candidates))?;
        let job = self.job(report, beat);
        let learned = self.ask(&job);
        if !beat() {
            // What lies there now is the work of whoever has the lock.
            report.outcome = Outcome::Stopped;
            return Ok(());
        }
        let is_over = self.cancel.is_cancelled();
        let made = match learned {
            Ok(made) => made,
            Err(_) if is_over => Made::default(),
            Err(failure) => {
                self.finish(at, &Made::failed(), Vec::new(), &[])?;
                return Err(failure);
            }
        };
        let mut news = Shelf::look(self.world.files, &self.memory).news(&before);
        let (flags, prepared) = (self.flags, self.prepared);
        let taken_back = shelf::sift(self.world, flags, prepared, &before, &mut news.patches)?;
        if is_over {
            // What was made stays; the sessions are looked at again another time.
            self.note(&mut |ledger| ledger.withdraw(at))?;
            report.outcome = Outcome::Stopped;
        } else {
            let made = Made {
                skills: news.skills.clone(),
                patches: news.patches.iter().map(|patch| patch.id.clone()).collect(),
                ..made.clone()
            };
            let candidates = match made.was_not_tried() {
                true => Vec::new(),
                false => candidates,
            };
            self.finish(at, &made, candidates, &self.memory_patches(&news.patches))?;
            report.outcome = Outcome::Done;
        }
        report.take(made, news);
        report.problems.extend(taken_back);
        Ok(())
    }

    /// Asks the learner, and then the model, if one is wanted.
    fn ask(&self, job: &Job<'_>) -> Result<Made, Failure> {
        let mut made = (self.learners.local)(job)?;
        if self.learner == Learner::Local || !job.goes_on() {
            return Ok(made);
        }
        match (self.learners.model)(job, &drafted(&made)) {
            Ok(sent) => made.add(sent),
            Err(failure) => {
                // What needs no model was done all the same.
                made.add(Made::failed());
                made.problems.push(not_asked(&failure));
            }
        }
        Ok(made)
    }

    /// The sessions that a model has before it.
    fn candidates(&self, report: &Report) -> Vec<Version> {
        let new = report.indexed.iter();
        let new = new.filter(|session| session.mark.is_new());
        match self.learner {
            Learner::Local => Vec::new(),
            Learner::Model => new.map(Version::of).collect(),
        }
    }

    fn finish(
        &self,
        at: Stamp,
        made: &Made,
        candidates: Vec<Version>,
        memory_patches: &[String],
    ) -> Result<(), Failure> {
        // Without a word on how it ended, no model was there to ask.
        let learner = match made.reason.as_str() {
            "" => Learner::Local,
            _ => self.learner,
        };
        let read = made.processed.iter();
        let read: Vec<_> = read.map(|(id, at)| Version::new(id, *at)).collect();
        // What was read without a model is still new to one, ours or Gemini CLI's.
        let (candidates, processed) = match learner {
            Learner::Local => (read, Vec::new()),
            Learner::Model => (candidates, read),
        };
        let finished = Finished {
            learner,
            candidates,
            processed,
            skills: made.skills.clone(),
            memory_patches: memory_patches.to_vec(),
            n_turns: made.n_turns,
            ms: self.world.clock.now_ms().saturating_sub(at.as_ms()),
            reason: made.reason.clone(),
        };
        self.note(&mut |ledger| ledger.finish(at, &finished))
    }

    /// Patches of memory, as the ledger names them.
    fn memory_patches(&self, patches: &[inbox::Waiting]) -> Vec<String> {
        let memory = patches
            .iter()
            .filter(|patch| matches!(patch.kind, inbox::Kind::MemoryUpdate(_)));
        let names = memory.filter_map(|patch| patch.path.relative_to(&self.memory));
        names.map(str::to_owned).collect()
    }

    /// Changes the ledger.
    fn note(&self, change: &mut dyn FnMut(&mut Ledger)) -> Result<(), Failure> {
        let path = ledger::place(&self.memory);
        let mut plan = |files: &dyn Files| {
            let old = write::bytes_of(files, &path)?;
            let mut problems = Vec::new();
            let mut ledger = self.ledger(files, &mut problems)?;
            change(&mut ledger);
            let new = ledger.print().into_bytes();
            // Nobody takes this back with `memory undo`: it is what happened. But what made no sense to us may to others.
            let trace = match problems.is_empty() {
                true => Trace::Nothing,
                false => Trace::Text,
            };
            let change = Change::new(&path, old.as_deref(), Some(new)).leaving(trace);
            Ok(Changes::new(
                "skill extract",
                "what a run did",
                vec![change],
            ))
        };
        write::write(self.world, self.flags, &[], &mut plan)?;
        Ok(())
    }

    /// What earlier runs did. What makes no sense is told and begun anew; what cannot be read stops us.
    fn ledger(&self, files: &dyn Files, problems: &mut Vec<Problem>) -> Result<Ledger, Failure> {
        let path = ledger::place(&self.memory);
        match Ledger::read(files, &self.memory) {
            Ok(ledger) => Ok(ledger),
            Err(unread @ Unread::Senseless) => {
                let problem = Problem::new(&codes::BAD_LEDGER, unread.to_string());
                problems.push(problem.in_file(&path));
                Ok(Ledger::default())
            }
            Err(unread @ (Unread::Long | Unread::Trouble(_))) => {
                Err(Failure::failed(format!("cannot read `{path}`: {unread}")))
            }
        }
    }
}

/// All sessions once more, the newest as new ones.
fn renew(sessions: &mut [Eligible]) {
    for (idx, session) in sessions.iter_mut().enumerate() {
        session.mark = match idx < MAX_NEW {
            true => Mark::New { n_attempts: 0 },
            false => Mark::Old,
        };
    }
}

/// What was found without a model, for one to go on from.
fn drafted(made: &Made) -> String {
    let lines = made.skills.iter().map(|name| format!("- {name}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn not_asked(failure: &Failure) -> Problem {
    let message = format!("no model learned from sessions: {failure}");
    Problem::new(&codes::NOT_LEARNED, message)
}
