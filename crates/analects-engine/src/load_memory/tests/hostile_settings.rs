//! Random settings of a trusted project, every key and hostile values: the root never rises, nothing outside of it is
//! read, and the user's own layers stay as they are.

use analects_memory::layer::Layer;
use analects_testkit::{FakeDesk, surroundings};
use analects_world::AbsPath;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::*;
use crate::settings::keys;

/// A home with secrets in it, and a project in that home.
const TREE: &str = r#"
//- /home/u/.bashrc
SECRET of the shell
//- /home/u/.ssh/id_rsa
SECRET key
//- /home/u/.ssh/notes.md
SECRET notes
//- /home/u/GEMINI.md
SECRET of home
//- /home/u/notes.md
SECRET notes at home
//- /home/u/.gemini/.env
SECRET token
//- /home/u/.gemini/GEMINI.md
Mine @more.md
//- /home/u/.gemini/more.md
More of mine.
//- /home/u/.gemini/notes.md
SECRET notes in the folder of settings
//- /home/u/.gemini/trustedFolders.json
{"/home/u/work/evil": "TRUST_FOLDER", "/home/u/work/other": "TRUST_FOLDER"}
//- /home/u/.gemini/projects.json
{"projects": {"/home/u/work/evil": "evil"}}
//- /home/u/.gemini/tmp/evil/memory/MEMORY.md
My private note.
//- /home/u/.gemini/extensions/x/gemini-extension.json
{"name": "x", "contextFileName": "X.md"}
//- /home/u/.gemini/extensions/x/X.md
Of my extension.
//- /home/u/work/other/GEMINI.md
SECRET of another project
//- /home/u/work/GEMINI.md
SECRET of work
//- /home/u/work/evil/.git/HEAD
x
//- /home/u/work/evil/GEMINI.md
Theirs.
//- /home/u/work/evil/notes.md
Their notes.
//- /home/u/work/evil/.env
SECRET of the project's user
//- /home/u/work/evil/link.md -> ../../.ssh/id_rsa
//- /home/u/work/evil/env.md -> .env
//- /home/u/work/evil/up -> ../..
//- /home/u/work/evil/sub/GEMINI.md
Theirs below.
"#;

/// Texts that could lead somewhere.
const TEXTS: [&str; 30] = [
    "head",
    "seed",
    "analects",
    ".bashrc",
    ".ssh",
    ".gemini",
    "..",
    ".",
    "/",
    "~",
    "~/.ssh",
    "/home/u",
    "../..",
    "../../.ssh/id_rsa",
    ".ssh/id_rsa",
    ".gemini/.env",
    "notes.md",
    "link.md",
    "env.md",
    "up",
    "up/.ssh/notes.md",
    "up/notes.md",
    "..\\..\\notes.md",
    "$HOME/notes.md",
    "${HOME}/.ssh",
    "GEMINI.md",
    "x",
    "all",
    "*",
    "directory",
];

fn value() -> impl Strategy<Value = Value> {
    let text = || prop::sample::select(&TEXTS[..]);
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        prop_oneof![Just(0), Just(1), Just(-1), Just(1024), Just(100_000_000)]
            .prop_map(Value::from),
        text().prop_map(Value::from),
        prop::collection::vec(text(), 0..6).prop_map(Value::from),
        Just(json!({"GEMINI.md": 1})),
        Just(Value::Null),
    ]
}

/// A settings file: names of keys, old and new, with values.
fn settings() -> impl Strategy<Value = Value> {
    let names: Vec<&'static str> = keys::ALL
        .iter()
        .flat_map(|key| std::iter::once(&key.name).chain(key.aliases))
        .copied()
        .collect();
    let pair = (prop::sample::select(names), value());
    prop::collection::vec(pair, 0..25).prop_map(|pairs| {
        let mut root = Map::new();
        for (name, value) in pairs {
            let mut at = &mut root;
            let parts: Vec<_> = name.split('.').collect();
            let (last, groups) = parts.split_last().unwrap();
            for group in groups {
                let next = at.entry(*group).or_insert_with(|| json!({}));
                if !next.is_object() {
                    *next = json!({});
                }
                at = next.as_object_mut().unwrap();
            }
            at.insert((*last).to_owned(), value);
        }
        Value::Object(root)
    })
}

/// Layers that are the user's, and everything that was loaded, just in time too.
fn loaded(desk: &FakeDesk, cwd: &str) -> (String, Vec<String>, String) {
    let around = surroundings(cwd, "/home/u", &[("HOME", "/home/u")]);
    let world = desk.world(&around);
    let prepared = prepare(&world, &Flags::default()).unwrap();
    let mut started = prepared.start(world);
    let layers = started.stack.layers.iter();
    let own = layers
        .filter(|layer| layer.layer != Layer::Project)
        .map(crate::load_memory::tests::layer_text);
    let own = own.collect();
    let mut text = started.stack.memory().flatten(prepared.settings.profile);
    let paths = ["/home/u/.ssh/x", "/home/u/work/x", "/home/u/work/other/x"];
    let paths = paths.map(|path| AbsPath::new(path).unwrap());
    let near = started.touch_all(&paths);
    for fragment in near.fragments {
        text.push_str(&fragment.block.text);
    }
    (prepared.root.to_string(), own, text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_settings_of_a_project_raise_its_root_read_outside_of_it_or_touch_the_users_layers(
        shared in settings(),
        ours in settings(),
        cwd in prop::sample::select(vec!["/home/u/work/evil", "/home/u/work/evil/sub"]),
    ) {
        let plain = FakeDesk::parse(TREE);
        let (root, own, _) = loaded(&plain, cwd);
        prop_assert_eq!(&root, "/home/u/work/evil");
        let desk = FakeDesk::parse(TREE);
        desk.edit(&format!("{cwd}/.gemini/settings.json"), &shared.to_string());
        desk.edit(&format!("{cwd}/.gemini/analects.json"), &ours.to_string());
        let (hostile_root, hostile_own, text) = loaded(&desk, cwd);
        prop_assert_eq!(hostile_root, root);
        prop_assert!(!text.contains("SECRET"), "{}", text);
        prop_assert_eq!(hostile_own, own);
    }
}
