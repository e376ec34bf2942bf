//! What must lie inside a directory does, whoever plays with links meanwhile.

use std::sync::Mutex;

use super::faults::Breaks;
use super::*;

/// Does something once, as the first such step is about to happen.
pub(super) struct Meanwhile<'a> {
    step: &'static str,
    deed: Mutex<Option<Box<dyn FnOnce() + Send + 'a>>>,
}

impl<'a> Meanwhile<'a> {
    pub(super) fn new(step: &'static str, deed: impl FnOnce() + Send + 'a) -> Self {
        Self {
            step,
            deed: Mutex::new(Some(Box::new(deed))),
        }
    }
}

impl Gate for Meanwhile<'_> {
    fn pass(&self, step: &str, _: &Path) -> io::Result<()> {
        if step == self.step
            && let Some(deed) = self.deed.lock().unwrap().take()
        {
            deed();
        }
        Ok(())
    }
}

/// A project with a directory, and a directory outside that looks the same.
fn furnish() -> Place {
    let place = Place::new();
    place.write("repo/sub/a.md", "old");
    place.write("outside/a.md", "old");
    place
}

fn put(place: &Place, gate: &dyn Gate, name: &str) -> Result<Receipt, CommitError> {
    let mut changes = place.changes(&[(name, Some("new"))]);
    changes.files[0].within = Some(place.path("repo"));
    let mut plan = |_: &dyn Files| Some(changes.clone());
    place.desk(gate).commit(&[], &mut plan)
}

/// Moves a directory away and puts a link to the one outside in its place.
fn swap(place: &Place) {
    let path = |name: &str| place.dir.path().join(name);
    fs::rename(path("repo/sub"), path("repo/moved")).unwrap();
    symlink(path("outside"), path("repo/sub")).unwrap();
}

fn is_alone(place: &Place, name: &str) -> bool {
    fs::read_dir(place.dir.path().join(name)).unwrap().count() == 1
}

#[test]
fn files_and_directories_are_made_where_they_may_be() {
    let place = furnish();
    put(&place, &OpenGate, "repo/sub/a.md").unwrap();
    put(&place, &OpenGate, "repo/new/deep/b.md").unwrap();
    put(&place, &OpenGate, "repo/top.md").unwrap();
    for name in ["repo/sub/a.md", "repo/new/deep/b.md", "repo/top.md"] {
        assert_eq!(place.read(name).as_deref(), Some("new"), "{name}");
    }
    assert!(place.leftovers().is_empty());
    let journal = place.read("state/journal.jsonl").unwrap();
    assert!(journal.starts_with("{\"v\":3,"), "{journal}");
}

#[test]
fn rights_are_kept_and_a_file_can_go() {
    let place = furnish();
    let path = place.dir.path().join("repo/sub/a.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    put(&place, &OpenGate, "repo/sub/a.md").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o750);
    let mut changes = place.changes(&[("repo/sub/a.md", None)]);
    changes.files[0].within = Some(place.path("repo"));
    let desk = place.desk(&OpenGate);
    desk.commit(&[], &mut |_| Some(changes.clone())).unwrap();
    assert_eq!(place.read("repo/sub/a.md"), None);
}

#[test]
fn no_link_is_followed_wherever_it_leads() {
    let place = furnish();
    let path = |name: &str| place.dir.path().join(name);
    symlink("sub", path("repo/near")).unwrap();
    symlink("sub/a.md", path("repo/near.md")).unwrap();
    symlink("../outside", path("repo/far")).unwrap();
    symlink("../outside/a.md", path("repo/far.md")).unwrap();
    symlink("../outside/new.md", path("repo/nowhere.md")).unwrap();
    symlink("../gone", path("repo/gone")).unwrap();
    for name in [
        "repo/near/a.md",
        "repo/near/new.md",
        "repo/near.md",
        "repo/far/a.md",
        "repo/far/new/b.md",
        "repo/far.md",
        "repo/nowhere.md",
        "repo/gone/x.md",
        "repo/sub/a.md/b.md",
        "outside/a.md",
        "repo",
    ] {
        let refused = put(&place, &OpenGate, name);
        assert!(
            matches!(refused, Err(CommitError::Refused { .. })),
            "{name}: {refused:?}"
        );
    }
    for name in ["outside/a.md", "repo/sub/a.md"] {
        assert_eq!(place.read(name).as_deref(), Some("old"), "{name}");
    }
    assert!(is_alone(&place, "outside") && is_alone(&place, "repo/sub") && !path("gone").exists());
    let refused = put(&place, &OpenGate, "outside/a.md").unwrap_err();
    let message = "it leads out of the directory that it must lie in";
    assert!(refused.to_string().ends_with(message), "{refused}");
}

#[test]
fn a_directory_that_becomes_a_link_at_any_step_leads_nobody_outside() {
    let early = [
        "list staged files",
        "make directory",
        "create staged file",
        "write staged file",
        "set rights of staged file",
        "sync staged file",
        "append to journal",
        "sync journal",
    ];
    for step in early {
        let place = furnish();
        let gate = Meanwhile::new(step, || swap(&place));
        let refused = put(&place, &gate, "repo/sub/a.md");
        assert!(
            matches!(refused, Err(CommitError::Refused { .. })),
            "{step}: {refused:?}"
        );
        assert_eq!(place.read("outside/a.md").as_deref(), Some("old"), "{step}");
        assert_eq!(place.read("repo/moved/a.md").as_deref(), Some("old"));
        assert!(is_alone(&place, "outside"), "{step}");
        assert!(place.leftovers().is_empty(), "{step}");
        assert_eq!(place.desk(&OpenGate).status(), Status::default());
    }
    for step in ["rename staged file", "sync directory"] {
        let place = furnish();
        let gate = Meanwhile::new(step, || swap(&place));
        put(&place, &gate, "repo/sub/a.md").unwrap();
        // It went where its directory went.
        assert_eq!(place.read("repo/moved/a.md").as_deref(), Some("new"));
        assert_eq!(place.read("outside/a.md").as_deref(), Some("old"), "{step}");
        assert!(is_alone(&place, "outside"), "{step}");
    }
}

#[test]
fn a_directory_that_is_made_meanwhile_is_looked_at_like_any_other() {
    let place = furnish();
    let path = |name: &str| place.dir.path().join(name);
    let (outside, new) = (path("outside"), path("repo/new"));
    let gate = Meanwhile::new("make directory", || symlink(outside, new).unwrap());
    let refused = put(&place, &gate, "repo/new/b.md").unwrap_err();
    let message = "a link or a file stands where a directory on its way should be";
    assert!(refused.to_string().ends_with(message), "{refused}");
    assert!(is_alone(&place, "outside"));
}

#[test]
fn what_a_crash_left_is_not_finished_behind_a_link() {
    let place = furnish();
    let gate = Breaks::at("rename staged file");
    let unfinished = put(&place, &gate, "repo/sub/a.md");
    assert!(matches!(unfinished, Err(CommitError::Unfinished { .. })));
    swap(&place);
    let repaired = place.desk(&OpenGate).repair().unwrap();
    assert_eq!(repaired[0].outcome, Outcome::Withdrawn);
    assert_eq!(place.read("outside/a.md").as_deref(), Some("old"));
    assert!(is_alone(&place, "outside"));
    assert_eq!(place.read("repo/moved/a.md").as_deref(), Some("old"));
}

#[test]
fn what_a_crash_left_is_finished_where_it_belongs() {
    let place = furnish();
    let gate = Breaks::at("rename staged file");
    put(&place, &gate, "repo/sub/a.md").unwrap_err();
    let repaired = place.desk(&OpenGate).repair().unwrap();
    assert_eq!(repaired[0].outcome, Outcome::Finished);
    assert_eq!(place.read("repo/sub/a.md").as_deref(), Some("new"));
    assert!(place.leftovers().is_empty());
}
