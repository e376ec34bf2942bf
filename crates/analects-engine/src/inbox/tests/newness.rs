//! What nobody was shown yet.

use super::*;

const SEEN: &str = "/h/.gemini/analects/inbox-seen.json";

fn counts(desk: &FakeDesk) -> (usize, usize) {
    let around = surroundings("/w/app", "/h", &[]);
    let world = desk.world(&around);
    let prepared = load_memory::prepare(&world, &YES).unwrap();
    let Count { n_all, n_new } = count(&world, &prepared);
    (n_all, n_new)
}

fn listed(desk: &FakeDesk, flags: &Flags) -> Vec<(String, bool)> {
    let listed = ask(desk, flags, &verbs::List {}).unwrap();
    listed
        .items
        .into_iter()
        .map(|item| (item.id, item.new))
        .collect()
}

fn both() -> FakeDesk {
    let desk = patched();
    desk.edit(SKILL, GOOD);
    desk
}

#[test]
fn what_was_listed_is_new_no_more_until_it_says_something_else() {
    let desk = both();
    assert_eq!(counts(&desk), (2, 2));
    let names = ["skills/deploy", "private/extraction.patch"];
    assert_eq!(
        listed(&desk, &YES),
        names.map(|name| (name.to_owned(), true))
    );
    assert_eq!(counts(&desk), (2, 0));
    assert_eq!(
        listed(&desk, &YES),
        names.map(|name| (name.to_owned(), false))
    );
    desk.edit(SKILL, &GOOD.replace("Do it.", "Do it twice."));
    assert_eq!(counts(&desk), (2, 1));
    // A clock that was set back makes nothing old.
    desk.date(SKILL, 1);
    assert_eq!(counts(&desk), (2, 1));
    assert!(listed(&desk, &YES)[0].1);
}

#[test]
fn what_was_shown_alone_is_the_only_one_that_was_seen() {
    let desk = both();
    let item = "deploy".to_owned();
    let shown = ask(&desk, &YES, &verbs::Show { item }).unwrap();
    assert!(shown.item.new);
    assert_eq!(counts(&desk), (2, 1));
}

#[test]
fn nothing_is_written_where_nothing_is_new_or_in_a_dry_run() {
    let desk = both();
    let dry = Flags {
        dry_run: true,
        ..YES
    };
    listed(&desk, &dry);
    assert_eq!((counts(&desk), desk.commits().len()), ((2, 2), 0));
    listed(&desk, &YES);
    listed(&desk, &YES);
    assert_eq!(desk.commits().len(), 1);
    let change = &desk.commits()[0].0.files[0];
    assert_eq!(change.trace, analects_world::changes::Trace::Nothing);
    // It is not a change that anybody would take back.
    assert!(ask(&desk, &YES, &Undo::default()).is_err());
}

#[test]
fn what_waits_no_more_is_forgotten_and_other_projects_are_left_alone() {
    let desk = both();
    let other = "/h/.gemini/tmp/other/memory/skills/deploy";
    let notes = format!(r#"{{"v":1,"seen":{{"{other}":{{"len":1,"writtenNs":1}}}}}}"#);
    desk.edit(SEEN, &notes);
    listed(&desk, &YES);
    ask(&desk, &YES, &dismissing("skills/deploy")).unwrap();
    desk.edit("/h/.gemini/tmp/app/memory/skills/else/SKILL.md", GOOD);
    listed(&desk, &YES);
    let notes = desk.text(SEEN).unwrap();
    assert!(
        notes.contains(other) && notes.contains("memory/skills/else"),
        "{notes}"
    );
    assert!(!notes.contains("tmp/app/memory/skills/deploy"), "{notes}");
}

#[test]
fn notes_that_make_no_sense_are_none_and_those_of_a_newer_version_stay() {
    for bad in ["", "{", "[]", r#"{"v":1,"seen":{"a":7}}"#] {
        let desk = both();
        desk.edit(SEEN, bad);
        assert_eq!(counts(&desk), (2, 2), "{bad}");
        listed(&desk, &YES);
        assert_eq!(counts(&desk), (2, 0), "{bad}");
    }
    let desk = both();
    let newer = r#"{"v":2,"seen":{}}"#;
    desk.edit(SEEN, newer);
    listed(&desk, &YES);
    assert_eq!(desk.text(SEEN).as_deref(), Some(newer));
}
