//! Appends a headline and a summary of what was done to a record.
//!
//! By rules, without a model, unless somebody names one: then its sentence is the headline. At the start of a chat
//! [`summarize_next`] has one conversation named in the background.

mod next;
mod sentence;

use analects_session::record::{self, Lines};
use analects_session::replay::{Form, Standing};
use analects_session::transcript::Kind;
use analects_session::{headline, scratchpad};
use analects_text::problem::Problem;
use analects_world::tape::{Opening, TapeError};
use analects_world::{AbsPath, Agent};

use super::{Found, Opened, Stored, Subagents, Which, is_live, open, stored};
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::verbs::{Failure, Flags};
use crate::{World, codes};
use sentence::Silence;

pub use next::summarize_next;
pub use sentence::Teller;

/// What a conversation was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its id.
    pub id: String,
    /// The headline.
    pub title: String,
    /// What was done.
    pub workflow: Option<String>,
    /// The model that wrote the headline, if one was asked now.
    pub told_by: Option<String>,
    /// What its record would hold then.
    lines: Lines,
    /// Whether it was written down.
    pub is_written: bool,
}

/// A conversation with fewer prompts is its own headline.
const MIN_PROMPTS: usize = 2;

/// Sums up one conversation; with a teller its sentence is the headline, whatever was there before. Another agent's, and
/// one that may go on, is only told; so is one that is summed up, where no model is asked.
pub fn summarize_one(
    world: &World<'_>,
    flags: &Flags,
    found: &Found,
    teller: Option<&Teller<'_>>,
) -> Result<(Summary, Vec<Problem>), Failure> {
    let Found { stored, opened } = found;
    let is_due = match teller {
        Some(_) => is_talk(opened),
        None => is_wanting(opened),
    };
    if flags.dry_run || is_live(world, stored) || !is_due {
        return Ok((sum_up(stored, opened), Vec::new()));
    }
    let mut problems = Vec::new();
    let mut summary = match teller {
        None => sum_up(stored, opened),
        Some(teller) => {
            world.progress.tell("asking the model", 0, 1);
            let told = teller.sentence(world, opened);
            world.progress.tell("asking the model", 1, 1);
            let (summary, silence) = told_or_by_rules(stored, opened, told);
            problems.extend(silence.map(Silence::into_problem));
            summary
        }
    };
    summary
        .write(world, stored)
        .map_err(|why| Failure::failed(format!("cannot write `{}`: {why}", stored.path)))?;
    Ok((summary, problems))
}

/// Sums up every conversation of this project that was not, or that went on since; with a teller also those that have no
/// headline but that of the rules.
pub fn summarize_all(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    teller: Option<&Teller<'_>>,
) -> (Vec<Summary>, Vec<Problem>) {
    let (mut summaries, mut problems) = (Vec::new(), Vec::new());
    let records = records(world, prepared);
    let n_records = records.len();
    for (nth, record) in records.into_iter().enumerate() {
        world.progress.tell("summing up", nth, n_records);
        let Ok(opened) = open(world, &record) else {
            continue;
        };
        let is_due = is_wanting(&opened) || (teller.is_some() && is_named_by_rules(&opened));
        if is_live(world, &record) || !is_due {
            continue;
        }
        let asked = teller.filter(|_| !flags.dry_run);
        let mut summary = match asked.map(|teller| teller.sentence(world, &opened)) {
            None => sum_up(&record, &opened),
            Some(told) => {
                let (summary, silence) = told_or_by_rules(&record, &opened, told);
                let is_over = silence.as_ref().is_some_and(|silence| silence.is_for_all);
                problems.extend(silence.map(Silence::into_problem));
                if is_over {
                    break;
                }
                summary
            }
        };
        if !flags.dry_run
            && let Err(why) = summary.write(world, &record)
        {
            let problem = Problem::new(&codes::NOT_RECORDED, why);
            problems.push(problem.in_file(&record.path));
            continue;
        }
        summaries.push(summary);
    }
    world.progress.tell("summing up", n_records, n_records);
    (summaries, problems)
}

/// The records of this project that could be summed up, the one written last first.
fn records(world: &World<'_>, prepared: &Prepared) -> Vec<Stored> {
    stored(
        world,
        Which {
            project: Some(&prepared.root),
            agent: Some(Agent::Gemini),
            subagents: Subagents::Left,
            trust: prepared.decision.trust,
        },
    )
}

/// Whether there is something to sum up, and nobody has.
fn is_wanting(opened: &Opened) -> bool {
    let about = opened.replayed.as_ref().map(|replayed| replayed.about());
    let is_fresh = about.is_some_and(|about| {
        let is_named = about.summary.is_some() || headline_of(opened).is_none();
        is_named && about.scratchpad_is_stale == Some(false)
    });
    is_talk(opened) && !is_fresh
}

/// Whether its headline is the one that follows from its prompts: no model was ever asked.
fn is_named_by_rules(opened: &Opened) -> bool {
    let about = opened.replayed.as_ref().map(|replayed| replayed.about());
    let named = about.and_then(|about| about.summary.as_ref());
    is_talk(opened) && named.is_some() && named == headline_of(opened).as_ref()
}

/// Whether a person said more than one thing in it, and its record can grow.
fn is_talk(opened: &Opened) -> bool {
    let is_talk = opened.transcript.head.kind == Kind::Main
        && opened.transcript.prompts().count() >= MIN_PROMPTS;
    let can_grow = opened.replayed.as_ref().is_some_and(|replayed| {
        replayed.standing() == Standing::Loadable && replayed.form() == Form::Lines
    });
    is_talk && can_grow
}

fn headline_of(opened: &Opened) -> Option<String> {
    let prompts = opened.transcript.prompts();
    headline::headline(prompts.map(|turn| turn.text.as_str()))
}

/// By rules: an old headline stays.
fn sum_up(stored: &Stored, opened: &Opened) -> Summary {
    let told = match &opened.transcript.head.title {
        Some(_) => None,
        None => headline_of(opened),
    };
    summed_up(stored, opened, told, opened.title())
}

/// With the sentence of a model; without one, by rules.
fn told_or_by_rules(
    stored: &Stored,
    opened: &Opened,
    told: Result<sentence::Told, Silence>,
) -> (Summary, Option<Silence>) {
    match told {
        Ok(told) => {
            let title = told.sentence.clone();
            let mut summary = summed_up(stored, opened, Some(told.sentence), title);
            summary.told_by = Some(told.by);
            (summary, None)
        }
        Err(silence) => (sum_up(stored, opened), Some(silence)),
    }
}

fn summed_up(stored: &Stored, opened: &Opened, told: Option<String>, title: String) -> Summary {
    // Nobody needs a secret to know a conversation again, whatever else may be stored.
    let guarded = Guarded { allowed: &[] };
    let mask = |text: &str| guarded.mask(text);
    let mut summary = Summary {
        id: opened.transcript.head.id.clone(),
        title: mask(&title),
        workflow: None,
        told_by: None,
        lines: Lines::default(),
        is_written: false,
    };
    if let Some(replayed) = &opened.replayed {
        let root = stored.project.clone().unwrap_or_else(AbsPath::root);
        let pad = scratchpad::scratchpad(replayed, &root);
        summary.workflow = pad.workflow_summary.as_deref().map(mask);
        summary.lines = record::summed_up(&pad, told.as_deref()).redacted(&mask);
    }
    summary
}

impl Summary {
    /// Writes it down at the end of the record, if that is still the one which was read; else says why not.
    fn write(&mut self, world: &World<'_>, stored: &Stored) -> Result<(), String> {
        let told = |error: TapeError| error.to_string();
        let tape = world.tapes.open(&stored.path, Opening::Further);
        let mut tape = tape.map_err(told)?;
        // From here on nobody of ours writes there.
        let now = world
            .files
            .measure(std::slice::from_ref(&stored.path))
            .pop();
        if !now.is_some_and(|now| now.is_ok_and(|now| now.len == stored.measure.len)) {
            return Err("the session went on meanwhile".to_owned());
        }
        // Whoever resumes this session in the same moment is kept waiting by nothing but this: it is not synced, since
        // what follows from the rest of the record need not survive a power cut.
        let lines = self.lines.as_str().as_bytes();
        tape.annotate(lines).map_err(told)?;
        self.is_written = true;
        Ok(())
    }
}
