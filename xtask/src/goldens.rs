//! Records what Gemini CLI's own functions answer to our cases.
//!
//! The packages are installed by name below `target/`; nothing of theirs is committed but the answers.

use std::path::Path;

use crate::shell::{Done, read, root, run, target};

const PACKAGE: &str = "@google/gemini-cli-core";
/// The current version, and the last one with the loader that scans downward.
const VERSIONS: [&str; 2] = ["0.61.0", "0.40.0"];
const KINDS: [&str; 5] = ["flatten", "imports", "tiers", "eager", "jit"];

/// Records all answers, or checks that they are still the same.
pub(crate) fn goldens(check: bool) -> Done {
    let peers = target().join("peers");
    for version in VERSIONS {
        install(&peers.join(version), version)?;
    }
    let committed = root().join("crates/analects-memory/tests/it/goldens");
    let out = if check {
        peers.join("goldens")
    } else {
        committed.clone()
    };
    std::fs::create_dir_all(&out).map_err(|error| error.to_string())?;
    let dirs = VERSIONS.map(|version| peers.join(version));
    let [current, eager] = &dirs;
    let script = root().join("xtask/peer/record.mjs");
    let args = [
        script.as_path(),
        Path::new("--core61"),
        current.as_path(),
        Path::new("--core40"),
        eager.as_path(),
        Path::new("--out"),
        out.as_path(),
    ]
    .map(|arg| arg.to_str().unwrap_or_default());
    run("node", &args)?;
    if check {
        for kind in KINDS.map(|kind| format!("{kind}.json")) {
            if read(&committed.join(&kind))? != read(&out.join(&kind))? {
                return Err(format!("{kind} is not what the originals answer today"));
            }
        }
    }
    Ok(())
}

fn install(dir: &Path, version: &str) -> Done {
    if dir
        .join("node_modules")
        .join(PACKAGE)
        .join("package.json")
        .exists()
    {
        return Ok(());
    }
    std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
    std::fs::write(dir.join("package.json"), "{\"private\": true}\n")
        .map_err(|error| error.to_string())?;
    let package = format!("{PACKAGE}@{version}");
    let prefix = dir.to_str().ok_or("the target directory is not UTF-8")?;
    run(
        "npm",
        &[
            "install",
            "--prefix",
            prefix,
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            &package,
        ],
    )
}
