//! Which conversations there are, the newest first: the one in which something was said last.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};
use std::iter::Peekable;

use analects_session::stamp::Stamp;
use analects_session::transcript::{Head, Kind};
use analects_text::problem::Problem;
use analects_text::redact;
use analects_world::{AbsPath, Agent};

use super::{
    Found, Opened, Stored, Subagents, Which, codex, is_live, is_visible, open, peek, stored,
};
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
        let title = redact::mask(&title, &redact::scan(&title));
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
        n_more: newest.left.len() + newest.waiting.len(),
        problems: newest.problems,
    }
}

/// The conversations that are wanted, the newest first.
///
/// A file can be newer than what was last said in it (somebody copied it, or wrote a summary into it), and is hardly
/// ever older. So records are opened in the order of their files, and only as far as one could be the next.
pub(super) struct Newest<'a> {
    world: &'a World<'a>,
    which: Which<'a>,
    left: Peekable<std::vec::IntoIter<Stored>>,
    /// Those that were opened, and are not told yet.
    waiting: BinaryHeap<Waiting>,
    /// The one of them that was the newest when it was opened; the others are opened again, as many do not fit into memory.
    opened: Option<(AbsPath, Opened)>,
    seen: HashSet<(Agent, String)>,
    problems: Vec<Problem>,
}

/// A record, and when something was last said in it.
struct Waiting {
    said_ms: u64,
    stored: Stored,
}

impl Waiting {
    fn new(stored: Stored, head: &Head) -> Self {
        let said_ms = head.updated.map(Stamp::as_ms);
        Self {
            said_ms: said_ms.unwrap_or_else(|| stored.measure.written_ms()),
            stored,
        }
    }

    /// What is newer; of two at the same time that in the newer format, then that with the newer file.
    fn rank(&self) -> (u64, bool, u64, &AbsPath) {
        let Stored { path, measure, .. } = &self.stored;
        let is_lines = path.as_str().ends_with(".jsonl");
        (self.said_ms, is_lines, measure.written_ns, path)
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl<'a> Newest<'a> {
    pub(super) fn new(world: &'a World<'a>, which: Which<'a>) -> Self {
        Self {
            world,
            which,
            left: stored(world, which).into_iter().peekable(),
            waiting: BinaryHeap::new(),
            opened: None,
            seen: HashSet::new(),
            problems: Vec::new(),
        }
    }

    /// Whether a list tells of it: it is wanted, and says something.
    fn is_told(&self, record: &Stored, opened: &Opened) -> bool {
        let head = &opened.transcript.head;
        let project = self.which.project;
        let is_wanted = self.which.subagents == Subagents::Along || head.kind == Kind::Main;
        let is_here = project.is_none_or(|root| is_in(record, head, root));
        is_wanted
            && is_here
            && is_visible(self.world, record, head)
            && !opened.transcript.turns.is_empty()
    }

    /// Opens a record, and lets it wait for its turn.
    fn look_at(&mut self, stored: Stored) {
        if !may_be_in(self.world, &stored, self.which.project) {
            return;
        }
        let Some(opened) = self.open(&stored) else {
            return;
        };
        if !self.is_told(&stored, &opened) {
            return;
        }
        let record = Waiting::new(stored, &opened.transcript.head);
        if self.waiting.peek().is_none_or(|newest| record > *newest) {
            self.opened = Some((record.stored.path.clone(), opened));
        }
        self.waiting.push(record);
    }

    fn open(&mut self, stored: &Stored) -> Option<Opened> {
        match open(self.world, stored) {
            Ok(opened) => Some(opened),
            Err(trouble) => {
                let problem = Problem::new(&codes::RECORD_UNREADABLE, trouble.to_string());
                self.problems.push(problem.in_file(&stored.path));
                None
            }
        }
    }
}

impl Iterator for Newest<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let newest_ms = self.waiting.peek().map(|record| record.said_ms);
            let may_be_newer = |next: &Stored| {
                newest_ms.is_none_or(|said_ms| next.measure.written_ms() >= said_ms)
            };
            if let Some(next) = self.left.next_if(may_be_newer) {
                self.look_at(next);
                continue;
            }
            let stored = self.waiting.pop()?.stored;
            let kept = self.opened.take_if(|(path, _)| *path == stored.path);
            let opened = match kept {
                Some((_, opened)) => Some(opened),
                None => self.open(&stored),
            };
            if let Some(opened) = opened
                && let head = &opened.transcript.head
                && self.seen.insert((stored.agent, head.id.clone()))
            {
                return Some(Found { stored, opened });
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
