//! A user without a home, as in many containers: what reads works, what writes says what to name.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

use expect_test::expect;

use crate::sandbox::{Ran, Sandbox};
use crate::verbs::four_layers;

/// Runs as a user whom the machine does not know, and whom nobody gave a home.
fn run_homeless(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let copy = sandbox.path("analects");
    if !copy.exists() {
        let mut cp = Command::new("cp");
        let status = cp.arg(env!("CARGO_BIN_EXE_analects")).arg(&copy).status();
        assert!(status.unwrap().success());
    }
    let mut command = sandbox.program(&copy, args);
    sandbox.ran(command.env_remove("HOME").uid(12_345).output().unwrap())
}

/// A project with memory; none where this process cannot be somebody else.
fn sandbox() -> Option<Sandbox> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
    let sandbox = four_layers();
    let open = Permissions::from_mode(0o755);
    fs::set_permissions(sandbox.path(""), open).unwrap();
    is_root.then_some(sandbox)
}

#[test]
fn what_reads_needs_no_home_and_what_writes_says_so() {
    let Some(sandbox) = sandbox() else { return };
    for verb in [
        &["memory", "list"][..],
        &["memory", "show"],
        &["memory", "cost"],
        &["memory", "check"],
        &["context", "api/v2"],
        &["prompt"],
    ] {
        let ran = run_homeless(&sandbox, &[verb, &["--trust"]].concat());
        assert!(matches!(ran.code, 0 | 3), "{verb:?}: {}", ran.err);
        assert!(
            ran.err.starts_with("note: this user has no home"),
            "{verb:?}: {}",
            ran.err
        );
    }
    let listed = run_homeless(&sandbox, &["memory", "list", "--trust"]);
    expect![[r#"
        Project
          GEMINI.md          44 tokens  27 B
            @ docs/style.md   3 tokens  13 B
          AGENTS.md          22 tokens  19 B
          api/GEMINI.md      23 tokens  17 B
        CLAUDE.md says the same as AGENTS.md
        89 tokens from 3 files
    "#]]
    .assert_eq(&listed.out);
    for verb in [
        &["memory", "add", "Ponds are deep.", "--yes"][..],
        &["memory", "check", "--fix"],
        &["trust", "add"],
    ] {
        let ran = run_homeless(&sandbox, verb);
        assert_eq!(ran.code, 1, "{verb:?}");
        assert!(
            ran.err.starts_with("error: this user has no home"),
            "{verb:?}: {}",
            ran.err
        );
    }
}

#[test]
fn the_tour_has_a_home_of_its_own() {
    let Some(sandbox) = sandbox() else { return };
    let ran = run_homeless(&sandbox, &["tour", "--yes"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
}
