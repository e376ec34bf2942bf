//! The extraction agent: a model that reads sessions and drafts skills for the inbox.
//!
//! It sees sessions retold, never a record itself. What it writes is staged; when it has completed its task, each draft
//! is judged by itself and all that are good are committed at once. Nobody is asked: the inbox is where a person
//! decides. Whatever ends it earlier leaves everything as it was.

mod context;
mod evidence;
mod reach;
mod reads;
mod settle;

use analects_agent::subagent::Reason;
use analects_agent::tools::read_file;
use analects_text::problem::Problem;
use analects_world::{AbsPath, Cancel};
use serde_json::{Map, Value};

use super::{Job, Made};
use crate::codes;
use crate::models::choose::choose;
use crate::models::ledger::{self, Purpose};
use crate::remember;
use crate::talk::staged::Staged;
use crate::talk::{Outing, Tell, WentOver, go_over};
use crate::verbs::Failure;
use reads::{Reads, Told};

/// Sends the agent over the sessions of the index. `learned` is what was made of them without a model.
///
/// Fails if no model can be asked, if today's share of tokens is used up, or if the model gave no answer.
pub(crate) fn send(job: &Job<'_>, learned: &Made) -> Result<Made, Failure> {
    let world = &job.world;
    let settings = &job.prepared.settings;
    ledger::may(world, settings, Purpose::Learn).map_err(|fault| {
        Failure::failed(format!("no model is asked: {}", fault.message))
            .hint("what is learned without a model goes on as ever")
    })?;
    choose(world, settings, Some("flash"))?;
    let (told, mut problems) = retell(job);
    let disk = Staged::retold(
        world.files,
        world.search,
        told.iter()
            .map(|told| (told.path.clone(), told.text.clone())),
    );
    let allowed = remember::allowed(job.prepared, &[]);
    let staged = Staged::new(disk.files(), disk.search(), allowed.clone());
    let reach = reach::Reach::new(job)?;
    let stop = Cancel::new();
    let heard = stop.clone();
    let _listening = job.cancel.listen(move || heard.cancel());
    let outing = Outing {
        world: *world,
        flags: job.flags,
        prepared: job.prepared,
        cancel: stop.clone(),
        folder: job.memory.parent().unwrap_or_else(AbsPath::root),
        inputs: inputs(job, learned),
        scope: reach.scope(told.iter().map(|told| &told.path)),
        staged: &staged,
    };
    let mut reads = Reads::new(&told);
    let mut n_steps = 0;
    let mut tell = |happening: Tell<'_>| {
        reads.hear(&happening);
        if matches!(happening, Tell::Uses { .. } | Tell::Said { .. }) {
            n_steps += 1;
            let what = "past sessions are gone over, step";
            world.progress.tell(what, n_steps, n_steps);
            // The lock is kept, or the work is not ours any more.
            if !job.goes_on() {
                stop.cancel();
            }
        }
    };
    let went = go_over(&outing, &mut tell)?;
    let WentOver {
        reason,
        n_turns,
        tokens,
        unanswered,
        problems: told_problems,
    } = went;
    problems.extend(told_problems);
    if let (Reason::Error | Reason::Overflow, Some(failure)) = (reason, unanswered) {
        return Err(failure);
    }
    let mut made = Made {
        n_turns,
        tokens,
        reason: reason.as_str().to_owned(),
        problems,
        ..Made::default()
    };
    if reason != Reason::Goal {
        let message = format!(
            "the agent that drafts skills did not finish ({})",
            reason.as_str()
        );
        made.problems
            .push(Problem::new(&codes::NOT_LEARNED, message));
        return Ok(made);
    }
    made.processed = reads.whole().map(|told| told.version.clone()).collect();
    settle::settle(job, &reach, &staged, &reads, &mut made)?;
    Ok(made)
}

/// What its texts are filled in with. What stands in an input is never filled in again.
fn inputs(job: &Job<'_>, learned: &Made) -> Map<String, Value> {
    let none = |text: String| match text.trim().is_empty() {
        true => "None.".to_owned(),
        false => text,
    };
    let texts = [
        ("skills_dir", job.memory.join("skills").to_string()),
        ("inbox_dir", job.memory.join(".inbox").to_string()),
        ("existing_skills", none(context::existing(job))),
        ("pending_inbox", none(context::pending(job))),
        (
            "candidates",
            none(context::candidates(job, &learned.skills)),
        ),
        ("session_index", none(context::harmless(&job.index))),
    ];
    let texts = texts.into_iter();
    texts
        .map(|(name, text)| (name.to_owned(), text.into()))
        .collect()
}

/// The sessions of the index, retold; and which cannot be.
fn retell(job: &Job<'_>) -> (Vec<Told>, Vec<Problem>) {
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for session in job.indexed {
        if !job.goes_on() {
            break;
        }
        match Told::of(job, session) {
            Ok(told) => all.push(told),
            Err(trouble) => {
                let message = format!("a session is left out: {trouble}");
                let problem = Problem::new(&codes::NOT_LEARNED, message);
                problems.push(problem.in_file(&session.path));
            }
        }
    }
    (all, problems)
}

/// The tool by which a session is read.
const READER: &str = read_file::NAME;

#[cfg(test)]
mod tests;
