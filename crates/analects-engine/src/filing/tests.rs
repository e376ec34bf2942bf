//! Facts on their way into the file they belong in, on a world in memory.

use analects_testkit::{FakeDesk, surroundings};
use analects_world::ask::{Answer, Reply};
use expect_test::{Expect, expect};

use super::*;
use crate::history;
use crate::remember::{By, OnSecret};
use crate::save_memory::{self, SaveMemory};
use crate::verbs::Verb;
use crate::verbs::memory;

const HOME: &str = "/h/.gemini/GEMINI.md";
const ROOT: &str = "/w/app/GEMINI.md";
const AUTH: &str = "/w/app/src/auth/GEMINI.md";
const PRIVATE: &str = "/h/.gemini/tmp/app/memory/MEMORY.md";

const TREE: &str = "//- /h/.gemini/analects.json\n{\"memory\": {\"writer\": \"manager\"}}\n\
                    //- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n\
                    //- /w/app/.git/\n//- /w/app/src/auth/login.ts\n//- /w/app/src/billing/invoice.ts\n";

fn request(fact: &str) -> Request<'_> {
    Request {
        fact,
        target: Target::Routed,
        by: By::Person,
        who: "memory add",
        allowed: &[],
        on_secret: OnSecret::Refuse,
    }
}

const TRUSTED: Flags = Flags {
    trust: true,
    yes: false,
    dry_run: false,
    no_memory: false,
};

fn agreed() -> Flags {
    Flags {
        yes: true,
        ..TRUSTED
    }
}

fn filed(desk: &FakeDesk, flags: &Flags, fact: &str) -> Result<Remembered, Failure> {
    let around = surroundings("/w/app", "/h", &[]);
    file(&desk.world(&around), flags, &request(fact))
}

fn codes_of(remembered: &Remembered) -> Vec<&'static str> {
    let problems = remembered.problems.iter();
    problems.map(|problem| problem.code.name).collect()
}

fn check_asked(desk: &FakeDesk, expected: Expect) {
    expected.assert_eq(&desk.person.asked().join("===\n"));
}

#[test]
fn facts_go_to_the_four_places() {
    let desk = FakeDesk::parse(TREE);
    for (fact, path) in [
        ("I always use tabs", HOME),
        ("This project needs Node 20", ROOT),
        ("In this project I only review changes", PRIVATE),
        ("The auth module keeps no passwords", AUTH),
    ] {
        let remembered = filed(&desk, &agreed(), fact).unwrap();
        assert_eq!(remembered.place.path.as_str(), path, "{fact}");
        assert!(remembered.decided.is_written() && remembered.problems.is_empty());
        assert!(desk.text(path).unwrap().contains(fact), "{fact}");
    }
}

#[test]
fn what_is_about_a_place_without_memory_goes_to_the_project() {
    let built = "//- /w/app/target/debug/app.d\n//- /w/app/node_modules/left/index.js\n";
    let desk = FakeDesk::parse(&format!("{TREE}{built}"));
    for fact in [
        "In target/debug the files are never edited by hand",
        "Files below node_modules/left must not be edited",
    ] {
        let remembered = filed(&desk, &agreed(), fact).unwrap();
        assert_eq!(remembered.place.path.as_str(), ROOT, "{fact}");
    }
}

#[test]
fn the_root_file_tells_of_a_directory_once_and_in_the_same_change() {
    let desk = FakeDesk::parse(&format!("{TREE}//- {ROOT}\n# App\n"));
    desk.person.will_say(Answer::Yes);
    let fact = "The auth module keeps no passwords";
    let first = filed(&desk, &TRUSTED, fact).unwrap();
    check_asked(
        &desk,
        expect![[r#"
        Remember in /w/app/src/auth/GEMINI.md
        --- /dev/null	Current
        +++ /w/app/src/auth/GEMINI.md	Proposed
        @@ -0,0 +1,2 @@
        +## Gemini Added Memories
        +- The auth module keeps no passwords
        --- /w/app/GEMINI.md	Current
        +++ /w/app/GEMINI.md	Proposed
        @@ -1 +1,4 @@
         # App
        +
        +## Gemini Added Memories
        +- See `src/auth/GEMINI.md` for what holds in `src/auth` alone.
    "#]],
    );
    assert_eq!(desk.commits().len(), 1);
    filed(&desk, &agreed(), "src/auth/login.ts wants a rewrite").unwrap();
    expect![[r#"
        # App

        ## Gemini Added Memories
        - See `src/auth/GEMINI.md` for what holds in `src/auth` alone.
    "#]]
    .assert_eq(&desk.text(ROOT).unwrap());
    expect![[r#"
        ## Gemini Added Memories
        - The auth module keeps no passwords
        - src/auth/login.ts wants a rewrite
    "#]]
    .assert_eq(&desk.text(AUTH).unwrap());
    // It is no import.
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let prepared = load_memory::prepare(&world, &TRUSTED).unwrap();
    let started = prepared.start(world);
    assert!(started.loaded.iter().all(|file| file.imports.is_empty()));
    // And goes with the fact.
    let newest = desk.commits().len();
    history::undo(&world, &agreed(), None).unwrap();
    assert_eq!(desk.commits().len(), newest + 1);
    assert!(!desk.text(AUTH).unwrap().contains("rewrite"));
    history::undo(&world, &agreed(), first.decided.commit()).unwrap();
    assert_eq!(desk.text(ROOT).as_deref(), Some("# App\n"));
    assert_eq!(desk.text(AUTH), None);
}

#[test]
fn a_root_file_that_tells_already_is_left_alone() {
    let told = "- @src/auth/GEMINI.md\n";
    let desk = FakeDesk::parse(&format!("{TREE}//- {ROOT}\n{told}//- {AUTH}\n# Auth\n"));
    filed(&desk, &agreed(), "The auth module keeps no passwords").unwrap();
    assert_eq!(desk.text(ROOT).as_deref(), Some(told));
}

#[test]
fn the_project_file_is_the_one_that_is_there() {
    let fact = "This project needs Node 20";
    for (there, path) in [
        (
            "//- /w/app/.gemini/GEMINI.md\n# A\n",
            "/w/app/.gemini/GEMINI.md",
        ),
        (
            "//- /w/app/.gemini/AGENTS.md\n# A\n",
            "/w/app/.gemini/AGENTS.md",
        ),
        (
            "//- /w/app/AGENTS.md\n# A\n//- /w/app/.gemini/GEMINI.md\n# B\n",
            "/w/app/AGENTS.md",
        ),
        ("", ROOT),
    ] {
        let desk = FakeDesk::parse(&format!("{TREE}{there}"));
        let remembered = filed(&desk, &agreed(), fact).unwrap();
        assert_eq!(remembered.place.path.as_str(), path);
    }
}

#[test]
fn what_could_hold_everywhere_is_asked_once() {
    let desk = FakeDesk::parse(TREE);
    desk.person.will_reply(Reply::Chose(1));
    desk.person.will_say(Answer::Yes);
    let everywhere = filed(&desk, &TRUSTED, "Use conventional commits").unwrap();
    assert_eq!(everywhere.place.path.as_str(), HOME);
    assert_eq!(everywhere.place.because, "you said so");
    check_asked(
        &desk,
        expect![[r#"
        Where should this hold? "Use conventional commits"
        0. this project /w/app/GEMINI.md, shared with everybody who works on it
        1. all projects /h/.gemini/GEMINI.md, your own
        ===
        Remember in /h/.gemini/GEMINI.md
        --- /dev/null	Current
        +++ /h/.gemini/GEMINI.md	Proposed
        @@ -0,0 +1,2 @@
        +## Gemini Added Memories
        +- Use conventional commits
    "#]],
    );
    let desk = FakeDesk::parse(TREE);
    desk.person.will_reply(Reply::Chose(0));
    desk.person.will_say(Answer::Yes);
    let here = filed(&desk, &TRUSTED, "Use conventional commits").unwrap();
    assert_eq!(here.place.path.as_str(), ROOT);
    assert!(here.problems.is_empty());
}

#[test]
fn who_does_not_say_where_gets_nothing_written() {
    for reply in [Reply::Declined, Reply::Said("hm".to_owned())] {
        let desk = FakeDesk::parse(TREE);
        desk.person.will_reply(reply);
        let declined = filed(&desk, &TRUSTED, "Use conventional commits").unwrap();
        assert!(declined.decided.is_declined && !declined.decided.is_written());
        assert!(
            declined
                .decided
                .diff
                .contains("+- Use conventional commits")
        );
        assert!(desk.commits().is_empty());
    }
}

#[test]
fn where_nobody_is_the_narrower_place_is_taken_and_said() {
    let desk = FakeDesk::parse(TREE);
    let assumed = filed(&desk, &agreed(), "Use conventional commits").unwrap();
    assert_eq!(assumed.place.path.as_str(), ROOT);
    assert_eq!(codes_of(&assumed), ["place-assumed"]);
    assert!(desk.person.asked().is_empty());
    expect![[r#"it may be meant for "this project" or for "all projects" (/h/.gemini/GEMINI.md), and nobody was asked; it goes to the narrower"#]].assert_eq(&assumed.problems[0].message);
    // Without consent nothing is written, whoever was not there.
    let desk = FakeDesk::parse(TREE);
    assert!(filed(&desk, &TRUSTED, "Use conventional commits").is_err());
    assert!(desk.commits().is_empty());
}

#[test]
fn what_some_layer_says_already_is_not_said_again() {
    let auth = format!("//- {AUTH}\n- Tokens live in src/auth for an hour\n");
    let desk = FakeDesk::parse(&format!(
        "{TREE}//- {HOME}\n- Use conventional commits\n{auth}"
    ));
    for (fact, path, code) in [
        // No question is asked about it either.
        ("Use conventional commits", HOME, "already-known"),
        ("Please use conventional commits.", HOME, "similar-entry"),
        ("Tokens live in src/auth for an hour", AUTH, "already-known"),
    ] {
        let known = filed(&desk, &TRUSTED, fact).unwrap();
        assert_eq!(known.place.path.as_str(), path, "{fact}");
        assert_eq!(codes_of(&known), [code]);
        assert!(!known.decided.is_written() && known.decided.diff.is_empty());
        assert!(known.problems[0].line.is_some());
    }
    assert!(desk.person.asked().is_empty() && desk.commits().is_empty());
    let near = filed(&desk, &TRUSTED, "Please use conventional commits.").unwrap();
    assert_eq!(near.text, "Use conventional commits");
    assert!(near.problems[0].message.contains(&near.id));
}

#[test]
fn what_holds_in_another_directory_is_no_twin() {
    let said = "- Tokens here are opaque\n";
    let desk = FakeDesk::parse(&format!("{TREE}//- /w/app/src/billing/GEMINI.md\n{said}"));
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let prepared = load_memory::prepare(&world, &TRUSTED).unwrap();
    let survey = check::survey(&world, &prepared, MAX_DIRS).unwrap();
    let mut started = prepared.start(world);
    check::touch_all(&world, &prepared, &mut started, &survey);
    let fact = Fact::clean("Tokens here are opaque").unwrap();
    let twin = |dir: &str| {
        let reach = AbsPath::new(dir).unwrap();
        let known = Known::read(&world, &started, reach).unwrap();
        known.twin_of(&fact).is_some()
    };
    assert!(twin("/w/app") && twin("/w/app/src/billing"));
    assert!(!twin("/w/app/src/auth"));
}

#[test]
fn what_cannot_hold_beside_another_is_a_doubt() {
    let desk = FakeDesk::parse(&format!(
        "{TREE}//- {ROOT}\n- The database of this project listens on port 5432\n- Use spaces\n"
    ));
    desk.person.will_say(Answer::No);
    let fact = "The database of this project listens on port 5433";
    let clashing = filed(&desk, &TRUSTED, fact).unwrap();
    assert_eq!(codes_of(&clashing), ["clashing-entry"]);
    assert!(clashing.decided.is_declined);
    check_asked(
        &desk,
        expect![[r#"
        Remember in /w/app/GEMINI.md
        ! it says "5433" where "The database of this project listens on port 5432" says "5432" (ae8d8715 in /w/app/GEMINI.md)
        --- /w/app/GEMINI.md	Current
        +++ /w/app/GEMINI.md	Proposed
        @@ -1,2 +1,5 @@
         - The database of this project listens on port 5432
         - Use spaces
        +
        +## Gemini Added Memories
        +- The database of this project listens on port 5433
    "#]],
    );
    let clashing = filed(&desk, &agreed(), "I prefer tabs").unwrap();
    assert_eq!(codes_of(&clashing), ["clashing-entry"]);
    assert!(clashing.decided.is_written());
}

#[test]
fn a_project_that_is_not_trusted_is_not_written() {
    let desk = FakeDesk::parse(&format!("{TREE}//- {ROOT}\n# App\n"));
    let flags = Flags {
        trust: false,
        ..agreed()
    };
    for fact in [
        "This project needs Node 20",
        "The auth module keeps no passwords",
    ] {
        let kept = filed(&desk, &flags, fact).unwrap();
        assert_eq!(kept.place.path.as_str(), PRIVATE);
        assert_eq!(codes_of(&kept), ["kept-private"]);
    }
    assert_eq!(desk.text(ROOT).as_deref(), Some("# App\n"));
    assert_eq!(desk.text(AUTH), None);
    let asked = filed(&desk, &flags, "Use conventional commits").unwrap();
    assert_eq!(asked.place.path.as_str(), PRIVATE);
    assert_eq!(codes_of(&asked), ["kept-private", "place-assumed"]);
}

#[test]
fn a_secret_is_refused_and_what_was_forgotten_is_not_learned_again() {
    let desk = FakeDesk::parse(TREE);
    let secret = "This project's key is AKIAIOSFODNN7EXAMPLQ";
    assert!(filed(&desk, &agreed(), secret).is_err());
    assert!(desk.commits().is_empty());
    let auto = r#"{"memory": {"writer": "manager", "consent": "auto"}}"#;
    desk.edit("/h/.gemini/analects.json", auto);
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let learned = Request {
        by: By::Model,
        ..request("I like green tea")
    };
    assert!(
        file(&world, &TRUSTED, &learned)
            .unwrap()
            .decided
            .is_written()
    );
    let forget = memory::Forget {
        entry: "green tea".to_owned(),
    };
    forget.run(&world, &TRUSTED).unwrap();
    assert!(file(&world, &TRUSTED, &learned).is_err());
    desk.person.will_say(Answer::Yes);
    let again = file(&world, &TRUSTED, &learned).unwrap();
    assert_eq!(codes_of(&again), ["forgotten-before"]);
}

#[test]
fn a_file_that_changes_meanwhile_is_shown_anew() {
    let desk = std::sync::Arc::new(FakeDesk::parse(&format!("{TREE}//- {ROOT}\n# App\n")));
    let other = desk.clone();
    desk.person.will_say_while(Answer::Yes, move || {
        other.edit(ROOT, "# App\n\nMore.\n");
    });
    desk.person.will_say(Answer::Yes);
    filed(&desk, &TRUSTED, "The auth module keeps no passwords").unwrap();
    assert_eq!(desk.person.asked().len(), 2);
    let text = desk.text(ROOT).unwrap();
    assert!(text.contains("More.") && text.contains("src/auth/GEMINI.md"));
}

#[test]
fn the_verb_and_the_tool_file_where_the_settings_say_so() {
    let around = surroundings("/w/app", "/h", &[]);
    let add = memory::Add {
        fact: "This project needs Node 20".to_owned(),
        scope: None,
        to: None,
        redact: false,
        allow: Vec::new(),
    };
    let call = SaveMemory {
        fact: "Use conventional commits".to_owned(),
        scope: None,
    };
    let desk = FakeDesk::parse(TREE);
    let world = desk.world(&around);
    assert_eq!(add.run(&world, &agreed()).unwrap().path, ROOT);
    let saved = save_memory::save_memory(&world, &agreed(), &call, "save_memory");
    expect![[r#"{"success":true,"message":"Remembered as 86fa161b: \"Use conventional commits\"; but it may be meant for \"this project\" or for \"all projects\" (/h/.gemini/GEMINI.md), and nobody was asked; it goes to the narrower"}"#]].assert_eq(&serde_json::to_string(&saved).unwrap());
    let direct = TREE.replace("manager", "direct");
    let desk = FakeDesk::parse(&direct);
    let world = desk.world(&around);
    assert_eq!(add.run(&world, &agreed()).unwrap().path, PRIVATE);
    let saved = save_memory::save_memory(&world, &agreed(), &call, "save_memory");
    assert!(saved.is_success());
    assert!(desk.text(HOME).unwrap().contains("conventional"));
    // A place that was named counts.
    let desk = FakeDesk::parse(TREE);
    let world = desk.world(&around);
    let named = memory::Add {
        to: Some("global".to_owned()),
        ..add
    };
    assert_eq!(named.run(&world, &agreed()).unwrap().path, HOME);
}
