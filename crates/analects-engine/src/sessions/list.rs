//! Which conversations there are, the newest first.

use std::collections::HashSet;

use analects_session::transcript::{Head, Kind};
use analects_text::problem::Problem;
use analects_world::{AbsPath, Agent};

use super::{Found, Opened, Stored, Subagents, Which, codex, is_live, open, peek, stored};
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

/// At most this many conversations, the newest first. One in several records is told once, by the newest.
#[must_use]
pub fn list(world: &World<'_>, which: Which<'_>, limit: usize) -> List {
    let titles = codex::titles(world);
    let mut newest = Newest::new(world, which);
    let mut sessions = Vec::new();
    while sessions.len() < limit {
        let Some(Found { stored, opened }) = newest.next() else {
            break;
        };
        let mut head = opened.transcript.head.clone();
        if let Some(title) = titles.get(&head.id) {
            head.title = Some(title.clone());
        }
        newest.problems.extend(opened.problems.iter().cloned());
        let title = head.title.clone().unwrap_or_else(|| opened.title());
        sessions.push(Listed {
            is_live: is_live(world, &stored),
            n_turns: opened.transcript.turns.len(),
            n_prompts: opened.transcript.prompts().count(),
            stored,
            head,
            title,
        });
    }
    List {
        sessions,
        n_more: newest.left.len(),
        problems: newest.problems,
    }
}

/// The conversations that are wanted, the newest first, each opened when it is asked for.
pub(super) struct Newest<'a> {
    world: &'a World<'a>,
    which: Which<'a>,
    left: std::vec::IntoIter<Stored>,
    seen: HashSet<(Agent, String)>,
    problems: Vec<Problem>,
}

impl<'a> Newest<'a> {
    pub(super) fn new(world: &'a World<'a>, which: Which<'a>) -> Self {
        Self {
            world,
            which,
            left: stored(world, which).into_iter(),
            seen: HashSet::new(),
            problems: Vec::new(),
        }
    }

    /// The record of the same conversation that goes furthest: an older one may have been touched later.
    fn furthest(&self, found: Found) -> Found {
        let id = found.opened.transcript.head.id.clone();
        let short: String = id.chars().take(8).collect();
        let is_near = |other: &&Stored| {
            other.agent == Agent::Gemini && other.path.file_name().contains(&short)
        };
        let twins = self.left.as_slice().iter();
        let twins = twins.filter(is_near).filter_map(|stored| {
            let opened = open(self.world, stored).ok()?;
            let stored = stored.clone();
            (opened.transcript.head.id == id).then_some(Found { stored, opened })
        });
        twins.fold(found, |best, twin| match twin.reach() > best.reach() {
            true => twin,
            false => best,
        })
    }

    /// Whether a list tells of it: it is wanted, says something, and was not told yet.
    fn is_told(&mut self, record: &Stored, opened: &Opened) -> bool {
        let head = &opened.transcript.head;
        let project = self.which.project;
        let is_wanted = self.which.subagents == Subagents::Along || head.kind == Kind::Main;
        let is_here = project.is_none_or(|root| is_in(record, head, root));
        let says_something = !opened.transcript.turns.is_empty();
        is_wanted && is_here && says_something && self.seen.insert((record.agent, head.id.clone()))
    }
}

impl Iterator for Newest<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let stored = self.left.next()?;
            if !may_be_in(self.world, &stored, self.which.project) {
                continue;
            }
            match open(self.world, &stored) {
                Ok(opened) if self.is_told(&stored, &opened) => {
                    return Some(self.furthest(Found { stored, opened }));
                }
                Ok(_) => {}
                Err(trouble) => {
                    let problem = Problem::new(&codes::RECORD_UNREADABLE, trouble.to_string());
                    self.problems.push(problem.in_file(&stored.path));
                }
            }
        }
    }
}

/// Whether a record may be of this project, by its place or else by its first lines.
pub(crate) fn may_be_in(world: &World<'_>, record: &Stored, project: Option<&AbsPath>) -> bool {
    let Some(root) = project else { return true };
    if record.project.is_some() {
        return true;
    }
    peek(world, record).is_some_and(|head| is_in(record, &head, root))
}

/// Whether a conversation was held in this project.
pub(crate) fn is_in(record: &Stored, head: &Head, root: &AbsPath) -> bool {
    let cwd = head.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
    record.project.as_ref() == Some(root) || cwd.is_some_and(|cwd| cwd.is_within(root))
}
