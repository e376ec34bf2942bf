//! The commit point under every failure that can be made to happen.

mod attributes;
mod editors;
mod faults;
mod inside;
mod lightly;
mod links;
mod locks;
mod log;
mod many;
mod stubborn;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use analects_world::Files;
use analects_world::changes::{Access, Change, ContentHash, Form};
use analects_world::desk::Outcome;

use super::*;

/// A directory with a home's state and some files in it.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> AbsPath {
        AbsPath::new(self.dir.path().join(name).to_str().unwrap()).unwrap()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        read(&self.path(name))
    }

    fn desk<'a>(&self, gate: &'a dyn Gate) -> CommitDesk<'a> {
        CommitDesk::new(&self.path("state"), gate)
    }

    /// Commits new contents, whatever was there before.
    fn put(&self, gate: &dyn Gate, files: &[(&str, Option<&str>)]) -> Result<Receipt, CommitError> {
        self.desk(gate)
            .commit(&[], &mut |_| Some(self.changes(files)))
    }

    fn changes(&self, files: &[(&str, Option<&str>)]) -> Changes {
        let top = self.path(".");
        let change = |(name, text): &(&str, Option<&str>)| change(&top, name, *text);
        Changes::new("test", "to see", files.iter().map(change).collect())
    }

    /// Files of ours that should not be there after a commit.
    fn leftovers(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut todo = vec![self.dir.path().to_owned()];
        while let Some(dir) = todo.pop() {
            for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let name = entry.file_name().to_string_lossy().into_owned();
                if entry.file_type().unwrap().is_dir() {
                    todo.push(entry.path());
                } else if name.starts_with(".analects-") || name == "staging.json" {
                    found.push(name);
                }
            }
        }
        found
    }
}

/// What a file holds; a name that ends in `.link` is that of a link, which holds where it points.
fn read(path: &AbsPath) -> Option<String> {
    match path.as_str().ends_with(".link") {
        true => Some(fs::read_link(path.as_str()).ok()?.to_str()?.to_owned()),
        false => fs::read_to_string(path.as_str()).ok(),
    }
}

/// A change of what is called so below a directory, whatever was there before.
fn change(top: &AbsPath, name: &str, text: Option<&str>) -> Change {
    let path = top.join(name);
    let change = if name.ends_with(".link") {
        Change::link(&path, read(&path).as_deref(), text)
    } else {
        let old = fs::read(path.as_str()).ok();
        let new = text.map(|text| text.as_bytes().to_vec());
        Change::new(&path, old.as_deref(), new)
    };
    confined(change, &top.join("inside"))
}

/// A change below this directory must not leave it.
fn confined(change: Change, inside: &AbsPath) -> Change {
    match change.path.is_within(inside) {
        true => change.inside(inside),
        false => change,
    }
}

#[test]
fn several_files_change_together() {
    let place = Place::new();
    place.write("a.md", "old");
    place.write("gone.md", "bye");
    let files = [
        ("a.md", Some("new")),
        ("deep/b.md", Some("fresh")),
        ("gone.md", None),
    ];
    let receipt = place.put(&OpenGate, &files).unwrap();
    assert_eq!(receipt.files.len(), 3);
    assert!(receipt.id.is_some() && receipt.repaired.is_empty());
    let now = ["a.md", "deep/b.md", "gone.md"].map(|name| place.read(name));
    assert_eq!(
        now,
        [Some("new".to_owned()), Some("fresh".to_owned()), None]
    );
    assert!(place.leftovers().is_empty());
}

#[test]
fn nothing_to_do_leaves_no_trace_in_the_journal() {
    let place = Place::new();
    let receipt = place.put(&OpenGate, &[]).unwrap();
    assert_eq!(receipt.id, None);
    assert_eq!(place.read("state/journal.jsonl").as_deref(), Some(""));
}

#[test]
fn a_plan_that_gives_up_changes_nothing() {
    let place = Place::new();
    let given_up = place.desk(&OpenGate).commit(&[], &mut |_| None);
    assert_eq!(given_up, Err(CommitError::Abandoned));
}

#[test]
fn a_file_that_changed_since_is_planned_again() {
    let place = Place::new();
    place.write("a.md", "one");
    let mut n_plans = 0;
    let path = place.path("a.md");
    let receipt = place.desk(&OpenGate).commit(&[], &mut |files| {
        use analects_world::files::{Want, Within};
        n_plans += 1;
        let want = Want {
            path: &path,
            within: Within::Anywhere,
            limit_bytes: 100,
        };
        let old = files.read_one(want).unwrap().bytes;
        if n_plans == 1 {
            place.write("a.md", "two"); // an editor saves
        }
        let new = [&old[..], b"+"].concat();
        let change = Change::new(&path, Some(&old), Some(new));
        Some(Changes::new("test", "", vec![change]))
    });
    assert!(receipt.is_ok());
    assert_eq!((n_plans, place.read("a.md").as_deref()), (2, Some("two+")));
}

#[test]
fn a_file_that_never_rests_is_given_up() {
    let place = Place::new();
    let mut n = 0;
    let restless = place.desk(&OpenGate).commit(&[], &mut |_| {
        let changes = place.changes(&[("a.md", Some("mine"))]);
        n += 1;
        place.write("a.md", n.to_string());
        Some(changes)
    });
    assert_eq!(restless, Err(CommitError::Restless(place.path("a.md"))));
    assert_eq!(place.read("a.md"), Some(n.to_string()));
}

#[test]
fn mode_and_owner_are_kept_and_a_link_is_written_through() {
    let place = Place::new();
    place.write("real.md", "old");
    let real = place.dir.path().join("real.md");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if is_root {
        std::os::unix::fs::chown(&real, Some(12), Some(34)).unwrap();
    }
    symlink("real.md", place.dir.path().join("link.md")).unwrap();
    place.put(&OpenGate, &[("link.md", Some("new"))]).unwrap();
    let meta = fs::metadata(&real).unwrap();
    assert_eq!(meta.mode() & 0o7777, 0o640);
    assert!(!is_root || (meta.uid(), meta.gid()) == (12, 34));
    assert!(
        fs::symlink_metadata(place.dir.path().join("link.md"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(place.read("real.md").as_deref(), Some("new"));
}

#[test]
fn a_dangling_link_gets_its_target() {
    let place = Place::new();
    symlink("later.md", place.dir.path().join("link.md")).unwrap();
    place.put(&OpenGate, &[("link.md", Some("new"))]).unwrap();
    assert_eq!(place.read("later.md").as_deref(), Some("new"));
}

#[test]
fn owner_only_means_owner_only() {
    let place = Place::new();
    let mut changes = place.changes(&[("t.json", Some("{}"))]);
    changes.files[0].access = Access::OwnerOnly;
    place
        .desk(&OpenGate)
        .commit(&[], &mut |_| Some(changes.clone()))
        .unwrap();
    let mode = fs::metadata(place.dir.path().join("t.json"))
        .unwrap()
        .mode();
    assert_eq!(mode & 0o7777, 0o600);
}

#[test]
fn a_pipe_or_directory_in_the_way_is_refused_at_once() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let place = Place::new();
    mknodat(
        CWD,
        place.dir.path().join("pipe"),
        FileType::Fifo,
        Mode::RUSR,
        0,
    )
    .unwrap();
    fs::create_dir(place.dir.path().join("dir")).unwrap();
    for name in ["pipe", "dir"] {
        let change = Change::new(&place.path(name), None, Some(vec![]));
        let plan = Changes::new("test", "", vec![change]);
        let refused = place
            .desk(&OpenGate)
            .commit(&[], &mut |_| Some(plan.clone()));
        assert!(
            matches!(refused, Err(CommitError::Refused { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn a_torn_journal_line_is_cut_and_work_goes_on() {
    let place = Place::new();
    place.put(&OpenGate, &[("a.md", Some("1"))]).unwrap();
    let journal = place.dir.path().join("state/journal.jsonl");
    let whole = fs::read(&journal).unwrap();
    for torn in [
        &b"{\"v\":1,\"id\":\"x\",\"fi"[..],
        b"\xFF\xFE\0",
        b"{}\n",
        b"not json\n",
    ] {
        fs::write(&journal, [&whole[..], torn].concat()).unwrap();
        place.put(&OpenGate, &[("a.md", Some("2"))]).unwrap();
        place.put(&OpenGate, &[("a.md", Some("1"))]).unwrap();
        assert!(place.leftovers().is_empty());
    }
}

#[test]
fn a_long_record_is_found_again() {
    let place = Place::new();
    let long = "rule\n".repeat(100_000);
    place.write("a.md", &long);
    let gate = faults::Breaks::at("rename staged file");
    let unfinished = place.put(&gate, &[("a.md", Some("short"))]);
    assert!(
        matches!(unfinished, Err(CommitError::Unfinished { .. })),
        "{unfinished:?}"
    );
    let status = place.desk(&OpenGate).status();
    assert!(status.unfinished.is_some() && status.holder.is_none());
    let repaired = place.desk(&OpenGate).repair().unwrap();
    assert_eq!(repaired[0].outcome, Outcome::Finished);
    assert_eq!(place.read("a.md").as_deref(), Some("short"));
    assert_eq!(place.desk(&OpenGate).status(), Status::default());
}

#[test]
fn the_status_names_who_is_writing() {
    let place = Place::new();
    let desk = place.desk(&OpenGate);
    let mut seen = None;
    let _ = desk.commit(&[], &mut |_| {
        seen = Some(place.desk(&OpenGate).status());
        None
    });
    let holder = seen.and_then(|status| status.holder);
    assert_eq!(holder, Some(format!("process {}", std::process::id())));
}

#[test]
fn a_directory_goes_with_its_last_file_only_if_that_was_asked_for() {
    let place = Place::new();
    for name in ["a/b/x.md", "full/x.md", "full/y.md", "kept/x.md"] {
        place.write(name, "x");
    }
    let mut changes =
        place.changes(&[("a/b/x.md", None), ("full/x.md", None), ("kept/x.md", None)]);
    changes.emptied = ["a/b", "a", "full", "gone"]
        .map(|dir| place.path(dir))
        .into();
    let desk = place.desk(&OpenGate);
    desk.commit(&[], &mut |_| Some(changes.clone())).unwrap();
    let is_there = |name: &str| place.dir.path().join(name).is_dir();
    assert_eq!(["a", "full", "kept"].map(is_there), [false, true, true]);
    assert_eq!(place.read("full/y.md").as_deref(), Some("x"));
}
