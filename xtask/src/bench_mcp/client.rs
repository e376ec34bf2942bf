//! A client over stdio that asks one thing at a time and waits for the answer.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server that was started, and is ended with this.
pub(super) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: u64,
}

/// A tool and its arguments.
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
}

impl Client {
    /// Starts a server; says how long it took until it had answered `initialize`.
    pub(super) fn start(mut command: Command) -> Result<(Self, Duration), String> {
        let since = Instant::now();
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().map_err(said)?;
        let input = child.stdin.take().ok_or("a program without input")?;
        let output = child.stdout.take().ok_or("a program without output")?;
        let mut client = Self {
            child,
            input,
            output: BufReader::new(output),
            last_id: 0,
        };
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "bench", "version": "1" },
        });
        client.ask("initialize", &params)?;
        let time = since.elapsed();
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        client.send(&told.to_string())?;
        Ok((client, time))
    }

    /// Calls a tool, which must succeed.
    pub(super) fn call(&mut self, call: &Call) -> Result<(Value, Duration), String> {
        let params = json!({ "name": call.tool, "arguments": call.arguments });
        let (result, time) = self.ask("tools/call", &params)?;
        if result["isError"] == true {
            return Err(format!("{} failed: {result}", call.tool));
        }
        Ok((result, time))
    }

    /// Sends a request and waits for its result. What we do with both of them does not count.
    pub(super) fn ask(
        &mut self,
        method: &str,
        params: &Value,
    ) -> Result<(Value, Duration), String> {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let request = request.to_string();
        let mut line = String::new();
        let since = Instant::now();
        self.send(&request)?;
        loop {
            line.clear();
            if self.output.read_line(&mut line).map_err(said)? == 0 {
                return Err(format!("the server ended before it answered {method}"));
            }
            let time = since.elapsed();
            let mut answer: Value = serde_json::from_str(&line).map_err(said)?;
            if answer["id"] != id {
                continue;
            }
            return match answer.get_mut("result") {
                Some(result) => Ok((result.take(), time)),
                None => Err(format!("{method}: {line}")),
            };
        }
    }

    fn send(&mut self, message: &str) -> Result<(), String> {
        // One write: a line in pieces would be two wake-ups for a server.
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes()).map_err(said)
    }

    /// What the server and all its descendants hold in memory.
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

impl Drop for Client {
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

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
