//! Discovery on a real disk, beside a bare directory walk of the same tree in the same run.
//!
//! The promise is a ratio: at most 1.5 times what two threads need that do nothing but list.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench works on a real disk and prints its ratio"
)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use analects_host::Disk;
use analects_memory::discover::{
    Denied, Depth, DiscoverOptions, Discovered, IgnoreOptions, IgnoreScope, Places, Trust, discover,
};
use analects_world::AbsPath;
use analects_world::Profile;

const N_DIRS: usize = 10_000;
const N_MEMORY_FILES: usize = 500;
const N_ROUNDS: usize = 15;

fn main() {
    let tree = Tree::build();
    assert_eq!(tree.discover().candidates.len(), N_MEMORY_FILES);
    assert_eq!(tree.bare_walk(), N_DIRS);
    if !std::env::args().any(|arg| arg == "--test") {
        let (ours, bare) = (0..N_ROUNDS).fold((Duration::MAX, Duration::MAX), |(ours, bare), _| {
            (
                ours.min(time(|| tree.discover())),
                bare.min(time(|| tree.bare_walk())),
            )
        });
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        println!(
            "discover {N_DIRS} directories: {ours:?}; bare two-thread walk: {bare:?}; ratio {ratio:.2}"
        );
    }
    divan::main();
}

fn time<T>(job: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(job());
    start.elapsed()
}

#[divan::bench(sample_count = 10)]
fn discover_10_000_directories(bencher: divan::Bencher<'_, '_>) {
    let tree = Tree::build();
    bencher.bench_local(|| tree.discover());
}

#[divan::bench(sample_count = 10)]
fn bare_walk_of_10_000_directories(bencher: divan::Bencher<'_, '_>) {
    let tree = Tree::build();
    bencher.bench_local(|| tree.bare_walk());
}

/// A tree of directories, ten in each, with ordinary files and some memory files.
struct Tree {
    dir: tempfile::TempDir,
}

impl Tree {
    fn build() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repo = dir.path().join("repo");
        let mut dirs = vec![repo.clone()];
        fs::create_dir_all(repo.join(".git")).unwrap();
        for at in 0.. {
            if dirs.len() == N_DIRS {
                break;
            }
            let parent = dirs[at].clone();
            let n_more = (N_DIRS - dirs.len()).min(10);
            for child in (0..n_more).map(|i| parent.join(format!("module-{i}"))) {
                fs::create_dir(&child).unwrap();
                dirs.push(child);
            }
        }
        for dir in &dirs {
            for file in ["lib.rs", "README", "data.json"] {
                fs::write(dir.join(file), "").unwrap();
            }
        }
        for dir in dirs.iter().step_by(N_DIRS / N_MEMORY_FILES) {
            fs::write(dir.join("GEMINI.md"), "Be brief.\n").unwrap();
        }
        Self { dir }
    }

    fn path(&self, name: &str) -> AbsPath {
        AbsPath::new(self.dir.path().join(name).to_str().unwrap()).unwrap()
    }

    fn discover(&self) -> Discovered {
        let places = Places {
            cwd: self.path("repo"),
            home: self.path("home"),
            private: vec![],
            extensions: vec![],
            include: vec![],
            top: None,
            trust: Trust::Trusted,
            denied: Denied::default(),
        };
        let options = DiscoverOptions {
            profile: Profile::Analects,
            names: ["GEMINI.md", "AGENTS.md", "CLAUDE.md"]
                .map(str::to_owned)
                .into(),
            own_names: None,
            markers: vec![".git".to_owned()],
            startup_depth: Depth::All,
            max_dirs: usize::MAX,
            ignore: IgnoreOptions {
                git: true,
                gemini: true,
                custom: vec![],
                scope: IgnoreScope::FromRoot,
            },
        };
        discover(&Disk, &places, &options)
    }

    /// Lists every directory on two threads and does nothing else.
    fn bare_walk(&self) -> usize {
        let todo = Mutex::new(vec![self.dir.path().join("repo")]);
        let n_open = AtomicUsize::new(1);
        let n_seen = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| walk(&todo, &n_open, &n_seen));
            }
        });
        n_seen.into_inner()
    }
}

fn walk(todo: &Mutex<Vec<PathBuf>>, n_open: &AtomicUsize, n_seen: &AtomicUsize) {
    while n_open.load(Ordering::Acquire) > 0 {
        let next = todo.lock().unwrap().pop();
        let Some(dir) = next else {
            std::thread::yield_now();
            continue;
        };
        n_seen.fetch_add(1, Ordering::Relaxed);
        let subdirs = subdirs(&dir);
        n_open.fetch_add(subdirs.len(), Ordering::Release);
        todo.lock().unwrap().extend(subdirs);
        n_open.fetch_sub(1, Ordering::Release);
    }
}

fn subdirs(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let dirs = entries.filter(|entry| entry.file_type().unwrap().is_dir());
    dirs.filter(|entry| entry.file_name() != ".git")
        .map(|entry| entry.path())
        .collect()
}
