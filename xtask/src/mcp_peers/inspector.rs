//! The Inspector's command line over stdio: it lists everything, and calls, reads and fills in each of it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Scene;
use crate::shell::Done;

const SCRIPT: &str = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// What is asked in turn, and what must be in the answer.
const QUESTIONS: [(Question, &str); 21] = [
    (
        Question::Call("save_memory", &["fact=Likes tea"]),
        "Remembered as d73e14c0",
    ),
    (
        Question::Call("search_memory", &["query=tea"]),
        "\"id\": \"d73e14c0\"",
    ),
    (
        Question::Call("get_memory", &["entry=d73e14c0"]),
        "(global): Likes tea",
    ),
    (
        Question::Call("get_memory", &["layer=global"]),
        "- Likes tea",
    ),
    (
        Question::Call("update_memory", &["entry=d73e14c0", "text=Likes green tea"]),
        "Changed: d73e14c0 says",
    ),
    (Question::Read("memory://global"), "- Likes green tea"),
    (Question::Fill("recall", &["topic=tea"]), "Likes green tea"),
    (
        Question::Fill("remember", &["fact=Likes milk"]),
        "Likes milk",
    ),
    (
        Question::Call("update_memory", &["entry=d73e14c0", "to=private"]),
        "Moved: d73e14c0",
    ),
    (Question::Read("memory://private"), "- Likes green tea"),
    (
        Question::Call("forget_memory", &["entry=d73e14c0"]),
        "Forgotten: d73e14c0",
    ),
    (
        Question::Call("search_memory", &["query=tea"]),
        "Nothing is remembered",
    ),
    (
        Question::Call("get_context", &["paths=[\"src/parser/scan.rs\"]"]),
        "Tests stand beside the code.",
    ),
    (
        Question::Call("search_sessions", &["query=herons"]),
        "in session 3f1c0000-0000-4000-8000-000000000001",
    ),
    (
        Question::Call("search_sessions", &["query=flamingos"]),
        "Nobody said that.",
    ),
    (
        Question::Call("activate_skill", &["name=skill-creator"]),
        "<activated_skill name=",
    ),
    (
        Question::Read("memory://skills/skill-creator"),
        "<activated_skill name=",
    ),
    (
        Question::Read("session://3f1c0000-0000-4000-8000-000000000001"),
        "Count the herons.",
    ),
    (
        Question::Fill("handoff", &["session=3f1c0000"]),
        "Count the herons.",
    ),
    (Question::List("resources/list"), "\"resources\""),
    (
        Question::List("resources/templates/list"),
        "\"resourceTemplates\"",
    ),
];

/// One question to the server.
enum Question {
    /// What is there?
    List(&'static str),
    /// A tool, with its arguments.
    Call(&'static str, &'static [&'static str]),
    /// A resource.
    Read(&'static str),
    /// A prompt, with its arguments.
    Fill(&'static str, &'static [&'static str]),
}

impl Question {
    fn words(&self) -> Vec<&'static str> {
        let with = |option, arguments: &'static [&'static str]| {
            arguments
                .iter()
                .flat_map(move |argument| [option, *argument])
        };
        match *self {
            Self::List(what) => vec![what],
            Self::Read(uri) => vec!["resources/read", "--uri", uri],
            Self::Call(name, arguments) => ["tools/call", "--tool-name", name]
                .into_iter()
                .chain(with("--tool-arg", arguments))
                .collect(),
            Self::Fill(name, arguments) => ["prompts/get", "--prompt-name", name]
                .into_iter()
                .chain(with("--prompt-args", arguments))
                .collect(),
        }
    }
}

pub(super) fn inspect(scene: &Scene) -> Done {
    for (question, expected) in &QUESTIONS {
        let words = question.words();
        let said = ask(scene, &words)?;
        if !said.contains(expected) {
            return Err(format!(
                "the Inspector's {words:?}: no `{expected}` in {said}"
            ));
        }
        println!("inspector: {} is fine", words.join(" "));
    }
    let called = QUESTIONS.iter().filter_map(|(question, _)| match question {
        Question::Call(name, _) => Some(*name),
        _ => None,
    });
    all_are_used(
        scene,
        &["tools/list", "--strict"],
        "tools",
        called.collect(),
    )?;
    let filled = QUESTIONS.iter().filter_map(|(question, _)| match question {
        Question::Fill(name, _) => Some(*name),
        _ => None,
    });
    all_are_used(scene, &["prompts/list"], "prompts", filled.collect())
}

/// What the server lists must be what was tried, no more and no less.
fn all_are_used(scene: &Scene, list: &[&str], kind: &str, tried: BTreeSet<&str>) -> Done {
    let said = ask(scene, list)?;
    let listed: Value = serde_json::from_str(&said).map_err(|error| format!("{error}: {said}"))?;
    let rows = listed[kind].as_array().into_iter().flatten();
    let names: BTreeSet<_> = rows.filter_map(|row| row["name"].as_str()).collect();
    if names != tried {
        return Err(format!(
            "{kind}: the server lists {names:?}, tried were {tried:?}"
        ));
    }
    println!(
        "inspector: {} lists the {} {kind} that were tried",
        list.join(" "),
        names.len()
    );
    Ok(())
}

fn ask(scene: &Scene, words: &[&str]) -> Result<String, String> {
    let mut command = scene.node(SCRIPT);
    let home = format!("HOME={}", scene.home.display());
    command.args(["--cli", "-e", &home, "--cwd"]);
    command
        .arg(&scene.repo)
        .arg(scene.server())
        .args(["mcp", "--trust"]);
    command.arg("--method").args(words);
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the Inspector's {words:?}: {said}{errors}"));
    }
    Ok(said.into_owned())
}
