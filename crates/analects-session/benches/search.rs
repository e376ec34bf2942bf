//! The loops of search: taking words apart, filling an index, asking it. `cargo xtask search` has the
//! figures over 10,000 sessions.
#![expect(clippy::unwrap_used, reason = "a bench that fails should say where")]

#[path = "../tests/search/corpus.rs"]
mod corpus;

use analects_host::index::SqliteIndex;
use analects_session::search::{Options, Query, document, find, words};
use analects_session::transcript::Transcript;
use analects_world::AbsPath;
use analects_world::files::Measure;
use analects_world::index::{Entry, Filter, Index};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use tempfile::TempDir;

const N_SESSIONS: usize = 500;

fn main() {
    divan::main();
}

fn sessions() -> Vec<Transcript> {
    let evidence = corpus::evidence();
    let session =
        |no: usize| corpus::session(no, evidence.get(no / 2).filter(|_| no.is_multiple_of(2))).0;
    (0..N_SESSIONS).map(session).collect()
}

fn entry(no: usize, transcript: &Transcript) -> Entry {
    let path = AbsPath::root().join(&no.to_string());
    document::entry(&path, Measure::default(), transcript)
}

fn open() -> (TempDir, SqliteIndex) {
    let dir = tempfile::tempdir().unwrap();
    let home = AbsPath::new(dir.path().to_str().unwrap()).unwrap();
    let index = SqliteIndex::open(&home.join("index.sqlite"));
    (dir, index)
}

fn filled() -> (TempDir, SqliteIndex) {
    let (dir, index) = open();
    for (no, session) in sessions().iter().enumerate() {
        index.put(&entry(no, session)).unwrap();
    }
    (dir, index)
}

#[divan::bench]
fn words_of_a_megabyte(bencher: Bencher<'_, '_>) {
    let sessions = sessions();
    let turns = sessions.iter().flat_map(|session| &session.turns);
    let text: String = turns
        .map(|turn| turn.text.as_str())
        .cycle()
        .take(12_000)
        .collect();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| words::terms(divan::black_box(&text)).len());
}

#[divan::bench(sample_count = 5)]
fn index_500_sessions(bencher: Bencher<'_, '_>) {
    let sessions = sessions();
    bencher
        .counter(ItemsCount::new(N_SESSIONS))
        .with_inputs(open)
        .bench_refs(|(_dir, index)| {
            for (no, session) in sessions.iter().enumerate() {
                index.put(&entry(no, session)).unwrap();
            }
        });
}

#[divan::bench]
fn two_turns_more(bencher: Bencher<'_, '_>) {
    let (_dir, index) = filled();
    let mut session = sessions().swap_remove(0);
    let more: Vec<_> = session.turns.iter().take(2).cloned().collect();
    bencher.bench_local(|| {
        session.turns.extend(more.clone());
        index.put(&entry(0, &session)).unwrap();
    });
}

#[divan::bench(args = ["why does the db run out of connections", "数据库连接池耗尽", "timeout"])]
fn ask_500_sessions(bencher: Bencher<'_, '_>, question: &str) {
    let (_dir, index) = filled();
    let options = Options {
        filter: Filter::default(),
        limit: 10,
        limit_per_session: 3,
        now: None,
    };
    bencher.bench(|| {
        find(&index, &Query::parse(question), &options)
            .unwrap()
            .len()
    });
}
