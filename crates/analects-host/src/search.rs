//! Looking through trees on this machine's disk.
//!
//! Globs, rules and patterns are matched by ripgrep's own crates. The walk is ours: `walker` goes from handle to
//! handle and in order, which a walk by paths on many threads cannot.

mod globs;
mod grep;
mod hits;
mod rules;
mod start;
mod walker;

use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::UNIX_EPOCH;

use analects_world::files::{Kind, Trouble};
use analects_world::search::{
    Grepped, Listed, ListedEntry, NoGrep, Search, Seek, Sieve, Tree, Walked, WalkedFile,
};
use analects_world::{AbsPath, Cancel};
use rustix::fs::{AtFlags, FileType, statat};

use globs::Globs;
use start::{Start, What};
use walker::{Walker, Which};

/// Trees on the real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskSearch;

impl Search for DiskSearch {
    fn list(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Listed, Trouble> {
        let globs = Globs::new(tree).map_err(Trouble::Other)?;
        let start = start::begin(tree)?;
        match &start.what {
            What::File(_) => Err(Trouble::NotDir),
            What::Dir(_) if start.is_ignored => Ok(Listed {
                n_ignored: 1,
                ..Listed::default()
            }),
            What::Dir(dir) => Ok(list(dir, &start, &globs, tree, cancel)),
        }
    }

    fn walk(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Walked, Trouble> {
        let globs = Globs::new(tree).map_err(Trouble::Other)?;
        let start = start::begin(tree)?;
        let mut walked = Walked::default();
        if start.is_ignored {
            walked.n_ignored = 1;
            return Ok(walked);
        }
        match start.what {
            What::File(file) if !takes_start(tree, &globs, &start.real) => drop(file),
            What::File(_) if tree.limit == 0 => walked.is_cut = true,
            What::File(file) => walked.files.push(WalkedFile {
                path: tree.at.clone(),
                written_ns: written_ns(&file),
            }),
            What::Dir(dir) => {
                let which = Which {
                    globs: &globs,
                    sieve: tree.sieve,
                };
                let mut walker = Walker::new(dir, &start.real, start.rules, which, cancel);
                collect(&mut walker, tree, &mut walked);
            }
        }
        walked.is_cut |= cancel.is_cancelled();
        Ok(walked)
    }

    fn grep(&self, tree: &Tree<'_>, seek: &Seek<'_>, cancel: &Cancel) -> Result<Grepped, NoGrep> {
        let pattern = hits::Pattern::new(seek).map_err(NoGrep::Pattern)?;
        let globs = Globs::new(tree).map_err(NoGrep::Pattern)?;
        let start = start::begin(tree).map_err(NoGrep::Tree)?;
        if start.is_ignored {
            return Ok(Grepped::default());
        }
        let mut grepped = match start.what {
            What::File(_) if !takes_start(tree, &globs, &start.real) => Grepped::default(),
            What::File(file) => grep::in_file(file, tree, &pattern, cancel),
            What::Dir(dir) => {
                let which = Which {
                    globs: &globs,
                    sieve: tree.sieve,
                };
                let walker = Walker::new(dir, &start.real, start.rules, which, cancel);
                grep::in_tree(walker, tree, &pattern, cancel)
            }
        };
        grepped.is_cut |= cancel.is_cancelled();
        Ok(grepped)
    }
}

/// Whether the single file that a tree is may be looked at.
fn takes_start(tree: &Tree<'_>, globs: &Globs, real: &str) -> bool {
    let real = AbsPath::root().join(real);
    let passes = |sieve: &dyn Sieve| sieve.tells(&real, Kind::File);
    globs.takes(tree.at.file_name()) && tree.sieve.is_none_or(passes)
}

fn list(dir: &OwnedFd, start: &Start, globs: &Globs, tree: &Tree<'_>, cancel: &Cancel) -> Listed {
    let names = walker::names(dir, cancel);
    let mut listed = Listed {
        // Nobody was given what has no name.
        n_unread: if tree.sieve.is_none() {
            names.n_unread
        } else {
            0
        },
        ..Listed::default()
    };
    let mut wanted = Vec::new();
    for (name, kind) in names.names {
        let is_dir = kind == FileType::Directory;
        let is_wanted = match is_dir {
            true => !globs.shuns(&name),
            false => globs.takes(&name),
        };
        if !is_wanted {
            continue;
        }
        let real = AbsPath::root().join(&start.real).join(&name);
        if tree
            .sieve
            .is_some_and(|sieve| !sieve.tells(&real, kind_of(kind)))
        {
            continue;
        }
        if start.rules.ignores(real.as_str().as_ref(), is_dir) {
            listed.n_ignored += 1;
            continue;
        }
        wanted.push((!is_dir, name, kind));
    }
    // Stable: the names stay sorted.
    wanted.sort_by_key(|(comes_later, ..)| *comes_later);
    listed.n_more = wanted.len().saturating_sub(tree.limit);
    wanted.truncate(tree.limit);
    let entry = |(_, name, kind): (bool, String, FileType)| {
        let kind = kind_of(kind);
        let stat = (kind == Kind::File)
            .then(|| statat(dir, name.as_str(), AtFlags::SYMLINK_NOFOLLOW).ok())
            .flatten();
        let len = stat.and_then(|stat| u64::try_from(stat.st_size).ok());
        ListedEntry { name, kind, len }
    };
    listed.entries = wanted.into_iter().map(entry).collect();
    listed
}

fn collect(walker: &mut Walker<'_>, tree: &Tree<'_>, walked: &mut Walked) {
    while let Some(item) = walker.next() {
        if walked.files.len() == tree.limit {
            walked.is_cut = true;
            break;
        }
        // Who is gone in the meantime is not told of.
        if let Some(written_ns) = item.written_ns() {
            walked.files.push(WalkedFile {
                path: tree.at.join(&item.below),
                written_ns,
            });
        }
    }
    walked.n_ignored = walker.n_ignored;
    walked.n_unread = walker.n_unread;
}

fn written_ns(file: &File) -> u64 {
    let written = file.metadata().and_then(|meta| meta.modified()).ok();
    let since = written.and_then(|written| written.duration_since(UNIX_EPOCH).ok());
    since
        .and_then(|since| u64::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}

fn kind_of(kind: FileType) -> Kind {
    match kind {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    }
}

#[cfg(test)]
mod tests;
