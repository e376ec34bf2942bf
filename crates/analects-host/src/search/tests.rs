//! Trees on a real disk.

use std::ffi::OsStr;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use analects_testkit::contract;
use analects_world::search::{Case, Ignore};
use tempfile::TempDir;

use super::*;
use crate::disk::tests::{abs, build};

const NO_RULES: Ignore<'_> = Ignore {
    git: false,
    files: &[],
};

/// All files below `at`, which is its own root.
fn all(at: &AbsPath) -> Tree<'_> {
    Tree {
        at,
        within: at,
        only: &[],
        never: &[],
        case: Case::Sensitive,
        ignore: NO_RULES,
        sieve: None,
        limit: 1000,
    }
}

fn seek(pattern: &str) -> Seek<'_> {
    Seek {
        pattern,
        is_literal: false,
        except: None,
        case: Case::Sensitive,
        context: (0, 0),
        per_file: None,
        names_only: false,
        max_line_bytes: 200,
    }
}

fn grep(tree: &Tree<'_>, pattern: &str) -> Grepped {
    DiskSearch
        .grep(tree, &seek(pattern), &Cancel::new())
        .unwrap()
}

fn names(tree: &Tree<'_>) -> Vec<String> {
    let walked = DiskSearch.walk(tree, &Cancel::new()).unwrap();
    let names = walked.files.iter();
    names
        .map(|file| file.path.relative_to(tree.at).unwrap().to_owned())
        .collect()
}

fn write(dir: &TempDir, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn the_disk_keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    build(&contract::search::tree(), dir.path());
    contract::search::check(&DiskSearch, &abs(dir.path()));
}

#[test]
fn odd_names_are_told_as_they_are_and_those_that_are_none_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["new\nline", "[a]*", "-rf", " ", "\u{1b}[2J", "…"] {
        write(&dir, name, "needle");
    }
    write(&dir, OsStr::from_bytes(b"bad\xFF"), "needle");
    write(
        &dir,
        Path::new(OsStr::from_bytes(b"dir\xFF")).join("x"),
        "needle",
    );
    let top = abs(dir.path());
    let walked = DiskSearch.walk(&all(&top), &Cancel::new()).unwrap();
    assert_eq!((walked.files.len(), walked.n_unread), (6, 2));
    assert_eq!(
        names(&all(&top)),
        ["\u{1b}[2J", " ", "-rf", "[a]*", "new\nline", "…"]
    );
    let grepped = grep(&all(&top), "needle");
    assert_eq!((grepped.n_matches, grepped.n_unread), (6, 2));
    let listed = DiskSearch.list(&all(&top), &Cancel::new()).unwrap();
    assert_eq!((listed.entries.len(), listed.n_unread), (6, 2));
}

#[test]
fn links_that_lead_in_circles_or_outside_are_no_files() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&other, "secret", "needle");
    write(&dir, "a/b/here", "needle");
    symlink(dir.path(), dir.path().join("a/b/up")).unwrap();
    symlink("round", dir.path().join("round")).unwrap();
    symlink(other.path(), dir.path().join("out")).unwrap();
    symlink(other.path().join("secret"), dir.path().join("secret")).unwrap();
    symlink(other.path().join("secret"), dir.path().join(".gitignore")).unwrap();
    let top = abs(dir.path());
    assert_eq!(names(&all(&top)), ["a/b/here"]);
    assert_eq!(grep(&all(&top), "needle").n_matches, 1);
}

#[test]
fn a_link_to_the_tree_is_judged_by_where_it_leads() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&dir, "in/a", "x");
    symlink(other.path(), dir.path().join("out")).unwrap();
    symlink(dir.path().join("in"), other.path().join("in")).unwrap();
    let (top, out, inside) = (
        abs(dir.path()),
        abs(&dir.path().join("out")),
        abs(&other.path().join("in")),
    );
    let walk = |at| {
        let tree = Tree { at, ..all(&top) };
        DiskSearch.walk(&tree, &Cancel::new())
    };
    assert_eq!(walk(&out), Err(Trouble::Outside));
    let walked = walk(&inside).unwrap();
    assert_eq!(
        walked.files[0].path,
        inside.join("a"),
        "told as it was asked for"
    );
}

#[test]
fn pipes_sockets_and_devices_are_not_waited_for() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let dir = tempfile::tempdir().unwrap();
    let (pipe, socket) = (dir.path().join("pipe"), dir.path().join("socket"));
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
    let _listens = std::os::unix::net::UnixListener::bind(socket).unwrap();
    write(&dir, "file", "needle");
    let top = abs(dir.path());
    assert_eq!(grep(&all(&top), "needle").n_matches, 1);
    for path in [pipe.as_path(), Path::new("/dev/zero")] {
        let (at, within) = (abs(path), AbsPath::root());
        let tree = Tree {
            at: &at,
            within: &within,
            ..all(&at)
        };
        let refused = DiskSearch.grep(&tree, &seek("x"), &Cancel::new());
        assert_eq!(refused, Err(NoGrep::Tree(Trouble::Special)), "{at}");
    }
}

#[test]
fn a_directory_that_may_not_be_read_is_counted() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    write(&dir, "closed/a", "needle");
    write(&dir, "open", "needle");
    let closed = dir.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read_dir(&closed).is_ok();
    let top = abs(dir.path());
    let grepped = grep(&all(&top), "needle");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let expected = if is_root { (2, 0) } else { (1, 1) };
    assert_eq!((grepped.n_matches, grepped.n_unread), expected);
}

#[test]
fn a_line_without_an_end_costs_no_memory_and_ends_its_file_only() {
    let dir = tempfile::tempdir().unwrap();
    let mut file = fs::File::create(dir.path().join("a")).unwrap();
    // Blanks, not zeros: a file with zeros would be none of text. The rest of the line is a hole of them.
    file.write_all(b"needle before\n").unwrap();
    for _ in 0..10 {
        file.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    file.seek(SeekFrom::Start(1 << 30)).unwrap();
    file.write_all(b"\nneedle behind\n").unwrap();
    write(&dir, "b", "needle");
    let top = abs(dir.path());
    let grepped = grep(&all(&top), "needle");
    assert_eq!((grepped.n_matches, grepped.n_unread), (2, 1));
}

#[test]
fn a_long_line_that_fits_is_searched_and_cut() {
    let dir = tempfile::tempdir().unwrap();
    write(
        &dir,
        "min.js",
        format!("{}needle{}\n", "x".repeat(1 << 20), "y".repeat(1 << 20)),
    );
    let grepped = grep(&all(&abs(dir.path())), "needle");
    assert!(grepped.lines[0].text.contains("xneedley"));
    assert!(grepped.lines[0].text.len() < 210);
}

#[test]
fn what_is_told_of_a_tree_is_bounded_in_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let line = format!("{}\n", "needle".repeat(30));
    for at in 0..20 {
        write(&dir, format!("{at:02}"), line.repeat(1000));
    }
    let top = abs(dir.path());
    let tree = Tree {
        limit: usize::MAX,
        ..all(&top)
    };
    let grepped = grep(&tree, "needle");
    let n_bytes: usize = grepped.lines.iter().map(|line| line.text.len()).sum();
    assert!(
        grepped.is_cut && (1 << 20..(1 << 20) + 1000).contains(&n_bytes),
        "{n_bytes}"
    );
    assert_eq!(grep(&tree, "needle"), grepped, "the same every time");
}

#[test]
fn patterns_that_would_grow_without_bounds_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let top = abs(dir.path());
    let refuse = |pattern: &str| {
        let refused = DiskSearch.grep(&all(&top), &seek(pattern), &Cancel::new());
        let Err(NoGrep::Pattern(reason)) = refused else {
            panic!("{pattern}");
        };
        assert!(
            !reason.contains('\n') && reason.chars().count() <= 200,
            "{reason}"
        );
        reason
    };
    refuse(r"\w{1000}{1000}");
    refuse(&"(".repeat(5000));
    refuse(&format!("{}a{}", "(".repeat(5000), ")".repeat(5000)));
    assert_eq!(refuse("(a"), "unclosed group");
    assert_eq!(
        refuse("(?<!a)b"),
        "look-around, including look-ahead and look-behind, is not supported"
    );
    refuse(r"a\nb");
}

#[test]
fn slow_patterns_of_other_engines_are_quick() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir, "a", "a".repeat(100_000));
    assert_eq!(
        grep(&all(&abs(dir.path())), "(a+)+$b|(a|aa)+c").n_matches,
        0
    );
}

#[test]
fn who_cancels_is_heard_at_once() {
    let dir = tempfile::tempdir().unwrap();
    for at in 0..100 {
        write(&dir, format!("{at}"), "needle");
    }
    let top = abs(dir.path());
    let cancel = Cancel::new();
    cancel.cancel();
    let walked = DiskSearch.walk(&all(&top), &cancel).unwrap();
    assert!(walked.files.is_empty() && walked.is_cut);
    let grepped = DiskSearch
        .grep(&all(&top), &seek("needle"), &cancel)
        .unwrap();
    assert!(grepped.lines.is_empty() && grepped.is_cut);
}

#[test]
fn a_tree_may_be_deep() {
    let dir = tempfile::tempdir().unwrap();
    let deep = "d/".repeat(200);
    write(&dir, format!("{deep}file"), "needle");
    write(&dir, format!("{}near", "d/".repeat(100)), "needle");
    let top = abs(dir.path());
    let walked = DiskSearch.walk(&all(&top), &Cancel::new()).unwrap();
    assert_eq!((walked.files.len(), walked.n_unread), (1, 1));
}

#[test]
fn ignore_files_of_any_size_and_shape_do_not_stop_a_search() {
    let dir = tempfile::tempdir().unwrap();
    let senseless = "[\n{a,\n\\\n!\n/\n";
    let many: Vec<_> = (0..3000).map(|at| format!("gone-{at}\n")).collect();
    write(&dir, ".gitignore", format!("{senseless}{}", many.concat()));
    write(&dir, "sub/.gitignore", vec![b'*'; 1 << 20]);
    for name in ["gone-1", "gone-2999", "here", "sub/here"] {
        write(&dir, name, "needle");
    }
    let top = abs(dir.path());
    let tree = Tree {
        ignore: Ignore {
            git: true,
            files: &[],
        },
        ..all(&top)
    };
    assert_eq!(
        names(&tree),
        [".gitignore", "here", "sub/.gitignore", "sub/here"]
    );
}

#[test]
fn many_files_are_answered_in_order_every_time() {
    let dir = tempfile::tempdir().unwrap();
    for at in 0..2000 {
        write(&dir, format!("{}/{at}", at % 37), format!("needle {at}\n"));
    }
    let top = abs(dir.path());
    let tree = Tree {
        limit: 500,
        ..all(&top)
    };
    let first = grep(&tree, "needle");
    assert!(first.is_cut && first.n_matches == 500);
    assert!(first.lines.is_sorted_by_key(|line| &line.path));
    for _ in 0..5 {
        assert_eq!(grep(&tree, "needle"), first);
    }
    let walked = DiskSearch.walk(&tree, &Cancel::new()).unwrap();
    assert!(walked.is_cut && walked.files.is_sorted_by_key(|file| &file.path));
}

#[test]
fn what_is_swapped_for_a_link_during_a_walk_does_not_lead_outside() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&other, "secret", "needle");
    for name in ["a/file", "b/file", "z/file"] {
        write(&dir, name, "needle");
    }
    let top = abs(dir.path());
    let (tree, cancel) = (all(&top), Cancel::new());
    let globs = Globs::new(&tree).unwrap();
    let start = start::begin(&tree).unwrap();
    let What::Dir(opened) = start.what else {
        panic!("a file");
    };
    let which = walker::Which {
        globs: &globs,
        sieve: None,
    };
    let mut walker = Walker::new(opened, &start.real, start.rules, which, &cancel);
    let first = walker.next().unwrap();
    let second = walker.next().unwrap();
    fs::remove_file(dir.path().join("a/file")).unwrap();
    symlink(other.path().join("secret"), dir.path().join("a/file")).unwrap();
    for name in ["b", "z"] {
        fs::rename(
            dir.path().join(name),
            dir.path().join(format!("old-{name}")),
        )
        .unwrap();
        symlink(other.path(), dir.path().join(name)).unwrap();
    }
    fs::rename(other.path().join("secret"), other.path().join("file")).unwrap();
    assert!(first.open().is_err());
    assert!(second.open().is_ok(), "the one that was there before");
    assert!(walker.next().is_none());
    assert_eq!(walker.n_unread, 1, "a link where a directory was");
}
