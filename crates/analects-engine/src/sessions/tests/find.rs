//! One conversation, by what somebody calls it; and what is shown of it.

use expect_test::{Expect, expect};

use super::*;
use crate::verbs::session::Show;

fn ask(
    scene: &Scene,
    session: &str,
    history: bool,
) -> Result<crate::verbs::session::ShowAnswer, Failure> {
    let session = session.to_owned();
    scene.run(&Show {
        session,
        history,
        secrets: false,
    })
}

fn check(scene: &Scene, wanted: &str, expected: Expect) {
    let answer = ask(scene, wanted, false).unwrap();
    expected.assert_eq(&show(&[answer.session], &answer.problems));
}

#[test]
fn by_its_id_its_beginning_its_file_or_as_the_latest() {
    let scene = Scene::of_three();
    check(
        &scene,
        ONE,
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
    "#]],
    );
    check(
        &scene,
        "c1a0",
        expect![[r#"
        claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
    "#]],
    );
    check(
        &scene,
        " c0de0000-0000 ",
        expect![[r#"
        codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
    "#]],
    );
    check(
        &scene,
        "latest",
        expect![[r#"
        codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
    "#]],
    );
    // Wherever it is, also in another project.
    check(
        &scene,
        "0e5e0000",
        expect![[r#"
        gemini 0e5e0000-0000-4000-8000-000000000004 "Count the herons" /w/other 1/2
    "#]],
    );
    check(
        &scene,
        &chat(ONE),
        expect![[r#"
            gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
        "#]],
    );
    check(
        &scene,
        "../../h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl",
        expect![[r#"
            gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
        "#]],
    );
}

#[test]
fn a_file_says_itself_whose_it_is() {
    let file = CODEX_FILE.rsplit('/').next().unwrap();
    let scene = Scene::new()
        .put(
            "/x/talk.jsonl",
            &claude("/w/app", &[("Count the geese.", "No geese.")]),
            9,
        )
        .put(
            &format!("/x/{file}"),
            &codex("/w/app", &[("Count the swans.", "Two.")]),
            9,
        )
        .put("/x/notes.jsonl", "{\"a\":1}\n", 9);
    check(
        &scene,
        "/x/talk.jsonl",
        expect![[r#"
        claude talk "Count the geese" /w/app 1/2
    "#]],
    );
    check(
        &scene,
        &format!("/x/{file}"),
        expect![[r#"
        codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app 1/2
    "#]],
    );
    check_failure(
        ask(&scene, "/x/notes.jsonl", false),
        expect![[r#"
        cannot read `/x/notes.jsonl`: it is no record of a session
    "#]],
    );
    check_failure(
        ask(&scene, "/x/", false),
        expect![[r#"
        cannot read `/x`: there is no such file
    "#]],
    );
}

#[test]
fn what_is_not_there_is_said_to_be_unknown() {
    let scene = Scene::of_three();
    check_failure(
        ask(&scene, "feed0000", false),
        expect![[r#"
        there is no session `feed0000`
        hint: `analects session list --all` shows them, with their ids
    "#]],
    );
    for wanted in [
        "",
        "3f1",
        "..",
        "3f1c%",
        "*",
        "3f1c0000-0000-4000-8000-00000000000x",
    ] {
        assert!(ask(&scene, wanted, false).is_err(), "{wanted}");
    }
    check_failure(
        ask(&scene, "../../etc/passwd", false),
        expect![[r#"
        cannot read `/etc/passwd`: there is no such file
    "#]],
    );
    check_failure(
        ask(&Scene::new(), "latest", false),
        expect![[r#"
        there is no session of this project yet
        hint: `analects session list --all` shows those of all projects
    "#]],
    );
}

#[test]
fn a_record_is_found_by_the_id_it_says_whatever_its_file_is_called() {
    let went_on = json!({ "$set": { "sessionId": "beef0000-0000-4000-8000-000000000006" } });
    let ducks = gemini(ONE, &[("Count the ducks.", "Seven.")]);
    let scene = Scene::new()
        .put(&chat(ONE), &format!("{ducks}{went_on}\n"), 5)
        .put(
            &format!("{CHATS}/session-2026-03-01T10-00-backup.jsonl"),
            &gemini(
                "0e5e0000-0000-4000-8000-000000000004",
                &[("Count the herons.", "One.")],
            ),
            5,
        );
    check(
        &scene,
        "beef0000",
        expect![[r#"
            gemini beef0000-0000-4000-8000-000000000006 "Count the ducks" /w/app 1/2
        "#]],
    );
    check(
        &scene,
        "0e5e0000-0000-4000-8000-000000000004",
        expect![[r#"
            gemini 0e5e0000-0000-4000-8000-000000000004 "Count the herons" /w/app 1/2
        "#]],
    );
}

#[test]
fn a_beginning_of_several_is_not_guessed_at() {
    let two = chat(TWO).replace("T10-00", "T10-01");
    let scene = Scene::of_three().put(&two, &gemini(TWO, &[("Count the coots.", "Six.")]), 6);
    check_failure(
        ask(&scene, "3f1c0000", false),
        expect![[r#"
        `3f1c0000` may mean 2 sessions
        hint: 3f1c0000-0000-4000-8000-000000000001 Count the ducks
        hint: 3f1c0000-0000-4000-8000-000000000002 Count the coots
    "#]],
    );
    check(
        &scene,
        TWO,
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000002 "Count the coots" /w/app 1/2
    "#]],
    );
}

#[test]
fn an_id_that_leads_elsewhere_is_a_name_and_no_more() {
    let forged = "../../../../etc";
    let scene = Scene::new().put(
        &format!("{CHATS}/session-2026-03-01T10-00-______.jsonl"),
        &gemini(forged, &[("Hello.", "Hello.")]),
        9,
    );
    let answer = ask(&scene, "latest", false).unwrap();
    assert_eq!(answer.session.id, forged);
    assert_eq!(answer.session.resume, None, "no shell gets to see it");
}

#[test]
fn a_conversation_as_a_person_reads_it() {
    let answer = ask(&Scene::of_three(), ONE, false).unwrap();
    expect![[r#"
        # Count the ducks

        - Session: 3f1c0000-0000-4000-8000-000000000001
        - Agent: gemini
        - Project: /w/app
        - Began: 2026-03-01T10:00:00.000Z

        ## user (2026-03-01T10:00:00.000Z)

        Count the ducks.

        ## model (2026-03-01T10:00:00.000Z)

        Seven ducks.
    "#]]
    .assert_eq(&answer.markdown);
    assert_eq!(answer.turns.len(), 2);
    assert_eq!(
        answer.session.resume.as_deref(),
        Some(&*format!("gemini --resume {ONE}"))
    );
}

#[test]
fn a_conversation_as_a_model_gets_it_again() {
    let scene = Scene::of_three();
    let answer = ask(&scene, ONE, true).unwrap();
    assert!(answer.turns.is_empty());
    let history = serde_json::to_string_pretty(&answer.history.unwrap()).unwrap();
    expect![[r#"
        [
          {
            "role": "user",
            "parts": [
              {
                "text": "Count the ducks."
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
          }
        ]"#]]
    .assert_eq(&history);
    check_failure(
        ask(&scene, "c1a0d000", true),
        expect![[r#"
        a session of claude is no history for our models
        hint: `analects session import` makes one of it
    "#]],
    );
}
