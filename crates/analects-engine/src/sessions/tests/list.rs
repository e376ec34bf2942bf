//! Which conversations are listed, and in which order.

use expect_test::{Expect, expect};

use super::*;
use crate::verbs::session::{AgentName, List};

fn check(scene: &Scene, list: &List, expected: Expect) {
    let answer = scene.run(list).unwrap();
    let mut shown = show(&answer.sessions, &answer.problems);
    if answer.more > 0 {
        writeln!(shown, "{} more", answer.more).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn those_of_one_project_whoever_held_them_the_newest_first() {
    check(
        &Scene::of_three(),
        &List::default(),
        expect![[r#"
        codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
        claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
    "#]],
    );
}

#[test]
fn the_newest_is_the_one_in_which_something_was_said_last() {
    // The file of the first is newer: it was copied, or somebody wrote a summary into it.
    let later = gemini(TWO, &[("Count the teals.", "Six.")]).replace("-03-01T", "-03-02T");
    let two = chat(TWO).replace("T10-00", "T10-01");
    let scene = Scene::new()
        .put(
            &chat(ONE),
            &gemini(ONE, &[("Count the ducks.", "Seven.")]),
            1,
        )
        .put(&two, &later, 5);
    check(
        &scene,
        &List::default(),
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000002 "Count the teals" /w/app 1/2
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
    "#]],
    );
    let one = List {
        limit: 1,
        ..List::default()
    };
    check(
        &scene,
        &one,
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000002 "Count the teals" /w/app 1/2
        1 more
    "#]],
    );
}

#[test]
fn those_of_all_projects() {
    let all = List {
        all: true,
        ..List::default()
    };
    check(
        &Scene::of_three(),
        &all,
        expect![[r#"
            codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
            claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
            gemini 0e5e0000-0000-4000-8000-000000000004 "Count the herons" /w/other 1/2
            gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
        "#]],
    );
}

#[test]
fn those_of_one_agent() {
    let of_claude = List {
        agent: Some(AgentName::Claude),
        ..List::default()
    };
    check(
        &Scene::of_three(),
        &of_claude,
        expect![[r#"
        claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
    "#]],
    );
}

#[test]
fn at_most_so_many_and_how_many_were_not_looked_at() {
    for (limit, expected) in [
        (
            0,
            expect![[r#"
        4 more
    "#]],
        ),
        (
            2,
            expect![[r#"
                codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
                claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
                2 more
            "#]],
        ),
    ] {
        let some = List {
            limit,
            all: true,
            ..List::default()
        };
        check(&Scene::of_three(), &some, expected);
    }
}

#[test]
fn what_sub_agents_did_is_listed_if_it_is_asked_for() {
    let run = gemini("5b5b0000", &[("Look closer.", "Seven.")]).replace("\"main\"", "\"subagent\"");
    let scene = Scene::of_three()
        .put(&format!("{CHATS}/{ONE}/5b5b0000.jsonl"), &run, 1)
        .put(
            "/h/.claude/projects/-w-app/c1a0d000-0000-4000-8000-000000000003/subagents/agent-a1.jsonl",
            &claude("/w/app", &[("Look closer.", "None.")]),
            1,
        );
    check(
        &scene,
        &List::default(),
        expect![[r#"
        codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
        claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
    "#]],
    );
    let along = List {
        subagents: true,
        ..List::default()
    };
    check(
        &scene,
        &along,
        expect![[r#"
            codex c0de0000-0000-7000-8000-000000000005 "Count the swans" /w/app/sub 1/2
            claude agent-a1 "Look closer" /w/app 1/2 sub-agent
            claude c1a0d000-0000-4000-8000-000000000003 "Count the geese" /w/app 1/2
            gemini 5b5b0000 "Look closer" /w/app 1/2 sub-agent
            gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
        "#]],
    );
}

#[test]
fn one_in_two_records_is_told_once_by_the_newer() {
    let old = "{\"sessionId\":\"ID\",\"projectHash\":\"aa\",\"startTime\":\"2026-03-01T10:00:00.000Z\",\
               \"lastUpdated\":\"2026-03-01T10:05:00.000Z\",\"messages\":[{\"id\":\"u0\",\"type\":\"user\",\
               \"timestamp\":\"2026-03-01T10:00:00.000Z\",\"content\":\"Count the ducks.\"}]}";
    let twin = chat(ONE).replace(".jsonl", ".json");
    let scene = Scene::new().put(&twin, &old.replace("ID", ONE), 9).put(
        &chat(ONE),
        &gemini(ONE, &[("Count the ducks.", "Seven."), ("Sure?", "Yes.")]),
        5,
    );
    check(
        &scene,
        &List::default(),
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 2/4
    "#]],
    );
    // Others that happen to be called the same are others.
    let two = chat(TWO).replace("T10-00", "T10-01");
    let scene = scene.put(&two, &gemini(TWO, &[("Another one.", "Yes.")]), 6);
    check(
        &scene,
        &List::default(),
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 2/4
        gemini 3f1c0000-0000-4000-8000-000000000002 "Another one" /w/app 1/2
    "#]],
    );
}

#[test]
fn what_cannot_be_read_is_a_problem_not_a_failure() {
    let scene = Scene::with(&format!(
        "//- {CHATS}/session-2026-03-01T09-00-dead0000.jsonl (denied)\n"
    ))
    .put(
        &chat(ONE),
        &(gemini(ONE, &[("Count the ducks.", "Seven.")]) + "{\"id\":\"u9\",\"ty"),
        5,
    )
    .put(
        &format!("{CHATS}/session-2026-03-01T09-00-ffff0000.jsonl"),
        "garbage\n",
        4,
    )
    .put(&format!("{CHATS}/notes.txt"), "no record", 4);
    check(
        &scene,
        &List::default(),
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2
        ! line-torn /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl: the last line was not written to its end
        ! record-unreadable /h/.gemini/tmp/app/chats/session-2026-03-01T09-00-dead0000.jsonl: permission denied
    "#]],
    );
}

#[test]
fn what_was_just_written_or_is_held_may_go_on() {
    let scene = Scene::new().put(
        &chat(ONE),
        &gemini(ONE, &[("Count the ducks.", "Seven.")]),
        0,
    );
    check(
        &scene,
        &List::default(),
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2 live
    "#]],
    );
    let scene = scene.put(
        &chat(ONE),
        &gemini(ONE, &[("Count the ducks.", "Seven.")]),
        5,
    );
    let path = analects_world::AbsPath::new(&chat(ONE)).unwrap();
    let world = scene.world();
    let _tape = world
        .tapes
        .open(&path, analects_world::tape::Opening::Further)
        .unwrap();
    scene.desk.date(&chat(ONE), NOW_MS - HOUR_MS);
    check(
        &scene,
        &List::default(),
        expect![[r#"
        gemini 3f1c0000-0000-4000-8000-000000000001 "Count the ducks" /w/app 1/2 live
    "#]],
    );
}

#[test]
fn a_home_without_anything_has_no_sessions() {
    let scene = Scene {
        desk: FakeDesk::parse("//- /w/app/.git/\n"),
        ..Scene::new()
    };
    check(&scene, &List::default(), expect![""]);
}

#[test]
fn codex_knows_its_titles_elsewhere() {
    let titles =
        "{\"id\":\"c0de0000-0000-7000-8000-000000000005\",\"thread_name\":\"The swans\"}\n";
    let scene = Scene::of_three().put("/h/.codex/session_index.jsonl", titles, 1);
    let of_codex = List {
        agent: Some(AgentName::Codex),
        ..List::default()
    };
    check(
        &scene,
        &of_codex,
        expect![[r#"
        codex c0de0000-0000-7000-8000-000000000005 "The swans" /w/app/sub 1/2
    "#]],
    );
}
