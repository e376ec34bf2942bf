//! What goes with a conversation, and what never does.

use std::sync::Arc;

use analects_world::ask::Answer;
use analects_world::changes::ContentHash;
use expect_test::expect;

use super::*;
use crate::verbs::session::{Delete, DeleteAnswer};

/// A conversation with everything that belongs to it, and another whose files are called alike.
fn scene() -> Scene {
    let twin = "{\"sessionId\":\"ID\",\"messages\":[{\"id\":\"u0\",\"type\":\"user\",\"content\":\"Count.\"}]}";
    let folder = "/h/.gemini/tmp/app";
    let mut scene = Scene::with("//- /x/precious.txt\nmine\n")
        .put(
            &chat(ONE),
            &gemini(ONE, &[("Count the ducks.", "Seven.")]),
            5,
        )
        .put(
            &chat(ONE).replace(".jsonl", ".json"),
            &twin.replace("ID", ONE),
            9,
        )
        .put(
            &chat(TWO).replace("T10-00", "T10-01"),
            &gemini(TWO, &[("Count the coots.", "Six.")]),
            5,
        );
    for id in [ONE, TWO] {
        for path in [
            "logs/session-ID.jsonl",
            "tool-outputs/session-ID/out.txt",
            "chats/ID/run.jsonl",
            "ID/plans/a.md",
        ] {
            scene = scene.put(
                &format!("{folder}/{}", path.replace("ID", id)),
                "theirs\n",
                5,
            );
        }
    }
    for path in [
        "memory/MEMORY.md",
        "checkpoints/c.json",
        "tool-outputs/other.txt",
        "plans/all.md",
        "logs.json",
    ] {
        scene = scene.put(&format!("{folder}/{path}"), "shared\n", 5);
    }
    for id in [ONE, TWO] {
        scene = scene.put(&pins_of(id), "pins\n", 5);
    }
    scene
}

fn pins_of(id: &str) -> String {
    let name = ContentHash::of(id.as_bytes()).short();
    format!("/h/.gemini/analects/pins/gemini-{name}.json")
}

fn ask(scene: &Scene, ids: &[&str]) -> Result<DeleteAnswer, Failure> {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    scene.run(&Delete {
        ids,
        expired: false,
    })
}

/// Every file in the folder of the project.
fn left(scene: &Scene) -> String {
    let mut dirs = vec![analects_world::AbsPath::new("/h/.gemini/tmp/app").unwrap()];
    let mut left = Vec::new();
    while let Some(dir) = dirs.pop() {
        left.extend(
            super::super::files_in(&scene.desk, &dir)
                .iter()
                .map(|name| dir.join(name).to_string()),
        );
        let below = super::super::dirs_in(&scene.desk, std::slice::from_ref(&dir));
        left.extend(below.iter().map(|dir| format!("{dir}/")));
        dirs.extend(below);
    }
    left.sort();
    left.join("\n").replace("/h/.gemini/tmp/app/", "") + "\n"
}

#[test]
fn everything_that_belongs_to_it_goes_and_nothing_else() {
    let mut scene = scene();
    scene.flags.yes = true;
    let answer = ask(&scene, &[ONE, ONE]).unwrap();
    assert!(answer.deleted);
    let files: Vec<_> = answer
        .sessions
        .iter()
        .flat_map(|session| &session.files)
        .cloned()
        .collect();
    expect![[r#"
        /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl
        /h/.gemini/analects/pins/gemini-bc85a88d8ef41941.json
        /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.json
        /h/.gemini/tmp/app/logs/session-3f1c0000-0000-4000-8000-000000000001.jsonl
        /h/.gemini/tmp/app/chats/3f1c0000-0000-4000-8000-000000000001/run.jsonl
        /h/.gemini/tmp/app/tool-outputs/session-3f1c0000-0000-4000-8000-000000000001/out.txt
        /h/.gemini/tmp/app/3f1c0000-0000-4000-8000-000000000001/plans/a.md
    "#]]
    .assert_eq(&(files.join("\n") + "\n"));
    expect![[r#"
        .project_root
        3f1c0000-0000-4000-8000-000000000002/
        3f1c0000-0000-4000-8000-000000000002/plans/
        3f1c0000-0000-4000-8000-000000000002/plans/a.md
        chats/
        chats/3f1c0000-0000-4000-8000-000000000002/
        chats/3f1c0000-0000-4000-8000-000000000002/run.jsonl
        chats/session-2026-03-01T10-01-3f1c0000.jsonl
        checkpoints/
        checkpoints/c.json
        logs.json
        logs/
        logs/session-3f1c0000-0000-4000-8000-000000000002.jsonl
        memory/
        memory/MEMORY.md
        plans/
        plans/all.md
        tool-outputs/
        tool-outputs/other.txt
        tool-outputs/session-3f1c0000-0000-4000-8000-000000000002/
        tool-outputs/session-3f1c0000-0000-4000-8000-000000000002/out.txt
    "#]]
    .assert_eq(&left(&scene));
}

#[test]
fn only_the_full_id_deletes() {
    let mut scene = scene();
    scene.flags.yes = true;
    let before = left(&scene);
    for id in [
        "3f1c0000",
        "latest",
        &format!("{ONE:.35}"),
        &chat(ONE),
        "",
        "..",
        "/",
        "../app",
    ] {
        let failed = ask(&scene, &[id]);
        assert!(failed.is_err(), "{id}: {failed:?}");
    }
    check_failure(
        ask(&scene, &["3f1c0000"]),
        expect![[r#"
            `3f1c0000` is no full id, and only those count here
            hint: 3f1c0000-0000-4000-8000-000000000002 Count the coots
            hint: 3f1c0000-0000-4000-8000-000000000001 Count the ducks
        "#]],
    );
    // If one of them is not meant, none of them is.
    assert!(ask(&scene, &[ONE, "3f1c0000"]).is_err());
    assert_eq!(left(&scene), before);
    assert!(scene.desk.commits().is_empty());
}

#[test]
fn what_may_go_on_stays() {
    let mut scene = scene();
    scene.flags.yes = true;
    scene.desk.date(&chat(ONE), NOW_MS - 9 * 60 * 1000);
    check_failure(
        ask(&scene, &[ONE]),
        expect![[r#"
        the session `3f1c0000-0000-4000-8000-000000000001` may still be running
        hint: end it first; a record that was just written is left alone for ten minutes
    "#]],
    );
    scene.desk.date(&chat(ONE), NOW_MS - HOUR_MS);
    let path = analects_world::AbsPath::new(&chat(ONE)).unwrap();
    let world = scene.world();
    let tape = world
        .tapes
        .open(&path, analects_world::tape::Opening::Further)
        .unwrap();
    scene.desk.date(&chat(ONE), NOW_MS - HOUR_MS);
    assert!(ask(&scene, &[ONE]).is_err());
    drop(tape);
    assert!(ask(&scene, &[ONE]).unwrap().deleted);
}

#[test]
fn what_cannot_be_read_and_what_is_another_agents_stays() {
    let headless = format!("{CHATS}/session-2026-03-01T10-00-beef0000.jsonl");
    let mut scene = Scene::of_three().put(
        &headless,
        "{\"sessionId\":\"beef0000-1\",\"kind\":\"main\"}\n{\"id\":\"u0\",\"type\":\"user\",\"content\":\"Hi.\"}\n",
        5,
    );
    scene.flags.yes = true;
    check_failure(
        ask(&scene, &["session-2026-03-01T10-00-beef0000"]),
        expect![[r#"
            `/h/.gemini/tmp/app/chats/session-2026-03-01T10-00-beef0000.jsonl` cannot be read
            hint: what cannot be read is not deleted; look at the file yourself
        "#]],
    );
    assert!(scene.is_there(&headless));
    check_failure(
        ask(&scene, &["c1a0d000-0000-4000-8000-000000000003"]),
        expect![[r#"
            `c1a0d000-0000-4000-8000-000000000003` is a session of claude
            hint: delete it there; here it is only read
        "#]],
    );
    assert!(ask(&scene, &["c0de0000-0000-7000-8000-000000000005"]).is_err());
    assert!(scene.is_there(CODEX_FILE));
}

#[test]
fn somebody_has_to_agree() {
    let mut scene = scene();
    let before = left(&scene);
    check_failure(
        ask(&scene, &[ONE]),
        expect![[r#"
        nothing was deleted: it needs your consent, and nobody gave it
        hint: consent with `--yes`, or look at what would go with `--dry-run`
    "#]],
    );
    scene.desk.person.will_say(Answer::No);
    let declined = ask(&scene, &[ONE]).unwrap();
    assert!(!declined.deleted);
    scene.flags.dry_run = true;
    assert!(!ask(&scene, &[ONE]).unwrap().deleted);
    assert_eq!(left(&scene), before);
    scene.flags.dry_run = false;
    scene.desk.person.will_say(Answer::Yes);
    assert!(ask(&scene, &[ONE]).unwrap().deleted);
    expect![[r#"
        Delete the session "Count the ducks" for good
        - /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl
        - /h/.gemini/analects/pins/gemini-bc85a88d8ef41941.json
        - /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.json
        - /h/.gemini/tmp/app/logs/session-3f1c0000-0000-4000-8000-000000000001.jsonl
        - /h/.gemini/tmp/app/chats/3f1c0000-0000-4000-8000-000000000001/run.jsonl
        - /h/.gemini/tmp/app/tool-outputs/session-3f1c0000-0000-4000-8000-000000000001/out.txt
        - /h/.gemini/tmp/app/3f1c0000-0000-4000-8000-000000000001/plans/a.md

        Delete the session "Count the ducks" for good
        - /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl
        - /h/.gemini/analects/pins/gemini-bc85a88d8ef41941.json
        - /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.json
        - /h/.gemini/tmp/app/logs/session-3f1c0000-0000-4000-8000-000000000001.jsonl
        - /h/.gemini/tmp/app/chats/3f1c0000-0000-4000-8000-000000000001/run.jsonl
        - /h/.gemini/tmp/app/tool-outputs/session-3f1c0000-0000-4000-8000-000000000001/out.txt
        - /h/.gemini/tmp/app/3f1c0000-0000-4000-8000-000000000001/plans/a.md

        Delete the session "Count the ducks" for good
        - /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl
        - /h/.gemini/analects/pins/gemini-bc85a88d8ef41941.json
        - /h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.json
        - /h/.gemini/tmp/app/logs/session-3f1c0000-0000-4000-8000-000000000001.jsonl
        - /h/.gemini/tmp/app/chats/3f1c0000-0000-4000-8000-000000000001/run.jsonl
        - /h/.gemini/tmp/app/tool-outputs/session-3f1c0000-0000-4000-8000-000000000001/out.txt
        - /h/.gemini/tmp/app/3f1c0000-0000-4000-8000-000000000001/plans/a.md
    "#]]
    .assert_eq(&scene.desk.person.asked().join("\n"));
}

#[test]
fn one_that_goes_on_while_somebody_thinks_stays() {
    let scene = Arc::new(scene());
    let other = Arc::clone(&scene);
    scene.desk.person.will_say_while(Answer::Yes, move || {
        let more = gemini(ONE, &[("Count the ducks.", "Seven."), ("Again.", "Eight.")]);
        other.desk.edit(&chat(ONE), &more);
        other.desk.date(&chat(ONE), NOW_MS);
    });
    assert!(ask(&scene, &[ONE]).is_err());
    assert!(scene.is_there(&chat(ONE)));
}

#[test]
fn a_name_of_something_shared_takes_nothing_shared_along() {
    for name in [
        "chats",
        "memory",
        "logs",
        "checkpoints",
        "plans",
        "tool-outputs",
        "MEMORY",
    ] {
        let mut scene = scene();
        scene.flags.yes = true;
        let before = left(&scene);
        let record = chat(name);
        let scene = scene.put(&record, &gemini(name, &[("Hello.", "Hello.")]), 5);
        let answer = ask(&scene, &[name]).unwrap();
        assert!(answer.deleted);
        assert_eq!(left(&scene), before, "{name}");
    }
}

#[test]
fn an_id_that_leads_elsewhere_takes_its_own_record_and_no_more() {
    for forged in ["../app", "../../tmp/app/memory", "..%2f..", "."] {
        let record = chat(&forged.replace(['/', '.', '%'], "_"));
        let mut scene = scene().put(&record, &gemini(forged, &[("Hello.", "Hello.")]), 5);
        scene.flags.yes = true;
        let answer = ask(&scene, &[forged]);
        let files = answer
            .map(|answer| answer.sessions[0].files.clone())
            .unwrap_or_default();
        assert!(
            files.iter().all(|file| *file == record),
            "{forged}: {files:?}"
        );
        assert!(scene.is_there("/h/.gemini/tmp/app/memory/MEMORY.md"));
    }
}

#[test]
fn links_are_not_followed() {
    let folder = "/h/.gemini/tmp/app";
    let links = format!(
        "//- /x/precious/a.txt\nmine\n//- {folder}/tool-outputs/session-{ONE} -> /x/precious\n\
         //- {folder}/logs/session-{ONE}.jsonl -> /x/precious/a.txt\n//- {CHATS}/{ONE}/up -> /x/precious\n"
    );
    let mut scene = Scene::with(&links).put(&chat(ONE), &gemini(ONE, &[("Count.", "Seven.")]), 5);
    scene.flags.yes = true;
    let answer = ask(&scene, &[ONE]).unwrap();
    assert_eq!(answer.sessions[0].files, [chat(ONE)]);
    assert_eq!(
        scene.desk.text("/x/precious/a.txt").as_deref(),
        Some("mine\n")
    );
}

#[test]
fn what_was_said_does_not_stay_in_the_journal() {
    let mut scene = scene();
    scene.flags.yes = true;
    ask(&scene, &[ONE]).unwrap();
    let commits = scene.desk.commits();
    let changes = &commits[0].0;
    assert_eq!(changes.who, "session delete");
    let fingerprint = analects_world::changes::Trace::Fingerprint;
    assert!(
        changes
            .files
            .iter()
            .all(|change| change.trace == fingerprint)
    );
}

#[test]
fn an_undo_of_it_says_that_nothing_was_kept() {
    let mut scene = Scene::new().put(&chat(ONE), &gemini(ONE, &[("Count.", "Seven.")]), 5);
    scene.flags.yes = true;
    ask(&scene, &[ONE]).unwrap();
    check_failure(
        crate::history::undo(&scene.world(), &scene.flags, None),
        expect![[r#"
            `/h/.gemini/tmp/app/chats/session-2026-03-01T10-00-3f1c0000.jsonl` was deleted for good: nothing of it was kept, and it cannot come back
            hint: `analects memory log` numbers the changes, and `analects memory undo N` takes back an older one
        "#]],
    );
}
