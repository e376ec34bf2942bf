//! `skill extract` over very many sessions: the whole process, from the records on the disk to what waits in the inbox.
//!
//! Four times as many sessions may take a little more than four times as long, never sixteen times; what it needs of
//! memory must not grow with them much. With `--test` there are few, so that it only shows that it runs.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench runs the real binary on a real disk and prints what it took"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use analects_testkit::corpus::many;

const BINARY: &str = env!("CARGO_BIN_EXE_analects");
/// What a session takes on the disk.
const SESSION_BYTES: usize = 100 * 1024;
/// A machine that has much to do gets another chance.
const TRIES: usize = 3;
/// How much longer four times as many may take.
const TIMES: f64 = 6.5;
const MOST_TIME: Duration = Duration::from_secs(60);
const MOST_KB: u64 = 300 * 1024;

fn main() {
    let is_test = std::env::args().any(|arg| arg == "--test");
    let n_many = if is_test { 200 } else { 2_000 };
    let (few, all) = (Place::new(n_many / 4), Place::new(n_many));
    for round in 1..=TRIES {
        let (a, b) = (few.learn(), all.learn());
        let ratio = b.took.as_secs_f64() / a.took.as_secs_f64();
        println!(
            "{} sessions: {:.2?}, {} MB; {} sessions ({} MB): {:.2?}, {} MB; ratio {ratio:.1}; {} skills",
            few.n_sessions,
            a.took,
            a.peak_kb / 1024,
            all.n_sessions,
            all.n_bytes / (1024 * 1024),
            b.took,
            b.peak_kb / 1024,
            b.n_skills,
        );
        assert!(b.peak_kb < MOST_KB, "{} kB of memory", b.peak_kb);
        assert!(b.n_skills > 0, "nothing was learned");
        if ratio <= TIMES && b.took < MOST_TIME {
            return;
        }
        assert!(
            round < TRIES,
            "it should be linear, and take less than {MOST_TIME:?}"
        );
    }
}

/// A home with the sessions of one project.
struct Place {
    dir: tempfile::TempDir,
    n_sessions: usize,
    n_bytes: usize,
}

struct Run {
    took: Duration,
    peak_kb: u64,
    n_skills: usize,
}

impl Place {
    fn new(n_sessions: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let repo = dir.path().join("repo");
        let folder = dir.path().join("home/.gemini/tmp/repo");
        fs::create_dir_all(repo.join(".git")).unwrap();
        fs::create_dir_all(folder.join("chats")).unwrap();
        let root = repo.to_str().unwrap();
        let registry = serde_json::json!({ "projects": { root: "repo" } });
        fs::write(
            dir.path().join("home/.gemini/projects.json"),
            registry.to_string(),
        )
        .unwrap();
        fs::write(folder.join(".project_root"), root).unwrap();
        let mut n_bytes = 0;
        for session in many(7, n_sessions, n_sessions * SESSION_BYTES) {
            n_bytes += session.bytes.len();
            fs::write(folder.join("chats").join(&session.file), &session.bytes).unwrap();
        }
        Self {
            dir,
            n_sessions,
            n_bytes,
        }
    }

    /// Learns from all sessions as if nothing had been learned yet.
    fn learn(&self) -> Run {
        let _ = fs::remove_dir_all(self.dir.path().join("home/.gemini/tmp/repo/memory"));
        let mut command = Command::new(Path::new(BINARY));
        command
            .args(["--trust", "--json", "skill", "extract"])
            .current_dir(self.dir.path().join("repo"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.dir.path().join("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        let mut peak_kb = 0;
        while child.try_wait().unwrap().is_none() {
            peak_kb = peak(&status).unwrap_or(0).max(peak_kb);
            std::thread::sleep(Duration::from_millis(2));
        }
        let took = start.elapsed();
        let output = child.wait_with_output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["status"], "done", "{answer}");
        Run {
            took,
            peak_kb,
            n_skills: answer["skills"].as_array().unwrap().len(),
        }
    }
}

/// The most memory that a process ever had.
fn peak(status: &str) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
