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
    scene.run(&Show { session, history })
}

fn check(scene: &Scene, wanted: &str, expected: Expect) {
    let answer = ask(scene, wanted, false).unwrap();
    expected.assert_eq(&show(&[answer.session], &answer.problems));
}

#[test]
fn by_its_id_its_beginning_its_file_or_as_the_latest() {
    let scene = Scene::of_three();
    check(&scene, ONE, expect![""]);
    check(&scene, "c1a0", expect![""]);
    check(&scene, " c0de0000-0000 ", expect![""]);
    check(&scene, "latest", expect![""]);
    // Wherever it is, also in another project.
    check(&scene, "0e5e0000", expect![""]);
    check(&scene, &chat(ONE), expect![""]);
    check(
        &scene,
        "../../h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl",
        expect![""],
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
    check(&scene, "/x/talk.jsonl", expect![""]);
    check(&scene, &format!("/x/{file}"), expect![""]);
    check_failure(ask(&scene, "/x/notes.jsonl", false), expect![""]);
    check_failure(ask(&scene, "/x/", false), expect![""]);
}

#[test]
fn what_is_not_there_is_said_to_be_unknown() {
    let scene = Scene::of_three();
    check_failure(ask(&scene, "feed0000", false), expect![""]);
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
    check_failure(ask(&scene, "../../etc/passwd", false), expect![""]);
    check_failure(ask(&Scene::new(), "latest", false), expect![""]);
}

#[test]
fn a_beginning_of_several_is_not_guessed_at() {
    let two = chat(TWO).replace("T10-00", "T10-01");
    let scene = Scene::of_three().put(&two, &gemini(TWO, &[("Count the coots.", "Six.")]), 6);
    check_failure(ask(&scene, "3f1c0000", false), expect![""]);
    check(&scene, TWO, expect![""]);
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
    expect![""].assert_eq(&answer.markdown);
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
    expect![""].assert_eq(&history);
    check_failure(ask(&scene, "c1a0d000", true), expect![""]);
}
