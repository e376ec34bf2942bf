//! Our client against servers of the protocol's own authors, our own server, and the suite's scenarios for clients.
//!
//! The client is `crates/analects-host/examples/mcp_servers.rs`: the door that the agent uses, and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::Scene;
use super::suite::SCRIPT;
use crate::npm;
use crate::shell::{Done, run, target, write};

/// The suite's scenarios that a client without a person and without OAuth can pass, and what is called in each.
const SCENARIOS: [(&str, &str); 3] = [
    ("initialize", "[]"),
    ("tools_call", r#"[["add_numbers", {"a": 5, "b": 3}]]"#),
    ("sse-retry", r#"[["test_reconnection", {}]]"#),
];

pub(super) fn meet(scene: &Scene) -> Done {
    let build = ["build", "--locked", "--package", "analects-host"];
    run(
        "cargo",
        &[&build[..], &["--example", "mcp_servers"]].concat(),
    )?;
    let file = scene.repo.join("pond.txt");
    write(&file, "seven ducks\n")?;
    let node = npm::node(&scene.peers);
    let script = |name: &str| {
        let script = format!("node_modules/@modelcontextprotocol/{name}/dist/index.js");
        scene.peers.join(script)
    };
    let (everything, filesystem) = (script("server-everything"), script("server-filesystem"));
    let stdio = PathBuf::from("stdio");
    let ours = [scene.server(), "mcp".into(), "--trust".into()];
    let cases: [(&str, &[PathBuf], Value, &[&str]); 3] = [
        (
            "server-everything",
            &[node.clone(), everything, stdio],
            json!([
                ["echo", {"message": "tea"}],
                ["get-tiny-image", {}],
                ["get-roots-list", {}],
                ["get-structured-content", {"location": "Chicago"}],
                ["trigger-long-running-operation", {"duration": 1, "steps": 4}],
            ]),
            &[
                "tool: get-sum\n",
                "text: Echo: tea\n",
                "media: image/png ",
                "URI: file:///",
                "text: {\"temperature\":",
                "call: trigger-long-running-operation, error false, heard 4\n",
            ],
        ),
        (
            "server-filesystem",
            &[node, filesystem, scene.repo.clone()],
            json!([
                ["read_text_file", {"path": file}],
                ["read_text_file", {"path": "/etc/passwd"}],
            ]),
            &[
                "text: seven ducks\n",
                "call: read_text_file, error true, heard 0\ntext: Access denied",
            ],
        ),
        (
            "our own",
            &ours,
            json!([["save_memory", {"fact": "Likes ponds"}], ["search_memory", {"query": "ponds"}]]),
            &["text: Remembered as ", "(global): Likes ponds"],
        ),
    ];
    for (name, command, calls, expected) in cases {
        let said = use_it(scene, command, &calls.to_string())?;
        for words in expected {
            if !said.contains(words) {
                return Err(format!("{name}: no `{words}` in {said}"));
            }
        }
        println!("servers: {name} is fine");
    }
    SCENARIOS
        .iter()
        .try_for_each(|(name, calls)| conform(scene, name, calls))
}

fn client() -> PathBuf {
    target().join("debug/examples/mcp_servers")
}

fn calls_in(scene: &Scene, calls: &str) -> Result<PathBuf, String> {
    let file = scene.peers.join("calls.json");
    write(&file, calls)?;
    Ok(file)
}

fn use_it(scene: &Scene, command: &[PathBuf], calls: &str) -> Result<String, String> {
    let calls = calls_in(scene, calls)?;
    let mut client = Command::new(client());
    client.arg(&scene.repo).arg(calls).args(command);
    client.env("HOME", &scene.home);
    let output = client.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(said),
        false => Err(format!(
            "{command:?}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

fn conform(scene: &Scene, scenario: &str, calls: &str) -> Done {
    let calls = calls_in(scene, calls)?;
    // The suite hands this to a shell, with the address behind it.
    let quoted = |path: &Path| format!("'{}'", path.display());
    let words = [client(), scene.repo.clone(), calls];
    let words: Vec<_> = words.iter().map(|path| quoted(path)).collect();
    let mut suite = scene.node(SCRIPT);
    suite.args(["client", "--scenario", scenario, "--command"]);
    let output = suite.arg(words.join(" ")).output();
    let output = output.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    // It says all of it on the other stream.
    let also = String::from_utf8_lossy(&output.stderr);
    let has_passed = format!("{said}{also}").contains("OVERALL: PASSED");
    if !output.status.success() || !has_passed {
        return Err(format!(
            "the client scenario {scenario} fails: {said}{also}"
        ));
    }
    println!("servers: the suite's {scenario} is fine");
    Ok(())
}
