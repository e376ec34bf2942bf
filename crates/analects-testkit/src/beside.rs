//! Our answers beside those of Gemini CLI: where its answers are read from, and the account of what differs.
//!
//! A test compares with the answers that are kept beside it, or with fresh ones of a live round: then
//! `ANALECTS_BESIDE` names their directory (`cargo xtask differ` sees to it). A case either is the same, or
//! differs by a row of `docs/reference/compatibility.md`, or fails.

pub mod page;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io::{self, Write};

use page::Page;

/// Every account begins with this, so that a chore can tell it from what else a test prints.
pub const ACCOUNT: &str = "beside the original: ";

/// The kinds of cases, by the file of their answers, and by the question where a file answers several.
pub const KINDS: [&str; 29] = [
    "flatten",
    "imports",
    "tiers",
    "eager",
    "jit",
    "save",
    "registry",
    "trust",
    "inbox",
    "sessions",
    "scratchpads",
    "programs",
    "loops/streams",
    "loops/checks",
    "loops/analects",
    "outputs/estimates",
    "outputs/cuts",
    "outputs/names",
    "outputs/normals",
    "outputs/masks",
    "outputs/budgets",
    "outputs/kinds",
    "outputs/binaries",
    "outputs/pages",
    "outputs/editors",
    "valid/cut",
    "valid/curated",
    "valid/hardened",
    "valid/routed",
];

/// Where the answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// They are kept in the repository, and so are the lists of what they show.
    Kept,
    /// They were recorded a moment ago, from cases that nobody has seen.
    Live,
}

/// The cases of one kind, and what became of them.
#[derive(Debug)]
pub struct Beside {
    kind: &'static str,
    round: Round,
    answers: Cow<'static, str>,
    n_cases: usize,
    /// By row: how many cases, and the first of them.
    explained: BTreeMap<&'static str, (usize, String)>,
    unexplained: Vec<String>,
}

impl Beside {
    /// The answers to the cases of a kind: those in `kept`, or those of a live round.
    ///
    /// # Panics
    ///
    /// If there is no such kind, or a live round has no answers of it.
    #[must_use]
    pub fn the_original(kind: &'static str, kept: &'static str) -> Self {
        assert!(KINDS.contains(&kind), "{kind} is no kind of cases");
        let file = kind.split('/').next().unwrap_or(kind);
        let (round, answers) = match live(file) {
            Some(answers) => (Round::Live, answers.into()),
            None => (Round::Kept, kept.into()),
        };
        Self {
            kind,
            round,
            answers,
            n_cases: 0,
            explained: BTreeMap::new(),
            unexplained: Vec::new(),
        }
    }

    /// The answers, as JSON.
    #[must_use]
    pub fn answers(&self) -> &str {
        &self.answers
    }

    /// Where they come from.
    #[must_use]
    pub fn round(&self) -> Round {
        self.round
    }

    /// One more case is the same.
    pub fn same(&mut self) {
        self.n_cases += 1;
    }

    /// One more case is another, for reasons that have a row each.
    pub fn differs(&mut self, case: &str, rows: impl IntoIterator<Item = &'static str>) {
        self.n_cases += 1;
        for row in rows {
            let (n_cases, _) = self
                .explained
                .entry(row)
                .or_insert_with(|| (0, case.to_owned()));
            *n_cases += 1;
        }
    }

    /// One more case is another, and nothing says why. `told` is the question and both answers.
    pub fn fails(&mut self, case: &str, told: &str) {
        self.n_cases += 1;
        self.unexplained
            .push(format!("{}/{case}\n{told}", self.kind));
    }

    /// One more case, the same or not.
    pub fn compare<T: PartialEq + Debug>(&mut self, case: &str, asked: &str, ours: &T, theirs: &T) {
        match ours == theirs {
            true => self.same(),
            false => self.fails(
                case,
                &format!("asked  {asked}\nours   {ours:?}\ntheirs {theirs:?}"),
            ),
        }
    }

    /// Prints the account and says whether it holds.
    ///
    /// # Panics
    ///
    /// If a case has no explanation, if an explanation has no row, and, of the answers that are kept, if a row
    /// that names this kind explains nothing.
    pub fn finish(self) {
        let counts = self.explained.iter().map(|(row, (n, _))| (*row, *n));
        let account = serde_json::json!({
            "kind": self.kind,
            "cases": self.n_cases,
            "explained": counts.collect::<BTreeMap<_, _>>(),
        });
        // Past the capture of the test runner: the account belongs into every log.
        let told = format!("{ACCOUNT}{account}\n");
        io::stderr().write_all(told.as_bytes()).unwrap();
        let shown: Vec<_> = self.unexplained.iter().take(3).cloned().collect();
        assert!(
            shown.is_empty(),
            "{} cases differ and no row says why; the first of them:\n\n{}",
            self.unexplained.len(),
            shown.join("\n\n")
        );
        assert!(self.n_cases > 0, "no case of {}", self.kind);
        let page = Page::published();
        let told: BTreeSet<_> = page.rows_of(self.kind).collect();
        let needed: BTreeSet<_> = self.explained.keys().copied().collect();
        let without_row: Vec<_> = (needed.difference(&told))
            .map(|row| (row, &self.explained[row].1))
            .collect();
        assert!(
            without_row.is_empty(),
            "{} differs by {without_row:?}; docs/reference/compatibility.md does not say so of that kind",
            self.kind
        );
        if self.round == Round::Kept {
            assert_eq!(needed, told, "the rows that name {}", self.kind);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs a live round says here where its answers are"
)]
fn live(file: &str) -> Option<String> {
    let dir = std::env::var("ANALECTS_BESIDE").ok()?;
    let path = format!("{dir}/{file}.json");
    let answers = std::fs::read_to_string(&path);
    Some(answers.unwrap_or_else(|error| panic!("cannot read {path}: {error}")))
}
