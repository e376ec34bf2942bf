//! Everything that was ever found is replayed, and changes of it: the targets of libFuzzer as tests.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the corpus lies on the disk, beside its target; what breaks a promise is named, and stops its test"
)]

mod mutation;

use std::fs;
use std::path::{Path, PathBuf};

use analects_fuzz::{TARGETS, Target};
use mutation::mutation;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many changes are made for each target.
const N_CHANGES: u32 = 96;
/// Beyond this a corpus is no longer small.
const MAX_FILES: usize = 150;
const MAX_BYTES: usize = 300 * 1024;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of what lies in a directory, in order.
fn names(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn corpus(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = names(&here().join("corpus").join(target.name));
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap();
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

fn stems(dir: &str) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    names(&here().join(dir)).iter().map(stem).collect()
}

#[test]
fn every_target_has_a_binary_and_a_small_corpus() {
    let known = TARGETS.map(|target| target.name.to_owned());
    assert_eq!(stems("fuzz_targets"), known);
    assert_eq!(stems("corpus"), known);
    for target in &TARGETS {
        let corpus = corpus(target);
        let n_bytes: usize = corpus.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(!corpus.is_empty(), "{}", target.name);
        assert!(
            corpus.len() <= MAX_FILES && n_bytes <= MAX_BYTES,
            "{}: {} files of {n_bytes} bytes; `cargo xtask fuzz --minimize` makes them fewer",
            target.name,
            corpus.len()
        );
    }
}

/// Feeds the whole corpus of a target, then changes of it.
fn replayed(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let corpus = corpus(target);
    for (path, bytes) in &corpus {
        println!("{}", path.display());
        (target.feed)(bytes);
    }
    let seeds: Vec<_> = corpus.into_iter().map(|(_, bytes)| bytes).collect();
    let config = Config {
        cases: N_CHANGES,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let run = runner.run(&mutation(seeds), |bytes| {
        (target.feed)(&bytes);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{name}: {error}"));
}

macro_rules! replay_each {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            replayed(stringify!($name));
        })*

        #[test]
        fn every_target_is_replayed() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
        }
    };
}

replay_each! {
    foreign frontmatter hook import notes patch policy provenance replay settings setup shell_line snapshot text
}
