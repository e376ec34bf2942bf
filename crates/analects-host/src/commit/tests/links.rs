//! Links that are changed themselves: what they lead to stays as it is.

use super::*;

#[test]
fn a_link_is_made_moved_and_removed_and_what_it_leads_to_stays() {
    let place = Place::new();
    place.write("far/a.md", "far");
    place.write("inside/y", "");
    for (target, then) in [
        (Some("../far"), Some("far")),
        (Some("none"), None),
        (None, None),
    ] {
        place.put(&OpenGate, &[("inside/x.link", target)]).unwrap();
        assert_eq!(place.read("inside/x.link").as_deref(), target);
        assert_eq!(place.read("inside/x.link/a.md").as_deref(), then);
        assert_eq!(place.read("far/a.md").as_deref(), Some("far"));
    }
    assert!(place.leftovers().is_empty());
}

#[test]
fn the_journal_tells_links_from_files_and_older_readers_leave_them_alone() {
    let place = Place::new();
    place.put(&OpenGate, &[("a.md", Some("x"))]).unwrap();
    place.put(&OpenGate, &[("a.link", Some("x"))]).unwrap();
    let mut forms = Vec::new();
    let desk = place.desk(&OpenGate);
    desk.log(&mut |logged| {
        forms.push(logged.files[0].form);
        true
    })
    .unwrap();
    assert_eq!(forms, [Form::Link, Form::File]);
    let journal = place.read("state/journal.jsonl").unwrap();
    let versions: Vec<_> = journal.lines().map(|line| line.get(..6).unwrap()).collect();
    assert_eq!(versions[0], "{\"v\":2");
    assert!(versions.contains(&"{\"v\":4"), "{versions:?}");
}

#[test]
fn what_is_no_link_is_not_replaced_by_one() {
    let place = Place::new();
    place.write("file.link", "text");
    place.write("dir.link/a.md", "text");
    for name in ["file.link", "dir.link"] {
        let change = Change::link(&place.path(name), None, Some("far"));
        let changes = Changes::new("test", "", vec![change]);
        let refused = place
            .desk(&OpenGate)
            .commit(&[], &mut |_| Some(changes.clone()));
        assert!(
            matches!(refused, Err(CommitError::Refused { .. })),
            "{name}: {refused:?}"
        );
    }
    assert_eq!(fs::read(place.path("file.link").as_str()).unwrap(), b"text");
    assert!(place.leftovers().is_empty());
}
