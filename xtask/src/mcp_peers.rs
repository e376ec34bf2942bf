//! Runs our side of MCP against programs that others wrote: the server against the Inspector and the conformance suite,
//! the client against servers of the protocol's own authors and the suite again.
//!
//! All are installed by name below `target/`. Everything happens on this machine, in a home of its own.

mod inspector;
mod servers;
mod suite;

use std::path::PathBuf;
use std::process::Command;

use crate::npm::{self, Package};
use crate::shell::{Done, must_install, run, target, write};

const PACKAGES: [Package; 5] = [
    Package {
        name: "@modelcontextprotocol/conformance",
        version: "0.1.16",
    },
    Package {
        name: "@modelcontextprotocol/inspector",
        version: "2.12.0",
    },
    Package {
        name: "@modelcontextprotocol/server-everything",
        version: "2026.8.31",
    },
    Package {
        name: "@modelcontextprotocol/server-filesystem",
        version: "2026.8.31",
    },
    npm::NODE,
];

/// Installs all and runs them. Where they cannot be installed there is nothing to run, except in CI.
pub(crate) fn mcp_peers() -> Done {
    let peers = target().join("peers/mcp");
    match npm::install(&peers, &PACKAGES) {
        Ok(()) => {}
        Err(why) if must_install() => return Err(why),
        Err(why) => {
            println!("mcp-peers: skipped ({why})");
            return Ok(());
        }
    }
    run("cargo", &["build", "--locked", "--package", "analects-cli"])?;
    let scene = Scene::new(peers)?;
    inspector::inspect(&scene)?;
    suite::conform(&scene)?;
    servers::meet(&scene)
}

/// Where the peers are, and a home and a project for the server.
struct Scene {
    peers: PathBuf,
    home: PathBuf,
    repo: PathBuf,
}

impl Scene {
    fn new(peers: PathBuf) -> Result<Self, String> {
        let (home, repo) = (peers.join("home"), peers.join("repo"));
        for left in [&home, &repo] {
            let _ = std::fs::remove_dir_all(left);
        }
        std::fs::create_dir_all(home.join(".gemini"))
            .and_then(|()| std::fs::create_dir_all(repo.join(".git")))
            .map_err(|error| error.to_string())?;
        // Deep enough not to be loaded at start.
        write(
            &repo.join("src/parser/GEMINI.md"),
            "Tests stand beside the code.\n",
        )?;
        // The session below was held in another folder than the server's.
        write(
            &home.join(".gemini/analects.json"),
            "{\"mcp\": {\"sessions\": \"all\"}}\n",
        )?;
        write(
            &home.join(".claude/projects/-repo/3f1c0000-0000-4000-8000-000000000001.jsonl"),
            concat!(
                r#"{"type":"user","uuid":"1","cwd":"/repo","timestamp":"2026-03-01T10:00:00Z","#,
                r#""message":{"content":"Count the herons."}}"#,
                "\n",
            ),
        )?;
        Ok(Self { peers, home, repo })
    }

    /// A script of the peers, about to run on the Node that came with them.
    fn node(&self, script: &str) -> Command {
        let mut command = Command::new(npm::node(&self.peers));
        command
            .arg(self.peers.join(script))
            .current_dir(&self.peers);
        command
    }

    fn server(&self) -> PathBuf {
        target().join("debug/analects")
    }
}
