//! Servers as the agent uses them in a process: a real program, a scripted model on every wire.

use std::fs;

use analects_testkit::say;
use analects_world::models::Wire;
use serde_json::{Value, json};

use super::stage::*;

/// A server with two tools; one of them has a schema that no model takes as it is.
const SERVER: &str = r##"
import json, os, sys
BAD = {"$schema": "x", "oneOf": [{"type": "object"}], "properties": {
    "word": {"$ref": "#/$defs/word"}, "bad name!": {"type": "string"}, "odd": {"type": "wrong", "pattern": "("},
    "tree": {"$ref": "#/$defs/tree"}}, "required": ["word", "gone"],
    "$defs": {"word": {"type": "string"}, "tree": {"type": "object", "properties": {"of": {"$ref": "#/$defs/tree"}}}}}
with open(os.environ["NOTES"], "a") as notes:
    notes.write(" ".join(sorted(os.environ)) + "\n")
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = {
        "initialize": lambda: {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "pond", "version": "1"}, "instructions": "Feed the ducks daily."},
        "tools/list": lambda: {"tools": [
            {"name": "quack", "description": "Quacks.", "inputSchema": BAD}, {"name": "odd:one", "inputSchema": "none"}]},
        "tools/call": lambda: {"content": [{"type": "text", "text": "quack " + asked["params"]["arguments"]["word"]}]},
    }[asked["method"]]()
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"##;

fn with_pond(stage: Stage, more: &Value) -> Stage {
    let mut entry = json!({
        "command": "python3",
        "args": ["-c", SERVER],
        "env": { "NOTES": stage.sandbox.path("notes") },
    });
    for (name, value) in more.as_object().unwrap() {
        entry[name] = value.clone();
    }
    let settings = json!({ "mcpServers": { "pond": entry } });
    stage
        .sandbox
        .write("home/.gemini/settings.json", settings.to_string());
    stage
}

fn quack() -> [analects_testkit::model_server::Reply; 2] {
    let call = say::call("1", "mcp_pond_quack", json!({ "word": "loudly" }));
    [calls([call]), says("It quacked.")]
}

#[test]
fn a_server_is_started_used_and_left_on_every_wire() {
    everywhere(|wire| {
        let stage = with_pond(Stage::new(wire, quack()), &json!({ "trust": true }));
        let ran = stage.talk(&["-p", "Quack."]);
        assert_eq!((ran.code, &*ran.out), (0, "It quacked.\n"), "{}", ran.err);
        let [first, second] = &stage.asked()[..] else {
            panic!("{:#?}", stage.asked())
        };
        assert!(first.contains("Feed the ducks daily."), "{first}");
        assert!(first.contains("MCP server pond"), "{first}");
        assert!(second.contains("quack loudly"), "{second}");
        // Nothing of ours that opens anything was inherited.
        let inherited = fs::read_to_string(stage.sandbox.path("notes")).unwrap();
        assert!(inherited.contains("GEMINI_CLI "), "{inherited}");
        assert!(!inherited.contains("API_KEY"), "{inherited}");
    });
}

#[test]
fn nobody_asks_so_nothing_is_done_and_the_model_is_told_why() {
    let stage = with_pond(Stage::new(Wire::Gemini, quack()), &json!({}));
    let ran = stage.talk(&["-p", "Quack."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let last = stage.asked().pop().unwrap();
    assert!(last.contains("needs somebody to agree"), "{last}");
}

#[test]
fn a_server_that_is_not_there_is_a_warning() {
    let stage = with_pond(
        Stage::new(Wire::Gemini, [says("Fine.")]),
        &json!({ "command": "no-such-program" }),
    );
    let ran = stage.talk(&["-p", "Hello."]);
    assert_eq!((ran.code, &*ran.out), (0, "Fine.\n"));
    assert!(
        ran.err.contains("the server `pond` is not used"),
        "{}",
        ran.err
    );
}

#[test]
fn a_project_starts_programs_that_are_announced_and_see_no_variable_of_the_user() {
    let stage = Stage::new(Wire::Gemini, [says("Fine."), says("Fine.")]);
    let sandbox = &stage.sandbox;
    let hook = format!("env > {}", sandbox.path("hook").display());
    let entry = json!({
        "command": "python3",
        "args": ["-c", SERVER, "$SHOP_DB"],
        "env": { "NOTES": sandbox.path("notes"), "MINE": "${SHOP_DB:-nothing}" },
    });
    let hooks = json!([{ "hooks": [{ "type": "command", "command": hook, "env": { "MINE": "$SHOP_DB" } }] }]);
    let project = json!({
        "mcpServers": { "pond": entry },
        "hooks": { "SessionStart": hooks },
        "security": { "projectVariables": { "*": "SHOP_DB" } },
    });
    sandbox.write("repo/.gemini/settings.json", project.to_string());
    let talk = || {
        let mut command = stage.command(&["-p", "Hello."]);
        command
            .env("SHOP_DB", "v-geheim")
            .env("EDITOR_OF_MINE", "v-geheim");
        sandbox.ran(command.output().unwrap())
    };
    let text = |path: &str| fs::read_to_string(sandbox.path(path)).unwrap();
    let ran = talk();
    assert_eq!((ran.code, &*ran.out), (0, "Fine.\n"), "{}", ran.err);
    let announced = "warning: this project's server `pond` starts `python3 -c";
    assert_eq!(ran.err.matches(announced).count(), 1, "{}", ran.err);
    assert!(
        ran.err
            .contains("without $SHOP_DB (`security.projectVariables`)"),
        "{}",
        ran.err
    );
    let inherited = text("notes");
    let is_theirs = |name: &&str| name.starts_with("SHOP") || name.starts_with("EDITOR");
    assert_eq!(
        inherited.split_whitespace().find(is_theirs),
        None,
        "{inherited}"
    );
    assert!(
        inherited.contains("MINE") && inherited.contains("HOME"),
        "{inherited}"
    );
    assert!(!text("hook").contains("v-geheim"), "{}", text("hook"));
    assert!(text("hook").contains("HOME="), "{}", text("hook"));
    // Named by the user, it is there.
    let folder = sandbox.path("repo");
    let own =
        json!({ "security": { "projectVariables": { folder.to_str().unwrap(): "SHOP_DB" } } });
    sandbox.write("home/.gemini/analects.json", own.to_string());
    let ran = talk();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("; with $SHOP_DB"), "{}", ran.err);
    let hook = text("hook");
    assert!(
        hook.contains("SHOP_DB=v-geheim") && hook.contains("MINE=v-geheim"),
        "{hook}"
    );
    assert!(!hook.contains("EDITOR_OF_MINE"), "{hook}");
}
