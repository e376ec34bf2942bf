//! Meets a server that speaks MCP, and prints what it offers and answers, so that others can see how we get on.
//!
//! `mcp_servers DIR CALLS.json COMMAND [ARGS]…` starts a program, `mcp_servers DIR CALLS.json URL` calls an address.
//! `CALLS.json` holds `[["tool", {…}], …]`. `cargo xtask mcp-peers` runs it against servers that others wrote.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;

use analects_host::McpServers;
use analects_world::servers::{Piece, Reach, Server, Servers};
use analects_world::{AbsPath, Cancel};
use serde_json::{Map, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(dir), Some(calls), Some(target)) = (args.next(), args.next(), args.next()) else {
        return Err("usage: mcp_servers DIR CALLS.json COMMAND|URL [ARGS]…".into());
    };
    let dir = AbsPath::new(&dir)?;
    let reach = match target.starts_with("http") {
        true => Reach::Http {
            url: target,
            headers: BTreeMap::new(),
        },
        false => Reach::Program {
            command: target,
            args: args.collect(),
            dir: dir.clone(),
            vars: std::env::vars().collect(),
        },
    };
    let server = Server {
        name: "peer".to_owned(),
        reach,
        roots: vec![dir],
        timeout_ms: 60_000,
    };
    let calls: Vec<(String, Map<String, Value>)> =
        serde_json::from_str(&std::fs::read_to_string(calls)?)?;
    let mut out = std::io::stdout().lock();
    let connection = McpServers::default().connect(&server, &Cancel::new())?;
    let offer = connection.offer();
    writeln!(out, "instructions: {} bytes", offer.instructions.len())?;
    for tool in &offer.tools {
        writeln!(out, "tool: {}", tool.name)?;
    }
    for (tool, args) in calls {
        let mut heard = 0;
        let answer = connection.call(&tool, &args, None, &Cancel::new(), &mut |_| heard += 1);
        let answer = answer.map_err(|trouble| format!("{tool}: {trouble}"))?;
        writeln!(
            out,
            "call: {tool}, error {}, heard {heard}",
            answer.is_error
        )?;
        for piece in answer.pieces {
            match piece {
                Piece::Text(words) => writeln!(out, "text: {words}")?,
                Piece::Media { mime, data } => writeln!(out, "media: {mime} {}", data.len())?,
            }
        }
    }
    Ok(())
}
