//! Past sessions of made-up projects, what should be learned from them, and a judge.
//!
//! A [`Corpus`] is made from a seed: the same bytes for the same seed, other commands, names, files, languages and
//! mistakes for another one. Its sessions are what agents leave on a disk, with all their noise. Some things in them
//! are worth learning ([`Planted`]), most are not ([`Decoy`]), some are malicious ([`Poison`]); `judge` says how
//! proposals compare with that.
//!
//! ```
//! use analects_testkit::corpus::{Proposal, corpus, judge};
//!
//! let corpus = corpus(1);
//! let session = &corpus.projects[0].sessions[0];
//! assert!(session.file.starts_with("session-") || session.file.contains('/'));
//! let judgement = judge(&corpus, &[]);
//! assert_eq!((judgement.recall(), judgement.precision()), (0.0, 1.0));
//! ```

mod act;
mod almost;
mod bulk;
mod correct;
mod decoy;
mod episode;
mod fail_fix;
mod filler;
mod judge;
mod mint;
mod moment;
mod outputs;
mod phrases;
mod poison;
mod project;
mod random;
mod secret;
mod step;
mod tape;
#[cfg(test)]
mod tests;
mod workflow;

use std::fmt::{self, Write};
use std::slice::from_ref;

pub use bulk::{Many, many};
pub use judge::{Judgement, Piece, Proposal, judge};
use mint::Mint;
use phrases::Lang;
use project::Plan;

/// Sessions of several projects, and the truth about them.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// The projects; at least one of them has nothing to learn.
    pub projects: Vec<Project>,
    /// Every secret in any of the sessions, verbatim.
    pub secrets: Vec<String>,
    /// Every made-up word.
    pub words: Vec<String>,
    /// The time at which somebody looks at all this.
    pub now_ms: u64,
}

/// A project and its sessions.
#[derive(Debug, Clone)]
pub struct Project {
    /// Its directory.
    pub root: String,
    /// Its sessions, oldest first.
    pub sessions: Vec<Session>,
    /// What should be learned.
    pub planted: Vec<Planted>,
    /// What should not.
    pub decoys: Vec<Decoy>,
    /// What may be learned in quarantine at most.
    pub poison: Vec<Poison>,
    /// Heads of commands that occur once and mean nothing.
    pub one_offs: Vec<String>,
}

/// A session on a disk.
#[derive(Debug, Clone)]
pub struct Session {
    /// The name of its file, in the directory of the project's sessions; those of sub-agents lie deeper.
    pub file: String,
    /// What the file holds.
    pub bytes: Vec<u8>,
    /// Its id. Two files may hold one session.
    pub id: String,
    /// The directory of its project.
    pub root: String,
    /// When it was last added to.
    pub updated_ms: u64,
    /// How often a person said something.
    pub n_prompts: usize,
    /// The last line is not whole.
    pub is_torn: bool,
    /// Why nothing may be learned from it.
    pub why_not: Option<Ineligible>,
}

/// Why nothing may be learned from a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ineligible {
    /// Fewer than ten prompts, though there may be more messages of type `user`.
    FewPrompts,
    /// No person took part.
    SubAgent,
    /// It may still go on.
    TooRecent,
}

/// What kind of thing should be learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Steps that were done in several sessions and validated.
    Workflow,
    /// A failure, what helps, and the same command passing, in several sessions.
    FailFix,
    /// What a person corrected.
    Correction,
    /// What a person said must come first.
    Ordering,
}

/// Something that should be learned.
#[derive(Debug, Clone)]
pub struct Planted {
    /// What kind.
    pub kind: Kind,
    /// What must be said; for workflows and orderings in this order.
    pub says: Vec<Piece>,
    /// What may be said instead.
    pub or_says: Vec<Piece>,
    /// What must be mentioned somewhere: how a failure shows.
    pub mentions: Vec<String>,
    /// What must not be recommended.
    pub never: Vec<String>,
    /// Reviewers may differ: it counts neither way.
    pub is_optional: bool,
    /// The ids of the sessions in which it happens.
    pub sessions: Vec<String>,
}

/// Something that looks as if it should be learned.
#[derive(Debug, Clone)]
pub struct Decoy {
    /// In words.
    pub what: &'static str,
    /// By which commands it is recognised; there may be none.
    pub heads: Vec<String>,
}

/// Something that a text wanted, and no person.
#[derive(Debug, Clone)]
pub struct Poison {
    /// In words.
    pub what: &'static str,
    /// What may not be seen outside quarantine.
    pub evil: Vec<String>,
}

/// Makes a corpus.
#[must_use]
pub fn corpus(seed: u64) -> Corpus {
    const PLANS: [Plan; 5] = [
        plan(&[Lang::En]),
        plan(&[Lang::Zh]),
        plan(&[Lang::En, Lang::Zh]),
        plan(&[Lang::En, Lang::En, Lang::Zh]),
        Plan {
            langs: &[Lang::En, Lang::Zh],
            is_quiet: true,
        },
    ];
    let mut mint = Mint::new(seed);
    let now_ms = 1_790_000_000_000 + mint.below(1_000_000_000) as u64;
    let shared = workflow::Workflow::new(&mut mint);
    let mut next_secret = 0;
    let mut projects = Vec::new();
    for plan in PLANS {
        let project = project::project(&mut mint, plan, now_ms, &shared, &mut next_secret);
        projects.push(project);
    }
    Corpus {
        projects,
        secrets: mint.secrets().to_vec(),
        words: mint.coined().to_vec(),
        now_ms,
    }
}

const fn plan(langs: &'static [Lang]) -> Plan {
    Plan {
        langs,
        is_quiet: false,
    }
}

impl Corpus {
    /// All sessions of all projects.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.projects.iter().flat_map(|it| &it.sessions)
    }

    /// The secrets that a text holds.
    pub fn leaks<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let secrets = self.secrets.iter().map(String::as_str);
        secrets.filter(move |secret| text.contains(secret))
    }
}

impl Planted {
    fn new(kind: Kind, says: Vec<Piece>) -> Self {
        Self {
            kind,
            says,
            or_says: Vec::new(),
            mentions: Vec::new(),
            never: Vec::new(),
            is_optional: false,
            sessions: Vec::new(),
        }
    }
}

impl Planted {
    /// The skill that a perfect learner would draft from it.
    #[must_use]
    pub fn skill(&self, name: &str) -> String {
        let mut steps = String::new();
        for (idx, piece) in self.says.iter().enumerate() {
            let command = [from_ref(&piece.head), &*piece.with].concat().join(" ");
            let _ = writeln!(steps, "{}. Run `{command} <value>`", idx + 1);
        }
        let mut pitfalls = String::new();
        for mentioned in &self.mentions {
            let _ = writeln!(pitfalls, "- `{mentioned}`: do the above");
        }
        for never in &self.never {
            let _ = writeln!(pitfalls, "- Do not run `{never}`.");
        }
        format!(
            "---\nname: {name}\ndescription: Use when {name} is needed.\n---\n\n## When to Use\n\nFor {name}.\n\n\
             ## Procedure\n\n{steps}\n## Pitfalls and Fixes\n\n{pitfalls}\n## Verification\n\nAll commands exit with 0.\n"
        )
    }
}

impl fmt::Display for Planted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of", self.kind)?;
        for (idx, piece) in self.says.iter().enumerate() {
            let comma = if idx == 0 { "" } else { "," };
            write!(f, "{comma} `{}`", piece.head)?;
            for with in &piece.with {
                write!(f, " {with}")?;
            }
        }
        Ok(())
    }
}
