//! The files that Gemini CLI keeps about projects, written by us and by the original itself.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

use analects_engine::trust::{self, Level};
use analects_engine::verbs::Flags;
use analects_engine::{World, identity};
use analects_memory::discover::Trust;
use analects_testkit::{Beside, Entry, FakeDesk, FakeFiles, Fixture, surroundings};
use analects_world::AbsPath;
use serde_json::Value;

/// Builds the tree of a case and does something in it.
fn in_tree(case: &Value, act: impl FnOnce(&World<'_>)) -> FakeDesk {
    let mut fixture = Fixture::default();
    for file in case["files"].as_array().unwrap() {
        let entry = match file["text"].as_str() {
            Some(text) => Entry::File(text.as_bytes().to_vec()),
            None => Entry::Dir,
        };
        fixture = fixture.with(file["path"].as_str().unwrap(), entry);
    }
    let desk = FakeDesk::new(FakeFiles::new(&fixture));
    let around = surroundings("/T", "/T/home", &[]);
    act(&desk.world(&around));
    desk
}

/// Compares every file that the original left behind, byte for byte.
fn compare(beside: &mut Beside, case: &Value, desk: &FakeDesk) {
    let name = case["name"].as_str().unwrap();
    let files = case["output"]["files"].as_array().unwrap();
    let (ours, theirs): (Vec<_>, Vec<_>) = (files.iter())
        .map(|file| {
            let path = file[0].as_str().unwrap();
            let ours = (path, desk.text(path));
            (ours, (path, file[1].as_str().map(str::to_owned)))
        })
        .filter(|(ours, theirs)| ours != theirs)
        .unzip();
    let asked = format!("{} {}", case["files"], case["input"]);
    // The original takes a backslash in a name for the slash of another system.
    let as_slashes: Vec<_> = (ours.iter())
        .map(|(path, text)| (*path, text.as_ref().map(|text| text.replace(r"\\", "/"))))
        .collect();
    let entries = |text: &Option<String>| serde_json::from_str::<Value>(text.as_deref()?).ok();
    let is_registry = |path: &str| path.ends_with("/projects.json");
    let mut pairs = ours.iter().zip(&theirs);
    let same_entries =
        pairs.all(|(ours, theirs)| is_registry(ours.0) && entries(&ours.1) == entries(&theirs.1));
    if ours == theirs {
        beside.same();
    } else if as_slashes == theirs {
        beside.differs(name, ["trust-backslash"]);
    } else if same_entries {
        beside.differs(name, ["registry-layout"]);
    } else {
        beside.compare(name, &asked, &ours, &theirs);
    }
}

#[test]
fn the_registry_and_its_markers_are_written_alike() {
    let mut beside = Beside::the_original("registry", include_str!("goldens/registry.json"));
    let cases: Vec<Value> = serde_json::from_str(beside.answers()).unwrap();
    for case in &cases {
        let asked = texts(&case["input"]["ask"]);
        let mut slugs = Vec::new();
        let desk = in_tree(case, |world| {
            for project in &asked {
                let project = AbsPath::new(project).unwrap();
                let claimed = identity::claim(
                    world,
                    &Flags::default(),
                    &project,
                    None,
                    Trust::Trusted,
                    "test",
                );
                slugs.push(claimed.unwrap().slug);
            }
        });
        let theirs = texts(&case["output"]["slugs"]);
        let other: Vec<_> = (0..slugs.len())
            .filter(|&n| slugs[n] != theirs[n])
            .collect();
        if other.is_empty() {
            compare(&mut beside, case, &desk);
        } else if other.iter().all(|&n| !asked[n].is_ascii()) {
            beside.differs(&case["name"].to_string(), ["other-scripts"]);
        } else {
            let name = case["name"].as_str().unwrap();
            beside.fails(name, &format!("{case}\nours {slugs:?}"));
        }
    }
    beside.finish();
}

fn texts(list: &Value) -> Vec<&str> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item.as_str().unwrap()).collect()
}

#[test]
fn the_rules_of_trust_are_written_alike() {
    let mut beside = Beside::the_original("trust", include_str!("goldens/trust.json"));
    let cases: Vec<Value> = serde_json::from_str(beside.answers()).unwrap();
    for case in &cases {
        let desk = in_tree(case, |world| {
            for rule in case["input"]["rules"].as_array().unwrap() {
                let folder = AbsPath::new(rule[0].as_str().unwrap()).unwrap();
                let level = match rule[1].as_str().unwrap() {
                    "TRUST_FOLDER" => Level::TrustFolder,
                    "TRUST_PARENT" => Level::TrustParent,
                    _ => Level::DoNotTrust,
                };
                trust::set(world, &Flags::default(), &folder, Some(level), "test").unwrap();
            }
        });
        compare(&mut beside, case, &desk);
    }
    beside.finish();
}
