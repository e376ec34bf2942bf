//! Runs `analects skill extract` beside Gemini CLI's own functions: both must understand each other's ledger, sessions,
//! inbox and lock. What is asked stands in `xtask/peer/extract.mjs`.

use std::path::PathBuf;

use crate::hosts;
use crate::npm::{self, Package};
use crate::shell::{Done, must_install, run, target};

const PACKAGE: Package = Package {
    name: "@google/gemini-cli-core",
    version: "0.61.0",
};

/// Runs it with the given binary, or one built for it.
pub(crate) fn extract_peer(binary: Option<PathBuf>) -> Done {
    let peer = target().join("peers").join(PACKAGE.version);
    match npm::install(&peer, &[PACKAGE]) {
        Ok(()) => {}
        Err(why) if must_install() => return Err(why),
        Err(why) => {
            println!("extraction beside {}: skipped ({why})", PACKAGE.name);
            return Ok(());
        }
    }
    let binary = binary.map_or_else(hosts::build, Ok)?;
    let scratch = target().join("peers/extract");
    let utf8 = "the target directory is not UTF-8";
    let words = [&peer, &binary, &scratch].map(|path| path.to_str().ok_or(utf8));
    let [peer, binary, scratch] = words;
    run(
        "node",
        &["xtask/peer/extract.mjs", peer?, binary?, scratch?],
    )
}
