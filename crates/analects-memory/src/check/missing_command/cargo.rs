//! `cargo run --bin X`, `cargo test -p X`, against the packages of the workspace.

use std::collections::HashSet;

use analects_world::AbsPath;

use super::manifests::Manifests;
use super::shell::is_name;

/// What the manifests of a workspace define.
#[derive(Debug, Default)]
pub(super) struct Packages {
    names: HashSet<String>,
    bins: HashSet<String>,
    dirs: Vec<AbsPath>,
    /// What the lock file names: dependencies can be built and tested too.
    locked: HashSet<String>,
    is_open: bool,
}

/// Sub-commands that work on a package of this workspace.
const VERBS: [&str; 10] = [
    "run", "r", "test", "t", "build", "b", "check", "clippy", "bench", "nextest",
];

pub(super) fn missing(manifests: &mut Manifests<'_>, args: &[&str]) -> Option<String> {
    let mut args = args.iter().copied().filter(|arg| !arg.starts_with('+'));
    let verb = args.next()?;
    if !VERBS.contains(&verb) {
        return None;
    }
    // What follows `--` is for the program.
    let args: Vec<_> = args.take_while(|&arg| arg != "--").collect();
    if args.contains(&"--manifest-path") {
        return None;
    }
    let packages = manifests.packages();
    if packages.is_open {
        return None;
    }
    if packages.dirs.is_empty() {
        return Some(format!("`cargo {verb}` finds no Cargo.toml"));
    }
    let package = value(&args, &["-p", "--package"]);
    let bin = value(&args, &["--bin"]);
    let is_package =
        |name: &&str| packages.names.contains(*name) || packages.locked.contains(*name);
    let is_missing = |name: &&str| is_name(name) && !name.contains([':', '/', '.']);
    if let Some(name) = package.filter(is_missing).filter(|name| !is_package(name)) {
        return Some(format!("no Cargo.toml defines a package `{name}`"));
    }
    let name = bin.filter(is_missing)?;
    let is_file = |dir: &AbsPath| {
        let file = |path: &str| manifests.files.real(&dir.join(path)).is_ok();
        file(&format!("src/bin/{name}.rs")) || file(&format!("src/bin/{name}/main.rs"))
    };
    let is_known = packages.bins.contains(name)
        || packages.names.contains(name)
        || packages.dirs.iter().any(is_file);
    (!is_known).then(|| format!("no Cargo.toml defines a program `{name}`"))
}

fn value<'a>(args: &[&'a str], flags: &[&str]) -> Option<&'a str> {
    let at = args.iter().position(|arg| flags.contains(arg));
    if let Some(at) = at {
        return args.get(at + 1).copied();
    }
    let joined = |arg: &&'a str| {
        let (flag, value) = arg.split_once('=')?;
        flags.contains(&flag).then_some(value)
    };
    args.iter().find_map(joined)
}

pub(super) fn read(manifests: &Manifests<'_>) -> Packages {
    let mut packages = Packages::default();
    for (path, text) in manifests.texts(&["Cargo.toml"]) {
        match text {
            Some(text) => add(&mut packages, &text),
            None => packages.is_open = true,
        }
        packages.dirs.extend(path.parent());
    }
    for (_, text) in manifests.texts(&["Cargo.lock"]) {
        let text = text.unwrap_or_default();
        let names = text.lines().filter_map(|line| quoted(line, "name"));
        packages.locked.extend(names.map(str::to_owned));
    }
    packages
}

/// Reads the few lines of a manifest that matter here; everything else may be as odd as it likes.
fn add(packages: &mut Packages, text: &str) {
    let mut table = "";
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            table = line.split('#').next().unwrap_or_default().trim();
            continue;
        }
        let Some(name) = quoted(line, "name") else {
            continue;
        };
        match table {
            "[package]" | "[project]" => packages.names.insert(name.to_owned()),
            "[[bin]]" => packages.bins.insert(name.to_owned()),
            _ => false,
        };
    }
}

/// The text of `key = "text"`.
fn quoted<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
    let value = value.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}
