//! One conversation in several records: of another form, or in the folder of another age.

use analects_world::changes::ContentHash;
use expect_test::expect;

use super::*;
use crate::verbs::session::{Delete, List, Search, Show};

/// An old record, one object, that was written last when its project had no name yet.
fn old(updated: &str) -> String {
    json!({
        "sessionId": ONE, "projectHash": "aa",
        "startTime": "2026-03-01T10:00:00.000Z", "lastUpdated": updated,
        "messages": [{
            "id": "u0", "type": "user", "timestamp": "2026-03-01T10:00:00.000Z",
            "content": "Count the wallabies.",
        }],
    })
    .to_string()
}

/// Where Gemini CLI once kept what was said in `/w/app`.
fn hashed() -> String {
    let hash = ContentHash::of(b"/w/app");
    let name = chat(ONE).replace(CHATS, "").replace(".jsonl", ".json");
    format!("/h/.gemini/tmp/{hash}/chats{name}")
}

fn listed(scene: &Scene, all: bool) -> String {
    let list = List {
        all,
        ..List::default()
    };
    let answer = scene.run(&list).unwrap();
    show(&answer.sessions, &answer.problems)
}

fn n_hits(scene: &Scene, here: bool) -> usize {
    let search = Search {
        query: vec!["wallabies".to_owned()],
        here,
        ..Search::default()
    };
    scene.run(&search).unwrap().hits.len()
}

#[test]
fn a_folder_of_an_older_age_is_the_projects_own() {
    let scene = Scene::new().put(&hashed(), &old("2026-03-01T10:05:00.000Z"), 9);
    let row = "gemini 3f1c0000-0000-4000-8000-000000000001 \"Count the wallabies\" /w/app 1/1\n";
    assert_eq!(listed(&scene, false), row);
    assert_eq!(listed(&scene, true), row);
    assert_eq!((n_hits(&scene, false), n_hits(&scene, true)), (1, 1));
}

#[test]
fn a_record_that_was_copied_is_one_conversation_and_goes_as_one() {
    let copy = chat(ONE).replace(".jsonl", ".json");
    let text = old("2026-03-01T10:05:00.000Z");
    let mut scene = Scene::new().put(&hashed(), &text, 9).put(&copy, &text, 9);
    assert_eq!(listed(&scene, true).lines().count(), 1);
    assert_eq!(n_hits(&scene, false), 1);
    scene.flags.yes = true;
    let ids = vec![ONE.to_owned()];
    let expired = false;
    scene.run(&Delete { ids, expired }).unwrap();
    assert!(!scene.is_there(&copy) && !scene.is_there(&hashed()));
    assert_eq!(n_hits(&scene, false), 0);
}

#[test]
fn the_record_that_goes_furthest_counts_whichever_was_touched_last() {
    let twin = chat(ONE).replace(".jsonl", ".json");
    let lines = gemini(ONE, &[("Count the wallabies.", "Six."), ("Sure?", "Yes.")]);
    let scene = Scene::new().put(&chat(ONE), &lines, 9);
    for (updated, n_turns) in [
        ("2026-03-01T10:04:00.000Z", 4),
        ("2026-03-01T10:05:00.000Z", 4),
        ("2026-03-01T10:06:00.000Z", 1),
    ] {
        let scene = &scene;
        scene.desk.edit(&twin, &old(updated));
        scene.desk.date(&twin, NOW_MS - 2 * HOUR_MS);
        let show = Show {
            session: ONE.to_owned(),
            history: false,
            secrets: false,
        };
        assert_eq!(scene.run(&show).unwrap().turns.len(), n_turns, "{updated}");
        let answer = scene.run(&List::default()).unwrap();
        assert_eq!(answer.sessions[0].turns, n_turns, "{updated}");
    }
}

#[test]
fn the_file_of_a_session_tells_its_project() {
    let path = "/h/.gemini/tmp/other/chats/session-2026-03-01T10-00-0e5e0000.jsonl";
    let show = Show {
        session: path.to_owned(),
        history: false,
        secrets: false,
    };
    let answer = Scene::of_three().run(&show).unwrap();
    assert_eq!(answer.session.project.as_deref(), Some("/w/other"));
}

#[test]
fn a_short_id_is_found_if_it_is_whole_and_a_greeting_is_a_title() {
    let path = format!("{CHATS}/session-2026-03-01T10-00-ci1.jsonl");
    let scene = Scene::new().put(&path, &gemini("ci1", &[("hi", "Hello.")]), 5);
    expect![[r#"
        gemini ci1 "hi" /w/app 1/2
    "#]]
    .assert_eq(&listed(&scene, false));
    let show = |session: &str| {
        let session = session.to_owned();
        let history = false;
        scene.run(&Show {
            session,
            history,
            secrets: false,
        })
    };
    assert_eq!(show("ci1").unwrap().session.id, "ci1");
    assert!(show("ci").is_err());
}
