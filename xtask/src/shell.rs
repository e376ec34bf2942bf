//! Running programs and finding the repository.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a chore answers: nothing, or one sentence on what is wrong.
pub(crate) type Done = Result<(), String>;

/// The root of this repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("xtask lies in the repository")
        .to_owned()
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// On a developer's machine a package that cannot be had is bad luck; in CI it would be a test that never runs.
pub(crate) fn must_install() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// A program to run in the root, said aloud first.
pub(crate) fn run(program: &str, args: &[&str]) -> Done {
    run_with(program, args, &[])
}

/// The same with additional environment variables.
pub(crate) fn run_with(program: &str, args: &[&str], vars: &[(&str, &str)]) -> Done {
    println!("$ {program} {}", args.join(" "));
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(root())
        .envs(vars.iter().copied());
    let status = command
        .status()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{program} {} failed", args.join(" ")))
    }
}

/// Runs a program in the root, with additional environment variables, and hears every line it prints.
pub(crate) fn watch(
    program: &str,
    args: &[&str],
    vars: &[(&str, &str)],
    mut hear: impl FnMut(&str),
) -> Done {
    println!("$ {program} {}", args.join(" "));
    let failed = |error: std::io::Error| format!("cannot run {program}: {error}");
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(root())
        .envs(vars.iter().copied())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let stdout = child.stdout.take().ok_or("a program without output")?;
    for line in BufReader::new(stdout).lines().map_while(Result::ok) {
        println!("{line}");
        hear(&line);
    }
    if child.wait().map_err(failed)?.success() {
        Ok(())
    } else {
        Err(format!("{program} {} failed", args.join(" ")))
    }
}

/// What a program prints.
pub(crate) fn output(program: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(args)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program} {} failed: {said}", args.join(" ")));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{program} printed no text"))
}

/// Reads a file of the repository.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file of the repository.
pub(crate) fn write(path: &Path, text: &str) -> Done {
    let parent = path.parent().expect("a file has a directory");
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
