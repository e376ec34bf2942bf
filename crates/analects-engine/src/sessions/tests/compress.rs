//! Conversations are made short, and long again.

use analects_session::history::history;
use analects_session::replay::replay;
use analects_testkit::say;
use analects_world::models::Listed;
use expect_test::expect;

use super::*;
use crate::verbs::session::{
    Compress, CompressAnswer, Pin, Rewind, RewindAnswer, Show, ShowAnswer,
};

const FILE: &str = "/h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl";

/// A long conversation with a rule, an error and a lot of output.
fn long(id: &str) -> String {
    let mut lines = format!(
        "{}\n",
        json!({ "sessionId": id, "projectHash": "p", "startTime": "2026-03-01T10:00:00.000Z", "kind": "main" })
    );
    let mut put = |value: serde_json::Value| writeln!(lines, "{value}").unwrap();
    put(
        json!({ "id": "u0", "timestamp": "2026-03-01T10:00:00.000Z", "type": "user", "content": "Port the parser to nom. Never touch vendor/zork.rs." }),
    );
    for n in 0..60 {
        let result = format!("line {n} of the output\n").repeat(60);
        let result = match n {
            7 => format!("{result}error[E0599]: no method named `frobnicate`\nExit Code: 101"),
            _ => result,
        };
        let args = json!({ "command": format!("cargo test step_{n}") });
        put(
            json!({ "id": format!("m{n}"), "timestamp": "2026-03-01T10:01:00.000Z", "type": "gemini", "content": "", "model": "x",
            "toolCalls": [{ "id": format!("c{n}"), "name": "run_shell_command", "args": args, "status": "success", "result": [{ "functionResponse": { "id": format!("c{n}"), "name": "run_shell_command", "response": { "output": result } } }] }] }),
        );
    }
    put(
        json!({ "id": "u1", "timestamp": "2026-03-01T10:02:00.000Z", "type": "user", "content": "And now the docs." }),
    );
    put(
        json!({ "id": "m-last", "timestamp": "2026-03-01T10:02:01.000Z", "type": "gemini", "content": "I will." }),
    );
    lines
}

fn compress(scene: &Scene, session: &str, undo: bool) -> Result<CompressAnswer, Failure> {
    scene.run(&Compress {
        session: session.to_owned(),
        undo,
        focus: None,
        window: None,
        model: None,
    })
}

#[test]
fn a_window_that_holds_nothing_is_refused() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let tiny = Compress {
        session: ONE.to_owned(),
        undo: false,
        focus: None,
        window: Some(0),
        model: None,
    };
    let failure = scene.run(&tiny).unwrap_err();
    assert_eq!(
        failure.message,
        "a window of 0 tokens holds no conversation"
    );
}

fn texts(scene: &Scene, path: &str) -> Vec<analects_world::model::Content> {
    history(&replay(scene.desk.text(path).unwrap().into_bytes()))
}

#[test]
fn a_session_is_compressed_and_restored() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let before = texts(&scene, FILE);
    let answer = compress(&scene, ONE, false).unwrap();
    assert_eq!(answer.status, "COMPRESSED");
    assert!(answer.written && answer.tokens_after * 100 < answer.tokens_before * 20);
    let snapshot = answer.snapshot.unwrap();
    for fact in [
        "Never touch vendor/zork.rs.",
        "error[E0599]: no method named `frobnicate`",
        "cargo test step_7",
    ] {
        assert!(snapshot.contains(fact), "{fact}: {snapshot}");
    }
    assert!(
        answer
            .survived
            .errors
            .iter()
            .any(|error| error.contains("E0599"))
    );
    assert_eq!(answer.survived.paths, ["vendor/zork.rs"]);
    assert_eq!(answer.constraints, ["Never touch vendor/zork.rs."]);
    assert_eq!(answer.proposed, ["Never touch vendor/zork.rs."]);
    let inbox = "/h/.gemini/tmp/app/memory/.inbox/private/extraction.patch";
    assert!(
        scene
            .desk
            .text(inbox)
            .unwrap()
            .contains("Never touch vendor/zork.rs.")
    );
    assert_eq!(answer.kept.last().unwrap().text, "I will.");
    let after = texts(&scene, FILE);
    assert!(after.len() < before.len());
    assert!(
        after[0]
            .texts()
            .next()
            .unwrap()
            .contains("<state_snapshot>")
    );
    // What was there is still in the file, and comes back.
    let undone = compress(&scene, ONE, true).unwrap();
    assert_eq!(undone.status, "UNDONE");
    assert_eq!(undone.tokens_after, answer.tokens_before);
    assert_eq!(texts(&scene, FILE), before);
    let failure = compress(&scene, ONE, true).unwrap_err();
    expect!["cannot undo in session `3f1c0000-0000-4000-8000-000000000001`: the session was not compressed"]
        .assert_eq(&failure.message);
}

#[test]
fn what_is_pinned_stands_in_it() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let pin = Pin {
        session: ONE.to_owned(),
        text: vec!["ducks first".to_owned()],
        list: false,
        remove: None,
        redact: false,
        allow: Vec::new(),
    };
    scene.run(&pin).unwrap();
    compress(&scene, ONE, false).unwrap();
    let texts = texts(&scene, FILE);
    assert!(texts[0].texts().any(|text| text == "ducks first"));
}

#[test]
fn what_was_compressed_is_still_shown_and_counted() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let ask = || {
        let session = ONE.to_owned();
        let history = false;
        scene
            .run(&Show {
                session,
                history,
                secrets: false,
            })
            .unwrap()
    };
    let before = ask();
    compress(&scene, ONE, false).unwrap();
    let after = ask();
    assert_eq!(after.session.title, before.session.title);
    assert_eq!(after.session.prompts, before.session.prompts);
    // The snapshot and its acknowledgement came to it.
    assert_eq!(after.session.turns, before.session.turns + 2);
    let outputs = |answer: &ShowAnswer| {
        let tools = answer.turns.iter().flat_map(|turn| &turn.tools);
        tools.map(|tool| tool.output.clone()).collect::<Vec<_>>()
    };
    assert_eq!(outputs(&after), outputs(&before));
}

#[test]
fn a_session_that_went_on_keeps_what_came_after() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let before = texts(&scene, FILE);
    compress(&scene, ONE, false).unwrap();
    let more = json!({ "id": "u2", "timestamp": "2026-03-01T11:00:00.000Z", "type": "user", "content": "One more thing." });
    let text = format!("{}{more}\n", scene.desk.text(FILE).unwrap());
    let scene = scene.put(FILE, &text, 4);
    compress(&scene, ONE, true).unwrap();
    let after = texts(&scene, FILE);
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.last().unwrap().id, "u2");
}

fn rewind(scene: &Scene, prompts: usize) -> Result<RewindAnswer, Failure> {
    let session = ONE.to_owned();
    scene.run(&Rewind { session, prompts })
}

#[test]
fn a_prompt_that_a_summary_tells_of_is_not_taken_back_before_the_summary() {
    // Without its last exchange: the one prompt is summed up, and stands once more behind the summary.
    let text: String = long(ONE).split_inclusive('\n').take(62).collect();
    let scene = Scene::new().put(FILE, &text, 5);
    compress(&scene, ONE, false).unwrap();
    let compressed = scene.desk.text(FILE);
    check_failure(
        rewind(&scene, 1),
        expect![[r#"
            the session was compressed since: the summary would still tell of this prompt
            hint: `analects session compress 3f1c0000-0000-4000-8000-000000000001 --undo` takes the compression back, and `/compress undo` does so in a chat; then try again
        "#]],
    );
    assert_eq!(scene.desk.text(FILE), compressed);
    compress(&scene, ONE, true).unwrap();
    rewind(&scene, 1).unwrap();
    assert_eq!(texts(&scene, FILE), []);
}

#[test]
fn a_prompt_behind_a_summary_is_taken_back_and_stays_so() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let before = texts(&scene, FILE);
    compress(&scene, ONE, false).unwrap();
    assert_eq!(rewind(&scene, 1).unwrap().prompts, ["And now the docs."]);
    compress(&scene, ONE, true).unwrap();
    assert_eq!(texts(&scene, FILE), before[..before.len() - 2]);
}

#[test]
fn another_agents_session_is_compressed_as_a_copy() {
    let mut text = String::new();
    for n in 0..80 {
        let cwd = "/w/app";
        let at = "2026-03-02T10:00:00Z";
        writeln!(text, "{}", json!({ "type": "user", "uuid": format!("u{n}"), "cwd": cwd, "timestamp": at, "message": { "content": format!("Look at pond number {n}.") } })).unwrap();
        writeln!(text, "{}", json!({ "type": "assistant", "uuid": format!("a{n}"), "timestamp": at, "message": { "id": format!("m{n}"), "content": [{ "type": "text", "text": "There are ducks, and there is water. ".repeat(30) }] } })).unwrap();
    }
    let path = "/h/.claude/projects/-w-app/c1a0d000-1.jsonl";
    let scene = Scene::new().put(path, &text, 5);
    let failure = compress(&scene, "c1a0d000-1", true).unwrap_err();
    assert!(failure.message.contains("was not compressed"));
    let dry = Scene {
        flags: Flags {
            dry_run: true,
            ..Flags::default()
        },
        ..scene
    };
    let answer = compress(&dry, "c1a0d000-1", false).unwrap();
    assert_eq!(
        (answer.status.as_str(), answer.written),
        ("COMPRESSED", false)
    );
    let scene = Scene {
        flags: Flags::default(),
        ..dry
    };
    let answer = compress(&scene, "c1a0d000-1", false).unwrap();
    assert_eq!(
        (
            answer.status.as_str(),
            answer.agent.as_str(),
            answer.written
        ),
        ("COMPRESSED", "claude", true)
    );
    assert_eq!(scene.desk.text(path).as_deref(), Some(text.as_str()));
    assert!(answer.path.starts_with(CHATS));
    let undone = compress(&scene, "c1a0d000-1", true).unwrap();
    assert_eq!(undone.session, answer.session);
    assert_eq!(undone.tokens_after, answer.tokens_before);
}

#[test]
fn a_session_of_codex_goes_the_same_way() {
    let id = "0195a000-0000-7000-8000-000000000001";
    let at = "2026-03-02T10:00:00.000Z";
    let mut text = format!(
        "{}\n",
        json!({ "timestamp": at, "type": "session_meta", "payload": { "id": id, "timestamp": at, "cwd": "/w/app" } })
    );
    let mut put = |payload: serde_json::Value| {
        let line = json!({ "timestamp": at, "type": "response_item", "payload": payload });
        writeln!(text, "{line}").unwrap();
    };
    for n in 0..60 {
        let call_id = format!("c{n}");
        let arguments = json!({ "command": ["bash", "-lc", format!("make step-{n}")] }).to_string();
        put(
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": format!("Never drop table_{n}x.") }] }),
        );
        put(
            json!({ "type": "function_call", "name": "shell", "arguments": arguments, "call_id": call_id }),
        );
        put(
            json!({ "type": "function_call_output", "call_id": call_id, "output": format!("line {n} of it\n").repeat(60) }),
        );
    }
    let path = format!("/h/.codex/sessions/2026/03/02/rollout-2026-03-02T10-00-00-{id}.jsonl");
    let scene = Scene::new().put(&path, &text, 5);
    let answer = compress(&scene, id, false).unwrap();
    assert_eq!(
        (
            answer.status.as_str(),
            answer.agent.as_str(),
            answer.written
        ),
        ("COMPRESSED", "codex", true)
    );
    let snapshot = answer.snapshot.unwrap();
    assert!(
        snapshot.contains("Never drop table_7x.") && snapshot.contains("make step-7"),
        "{snapshot}"
    );
    assert_eq!(scene.desk.text(&path).as_deref(), Some(text.as_str()));
    let undone = compress(&scene, id, true).unwrap();
    assert_eq!(undone.tokens_after, answer.tokens_before);
}

#[test]
fn a_short_session_stays_as_it_is() {
    let text = format!(
        "{}\n{}\n",
        json!({ "sessionId": ONE, "projectHash": "p", "kind": "main" }),
        json!({ "id": "u", "type": "user", "content": "hi" })
    );
    let scene = Scene::new().put(FILE, &text, 5);
    let answer = compress(&scene, ONE, false).unwrap();
    assert_eq!((answer.status.as_str(), answer.written), ("NOOP", false));
    assert_eq!(scene.desk.text(FILE), Some(text));
}

/// A session of which a model with a small window writes the snapshot.
fn by_model(scene: &Scene) -> CompressAnswer {
    let verb = Compress {
        session: ONE.to_owned(),
        undo: false,
        focus: None,
        window: None,
        model: Some("tiny".to_owned()),
    };
    let tiny = Listed {
        name: "tiny".to_owned(),
        window_tokens: Some(4_000),
    };
    scene
        .desk
        .models
        .serve("http://127.0.0.1:8080/v1", vec![tiny]);
    scene.run(&verb).unwrap()
}

fn prose(insight: &str) -> String {
    let known = format!("- {insight}\n- error[E0599]: no method named `frobnicate`");
    let sections = [
        ("overall_goal", "Port the parser."),
        ("active_constraints", "- Never touch vendor/zork.rs."),
        ("key_knowledge", &known),
        ("artifact_trail", ""),
        ("file_system_state", ""),
        ("recent_actions", "- cargo test step_7"),
        ("current_plan", ""),
    ];
    let sections: String = sections
        .iter()
        .map(|(tag, text)| format!("<{tag}>\n{text}\n</{tag}>\n"))
        .collect();
    format!("<scratchpad>hm</scratchpad>\n<state_snapshot>\n{sections}</state_snapshot>")
}

#[test]
fn a_model_that_is_named_writes_the_snapshot_and_the_digest_checks_it() {
    let scene = Scene::new().put(FILE, &long(ONE), 5);
    let said = prose("The two clocks of the harbour disagree.");
    scene
        .desk
        .models
        .answer(vec![say::text(&said), say::usage(900, 300), say::done()]);
    let answer = by_model(&scene);
    assert_eq!(answer.status, "COMPRESSED");
    assert_eq!(answer.written_by.as_deref(), Some("tiny"));
    let snapshot = answer.snapshot.unwrap();
    for fact in [
        "The two clocks of the harbour disagree.",
        "Never touch vendor/zork.rs.",
        "cargo test step_7",
    ] {
        assert!(snapshot.contains(fact), "{fact}: {snapshot}");
    }
    assert!(!snapshot.contains("scratchpad"));
    let asked = &scene.desk.models.asked()[0];
    assert!(
        analects_chat::weigh::history(&asked.history, analects_world::Profile::Analects) < 4_000
    );
    assert!(asked.last_words().contains("snapshot"));
    // Past, question and answer fit into the window together.
    assert_eq!(asked.options.max_output_tokens, Some(1_000));
    let ledger = scene.desk.text("/h/.gemini/analects/models.jsonl").unwrap();
    assert!(
        ledger.contains(r#""purpose":"compress""#) && !ledger.contains("zork"),
        "{ledger}"
    );
}

#[test]
fn a_model_that_fails_leaves_the_digest_and_a_problem() {
    for (said, problem) in [
        (
            "I cannot help with that.",
            "the model wrote no snapshot; the digest stands alone",
        ),
        ("", "does not answer: nobody is there"),
    ] {
        let scene = Scene::new().put(FILE, &long(ONE), 5);
        if !said.is_empty() {
            scene.desk.models.answer(vec![say::text(said), say::done()]);
        }
        let answer = by_model(&scene);
        assert_eq!(
            (&*answer.status, answer.written_by.as_deref()),
            ("COMPRESSED", None)
        );
        assert!(
            answer
                .snapshot
                .unwrap()
                .contains("Never touch vendor/zork.rs.")
        );
        let problems: Vec<_> = answer
            .problems
            .iter()
            .map(|it| it.message.clone())
            .collect();
        assert!(
            problems.iter().any(|it| it.contains(problem)),
            "{problems:?}"
        );
    }
}

#[test]
fn what_a_model_is_shown_holds_no_secret() {
    // In every call and every answer, since only the newest are shown.
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let record = long(ONE)
        .replace("cargo test", &format!("TOKEN={secret} cargo test"))
        .replace(
            r#""response":{"#,
            &format!(r#""parts":[{{"text":"nested {secret}"}}],"response":{{"#),
        );
    let scene = Scene::new().put(FILE, &record, 5);
    scene
        .desk
        .models
        .answer(vec![say::text(&prose("x")), say::done()]);
    by_model(&scene);
    let shown = format!("{:?}", scene.desk.models.asked());
    assert!(
        shown.contains("cargo test step_") && shown.contains("nested"),
        "{shown}"
    );
    assert!(!shown.contains("ghp_16C7"), "{shown}");
}

#[test]
fn a_snapshot_holds_no_secret_though_the_record_does() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let record = long(ONE)
        .replace("cargo test", &format!("TOKEN={secret} cargo test"))
        .replace(
            "Never touch vendor/zork.rs.",
            &format!("Always push with {secret}."),
        );
    let scene = Scene::new().put(FILE, &record, 5);
    let compressed = compress(&scene, ONE, false).unwrap();
    assert!(compressed.written);
    let snapshot = compressed.snapshot.unwrap();
    assert!(
        !snapshot.contains("ghp_16C7") && snapshot.contains("[redacted"),
        "{snapshot}"
    );
    let proposed = format!("{:?}", compressed.proposed);
    assert!(proposed.contains("push with [redacted"), "{proposed}");
    assert!(!proposed.contains("ghp_16C7"), "{proposed}");
    let after = scene.desk.text(FILE).unwrap();
    assert!(after.starts_with(&record), "what was said stays");
}
