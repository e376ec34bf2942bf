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

use analects_agent::subagent::{Reason, confucius};
use analects_agent::tools::read_file;
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::{AbsPath, Cancel};
use serde_json::{Map, Value};

use super::{Job, Made};
use crate::codes;
use crate::models::choose::choose;
use crate::models::ledger::{self, Purpose};
use crate::remember;
use crate::settings::keys::model as setting;
use crate::talk::staged::Staged;
use crate::talk::{Outing, Tell, WentOver, go_over};
use crate::verbs::Failure;
use reads::{Reads, Told};

/// Sends the agent over the sessions of the index. `candidates` is what was counted in them without a model, as text.
///
/// Fails if no model can be asked, if today's share of tokens is used up, or if the model gave no answer.
pub(crate) fn send(job: &Job<'_>, candidates: &str) -> Result<Made, Failure> {
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
        inputs: inputs(job, candidates),
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

/// What a run would cost, before anybody is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// The model that would be asked.
    pub model: String,
    /// What it is told to begin with.
    pub opening_tokens: u64,
    /// How many sessions it is likely to read.
    pub n_reads: usize,
    /// What those cost, once.
    pub reads_tokens: u64,
    /// All of it together, over the turns that it is likely to take.
    pub tokens: u64,
    /// What was spent today on what nobody waits for, as far as anybody knows.
    pub spent_today: Option<u64>,
    /// What may be spent a day.
    pub ceiling: u64,
}

/// An agent that finds something reads this many sessions.
const USUAL_READS: usize = 3;
/// It looks around, reads, writes, and completes its task.
const USUAL_TURNS: u64 = 4;
/// From its second turn on, it is told again what it has read.
const TURNS_AFTER_READING: u64 = 2;

/// What a run would cost. Nothing is asked and nothing is written.
pub(crate) fn estimate(job: &Job<'_>, candidates: &str) -> Result<Estimate, Failure> {
    let settings = &job.prepared.settings;
    let chosen = choose(&job.world, settings, Some("flash"))?;
    let agent = confucius::definition();
    let inputs = inputs(job, candidates);
    let given = inputs.values().filter_map(Value::as_str);
    let given: usize = given.map(tokens::estimate).sum();
    let texts = tokens::estimate(&agent.prompt) + tokens::estimate(&agent.query);
    let new: Vec<_> = job.indexed.iter().filter(|it| it.mark.is_new()).collect();
    let n_reads = new.len().min(USUAL_READS);
    let (told, _) = retell_some(job, new.into_iter().take(USUAL_READS));
    let reads: usize = told.iter().map(|told| tokens::estimate(&told.text)).sum();
    let (opening_tokens, reads_tokens) = ((texts + given) as u64, reads as u64);
    Ok(Estimate {
        model: chosen.model,
        opening_tokens,
        n_reads,
        reads_tokens,
        tokens: opening_tokens * USUAL_TURNS + reads_tokens * TURNS_AFTER_READING,
        spent_today: ledger::spent_today(&job.world).ok(),
        ceiling: settings
            .count(&setting::BACKGROUND_DAILY_TOKENS)
            .unwrap_or(0) as u64,
    })
}

/// What its texts are filled in with. What stands in an input is never filled in again.
fn inputs(job: &Job<'_>, candidates: &str) -> Map<String, Value> {
    let none = |text: String| match text.trim().is_empty() {
        true => "None.".to_owned(),
        false => text,
    };
    let fenced = |text: &str| match text.trim().is_empty() {
        true => String::new(),
        false => context::fenced(text),
    };
    let texts = [
        ("skills_dir", job.memory.join("skills").to_string()),
        ("inbox_dir", job.memory.join(".inbox").to_string()),
        ("existing_skills", none(context::existing(job))),
        ("pending_inbox", none(context::pending(job))),
        ("candidates", none(fenced(candidates))),
        ("session_index", none(context::harmless(&job.index))),
    ];
    let texts = texts.into_iter();
    texts
        .map(|(name, text)| (name.to_owned(), text.into()))
        .collect()
}

/// The sessions of the index, retold; and which cannot be.
fn retell(job: &Job<'_>) -> (Vec<Told>, Vec<Problem>) {
    retell_some(job, job.indexed.iter())
}

fn retell_some<'s>(
    job: &Job<'_>,
    sessions: impl Iterator<Item = &'s analects_skill::eligible::Eligible>,
) -> (Vec<Told>, Vec<Problem>) {
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for session in sessions {
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
