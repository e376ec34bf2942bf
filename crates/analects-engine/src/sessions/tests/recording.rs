//! Writing a record while a conversation is going on.

use analects_session::message::{Content, MessageKind};
use analects_session::record::{By, Lines, Recorder, Saying, Start};
use analects_session::replay::{Replayed, replay};
use analects_session::stamp::Stamp;
use analects_testkit::show_problems;
use analects_world::AbsPath;
use expect_test::expect;

use super::super::{Exactness, Recording, find, open};
use super::*;

fn now() -> Stamp {
    Stamp::from_ms(NOW_MS).unwrap()
}

fn start(scene: &Scene) -> Recording {
    let folder = AbsPath::new("/h/.gemini/tmp/app").unwrap();
    let start = Start {
        session_id: ONE,
        project_hash: "aa",
        at: now(),
        by: By::Person,
    };
    Recording::start(&scene.world(), &folder, start).unwrap()
}

fn said(id: &str, text: &str) -> impl FnOnce(&mut Recorder) -> Lines {
    let saying = Saying {
        id: id.to_owned(),
        at: now(),
        content: Content::Text(text.to_owned()),
    };
    move |recorder| recorder.say(MessageKind::User, saying)
}

fn record(scene: &Scene, path: &str) -> Replayed {
    replay(scene.desk.text(path).unwrap().into_bytes())
}

fn problem(recording: &mut Recording) -> String {
    show_problems(&recording.take_problem().into_iter().collect::<Vec<_>>())
}

fn resume(scene: &Scene) -> Recording {
    let world = scene.world();
    let root = AbsPath::new("/w/app").unwrap();
    let trust = analects_memory::discover::Trust::Trusted;
    let found = find(&world, &root, trust, ONE, Exactness::Full).unwrap();
    Recording::resume(&world, &found.stored, &found.opened).unwrap()
}

#[test]
fn what_happens_is_written_down_at_once() {
    let scene = Scene::new();
    let mut recording = start(&scene);
    let path = recording.path().to_string();
    expect!["/h/.gemini/tmp/app/chats/session-2026-03-10T12-00-3f1c0000.jsonl"].assert_eq(&path);
    recording.note(said("u0", "Count the ducks."));
    assert_eq!(
        record(&scene, &path).n_messages(),
        1,
        "before anybody settles"
    );
    recording.note(said("u1", "And the geese."));
    recording.settle();
    assert!(recording.is_on());
    assert_eq!(problem(&mut recording), "");
    drop(recording);
    let record = record(&scene, &path);
    assert_eq!((record.n_messages(), record.problems()), (2, &[][..]));
}

#[test]
fn a_full_disk_ends_the_record_and_not_the_work() {
    let scene = Scene::new();
    let mut recording = start(&scene);
    let path = recording.path().to_string();
    recording.note(said("u0", "Count the ducks."));
    scene.desk.tapes.leave_room(20);
    recording.note(said("u1", "And the geese."));
    assert!(!recording.is_on());
    expect![[r#"
        ! not-recorded: /h/.gemini/tmp/app/chats/session-2026-03-10T12-00-3f1c0000.jsonl: this session is no longer recorded: the disk is full
    "#]].assert_eq(&problem(&mut recording));
    recording.note(said("u2", "And the swans."));
    recording.settle();
    assert_eq!(problem(&mut recording), "", "told once");
    // What was written before stays, and somebody can go on from there.
    assert_eq!(record(&scene, &path).n_messages(), 1);
    scene.desk.tapes.leave_room(10_000);
    let mut recording = resume(&scene);
    recording.note(said("u3", "And the coots."));
    assert_eq!(record(&scene, &path).n_messages(), 2);
}

#[test]
fn one_record_has_one_recorder() {
    let scene = Scene::new();
    let first = start(&scene);
    let mut second = resume(&scene);
    assert!(first.is_on() && !second.is_on());
    expect![[r#"
        ! not-recorded: /h/.gemini/tmp/app/chats/session-2026-03-10T12-00-3f1c0000.jsonl: this session is no longer recorded: another process is recording this session
    "#]].assert_eq(&problem(&mut second));
    let mut third = start(&scene);
    expect![[r#"
        ! not-recorded: /h/.gemini/tmp/app/chats/session-2026-03-10T12-00-3f1c0000.jsonl: this session is no longer recorded: there is such a record already
    "#]].assert_eq(&problem(&mut third));
    drop(first);
    assert!(resume(&scene).is_on());
}

#[test]
fn a_torn_last_line_costs_that_line_alone() {
    let torn = gemini(ONE, &[("Count the ducks.", "Seven.")]) + "{\"id\":\"u1\",\"type\":\"us";
    let scene = Scene::new().put(&chat(ONE), &torn, 5);
    let mut recording = resume(&scene);
    recording.note(said("u2", "And the geese."));
    drop(recording);
    let record = record(&scene, &chat(ONE));
    assert_eq!(record.n_messages(), 3);
    expect![[r#"
        ! line-unreadable: the line is no JSON
    "#]]
    .assert_eq(&show_problems(record.problems()));
}

#[test]
fn an_old_record_of_one_object_goes_on_beside_it() {
    let old = format!(
        "{{\n\"sessionId\":\"{ONE}\",\"projectHash\":\"aa\",\"messages\":[{{\"id\":\"u0\",\"type\":\"user\",\
         \"content\":\"Count the ducks.\"}}]}}"
    );
    let path = chat(ONE).replace(".jsonl", ".json");
    let scene = Scene::new().put(&path, &old, 5);
    let mut recording = resume(&scene);
    assert_eq!(recording.path().to_string(), chat(ONE));
    recording.note(said("u1", "And the geese."));
    drop(recording);
    assert_eq!(record(&scene, &chat(ONE)).n_messages(), 2);
    assert_eq!(scene.desk.text(&path), Some(old));
}

#[test]
fn another_agents_record_is_not_written() {
    let scene = Scene::of_three();
    let world = scene.world();
    let root = AbsPath::new("/w/app").unwrap();
    let trust = analects_memory::discover::Trust::Trusted;
    let found = find(&world, &root, trust, "c1a0d000", Exactness::Beginning).unwrap();
    let opened = open(&world, &found.stored).unwrap();
    assert!(Recording::resume(&world, &found.stored, &opened).is_none());
}
