//! The end of a session, which says nothing and puts its record into the index.

use analects_world::Index;

use super::*;

const GEMINIS: &str = "/h/.gemini/tmp/r/chats/session-2026-03-01T10-00-aaaaaaaa.jsonl";
const CLAUDES: &str = "/h/.claude/projects/-r/7f56aae6.jsonl";

fn known(stage: &Stage) -> Vec<String> {
    let known = stage.desk.index.known().unwrap().into_iter();
    known.map(|known| known.path.to_string()).collect()
}

#[test]
fn the_record_of_a_session_that_ends_is_found_without_reading_it_again() {
    let stage = Stage::new(TREE);
    stage.desk.edit(
        GEMINIS,
        "{\"sessionId\":\"aaaaaaaa-1\",\"projectHash\":\"00\"}\n\
         {\"id\":\"m1\",\"type\":\"user\",\"content\":\"Where is the pond?\"}\n",
    );
    stage.desk.edit(
        CLAUDES,
        r#"{"type":"user","uuid":"1","sessionId":"7f56aae6","cwd":"/r","message":{"role":"user","content":"Hello"}}"#,
    );
    for (host, path) in [("gemini", GEMINIS), ("claude", CLAUDES)] {
        let input = json!({"transcript_path": path, "reason": "exit"});
        assert_eq!(stage.answer(host, "SessionEnd", input), Answer::default());
    }
    let mut known = known(&stage);
    known.sort();
    assert_eq!(known, [CLAUDES, GEMINIS]);
}

#[test]
fn what_is_no_record_of_the_host_is_left_alone() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/r/secret.jsonl", "{}\n");
    for (host, path) in [
        ("gemini", "/r/secret.jsonl"),
        ("claude", GEMINIS),
        ("claude", "/h/.claude/projects/-r/../../../r/secret.jsonl"),
        ("codex", "relative"),
        ("gemini", "/h/.gemini/tmp/r/chats/session-none.jsonl"),
    ] {
        let answer = stage.answer(host, "SessionEnd", json!({"transcript_path": path}));
        assert_eq!(answer.json, None);
        assert_eq!(answer.notes, ["the host names no record of its own"]);
    }
    assert_eq!(known(&stage), Vec::<String>::new());
}
