//! Runs that do not come to their end, and runs that may not begin.

use analects_testkit::{End, Scripted, say};
use analects_world::models::{Fault, Kind};
use serde_json::json;

use super::scene::{GOOD, SKILLS, Scene, done, read, session, write};

fn nothing_was_written(scene: &Scene) {
    assert!(scene.text("release-pond/SKILL.md").is_none());
    assert_eq!(scene.desk.commits().len(), 0);
}

#[test]
fn an_agent_that_runs_out_of_turns_says_so_and_leaves_nothing() {
    let scene = Scene::new();
    let mut answers = vec![
        vec![read("a", 1)],
        vec![write("w", "release-pond/SKILL.md", GOOD)],
    ];
    // Each look is another one, so that nobody takes it for a loop.
    answers.extend((0..40).map(|n| {
        let args = json!({ "file_path": session(2), "offset": n, "limit": 1 });
        vec![
            say::text(&format!("step {n}")),
            say::call(&format!("c{n}"), "read_file", args),
        ]
    }));
    let made = scene.run(answers).unwrap();
    assert_eq!(made.reason, "MAX_TURNS", "{made:#?}");
    assert!(made.n_turns >= 30 && made.n_turns <= 31, "{}", made.n_turns);
    assert!(made.processed.is_empty() && made.skills.is_empty());
    assert_eq!(made.problems.last().unwrap().code.name, "not-learned");
    nothing_was_written(&scene);
}

#[test]
fn an_agent_that_runs_out_of_time_says_so_and_leaves_nothing() {
    let scene = Scene {
        tick_ms: 60_000,
        ..Scene::new()
    };
    let look = |n: usize| {
        let args = json!({ "file_path": session(1), "offset": n, "limit": 1 });
        vec![say::call(&format!("c{n}"), "read_file", args)]
    };
    let wrote = vec![write("w", "release-pond/SKILL.md", GOOD)];
    let answers = [wrote].into_iter().chain((0..20).map(look));
    let made = scene.run(answers.collect()).unwrap();
    assert_eq!(made.reason, "TIMEOUT", "{made:#?}");
    assert!(made.n_turns < 20);
    nothing_was_written(&scene);
}

#[test]
fn a_model_that_fails_is_a_run_that_failed() {
    let scene = Scene::new();
    scene.desk.models.push(Scripted {
        events: Vec::new(),
        end: End::Badly(Fault::new(Kind::Refused, "no ponds today")),
    });
    let failure = scene.run(Vec::new()).unwrap_err();
    assert!(failure.message.contains("no ponds today"), "{failure}");
    nothing_was_written(&scene);
}

#[test]
fn an_agent_that_never_completes_its_task_changes_nothing() {
    let scene = Scene::new();
    let talk = || vec![say::text("All is well.")];
    let wrote = vec![write("w", "release-pond/SKILL.md", GOOD)];
    let made = scene
        .run(vec![vec![read("a", 1)], wrote, talk(), talk()])
        .unwrap();
    assert_eq!(made.reason, "ERROR_NO_COMPLETE_TASK_CALL");
    nothing_was_written(&scene);
}

#[test]
fn the_ceiling_of_a_day_holds_before_and_during_a_run() {
    let scene = Scene::new();
    let settings = "{\"model\":{\"backgroundDailyTokens\":0}}";
    scene.desk.edit("/h/.gemini/analects.json", settings);
    let failure = scene.run(vec![done()]).unwrap_err();
    assert!(failure.message.contains("no model is asked"), "{failure}");
    assert_eq!(scene.desk.models.asked().len(), 0);

    let scene = Scene::new();
    let settings = "{\"model\":{\"backgroundDailyTokens\":1000}}";
    scene.desk.edit("/h/.gemini/analects.json", settings);
    // The first turn costs 1,100.
    let failure = scene.run(vec![vec![read("a", 1)], done()]).unwrap_err();
    assert!(failure.message.contains("1100 of 1000 tokens"), "{failure}");
    assert_eq!(scene.desk.models.asked().len(), 1);
}

#[test]
fn whoever_stops_it_stops_it_in_the_middle_of_an_answer() {
    let scene = Scene::new();
    scene.desk.models.push(Scripted {
        events: vec![say::text("thinking")],
        end: End::WhenCancelled,
    });
    let cancel = scene.cancel.clone();
    let made = std::thread::scope(|scope| {
        let run = scope.spawn(|| scene.run(Vec::new()));
        while scene.desk.models.asked().is_empty() {
            std::thread::yield_now();
        }
        cancel.cancel();
        run.join().unwrap()
    })
    .unwrap();
    assert_eq!(made.reason, "ABORTED");
    nothing_was_written(&scene);
}

#[test]
fn every_call_is_in_the_ledger_as_learning() {
    let scene = Scene::new();
    let look = say::call("l", "list_directory", json!({ "dir_path": SKILLS }));
    let made = scene.run(vec![vec![look], done()]).unwrap();
    assert_eq!(made.tokens, 2_200);
    let ledger = scene.desk.text("/h/.gemini/analects/models.jsonl").unwrap();
    assert_eq!(ledger.matches("\"learn\"").count(), 2, "{ledger}");
    assert_eq!(ledger.lines().count(), 2);
}
