//! The journal as others read it.

use analects_world::changes::Trace;
use analects_world::log::{Logged, Piece};

use super::faults::Breaks;
use super::*;

fn told(place: &Place) -> Vec<Logged> {
    let mut all = Vec::new();
    let visit = &mut |commit| {
        all.push(commit);
        true
    };
    place.desk(&OpenGate).log(visit).unwrap();
    all
}

#[test]
fn commits_are_told_newest_first_with_both_sides() {
    let place = Place::new();
    assert_eq!(told(&place), [], "no journal, no commits");
    place.put(&OpenGate, &[("a.md", Some("one\n"))]).unwrap();
    place
        .put(
            &OpenGate,
            &[("a.md", Some("one\ntwo\n")), ("b.md", Some("é"))],
        )
        .unwrap();
    place.put(&OpenGate, &[("a.md", None)]).unwrap();
    let all = told(&place);
    let n_files: Vec<_> = all.iter().map(|commit| commit.files.len()).collect();
    assert_eq!(n_files, [1, 2, 1]);
    assert_eq!(
        (all[0].who.as_str(), all[0].why.as_str()),
        ("test", "to see")
    );
    assert!(all[0].at_ms >= all[1].at_ms);
    let second = &all[1].files[0];
    assert_eq!((second.at, second.old.len()), (4, 0));
    assert_eq!(second.new, Piece::Bytes(b"two\n".to_vec()));
    assert_eq!(second.before, Some(ContentHash::of(b"one\n")));
    assert_eq!(second.after, Some(ContentHash::of(b"one\ntwo\n")));
    let removed = &all[0].files[0];
    assert_eq!(removed.old, Piece::Bytes(b"one\ntwo\n".to_vec()));
    assert_eq!((removed.after, removed.new.len()), (None, 0));
    let mut n_seen = 0;
    let once = &mut |_| {
        n_seen += 1;
        false
    };
    place.desk(&OpenGate).log(once).unwrap();
    assert_eq!(n_seen, 1, "whoever has seen enough is not told more");
}

#[test]
fn of_a_secret_only_fingerprints_are_kept() {
    let place = Place::new();
    place.write("a.md", "the secret\n");
    let mut changes = place.changes(&[("a.md", Some("another one\n"))]);
    changes.files[0].trace = Trace::Fingerprint;
    changes.undoes = Some("earlier".to_owned());
    place
        .desk(&OpenGate)
        .commit(&[], &mut |_| Some(changes.clone()))
        .unwrap();
    let journal = place.read("state/journal.jsonl").unwrap();
    assert!(
        !journal.contains("secret") && !journal.contains("another"),
        "{journal}"
    );
    let all = told(&place);
    assert_eq!(all[0].undoes.as_deref(), Some("earlier"));
    let [file] = all[0].files.as_slice() else {
        panic!("one file");
    };
    assert!(file.old.bytes().is_none() && file.new.bytes().is_none());
    assert!(matches!(file.old, Piece::Withheld { hash: Some(_), .. }));
}

#[test]
fn what_never_happened_and_what_makes_no_sense_is_left_out() {
    let place = Place::new();
    place.put(&OpenGate, &[("a.md", Some("1"))]).unwrap();
    let journal = place.dir.path().join("state/journal.jsonl");
    let mut text = fs::read_to_string(&journal).unwrap();
    text.push_str("not json\n{\"v\":2,\"id\":\"w\",\"at\":1,\"who\":\"x\",\"files\":[]}\n");
    text.push_str(
        "{\"v\":2,\"id\":\"w\",\"at\":1,\"done\":true,\"withdrawn\":true}\n{\"v\":2,\"id\":\"torn",
    );
    fs::write(&journal, &text).unwrap();
    let all = told(&place);
    assert_eq!(all.len(), 2);
    assert_eq!(all[0], Logged::unreadable());
    assert_eq!((all[1].who.as_str(), all[1].damage), ("test", None));
    let damage = place.desk(&OpenGate).check_journal().unwrap();
    assert_eq!(
        (damage.lines, damage.n_damaged, damage.is_torn),
        (vec![3], 1, true)
    );
    assert_eq!(
        fs::read_to_string(&journal).unwrap(),
        text,
        "nothing is changed"
    );
}

#[test]
fn any_byte_that_changes_in_a_line_is_noticed() {
    let place = Place::new();
    place.write("a.md", "one\ntwo\n");
    place
        .put(&OpenGate, &[("a.md", Some("one\nthree\n"))])
        .unwrap();
    let journal = place.dir.path().join("state/journal.jsonl");
    let whole = fs::read(&journal).unwrap();
    let [original] = told(&place).try_into().unwrap();
    let end = whole.iter().position(|&byte| byte == b'\n').unwrap();
    let mut n_noticed = 0;
    for at in 0..end {
        for other in [whole[at] ^ 1, whole[at] ^ 0x20, b'0', b'\n', 0xFF] {
            let mut changed = whole.clone();
            changed[at] = other;
            fs::write(&journal, &changed).unwrap();
            for commit in told(&place) {
                let is_noticed = commit.damage.is_some();
                assert!(is_noticed || commit == original, "byte {at}: {commit:?}");
                n_noticed += usize::from(is_noticed);
            }
        }
    }
    assert!(n_noticed > end, "{n_noticed} of {end}");
}

#[test]
fn a_journal_without_damage_says_so() {
    let place = Place::new();
    let check = || place.desk(&OpenGate).check_journal().unwrap();
    assert_eq!(check(), JournalDamage::default(), "there is none yet");
    place.put(&OpenGate, &[("a.md", Some("1"))]).unwrap();
    place
        .put(&Breaks::at("rename staged file"), &[("a.md", Some("2"))])
        .unwrap_err();
    place.write("a.md", "edited");
    place.desk(&OpenGate).repair().unwrap();
    place.put(&OpenGate, &[("a.md", None)]).unwrap();
    assert_eq!(check(), JournalDamage::default());
}
