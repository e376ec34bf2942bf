//! Conversations of others become sessions of this project.

use analects_session::replay::{Standing, replay};
use expect_test::expect;

use super::*;
use crate::verbs::session::{Import, ImportAnswer, Pin, Show, ShownTurn};

fn import(scene: &Scene, session: &str) -> Result<ImportAnswer, Failure> {
    let session = session.to_owned();
    scene.run(&Import { session })
}

fn turns(scene: &Scene, session: &str) -> String {
    let session = session.to_owned();
    let shown = scene
        .run(&Show {
            session,
            history: false,
            secrets: false,
        })
        .unwrap();
    let turn = |turn: &ShownTurn| {
        let tools = turn.tools.iter();
        let tools: String = tools
            .map(|tool| {
                format!(
                    "  {} {} → {} {}\n",
                    tool.name, tool.input, tool.outcome, tool.output
                )
            })
            .collect();
        format!("{}: {}\n{tools}", turn.role, turn.text)
    };
    shown.turns.iter().map(turn).collect()
}

const CLAUDE: &str = r#"{"type":"user","uuid":"1","cwd":"/elsewhere","timestamp":"2026-03-02T10:00:00Z","message":{"content":"Look at the pond."}}
{"type":"assistant","uuid":"2","timestamp":"2026-03-02T10:00:01Z","message":{"id":"m1","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat pond.txt"}},{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"/elsewhere/a"}}]}}
{"type":"user","uuid":"3","timestamp":"2026-03-02T10:00:02Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"seven ducks"},{"type":"tool_result","tool_use_id":"t2","content":"no such file","is_error":true}]}}
{"type":"assistant","uuid":"4","timestamp":"2026-03-02T10:00:03Z","message":{"id":"m2","content":[{"type":"text","text":"Seven ducks."}]}}
{"type":"user","uuid":"5","timestamp":"2026-03-02T10:00:04Z","message":{"content":"Thanks."}}
"#;

fn of_claude(text: &str) -> Scene {
    Scene::new().put("/h/.claude/projects/-elsewhere/c1a0d000-1.jsonl", text, 5)
}

#[test]
fn claudes_conversation_says_the_same_here() {
    let scene = of_claude(CLAUDE);
    let imported = import(&scene, "c1a0d000").unwrap();
    assert!(imported.written && !imported.was_there);
    expect![[r#"
        441b0dea-3f9d-8c32-8a59-af727e81f479 Look at the pond
        /h/.gemini/tmp/app/chats/session-2026-03-02T10-00-441b0dea.jsonl
    "#]]
    .assert_eq(&format!(
        "{} {}\n{}\n",
        imported.id, imported.title, imported.path
    ));
    expect![[r#"
        user: Look at the pond.
        model: I look.
          Bash {"command":"cat pond.txt"} → succeeded seven ducks
          Read {"file_path":"/elsewhere/a"} → failed no such file
        model: Seven ducks.
        user: Thanks.
        program: Imported from claude: session c1a0d000-1
    "#]]
    .assert_eq(&turns(&scene, &imported.id));
    let record = replay(scene.desk.text(&imported.path).unwrap().into_bytes());
    assert_eq!(record.standing(), Standing::Loadable);
    assert_eq!(record.problems(), []);
    assert!(record.is_resumable());
    let show = Show {
        session: imported.id,
        history: true,
        secrets: false,
    };
    let history = scene.run(&show).unwrap().history.unwrap();
    expect![[r#"
        [
          {
            "role": "user",
            "parts": [
              {
                "text": "Look at the pond."
              }
            ]
          },
          {
            "role": "model",
            "parts": [
              {
                "text": "I look."
              },
              {
                "functionCall": {
                  "id": "import-1772445600000-1-0",
                  "name": "Bash",
                  "args": {
                    "command": "cat pond.txt"
                  }
                }
              },
              {
                "functionCall": {
                  "id": "import-1772445600000-1-1",
                  "name": "Read",
                  "args": {
                    "file_path": "/elsewhere/a"
                  }
                }
              }
            ]
          },
          {
            "role": "user",
            "parts": [
              {
                "functionResponse": {
                  "id": "import-1772445600000-1-0",
                  "name": "Bash",
                  "response": {
                    "output": "seven ducks"
                  }
                }
              },
              {
                "functionResponse": {
                  "id": "import-1772445600000-1-1",
                  "name": "Read",
                  "response": {
                    "error": "no such file"
                  }
                }
              }
            ]
          },
          {
            "role": "model",
            "parts": [
              {
                "text": "Seven ducks."
              }
            ]
          },
          {
            "role": "user",
            "parts": [
              {
                "text": "Thanks."
              }
            ]
          }
        ]"#]]
    .assert_eq(&serde_json::to_string_pretty(&history).unwrap());
}

#[test]
fn codex_conversation_says_the_same_here() {
    let scene = Scene::of_three();
    let imported = import(&scene, "c0de0000").unwrap();
    expect![[r#"
        user: Count the swans.
        model: Two swans.
        program: Imported from codex: session c0de0000-0000-7000-8000-000000000005
    "#]]
    .assert_eq(&turns(&scene, &imported.id));
}

#[test]
fn the_same_conversation_is_imported_once() {
    let scene = of_claude(CLAUDE);
    let first = import(&scene, "c1a0d000").unwrap();
    for wanted in [
        "c1a0d000-1",
        "/h/.claude/projects/-elsewhere/c1a0d000-1.jsonl",
    ] {
        let again = import(&scene, wanted).unwrap();
        assert!(again.was_there && !again.written);
        assert_eq!((&again.id, &again.path), (&first.id, &first.path));
    }
    // What was imported is one of this project's own by now.
    let own = import(&scene, &first.id).unwrap();
    assert_eq!((own.was_there, own.id), (true, first.id));
    let of_codex = Scene::of_three();
    let by_id = import(&of_codex, "c0de0000").unwrap();
    let by_file = import(&of_codex, CODEX_FILE).unwrap();
    assert_eq!(by_file.path, by_id.path);
}

#[test]
fn what_was_said_since_is_added_unless_the_copy_went_its_own_way() {
    let scene = of_claude(CLAUDE);
    let first = import(&scene, "c1a0d000").unwrap();
    let more = r#"{"type":"user","uuid":"6","timestamp":"2026-03-02T10:00:05Z","message":{"content":"And the geese."}}"#;
    let source = format!("{CLAUDE}{more}\n");
    let path = "/h/.claude/projects/-elsewhere/c1a0d000-1.jsonl";
    let mut scene = scene.put(path, &source, 4);
    scene.flags.dry_run = true;
    let dry = import(&scene, "c1a0d000").unwrap();
    assert!(dry.was_there && !dry.written);
    assert!(!turns(&scene, &first.id).contains("geese"));
    scene.flags.dry_run = false;
    let again = import(&scene, "c1a0d000").unwrap();
    assert!(again.was_there && again.written && again.problems.is_empty());
    expect![[r#"
        user: Look at the pond.
        model: I look.
          Bash {"command":"cat pond.txt"} → succeeded seven ducks
          Read {"file_path":"/elsewhere/a"} → failed no such file
        model: Seven ducks.
        user: Thanks.
        user: And the geese.
        program: Imported from claude: session c1a0d000-1
    "#]]
    .assert_eq(&turns(&scene, &first.id));
    // Somebody goes on with the copy, and somebody with the original.
    let line = json!({ "id": "x", "type": "user", "content": "Here I am." });
    let own = format!("{}{line}\n", scene.desk.text(&first.path).unwrap());
    let source = format!("{source}{}\n", more.replace("\"6\"", "\"7\""));
    let scene = scene.put(&first.path, &own, 3).put(path, &source, 2);
    let apart = import(&scene, "c1a0d000").unwrap();
    assert!(apart.was_there && !apart.written);
    let codes: Vec<_> = apart.problems.iter().map(|it| it.code.clone()).collect();
    assert_eq!(codes, ["copy-apart"]);
}

#[test]
fn what_is_pinned_is_pinned_to_the_copy() {
    let scene = of_claude(CLAUDE);
    let pin = |session: &str, text: &[&str]| Pin {
        session: session.to_owned(),
        text: text.iter().map(|text| (*text).to_owned()).collect(),
        list: text.is_empty(),
        remove: None,
        redact: false,
        allow: Vec::new(),
    };
    scene.run(&pin("c1a0d000", &["ducks first"])).unwrap();
    let copy = import(&scene, "c1a0d000").unwrap();
    let pinned = |scene: &Scene| format!("{:?}", scene.run(&pin(&copy.id, &[])).unwrap());
    assert!(pinned(&scene).contains("ducks first"));
    // Later, too.
    scene.run(&pin("c1a0d000", &["geese second"])).unwrap();
    import(&scene, "c1a0d000").unwrap();
    assert!(pinned(&scene).contains("geese second"));
}

#[test]
fn a_way_that_was_left_is_shown_and_not_imported() {
    let scene = of_claude(
        r#"{"type":"user","uuid":"1","parentUuid":null,"cwd":"/elsewhere","timestamp":"2026-03-02T10:00:00Z","message":{"content":"Set it up."}}
{"type":"assistant","uuid":"2","parentUuid":"1","timestamp":"2026-03-02T10:00:01Z","message":{"id":"m1","content":[{"type":"text","text":"Done."}]}}
{"type":"user","uuid":"3","parentUuid":"2","timestamp":"2026-03-02T10:00:02Z","message":{"content":"Always use npm."}}
{"type":"assistant","uuid":"4","parentUuid":"3","timestamp":"2026-03-02T10:00:03Z","message":{"id":"m2","content":[{"type":"text","text":"npm it is."}]}}
{"type":"user","uuid":"5","parentUuid":"2","timestamp":"2026-03-02T10:00:04Z","message":{"content":"Always use pnpm."}}
{"type":"assistant","uuid":"6","parentUuid":"5","timestamp":"2026-03-02T10:00:05Z","message":{"id":"m3","content":[{"type":"text","text":"pnpm it is."}]}}
"#,
    );
    assert!(turns(&scene, "c1a0d000").contains("Always use npm."));
    let imported = import(&scene, "c1a0d000").unwrap();
    expect![[r#"
        user: Set it up.
        model: Done.
        user: Always use pnpm.
        model: pnpm it is.
        program: Imported from claude: session c1a0d000-1
    "#]]
    .assert_eq(&turns(&scene, &imported.id));
}

#[test]
fn secrets_are_masked_on_the_way() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let scene = of_claude(
        &CLAUDE
            .replace("seven ducks", &secret)
            .replace("Thanks.", &secret)
            .replace("pond.txt", &secret),
    );
    let imported = import(&scene, "c1a0d000").unwrap();
    let text = scene.desk.text(&imported.path).unwrap();
    assert!(
        !text.contains(&secret) && text.contains("[redacted"),
        "{text}"
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let mut scene = of_claude(CLAUDE);
    scene.flags.dry_run = true;
    let imported = import(&scene, "c1a0d000").unwrap();
    assert!(!imported.written && !imported.was_there);
    assert!(!scene.is_there(&imported.path));
    assert!(scene.desk.commits().is_empty());
}

#[test]
fn a_gemini_record_from_elsewhere_keeps_every_message_as_it_is() {
    let messages = r#"{"id":"i0","timestamp":"2026-03-01T10:00:00.000Z","type":"info","content":"Welcome."}
{"id":"u0","timestamp":"2026-03-01T10:00:01.000Z","type":"user","content":[{"text":"Count."}],"displayContent":[{"text":"/count"}]}
{"id":"m0","timestamp":"2026-03-01T10:00:02.000Z","type":"gemini","content":"One moment.","model":"gemini-3-pro"}
{"id":"m1","timestamp":"2026-03-01T10:00:03.000Z","type":"gemini","content":"Seven.","thoughts":[{"subject":"Ducks","description":"many","timestamp":"2026-03-01T10:00:02.500Z"}],"tokens":{"input":1,"output":2,"cached":0,"thoughts":3,"tool":0,"total":6},"model":"gemini-3-pro","ofTomorrow":true}
"#;
    let header = gemini(ONE, &[]);
    let scene = Scene::new().put("/x/old.jsonl", &format!("{header}{messages}"), 9);
    let imported = import(&scene, "/x/old.jsonl").unwrap();
    let text = scene.desk.text(&imported.path).unwrap();
    assert!(text.contains(messages), "{text}");
    assert!(text.contains(&imported.id) && imported.id != ONE);
    assert_eq!(
        replay(text.into_bytes()).n_messages(),
        5,
        "four, and the note where they come from"
    );
}

#[test]
fn ones_own_session_needs_no_copy() {
    let scene = Scene::of_three();
    let own = import(&scene, ONE).unwrap();
    assert_eq!(
        (own.was_there, own.written, own.id.as_str()),
        (true, false, ONE)
    );
    assert!(scene.desk.commits().is_empty());
}

#[test]
fn secrets_of_a_gemini_record_are_masked_on_the_way_too() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let said = format!("Use {secret} for it.");
    let scene = Scene::new().put("/x/old.jsonl", &gemini(ONE, &[(&said, "Done.")]), 9);
    let imported = import(&scene, "/x/old.jsonl").unwrap();
    let text = scene.desk.text(&imported.path).unwrap();
    assert!(
        !text.contains(&secret) && text.contains("[redacted"),
        "{text}"
    );
    let again = import(&scene, "/x/old.jsonl").unwrap();
    assert!(again.was_there && !again.written, "it is the same copy");
}
