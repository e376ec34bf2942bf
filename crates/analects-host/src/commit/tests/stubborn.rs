//! What a crashed writer left must never stop the next one, whatever became of the files meanwhile.

use super::faults::Breaks;
use super::*;

/// A commit that reached its commit point and no further.
fn unfinished(files: &[(&str, Option<&str>)]) -> Place {
    let place = Place::new();
    place.write("dir/a.md", "old");
    let gate = Breaks::at("rename staged file");
    let outcome = place.put(&gate, files);
    assert!(
        matches!(outcome, Err(CommitError::Unfinished { .. })),
        "{outcome:?}"
    );
    place
}

fn goes_on(place: &Place) {
    let repaired = place.desk(&OpenGate).repair().unwrap();
    assert_eq!(repaired[0].outcome, Outcome::Withdrawn);
    place
        .put(&OpenGate, &[("other.md", Some("works"))])
        .unwrap();
    assert!(
        place.desk(&OpenGate).repair().unwrap().is_empty(),
        "told once"
    );
}

#[test]
fn the_staged_content_is_gone_and_the_old_one_is_back() {
    let place = unfinished(&[("dir/a.md", Some("new"))]);
    for entry in fs::read_dir(place.dir.path().join("dir"))
        .unwrap()
        .map(Result::unwrap)
    {
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with(".analects-")
        {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    goes_on(&place);
    assert_eq!(place.read("dir/a.md").as_deref(), Some("old"));
}

#[test]
fn the_directory_is_gone() {
    let place = unfinished(&[("dir/a.md", Some("new"))]);
    fs::remove_dir_all(place.dir.path().join("dir")).unwrap();
    goes_on(&place);
}

#[test]
fn a_directory_stands_in_the_place_of_the_file() {
    let place = unfinished(&[("dir/a.md", Some("new"))]);
    fs::remove_file(place.dir.path().join("dir/a.md")).unwrap();
    fs::create_dir(place.dir.path().join("dir/a.md")).unwrap();
    goes_on(&place);
}

#[test]
fn a_target_that_the_journal_cannot_name_is_refused_at_once() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let odd = place.dir.path().join(OsStr::from_bytes(b"odd\xFF"));
    fs::write(&odd, "old").unwrap();
    symlink(&odd, place.dir.path().join("link.md")).unwrap();
    let refused = place.put(&OpenGate, &[("link.md", Some("new"))]);
    assert!(
        matches!(refused, Err(CommitError::Refused { .. })),
        "{refused:?}"
    );
    place
        .put(&OpenGate, &[("other.md", Some("works"))])
        .unwrap();
}

#[test]
fn the_work_of_a_newer_version_is_left_to_it() {
    let place = Place::new();
    place.put(&OpenGate, &[("a.md", Some("1"))]).unwrap();
    let journal = place.dir.path().join("state/journal.jsonl");
    let mut text = fs::read_to_string(&journal).unwrap();
    text.push_str("{\"v\":99,\"id\":\"q\",\"news\":true}\n");
    fs::write(&journal, &text).unwrap();
    let refused = place.put(&OpenGate, &[("a.md", Some("2"))]);
    assert!(
        matches!(refused, Err(CommitError::Refused { .. })),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(journal).unwrap(), text);
}
