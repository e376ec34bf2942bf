//! Whose private memory this is: real repositories that move, are cloned, and have worktrees.

use std::fs;
use std::process::Command;

use crate::sandbox::Sandbox;

/// A repository with private memory of its own.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.path("repo")).unwrap();
    git(&sandbox, "", &["init", "--quiet", "repo"]);
    sandbox.write("repo/a.txt", "a");
    git(&sandbox, "repo", &["add", "."]);
    git(&sandbox, "repo", &["commit", "--quiet", "-m", "first"]);
    let adopted = sandbox.json(&["doctor", "--adopt", "--trust"]);
    assert_eq!(adopted["adopted"]["folder"], "repo");
    sandbox.write(
        "home/.gemini/tmp/repo/memory/MEMORY.md",
        "My port is 8081.\n",
    );
    sandbox
}

fn git(sandbox: &Sandbox, dir: &str, args: &[&str]) {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@y",
        "-c",
        "protocol.file.allow=always",
    ]);
    command
        .args(args)
        .current_dir(sandbox.path(dir))
        .env("HOME", sandbox.path("home"));
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Whether the private memory of the repository is heard in a directory.
fn is_heard(sandbox: &Sandbox, dir: &str) -> bool {
    let dir = sandbox.path(dir);
    let args = ["memory", "show", "--json", "--cwd", dir.to_str().unwrap()];
    let mut command = sandbox.command(&args);
    let ran = sandbox.ran(command.current_dir(sandbox.path("")).output().unwrap());
    ran.out.contains("My port is 8081.")
}

fn doctor(sandbox: &Sandbox, dir: &str, args: &[&str]) -> serde_json::Value {
    let dir = sandbox.path(dir);
    let args = [&["doctor", "--json", "--cwd", dir.to_str().unwrap()], args].concat();
    let mut command = sandbox.command(&args);
    let ran = sandbox.ran(command.current_dir(sandbox.path("")).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_repository_that_moved_keeps_its_private_memory() {
    let sandbox = repository();
    assert!(is_heard(&sandbox, "repo"));
    fs::create_dir(sandbox.path("elsewhere")).unwrap();
    fs::rename(sandbox.path("repo"), sandbox.path("elsewhere/renamed")).unwrap();
    assert!(is_heard(&sandbox, "elsewhere/renamed"));
    let findings = doctor(&sandbox, "elsewhere/renamed", &[])["findings"].to_string();
    assert!(
        findings.contains("this project was at /T/repo before"),
        "{findings}"
    );
    let adopted = doctor(&sandbox, "elsewhere/renamed", &["--adopt"]);
    assert_eq!(adopted["adopted"]["movedFrom"], "/T/repo");
    let registry = fs::read_to_string(sandbox.path("home/.gemini/projects.json")).unwrap();
    assert!(
        registry.contains("elsewhere/renamed\": \"repo\"") && !registry.contains("/repo\": "),
        "{registry}"
    );
    for base in ["tmp", "history"] {
        let marker = sandbox.path(&format!("home/.gemini/{base}/repo/.project_root"));
        assert!(
            fs::read_to_string(marker)
                .unwrap()
                .ends_with("/elsewhere/renamed")
        );
    }
    assert!(is_heard(&sandbox, "elsewhere/renamed"));
}

#[test]
fn a_worktree_of_a_repository_that_moved_hears_its_private_memory() {
    let sandbox = repository();
    git(&sandbox, "repo", &["worktree", "add", "--quiet", "../side"]);
    assert!(is_heard(&sandbox, "side"));
    fs::rename(sandbox.path("repo"), sandbox.path("renamed")).unwrap();
    git(&sandbox, "renamed", &["worktree", "repair", "../side"]);
    assert!(is_heard(&sandbox, "side"));
}

#[test]
fn a_clone_is_not_the_original() {
    let sandbox = repository();
    git(&sandbox, "", &["clone", "--quiet", "repo", "clone"]);
    assert!(!is_heard(&sandbox, "clone"));
    assert_eq!(
        doctor(&sandbox, "clone", &["--adopt"])["adopted"]["folder"],
        "clone"
    );
}

#[test]
fn a_copy_is_recognised_by_its_first_commit_once_the_original_is_gone() {
    let sandbox = repository();
    git(&sandbox, "", &["clone", "--quiet", "repo", "copy"]);
    sandbox.run(&["trust", "add", sandbox.path("copy").to_str().unwrap()]);
    assert!(!is_heard(&sandbox, "copy"), "the original is still there");
    fs::remove_dir_all(sandbox.path("repo")).unwrap();
    assert!(is_heard(&sandbox, "copy"));
    let deny = ["trust", "deny", "copy"];
    let denied = sandbox
        .command(&deny)
        .current_dir(sandbox.path(""))
        .status()
        .unwrap();
    assert!(denied.success());
    assert!(
        !is_heard(&sandbox, "copy"),
        "nothing is run where nobody is trusted"
    );
}

#[test]
fn a_new_repository_in_the_place_of_the_old_one_is_not_the_old_one() {
    let sandbox = repository();
    fs::remove_dir_all(sandbox.path("repo")).unwrap();
    for n in 0..20 {
        // The disk gives out the numbers of what is gone again, and quickly.
        let name = format!("other-{n}");
        git(&sandbox, "", &["init", "--quiet", &name]);
        assert!(!is_heard(&sandbox, &name), "{name}");
    }
}

#[test]
fn lost_memory_can_be_adopted_by_name() {
    let sandbox = repository();
    git(&sandbox, "", &["clone", "--quiet", "repo", "clone"]);
    let refused = sandbox.run(&[
        "doctor",
        "--adopt",
        "repo",
        "--cwd",
        sandbox.path("clone").to_str().unwrap(),
    ]);
    assert_eq!(refused.code, 42);
    assert!(
        refused.err.contains("which is still there"),
        "{}",
        refused.err
    );
    fs::remove_dir_all(sandbox.path("repo")).unwrap();
    let findings = doctor(&sandbox, "clone", &[])["findings"].to_string();
    assert!(findings.contains("doctor --adopt repo"), "{findings}");
    doctor(&sandbox, "clone", &["--adopt", "repo"]);
    assert!(is_heard(&sandbox, "clone"));
}

#[test]
fn a_worktree_hears_its_main_checkout() {
    let sandbox = repository();
    git(&sandbox, "repo", &["worktree", "add", "--quiet", "../side"]);
    assert!(is_heard(&sandbox, "side"));
    // What it writes goes where Gemini CLI would read: into a folder of its own.
    assert_eq!(
        doctor(&sandbox, "side", &["--adopt"])["adopted"]["folder"],
        "side"
    );
    assert!(is_heard(&sandbox, "side"));
}

#[test]
fn a_submodule_is_a_project_of_its_own() {
    let sandbox = repository();
    git(&sandbox, "", &["init", "--quiet", "outer"]);
    let inner = sandbox.path("repo");
    git(
        &sandbox,
        "outer",
        &[
            "submodule",
            "--quiet",
            "add",
            inner.to_str().unwrap(),
            "inner",
        ],
    );
    assert!(!is_heard(&sandbox, "outer/inner"));
}

#[test]
fn many_processes_adopt_one_project_once() {
    let sandbox = repository();
    git(&sandbox, "", &["clone", "--quiet", "repo", "shared"]);
    let dir = sandbox.path("shared");
    let args = [
        "doctor",
        "--adopt",
        "--json",
        "--cwd",
        dir.to_str().unwrap(),
    ];
    let spawn = |_| {
        sandbox
            .command(&args)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..8).map(spawn).collect();
    for child in children {
        let ran = sandbox.ran(child.wait_with_output().unwrap());
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["adopted"]["folder"], "shared");
    }
    let registry = fs::read_to_string(sandbox.path("home/.gemini/projects.json")).unwrap();
    assert_eq!(registry.matches("\"shared\"").count(), 1, "{registry}");
}
