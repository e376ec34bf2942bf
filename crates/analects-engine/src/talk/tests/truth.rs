//! What a model and a person are told is so.

use analects_testkit::say;
use analects_world::models::Finish;
use serde_json::json;

use super::{Stage, call, shown};

#[test]
fn a_rule_about_a_file_holds_for_every_tool_that_could_read_it() {
    let rule = "[[rule]]\ntoolName = '*'\npathPattern = ['/**/.env', 'src/lib/**']\ndecision = 'deny'\npriority = 900\n";
    let many = |include: &str| call("read_many_files", json!({ "include": [include] }));
    let stage = Stage::new("What is the key?").in_mode("yolo").answers([
        many("**/.e*"),
        many("**/*"),
        many(".env"),
        call(
            "grep_search",
            json!({ "pattern": "duck", "dir_path": "src/lib" }),
        ),
        call("list_directory", json!({ "dir_path": "src/lib" })),
        vec![say::text("I was not told.")],
    ]);
    stage.desk.edit("/h/.gemini/policies/p.toml", rule);
    stage.desk.edit("/w/app/.env", "KEY=hunter2\n");
    stage.talk();
    let asked = stage.desk.models.asked();
    let seen = shown(&asked.last().unwrap().history);
    for secret in ["hunter2", "ducks()", "pond.rs (", "herons()"] {
        assert!(!seen.contains(secret), "{secret}: {seen}");
    }
    assert!(seen.contains("Ask the miller."), "{seen}");
    assert!(
        seen.contains("- `.env`: A rule does not allow this"),
        "{seen}"
    );
}

#[test]
fn a_page_of_a_file_holds_the_lines_that_it_says() {
    let lines: String = (1..=1_500).map(|n| format!("line {n}\n")).collect();
    let stage = Stage::new("Read it.").answers([
        call("read_file", json!({ "file_path": "long.txt" })),
        vec![say::text("Read.")],
    ]);
    stage.desk.edit("/w/app/long.txt", &lines);
    stage.talk();
    let asked = stage.desk.models.asked();
    let seen = shown(&asked.last().unwrap().history);
    assert!(seen.contains(&lines), "{seen}");
}

#[test]
fn a_directory_that_is_named_and_not_there_is_told_of() {
    let mut stage = Stage::new("Hello").answers([vec![say::text("Hello.")]]);
    stage.wish.include = ["/nosuch", "src", "notes.txt"].map(str::to_owned).to_vec();
    let ended = stage.talk();
    let told: Vec<_> = ended.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "/nosuch: there is no such directory, so it adds nothing to the workspace",
            "/w/app/notes.txt: there is no such directory, so it adds nothing to the workspace",
        ]
    );
}

#[test]
fn an_answer_that_was_cut_off_is_told_of() {
    let stage = Stage::new("Tell me everything.");
    let half = vec![say::text("It all beg"), say::finish(Finish::Length)];
    stage.desk.models.answer(half);
    let ended = stage.talk();
    assert_eq!(ended.response, "It all beg");
    let told: Vec<_> = ended.problems.iter().map(|it| it.code.name).collect();
    assert_eq!(told, ["answer-cut"]);
    // A whole one is not.
    let stage = Stage::new("Tell me.").answers([vec![say::text("It is seven.")]]);
    assert!(stage.talk().problems.is_empty());
}
