//! Finding again what was said.

use expect_test::{Expect, expect};

use super::*;
use crate::verbs::session::{AgentName, RoleName, Search, SearchAnswer};

fn search(query: &str) -> Search {
    Search {
        query: vec![query.to_owned()],
        ..Search::default()
    }
}

/// Hits with the words in question between brackets.
fn shown(answer: &SearchAnswer) -> String {
    let mut shown = String::new();
    for hit in &answer.hits {
        let mut snippet = hit.snippet.clone();
        for [start, end] in hit.marks.iter().rev() {
            snippet.insert(*end, ']');
            snippet.insert(*start, '[');
        }
        writeln!(
            shown,
            "{} {:.8} {}: {snippet}",
            hit.agent, hit.session, hit.role
        )
        .unwrap();
    }
    for memory in &answer.memories {
        writeln!(shown, "memory {}: {}", memory.path, memory.text).unwrap();
    }
    shown + &show(&[], &answer.problems)
}

fn check(scene: &Scene, search: &Search, expected: Expect) {
    expected.assert_eq(&shown(&scene.run(search).unwrap()));
}

#[test]
fn what_was_said_is_found_whoever_it_was_said_to() {
    let scene = Scene::of_three();
    check(
        &scene,
        &search("count"),
        expect![[r#"
        codex c0de0000 user: [Count] the swans.
        claude c1a0d000 user: [Count] the geese.
        gemini 3f1c0000 user: [Count] the ducks.
        gemini 0e5e0000 user: [Count] the herons.
    "#]],
    );
    check(
        &scene,
        &search("\"two swans\""),
        expect![[r#"
        codex c0de0000 model: [Two] [swans].
    "#]],
    );
    check(
        &scene,
        &search("count -geese"),
        expect![[r#"
        codex c0de0000 user: [Count] the swans.
        gemini 3f1c0000 user: [Count] the ducks.
        gemini 0e5e0000 user: [Count] the herons.
    "#]],
    );
    check(&scene, &search("flamingo"), expect![""]);
}

#[test]
fn hits_can_be_narrowed_down() {
    let scene = Scene::of_three();
    let count = || search("count");
    check(
        &scene,
        &Search {
            here: true,
            ..count()
        },
        expect![[r#"
            codex c0de0000 user: [Count] the swans.
            claude c1a0d000 user: [Count] the geese.
            gemini 3f1c0000 user: [Count] the ducks.
        "#]],
    );
    check(
        &scene,
        &Search {
            agent: Some(AgentName::Codex),
            ..count()
        },
        expect![[r#"
            codex c0de0000 user: [Count] the swans.
        "#]],
    );
    check(
        &scene,
        &Search {
            role: Some(RoleName::Model),
            ..search("ducks")
        },
        expect![[r#"
            gemini 3f1c0000 model: Seven [ducks].
        "#]],
    );
    check(
        &scene,
        &Search {
            since: Some("2026-03-02".to_owned()),
            ..count()
        },
        expect![[r#"
            codex c0de0000 user: [Count] the swans.
            claude c1a0d000 user: [Count] the geese.
        "#]],
    );
    check(
        &scene,
        &Search {
            until: Some("8d".to_owned()),
            ..count()
        },
        expect![[r#"
            claude c1a0d000 user: [Count] the geese.
            gemini 3f1c0000 user: [Count] the ducks.
            gemini 0e5e0000 user: [Count] the herons.
        "#]],
    );
    check(
        &scene,
        &Search {
            limit: 1,
            ..count()
        },
        expect![[r#"
            codex c0de0000 user: [Count] the swans.
        "#]],
    );
    check(
        &scene,
        &Search {
            limit: 0,
            ..count()
        },
        expect![""],
    );
    let many = scene
        .run(&Search {
            limit: usize::MAX,
            ..count()
        })
        .unwrap();
    assert_eq!(many.hits.len(), 4);
}

#[test]
fn what_tools_did_is_found_by_the_tool_and_by_the_file() {
    let call = r#"{"id":"m9","timestamp":"2026-03-01T10:09:00.000Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"read_file","args":{"file_path":"/w/app/src/pond.rs"},"status":"success","timestamp":"2026-03-01T10:09:00.000Z","result":[{"functionResponse":{"id":"t1","name":"read_file","response":{"output":"fn moorhen() {}"}}}]}]}"#;
    let text = gemini(ONE, &[("Count the ducks.", "Seven.")]) + call + "\n";
    let scene = Scene::new().put(&chat(ONE), &text, 5);
    check(
        &scene,
        &search("moorhen"),
        expect![[r#"
        gemini 3f1c0000 model: fn [moorhen]() {}
    "#]],
    );
    let of = |tool: Option<&str>, path: Option<&str>| Search {
        tool: tool.map(ToOwned::to_owned),
        path: path.map(ToOwned::to_owned),
        ..search("moorhen")
    };
    for (tool, path, n_hits) in [
        (Some("read_file"), None, 1),
        (Some("write_file"), None, 0),
        (None, Some("/w/app/src/pond.rs"), 1),
        (None, Some("/w/app/src"), 1),
        (None, Some("/w/app/docs"), 0),
    ] {
        let hits = scene.run(&of(tool, path)).unwrap().hits;
        assert_eq!(hits.len(), n_hits, "{tool:?} {path:?}");
    }
}

#[test]
fn a_question_that_makes_no_sense_is_refused_clearly() {
    let scene = Scene::of_three();
    for when in ["yesterday", "", "7", "2026-13-01", "-1d", "0d"] {
        let since = Some(when.to_owned());
        let failed = scene.run(&Search {
            since,
            ..search("count")
        });
        assert!(failed.is_err(), "{when}");
    }
    let since = Some("yesterday".to_owned());
    check_failure(
        scene.run(&Search {
            since,
            ..search("count")
        }),
        expect![[r#"
            `yesterday` is no time
            hint: name a day as `2026-03-01`, or how long ago as `12h`, `7d`, `2w`, `1m`
        "#]],
    );
    check_failure(
        scene.run(&search(" … ")),
        expect![[r#"
        what should be searched for?
        hint: name words that were said, as in `session search "port of the database"`
    "#]],
    );
    check_failure(
        scene.run(&search("to the")),
        expect![[r#"
        these words stand in every session, and cannot be searched for
        hint: add a word that was said with them
    "#]],
    );
}

#[test]
fn memory_answers_too() {
    let scene = Scene::of_three().put("/h/.gemini/GEMINI.md", "- I feed ducks at noon\n", 5);
    check(
        &scene,
        &search("ducks"),
        expect![[r#"
        gemini 3f1c0000 user: Count the [ducks].
        gemini 3f1c0000 model: Seven [ducks].
        memory /h/.gemini/GEMINI.md: I feed ducks at noon
    "#]],
    );
}

#[test]
fn a_command_is_told_for_safe_ids_only() {
    let record = format!("{CHATS}/session-2026-03-01T10-00-a_b.jsonl");
    let scene = Scene::of_three().put(
        &record,
        &gemini("a; rm -rf ~", &[("Count the coots.", "Six.")]),
        5,
    );
    let mut resumes: Vec<_> = scene
        .run(&search("count"))
        .unwrap()
        .hits
        .into_iter()
        .map(|hit| hit.resume)
        .collect();
    resumes.sort();
    let resumes: Vec<_> = resumes
        .iter()
        .map(|resume| resume.as_deref().unwrap_or("-"))
        .collect();
    expect![[r#"
        -
        claude --resume c1a0d000-0000-4000-8000-000000000003
        codex resume c0de0000-0000-7000-8000-000000000005
        gemini --resume 0e5e0000-0000-4000-8000-000000000004
        gemini --resume 3f1c0000-0000-4000-8000-000000000001
    "#]]
    .assert_eq(&(resumes.join("\n") + "\n"));
}
