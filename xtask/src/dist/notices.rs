//! Whose work the binary is made of, and on what terms: read from what cargo knows of each crate.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use crate::shell::read;
use crate::tidy;

/// What is linked in besides crates.
const FOREWORD: &str = "\
# Third-party notices

Analects is built from the crates below. Where a licence offers a choice, any of its terms may be taken.
Linked in besides: Rust's standard library (MIT OR Apache-2.0), SQLite (public domain; in `libsqlite3-sys`) and, in a
static binary, the GNU C Library (LGPL-2.1-or-later): to link Analects with another one, build it from its source.
";

/// How the files begin that hold the terms of a crate.
const TERMS: [&str; 5] = ["COPYING", "COPYRIGHT", "LICENCE", "LICENSE", "NOTICE"];

/// All crates of others with their licences, and then each text once, with those it belongs to.
pub(super) fn notices() -> Result<String, String> {
    let metadata = tidy::metadata()?;
    let shipped = tidy::shipped(&metadata);
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut licences = BTreeMap::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        // What has no source is ours.
        if package["source"].is_null() || !shipped.contains(text("id")) {
            continue;
        }
        let name = format!("{} {}", text("name"), text("version"));
        let licence = licence(package).ok_or_else(|| format!("{name} has no licence"))?;
        licences.insert(name.clone(), licence);
        for terms in terms(Path::new(text("manifest_path")))? {
            let whose = texts.entry(terms).or_default();
            whose.push(name.clone());
        }
    }
    let mut notices = FOREWORD.to_owned();
    notices.push_str("\n| crate | licence |\n|---|---|\n");
    for (name, licence) in &licences {
        let _ = writeln!(notices, "| {name} | {licence} |");
    }
    let mut texts: Vec<_> = texts.into_iter().collect();
    for (_, whose) in &mut texts {
        whose.sort();
        whose.dedup();
    }
    texts.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (terms, whose) in texts {
        let _ = write!(notices, "\n## {}\n\n{terms}\n", whose.join(", "));
    }
    Ok(notices)
}

fn licence(package: &Value) -> Option<String> {
    let named = package["license"]
        .as_str()
        .map(|name| name.replace('/', " OR "));
    named.or_else(|| package["license_file"].as_str().map(str::to_owned))
}

/// The texts that lie beside a manifest.
fn terms(manifest: &Path) -> Result<Vec<String>, String> {
    let dir = manifest.parent().ok_or("a manifest without a directory")?;
    let entries = std::fs::read_dir(dir).map_err(|error| error.to_string())?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && is_terms(path))
        .collect();
    paths.sort();
    let trimmed = |text: String| {
        let lines = text.lines().map(str::trim_end);
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    paths.iter().map(|path| read(path).map(trimmed)).collect()
}

fn is_terms(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default().to_uppercase();
    let is_text = !matches!(
        path.extension().and_then(|kind| kind.to_str()),
        Some("rs" | "html")
    );
    is_text && (name == "UNLICENSE" || TERMS.iter().any(|term| name.starts_with(term)))
}
