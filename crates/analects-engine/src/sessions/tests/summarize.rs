//! What a conversation was about, written down once.

use analects_session::replay::replay;
use expect_test::{Expect, expect};

use super::*;
use crate::verbs::session::{Summarize, SummarizeAnswer};

const SAID: [(&str, &str); 2] = [
    (
        "Please fix the login timeout in the session store.",
        "Done.",
    ),
    ("Now add a test.", "Added."),
];

fn run(scene: &Scene, session: Option<&str>) -> SummarizeAnswer {
    let session = session.map(ToOwned::to_owned);
    let model = None;
    scene.run(&Summarize { session, model }).unwrap()
}

fn check(answer: &SummarizeAnswer, expected: Expect) {
    let mut shown = String::new();
    for summary in &answer.summaries {
        let workflow = summary.workflow.as_deref().unwrap_or("-");
        let written = if summary.written { " written" } else { "" };
        writeln!(
            shown,
            "{:.8} {} | {workflow}{written}",
            summary.id, summary.title
        )
        .unwrap();
    }
    shown.push_str(&show(&[], &answer.problems));
    expected.assert_eq(&shown);
}

fn scene() -> Scene {
    Scene::new().put(&chat(ONE), &gemini(ONE, &SAID), 5)
}

#[test]
fn it_is_appended_once_and_the_rest_stays_as_it_is() {
    let scene = scene();
    let before = scene.desk.text(&chat(ONE)).unwrap();
    check(
        &run(&scene, None),
        expect![[r#"
        3f1c0000 Fix the login timeout in the session store | - written
    "#]],
    );
    let after = scene.desk.text(&chat(ONE)).unwrap();
    let added = after.strip_prefix(&before).unwrap();
    expect![[r#"
        {"$set":{"summary":"Fix the login timeout in the session store","memoryScratchpad":{"version":1}}}
    "#]]
    .assert_eq(added);
    let about = replay(after.clone().into_bytes());
    assert_eq!(about.about().scratchpad_is_stale, Some(false));
    scene.desk.date(&chat(ONE), NOW_MS - HOUR_MS);
    check(&run(&scene, None), expect![""]);
    check(
        &run(&scene, Some(ONE)),
        expect![[r#"
        3f1c0000 Fix the login timeout in the session store | -
    "#]],
    );
    assert_eq!(scene.desk.text(&chat(ONE)).unwrap(), after);
}

#[test]
fn one_that_went_on_is_summed_up_again_under_its_old_headline() {
    let scene = scene();
    run(&scene, None);
    let more = scene.desk.text(&chat(ONE)).unwrap()
        + "{\"id\":\"u9\",\"timestamp\":\"2026-03-01T11:00:00.000Z\",\"type\":\"user\",\"content\":\"And deploy it.\"}\n";
    let scene = scene.put(&chat(ONE), &more, 1);
    check(
        &run(&scene, None),
        expect![[r#"
        3f1c0000 Fix the login timeout in the session store | - written
    "#]],
    );
}

#[test]
fn prompts_without_a_headline_are_not_summed_up_again_and_again() {
    let scene = Scene::new().put(
        &chat(ONE),
        &gemini(ONE, &[("?", "What?"), ("!", "What?")]),
        5,
    );
    run(&scene, None);
    let after = scene.desk.text(&chat(ONE));
    scene.desk.date(&chat(ONE), NOW_MS - HOUR_MS);
    check(&run(&scene, None), expect![""]);
    assert_eq!(scene.desk.text(&chat(ONE)), after);
}

#[test]
fn what_may_go_on_and_what_is_another_agents_is_only_told() {
    let scene = Scene::of_three().put(&chat(ONE), &gemini(ONE, &SAID), 0);
    let before = scene.desk.text(&chat(ONE));
    check(&run(&scene, None), expect![""]);
    check(
        &run(&scene, Some(ONE)),
        expect![[r#"
        3f1c0000 Fix the login timeout in the session store | -
    "#]],
    );
    check(
        &run(&scene, Some("c1a0d000")),
        expect![[r#"
        c1a0d000 Count the geese | -
    "#]],
    );
    assert_eq!(scene.desk.text(&chat(ONE)), before);
}

#[test]
fn a_dry_run_only_tells() {
    let mut scene = scene();
    scene.flags.dry_run = true;
    let before = scene.desk.text(&chat(ONE));
    check(
        &run(&scene, None),
        expect![[r#"
        3f1c0000 Fix the login timeout in the session store | -
    "#]],
    );
    assert_eq!(scene.desk.text(&chat(ONE)), before);
}

#[test]
fn a_full_disk_is_a_problem_and_leaves_the_record_readable() {
    let scene = scene();
    scene.desk.tapes.leave_room(10);
    check(
        &run(&scene, None),
        expect![[r#"
        ! not-recorded /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl: the disk is full
    "#]],
    );
    let record = replay(scene.desk.text(&chat(ONE)).unwrap().into_bytes());
    assert_eq!(record.n_messages(), 4);
}

#[test]
fn an_old_record_of_one_object_stays_as_it_is() {
    let old = format!(
        "{{\n\"sessionId\":\"{ONE}\",\"projectHash\":\"aa\",\"messages\":[{{\"id\":\"u0\",\"type\":\"user\",\
         \"content\":\"Fix the login.\"}},{{\"id\":\"u1\",\"type\":\"user\",\"content\":\"Add a test.\"}}]}}"
    );
    let path = chat(ONE).replace(".jsonl", ".json");
    let scene = Scene::new().put(&path, &old, 5);
    check(&run(&scene, None), expect![""]);
    check(
        &run(&scene, Some(ONE)),
        expect![[r#"
        3f1c0000 Fix the login | -
    "#]],
    );
    assert_eq!(scene.desk.text(&path), Some(old));
}

#[test]
fn a_headline_holds_no_secret() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let said = format!("Deploy with {secret} to the pond.");
    let record = gemini(ONE, &[(&said, "Done."), ("Now add a test.", "Added.")]);
    let scene = Scene::new().put(&chat(ONE), &record, 5);
    let answer = run(&scene, None);
    assert!(answer.summaries[0].written);
    let title = &answer.summaries[0].title;
    assert!(!title.contains(&secret), "{title}");
    let after = scene.desk.text(&chat(ONE)).unwrap();
    let added = after.strip_prefix(&record).unwrap();
    assert!(
        !added.contains(&secret) && added.contains("[redacted"),
        "{added}"
    );
}
