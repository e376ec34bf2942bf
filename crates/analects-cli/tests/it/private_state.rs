//! Our own state when it is damaged, and who may read it.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use crate::sandbox::{Ran, Sandbox};

const GLOBAL: &str = "home/.gemini/GEMINI.md";
const JOURNAL: &str = "home/.gemini/analects/journal.jsonl";
const NOTES: &str = "home/.gemini/analects/entries.json";
const REGISTRY: &str = "home/.gemini/projects.json";

fn read(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path(path)).unwrap()
}

fn works(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let ran = sandbox.run(args);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    ran
}

/// The files in a directory whose names begin like this.
fn named(dir: &Path, start: &str) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(start)).collect()
}

#[test]
fn damaged_state_does_not_stop_a_write_and_is_reported() {
    for damage in [&b"{\"v\":1,\"nam"[..], b"\xFF\xFE\0", b""] {
        let sandbox = Sandbox::new();
        works(&sandbox, &["memory", "add", "I like tea", "--yes"]);
        let to_private = ["memory", "add", "Port 8081", "--to", "private", "--yes"];
        works(&sandbox, &to_private);
        works(&sandbox, &["memory", "forget", "tea", "--yes"]);
        sandbox.write(NOTES, damage).write(REGISTRY, damage);
        let examined = works(&sandbox, &["doctor"]);
        let told = examined.out + &examined.err;
        assert!(told.contains("entries.json` is damaged"), "{told}");
        let args = ["memory", "add", "Port 8082", "--to", "private", "--yes"];
        let ran = works(&sandbox, &args);
        for (path, name) in [(NOTES, "entries.json"), (REGISTRY, "projects.json")] {
            let notice = format!("{name}` was damaged and is kept as `{name}.unreadable-");
            assert!(ran.err.contains(&notice), "{}", ran.err);
            let path = sandbox.path(path);
            let dir = path.parent().unwrap();
            let kept = named(dir, &format!("{name}.unreadable-"));
            assert_eq!(kept.len(), 1);
            assert_eq!(fs::read(dir.join(&kept[0])).unwrap(), damage);
        }
        // What was forgotten is still known, and so is the folder of the project.
        assert!(read(&sandbox, NOTES).contains("forgotten"));
        let memory = read(&sandbox, "home/.gemini/tmp/repo/memory/MEMORY.md");
        assert!(
            memory.contains("8081") && memory.contains("8082"),
            "{memory}"
        );
        let ran = works(&sandbox, &["memory", "add", "I like rain", "--yes"]);
        assert!(!ran.err.contains("damaged"), "told once: {}", ran.err);
    }
}

#[test]
fn undo_refuses_a_journal_line_that_was_altered() {
    let sandbox = Sandbox::new();
    sandbox.write(GLOBAL, "# Me\n- I like tea\n");
    works(&sandbox, &["memory", "edit", "tea", "I like rain", "--yes"]);
    let altered = read(&sandbox, JOURNAL).replace("I like tea", "I like ink");
    sandbox.write(JOURNAL, altered);
    let now = read(&sandbox, GLOBAL);
    let refused = sandbox.run(&["memory", "undo", "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.err.contains("is damaged"), "{}", refused.err);
    assert_eq!(read(&sandbox, GLOBAL), now);
    let examined = works(&sandbox, &["doctor"]);
    let told = examined.out + &examined.err;
    assert!(
        told.contains("damaged lines in") && told.contains("journal.jsonl: 1"),
        "{told}"
    );
}

#[test]
fn a_torn_line_of_the_journal_is_reported_by_doctor() {
    let sandbox = Sandbox::new();
    works(&sandbox, &["memory", "add", "I like tea", "--yes"]);
    let torn = read(&sandbox, JOURNAL) + "{\"v\":2,\"id\":\"to";
    sandbox.write(JOURNAL, &torn);
    let examined = works(&sandbox, &["doctor"]);
    let told = examined.out + &examined.err;
    assert!(told.contains("ends in the middle of a line"), "{told}");
    assert_eq!(read(&sandbox, JOURNAL), torn, "doctor changes nothing");
    works(&sandbox, &["memory", "undo", "--yes"]);
    assert!(!sandbox.path(GLOBAL).exists());
}

#[test]
fn a_memory_file_with_hard_links_is_refused_with_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.write(GLOBAL, "# Me\n");
    fs::hard_link(sandbox.path(GLOBAL), sandbox.path("home/.gemini/AGENTS.md")).unwrap();
    let refused = sandbox.run(&["memory", "add", "I like tea", "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.out);
    let told = "2 hard links; make the others symbolic links";
    assert!(refused.err.contains(told), "{}", refused.err);
    assert_eq!(read(&sandbox, GLOBAL), "# Me\n");
}

#[test]
fn a_home_is_private_and_usable_whatever_the_umask() {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    for mask in ["000", "077", "777"] {
        let sandbox = Sandbox::new();
        // Made by Gemini CLI under the same umask, where that leaves a usable directory.
        fs::remove_dir_all(sandbox.path("home/.gemini")).unwrap();
        // A user without special rights cannot read what a umask took from its owner.
        if is_root {
            for dir in [".", "home", "repo", "repo/.git"] {
                chown(sandbox.path(dir), Some(65534), Some(65534)).unwrap();
            }
        }
        assert_eq!(sandbox.run_as_nobody(&["--version"]).code, 0);
        let binary = sandbox.path("analects");
        for fact in ["I like tea", "I like rain"] {
            let line = format!(
                "umask {mask}; exec {} memory add '{fact}' --to private --yes",
                binary.display()
            );
            let ran = sandbox.run_shell_as_nobody(&line);
            assert_eq!(ran.code, 0, "umask {mask}: {}", ran.err);
        }
        let mut todo = vec![sandbox.path("home/.gemini")];
        while let Some(path) = todo.pop() {
            let meta = fs::metadata(&path).unwrap();
            let expected = if meta.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(
                meta.mode() & 0o777,
                expected,
                "umask {mask}: {}",
                path.display()
            );
            if meta.is_dir() {
                todo.extend(
                    fs::read_dir(&path)
                        .unwrap()
                        .map(|entry| entry.unwrap().path()),
                );
            }
        }
    }
}
