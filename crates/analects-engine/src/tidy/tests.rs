//! Memory tidied on a world in memory: who is asked, what is written, and what when files do not keep still.

use std::collections::BTreeMap;
use std::sync::Arc;

use analects_memory::tidy::Rewrite;
use analects_testkit::{FakeDesk, FakeFiles, Fixture, surroundings};
use analects_world::ask::Pick::{Leave, Take};
use analects_world::files::Trouble;
use expect_test::expect;

use super::*;
use crate::change_entry;
use crate::find_entries;
use crate::history;

const GLOBAL: &str = "/h/.gemini/GEMINI.md";
const PROJECT: &str = "/w/acme-shop/GEMINI.md";
const PRIVATE: &str = "/h/.gemini/tmp/acme-shop/memory/MEMORY.md";
const TREE: &str = "//- /h/.gemini/projects.json\n{\"projects\": {\"/w/acme-shop\": \"acme-shop\"}}\n\
                    //- /w/acme-shop/.git/\n\
                    //- /w/acme-shop/src/main.rs\n\
                    //- /h/.gemini/GEMINI.md\n# Me\n- Likes tea\n- acme-shop needs Node 22\n- likes tea.\n\
                    //- /w/acme-shop/GEMINI.md\n- Start in `src/old.rs`\n- Use tabs\n";

const ASK: Flags = Flags {
    trust: true,
    yes: false,
    no_memory: false,
    dry_run: false,
};
const YES: Flags = Flags { yes: true, ..ASK };
const LOOK: Flags = Flags {
    dry_run: true,
    ..ASK
};

fn all() -> Wish {
    Wish {
        kinds: vec![Kind::Duplicate, Kind::Layer, Kind::Stale],
        paths: Vec::new(),
    }
}

fn run(desk: &FakeDesk, flags: &Flags) -> Tidied {
    let around = surroundings("/w/acme-shop", "/h", &[]);
    tidy(&desk.world(&around), flags, &all()).unwrap()
}

fn ids(desk: &FakeDesk) -> BTreeMap<String, String> {
    let around = surroundings("/w/acme-shop", "/h", &[]);
    let all = find_entries::all(&desk.world(&around), &YES).unwrap();
    let named = all
        .into_iter()
        .map(|noted| (tidy::unmarked(&noted.entry.text), noted.id));
    named.collect()
}

#[test]
fn a_person_is_shown_every_step_and_what_is_taken_is_one_change() {
    let desk = FakeDesk::parse(TREE);
    let before = ids(&desk);
    desk.person.will_pick(&[Take, Leave, Take]);
    let tidied = run(&desk, &ASK);
    expect![[r#"
        Tidy memory
        * move "acme-shop needs Node 22" from ~/.gemini/GEMINI.md:3 to ~/.gemini/tmp/acme-shop/memory/MEMORY.md: it is about this project, and all of them hear it there
        --- /h/.gemini/GEMINI.md	Current
        +++ /h/.gemini/GEMINI.md	Proposed
        @@ -1,4 +1,3 @@
         # Me
         - Likes tea
        -- acme-shop needs Node 22
         - likes tea.
        --- /dev/null	Current
        +++ /h/.gemini/tmp/acme-shop/memory/MEMORY.md	Proposed
        @@ -0,0 +1 @@
        +- acme-shop needs Node 22
        * remove "likes tea." from ~/.gemini/GEMINI.md:4: line 2 says the same
        --- /h/.gemini/GEMINI.md	Current
        +++ /h/.gemini/GEMINI.md	Proposed
        @@ -1,4 +1,3 @@
         # Me
         - Likes tea
         - acme-shop needs Node 22
        -- likes tea.
        * mark "Start in `src/old.rs`" in GEMINI.md:1: src/old.rs is gone
        --- /w/acme-shop/GEMINI.md	Current
        +++ /w/acme-shop/GEMINI.md	Proposed
        @@ -1,2 +1,2 @@
        -- Start in `src/old.rs`
        +- Start in `src/old.rs` (stale: src/old.rs is gone)
         - Use tabs
    "#]].assert_eq(&desk.person.asked().join("\n"));
    let taken: Vec<_> = tidied.offers.iter().map(|offer| offer.is_taken).collect();
    assert_eq!(taken, [true, false, true]);
    let commits = desk.commits();
    let ours = commits
        .iter()
        .filter(|commit| commit.0.who == "memory tidy");
    assert_eq!(ours.count(), 1);
    assert_eq!(
        desk.text(GLOBAL).as_deref(),
        Some("# Me\n- Likes tea\n- likes tea.\n")
    );
    assert_eq!(
        desk.text(PRIVATE).as_deref(),
        Some("- acme-shop needs Node 22\n")
    );
    let project = "- Start in `src/old.rs` (stale: src/old.rs is gone)\n- Use tabs\n";
    assert_eq!(desk.text(PROJECT).as_deref(), Some(project));
    assert_eq!(ids(&desk), before, "every entry keeps its name");
}

#[test]
fn undo_takes_all_of_it_back() {
    let desk = FakeDesk::parse(TREE);
    let before = (desk.text(GLOBAL), desk.text(PROJECT), ids(&desk));
    assert!(run(&desk, &YES).decided.unwrap().is_written());
    assert_ne!(desk.text(GLOBAL), before.0);
    let around = surroundings("/w/acme-shop", "/h", &[]);
    history::undo(&desk.world(&around), &YES, None).unwrap();
    assert_eq!((desk.text(GLOBAL), desk.text(PROJECT), ids(&desk)), before);
    assert_eq!(desk.text(PRIVATE), None);
}

#[test]
fn what_was_tidied_is_tidy() {
    let desk = FakeDesk::parse(TREE);
    run(&desk, &YES);
    let again = run(&desk, &ASK);
    assert!(again.offers.is_empty() && again.decided.is_none() && !again.is_open);
    assert_eq!(desk.person.asked().len(), 0, "there is nothing to ask");
}

#[test]
fn without_a_person_nothing_is_written_and_everything_is_shown() {
    let desk = FakeDesk::parse(TREE);
    let tidied = run(&desk, &ASK);
    assert!(tidied.is_open && tidied.decided.is_none());
    assert_eq!(tidied.offers.len(), 3);
    assert!(
        tidied
            .offers
            .iter()
            .all(|offer| !offer.diff.is_empty() && !offer.is_taken)
    );
    let look = run(&desk, &LOOK);
    let decided = look.decided.unwrap();
    assert!(!look.is_open && !decided.is_written());
    assert!(
        decided.diff.contains("+- acme-shop needs Node 22"),
        "{}",
        decided.diff
    );
    assert_eq!(desk.commits().len(), 0);
    // Whoever wants to be asked about nothing is not.
    desk.edit(
        "/h/.gemini/settings.json",
        r#"{"memory": {"consent": "auto"}}"#,
    );
    assert!(run(&desk, &ASK).decided.unwrap().is_written());
}

#[test]
fn what_changes_while_a_person_chooses_is_kept_and_what_no_longer_fits_is_told() {
    let desk = Arc::new(FakeDesk::parse(TREE));
    let other = Arc::clone(&desk);
    desk.person.will_pick_while(&[Take, Take, Take], move || {
        // One entry is gone, one stands elsewhere, one is what it was.
        other.edit(GLOBAL, "# Me\n- Likes tea\n\nNew words.\n\n- likes tea.\n");
        other.edit(PROJECT, "# Ours\n\n- Use tabs\n- Start in `src/old.rs`\n");
    });
    let tidied = run(&desk, &ASK);
    let taken: Vec<_> = tidied.offers.iter().map(|offer| offer.is_taken).collect();
    assert_eq!(taken, [false, true, true]);
    let told: Vec<_> = tidied
        .problems
        .iter()
        .map(|problem| problem.code.name)
        .collect();
    assert_eq!(told, ["moved-on"]);
    assert_eq!(
        desk.text(GLOBAL).as_deref(),
        Some("# Me\n- Likes tea\n\nNew words.\n\n")
    );
    let project = "# Ours\n\n- Use tabs\n- Start in `src/old.rs` (stale: src/old.rs is gone)\n";
    assert_eq!(desk.text(PROJECT).as_deref(), Some(project));
    assert_eq!(desk.text(PRIVATE), None);
}

#[test]
fn files_of_a_folder_that_is_not_trusted_are_not_touched() {
    let desk = FakeDesk::parse(TREE);
    let flags = Flags {
        trust: false,
        ..YES
    };
    run(&desk, &flags);
    assert_eq!(
        desk.text(PROJECT).as_deref(),
        Some("- Start in `src/old.rs`\n- Use tabs\n")
    );
    let none = Flags {
        no_memory: true,
        ..YES
    };
    assert!(run(&desk, &none).offers.is_empty());
}

#[test]
fn only_what_is_named_is_tidied() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/acme-shop", "/h", &[]);
    let wish = Wish {
        paths: vec![AbsPath::new("/w/acme-shop").unwrap()],
        ..all()
    };
    let tidied = tidy(&desk.world(&around), &YES, &wish).unwrap();
    let kinds: Vec<_> = tidied.offers.iter().map(|offer| offer.step.kind).collect();
    assert_eq!(kinds, [Kind::Stale]);
}

#[test]
fn a_path_without_memory_is_no_tidy_one() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/acme-shop", "/h", &[]);
    for (path, why) in [
        ("/w/acme-shop/GEMNI.md", "there is no such file"),
        ("/w/acme-shop/src/main.rs", "no memory file"),
    ] {
        let wish = Wish {
            paths: vec![AbsPath::new(path).unwrap()],
            ..all()
        };
        let failure = tidy(&desk.world(&around), &YES, &wish).unwrap_err();
        assert_eq!(failure.kind, crate::verbs::FailureKind::BadInput);
        assert!(failure.message.contains(why), "{failure}");
        assert!(failure.hints[0].contains(PROJECT), "{failure:?}");
    }
    let wish = Wish {
        paths: vec![AbsPath::new("/w/acme-shop/src").unwrap()],
        ..all()
    };
    assert!(tidy(&desk.world(&around), &YES, &wish).is_ok());
}

#[test]
fn one_file_under_two_names_is_not_its_own_duplicate() {
    let private = "//- /h/.gemini/tmp/acme-shop/memory/MEMORY.md\n- Ask Kim about the schema\n\
                   //- /h/.gemini/tmp/acme-shop/memory/alias.md -> MEMORY.md\n";
    let desk = FakeDesk::parse(&format!("{TREE}{private}"));
    run(&desk, &YES);
    let text = desk.text(PRIVATE).unwrap();
    assert!(text.starts_with("- Ask Kim about the schema\n"), "{text}");
}

#[test]
fn a_secret_stays_where_it_is() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let desk = FakeDesk::parse(TREE);
    let text = format!("- acme-shop logs in with {secret}\n- Likes tea\n- likes tea\n");
    desk.edit(GLOBAL, &text);
    let tidied = run(&desk, &YES);
    let told: Vec<_> = tidied
        .problems
        .iter()
        .map(|problem| problem.code.name)
        .collect();
    assert_eq!(told, ["secret-left"]);
    assert!(
        tidied
            .offers
            .iter()
            .all(|offer| !offer.diff.contains(&secret))
    );
    assert!(desk.text(GLOBAL).unwrap().contains(&secret));
    assert_eq!(desk.text(PRIVATE), None);
}

#[test]
fn a_change_around_a_secret_says_that_there_is_no_way_back() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let desk = FakeDesk::parse(TREE);
    let text =
        format!("- Likes tea\n- likes tea\n- Logs in with {secret}\n- Likes milk\n- likes milk\n");
    desk.edit(GLOBAL, &text);
    let tidied = run(&desk, &YES);
    let told: Vec<_> = tidied
        .problems
        .iter()
        .map(|problem| problem.code.name)
        .collect();
    assert_eq!(told, ["no-way-back"]);
    assert_eq!(
        desk.text(GLOBAL).unwrap(),
        format!("- Likes tea\n- Logs in with {secret}\n- Likes milk\n")
    );
}

#[test]
fn a_byte_order_mark_stays() {
    let desk = FakeDesk::parse(TREE);
    desk.edit(GLOBAL, "\u{FEFF}- Likes tea\r\n- likes tea\r\n");
    run(&desk, &YES);
    assert_eq!(
        desk.text(GLOBAL).as_deref(),
        Some("\u{FEFF}- Likes tea\r\n")
    );
}

const PROPOSER: Proposer<'_> = Proposer {
    by: By::Model,
    who: "save_memory",
    title: "What the Memory Manager proposes",
};

fn proposed(desk: &FakeDesk, flags: &Flags, news: &[(&str, &str)]) -> Tidied {
    let around = surroundings("/w/acme-shop", "/h", &[]);
    let rewrites: Vec<_> = news
        .iter()
        .map(|(path, new)| Rewrite {
            path: AbsPath::new(path).unwrap(),
            old: desk.text(path).unwrap_or_default(),
            new: (*new).to_owned(),
        })
        .collect();
    offer_texts(&desk.world(&around), flags, &rewrites, PROPOSER).unwrap()
}

#[test]
fn texts_of_somebody_else_are_offered_piece_by_piece_with_what_they_lose() {
    let desk = FakeDesk::parse(TREE);
    desk.person.will_pick(&[Take, Leave]);
    let news = [
        (GLOBAL, "# Me\n- Likes tea\n"),
        (PRIVATE, "- acme-shop needs Node 22\n"),
        (PROJECT, "- Start in `src/main.rs`\n- Use tabs\n"),
    ];
    let tidied = proposed(&desk, &ASK, &news);
    let shown: Vec<_> = tidied
        .offers
        .iter()
        .map(|offer| (offer.step.reason.as_str(), &offer.doubts))
        .collect();
    expect![[r#"
        [
            (
                "move \"acme-shop needs Node 22\": ~/.gemini/GEMINI.md:3 and ~/.gemini/tmp/acme-shop/memory/MEMORY.md:1",
                [],
            ),
            (
                "change \"Start in `src/old.rs`\" to \"Start in `src/main.rs`\": GEMINI.md:1",
                [
                    "nothing would say \"Start in `src/old.rs`\" any more",
                ],
            ),
        ]
    "#]].assert_debug_eq(&shown);
    assert_eq!(
        desk.text(PRIVATE).as_deref(),
        Some("- acme-shop needs Node 22\n")
    );
    assert_eq!(desk.text(GLOBAL).as_deref(), Some("# Me\n- Likes tea\n"));
    assert_eq!(
        desk.text(PROJECT).as_deref(),
        Some("- Start in `src/old.rs`\n- Use tabs\n")
    );
}

#[test]
fn a_proposal_and_what_others_wrote_meanwhile_are_both_kept_or_the_proposal_is_not() {
    let desk = Arc::new(FakeDesk::parse(TREE));
    let other = Arc::clone(&desk);
    desk.person.will_pick_while(&[Take], move || {
        other.edit(
            PROJECT,
            "- Start in `src/old.rs`\n- Use tabs\n\n\n\nNew words.\n",
        );
    });
    proposed(
        &desk,
        &ASK,
        &[(PROJECT, "- Start in `src/main.rs`\n- Use tabs\n")],
    );
    let both = "- Start in `src/main.rs`\n- Use tabs\n\n\n\nNew words.\n";
    assert_eq!(desk.text(PROJECT).as_deref(), Some(both));
    let other = Arc::clone(&desk);
    desk.person.will_pick_while(&[Take], move || {
        other.edit(
            PROJECT,
            "- Start somewhere else\n- Use tabs\n\n\n\nNew words.\n",
        );
    });
    let new = both.replace("main.rs", "lib.rs");
    let tidied = proposed(&desk, &ASK, &[(PROJECT, &new)]);
    assert!(!tidied.offers[0].is_taken);
    assert_eq!(tidied.problems.last().unwrap().code.name, "moved-on");
    assert!(
        desk.text(PROJECT)
            .unwrap()
            .starts_with("- Start somewhere else\n")
    );
}

#[test]
fn what_was_forgotten_does_not_come_back_unasked() {
    let desk = FakeDesk::parse(TREE);
    let around = surroundings("/w/acme-shop", "/h", &[]);
    let (wish, caller) = (change_entry::Wish::Forget, change_entry::Caller::PERSON);
    change_entry::change_entry(&desk.world(&around), &YES, "Use tabs", wish, &[], caller).unwrap();
    let was = desk.text(PROJECT).unwrap();
    let news = [(PROJECT, "- Start in `src/old.rs`\n- Use tabs\n")];
    let settings = "/h/.gemini/settings.json";
    desk.edit(settings, "{\"memory\": {\"consent\": \"auto\"}}");
    let tidied = proposed(&desk, &ASK, &news);
    assert_eq!(desk.text(PROJECT).unwrap(), was, "nobody was asked");
    assert!(
        tidied
            .problems
            .iter()
            .any(|it| it.code == &codes::FORGOTTEN)
    );
    // Who is asked is told, and may want it back.
    desk.edit(settings, "{}");
    desk.person.will_pick(&[Take]);
    let tidied = proposed(&desk, &ASK, &news);
    let doubts = &tidied.offers[0].doubts;
    assert_eq!(
        doubts[..],
        ["this was forgotten on purpose: \"Use tabs\"".to_owned()]
    );
    assert!(desk.text(PROJECT).unwrap().contains("Use tabs"));
}

#[test]
fn a_file_that_cannot_be_read_is_told_of() {
    let mut disk = FakeFiles::new(&Fixture::parse(TREE));
    disk.trouble(&AbsPath::new(GLOBAL).unwrap(), Some(Trouble::Denied));
    let tidied = run(&FakeDesk::new(disk), &YES);
    let kinds: Vec<_> = tidied.offers.iter().map(|offer| offer.step.kind).collect();
    assert_eq!(kinds, [Kind::Stale]);
    let unread = tidied
        .problems
        .iter()
        .filter(|it| it.code.name == "unreadable");
    assert_eq!(unread.count(), 1, "{:?}", tidied.problems);
}
