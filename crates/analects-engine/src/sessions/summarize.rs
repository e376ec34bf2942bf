//! What a conversation was about, written down at the end of its record: a headline, and what was done.
//!
//! By rules, without a model; a model's sentence may take the headline's place later.

use analects_session::record;
use analects_session::replay::{Form, Standing};
use analects_session::transcript::{Agent, Kind};
use analects_session::{headline, scratchpad};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::tape::{Opening, TapeError};

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
    /// Whether it was written down.
    pub is_written: bool,
}

/// A conversation with fewer prompts is its own headline.
const MIN_PROMPTS: usize = 2;

/// Sums up one conversation. Another agent's, one that may go on, and one that is summed up are only told.
pub fn summarize_one(world: &World<'_>, flags: &Flags, found: &Found) -> Result<Summary, Failure> {
    let is_left = is_live(world, &found.stored) || !is_wanting(&found.opened);
    let flags = Flags {
        dry_run: flags.dry_run || is_left,
        ..*flags
    };
    sum_up(world, &flags, &found.stored, &found.opened)
        .map_err(|error| Failure::failed(format!("cannot write `{}`: {error}", found.stored.path)))
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
        match sum_up(world, flags, &record, &opened) {
            Ok(summary) => summaries.push(summary),
            Err(error) => {
                let problem = Problem::new(&codes::NOT_RECORDED, error.to_string());
                problems.push(problem.in_file(&record.path));
            }
        }
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

fn sum_up(
    world: &World<'_>,
    flags: &Flags,
    stored: &Stored,
    opened: &Opened,
) -> Result<Summary, TapeError> {
    let transcript = &opened.transcript;
    let mut summary = Summary {
        id: transcript.head.id.clone(),
        title: opened.title(),
        workflow: None,
        is_written: false,
    };
    let Some(replayed) = &opened.replayed else {
        return Ok(summary);
    };
    let root = stored.project.clone().unwrap_or_else(AbsPath::root);
    let pad = scratchpad::scratchpad(replayed, &root);
    summary.workflow.clone_from(&pad.workflow_summary);
    if flags.dry_run || replayed.form() != Form::Lines {
        return Ok(summary);
    }
    let mut lines = record::scratchpad(&pad);
    if let (None, Some(told)) = (&transcript.head.title, headline_of(opened)) {
        lines.extend([record::summary(&told)]);
    }
    let mut tape = world.tapes.open(&stored.path, Opening::Further)?;
    tape.append(lines.as_str().as_bytes())?;
    tape.settle()?;
    summary.is_written = true;
    Ok(summary)
}
