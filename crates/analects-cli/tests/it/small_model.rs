//! The whole agent on a real small model, behind a server that we did not write.
//!
//! It has no judgement, and repeats itself: what it says is of no interest, only what becomes of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use analects_testkit::SmallModel;
use serde_json::Value;

use crate::sandbox::{Ran, Sandbox};

/// A repository, and the model.
struct Lab {
    sandbox: Sandbox,
    model: SmallModel,
}

impl Lab {
    fn find() -> Option<Self> {
        let model = SmallModel::find()?;
        let sandbox = Sandbox::new();
        sandbox.write("repo/GEMINI.md", "Answer in one short sentence.\n");
        Some(Self { sandbox, model })
    }

    fn command(&self, args: &[&str]) -> Command {
        let named = ["--trust", "-m", SmallModel::NAME];
        let mut command = self.sandbox.command(&[&named[..], args].concat());
        command
            .env("OPENAI_API_KEY", &self.model.key)
            .env("OPENAI_BASE_URL", format!("{}/v1", self.model.address))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn talk(&self, args: &[&str]) -> Ran {
        let ran = self.sandbox.ran(self.command(args).output().unwrap());
        // Whatever happens, nobody is shown what a server says to programs.
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains("exceed_context_size"), "{text}");
            assert!(!text.contains("panicked"), "{text}");
        }
        ran
    }

    fn sessions(&self) -> usize {
        let listed = self.sandbox.json(&["session", "list"]);
        listed["sessions"].as_array().unwrap().len()
    }
}

fn events(ran: &Ran) -> Vec<Value> {
    let lines = ran.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
