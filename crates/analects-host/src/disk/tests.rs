//! The real disk, tried on a real disk.

use std::os::unix::fs::symlink;
use std::path::Path;

use analects_testkit::{Entry, Fixture, contract};
use analects_world::files::Subdirs;

use super::*;

/// Builds a fixture below `dir`; its `/T` becomes `dir`.
pub(crate) fn build(fixture: &Fixture, dir: &Path) {
    let place = |path: &str| dir.join(path.strip_prefix("/T/").expect("fixtures lie below /T"));
    for (path, entry) in &fixture.entries {
        let path = place(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match entry {
            Entry::File(bytes) | Entry::Denied(bytes) => fs::write(path, bytes).unwrap(),
            Entry::Dir => fs::create_dir_all(path).unwrap(),
            Entry::Link(target) if target.starts_with("/T/") => {
                symlink(place(target), path).unwrap();
            }
            Entry::Link(target) => symlink(target, path).unwrap(),
            Entry::Special => mkfifo(&path),
        }
    }
}

fn mkfifo(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0).unwrap();
}

pub(crate) fn abs(path: &Path) -> AbsPath {
    AbsPath::new(path.to_str().unwrap()).unwrap()
}

#[test]
fn the_disk_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    contract::files(|fixture| {
        build(fixture, dir.path());
        (Disk, abs(dir.path()))
    });
}

#[test]
fn many_directories_are_answered_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let dirs: Vec<_> = (0..200)
        .map(|i| dir.path().join(format!("d{i:03}")))
        .collect();
    for (i, dir) in dirs.iter().enumerate() {
        fs::create_dir(dir).unwrap();
        fs::create_dir(dir.join(format!("sub{i}"))).unwrap();
    }
    let pick = Pick {
        names: vec![],
        suffix: None,
        subdirs: Subdirs::Report,
    };
    let asked: Vec<_> = dirs.iter().map(|dir| abs(dir)).collect();
    for (i, answer) in Disk.list(&asked, &pick).into_iter().enumerate() {
        assert_eq!(answer.unwrap().subdirs, [format!("sub{i}")]);
    }
}

#[test]
fn a_name_that_is_not_utf8_is_reported_and_not_entered() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(OsStr::from_bytes(b"bad\xFF"))).unwrap();
    let pick = Pick {
        names: vec![],
        suffix: None,
        subdirs: Subdirs::Report,
    };
    let listing = Disk.list(&[abs(dir.path())], &pick).remove(0).unwrap();
    assert_eq!(listing.unspeakable, ["bad\u{FFFD}"]);
    assert!(listing.subdirs.is_empty());
    // The same goes for a file, if it would be wanted.
    fs::write(dir.path().join(OsStr::from_bytes(b"note\xFF.md")), "x").unwrap();
    let wanted = |ending| {
        Disk.list(&[abs(dir.path())], &Pick::ending(ending))
            .remove(0)
    };
    assert_eq!(wanted(".md").unwrap().unspeakable, ["note\u{FFFD}.md"]);
    assert!(wanted(".txt").unwrap().unspeakable.is_empty());
}

#[test]
fn a_file_swapped_for_a_link_after_listing_does_not_lead_outside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    fs::create_dir(&root).unwrap();
    fs::write(dir.path().join("secret"), "secret").unwrap();
    fs::write(root.join("GEMINI.md"), "fine").unwrap();
    let (root, path) = (abs(&root), abs(&root.join("GEMINI.md")));
    let pick = Pick {
        names: vec!["GEMINI.md".into()],
        suffix: None,
        subdirs: Subdirs::Skip,
    };
    assert_eq!(
        Disk.list(std::slice::from_ref(&root), &pick)[0]
            .as_ref()
            .unwrap()
            .found
            .len(),
        1
    );
    fs::remove_file(path.as_str()).unwrap();
    symlink("../secret", path.as_str()).unwrap();
    let want = Want {
        path: &path,
        within: Within::Root(&root),
        limit_bytes: 100,
    };
    assert_eq!(Disk.read(&[want]), [Err(Trouble::Outside)]);
}

#[test]
fn a_file_of_unknown_length_is_read_to_the_limit() {
    let path = AbsPath::new("/proc/self/status").unwrap();
    let want = Want {
        path: &path,
        within: Within::Anywhere,
        limit_bytes: 10,
    };
    let blob = Disk.read(&[want]).remove(0).unwrap();
    assert_eq!(blob.bytes.len(), 10);
    assert!(blob.is_cut());
}

#[test]
fn a_socket_is_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("GEMINI.md");
    let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let path = abs(&path);
    let want = Want {
        path: &path,
        within: Within::Anywhere,
        limit_bytes: 10,
    };
    assert_eq!(Disk.read(&[want]), [Err(Trouble::Special)]);
}

#[test]
fn a_file_is_private_if_nobody_else_may_touch_it() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".env");
    fs::write(&path, "KEY=x").unwrap();
    let at = abs(&path);
    for (mode, is_private) in [(0o600, true), (0o400, true), (0o640, false), (0o602, false)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let want = Want {
            path: &at,
            within: Within::Anywhere,
            limit_bytes: 10,
        };
        let blob = Disk.read(&[want]).remove(0).unwrap();
        assert_eq!(blob.is_private, is_private, "{mode:o}");
    }
}

#[test]
fn a_long_file_is_read_whole_and_to_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long");
    let bytes: Vec<u8> = (0..LONG_BYTES + 3).map(|at| (at % 251) as u8).collect();
    fs::write(&path, &bytes).unwrap();
    let read = |limit_bytes| {
        let files: &dyn Files = &Disk;
        let blob = files.read_one(Want {
            path: &abs(&path),
            within: Within::Anywhere,
            limit_bytes,
        });
        let blob = blob.unwrap();
        assert_eq!(blob.len, bytes.len() as u64);
        (
            blob.bytes == bytes[..bytes.len().min(limit_bytes)],
            blob.is_cut(),
        )
    };
    assert_eq!(read(usize::MAX), (true, false));
    assert_eq!(read(bytes.len()), (true, false));
    assert_eq!(read(LONG_BYTES), (true, true));
}

#[test]
fn a_file_that_shrank_is_read_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("short");
    fs::write(&path, "all that is left").unwrap();
    let mut file = File::open(&path).unwrap();
    let mut bytes = read_long(&mut file, LONG_BYTES).unwrap();
    assert!(bytes.is_empty());
    file.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, b"all that is left");
}

#[test]
fn what_comes_after_the_length_that_was_claimed_is_read_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("grown");
    fs::write(&path, "0123456789").unwrap();
    let mut file = File::open(&path).unwrap();
    let mut bytes = read_long(&mut file, 7).unwrap();
    assert_eq!(bytes, b"0123456");
    file.read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, b"0123456789");
}
