//! Packages from npm, each in a directory of its own below `target/`, fetched once.

use std::path::Path;

use serde_json::Value;

use crate::shell::{Done, read, run, write};

/// A package of the registry, by exact version.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// Puts a package into `dir/node_modules`, unless it is there already.
pub(crate) fn install(dir: &Path, package: &Package) -> Done {
    if is_installed(dir, package) {
        return Ok(());
    }
    write(&dir.join("package.json"), "{\"private\": true}\n")?;
    let wanted = format!("{}@{}", package.name, package.version);
    let prefix = dir.to_str().ok_or("the target directory is not UTF-8")?;
    run(
        "npm",
        &[
            "install",
            "--prefix",
            prefix,
            "--no-audit",
            "--no-fund",
            // Nothing of a package runs before we run it.
            "--ignore-scripts",
            "--fetch-timeout=60000",
            "--fetch-retries=2",
            &wanted,
        ],
    )
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
