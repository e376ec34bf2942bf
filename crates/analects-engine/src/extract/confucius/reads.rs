//! What the agent was told of each session, and which it has read.

use std::collections::HashMap;

use analects_agent::tools::{grep_search, read_file};
use analects_chat::reading::Measures;
use analects_chat::reading::page::{Asked, Range, page};
use analects_session::stamp::Stamp;
use analects_session::transcript::Transcript;
use analects_skill::eligible::Eligible;
use analects_skill::retold::retold;
use analects_world::files::Trouble;
use analects_world::{AbsPath, Profile};
use serde_json::Value;

use crate::extract::Job;
use crate::sessions::{self, Stored, open};
use crate::talk::Tell;

/// A session as it is told.
pub(super) struct Told {
    /// Where its record really lies.
    pub(super) path: AbsPath,
    /// Where the index says that it lies.
    named: AbsPath,
    stored: Stored,
    /// Its name, and when something was last said in it.
    pub(super) version: (String, Option<Stamp>),
    /// What is told of it.
    pub(super) text: String,
}

impl Told {
    /// Retells a session.
    pub(super) fn of(job: &Job<'_>, session: &Eligible) -> Result<Self, Trouble> {
        let stored = sessions::at(&job.world, session.agent, &session.path);
        let stored = stored.ok_or(Trouble::Missing)?;
        let opened = open(&job.world, &stored)?;
        Ok(Self {
            path: job.world.files.real(&session.path)?,
            named: session.path.clone(),
            stored,
            version: (session.id.clone(), session.updated),
            text: retold(&opened.transcript),
        })
    }

    /// All of it, read once more: nobody keeps what most agents never ask for.
    pub(super) fn transcript(&self, job: &Job<'_>) -> Option<Transcript> {
        Some(open(&job.world, &self.stored).ok()?.transcript)
    }
}

/// Which sessions the agent has read, by its calls.
pub(super) struct Reads<'t> {
    told: &'t [Told],
    /// Calls that are not answered yet.
    asked: HashMap<String, Call>,
    /// For each session, which of its lines the agent has seen.
    seen: Vec<Vec<bool>>,
    /// For each session, whether the agent has looked into it at all.
    touched: Vec<bool>,
}

enum Call {
    /// Lines of a session, from one to another, counted from one, and how long they are.
    Read {
        told_idx: usize,
        lines: (usize, usize),
        n_bytes: usize,
    },
    Search,
}

impl<'t> Reads<'t> {
    /// Nothing was read yet.
    pub(super) fn new(told: &'t [Told]) -> Self {
        Self {
            told,
            asked: HashMap::new(),
            seen: told
                .iter()
                .map(|told| vec![false; told.text.lines().count()])
                .collect(),
            touched: vec![false; told.len()],
        }
    }

    /// Hears what the agent does.
    pub(super) fn hear(&mut self, told: &Tell<'_>) {
        match told {
            Tell::Uses { id, name, args } => {
                if let Some(call) = self.call(name, args) {
                    self.asked.insert((*id).to_owned(), call);
                }
            }
            Tell::Used { id, result, .. } => {
                let (Some(call), Ok(text)) = (self.asked.remove(*id), result) else {
                    return;
                };
                match call {
                    Call::Read {
                        told_idx,
                        lines,
                        n_bytes,
                    } => {
                        // An answer that is much shorter was cut on its way.
                        if text.len() >= n_bytes / 10 * 9 {
                            self.read(told_idx, lines);
                        }
                    }
                    Call::Search => self.found(text),
                }
            }
            _ => {}
        }
    }

    fn call(&self, name: &str, args: &Value) -> Option<Call> {
        if name == grep_search::NAME {
            return Some(Call::Search);
        }
        if name != super::READER {
            return None;
        }
        let args: read_file::Args = serde_json::from_value(args.clone()).ok()?;
        let path = AbsPath::new(&args.file_path).ok()?;
        let mut told = self.told.iter();
        let told_idx = told.position(|told| told.path == path || told.named == path)?;
        let asked = Asked {
            start_line: args.start_line,
            end_line: args.end_line,
            offset: args.offset,
            limit: args.limit,
        };
        let range = Range::of(&asked, Measures::USUAL);
        let shown = page(&self.told.get(told_idx)?.text, &range, Profile::Analects);
        Some(Call::Read {
            told_idx,
            lines: (shown.first_line, shown.last_line),
            n_bytes: shown.text.len(),
        })
    }

    fn read(&mut self, told_idx: usize, (first, last): (usize, usize)) {
        let seen = self.seen.get_mut(told_idx).into_iter().flatten().zip(1..);
        for (seen, line) in seen {
            *seen |= (first..=last).contains(&line);
        }
        if let Some(touched) = self.touched.get_mut(told_idx) {
            *touched = true;
        }
    }

    fn found(&mut self, answer: &str) {
        for (told, touched) in self.told.iter().zip(&mut self.touched) {
            *touched |= answer.contains(told.path.file_name());
        }
    }

    /// The sessions that were read to their end.
    pub(super) fn whole(&self) -> impl Iterator<Item = &'t Told> {
        let all = self.told.iter().zip(&self.seen);
        all.filter(|(_, seen)| seen.iter().all(|seen| *seen))
            .map(|(told, _)| told)
    }

    /// The sessions that were looked into.
    pub(super) fn touched(&self) -> impl Iterator<Item = &'t Told> {
        let all = self.told.iter().zip(&self.touched);
        all.filter(|(_, touched)| **touched).map(|(told, _)| told)
    }
}
