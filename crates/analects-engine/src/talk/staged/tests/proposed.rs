//! What becomes of what waits.

use std::sync::Arc;

use analects_testkit::{FakeDesk, FakeSearch, surroundings};
use analects_world::ask::Answer;
use expect_test::expect;
use serde_json::json;

use super::*;
use crate::consent::{Consent, Decided};
use crate::load_memory::prepare;
use crate::remember::{self, By, OnSecret};
use crate::verbs::{Failure, Flags};
use crate::{change_entry, find_entries, history};

const HOME: &str = "/h/.gemini/GEMINI.md";
const TREE: &str = "\
//- /w/.git/
//- /w/GEMINI.md
# Project

- Use tabs
- Port 8081

Kept.
//- /h/.gemini/GEMINI.md
- Likes tea
- Likes coffee
";

const FLAGS: Flags = Flags {
    trust: true,
    yes: false,
    no_memory: false,
    dry_run: false,
};

/// Writes by these calls, lets something happen, and proposes the rest.
fn run(
    desk: &FakeDesk,
    calls: &[(&str, Value)],
    meanwhile: impl FnOnce(),
    flags: &Flags,
) -> Result<Decided, Failure> {
    let around = surroundings("/w", "/h", &[]);
    let world = desk.world(&around);
    let search = FakeSearch::new(desk);
    let staged = Staged::new(desk, &search, Vec::new());
    let n_commits = desk.commits().len();
    let seen = Seen::new();
    for (tool, args) in calls {
        let said = call(&staged, &seen, tool, args);
        assert!(
            said.starts_with("Wrote") || said.starts_with("Changed"),
            "{said}"
        );
    }
    assert_eq!(desk.commits().len(), n_commits);
    meanwhile();
    staged.propose(
        &world,
        flags,
        &Pitch {
            who: "save_memory",
            why: "to keep memory in order",
            title: "Keep memory in order",
            prepared: &prepare(&world, flags).unwrap(),
            workspace: &workspace(),
            consent: Consent::Ask,
            guarded: &Guarded { allowed: &[] },
        },
    )
}

fn edit(file: &str, old: &str, new: &str) -> (&'static str, Value) {
    let args = json!({"file_path": file, "old_string": old, "new_string": new});
    ("replace", args)
}

fn write(file: &str, text: &str) -> (&'static str, Value) {
    ("write_file", json!({"file_path": file, "content": text}))
}

#[test]
fn one_difference_over_all_files_is_shown_and_written_at_once() {
    let desk = FakeDesk::parse(TREE);
    desk.person.will_say(Answer::Yes);
    let calls = [
        edit("GEMINI.md", "- Use tabs\n", ""),
        edit(HOME, "coffee\n", "coffee\n- Use tabs\n"),
        write("src/GEMINI.md", "- About src\n"),
    ];
    let decided = run(&desk, &calls, || (), &FLAGS).unwrap();
    expect![[r#"
        Keep memory in order
        --- /h/.gemini/GEMINI.md	Current
        +++ /h/.gemini/GEMINI.md	Proposed
        @@ -1,2 +1,3 @@
         - Likes tea
         - Likes coffee
        +- Use tabs
        --- /w/GEMINI.md	Current
        +++ /w/GEMINI.md	Proposed
        @@ -1,6 +1,5 @@
         # Project
         .
        -- Use tabs
         - Port 8081
         .
         Kept.
        --- /dev/null	Current
        +++ /w/src/GEMINI.md	Proposed
        @@ -0,0 +1 @@
        +- About src
    "#]]
    .assert_eq(
        &desk
            .person
            .asked()
            .join("====\n")
            .replace("\n \n", "\n .\n"),
    );
    let commits = desk.commits();
    let [(changes, _)] = commits.as_slice() else {
        panic!("{commits:?}")
    };
    assert_eq!((&*changes.who, changes.files.len()), ("save_memory", 3));
    assert!(changes.files.iter().all(|change| change.within.is_some()));
    assert_eq!(
        desk.text("/w/src/GEMINI.md").as_deref(),
        Some("- About src\n")
    );
    let around = surroundings("/w", "/h", &[]);
    let yes = Flags { yes: true, ..FLAGS };
    history::undo(&desk.world(&around), &yes, decided.commit()).unwrap();
    assert_eq!(desk.text("/w/src/GEMINI.md"), None);
    assert!(desk.text(HOME).unwrap().ends_with("coffee\n"));
}

#[test]
fn no_and_nobody_and_a_dry_run_change_nothing() {
    let calls = [write("GEMINI.md", "- other\n")];
    let desk = FakeDesk::parse(TREE);
    desk.person.will_say(Answer::No);
    assert!(run(&desk, &calls, || (), &FLAGS).unwrap().is_declined);
    assert!(run(&desk, &calls, || (), &FLAGS).is_err());
    let dry = Flags {
        dry_run: true,
        ..FLAGS
    };
    assert!(
        run(&desk, &calls, || (), &dry)
            .unwrap()
            .diff
            .contains("+- other")
    );
    assert!(desk.commits().is_empty());
}

#[test]
fn what_comes_to_nothing_is_not_asked_about() {
    let desk = FakeDesk::parse(TREE);
    let calls = [
        edit("GEMINI.md", "tabs", "spaces"),
        edit("GEMINI.md", "spaces", "tabs"),
    ];
    let decided = run(&desk, &calls, || (), &FLAGS).unwrap();
    assert!(!decided.is_written() && desk.person.asked().is_empty());
}

#[test]
fn changes_of_others_are_kept_where_they_do_not_meet_ours() {
    let desk = FakeDesk::parse(TREE);
    desk.person.will_say(Answer::Yes);
    let theirs = desk
        .text("/w/GEMINI.md")
        .unwrap()
        .replace("Kept.", "Kept, and more.");
    let calls = [edit("GEMINI.md", "tabs", "spaces")];
    run(&desk, &calls, || desk.edit("/w/GEMINI.md", &theirs), &FLAGS).unwrap();
    assert_eq!(
        desk.text("/w/GEMINI.md").unwrap(),
        theirs.replace("tabs", "spaces")
    );
}

#[test]
fn whatever_happens_meanwhile_nothing_of_it_is_written_over() {
    let tree = format!("{TREE}//- /w/b/GEMINI.md\nb\n");
    let calls = [
        edit("GEMINI.md", "tabs", "spaces"),
        edit("b/GEMINI.md", "b", "c"),
        write("a/GEMINI.md", "- new\n"),
    ];
    type Meanwhile = fn(&FakeDesk);
    let cases: [(&str, Meanwhile); 7] = [
        ("the same line", |desk| {
            desk.edit(
                "/w/GEMINI.md",
                "# Project\n\n- Use both\n- Port 8081\n\nKept.\n",
            );
        }),
        ("other bytes", |desk| {
            desk.put("/w/GEMINI.md", Entry::File(b"\xFF\xFE\xFF".to_vec()));
        }),
        ("removed", |desk| desk.remove("/w/b/GEMINI.md")),
        ("made", |desk| desk.edit("/w/a/GEMINI.md", "mine\n")),
        ("a link", |desk| {
            desk.put("/w/b/GEMINI.md", Entry::Link("../.git/config".to_owned()));
        }),
        ("a link to memory", |desk| {
            desk.put("/w/b/GEMINI.md", Entry::Link("../GEMINI.md".to_owned()));
        }),
        ("a directory that is a link", |desk| {
            desk.put("/w/a", Entry::Link("/h".to_owned()));
        }),
    ];
    for (name, meanwhile) in cases {
        let desk = FakeDesk::parse(&tree);
        let before = |desk: &FakeDesk| {
            [HOME, "/w/GEMINI.md", "/w/a/GEMINI.md", "/w/b/GEMINI.md"].map(|file| {
                let files: &dyn Files = desk;
                files.read_one(Want {
                    path: &path(file),
                    within: Within::Anywhere,
                    limit_bytes: 100,
                })
            })
        };
        desk.person.will_say(Answer::Yes);
        let mut then = None;
        let failure = run(
            &desk,
            &calls,
            || {
                meanwhile(&desk);
                then = Some(before(&desk));
            },
            &FLAGS,
        )
        .unwrap_err();
        assert!(failure.message.contains("/GEMINI.md`"), "{name}: {failure}");
        assert_eq!(Some(before(&desk)), then, "{name}");
        assert!(
            desk.commits().is_empty() && desk.person.asked().is_empty(),
            "{name}"
        );
    }
}

#[test]
fn what_changes_while_a_person_thinks_is_shown_anew_or_told() {
    let desk = Arc::new(FakeDesk::parse(TREE));
    let editor = Arc::clone(&desk);
    let theirs = TREE_OF_OTHERS;
    desk.person
        .will_say_while(Answer::Yes, move || editor.edit("/w/GEMINI.md", theirs));
    desk.person.will_say(Answer::Yes);
    let calls = [edit("GEMINI.md", "tabs", "spaces")];
    assert!(run(&desk, &calls, || (), &FLAGS).unwrap().is_written());
    assert_eq!(
        desk.text("/w/GEMINI.md").unwrap(),
        theirs.replace("tabs", "spaces")
    );
    assert!(desk.person.asked()[1].starts_with("Keep memory in order (anew)"));
    let editor = Arc::clone(&desk);
    desk.person
        .will_say_while(Answer::Yes, move || editor.edit("/w/GEMINI.md", "gone\n"));
    let failure = run(
        &desk,
        &[edit("GEMINI.md", "spaces", "blanks")],
        || (),
        &FLAGS,
    )
    .unwrap_err();
    assert!(failure.message.contains("same lines"), "{failure}");
    assert_eq!(desk.text("/w/GEMINI.md").as_deref(), Some("gone\n"));
}

const TREE_OF_OTHERS: &str = "# Project\n\n- Use tabs\n- Port 8081\n\nKept.\nAnd this.\n";

#[test]
fn a_secret_stops_all_of_it() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w", "/h", &[]);
    let world = desk.world(&around);
    let search = FakeSearch::new(&desk);
    let secret = "key AKIAIOSFODNN7EXAMPLX";
    let allowed: Vec<_> = Guarded { allowed: &[] }
        .find(secret)
        .into_iter()
        .map(|it| it.fingerprint)
        .collect();
    let staged = Staged::new(&desk, &search, allowed.clone());
    let args = json!({"file_path": "x/GEMINI.md", "content": secret});
    assert!(
        call(&staged, &Seen::new(), "write_file", &args).starts_with("Wrote"),
        "it is allowed here"
    );
    let prepared = prepare(&world, &FLAGS).unwrap();
    let pitch = |guarded: &Guarded<'_>| {
        let pitch = Pitch {
            who: "save_memory",
            why: "",
            title: "",
            prepared: &prepared,
            workspace: &workspace(),
            consent: Consent::Given,
            guarded,
        };
        staged.propose(&world, &FLAGS, &pitch)
    };
    assert!(pitch(&Guarded { allowed: &[] }).is_err());
    assert!(desk.commits().is_empty());
    assert!(pitch(&Guarded { allowed: &allowed }).unwrap().is_written());
}

fn ids(desk: &FakeDesk) -> Vec<String> {
    let around = surroundings("/w", "/h", &[]);
    let all = find_entries::all(&desk.world(&around), &FLAGS).unwrap();
    let all = all
        .into_iter()
        .map(|noted| format!("{} {} {}", noted.id, noted.layer.name(), noted.entry.text));
    all.collect()
}

fn change(desk: &FakeDesk, entry: &str, wish: change_entry::Wish<'_>) {
    let around = surroundings("/w", "/h", &[]);
    let yes = Flags { yes: true, ..FLAGS };
    let caller = change_entry::Caller::PERSON;
    change_entry::change_entry(&desk.world(&around), &yes, entry, wish, &[], caller).unwrap();
}

#[test]
fn entries_keep_their_names_when_they_are_moved_or_said_otherwise() {
    let desk = FakeDesk::parse(TREE);
    change(
        &desk,
        "Port 8081",
        change_entry::Wish::Say(Some("Port 8082")),
    );
    let before = ids(&desk);
    let calls = [
        edit("GEMINI.md", "- Port 8082\n", ""),
        edit(HOME, "- Likes tea\n", "- Likes tea\n- Port 8082\n"),
    ];
    desk.person.will_say(Answer::Yes);
    run(&desk, &calls, || (), &FLAGS).unwrap();
    let moved = ids(&desk);
    desk.person.will_say(Answer::Yes);
    run(
        &desk,
        &[edit("GEMINI.md", "Use tabs", "Use four blanks")],
        || (),
        &FLAGS,
    )
    .unwrap();
    expect![[r#"
        [
            [
                "d73e14c0 global Likes tea",
                "13857133 global Likes coffee",
                "0e9ce835 project Use tabs",
                "94268e1c project Port 8082",
            ],
            [
                "d73e14c0 global Likes tea",
                "94268e1c global Port 8082",
                "13857133 global Likes coffee",
                "0e9ce835 project Use tabs",
            ],
            [
                "d73e14c0 global Likes tea",
                "94268e1c global Port 8082",
                "13857133 global Likes coffee",
                "0e9ce835 project Use four blanks",
            ],
        ]
    "#]]
    .assert_debug_eq(&[before, moved, ids(&desk)]);
}

#[test]
fn what_was_forgotten_does_not_come_back_without_a_word() {
    let desk = FakeDesk::parse(TREE);
    change(&desk, "Likes tea", change_entry::Wish::Forget);
    let calls = [edit(
        "GEMINI.md",
        "- Use tabs\n",
        "- Use tabs\n- Likes tea\n",
    )];
    desk.person.will_say(Answer::Yes);
    run(&desk, &calls, || (), &FLAGS).unwrap();
    let asked = desk.person.asked().pop().unwrap();
    assert!(
        asked.contains("! this was forgotten on purpose: \"Likes tea\""),
        "{asked}"
    );
    // It was agreed to, so that it counts as known again.
    let around = surroundings("/w", "/h", &[]);
    let request = remember::Request {
        fact: "Likes tea",
        target: crate::place::Target::named("global"),
        by: By::Model,
        who: "test",
        allowed: &[],
        on_secret: OnSecret::Refuse,
    };
    let yes = Flags { yes: true, ..FLAGS };
    let again = remember::remember(&desk.world(&around), &yes, &request).unwrap();
    let told: Vec<_> = again.problems.iter().map(ToString::to_string).collect();
    assert!(!told.join("\n").contains("forgotten"), "{told:?}");
}
