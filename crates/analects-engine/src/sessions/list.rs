//! Which conversations there are, the newest first.

use std::collections::HashSet;

use analects_session::transcript::{Head, Kind};
use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::{Stored, Subagents, Which, codex, is_live, open, peek, stored};
use crate::{World, codes};

/// A conversation, as a list tells of it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The record.
    pub stored: Stored,
    /// What it says about itself.
    pub head: Head,
    /// What it is called.
    pub title: String,
    /// How many turns it has.
    pub n_turns: usize,
    /// How many prompts of a person.
    pub n_prompts: usize,
    /// Whether it may still be going on.
    pub is_live: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub struct List {
    /// The conversations, the newest first.
    pub sessions: Vec<Listed>,
    /// How many older records were not looked at.
    pub n_more: usize,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// At most so many conversations, the newest first. One in several records is told once, by the newest.
#[must_use]
pub fn list(world: &World<'_>, which: Which<'_>, limit: usize) -> List {
    let records = stored(world, which);
    let titles = codex::titles(world);
    let mut seen = HashSet::new();
    let mut found = List::default();
    let mut left = records.into_iter();
    while found.sessions.len() < limit {
        let Some(record) = left.next() else { break };
        if !may_be_in(world, &record, which.project) {
            continue;
        }
        let opened = match open(world, &record) {
            Ok(opened) => opened,
            Err(trouble) => {
                let problem = Problem::new(&codes::RECORD_UNREADABLE, trouble.to_string());
                found.problems.push(problem.in_file(&record.path));
                continue;
            }
        };
        let mut head = opened.transcript.head.clone();
        if let Some(title) = titles.get(&head.id) {
            head.title = Some(title.clone());
        }
        let is_wanted = which.subagents == Subagents::Along || head.kind == Kind::Main;
        let is_here = which.project.is_none_or(|root| is_in(&record, &head, root));
        let says_something = !opened.transcript.turns.is_empty();
        let is_told = is_wanted && is_here && says_something;
        if !is_told || !seen.insert((record.agent, head.id.clone())) {
            continue;
        }
        found.problems.extend(opened.problems.iter().cloned());
        let title = head.title.clone().unwrap_or_else(|| opened.title());
        found.sessions.push(Listed {
            is_live: is_live(world, &record),
            n_turns: opened.transcript.turns.len(),
            n_prompts: opened.transcript.prompts().count(),
            stored: record,
            head,
            title,
        });
    }
    found.n_more = left.count();
    found
}

/// Whether a record may be of this project, by its place or else by its first lines.
fn may_be_in(world: &World<'_>, record: &Stored, project: Option<&AbsPath>) -> bool {
    let Some(root) = project else { return true };
    if record.project.is_some() {
        return true;
    }
    peek(world, record).is_some_and(|head| is_in(record, &head, root))
}

/// Whether a conversation was held in this project.
pub(super) fn is_in(record: &Stored, head: &Head, root: &AbsPath) -> bool {
    let cwd = head.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
    record.project.as_ref() == Some(root) || cwd.is_some_and(|cwd| cwd.is_within(root))
}
