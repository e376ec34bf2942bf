//! Patches: made, read, tried and merged.

use std::collections::BTreeSet;

use analects_skill::patch::{Allowed, read};
use analects_testkit::{FakeFiles, Fixture};
use analects_text::patch::{files, merge, unified};
use analects_text::{hunks, parts};
use analects_world::AbsPath;

use crate::sheet::{parts as parts_of, text_of};

/// A patch from one text to another leads there and back; one that a stranger wrote changes nothing but what it may.
pub fn patch(data: &[u8]) {
    let input = parts_of(data);
    let (old, new) = (text_of(&input, "old"), text_of(&input, "new"));
    there_and_back(&old, &new);
    merged(&old, &new, &text_of(&input, "theirs"));
    in_parts(&old, &new);
    strangers(&text_of(&input, ""), &old);
}

fn there_and_back(old: &str, new: &str) {
    for (from, to) in [(old, new), (new, old)] {
        let patch = unified(from, to, "/m/a.md", "/m/a.md");
        let read = files(&patch).unwrap();
        if from == to {
            assert!(read.is_empty());
            continue;
        }
        let [file] = read.as_slice() else {
            panic!("one file became {}:\n{patch}", read.len());
        };
        assert_eq!(file.apply(from).as_deref(), Some(to), "{patch}");
        let (n_new, n_old) = file.counts();
        assert_eq!(file.added().count(), n_new);
        assert!(n_new <= to.lines().count() && n_old <= from.lines().count());
    }
}

fn merged(base: &str, ours: &str, theirs: &str) {
    assert_eq!(merge(base, ours, base).as_deref(), Ok(ours));
    assert_eq!(merge(base, base, theirs).as_deref(), Ok(theirs));
    assert_eq!(merge(base, ours, ours).as_deref(), Ok(ours));
    let both = merge(base, ours, theirs).unwrap_or_else(|shown| shown);
    // Both versions of everything, and markers around them.
    let most = 2 * (base.len() + ours.len() + theirs.len()) + 1_000;
    assert!(both.len() <= most + 40 * base.lines().count());
}

fn in_parts(old: &str, new: &str) {
    let all = parts::parts(old, new);
    assert_eq!(parts::with(old, new, &all, |_| true), new);
    assert_eq!(parts::with(old, new, &all, |_| false), old);
    for hunks in [&all, &hunks::hunks(old, new)] {
        let mut end = (0, 0);
        for hunk in hunks {
            assert!(hunk.old.start >= end.0 && hunk.new.start >= end.1);
            assert!(old.get(hunk.old.clone()).is_some() && new.get(hunk.new.clone()).is_some());
            end = (hunk.old.end, hunk.new.end);
        }
    }
    // Any choice is made of whole lines of either side.
    let odd = parts::with(old, new, &all, |at| at % 2 == 1);
    let known: BTreeSet<_> = old.lines().chain(new.lines()).collect();
    assert!(odd.lines().all(|line| known.contains(line)));
}

/// A disk with notes, a link out of them, and something that nobody may touch.
const TREE: &str = "
//- /m/a.md
one
two
three
//- /m/b.md
//- /m/link.md -> /etc/passwd
//- /m/skills/new/SKILL.md
one
//- /m/.state.md
one
//- /etc/passwd
one
";

fn strangers(patch: &str, old: &str) {
    for file in files(patch).unwrap_or_default() {
        assert!(patch.contains(file.text) && file.text.starts_with(file.preamble()));
        let becomes = file.apply(old).unwrap_or_default();
        assert!(becomes.len() <= old.len() + file.text.len());
    }
    let Ok(read) = read(patch) else { return };
    assert!(!read.parts.is_empty());
    let dir = AbsPath::new("/m").unwrap();
    let mut fixture = Fixture::parse(TREE);
    fixture = fixture.file("/m/old.md", old);
    let disk = FakeFiles::new(&fixture);
    let Ok(edits) = read.dry_run(&disk, &Allowed::Private(dir.clone())) else {
        return;
    };
    let targets = read.targets();
    for edit in edits {
        let path = &edit.spot.path;
        assert!(targets.contains(path), "{path} was never named");
        assert_eq!(path.parent().as_ref(), Some(&dir));
        assert!(path.as_str().ends_with(".md") && !path.file_name().starts_with('.'));
        assert_ne!(path.file_name(), "link.md");
        let size = edit.old.as_deref().unwrap_or_default().len() + 2 * patch.len();
        assert!(edit.new.len() <= 2 * size + 3);
    }
}
