//! What both sides work on: written once, the same on every machine.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::compare::program::said;
use crate::shell::{Done, write};

/// The names that we look for; theirs is the first.
pub(super) const NAMES: [&str; 3] = ["GEMINI.md", "AGENTS.md", "CLAUDE.md"];

/// A directory with nothing in it.
pub(super) fn empty(dir: &Path) -> Done {
    let _ = std::fs::remove_dir_all(dir);
    std::fs::create_dir_all(dir).map_err(said)
}

/// A project with this many directories, its root among them, and a home beside it.
///
/// Every directory has six files and up to six directories; one in twenty has a `GEMINI.md`, one in sixty each of the
/// other names. Says how many files a search for one name and for all three must find, the global one included.
pub(super) fn tree(dir: &Path, n_dirs: usize) -> Result<[usize; 2], String> {
    let repo = dir.join("repo");
    let mut paths = vec![repo.clone()];
    for idx in 1..n_dirs {
        let parent = paths[(idx - 1) / 6].clone();
        paths.push(parent.join(format!("part{idx}")));
    }
    let mut n_found = [1, 1];
    write(
        &dir.join("home/.gemini/GEMINI.md"),
        "Rule for all projects.\n",
    )?;
    for (idx, path) in paths.iter().enumerate() {
        std::fs::create_dir_all(path).map_err(said)?;
        for file in [
            "main.rs",
            "lib.rs",
            "test.rs",
            "README",
            "data.json",
            "Makefile",
        ] {
            std::fs::File::create(path.join(file)).map_err(said)?;
        }
        let name = match (idx % 20, idx % 60) {
            (0, _) => Some(NAMES[0]),
            (_, 10) => Some(NAMES[1]),
            (_, 30) => Some(NAMES[2]),
            _ => None,
        };
        if let Some(name) = name {
            n_found[0] += usize::from(name == NAMES[0]);
            n_found[1] += 1;
            write(&path.join(name), &rules(idx, 8))?;
        }
    }
    std::fs::create_dir_all(repo.join(".git")).map_err(said)?;
    Ok(n_found)
}

/// What a memory file imports.
pub(super) struct Imports {
    /// In all files together.
    pub(super) n_rules: usize,
    /// Of all files together, the first one included.
    pub(super) n_bytes: usize,
}

/// A memory file that imports this many others, one in four of them through another one.
pub(super) fn imports(dir: &Path, n_files: usize) -> Result<Imports, String> {
    const RULES: usize = 20;
    let docs = dir.join("repo/docs");
    let mut top = "# Project\n\n".to_owned();
    let mut n_bytes = 0;
    for idx in 0..n_files {
        let mut text = rules(idx, RULES);
        if idx % 4 == 0 && idx + 1 < n_files {
            let _ = write!(text, "\nand more: @./rules{}.md\n", idx + 1);
        }
        if idx % 4 != 1 {
            let _ = writeln!(top, "- see @docs/rules{idx}.md");
        }
        n_bytes += text.len();
        write(&docs.join(format!("rules{idx}.md")), &text)?;
    }
    write(&dir.join("repo/GEMINI.md"), &top)?;
    std::fs::create_dir_all(dir.join("repo/.git")).map_err(said)?;
    std::fs::create_dir_all(dir.join("home")).map_err(said)?;
    Ok(Imports {
        n_rules: n_files * RULES,
        n_bytes: n_bytes + top.len(),
    })
}

/// Rules that no other file says.
fn rules(file: usize, n_rules: usize) -> String {
    let mut text = format!("# Part {file}\n\n");
    for rule in 0..n_rules {
        let _ = writeln!(
            text,
            "Rule {rule} of part {file}: prefer `let … else`, as in [the guide](guide.md#{rule}); 注释说明为什么。"
        );
    }
    text
}

const AT: &str = "2026-03-01T10:01:00.000Z";

/// A session as sessions grow: prompts, answers written twice, tools with long output. Says how long it became.
pub(super) fn session(file: &Path, n_kib: usize) -> Result<usize, String> {
    let header = json!({ "sessionId": "s", "projectHash": "p", "startTime": AT, "lastUpdated": AT, "kind": "main" });
    let mut text = format!("{header}\n");
    let mut turn = 0;
    while text.len() < n_kib << 10 {
        append_turn(&mut text, turn, 70);
        turn += 1;
    }
    write(file, &text)?;
    Ok(text.len())
}

fn append_turn(text: &mut String, turn: usize, n_output_lines: usize) {
    let output = "error[E0308]: mismatched types\n  --> src/lib.rs:10:5\n10 |     \"quoted\"\n";
    let output = output.repeat(n_output_lines);
    let said =
        "The function returns early, so the lock is never taken. 原因是锁没有被获取。\n".repeat(12);
    let prompt = json!({ "id": format!("u{turn}"), "timestamp": AT, "type": "user",
        "content": [{ "text": format!("fix number {turn}") }] });
    let answer = json!({ "id": format!("g{turn}"), "timestamp": AT, "type": "gemini", "content": said,
        "thoughts": [], "tokens": null, "model": "m" });
    let touched = json!({ "$set": { "lastUpdated": AT } });
    let call_id = format!("c{turn}");
    let result = json!([{ "functionResponse": { "id": call_id, "name": "run_shell_command",
        "response": { "output": output } } }]);
    let mut used = answer.clone();
    used["toolCalls"] = json!([{ "id": call_id, "name": "run_shell_command", "args": { "command": "cargo test" },
        "result": result, "status": "success" }]);
    for line in [prompt, answer, touched, used] {
        let _ = writeln!(text, "{line}");
    }
}

/// A home with this many sessions of one project, each of twelve turns.
pub(super) fn sessions(dir: &Path, n_sessions: usize) -> Done {
    let (repo, temp) = (dir.join("repo"), dir.join("home/.gemini/tmp/repo"));
    std::fs::create_dir_all(repo.join(".git")).map_err(said)?;
    let root = repo.to_str().ok_or("the target directory is not UTF-8")?;
    let registry = json!({ "projects": { root: "repo" } });
    write(
        &dir.join("home/.gemini/projects.json"),
        &registry.to_string(),
    )?;
    write(&temp.join(".project_root"), root)?;
    for number in 0..n_sessions {
        let id = format!("{number:08x}-0000-4000-8000-000000000000");
        let at = format!(
            "2026-03-{:02}T{:02}:{:02}:00.000Z",
            1 + number / 60 % 28,
            number / 1680,
            number % 60
        );
        let header: Value = json!({ "sessionId": id, "projectHash": "p", "startTime": at, "lastUpdated": at, "kind": "main" });
        let mut text = format!("{header}\n");
        for turn in 0..12 {
            append_turn(&mut text, turn, 30);
        }
        let end =
            json!({ "$set": { "summary": format!("Cut release {number}"), "lastUpdated": at } });
        let _ = writeln!(text, "{end}");
        write(
            &temp.join(format!("chats/session-2026-03-01T10-01-{number:08x}.jsonl")),
            &text,
        )?;
    }
    Ok(())
}

/// Prose in which nothing is said twice, in paragraphs, and at its end a sentence again and again.
pub(super) fn stream(file: &Path, n_kib: usize) -> Result<usize, String> {
    let mut text = prose(n_kib << 10);
    text.push_str(&"I will look at the file once more, to be quite sure. ".repeat(60));
    write(file, &text)?;
    Ok(text.len())
}

/// Prose alone.
pub(super) fn paragraphs(file: &Path, n_kib: usize) -> Result<usize, String> {
    let text = prose(n_kib << 10);
    write(file, &text)?;
    Ok(text.len())
}

fn prose(n_bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0_usize;
    while text.len() < n_bytes {
        let square = number * number;
        let _ = write!(
            text,
            "Sentence {number} says what none before {number} has said, namely {square}. "
        );
        number += 1;
        if number.is_multiple_of(12) {
            text.push_str("因为锁没有被获取。\n\n");
        }
    }
    text
}

/// What a compiler prints.
pub(super) fn output(file: &Path, n_kib: usize) -> Result<usize, String> {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < n_kib << 10 {
        let _ = writeln!(
            text,
            "   Compiling part{number} v0.1.0 (crates/part{number})"
        );
        number += 1;
    }
    write(file, &text)?;
    Ok(text.len())
}
