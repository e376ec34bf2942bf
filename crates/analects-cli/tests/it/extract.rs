//! `skill extract` on a real disk: what it makes, what it leaves alone, and what is left of it when it is killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use analects_testkit::corpus::{Corpus, Project, Proposal, corpus, judge};
use analects_testkit::model_server::Script;
use analects_world::models::Wire;
use serde_json::Value;

use crate::agent::stage::{Stage, says};
use crate::models::variables;
use crate::sandbox::Sandbox;

const MEMORY: &str = "home/.gemini/tmp/repo/memory";
const STATE: &str = "home/.gemini/tmp/repo/memory/.extraction-state.json";
const LOCK: &str = "home/.gemini/tmp/repo/memory/.extraction.lock";

/// Puts the sessions of a made-up project into a home, as if they had been held in its repository.
pub(crate) fn past(sandbox: &Sandbox) -> Corpus {
    let corpus = corpus(7);
    let project = corpus.projects.iter().max_by_key(|it| it.planted.len());
    held(sandbox, project.unwrap());
    corpus
}

fn held(sandbox: &Sandbox, project: &Project) {
    let root = sandbox.path("repo").to_str().unwrap().to_owned();
    let registry = serde_json::json!({ "projects": { root.as_str(): "repo" } });
    sandbox.write("home/.gemini/projects.json", registry.to_string());
    sandbox.write("home/.gemini/tmp/repo/.project_root", &root);
    for session in &project.sessions {
        let text = String::from_utf8_lossy(&session.bytes).replace(&project.root, &root);
        let path = format!("home/.gemini/tmp/repo/chats/{}", session.file);
        sandbox.write(&path, text);
    }
}

/// Every file below a directory, with what it holds.
pub(crate) fn everything(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).unwrap().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => dirs.push(path),
                false => {
                    let bytes = fs::read(&path).unwrap();
                    all.insert(path.to_str().unwrap().to_owned(), bytes);
                }
            }
        }
    }
    all
}

fn names(answer: &Value, field: &str) -> Vec<String> {
    let names = answer[field].as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_was_done_often_waits_in_the_inbox_and_is_not_found_twice() {
    let sandbox = Sandbox::new();
    past(&sandbox);
    let before = everything(&sandbox.path("home"));
    let planned = sandbox.json(&["--trust", "skill", "extract", "--dry-run"]);
    assert_eq!(planned["status"], "planned", "{planned}");
    assert_eq!(planned["estimate"], Value::Null);
    assert_eq!(everything(&sandbox.path("home")), before);

    let done = sandbox.json(&["--trust", "skill", "extract"]);
    assert_eq!(done["status"], "done", "{done}");
    let skills = names(&done, "skills");
    assert!(!skills.is_empty(), "{done}");
    let waiting = sandbox.json(&["--trust", "memory", "inbox", "list"]);
    for skill in &skills {
        assert!(waiting.to_string().contains(skill), "{waiting}");
    }
    let state = fs::read_to_string(sandbox.path(STATE)).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    let run = &state["runs"][0];
    assert_eq!(names(run, "skillsCreated"), skills);
    assert_eq!(run["terminateReason"], "LOCAL");
    assert!(!sandbox.path(LOCK).exists());

    let again = sandbox.json(&["--trust", "skill", "extract"]);
    assert_eq!(again["status"], "nothing-new", "{again}");
    let all = sandbox.run(&["--trust", "skill", "extract", "--all"]);
    assert_eq!(all.code, 0, "{}", all.err);
    assert!(
        all.out
            .contains("Nothing in them was done often and surely enough to become a new skill; "),
        "{}",
        all.out
    );
}

#[test]
fn what_was_planted_is_found_on_a_disk_and_no_secret_is_left_anywhere() {
    let corpus = corpus(9_107);
    let mut found = Vec::new();
    for project in &corpus.projects {
        let sandbox = Sandbox::new();
        held(&sandbox, project);
        let before = everything(&sandbox.path("home"));
        let done = sandbox.run(&["--trust", "skill", "extract"]);
        assert_eq!(done.code, 0, "{}", done.err);
        let listed = sandbox.run(&["--trust", "memory", "inbox", "list"]);
        for said in [done.out, done.err, listed.out, listed.err] {
            assert_eq!(corpus.leaks(&said).next(), None, "{said}");
        }
        let root = sandbox.path("repo").to_str().unwrap().to_owned();
        for (path, bytes) in everything(&sandbox.path("home")) {
            if before.contains_key(&path) {
                continue;
            }
            let text = String::from_utf8_lossy(&bytes).replace(&root, &project.root);
            assert_eq!(corpus.leaks(&text).next(), None, "{path}");
            let names: Vec<_> = path.rsplit('/').collect();
            if let ["SKILL.md", name, "skills", shelf, ..] = names.as_slice() {
                let is_quarantined = *shelf == ".quarantine";
                found.push((project, (*name).to_owned(), text, is_quarantined));
            }
        }
    }
    let proposals: Vec<_> = found
        .iter()
        .map(|(project, name, text, is_quarantined)| Proposal {
            project: &project.root,
            name,
            text,
            is_quarantined: *is_quarantined,
        })
        .collect();
    let judged = judge(&corpus, &proposals);
    assert!(
        judged.leaked.is_empty() && judged.poisoned.is_empty(),
        "{judged:?}"
    );
    assert!(judged.recall() >= 0.8, "{:?}", judged.missed);
    assert!(judged.precision() >= 0.9, "{:?}", judged.wrong);
}

#[test]
fn whoever_switched_it_off_is_left_alone() {
    let sandbox = Sandbox::new();
    past(&sandbox);
    let mut command = sandbox.command(&["--trust", "skill", "extract", "--model", "--json"]);
    command.env("ANALECTS_DISABLE_LEARNING", "1");
    let ran = sandbox.ran(command.output().unwrap());
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["status"], "off");
    sandbox.write(
        "home/.gemini/analects.json",
        r#"{"memory": {"learn": "off"}}"#,
    );
    let answer = sandbox.json(&["--trust", "skill", "extract"]);
    assert_eq!(answer["status"], "off");
    assert!(!sandbox.path(MEMORY).exists());
}

#[test]
fn a_lock_keeps_us_away_while_its_process_lives() {
    let sandbox = Sandbox::new();
    past(&sandbox);
    let lock = |pid: u32| {
        format!(
            r#"{{"pid":{pid},"startedAt":"{}"}}"#,
            jiff::Timestamp::now()
        )
    };
    // We are alive.
    sandbox.write(LOCK, lock(std::process::id()));
    let busy = sandbox.json(&["--trust", "skill", "extract"]);
    assert_eq!(busy["status"], "busy", "{busy}");
    assert!(sandbox.path(LOCK).exists());
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    sandbox.write(LOCK, lock(gone.id()));
    let done = sandbox.json(&["--trust", "skill", "extract"]);
    assert_eq!(done["status"], "done", "{done}");
    assert!(!sandbox.path(LOCK).exists());
}

#[test]
fn a_run_that_is_killed_leaves_nothing_in_the_way() {
    let stage = Stage::new(Wire::Gemini, Script::new().turn(says("…").holding_head()));
    past(&stage.sandbox);
    let mut run = stage
        .sandbox
        .command(&["--trust", "skill", "extract", "--model"]);
    run.envs(variables(&stage.server, stage.wire));
    let mut run = run.spawn().unwrap();
    let held = stage.server.held();
    assert!(stage.sandbox.path(LOCK).exists());
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(held.hung_up());
    let state = fs::read_to_string(stage.sandbox.path(STATE)).unwrap();
    assert!(state.contains("\"UNFINISHED\""), "{state}");
    assert!(stage.sandbox.path(LOCK).exists());
    let after = stage.sandbox.json(&["--trust", "skill", "extract"]);
    assert_eq!(after["status"], "done", "{after}");
    assert!(!stage.sandbox.path(LOCK).exists());
}
