//! Our requests to Gemini beside those of Gemini CLI and of Google's SDK, all sent to a recording server.
//!
//! The comparison is `xtask/hosts/gemini-wire.mjs`; here it gets its packages, our example and a closed network.

use crate::hosts::{GEMINI, absolute, run_closed};
use crate::npm::{self, Package};
use crate::shell::{Done, must_install, root, run, target};

const SDK: Package = Package {
    name: "@google/genai",
    version: "2.32.0",
};

/// Compares them. Where the programs cannot be installed there is nothing to compare with, except in CI.
pub(crate) fn gemini_wire() -> Done {
    let packages = target().join("peers/hosts");
    for (name, package) in [("gemini", GEMINI), ("genai", SDK)] {
        match npm::install(&packages.join(name), std::slice::from_ref(&package)) {
            Ok(()) => {}
            Err(why) if must_install() => return Err(why),
            Err(why) => {
                println!("gemini wire: skipped ({why})");
                return Ok(());
            }
        }
    }
    let example = ["--package", "analects-host", "--example", "gemini_wire"];
    run("cargo", &[&["build", "--locked"], &example[..]].concat())?;
    let words = [
        "node".to_owned(),
        absolute(&root().join("xtask/hosts/gemini-wire.mjs"))?,
        "--ours".to_owned(),
        absolute(&target().join("debug/examples/gemini_wire"))?,
        "--packages".to_owned(),
        absolute(&packages)?,
        "--work".to_owned(),
        absolute(&packages.join("wire"))?,
    ];
    run_closed(&words)
}
