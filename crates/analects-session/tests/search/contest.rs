//! Asks the same questions of our search and of plain FTS5, over the same conversations.

use std::collections::BTreeMap;
use std::fmt::Write;

use analects_host::index::SqliteIndex;
use analects_session::search::{Options, Query, document, find};
use analects_session::stamp::Stamp;
use analects_session::transcript::Transcript;
use analects_world::AbsPath;
use analects_world::files::{FileId, Measure};
use analects_world::index::{Filter, Index};
use rusqlite::Connection;

use crate::corpus::{self, Evidence};

/// How many found the evidence among the first ten.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) n_asked: usize,
    pub(crate) ours: usize,
    pub(crate) porter: usize,
    pub(crate) trigram: usize,
}

impl Tally {
    pub(crate) fn recall(self, n_found: usize) -> f64 {
        n_found as f64 / self.n_asked.max(1) as f64
    }
}

/// All tallies, by what they are about.
pub(crate) type Tallies = BTreeMap<String, Tally>;

/// Runs the contest over this many conversations, those with evidence among them.
pub(crate) fn contest(n_sessions: usize, mut missed: impl FnMut(&str, &str, &str)) -> Tallies {
    let evidence = corpus::evidence();
    let index = SqliteIndex::in_memory();
    let plain = Plain::new();
    let mut places = Vec::new();
    // Spread among the others, so that neither order nor number of a session tells anything.
    let step = (n_sessions / evidence.len()).max(1);
    for no in 0..n_sessions {
        let held = evidence.get(no / step).filter(|_| no % step == step / 2);
        let (transcript, turn) = corpus::session(no, held);
        index
            .put(&entry(no, &transcript))
            .expect("the index takes everything");
        plain.put(no, &transcript);
        if held.is_some() {
            places.push((no, turn));
        }
    }
    assert_eq!(places.len(), evidence.len(), "all evidence is in");
    let mut tallies = Tallies::new();
    for (number, (one, (session, turn))) in evidence.iter().zip(places).enumerate() {
        let part = if number % 3 == 2 {
            "held out"
        } else {
            "tuned on"
        };
        for (kind, question) in &one.questions {
            let is_right = |found: &[(usize, usize)]| {
                found
                    .iter()
                    .any(|(no, at)| *no == session && (*at == turn || *at == turn + 1))
            };
            let ours = is_right(&ours(&index, question));
            let porter = is_right(&plain.porter(question));
            let trigram = is_right(&plain.trigram(question));
            if !ours {
                missed(part, question, one.prompt);
            }
            for about in labels(one, kind, part) {
                let tally = tallies.entry(about).or_default();
                tally.n_asked += 1;
                tally.ours += usize::from(ours);
                tally.porter += usize::from(porter);
                tally.trigram += usize::from(trigram);
            }
        }
    }
    tallies
}

fn labels(evidence: &Evidence, kind: &str, part: &str) -> [String; 5] {
    [
        "1 all".to_owned(),
        format!("2 {part}"),
        format!("3 {}", evidence.language),
        format!("4 {}, {part}", evidence.language),
        format!("5 {kind}"),
    ]
}

/// The tallies as a table.
pub(crate) fn table(tallies: &Tallies) -> String {
    let mut table = String::from(
        "| questions | n | ours | FTS5 porter | FTS5 trigram |\n|---|---|---|---|---|\n",
    );
    for (about, tally) in tallies {
        let [ours, porter, trigram] =
            [tally.ours, tally.porter, tally.trigram].map(|n| tally.recall(n));
        let about = about.split_once(' ').map_or("", |(_, about)| about);
        writeln!(
            table,
            "| {about} | {} | {ours:.3} | {porter:.3} | {trigram:.3} |",
            tally.n_asked
        )
        .expect("a string takes everything");
    }
    table
}

/// What the index is to hold of a conversation.
pub(crate) fn entry(no: usize, transcript: &Transcript) -> analects_world::index::Entry {
    let path = AbsPath::root().join(&format!("sessions/{no}.jsonl"));
    let measure = Measure {
        len: transcript.turns.len() as u64,
        written_ns: 0,
        id: FileId {
            dev: 0,
            ino: no as u64,
        },
    };
    document::entry(&path, measure, transcript)
}

/// How the contest searches, and how a person would.
pub(crate) fn options() -> Options {
    Options {
        filter: Filter::default(),
        limit: 10,
        limit_per_session: 3,
        now: Stamp::from_ms(1_790_000_000_000),
    }
}

/// Session and turn of our first ten.
fn ours(index: &SqliteIndex, question: &str) -> Vec<(usize, usize)> {
    let hits = find(index, &Query::parse(question), &options()).expect("the index answers");
    let number = |name: &str| {
        name.split_once('-')
            .and_then(|(no, _)| no.parse().ok())
            .unwrap_or(usize::MAX)
    };
    hits.iter()
        .map(|hit| (number(&hit.document.name), hit.turn))
        .collect()
}

/// FTS5 as it comes.
struct Plain(Connection);

impl Plain {
    fn new() -> Self {
        let connection = Connection::open_in_memory().expect("a database in memory");
        connection
            .execute_batch(
                "CREATE VIRTUAL TABLE porter USING fts5(text, content='', tokenize='porter unicode61');
                 CREATE VIRTUAL TABLE trigram USING fts5(text, content='', tokenize='trigram');",
            )
            .expect("tables");
        Self(connection)
    }

    fn put(&self, no: usize, transcript: &Transcript) {
        for (at, turn) in transcript.turns.iter().enumerate() {
            let tools = turn
                .tools
                .iter()
                .map(|tool| format!("{} {} {}", tool.input, tool.output, tool.paths.join(" ")));
            let text = format!("{}\n{}", turn.text, tools.collect::<Vec<_>>().join("\n"));
            for table in ["porter", "trigram"] {
                let sql = format!("INSERT INTO {table}(rowid, text) VALUES(?, ?)");
                let id = (no * 1000 + at) as i64;
                self.0
                    .execute(&sql, rusqlite::params![id, text])
                    .expect("a row");
            }
        }
    }

    /// Any of the question's words.
    fn porter(&self, question: &str) -> Vec<(usize, usize)> {
        let words = question
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        self.ask("porter", words.map(|word| format!("\"{word}\"")).collect())
    }

    /// Any three characters of the question's.
    fn trigram(&self, question: &str) -> Vec<(usize, usize)> {
        let chars: Vec<char> = question.chars().filter(|c| *c != '"').collect();
        let threes = chars
            .windows(3)
            .map(|three| format!("\"{}\"", three.iter().collect::<String>()));
        self.ask("trigram", threes.collect())
    }

    fn ask(&self, table: &str, words: Vec<String>) -> Vec<(usize, usize)> {
        let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT 10");
        let mut find = self.0.prepare(&sql).expect("a question");
        let rows = find
            .query_map([words.join(" OR ")], |row| row.get::<_, i64>(0))
            .expect("an answer");
        rows.map(|id| id.expect("a number") as usize)
            .map(|id| (id / 1000, id % 1000))
            .collect()
    }
}
