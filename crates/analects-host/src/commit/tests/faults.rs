//! A walk over every step of a commit, failing or dying at each.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Counts steps and breaks at one of them.
pub(super) struct Breaks {
    at_step: usize,
    at_name: &'static str,
    how: How,
    n_passed: AtomicUsize,
}

#[derive(Clone, Copy)]
enum How {
    Errno(rustix::io::Errno),
    Kill,
}

impl Breaks {
    fn nth(at_step: usize, how: How) -> Self {
        Self {
            at_step,
            at_name: "",
            how,
            n_passed: AtomicUsize::new(0),
        }
    }

    pub(super) fn at(at_name: &'static str) -> Self {
        Self::at_with(at_name, rustix::io::Errno::IO)
    }

    pub(super) fn at_with(at_name: &'static str, errno: rustix::io::Errno) -> Self {
        Self {
            at_name,
            ..Self::nth(usize::MAX, How::Errno(errno))
        }
    }
}

impl Gate for Breaks {
    fn pass(&self, step: &str, _: &Path) -> io::Result<()> {
        let n = self.n_passed.fetch_add(1, Ordering::Relaxed);
        if n != self.at_step && step != self.at_name {
            return Ok(());
        }
        match self.how {
            How::Errno(errno) => Err(errno.into()),
            How::Kill => {
                use rustix::process::{Signal, getpid, kill_process};
                kill_process(getpid(), Signal::KILL).unwrap();
                unreachable!("nobody survives this");
            }
        }
    }
}

const FILES: [(&str, Option<&str>); 9] = [
    ("kept.md", Some("new")),
    ("a/b/made.md", Some("made")),
    ("gone.md", None),
    ("other/linked.md", Some("through")),
    ("inside/c/d.md", Some("held")),
    ("inside/gone.md", None),
    ("inside/c/new.link", Some("../../far")),
    ("inside/moved.link", Some("nowhere")),
    ("gone.link", None),
];

fn furnish(place: &Place) {
    place.write("kept.md", "old");
    place.write("gone.md", "bye");
    place.write("far/real.md", "far");
    place.write("other/x", "");
    place.write("inside/gone.md", "bye");
    symlink("../far/real.md", place.dir.path().join("other/linked.md")).unwrap();
    symlink("../far", place.dir.path().join("inside/moved.link")).unwrap();
    symlink("far", place.dir.path().join("gone.link")).unwrap();
    // A journal that exists already, as it nearly always does.
    place.put(&OpenGate, &[("far/x", Some("1"))]).unwrap();
}

fn state(place: &Place) -> Vec<Option<String>> {
    FILES.iter().map(|(name, _)| place.read(name)).collect()
}

fn old() -> Vec<Option<String>> {
    vec![
        Some("old".into()),
        None,
        Some("bye".into()),
        Some("far".into()),
        None,
        Some("bye".into()),
        None,
        Some("../far".into()),
        Some("far".into()),
    ]
}

fn new() -> Vec<Option<String>> {
    vec![
        Some("new".into()),
        Some("made".into()),
        None,
        Some("through".into()),
        Some("held".into()),
        None,
        Some("../../far".into()),
        Some("nowhere".into()),
        None,
    ]
}

/// After a failure: a look by the next writer, then all old or all new, and a healthy desk.
fn check_after(place: &Place, step: usize, is_committed: Option<bool>) {
    place.desk(&OpenGate).repair().unwrap();
    let now = state(place);
    match is_committed {
        Some(true) => assert_eq!(now, new(), "step {step}"),
        Some(false) => assert_eq!(now, old(), "step {step}"),
        None => assert!(now == old() || now == new(), "step {step}: {now:?}"),
    }
    assert!(
        place.leftovers().is_empty(),
        "step {step}: {:?}",
        place.leftovers()
    );
    place
        .put(&OpenGate, &[("after.md", Some("works"))])
        .unwrap();
}

#[test]
fn every_step_may_fail() {
    use rustix::io::Errno;
    let mut n_survived = 0;
    for errno in [Errno::NOSPC, Errno::IO, Errno::ROFS, Errno::ACCESS] {
        for step in 0.. {
            let place = Place::new();
            furnish(&place);
            let gate = Breaks::nth(step, How::Errno(errno));
            let outcome = place.put(&gate, &FILES);
            let is_over = gate.n_passed.load(Ordering::Relaxed) <= step;
            let is_committed = match outcome {
                Ok(_) => true,
                Err(CommitError::Unfinished { .. }) => true,
                Err(CommitError::Refused { .. }) => {
                    assert_eq!(state(&place), old(), "refused at step {step}, yet changed");
                    false
                }
                Err(error) => panic!("step {step}: {error}"),
            };
            check_after(&place, step, Some(is_committed));
            if is_over {
                assert!(is_committed);
                break;
            }
            n_survived += 1;
        }
    }
    tell(&format!(
        "failing: {n_survived}/{n_survived} steps survived"
    ));
    assert!(n_survived > 60, "the walk met only {n_survived} steps");
}

#[test]
fn every_step_may_be_the_last() {
    let mut n_survived = 0;
    for step in 0.. {
        let place = Place::new();
        furnish(&place);
        let status = child("commit::tests::faults::dies_at_a_step", &place, step);
        if status.success() {
            check_after(&place, step, Some(true));
            break;
        }
        use std::os::unix::process::ExitStatusExt;
        assert_eq!(status.signal(), Some(9), "step {step}");
        check_after(&place, step, None);
        n_survived += 1;
    }
    tell(&format!("killed: {n_survived}/{n_survived} steps survived"));
    assert!(n_survived > 15, "the walk met only {n_survived} steps");
}

/// Says something past the capture of the test runner: the count belongs into every log.
fn tell(text: &str) {
    use std::io::Write;
    writeln!(io::stderr(), "fault walk, {text}").unwrap();
}

/// Runs one test of this binary in a process of its own.
pub(super) fn child(test: &str, place: &Place, number: usize) -> std::process::ExitStatus {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env("ANALECTS_TEST_DIR", place.dir.path());
    command.env("ANALECTS_TEST_NUMBER", number.to_string());
    command
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap()
}

/// The place and the number that a parent gave, if this is a child.
pub(super) fn given() -> Option<(PathBuf, usize)> {
    let dir = std::env::var_os("ANALECTS_TEST_DIR")?;
    let number = std::env::var("ANALECTS_TEST_NUMBER").ok()?.parse().ok()?;
    Some((dir.into(), number))
}

/// Not a test of its own: what a child of `every_step_may_be_the_last` does.
#[test]
fn dies_at_a_step() {
    let Some((dir, step)) = given() else { return };
    let root = AbsPath::new(dir.to_str().unwrap()).unwrap();
    let gate = Breaks::nth(step, How::Kill);
    let desk = CommitDesk::new(&root.join("state"), &gate);
    let change = |(name, text): &(&str, Option<&str>)| change(&root, name, *text);
    let changes = Changes::new("test", "", FILES.iter().map(change).collect());
    desk.commit(&[], &mut |_| Some(changes.clone())).unwrap();
}

#[test]
fn a_file_that_was_edited_after_a_crash_is_left_alone() {
    let place = Place::new();
    furnish(&place);
    let unfinished = place.put(&Breaks::at("rename staged file"), &FILES);
    assert!(matches!(unfinished, Err(CommitError::Unfinished { .. })));
    place.write("kept.md", "edited by hand");
    let repaired = place.desk(&OpenGate).repair().unwrap();
    // Nothing was in place yet: all stays as it is.
    assert_eq!(repaired[0].outcome, Outcome::Withdrawn);
    assert_eq!(place.read("kept.md").as_deref(), Some("edited by hand"));
    assert_eq!(place.read("a/b/made.md"), None);
    assert!(place.leftovers().is_empty());
    assert!(
        place
            .read("state/journal.jsonl")
            .unwrap()
            .contains("\"withdrawn\":true")
    );
}

#[test]
fn an_edit_after_half_of_the_files_were_in_place_is_kept_beside_ours() {
    let place = Place::new();
    furnish(&place);
    let unfinished = place.put(&Breaks::at("remove file"), &FILES);
    assert!(matches!(unfinished, Err(CommitError::Unfinished { .. })));
    place.write("far/real.md", "edited by hand");
    let repaired = place.desk(&OpenGate).repair().unwrap();
    assert_eq!(
        repaired[0].outcome,
        Outcome::Conflicts(vec![place.path("other/../far/real.md")])
    );
    assert_eq!(place.read("far/real.md").as_deref(), Some("edited by hand"));
    assert_eq!(place.read("gone.md"), None, "the rest is finished");
    assert_eq!(place.leftovers().len(), 1, "our version lies beside it");
}

#[test]
fn a_record_whose_content_was_lost_with_the_power_is_withdrawn() {
    let lose: [fn(&Path); 3] = [
        |staged| fs::remove_file(staged).unwrap(),
        |staged| fs::write(staged, "").unwrap(),
        |staged| fs::write(staged, "n\0w").unwrap(),
    ];
    for lose in lose {
        let place = Place::new();
        furnish(&place);
        let unfinished = place.put(&Breaks::at("rename staged file"), &FILES[..1]);
        assert!(matches!(unfinished, Err(CommitError::Unfinished { .. })));
        let mut left = place.leftovers().into_iter();
        let staged = left.find(|name| name != "staging.json").unwrap();
        lose(&place.dir.path().join(staged));
        let repaired = place.desk(&OpenGate).repair().unwrap();
        assert_eq!(repaired[0].outcome, Outcome::Withdrawn);
        assert_eq!(place.read("kept.md").as_deref(), Some("old"));
        assert!(place.leftovers().is_empty());
    }
}
