//! Records what Gemini CLI's own functions answer to our cases.
//!
//! The packages are installed by name below `target/`; nothing of theirs is committed but the answers.

use std::path::Path;

use crate::shell::{Done, read, root, run, target};

const PACKAGE: &str = "@google/gemini-cli-core";
/// The current version, and the last one with the loader that scans downward and with `save_memory`.
const VERSIONS: [&str; 2] = ["0.61.0", "0.40.0"];
/// What is recorded for which crate.
const KINDS: [(&str, &[&str]); 2] = [
    (
        "crates/analects-memory/tests/it/goldens",
        &["flatten", "imports", "tiers", "eager", "jit", "save"],
    ),
    (
        "crates/analects-engine/tests/goldens",
        &["registry", "trust"],
    ),
];

/// Records all answers, or checks that they are still the same.
pub(crate) fn goldens(check: bool) -> Done {
    let peers = target().join("peers");
    for version in VERSIONS {
        install(&peers.join(version), version)?;
    }
    let outs = KINDS.map(|(dir, _)| match check {
        true => peers.join("goldens").join(dir),
        false => root().join(dir),
    });
    let [current, eager] = &VERSIONS.map(|version| peers.join(version));
    let script = root().join("xtask/peer/record.mjs");
    let [memory, engine] = &outs;
    let args = [
        script.as_path(),
        Path::new("--core61"),
        current,
        Path::new("--core40"),
        eager,
        Path::new("--out"),
        memory,
        Path::new("--state-out"),
        engine,
    ];
    let args = args.map(|arg| arg.to_str().unwrap_or_default());
    run("node", &args)?;
    for ((dir, kinds), out) in KINDS.iter().zip(&outs).filter(|_| check) {
        for kind in kinds.iter().map(|kind| format!("{kind}.json")) {
            if read(&root().join(dir).join(&kind))? != read(&out.join(&kind))? {
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
