//! Prints how well and how fast search finds; `cargo xtask search` runs it.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it measures time on a real disk, and prints what it measured"
)]

#[path = "../tests/search/contest.rs"]
mod contest;
#[path = "../tests/search/corpus.rs"]
mod corpus;

use std::time::{Duration, Instant};

use analects_host::index::SqliteIndex;
use analects_session::search::{Options, Query, find};
use analects_session::transcript::Transcript;
use analects_world::AbsPath;
use analects_world::index::{Filter, Index};
use contest::{entry, options};

const N_QUALITY: usize = 1_500;
const N_SPEED: usize = 10_000;
const N_SMALL: usize = 500;

/// Questions of words that stand in a tenth of all turns.
const COMMON: [&str; 8] = [
    "timeout",
    "fix test",
    "error in the database",
    "数据库",
    "测试 失败",
    "锁",
    "the login page crashes under load in production after the update",
    "we saw that the worker crashes after the deployment because the database connection pool is exhausted, \
     then the queue blocks, the dashboard shows an old value, and users of the mobile app get a timeout when \
     they log in; somebody fixed the retry and the cache but the test suite fails in the pipeline, please \
     find the conversation about the configuration and the certificate of the gateway and the log level",
];

fn main() {
    let tallies = contest::contest(N_QUALITY, |_, _, _| {});
    println!(
        "recall@10 over {N_QUALITY} sessions:\n\n{}",
        contest::table(&tallies)
    );
    speed();
}

fn speed() {
    let dir = tempfile::tempdir().expect("a directory");
    let home = AbsPath::new(dir.path().to_str().expect("UTF-8")).expect("absolute");
    let path = home.join("index.sqlite");
    let index = SqliteIndex::open(&path);
    let sessions: Vec<Transcript> = (0..N_SPEED).map(|no| corpus::session(no, None).0).collect();
    let n_turns: usize = sessions.iter().map(|session| session.turns.len()).sum();
    let n_bytes: usize = sessions
        .iter()
        .flat_map(|session| &session.turns)
        .map(bytes)
        .sum();

    let put = |range: std::ops::Range<usize>| {
        let start = Instant::now();
        for no in range {
            index
                .put(&entry(no, &sessions[no]))
                .expect("room on the disk");
        }
        start.elapsed()
    };
    let small = put(0..N_SMALL);
    let rest = put(N_SMALL..N_SPEED);
    let len = std::fs::metadata(path.as_str()).map_or(0, |meta| meta.len());
    println!(
        "{N_SPEED} sessions, {n_turns} turns, {:.1} MB of text; index {:.1} MB",
        mega(n_bytes as u64),
        mega(len)
    );
    println!(
        "index of {N_SMALL} sessions: {:.0} ms; of the others: {:.1} s",
        ms(small),
        rest.as_secs_f64()
    );
    update(&index, &sessions[42]);

    let questions: Vec<&str> = corpus::evidence()
        .iter()
        .flat_map(|one| one.questions.clone())
        .map(|(_, question)| question)
        .collect();
    ask("questions", &index, &questions, &options());
    for question in COMMON {
        let start: String = question.chars().take(40).collect();
        ask(&format!("`{start}`"), &index, &[question], &options());
    }
    let filter = Filter {
        project: Some("/home/me/shop".to_owned()),
        agent: Some("claude".to_owned()),
        ..Filter::default()
    };
    ask(
        "with filters",
        &index,
        &questions,
        &Options {
            filter,
            ..options()
        },
    );
    let filter = Filter {
        since_ms: Some(1_750_000_000_000),
        until_ms: Some(1_755_000_000_000),
        ..Filter::default()
    };
    ask(
        "of some weeks",
        &index,
        &questions,
        &Options {
            filter,
            ..options()
        },
    );
    let start = Instant::now();
    let n_known = index.known().map_or(0, |known| known.len());
    println!(
        "what {n_known} files it knows: {:.1} ms",
        ms(start.elapsed())
    );
    drop(index);
    let start = Instant::now();
    let index = SqliteIndex::open(&path);
    find(&index, &Query::parse(questions[0]), &options()).expect("an answer");
    println!("open and first question: {:.1} ms", ms(start.elapsed()));
}

/// A conversation of 400 turns to which two are added.
fn update(index: &SqliteIndex, session: &Transcript) {
    let mut long = session.clone();
    while long.turns.len() < 400 {
        long.turns.extend(session.turns.clone());
    }
    index.put(&entry(N_SPEED, &long)).expect("room on the disk");
    let mut times = Vec::new();
    for _ in 0..20 {
        long.turns.extend(session.turns.iter().take(2).cloned());
        let start = Instant::now();
        index.put(&entry(N_SPEED, &long)).expect("room on the disk");
        times.push(start.elapsed());
    }
    report("two turns added to one of 400", times);
}

fn ask(name: &str, index: &SqliteIndex, questions: &[&str], options: &Options) {
    let run = || -> Vec<Duration> {
        let one = |question: &&str| {
            let start = Instant::now();
            find(index, &Query::parse(question), options).expect("an answer");
            start.elapsed()
        };
        questions.iter().map(one).collect()
    };
    // Once to warm up. Then each question has three tries: on a busy machine others take the time of some.
    run();
    let tries = [run(), run(), run()];
    let best = (0..questions.len()).filter_map(|at| tries.iter().map(|times| times[at]).min());
    report(name, best.collect());
    report("  every try", tries.concat());
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: usize| ms(times[(times.len() - 1) * part / 100]);
    println!(
        "{name}: median {:.1} ms, p95 {:.1} ms, worst {:.1} ms",
        at(50),
        at(95),
        at(100)
    );
}

fn bytes(turn: &analects_session::transcript::Turn) -> usize {
    let tools = turn
        .tools
        .iter()
        .map(|tool| tool.input.len() + tool.output.len());
    turn.text.len() + tools.sum::<usize>()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn mega(n: u64) -> f64 {
    n as f64 / 1e6
}
