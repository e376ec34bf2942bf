//! Rules of the house that no compiler checks.

mod proofs;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell::{Done, output, read, root};

/// Which crates each crate may depend on. A new arrow wants a decision first.
const ARROWS: [(&str, &[&str]); 14] = [
    ("analects-text", &[]),
    ("analects-world", &[]),
    ("analects-testkit", &["analects-text", "analects-world"]),
    ("analects-memory", &["analects-text", "analects-world"]),
    ("analects-chat", &["analects-text", "analects-world"]),
    ("analects-session", &["analects-text", "analects-world"]),
    (
        "analects-agent",
        &["analects-chat", "analects-text", "analects-world"],
    ),
    (
        "analects-skill",
        &["analects-session", "analects-text", "analects-world"],
    ),
    (
        "analects-engine",
        &[
            "analects-agent",
            "analects-chat",
            "analects-memory",
            "analects-session",
            "analects-skill",
            "analects-text",
            "analects-world",
        ],
    ),
    ("analects-host", &["analects-world"]),
    (
        "analects-mcp",
        &[
            "analects-engine",
            "analects-memory",
            "analects-text",
            "analects-world",
        ],
    ),
    (
        "analects-cli",
        &[
            "analects-engine",
            "analects-host",
            "analects-mcp",
            "analects-text",
            "analects-world",
        ],
    ),
    (
        "analects-fuzz",
        &[
            "analects-agent",
            "analects-chat",
            "analects-engine",
            "analects-memory",
            "analects-session",
            "analects-skill",
            "analects-testkit",
            "analects-text",
            "analects-world",
        ],
    ),
    (
        "xtask",
        &[
            "analects-chat",
            "analects-engine",
            "analects-memory",
            "analects-session",
            "analects-testkit",
            "analects-world",
        ],
    ),
];

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 7] = [
    "core", "common", "utils", "util", "helpers", "manager", "service",
];

/// A file this long has a seam that should have been found.
const MAX_LINES: usize = 600;

/// How many crates the binary may be built from. Raise it with a reason in the commit.
const MAX_PACKAGES: usize = 268;

/// How large the binary may be. Raise it with a reason in the commit.
const MAX_BINARY_BYTES: u64 = 32_000_000;

/// Checks all rules and reports every breach.
pub(crate) fn tidy() -> Done {
    let mut breaches = Vec::new();
    for path in sources(&root())? {
        check_source(&path, &mut breaches)?;
    }
    check_integration_tests(&mut breaches)?;
    check_packages(&mut breaches)?;
    check_changelog(&mut breaches)?;
    proofs::check(&mut breaches)?;
    for breach in &breaches {
        eprintln!("tidy: {breach}");
    }
    if breaches.is_empty() {
        Ok(())
    } else {
        Err(format!("{} rules broken", breaches.len()))
    }
}

/// All Rust files that git knows or would know.
fn sources(root: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = output(
        "git",
        &[
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "*.rs",
        ],
    )?;
    Ok(listed
        .lines()
        .map(|line| root.join(line))
        .filter(|path| path.exists())
        .collect())
}

fn check_source(path: &Path, breaches: &mut Vec<String>) -> Done {
    let text = read(path)?;
    let shown = path
        .strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string();
    if !text.starts_with("//!") {
        breaches.push(format!("{shown}: does not open with its purpose (`//!`)"));
    }
    let n_lines = text.lines().count();
    if n_lines > MAX_LINES {
        breaches.push(format!("{shown}: {n_lines} lines, more than {MAX_LINES}"));
    }
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    if EMPTY_NAMES.contains(&stem) || stem == "mod" {
        breaches.push(format!(
            "{shown}: `{stem}` says nothing about what is inside"
        ));
    }
    Ok(())
}

/// Every file of a `tests/it` folder must be part of its binary.
fn check_integration_tests(breaches: &mut Vec<String>) -> Done {
    for main in sources(&root())?
        .iter()
        .filter(|path| path.ends_with("tests/it/main.rs"))
    {
        let text = read(main)?;
        let dir = main.parent().expect("main.rs has a directory");
        let entries = std::fs::read_dir(dir).map_err(|error| error.to_string())?;
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let stem = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or_default();
            let is_test = path.extension().is_some_and(|kind| kind == "rs") && stem != "main";
            if is_test && !text.contains(&format!("mod {stem};")) {
                breaches.push(format!("{}: not listed in main.rs", path.display()));
            }
        }
    }
    Ok(())
}

/// What cargo knows of all crates on this system.
pub(crate) fn metadata() -> Result<Value, String> {
    let system = output("rustc", &["--print", "host-tuple"])?;
    let metadata = output(
        "cargo",
        &[
            "metadata",
            "--format-version=1",
            "--locked",
            "--filter-platform",
            system.trim(),
        ],
    )?;
    serde_json::from_str(&metadata).map_err(|error| error.to_string())
}

fn check_packages(breaches: &mut Vec<String>) -> Done {
    let metadata = metadata()?;
    let packages = metadata["packages"]
        .as_array()
        .ok_or("cargo metadata has no packages")?;
    for (name, allowed) in ARROWS {
        let package = packages.iter().find(|package| package["name"] == name);
        let package = package.ok_or_else(|| format!("there is no crate {name}"))?;
        check_lints(name, package, breaches)?;
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let is_normal = dependency["kind"].is_null();
            let to = dependency["name"].as_str().unwrap_or_default();
            if is_normal && to.starts_with("analects-") && !allowed.contains(&to) {
                breaches.push(format!("new arrow: {name} → {to}"));
            }
        }
    }
    let ours = packages
        .iter()
        .filter_map(|package| package["name"].as_str());
    for name in ours.filter(|name| name.starts_with("analects-")) {
        if !ARROWS.iter().any(|(known, _)| *known == name) {
            breaches.push(format!("crate {name} has no row in the list of arrows"));
        }
    }
    let n_packages = shipped(&metadata).len();
    println!("the binary is built from {n_packages} crates");
    if n_packages > MAX_PACKAGES {
        breaches.push(format!(
            "the binary is built from {n_packages} crates, more than {MAX_PACKAGES}"
        ));
    }
    Ok(())
}

/// A crate that does not inherit the lints of the workspace is one in which `unsafe` goes unnoticed.
fn check_lints(name: &str, package: &Value, breaches: &mut Vec<String>) -> Done {
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let manifest = read(Path::new(manifest))?;
    if !manifest.contains("[lints]\nworkspace = true") {
        breaches.push(format!(
            "{name}: does not inherit the lints of the workspace"
        ));
    }
    Ok(())
}

/// The packages that the binary is built from on this system, build scripts and macros included.
pub(crate) fn shipped(metadata: &Value) -> BTreeSet<String> {
    let nodes = metadata["resolve"]["nodes"].as_array();
    let node = |id: &str| nodes.into_iter().flatten().find(|node| node["id"] == id);
    let is_built = |dep: &Value| {
        let kinds = dep["dep_kinds"].as_array();
        kinds
            .into_iter()
            .flatten()
            .any(|kind| kind["kind"] != "dev")
    };
    let members = metadata["workspace_members"].as_array();
    let ids = members.into_iter().flatten().filter_map(Value::as_str);
    let mut todo: Vec<_> = ids
        .filter(|id| id.contains("analects-cli"))
        .map(str::to_owned)
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let deps = node(&id).and_then(|node| node["deps"].as_array());
        let built = deps.into_iter().flatten().filter(|dep| is_built(dep));
        todo.extend(
            built
                .filter_map(|dep| dep["pkg"].as_str())
                .map(str::to_owned),
        );
    }
    seen
}

/// Checks how large a release of the binary is. Only who has just built it knows that it is there.
pub(crate) fn check_size(binary: &Path) -> Done {
    let metadata = std::fs::metadata(binary)
        .map_err(|error| format!("cannot measure {}: {error}", binary.display()))?;
    let n_bytes = metadata.len();
    let shown = format!("{:.1} MB", n_bytes as f64 / 1e6);
    if n_bytes > MAX_BINARY_BYTES {
        let most = MAX_BINARY_BYTES as f64 / 1e6;
        return Err(format!("the binary has {shown}, more than {most} MB"));
    }
    println!("the binary has {shown}");
    Ok(())
}

fn check_changelog(breaches: &mut Vec<String>) -> Done {
    let changelog = read(&root().join("CHANGELOG.md"))?;
    let version = env!("CARGO_PKG_VERSION");
    if !changelog.contains(&format!("[{version}]")) && !changelog.contains("## Unreleased") {
        breaches.push(format!(
            "CHANGELOG.md names neither {version} nor what is unreleased"
        ));
    }
    Ok(())
}
