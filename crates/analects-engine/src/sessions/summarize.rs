//! What a conversation was about, written down at the end of its record: a headline, and what was done.
//!
//! By rules, without a model; a model's sentence may take the headline's place later.

use analects_session::record::{self, Lines};
use analects_session::replay::{Form, Standing};
use analects_session::transcript::Kind;
use analects_session::{headline, scratchpad};
use analects_text::problem::Problem;
use analects_world::tape::{Opening, TapeError};
use analects_world::{AbsPath, Agent};

use super::{Found, Opened, Stored, Subagents, Which, is_live, open, stored};
use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};
use crate::{World, codes};

/// What a conversation was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its id.
    pub id: String,
    /// The headline.
    pub title: String,
    /// What was done.
    pub workflow: Option<String>,
    /// What its record would hold then.
    lines: Lines,
    /// Whether it was written down.
    pub is_written: bool,
}

/// A conversation with fewer prompts is its own headline.
const MIN_PROMPTS: usize = 2;

/// Sums up one conversation. Another agent's, one that may go on, and one that is summed up are only told.
pub fn summarize_one(world: &World<'_>, flags: &Flags, found: &Found) -> Result<Summary, Failure> {
    let Found { stored, opened } = found;
    let mut summary = sum_up(stored, opened);
    let is_left = is_live(world, stored) || !is_wanting(opened);
    if !flags.dry_run && !is_left {
        summary
            .write(world, stored)
            .map_err(|error| Failure::failed(format!("cannot write `{}`: {error}", stored.path)))?;
    }
    Ok(summary)
}

/// Sums up every conversation of this project that was not, or that went on since.
pub fn summarize_all(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
) -> (Vec<Summary>, Vec<Problem>) {
    let which = Which {
        project: Some(&prepared.root),
        agent: Some(Agent::Gemini),
        subagents: Subagents::Left,
        trust: prepared.decision.trust,
    };
    let (mut summaries, mut problems) = (Vec::new(), Vec::new());
    for record in stored(world, which) {
        let Ok(opened) = open(world, &record) else {
            continue;
        };
        if is_live(world, &record) || !is_wanting(&opened) {
            continue;
        }
        let mut summary = sum_up(&record, &opened);
        if !flags.dry_run
            && let Err(error) = summary.write(world, &record)
        {
            let problem = Problem::new(&codes::NOT_RECORDED, error.to_string());
            problems.push(problem.in_file(&record.path));
            continue;
        }
        summaries.push(summary);
    }
    (summaries, problems)
}

/// Whether there is something to sum up, and nobody has.
fn is_wanting(opened: &Opened) -> bool {
    let Some(replayed) = &opened.replayed else {
        return false;
    };
    let about = replayed.about();
    let is_named = about.summary.is_some() || headline_of(opened).is_none();
    let is_fresh = is_named && about.scratchpad_is_stale == Some(false);
    let is_talk = opened.transcript.head.kind == Kind::Main
        && opened.transcript.prompts().count() >= MIN_PROMPTS;
    is_talk
        && !is_fresh
        && replayed.standing() == Standing::Loadable
        && replayed.form() == Form::Lines
}

fn headline_of(opened: &Opened) -> Option<String> {
    let prompts = opened.transcript.prompts();
    headline::headline(prompts.map(|turn| turn.text.as_str()))
}

fn sum_up(stored: &Stored, opened: &Opened) -> Summary {
    let transcript = &opened.transcript;
    let mut summary = Summary {
        id: transcript.head.id.clone(),
        title: opened.title(),
        workflow: None,
        lines: Lines::default(),
        is_written: false,
    };
    let Some(replayed) = &opened.replayed else {
        return summary;
    };
    let root = stored.project.clone().unwrap_or_else(AbsPath::root);
    let pad = scratchpad::scratchpad(replayed, &root);
    summary.workflow.clone_from(&pad.workflow_summary);
    summary.lines = record::scratchpad(&pad);
    if let (None, Some(told)) = (&transcript.head.title, headline_of(opened)) {
        summary.lines.extend([record::summary(&told)]);
    }
    summary
}

impl Summary {
    /// Writes it down at the end of the record.
    fn write(&mut self, world: &World<'_>, stored: &Stored) -> Result<(), TapeError> {
        let mut tape = world.tapes.open(&stored.path, Opening::Further)?;
        tape.append(self.lines.as_str().as_bytes())?;
        tape.settle()?;
        self.is_written = true;
        Ok(())
    }
}
