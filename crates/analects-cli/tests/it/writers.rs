//! Many processes that remember at once, some of them killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use crate::sandbox::Sandbox;

const N_PROCESSES: usize = 16;
const N_FACTS: usize = 100;

#[test]
fn sixteen_processes_lose_nothing_while_some_are_killed() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.gemini/GEMINI.md", "# Mine\r\n\r\nKept.\r\n");
    let added: Vec<_> = thread::scope(|scope| {
        let writers: Vec<_> = (0..N_PROCESSES)
            .map(|writer| {
                let sandbox = &sandbox;
                scope.spawn(move || write_all(sandbox, writer))
            })
            .collect();
        let joined = writers
            .into_iter()
            .flat_map(|writer| writer.join().unwrap());
        joined.collect()
    });
    let n_killed = N_PROCESSES * N_FACTS - added.len();
    // Whoever comes next cleans up after those that were killed.
    assert_eq!(
        sandbox
            .run(&["memory", "add", "the last", "--scope", "global", "--yes"])
            .code,
        0
    );
    let text = fs::read_to_string(sandbox.path("home/.gemini/GEMINI.md")).unwrap();
    assert!(text.starts_with("# Mine\r\n\r\nKept.\r\n"));
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with("- ")).collect();
    let once: BTreeSet<_> = lines.iter().collect();
    assert_eq!(once.len(), lines.len(), "nothing is written twice");
    for fact in &added {
        assert!(
            once.contains(&format!("- {fact}").as_str()),
            "{fact} is lost"
        );
    }
    let is_whole = |line: &&&str| line.ends_with('.') || **line == "- the last";
    assert_eq!(once.iter().filter(|line| !is_whole(line)).count(), 0);
    assert!(n_killed > 0, "somebody must have been killed in time");
    assert_eq!(leftovers(&sandbox.path("home")), Vec::<String>::new());
}

/// Adds facts, one process each, and kills one in ten; says which came back.
fn write_all(sandbox: &Sandbox, writer: usize) -> Vec<String> {
    let mut added = Vec::new();
    for n in 0..N_FACTS {
        let fact = format!("writer {writer} says number {n}.");
        let args = ["memory", "add", &fact, "--scope", "global", "--yes", "-q"];
        let mut command = sandbox.command(&args);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        if n % 10 == 7 {
            // Later with every round, so that different steps are hit.
            for _ in 0..writer * n * 200 {
                std::hint::spin_loop();
            }
            let _ = child.kill();
        }
        let status = child.wait().unwrap();
        if status.success() {
            added.push(fact);
        } else {
            assert!(status.code().is_none(), "{fact} failed: {status}");
        }
    }
    added
}

/// Staged files that nobody put in place or removed.
fn leftovers(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            found.extend(leftovers(&entry.path()));
        } else if name.starts_with(".analects-") || name == "staging.json" {
            found.push(name);
        }
    }
    found
}
