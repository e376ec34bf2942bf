//! The journal told, and changes taken back, on a world in memory.

use analects_testkit::{FakeDesk, surroundings};
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, ContentHash};
use analects_world::desk::Desk;
use analects_world::log::{LineDamage, LoggedFile, Piece};
use proptest::prelude::*;

use super::undo::Undone;
use super::*;
use crate::change_entry::{self, Wish};
use crate::place::Target;
use crate::remember::{self, By, OnSecret, Request};
use crate::verbs::Flags;

const HOME: &str = "/h/.gemini/GEMINI.md";
const FLAGS: Flags = Flags {
    trust: true,
    yes: true,
    no_memory: false,
    dry_run: false,
};

fn add(desk: &FakeDesk, fact: &str) -> String {
    let around = surroundings("/w", "/h", &[]);
    let request = Request {
        fact,
        target: Target::Global,
        by: By::Person,
        who: "memory add",
        allowed: &[],
        on_secret: OnSecret::Refuse,
    };
    remember::remember(&desk.world(&around), &FLAGS, &request)
        .unwrap()
        .id
}

fn change(desk: &FakeDesk, entry: &str, wish: Wish<'_>) {
    let around = surroundings("/w", "/h", &[]);
    change_entry::change_entry(
        &desk.world(&around),
        &FLAGS,
        entry,
        wish,
        &[],
        change_entry::Caller::PERSON,
    )
    .unwrap();
}

fn take_back(desk: &FakeDesk, which: Option<&str>) -> Result<Undone, Failure> {
    let around = surroundings("/w", "/h", &[]);
    undo(&desk.world(&around), &FLAGS, which)
}

fn desk(text: &str) -> FakeDesk {
    FakeDesk::parse(&format!("//- /w/\n//- {HOME}\n{text}"))
}

#[test]
fn the_newest_change_comes_first_and_bookkeeping_is_left_out() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    change(&desk, "tea", Wish::Say(Some("Likes coffee")));
    let around = surroundings("/w", "/h", &[]);
    let world = desk.world(&around);
    let told = newest(&world, Told::Memory, 10).unwrap();
    let who: Vec<_> = told.iter().map(|told| told.commit.who.as_str()).collect();
    assert_eq!(who, ["memory edit", "memory add"]);
    assert_eq!(
        told[0].commit.files[0].old.bytes(),
        Some(&b"- Likes tea\n"[..])
    );
    assert_eq!(newest(&world, Told::Memory, 1).unwrap().len(), 1);
    assert!(newest(&world, Told::Memory, 0).unwrap().is_empty());
}

#[test]
fn what_an_agent_did_to_code_is_told_and_taken_back_only_by_name() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    let path = AbsPath::new("/w/main.rs").unwrap();
    let edit = Change::new(&path, None, Some(b"fn main() {}\n".to_vec()));
    let edit = Changes::new("agent:write_file", "main.rs", vec![edit]);
    let receipt = desk.commit(&[], &mut |_| Some(edit.clone())).unwrap();
    let around = surroundings("/w", "/h", &[]);
    let shown = |told| {
        let told = newest(&desk.world(&around), told, 10).unwrap();
        let show = |told: Newest| (told.number, told.commit.who);
        told.into_iter().map(show).collect::<Vec<_>>()
    };
    let memory = (Some(1), "memory add".to_owned());
    assert_eq!(shown(Told::Memory), vec![memory.clone()]);
    assert_eq!(
        shown(Told::All),
        [(None, "agent:write_file".to_owned()), memory]
    );
    take_back(&desk, None).unwrap();
    assert_eq!(desk.text(HOME).as_deref(), Some("# Me\n"));
    assert!(take_back(&desk, None).is_err(), "the rest is no memory");
    assert!(desk.text("/w/main.rs").is_some());
    take_back(&desk, receipt.id.as_deref()).unwrap();
    assert_eq!(desk.text("/w/main.rs"), None);
}

#[test]
fn changes_are_taken_back_one_after_the_other() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    add(&desk, "Likes rain");
    change(&desk, "tea", Wish::Forget);
    take_back(&desk, None).unwrap();
    assert!(desk.text(HOME).unwrap().contains("Likes tea"));
    take_back(&desk, None).unwrap();
    assert!(!desk.text(HOME).unwrap().contains("Likes rain"));
    take_back(&desk, None).unwrap();
    assert_eq!(desk.text(HOME).as_deref(), Some("# Me\n"));
    assert!(take_back(&desk, None).is_err(), "nothing is left");
}

#[test]
fn an_older_change_is_taken_back_where_later_ones_leave_room() {
    let desk = desk("# Me\n");
    add(&desk, "one fact");
    add(&desk, "another thing");
    add(&desk, "a third matter");
    take_back(&desk, Some("2")).unwrap();
    let expected = "# Me\n\n## Gemini Added Memories\n- one fact\n- a third matter\n";
    assert_eq!(desk.text(HOME).as_deref(), Some(expected));
}

#[test]
fn a_file_that_a_change_made_goes_with_it() {
    let desk = FakeDesk::parse("//- /w/\n");
    add(&desk, "Likes tea");
    take_back(&desk, None).unwrap();
    assert_eq!(desk.text(HOME), None);
    take_back(&desk, Some("1")).unwrap();
    assert!(desk.text(HOME).unwrap().contains("Likes tea"));
}

#[test]
fn edits_by_hand_elsewhere_do_not_stand_in_the_way() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    add(&desk, "Likes rain");
    let by_hand = desk.text(HOME).unwrap().replace("# Me", "# Myself");
    desk.edit(HOME, &by_hand);
    take_back(&desk, None).unwrap();
    let expected = "# Myself\n\n## Gemini Added Memories\n- Likes tea\n";
    assert_eq!(desk.text(HOME).as_deref(), Some(expected));
}

#[test]
fn a_text_that_moved_on_is_left_alone_and_both_versions_are_told() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    change(&desk, "tea", Wish::Say(Some("Likes coffee")));
    desk.edit(HOME, "# Me\n\n- Likes neither\n");
    let refused = take_back(&desk, None).unwrap_err();
    assert!(refused.message.contains("moved on"), "{refused}");
    assert!(refused.hints[0].contains("tea"), "{refused:?}");
    assert!(refused.hints[1].contains("neither"), "{refused:?}");
    assert_eq!(
        desk.text(HOME).as_deref(),
        Some("# Me\n\n- Likes neither\n")
    );
}

#[test]
fn a_forgotten_secret_is_kept_nowhere_and_cannot_come_back() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let desk = desk(&format!("- the key is {secret}\n- Likes tea\n"));
    change(&desk, "the key is", Wish::Forget);
    let around = surroundings("/w", "/h", &[]);
    let told = newest(&desk.world(&around), Told::Memory, 10).unwrap();
    assert!(!format!("{told:?}").contains(&secret));
    let stored = desk.text("/h/.gemini/analects/entries.json").unwrap();
    assert!(!stored.contains(&secret) && stored.contains("forgotten"));
    let refused = take_back(&desk, None).unwrap_err();
    assert!(refused.message.contains("secret"), "{refused}");
    assert_eq!(desk.text(HOME).as_deref(), Some("- Likes tea\n"));
}

#[test]
fn what_comes_back_may_be_learned_again() {
    let desk = desk("- Likes tea\n");
    change(&desk, "tea", Wish::Forget);
    take_back(&desk, None).unwrap();
    let around = surroundings("/w", "/h", &[]);
    let book = crate::book::Book::read(&desk.world(&around), &desk).unwrap();
    assert!(!book.is_forgotten("Likes tea"));
}

#[test]
fn what_is_forgotten_again_by_undo_stays_forgotten() {
    let desk = desk("- Likes tea\n- Likes rain\n");
    let around = surroundings("/w", "/h", &[]);
    let is_forgotten = || {
        let book = crate::book::Book::read(&desk.world(&around), &desk).unwrap();
        book.is_forgotten("Likes tea")
    };
    change(&desk, "tea", Wish::Forget);
    take_back(&desk, None).unwrap();
    assert!(!is_forgotten());
    take_back(&desk, Some("1")).unwrap();
    assert!(is_forgotten());
    take_back(&desk, Some("1")).unwrap();
    assert!(!is_forgotten());
}

#[test]
fn lines_that_came_after_a_last_line_without_an_end_stay_apart_from_it() {
    for end in ["\n", "\r\n"] {
        let start = format!("# Rules{end}- Use tabs");
        let desk = desk("");
        desk.edit(HOME, &start);
        add(&desk, "Prefer rebase");
        let by_hand = desk.text(HOME).unwrap() + "- Never drop the audit table" + end;
        desk.edit(HOME, &by_hand);
        take_back(&desk, None).unwrap();
        let expected = format!("{start}{end}- Never drop the audit table{end}");
        assert_eq!(desk.text(HOME), Some(expected));
    }
}

#[test]
fn a_line_that_was_edited_or_forgotten_is_found_again_below_new_ones() {
    let desk = desk("# Me\n- one is 1\n- two is 2\n- three is 3\n");
    change(&desk, "two is", Wish::Forget);
    change(&desk, "three is", Wish::Say(Some("three is 4")));
    let by_hand = format!("# Note\n{}", desk.text(HOME).unwrap());
    desk.edit(HOME, &by_hand);
    take_back(&desk, None).unwrap();
    take_back(&desk, None).unwrap();
    let expected = "# Note\n# Me\n- one is 1\n- two is 2\n- three is 3\n";
    assert_eq!(desk.text(HOME).as_deref(), Some(expected));
}

#[test]
fn what_was_taken_back_is_not_taken_back_twice() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    take_back(&desk, None).unwrap();
    let again = take_back(&desk, Some("2")).unwrap_err();
    assert!(again.message.contains("taken back already"), "{again}");
    take_back(&desk, Some("1")).unwrap();
    assert!(desk.text(HOME).unwrap().contains("tea"));
    take_back(&desk, None).unwrap();
    assert_eq!(desk.text(HOME).as_deref(), Some("# Me\n"));
}

#[test]
fn what_the_journal_did_not_keep_is_told_and_the_rest_comes_back() {
    let desk = desk("");
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let large = "x".repeat(5 * 1024 * 1024);
    let mut gone = Vec::new();
    for (name, text) in [
        ("SKILL.md", "# Skill\n"),
        ("key", &secret),
        ("data", &large),
    ] {
        let path = AbsPath::new(&format!("/h/.gemini/skills/s/{name}")).unwrap();
        desk.edit(path.as_str(), text);
        let trace = match name {
            "SKILL.md" => analects_world::changes::Trace::Text,
            _ => analects_world::changes::Trace::Fingerprint,
        };
        gone.push(Change::new(&path, Some(text.as_bytes()), None).leaving(trace));
    }
    let gone = Changes::new("skill uninstall", "uninstall the skill s", gone);
    desk.commit(&[], &mut |_| Some(gone.clone())).unwrap();
    let undone = take_back(&desk, None).unwrap();
    assert_eq!(
        desk.text("/h/.gemini/skills/s/SKILL.md").as_deref(),
        Some("# Skill\n")
    );
    let told: Vec<_> = undone
        .problems
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert!(
        told[0].contains("was a secret") && told[1].contains("too large"),
        "{told:?}"
    );
}

#[test]
fn a_link_that_leads_out_of_a_project_is_not_followed_back() {
    let desk = FakeDesk::parse("//- /w/.git/\n//- /out/GEMINI.md\n");
    let around = surroundings("/w", "/h", &[]);
    let request = Request {
        fact: "Use tabs",
        target: Target::Project,
        by: By::Person,
        who: "memory add",
        allowed: &[],
        on_secret: OnSecret::Refuse,
    };
    remember::remember(&desk.world(&around), &FLAGS, &request).unwrap();
    let theirs = desk.text("/w/GEMINI.md").unwrap();
    desk.edit("/out/GEMINI.md", &theirs);
    desk.remove("/w/GEMINI.md");
    desk.put(
        "/w/GEMINI.md",
        analects_testkit::Entry::Link("/out/GEMINI.md".to_owned()),
    );
    let refused = take_back(&desk, None).unwrap_err();
    assert!(
        refused.message.contains("leads out of the project"),
        "{refused}"
    );
    assert_eq!(desk.text("/out/GEMINI.md"), Some(theirs));
}

/// One thing a person does.
#[derive(Debug, Clone)]
enum Deed {
    Add(usize),
    Forget(usize),
    Edit(usize, usize),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        3 => (0..40_usize).prop_map(Deed::Add),
        1 => (0..9_usize).prop_map(Deed::Forget),
        1 => (0..9_usize, 0..40_usize).prop_map(|(at, to)| Deed::Edit(at, to)),
    ];
    prop::collection::vec(deed, 1..12)
}

fn words(n: usize) -> String {
    format!("fact {} about {}", n * 7919 % 101, n)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn taking_everything_back_gives_the_first_text_and_undoing_that_the_last(
        start in "(# [a-z]{1,5}\r?\n|- [a-z]{3,8}\n|\n){0,6}[a-z]{0,4}", deeds in deeds()
    ) {
        let desk = desk(&start);
        let start = desk.text(HOME).unwrap();
        let around = surroundings("/w", "/h", &[]);
        for deed in deeds {
            let all = crate::find_entries::all(&desk.world(&around), &FLAGS).unwrap();
            let id = |at: usize| all.get(at % all.len().max(1)).map(|noted| noted.id.clone());
            match deed {
                Deed::Add(n) => drop(add(&desk, &words(n))),
                Deed::Forget(at) => if let Some(id) = id(at) {
                    change(&desk, &id, Wish::Forget);
                },
                Deed::Edit(at, to) => if let Some(id) = id(at) {
                    change(&desk, &id, Wish::Say(Some(&words(to))));
                },
            }
        }
        let end = desk.text(HOME).unwrap();
        let mut n_undone = 0;
        while take_back(&desk, None).is_ok() {
            n_undone += 1;
        }
        prop_assert_eq!(desk.text(HOME), Some(start));
        // An undo is a change like any other: the n-th newest is undone, newest first.
        for n in 0..n_undone {
            let nth = 2 * n + 1;
            take_back(&desk, Some(&nth.to_string())).unwrap();
        }
        prop_assert_eq!(desk.text(HOME), Some(end));
    }
}

/// Alters the newest commit's first file in the journal, as a failing disk or a careless edit does.
fn alter_newest(desk: &FakeDesk, alter: impl FnOnce(&mut LoggedFile)) {
    desk.alter_log(|log| {
        let file = log.last_mut().and_then(|commit| commit.files.first_mut());
        alter(file.unwrap());
    });
}

#[test]
fn a_journal_entry_that_does_not_lead_back_is_refused() {
    let alterations: [fn(&mut LoggedFile); 7] = [
        |file| file.old = Piece::Bytes(b"- Likes poison\n".to_vec()),
        |file| file.old = Piece::Bytes(Vec::new()),
        |file| file.at += 1,
        |file| file.at = usize::MAX,
        |file| file.new = Piece::Bytes(b"- Likes\n".to_vec()),
        |file| file.before = None,
        |file| file.before = Some(ContentHash::of(b"something else")),
    ];
    for (n, alter) in alterations.into_iter().enumerate() {
        // The file as the change left it, and after another change.
        for is_changed_later in [false, true] {
            let desk = desk("# Me\n- Likes tea\n- Likes rain\n");
            change(&desk, "tea", Wish::Say(Some("Likes coffee")));
            alter_newest(&desk, alter);
            if is_changed_later {
                add(&desk, "Likes snow");
            }
            let now = desk.text(HOME);
            let which = if is_changed_later { "2" } else { "1" };
            let refused = take_back(&desk, Some(which)).unwrap_err();
            assert!(refused.message.contains("damaged"), "{n}: {refused}");
            assert_eq!(desk.text(HOME), now, "{n}");
        }
    }
}

#[test]
fn an_entry_that_the_journal_calls_damaged_is_refused() {
    let desk = desk("# Me\n- Likes tea\n");
    change(&desk, "tea", Wish::Say(Some("Likes coffee")));
    desk.alter_log(|log| log[0].damage = Some(LineDamage::Altered));
    let refused = take_back(&desk, None).unwrap_err();
    assert!(refused.message.contains("damaged"), "{refused}");
    assert!(desk.text(HOME).unwrap().contains("coffee"));
}

#[test]
fn no_older_change_is_taken_back_for_one_that_cannot_be_read() {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    add(&desk, "Likes rain");
    desk.alter_log(|log| *log.last_mut().unwrap() = Logged::unreadable());
    let now = desk.text(HOME);
    let refused = take_back(&desk, None).unwrap_err();
    assert!(refused.message.contains("damaged"), "{refused}");
    assert_eq!(desk.text(HOME), now);
    // By its number, an older change can still be taken back.
    take_back(&desk, Some("1")).unwrap();
    assert!(!desk.text(HOME).unwrap().contains("tea"));
}

#[test]
fn later_entries_that_are_damaged_do_not_lead_astray() {
    let huge = Piece::Withheld {
        len: usize::MAX,
        hash: None,
    };
    for (damage, at, old, new) in [
        (
            Some(LineDamage::Altered),
            0,
            Piece::Bytes(vec![]),
            Piece::Bytes(vec![b'x'; 3]),
        ),
        (None, usize::MAX, huge.clone(), huge.clone()),
        (None, 0, Piece::Bytes(vec![]), huge),
    ] {
        leads_astray(damage, at, old, new);
    }
}

/// Takes back a change below which a later line of the journal is damaged.
fn leads_astray(damage: Option<LineDamage>, at: usize, old: Piece, new: Piece) {
    let desk = desk("# Me\n");
    add(&desk, "Likes tea");
    add(&desk, "Likes rain");
    desk.alter_log(|log| {
        let last = log.last_mut().unwrap();
        last.damage = damage;
        last.files[0].at = at;
        last.files[0].old = old;
        last.files[0].new = new;
    });
    take_back(&desk, Some("2")).unwrap_or_else(|refused| panic!("{refused}"));
    let text = desk.text(HOME).unwrap();
    assert!(
        text.contains("- Likes rain\n") && !text.contains("tea"),
        "{text}"
    );
}
