//! A commit to a file of one megabyte beside a plain read-modify-fsync-rename of the same file.
//!
//! The promise is a ratio: at most three times as long, for a change that cannot be lost or torn.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench works on a real disk and prints its ratio"
)]

use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

use analects_host::commit::{CommitDesk, OpenGate};
use analects_world::changes::{Change, Changes};
use analects_world::{AbsPath, Desk};

const N_ROUNDS: usize = 30;

fn main() {
    let place = Place::new();
    place.commit();
    if !std::env::args().any(|arg| arg == "--test") {
        let mut times: [Vec<Duration>; 2] = Default::default();
        for _ in 0..N_ROUNDS {
            times[0].push(time(|| place.commit()));
            times[1].push(time(|| place.plain()));
        }
        let [ours, plain] = times.map(|mut times| {
            times.sort_unstable();
            times[N_ROUNDS / 2]
        });
        let ratio = ours.as_secs_f64() / plain.as_secs_f64();
        println!("commit to 1 MB: {ours:?}; plain: {plain:?}; ratio of medians {ratio:.2}");
    }
    divan::main();
}

fn time(job: impl FnOnce()) -> Duration {
    let start = Instant::now();
    job();
    start.elapsed()
}

#[divan::bench(sample_count = 20)]
fn commit_to_1_mb(bencher: divan::Bencher<'_, '_>) {
    let place = Place::new();
    bencher.bench_local(|| place.commit());
}

#[divan::bench(sample_count = 20)]
fn plain_rename_of_1_mb(bencher: divan::Bencher<'_, '_>) {
    let place = Place::new();
    bencher.bench_local(|| place.plain());
}

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        // Below the build directory: a disk that keeps what it is told to sync.
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::write(dir.path().join("a.md"), "a rule of ours\n".repeat(70_000)).unwrap();
        Self { dir }
    }

    fn changed(&self) -> (Vec<u8>, Vec<u8>) {
        let old = fs::read(self.dir.path().join("a.md")).unwrap();
        let mut new = old.clone();
        let middle = new.len() / 2;
        new[middle] = new[middle].wrapping_add(1) | 0x20;
        new[middle] &= 0x7F;
        (old, new)
    }

    fn commit(&self) {
        let root = AbsPath::new(self.dir.path().to_str().unwrap()).unwrap();
        let desk = CommitDesk::new(&root.join("state"), &OpenGate);
        let mut plan = |_: &dyn analects_world::Files| {
            let (old, new) = self.changed();
            let change = Change::new(&root.join("a.md"), Some(&old), Some(new));
            Some(Changes::new("bench", "", vec![change]))
        };
        desk.commit(&[], &mut plan).unwrap();
    }

    fn plain(&self) {
        let (_, new) = self.changed();
        let staged = self.dir.path().join("staged");
        let mut file = File::create(&staged).unwrap();
        file.write_all(&new).unwrap();
        file.sync_all().unwrap();
        fs::rename(staged, self.dir.path().join("a.md")).unwrap();
    }
}
