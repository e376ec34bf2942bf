//! Real hosts from npm, wired by `analects setup` and run headless against a scripted model of ours.
//!
//! The runs themselves are in `xtask/hosts/*.mjs`; here they get their packages, the binary and a closed network.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::npm::{self, Package};
use crate::shell::{Done, must_install, root, run, target};

/// The host whose requests to its model are compared with ours, too.
pub(crate) const GEMINI: Package = Package {
    name: "@google/gemini-cli",
    version: "0.61.0",
};

/// The hosts by the name that `analects setup` knows, in the versions that docs/reference/hosts.md describes.
const HOSTS: [(&str, Package); 3] = [
    ("gemini", GEMINI),
    (
        "claude",
        Package {
            name: "@anthropic-ai/claude-code",
            version: "2.1.325",
        },
    ),
    (
        "codex",
        Package {
            name: "@openai/codex",
            version: "0.166.0",
        },
    ),
];

/// The names of all hosts.
pub(crate) const NAMES: [&str; 3] = [HOSTS[0].0, HOSTS[1].0, HOSTS[2].0];

/// Runs all hosts or one, with the given binary or one built for it, and prints a line for each.
pub(crate) fn hosts(only: Option<&str>, binary: Option<PathBuf>) -> Done {
    let packages = target().join("peers/hosts");
    let chosen = HOSTS
        .iter()
        .filter(|(name, _)| only.is_none_or(|only| only == *name));
    let mut ready = Vec::new();
    for (name, package) in chosen {
        match npm::install(&packages.join(name), std::slice::from_ref(package)) {
            Ok(()) => ready.push(format!("{name}={}", package.version)),
            Err(why) if must_install() => return Err(why),
            Err(why) => println!("host {name} {}: skipped ({why})", package.version),
        }
    }
    if ready.is_empty() {
        return Ok(());
    }
    let binary = binary.map_or_else(build, Ok)?;
    run_hosts(&binary, &packages, &ready)
}

pub(crate) fn build() -> Result<PathBuf, String> {
    let package = ["--package", "analects-cli"];
    run(
        "cargo",
        &[&["build", "--release", "--locked"], &package[..]].concat(),
    )?;
    Ok(target().join("release/analects"))
}

fn run_hosts(binary: &Path, packages: &Path, ready: &[String]) -> Done {
    let mut words = vec!["node".to_owned()];
    words.push(absolute(&root().join("xtask/hosts/run.mjs"))?);
    words.extend(["--analects".to_owned(), absolute(binary)?]);
    words.extend(["--packages".to_owned(), absolute(packages)?]);
    words.extend(["--work".to_owned(), absolute(&packages.join("runs"))?]);
    words.extend_from_slice(ready);
    run_closed(&words)
}

/// Runs a program without a network, where that can be had.
pub(crate) fn run_closed(words: &[String]) -> Done {
    let closed = match is_closable() {
        true => &CLOSED[..],
        false => &[],
    };
    let words = closed
        .iter()
        .copied()
        .chain(words.iter().map(String::as_str));
    let words: Vec<&str> = words.collect();
    let (program, args) = words.split_first().ok_or("nothing to run")?;
    run(program, args)
}

/// A path as a word of a command that runs elsewhere.
pub(crate) fn absolute(path: &Path) -> Result<String, String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    path.into_os_string()
        .into_string()
        .map_err(|path| format!("{} is not UTF-8", path.display()))
}

/// A network in which there is only loopback. Without it a proxy that refuses everybody must do.
const CLOSED: [&str; 7] = [
    "unshare",
    "--map-root-user",
    "--net",
    "sh",
    "-c",
    "ip link set lo up && exec \"$@\"",
    "sh",
];

fn is_closable() -> bool {
    let [program, args @ ..] = CLOSED;
    let mut command = Command::new(program);
    command.args(args).arg("true");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
