//! A project that has no folder of its own yet.

use super::*;

const NEW: &str = "//- /w/new/.git/\n";

fn scene() -> Scene {
    let mut scene = Scene::with(NEW, &[]);
    scene.around = surroundings("/w/new", "/h", &[]);
    scene
}

fn claude(scene: &Scene) {
    let at = stamp(NOW - 5 * HOUR);
    let lines = (0..12).map(|n| {
        format!("{{\"type\":\"user\",\"uuid\":\"u{n}\",\"sessionId\":\"c\",\"cwd\":\"/w/new\",\"timestamp\":\"{at}\",\"message\":{{\"role\":\"user\",\"content\":\"Fix part {n}\"}}}}\n")
    });
    let path = "/h/.claude/projects/-w-new/11111111-2222-4333-8444-555555555555.jsonl";
    scene.desk.edit(path, &lines.collect::<String>());
}

#[test]
fn it_gets_none_as_long_as_there_is_nothing_to_put_into_it() {
    let scene = scene();
    for wish in [ASKED, BACKGROUND] {
        assert_eq!(scene.run(&wish).unwrap().outcome, Outcome::NothingNew);
    }
    assert!(scene.desk.commits().is_empty());
}

#[test]
fn it_gets_one_for_what_another_agent_did_there() {
    let scene = scene();
    claude(&scene);
    assert_eq!(scene.run(&ASKED).unwrap().outcome, Outcome::Done);
    let state = scene
        .desk
        .text("/h/.gemini/tmp/new/memory/.extraction-state.json");
    assert!(state.unwrap().contains("\"LOCAL\""));
}
