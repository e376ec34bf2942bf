//! A conversation that was written by hand reads like one that was held.

use analects_world::AbsPath;

use super::super::enact::{Act, Play, enact};
use super::*;
use crate::verbs::session::{List, Show};

#[test]
fn a_play_is_a_session_of_its_project() {
    let scene = Scene::with("//- /w/shop/.git/\n");
    let ran = |command: &str, code| Act::Ran {
        command: command.to_owned(),
        output: "3 ducks".to_owned(),
        code,
    };
    let play = Play {
        session: ONE.to_owned(),
        began_ms: NOW_MS - 5 * HOUR_MS,
        acts: vec![
            Act::Asked("Count the ducks.".to_owned()),
            ran("just count", 0),
            ran("just check", 2),
            Act::Said("Three ducks.".to_owned()),
        ],
    };
    let enacted = enact(&scene.world(), &AbsPath::new("/w/shop").unwrap(), &play).unwrap();
    assert_eq!(
        enacted.path.as_str(),
        "/h/.gemini/tmp/shop/chats/session-2026-03-10T07-00-3f1c0000.jsonl"
    );
    assert_eq!(enacted.ended_ms, play.began_ms + 80_000);
    let scene = Scene {
        around: surroundings("/w/shop", "/h", &[]),
        ..scene
    };
    let listed = scene.run(&List::default()).unwrap().sessions;
    assert_eq!((listed.len(), listed[0].prompts), (1, 1));
    assert_eq!(listed[0].project.as_deref(), Some("/w/shop"));
    let shown = scene
        .run(&Show {
            session: ONE.to_owned(),
            ..Show::default()
        })
        .unwrap();
    let text = serde_json::to_string(&shown).unwrap();
    for said in ["just count", "Exit Code: 2", "Three ducks."] {
        assert!(text.contains(said), "{text}");
    }
}
