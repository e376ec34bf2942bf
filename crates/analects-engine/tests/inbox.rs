//! Patches for the inbox, written by us and taken by the original itself.
//!
//! `goldens/inbox-cases.json` is what we write; `cargo xtask goldens` lets Gemini CLI list and apply it, and
//! keeps what it says in `goldens/inbox.json`.
#![expect(
    clippy::unwrap_used,
    reason = "a broken golden should stop its test at once"
)]

use analects_engine::verbs::memory::inbox::{Accept, Whose};
use analects_engine::verbs::{Flags, Verb};
use analects_engine::{inbox, load_memory};
use analects_testkit::{Beside, FakeDesk, surroundings};
use analects_text::patch;
use serde_json::{Value, json};

const MEMORY: &str = "/T/home/.gemini/tmp/app/memory";

struct Case {
    name: &'static str,
    index: Option<&'static str>,
    /// What waits already.
    waits: Option<&'static str>,
    facts: &'static [&'static str],
}

const CASES: [Case; 8] = [
    Case {
        name: "no notes yet",
        index: None,
        waits: None,
        facts: &["The port is 8443", "提交前运行 `just check`"],
    },
    Case {
        name: "notes of one line",
        index: Some("- Old note\n"),
        waits: None,
        facts: &["The port is 8443"],
    },
    Case {
        name: "an empty file",
        index: Some(""),
        waits: None,
        facts: &["The port is 8443"],
    },
    Case {
        name: "no line end at the end",
        index: Some("# Project Memory\n\n- Old note"),
        waits: None,
        facts: &["The port is 8443", "-- and ++ are no headers"],
    },
    Case {
        name: "line ends of two characters",
        index: Some("# Project Memory\r\n\r\n- Old note\r\n"),
        waits: None,
        facts: &["The port is 8443"],
    },
    Case {
        name: "a long file",
        index: Some(
            "# Project Memory\n\n- a1\n- b2\n- c3\n- d4\n- e5\n- f6\n- g7\n\n## Later\n\nText.\n",
        ),
        waits: None,
        facts: &["The port is 8443"],
    },
    Case {
        name: "a new file waits",
        index: None,
        waits: Some(
            "--- /dev/null\n+++ /T/home/.gemini/tmp/app/memory/MEMORY.md\n@@ -0,0 +1,3 @@\n+# Project Memory\n+\n+- Waits\n",
        ),
        facts: &["The port is 8443"],
    },
    Case {
        name: "notes beside the index wait",
        index: Some("- Old note\n"),
        waits: Some(
            "--- /dev/null\n+++ /T/home/.gemini/tmp/app/memory/deploying.md\n@@ -0,0 +1,1 @@\n+- The flag is kelp\n--- /T/home/.gemini/tmp/app/memory/MEMORY.md\n+++ /T/home/.gemini/tmp/app/memory/MEMORY.md\n@@ -1,1 +1,2 @@\n - Old note\n+- See deploying.md\n",
        ),
        facts: &["The port is 8443"],
    },
];

/// The patch that we write.
fn patch_of(case: &Case) -> String {
    let desk = FakeDesk::parse(
        "//- /T/w/app/.git/\n//- /T/home/.gemini/projects.json\n{\"projects\": {\"/T/w/app\": \"app\"}}\n\
         //- /T/home/.gemini/tmp/app/.project_root\n/T/w/app\n",
    );
    let (index, path) = (
        format!("{MEMORY}/MEMORY.md"),
        format!("{MEMORY}/.inbox/private/extraction.patch"),
    );
    case.index.iter().for_each(|text| desk.edit(&index, text));
    case.waits.iter().for_each(|text| desk.edit(&path, text));
    let around = surroundings("/T/w/app", "/T/home", &[]);
    let world = desk.world(&around);
    let prepared = load_memory::prepare(&world, &Flags::default()).unwrap();
    let facts: Vec<_> = case.facts.iter().map(|fact| (*fact).to_owned()).collect();
    let proposed = inbox::propose(&world, &Flags::default(), &prepared, &facts, "test").unwrap();
    assert_eq!(proposed.facts.len(), case.facts.len(), "{}", case.name);
    assert_eq!(proposed.path.as_str(), path);
    desk.text(&path).unwrap()
}

/// The files of a case as the original finds them.
fn files(case: &Case) -> Value {
    let patch = json!({ "path": format!("{MEMORY}/.inbox/private/extraction.patch"), "text": patch_of(case) });
    let index = case
        .index
        .map(|text| json!({ "path": format!("{MEMORY}/MEMORY.md"), "text": text }));
    [patch].into_iter().chain(index).collect()
}

#[test]
fn what_we_write_is_what_the_original_was_shown() {
    let cases: Vec<_> = CASES
        .iter()
        .map(|case| json!({ "name": case.name, "files": files(case), "input": { "memory": MEMORY } }))
        .collect();
    let text = format!("{:#}\n", Value::from(cases));
    expect_test::expect_file!["goldens/inbox-cases.json"].assert_eq(&text);
}

#[test]
fn the_original_lists_and_applies_our_patches() {
    let goldens: Vec<Value> = serde_json::from_str(include_str!("goldens/inbox.json")).unwrap();
    assert!(goldens.len() > CASES.len(), "others write patches, too");
    for (case, golden) in CASES.iter().zip(&goldens) {
        assert_eq!(golden["name"], case.name);
        assert_eq!(golden["files"], files(case), "{}", case.name);
        let output = &golden["output"];
        assert_eq!(
            output["validation"],
            json!({ "valid": true }),
            "{}",
            case.name
        );
        assert_eq!(
            output["applied"]["success"], true,
            "{}: {}",
            case.name, output["applied"]
        );
        let patch = patch_of(case);
        let ours = patch::files(&patch).unwrap();
        let listed = output["listed"][0]["entries"].as_array().unwrap();
        assert_eq!(listed.len(), ours.len(), "{}", case.name);
        for file in ours {
            let old = match file.old_name {
                "/dev/null" => "",
                _ => case.index.unwrap(),
            };
            let left = output["files"].as_array().unwrap().iter();
            let theirs = left.clone().find(|left| left[0] == file.new_name).unwrap();
            assert_eq!(theirs[1], file.apply(old).unwrap(), "{}", case.name);
        }
    }
}

#[test]
fn we_make_of_a_patch_what_the_original_makes_of_it() {
    let mut beside = Beside::the_original("inbox", include_str!("goldens/inbox.json"));
    let goldens: Vec<Value> = serde_json::from_str(beside.answers()).unwrap();
    for golden in &goldens {
        let desk = FakeDesk::parse(
            "//- /T/w/app/.git/\n//- /T/home/.gemini/projects.json\n{\"projects\": {\"/T/w/app\": \"app\"}}\n\
             //- /T/home/.gemini/tmp/app/.project_root\n/T/w/app\n",
        );
        for file in golden["files"].as_array().unwrap() {
            desk.edit(
                file["path"].as_str().unwrap(),
                file["text"].as_str().unwrap(),
            );
        }
        let around = surroundings("/T/w/app", "/T/home", &[]);
        let flags = Flags {
            yes: true,
            ..Flags::default()
        };
        let accept = Accept {
            items: vec!["private/extraction.patch".to_owned()],
            to: Whose::User,
            all: false,
            allow: Vec::new(),
        };
        let is_taken = accept.run(&desk.world(&around), &flags);
        let is_taken = is_taken.is_ok_and(|settled| settled.items[0].written);
        let name = golden["name"].as_str().unwrap();
        let asked = golden["files"].to_string();
        let files = golden["output"]["files"].as_array().unwrap().iter();
        let paths = files.clone().map(|file| file[0].as_str().unwrap());
        let ours: Vec<_> = paths.map(|path| json!([path, desk.text(path)])).collect();
        let theirs = (
            &golden["output"]["applied"]["success"],
            files.cloned().collect(),
        );
        let ours = (&json!(is_taken), ours);
        match ours != theirs && told_alike(&ours.1) == told_alike(&theirs.1) {
            true => beside.differs(name, ["inbox-pointer"]),
            false => beside.compare(name, &asked, &ours, &theirs),
        }
        let waits = desk.text(&format!("{MEMORY}/.inbox/private/extraction.patch"));
        assert_eq!(waits.is_none(), is_taken, "{name}");
    }
    beside.finish();
}

/// Files in which the index tells of a new note, whatever the words.
fn told_alike(files: &[Value]) -> Vec<String> {
    let line = |line: &str| {
        let ours = line
            .strip_prefix("- Notes on ")
            .and_then(|rest| rest.split_once(": "));
        let theirs = line
            .strip_prefix("- See ")
            .and_then(|rest| rest.strip_suffix(" notes."));
        let theirs = theirs.and_then(|rest| rest.split_once(" for "));
        match (ours, theirs) {
            (Some((name, path)), _) | (None, Some((path, name))) => format!("{name} is in {path}"),
            (None, None) => line.to_owned(),
        }
    };
    let told = |file: &Value| {
        let lines = file[1].as_str().unwrap_or_default().lines().map(line);
        format!("{}: {}", file[0], lines.collect::<Vec<_>>().join("\n"))
    };
    files.iter().map(told).collect()
}
