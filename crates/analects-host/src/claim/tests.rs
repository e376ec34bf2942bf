//! Claims that many processes want at once, and holders that die.

use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn place() -> (tempfile::TempDir, AbsPath) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory/.extraction.lock");
    let path = AbsPath::new(path.to_str().unwrap()).unwrap();
    (dir, path)
}

fn names(path: &AbsPath) -> Vec<String> {
    let dir = Path::new(path.as_str()).parent().unwrap();
    let entries = fs::read_dir(dir).unwrap().flatten();
    entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

#[test]
fn it_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let top = AbsPath::new(dir.path().to_str().unwrap()).unwrap();
    analects_testkit::contract::claims(&DiskClaims, &crate::Disk, &top);
}

#[test]
fn of_many_that_claim_at_once_one_gets_it() {
    let (_dir, path) = place();
    let n_held = AtomicUsize::new(0);
    let most = AtomicUsize::new(0);
    let (n_threads, n_rounds) = (8, 40);
    let start = Barrier::new(n_threads);
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                start.wait();
                for _ in 0..n_rounds {
                    let mine = unique();
                    if DiskClaims.put(&path, mine.as_bytes()).unwrap() {
                        let n = n_held.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(n, Ordering::SeqCst);
                        thread::yield_now();
                        n_held.fetch_sub(1, Ordering::SeqCst);
                        assert!(DiskClaims.swap(&path, mine.as_bytes(), None).unwrap());
                    }
                }
            });
        }
    });
    assert_eq!(most.into_inner(), 1);
    assert_eq!(names(&path), Vec::<String>::new());
}

#[test]
fn of_many_that_take_over_a_dead_claim_one_gets_it() {
    let (_dir, path) = place();
    for _ in 0..20 {
        assert!(DiskClaims.put(&path, b"dead").unwrap());
        let n_won = AtomicUsize::new(0);
        let start = Barrier::new(6);
        thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    start.wait();
                    let mine = unique();
                    let _ = DiskClaims.swap(&path, b"dead", None).unwrap();
                    if DiskClaims.put(&path, mine.as_bytes()).unwrap() {
                        n_won.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(n_won.into_inner(), 1);
        let winner = read(Path::new(path.as_str())).unwrap().unwrap();
        assert!(DiskClaims.swap(&path, &winner, None).unwrap());
    }
}

#[test]
fn it_is_never_seen_half() {
    let (_dir, path) = place();
    let whole = vec![b'x'; 8 * 1024];
    let at = Path::new(path.as_str());
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..200 {
                assert!(DiskClaims.put(&path, &whole).unwrap());
                assert!(DiskClaims.swap(&path, &whole, Some(&whole)).unwrap());
                assert!(DiskClaims.swap(&path, &whole, None).unwrap());
            }
        });
        while !writer.is_finished() {
            if let Some(seen) = read(at).unwrap() {
                assert_eq!(seen.len(), whole.len());
            }
        }
    });
}

#[test]
fn who_was_killed_has_no_pulse_and_who_lives_was_born_once() {
    let mut child = Command::new("sleep").arg("60").spawn().unwrap();
    let pid = child.id();
    let born = process::born(pid);
    assert!(born.is_some());
    assert_eq!(DiskClaims.pulse(pid), Pulse::Beating { born });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(DiskClaims.pulse(pid), Pulse::Gone);
    // The first process of all is somebody else's where we are not root, and alive all the same.
    assert!(matches!(DiskClaims.pulse(1), Pulse::Beating { .. }));
    for nobody in [0, u32::MAX] {
        assert_eq!(DiskClaims.pulse(nobody), Pulse::Gone);
    }
    let (me, again) = (DiskClaims.who(), DiskClaims.who());
    assert_eq!((me.pid, me.born), (again.pid, again.born));
    assert_eq!(me.machine, again.machine);
    assert_ne!(me.token, again.token);
}

#[test]
fn a_link_is_no_claim_and_is_not_followed() {
    let (dir, path) = place();
    let other = dir.path().join("other");
    fs::write(&other, "mine").unwrap();
    fs::create_dir_all(dir.path().join("memory")).unwrap();
    std::os::unix::fs::symlink(&other, path.as_str()).unwrap();
    assert_eq!(DiskClaims.put(&path, b"x"), Ok(false));
    assert!(DiskClaims.swap(&path, b"mine", Some(b"x")).is_err());
    assert!(DiskClaims.swap(&path, b"mine", None).is_err());
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
}

#[test]
fn what_a_process_left_that_died_in_the_middle_goes() {
    let (_dir, path) = place();
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let beside = |word: String| format!("{path}.{word}.tmp");
    let left = beside(format!("{}-1-0", gone.id()));
    let (alive, other) = (
        beside(format!("{}-1-0", std::process::id())),
        beside("notes".to_owned()),
    );
    fs::create_dir_all(Path::new(&left).parent().unwrap()).unwrap();
    for file in [&left, &alive, &other] {
        fs::write(file, "x").unwrap();
    }
    assert!(DiskClaims.put(&path, b"mine").unwrap());
    let is_there = |file: &String| Path::new(file).exists();
    assert_eq!(
        [&left, &alive, &other].map(is_there),
        [false, true, true],
        "only what is surely nobody's any more"
    );
}
