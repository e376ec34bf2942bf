//! A program that is told lines and answers with lines, and ends with this.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A program that runs.
pub(super) struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts it. What it says on stderr goes where the command says.
    pub(super) fn start(mut command: Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(said)?;
        let input = child.stdin.take().ok_or("a program without input")?;
        let output = child.stdout.take().ok_or("a program without output")?;
        let output = BufReader::new(output);
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// Tells it a line, in one write: in pieces it would be woken twice.
    pub(super) fn say(&mut self, message: &str) -> Result<(), String> {
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes()).map_err(said)
    }

    /// Puts the next line into `line`; false if there is none.
    pub(super) fn hear(&mut self, line: &mut String) -> Result<bool, String> {
        line.clear();
        Ok(self.output.read_line(line).map_err(said)? > 0)
    }

    /// The most memory that it ever had.
    pub(super) fn peak_kib(&self) -> Result<f64, String> {
        status(self.child.id(), "VmHWM:").ok_or_else(|| "no VmHWM: is this Linux?".to_owned())
    }

    /// What it and all its descendants hold in memory.
    pub(super) fn resident_kib(&self) -> Result<f64, String> {
        let mut tree = vec![self.child.id()];
        let mut n_kib = 0.0;
        while let Some(pid) = tree.pop() {
            n_kib += status(pid, "VmRSS:").ok_or("no VmRSS: is this Linux?")?;
            let all = std::fs::read_dir("/proc").map_err(said)?;
            let pids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
            tree.extend(pids.filter(|other| status(*other, "PPid:") == Some(f64::from(pid))));
        }
        Ok(n_kib)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A number from what the kernel tells of a process.
fn status(pid: u32, key: &str) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

pub(super) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
