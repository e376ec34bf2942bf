//! Facts on their way into memory, on a world in memory.

use analects_testkit::{FakeDesk, surroundings};
use analects_world::ask::Answer;

use super::*;
use crate::verbs::FailureKind;

const HOME: &str = "/h/.gemini/GEMINI.md";
const PRIVATE: &str = "/h/.gemini/tmp/app/memory/MEMORY.md";

const REGISTERED: &str = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n\
                          //- /w/app/.git/\n//- /w/app/src/ledger.rs\n";

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

fn with(desk: &FakeDesk, flags: &Flags, request: &Request<'_>) -> Result<Remembered, Failure> {
    let around = surroundings("/w/app", "/h", &[]);
    remember(&desk.world(&around), flags, request)
}

fn agreed() -> Flags {
    Flags {
        yes: true,
        trust: true,
        ..Flags::default()
    }
}

fn codes_of(remembered: &Remembered) -> Vec<&'static str> {
    let problems = remembered.problems.iter();
    problems.map(|problem| problem.code.name).collect()
}

#[test]
fn a_fact_goes_where_it_belongs_and_is_told_why() {
    let desk = FakeDesk::parse(REGISTERED);
    let mine = with(&desk, &agreed(), &request("I always use tabs")).unwrap();
    assert_eq!(mine.place.path.as_str(), HOME);
    assert!(!mine.place.because.is_empty());
    let its = with(&desk, &agreed(), &request("This project needs Node 20")).unwrap();
    assert_eq!(its.place.path.as_str(), PRIVATE);
    assert_eq!(
        desk.text(PRIVATE).as_deref(),
        Some("- This project needs Node 20\n")
    );
    assert_eq!(
        desk.text(HOME).as_deref(),
        Some("## Gemini Added Memories\n- I always use tabs\n")
    );
    assert!(mine.decided.is_written() && its.decided.is_written());
}

#[test]
fn an_old_private_file_that_is_alone_stays_in_use() {
    let old = "/h/.gemini/tmp/app/memory/GEMINI.md";
    let tree = format!("{REGISTERED}//- {old}\n# Mine\n");
    let desk = FakeDesk::parse(&tree);
    let private = Request {
        target: Target::Private,
        ..request("x y z")
    };
    let remembered = with(&desk, &agreed(), &private).unwrap();
    assert_eq!(remembered.place.path.as_str(), old);
    let expected = "# Mine\n\n## Gemini Added Memories\n- x y z\n";
    assert_eq!(desk.text(old).as_deref(), Some(expected));
    let desk = FakeDesk::parse(&format!("{tree}//- {PRIVATE}\n"));
    let remembered = with(&desk, &agreed(), &private).unwrap();
    assert_eq!(remembered.place.path.as_str(), PRIVATE);
}

#[test]
fn a_project_without_a_folder_gets_one_but_only_when_something_is_written() {
    let desk = FakeDesk::parse("//- /w/app/.git/\n");
    let private = Request {
        target: Target::Private,
        ..request("x y z")
    };
    let look = Flags {
        dry_run: true,
        ..agreed()
    };
    let shown = with(&desk, &look, &private).unwrap();
    assert!(shown.decided.diff.contains("+- x y z"));
    assert!(desk.commits().is_empty());
    with(&desk, &agreed(), &private).unwrap();
    assert_eq!(desk.text(PRIVATE).as_deref(), Some("- x y z\n"));
}

#[test]
fn the_committed_file_is_the_one_that_is_there_and_needs_trust() {
    let desk = FakeDesk::parse(&format!("{REGISTERED}//- /w/app/AGENTS.md\n# A\n"));
    let committed = Request {
        target: Target::Project,
        ..request("x y z")
    };
    let untrusted = Flags {
        trust: false,
        ..agreed()
    };
    let refused = with(&desk, &untrusted, &committed).unwrap_err();
    assert!(refused.message.contains("not trusted"), "{refused}");
    with(&desk, &agreed(), &committed).unwrap();
    let expected = "# A\n\n## Gemini Added Memories\n- x y z\n";
    assert_eq!(desk.text("/w/app/AGENTS.md").as_deref(), Some(expected));
    let elsewhere = Request {
        target: Target::Dir("/etc"),
        ..committed
    };
    let refused = with(&desk, &agreed(), &elsewhere).unwrap_err();
    assert_eq!(refused.kind, FailureKind::BadInput);
    let below = Request {
        target: Target::Dir("src"),
        ..committed
    };
    let below = with(&desk, &agreed(), &below).unwrap();
    assert_eq!(below.place.path.as_str(), "/w/app/src/GEMINI.md");
}

#[test]
fn nothing_goes_where_no_memory_is_loaded_from() {
    let tree = "//- /w/app/node_modules/x/\n//- /w/app/target/debug/\n//- /w/app/.gemini/\n";
    let desk = FakeDesk::parse(&format!("{REGISTERED}{tree}"));
    let put = |dir: &str| {
        let request = Request {
            target: Target::Dir(dir),
            ..request("x y z")
        };
        with(&desk, &agreed(), &request)
    };
    for dir in [".git", "node_modules/x", "target", "src/../target/debug"] {
        let refused = put(dir).unwrap_err();
        assert!(refused.message.contains("no memory is loaded"), "{refused}");
        assert_eq!(refused.kind, FailureKind::BadInput);
    }
    assert!(put(".gemini").is_ok());
}

#[test]
fn the_same_fact_twice_is_written_once() {
    let desk = FakeDesk::parse(REGISTERED);
    let first = with(&desk, &agreed(), &request("I always use tabs")).unwrap();
    let again = with(&desk, &agreed(), &request(" - I always\nuse tabs")).unwrap();
    assert_eq!(again.id, first.id);
    assert!(!again.decided.is_written() && again.decided.diff.is_empty());
    assert_eq!(codes_of(&again), ["already-known"]);
    assert_eq!(desk.commits().len(), 1);
}

#[test]
fn nearly_the_same_fact_is_a_question_that_yes_answers() {
    let desk = FakeDesk::parse(REGISTERED);
    with(&desk, &agreed(), &request("I always use the tabs")).unwrap();
    let asking = Flags {
        yes: false,
        ..agreed()
    };
    let nobody = with(&desk, &asking, &request("I always use tabs.")).unwrap_err();
    assert!(nobody.hints[0].contains("nearly the same"), "{nobody:?}");
    let added = with(&desk, &agreed(), &request("I always use tabs.")).unwrap();
    assert!(added.decided.is_written());
    assert_eq!(codes_of(&added), ["similar-entry"]);
}

#[test]
fn a_model_that_tells_everyone_about_this_project_is_questioned() {
    let desk = FakeDesk::parse(REGISTERED);
    let told = Request {
        by: By::Model,
        target: Target::Global,
        who: "save_memory",
        ..request("src/ledger.rs holds the accounts of app")
    };
    let asking = Flags {
        yes: false,
        ..agreed()
    };
    desk.person.will_say(Answer::No);
    let declined = with(&desk, &asking, &told).unwrap();
    assert!(declined.decided.is_declined && !declined.decided.is_written());
    assert!(desk.person.asked()[0].contains("names this one"));
    assert_eq!(codes_of(&declined), ["wrong-scope"]);
    assert!(desk.commits().is_empty());
}

#[test]
fn a_person_may_turn_the_question_off_and_models_away() {
    let auto = "//- /h/.gemini/analects.json\n{\"memory\": {\"consent\": \"auto\"}}\n";
    let desk = FakeDesk::parse(&format!("{REGISTERED}{auto}"));
    let asking = Flags {
        yes: false,
        ..agreed()
    };
    let fact = request("I always use tabs");
    assert!(with(&desk, &asking, &fact).unwrap().decided.is_written());
    let off = auto.replace("auto", "off");
    let desk = FakeDesk::parse(&format!("{REGISTERED}{off}"));
    let model = Request {
        by: By::Model,
        ..fact
    };
    assert!(with(&desk, &agreed(), &model).is_err());
    assert!(with(&desk, &agreed(), &fact).unwrap().decided.is_written());
    // A project may not take the question away.
    let theirs = "//- /w/app/.gemini/analects.json\n{\"memory\": {\"consent\": \"auto\"}}\n";
    let desk = FakeDesk::parse(&format!("{REGISTERED}{theirs}"));
    assert!(with(&desk, &asking, &fact).is_err());
}

#[test]
fn a_layer_over_its_budget_names_its_heaviest_entries() {
    let heavy = "word ".repeat(600);
    let tree = format!(
        "{REGISTERED}//- /h/.gemini/analects.json\n{{\"context\": {{\"layerMaxTokens\": 400}}}}\n\
         //- {HOME}\n- light\n- {heavy}\n"
    );
    let desk = FakeDesk::parse(&tree);
    let added = with(&desk, &agreed(), &request("I always use tabs")).unwrap();
    assert!(added.decided.is_written());
    let told = &added.problems[0];
    assert_eq!(told.code.name, "over-budget");
    let heaviest = told.message.find("word word").unwrap();
    assert!(
        heaviest < told.message.find("light").unwrap(),
        "{}",
        told.message
    );
}

#[test]
fn facts_that_say_nothing_or_too_much_are_refused() {
    let desk = FakeDesk::parse(REGISTERED);
    for fact in [
        "",
        "  ",
        "-",
        "---",
        "\0\0",
        "\u{200B}",
        &"x".repeat(1 << 20),
    ] {
        let refused = with(&desk, &agreed(), &request(fact)).unwrap_err();
        assert_eq!(refused.kind, FailureKind::BadInput);
        assert!(!refused.hints.is_empty());
    }
    assert!(desk.commits().is_empty());
}

#[test]
fn a_file_that_is_no_text_is_left_alone() {
    let desk = FakeDesk::new(analects_testkit::FakeFiles::new(
        &analects_testkit::Fixture::parse(REGISTERED)
            .with(HOME, analects_testkit::Entry::File(vec![0xFF, 0xFE, 0xFD])),
    ));
    let refused = with(&desk, &agreed(), &request("I always use tabs")).unwrap_err();
    assert!(refused.message.contains("not UTF-8"), "{refused}");
    let desk = FakeDesk::parse(&format!("{REGISTERED}//- {HOME}/\n"));
    let refused = with(&desk, &agreed(), &request("I always use tabs")).unwrap_err();
    assert!(refused.message.contains("a directory"), "{refused}");
}

#[test]
fn notes_go_to_no_folder_that_has_become_another_projects() {
    let desk = std::sync::Arc::new(FakeDesk::parse("//- /a/app/.git/\n//- /b/app/.git/\n"));
    let note = |desk: &FakeDesk, cwd: &str, fact: &str, flags: &Flags| {
        let around = surroundings(cwd, "/h", &[]);
        let private = Request {
            target: Target::Private,
            ..request(fact)
        };
        remember(&desk.world(&around), flags, &private).unwrap()
    };
    let asking = Flags {
        yes: false,
        ..agreed()
    };
    let other = std::sync::Arc::clone(&desk);
    desk.person.will_say_while(Answer::Yes, move || {
        note(&other, "/b/app", "B: the door code is blue", &agreed());
    });
    desk.person.will_say(Answer::Yes);
    let noted = note(&desk, "/a/app", "A: the client is Kelp", &asking);
    assert_eq!(
        noted.place.path.as_str(),
        "/h/.gemini/tmp/app-1/memory/MEMORY.md"
    );
    let theirs = desk.text(PRIVATE).unwrap();
    assert_eq!(theirs, "- B: the door code is blue\n");
    let asked = desk.person.asked();
    assert!(
        asked[1].contains("(anew)") && asked[1].contains("app-1"),
        "{asked:?}"
    );
}

#[test]
fn a_name_that_leads_out_of_the_project_is_no_name() {
    for name in ["../up.md", "/w/up.md", "a/../../up.md"] {
        let names = format!("{{\"context\": {{\"fileName\": [\"{name}\"]}}}}");
        let tree = format!("{REGISTERED}//- /w/app/.gemini/settings.json\n{names}\n");
        let desk = FakeDesk::parse(&tree);
        let committed = Request {
            target: Target::Project,
            ..request("x y z")
        };
        let noted = with(&desk, &agreed(), &committed).unwrap();
        assert_eq!(noted.place.path.as_str(), "/w/app/GEMINI.md");
        assert_eq!(desk.text("/w/up.md"), None);
    }
}

#[test]
fn a_directory_by_another_name_is_held_in_the_project() {
    let desk = FakeDesk::parse(&format!(
        "{REGISTERED}//- /links/src -> /w/app/src\n//- /out/GEMINI.md\n# Theirs\n\
         //- /w/app/src/GEMINI.md -> /out/GEMINI.md\n"
    ));
    let below = Request {
        target: Target::Dir("/links/src"),
        ..request("x y z")
    };
    let refused = with(&desk, &agreed(), &below).unwrap_err();
    assert!(
        refused.message.contains("leads out of the project"),
        "{refused}"
    );
    assert_eq!(desk.text("/out/GEMINI.md").as_deref(), Some("# Theirs\n"));
}

#[test]
fn home_is_no_project() {
    let desk = FakeDesk::parse("//- /h/\n");
    let around = surroundings("/h", "/h", &[]);
    let committed = Request {
        target: Target::Project,
        ..request("x y z")
    };
    let refused = remember(&desk.world(&around), &agreed(), &committed).unwrap_err();
    assert!(refused.message.contains("no project"), "{refused}");
    assert!(refused.hints[0].contains("--to global"), "{refused:?}");
    assert!(desk.commits().is_empty());
}

#[test]
fn a_private_key_is_refused_though_its_dashes_look_like_bullets() {
    let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n".repeat(3);
    let (begin, end) = (
        ["-----BEGIN ", "OPENSSH PRIVATE KEY-----"].concat(),
        ["-----END ", "OPENSSH PRIVATE KEY-----"].concat(),
    );
    let key = format!("{begin}\n{body}{end}\n");
    let desk = FakeDesk::parse(REGISTERED);
    for fact in [key.clone(), key.trim_start_matches('-').to_owned()] {
        let refused = with(&desk, &agreed(), &request(&fact)).unwrap_err();
        assert!(refused.message.contains("Private key"), "{refused}");
        let redacted = Request {
            on_secret: OnSecret::Redact,
            ..request(&fact)
        };
        let kept = with(&desk, &agreed(), &redacted).unwrap();
        assert_eq!(kept.text, "[redacted: private-key]");
    }
}
