//! Entries forgotten, changed and moved, on a world in memory.

use analects_memory::layer::Layer;
use analects_testkit::{FakeDesk, surroundings};
use analects_world::changes::Access;
use expect_test::expect;

use super::*;
use crate::find_entries;
use crate::history::undo;
use crate::verbs::FailureKind;

const HOME: &str = "/h/.gemini/GEMINI.md";
const PRIVATE: &str = "/h/.gemini/tmp/app/memory/MEMORY.md";
const TREE: &str = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/app\": \"app\"}}\n\
                    //- /w/app/.git/\n\
                    //- /h/.gemini/GEMINI.md\n# Me\n\n- Likes tea\n- Likes coffee\n\n## Gemini Added Memories\n- Port 8081\n\
                    //- /w/app/GEMINI.md\n- Use tabs\n@./more.md\n\
                    //- /w/app/more.md\n* Use Rust\n";

fn change(desk: &FakeDesk, entry: &str, wish: Wish<'_>) -> Result<Changed, Failure> {
    let around = surroundings("/w/app", "/h", &[]);
    change_entry(
        &desk.world(&around),
        &FLAGS,
        entry,
        wish,
        &[],
        Caller::PERSON,
    )
}

const FLAGS: Flags = Flags {
    trust: true,
    yes: true,
    no_memory: false,
    dry_run: false,
};

fn listed(desk: &FakeDesk) -> Vec<(String, Layer, String)> {
    let around = surroundings("/w/app", "/h", &[]);
    let all = find_entries::all(&desk.world(&around), &FLAGS).unwrap();
    all.into_iter()
        .map(|noted| (noted.id, noted.layer, noted.entry.text))
        .collect()
}

fn id_of(desk: &FakeDesk, text: &str) -> String {
    let all = listed(desk);
    all.into_iter().find(|entry| entry.2 == text).unwrap().0
}

#[test]
fn entries_of_all_files_and_their_imports_have_names() {
    let desk = FakeDesk::parse(TREE);
    let shown: String = listed(&desk)
        .iter()
        .map(|(id, layer, text)| format!("{id} {} {text}\n", layer.name()))
        .collect();
    expect![[r#"
        d73e14c0 global Likes tea
        13857133 global Likes coffee
        94268e1c global Port 8081
        b6b566b2 project Use tabs @./more.md
        69716144 project Use Rust
    "#]]
    .assert_eq(&shown);
}

#[test]
fn an_entry_is_forgotten_by_its_name_and_stays_forgotten() {
    let desk = FakeDesk::parse(TREE);
    let id = id_of(&desk, "Port 8081");
    let gone = change(&desk, &id, Wish::Forget).unwrap();
    assert_eq!(gone.text, None);
    let expected = "# Me\n\n- Likes tea\n- Likes coffee\n\n## Gemini Added Memories\n";
    assert_eq!(desk.text(HOME).as_deref(), Some(expected));
    let around = surroundings("/w/app", "/h", &[]);
    let book = Book::read(&desk.world(&around), &desk).unwrap();
    assert!(book.is_forgotten("Port 8081"));
    assert!(!book.is_forgotten("Port 9000"));
    let stored = desk.text("/h/.gemini/analects/entries.json").unwrap();
    assert!(
        !stored.contains("8081"),
        "a tombstone does not say what it was"
    );
}

#[test]
fn words_that_one_entry_says_mean_that_entry() {
    let desk = FakeDesk::parse(TREE);
    assert_eq!(
        change(&desk, "COFFEE", Wish::Forget)
            .unwrap()
            .was
            .entry
            .text,
        "Likes coffee"
    );
    let several = change(&FakeDesk::parse(TREE), "likes", Wish::Forget).unwrap_err();
    assert_eq!(several.kind, FailureKind::BadInput);
    assert_eq!(several.hints.len(), 2);
    let none = change(&desk, "unheard of", Wish::Forget).unwrap_err();
    assert_eq!(none.kind, FailureKind::BadInput);
    assert!(change(&desk, " ", Wish::Forget).is_err());
}

#[test]
fn an_entry_keeps_its_name_when_it_is_changed_or_moved() {
    let desk = FakeDesk::parse(TREE);
    let id = id_of(&desk, "Likes tea");
    change(&desk, &id, Wish::Say(Some("Likes green tea"))).unwrap();
    assert_eq!(id_of(&desk, "Likes green tea"), id);
    change(&desk, &id, Wish::Move("private")).unwrap();
    assert_eq!(id_of(&desk, "Likes green tea"), id);
    assert_eq!(desk.text(PRIVATE).as_deref(), Some("- Likes green tea\n"));
    assert!(!desk.text(HOME).unwrap().contains("tea"));
    change(&desk, &id, Wish::Move("project")).unwrap();
    let project = desk.text("/w/app/GEMINI.md").unwrap();
    assert!(project.ends_with("## Gemini Added Memories\n- Likes green tea\n"));
    assert_eq!(desk.text(PRIVATE).as_deref(), Some(""));
    let there = change(&desk, &id, Wish::Move("project")).unwrap_err();
    assert_eq!(there.kind, FailureKind::BadInput);
}

#[test]
fn a_private_file_is_made_for_its_owner_alone_by_a_move_and_by_undo() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/app", "/h", &[]);
    let access = || {
        let (changes, _) = desk.commits().pop().unwrap();
        let mut files = changes.files.into_iter();
        files
            .find(|file| file.path.as_str() == PRIVATE)
            .unwrap()
            .access
    };
    change(&desk, "Likes tea", Wish::Move("private")).unwrap();
    assert_eq!(access(), Access::OwnerOnly);
    let world = desk.world(&around);
    undo(&world, &FLAGS, None).unwrap();
    assert_eq!(desk.text(PRIVATE), None);
    undo(&world, &FLAGS, Some("1")).unwrap();
    assert_eq!(desk.text(PRIVATE).as_deref(), Some("- Likes tea\n"));
    assert_eq!(access(), Access::OwnerOnly);
}

#[test]
fn a_name_survives_a_change_by_hand() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/app", "/h", &[]);
    let request = remember::Request {
        fact: "The staging server is called hedgehog",
        target: Target::Global,
        by: remember::By::Person,
        who: "memory add",
        allowed: &[],
        on_secret: remember::OnSecret::Refuse,
    };
    let added = remember::remember(&desk.world(&around), &FLAGS, &request).unwrap();
    let by_hand = desk
        .text(HOME)
        .unwrap()
        .replace("is called hedgehog", "is called the hedgehog");
    desk.edit(HOME, &by_hand);
    let gone = change(&desk, &added.id, Wish::Forget).unwrap();
    assert_eq!(
        gone.was.entry.text,
        "The staging server is called the hedgehog"
    );
}

#[test]
fn an_editor_may_be_used() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/app", "/h", &[]);
    desk.person.will_edit("Likes\nwhite tea\n");
    desk.person.will_say(analects_world::ask::Answer::Yes);
    let asking = Flags {
        yes: false,
        ..FLAGS
    };
    let world = desk.world(&around);
    change_entry(
        &world,
        &asking,
        "Likes tea",
        Wish::Say(None),
        &[],
        Caller::PERSON,
    )
    .unwrap();
    assert!(desk.text(HOME).unwrap().contains("- Likes white tea\n"));
}

#[test]
fn a_model_is_named_in_the_journal_and_stopped_by_the_setting() {
    let around = surroundings("/w/app", "/h", &[]);
    let model = Caller {
        by: By::Model,
        who: Some("forget_memory via a client"),
    };
    let forget = |desk: &FakeDesk| {
        let world = desk.world(&around);
        change_entry(&world, &FLAGS, "Likes tea", Wish::Forget, &[], model)
    };
    let desk = FakeDesk::parse(TREE);
    assert!(forget(&desk).unwrap().decided.is_written());
    assert_eq!(desk.commits()[0].0.who, "forget_memory via a client");
    let off = "//- /h/.gemini/analects.json\n{\"memory\": {\"consent\": \"off\"}}\n";
    let desk = FakeDesk::parse(&format!("{TREE}{off}"));
    let refused = forget(&desk).unwrap_err();
    assert!(
        refused.message.contains("not written by models"),
        "{refused}"
    );
    assert!(desk.commits().is_empty());
}

#[test]
fn a_move_to_a_file_that_ends_up_the_same_loses_nothing() {
    let only = "## Gemini Added Memories\n- The staging port is 6380\n";
    let desk = FakeDesk::parse(&format!("//- /w/app/.git/\n//- /w/app/GEMINI.md\n{only}"));
    change(&desk, "staging port", Wish::Move("global")).unwrap();
    assert_eq!(desk.text(HOME).as_deref(), Some(only));
    let left = desk.text("/w/app/GEMINI.md").unwrap();
    assert!(!left.contains("6380"), "{left}");
}

#[test]
fn what_is_moved_is_written_before_it_is_taken_away() {
    let desk = FakeDesk::parse(TREE);
    change(&desk, "Likes tea", Wish::Move("private")).unwrap();
    let (changes, _) = desk.commits().pop().unwrap();
    let paths: Vec<_> = changes
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(paths[..2], [PRIVATE, HOME]);
}

#[test]
fn an_entry_of_several_lines_is_moved_and_edited_in_its_lines() {
    let entry = "* Build:\n  - first\n\n  ```sh\n  make\n  ```\n";
    let desk = FakeDesk::parse(&format!("{TREE}//- /w/app/more.md\n{entry}"));
    change(&desk, "Build:", Wish::Move("private")).unwrap();
    let moved = entry.replace("* Build", "- Build");
    assert_eq!(desk.text(PRIVATE).as_deref(), Some(moved.as_str()));
    let around = surroundings("/w/app", "/h", &[]);
    let asking = Flags {
        yes: false,
        ..FLAGS
    };
    let edit = |text: &str| {
        desk.person.will_edit(text);
        desk.person.will_say(analects_world::ask::Answer::Yes);
        let world = desk.world(&around);
        let by = Caller::PERSON;
        change_entry(&world, &asking, "Build:", Wish::Say(None), &[], by).unwrap()
    };
    let same = edit("Build:\n- first\n\n```sh\nmake\n```\n");
    assert!(!same.decided.is_written() && same.decided.diff.is_empty());
    desk.person.will_say(analects_world::ask::Answer::No);
    edit("Build:\n- first\n\n```sh\njust\n```\n");
    let edited = moved.replace("make", "just");
    assert_eq!(desk.text(PRIVATE).as_deref(), Some(edited.as_str()));
}

#[test]
fn a_move_to_where_it_stands_already_writes_it_no_second_time() {
    let desk = FakeDesk::parse(&format!("{TREE}//- {PRIVATE}\n- Likes tea\n"));
    let id = id_of(&desk, "Likes tea");
    change(&desk, &id, Wish::Move("private")).unwrap();
    assert_eq!(desk.text(PRIVATE).as_deref(), Some("- Likes tea\n"));
    assert!(!desk.text(HOME).unwrap().contains("tea"));
}

#[test]
fn a_name_is_kept_whatever_blanks_the_new_words_have() {
    let desk = FakeDesk::parse(TREE);
    let id = id_of(&desk, "Likes tea");
    let changed = change(&desk, &id, Wish::Say(Some("Likes  green\ntea"))).unwrap();
    assert_eq!(
        (changed.id.as_str(), changed.text.as_deref()),
        (id.as_str(), Some("Likes green tea"))
    );
    assert_eq!(id_of(&desk, "Likes green tea"), id);
}

#[test]
fn a_name_that_was_told_stays_with_its_entry() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let add = |fact, target| {
        let request = remember::Request {
            fact,
            target,
            by: remember::By::Person,
            who: "memory add",
            allowed: &[],
            on_secret: remember::OnSecret::Refuse,
        };
        remember::remember(&world, &FLAGS, &request).unwrap().id
    };
    let id = add("The port is 1", Target::Private);
    change(&desk, &id, Wish::Say(Some("The host is pond"))).unwrap();
    let other = add("The port is 1", Target::Global);
    assert_ne!(other, id);
    assert_eq!(id_of(&desk, "The port is 1"), other);
    let gone = change(&desk, &id, Wish::Forget).unwrap();
    assert_eq!(gone.was.entry.text, "The host is pond");
}

#[test]
fn what_a_person_makes_of_it_is_what_is_told() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/app", "/h", &[]);
    let asking = Flags {
        yes: false,
        ..FLAGS
    };
    desk.person.will_say(analects_world::ask::Answer::Edit);
    let edited = desk.text(HOME).unwrap() + "- Port 9000\n";
    desk.person.will_edit(&edited);
    desk.person.will_say(analects_world::ask::Answer::Yes);
    let request = remember::Request {
        fact: "Port 9999",
        target: Target::Global,
        by: remember::By::Person,
        who: "memory add",
        allowed: &[],
        on_secret: remember::OnSecret::Refuse,
    };
    let added = remember::remember(&desk.world(&around), &asking, &request).unwrap();
    assert_eq!(added.text, "Port 9000");
    assert_eq!(id_of(&desk, "Port 9000"), added.id);
}

#[test]
fn an_entry_deeper_in_the_project_is_found_from_its_root() {
    let desk = FakeDesk::parse(&format!(
        "{TREE}//- /h/.gemini/analects.json\n{{\"context\": {{\"startupDepth\": 0}}}}\n\
         //- /w/app/src/auth/lib.rs\n"
    ));
    let around = surroundings("/w/app", "/h", &[]);
    let request = remember::Request {
        fact: "Tokens live for an hour",
        target: Target::Dir("src/auth"),
        by: remember::By::Person,
        who: "memory add",
        allowed: &[],
        on_secret: remember::OnSecret::Refuse,
    };
    let added = remember::remember(&desk.world(&around), &FLAGS, &request).unwrap();
    let prepared = load_memory::prepare(&desk.world(&around), &FLAGS).unwrap();
    let found = find_entries::search(&desk.world(&around), &prepared, "tokens").unwrap();
    assert_eq!(found.entries[0].id, added.id);
    let gone = change(&desk, &added.id, Wish::Forget).unwrap();
    assert_eq!(gone.path.as_str(), "/w/app/src/auth/GEMINI.md");
}

#[test]
fn what_is_said_of_a_forgotten_secret_promises_no_way_back() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let desk = FakeDesk::parse(&format!("{TREE}//- {PRIVATE}\n- the key is {secret}\n"));
    let gone = change(&desk, "the key is", Wish::Forget).unwrap();
    assert_eq!(gone.problems[0].code.name, "no-way-back");
    let kept = change(&desk, "Likes tea", Wish::Forget).unwrap();
    assert_eq!(kept.problems, []);
}
