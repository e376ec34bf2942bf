//! A client over stdio that asks one thing at a time and waits for the answer.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::compare::program::{Program, said};

/// A server that was started, and is ended with this.
pub(super) struct Client {
    program: Program,
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
        command.stderr(Stdio::null());
        let program = Program::start(command)?;
        let mut client = Self {
            program,
            last_id: 0,
        };
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "compare", "version": "1" },
        });
        client.ask("initialize", &params)?;
        let time = since.elapsed();
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        client.program.say(&told.to_string())?;
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
        self.program.say(&request)?;
        while self.program.hear(&mut line)? {
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
        Err(format!("the server ended before it answered {method}"))
    }

    /// What the server and all its descendants hold in memory.
    pub(super) fn resident_kib(&self) -> Result<f64, String> {
        self.program.resident_kib()
    }
}
