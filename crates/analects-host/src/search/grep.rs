//! Seeking in many files at once, with answers in their order.
//!
//! Threads fetch the next file from one walk. As soon as more is found than was asked for, nobody fetches another:
//! all that was fetched comes before all that was not, so what is told does not depend on who was faster.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use analects_world::search::{Grepped, GreppedLine, Tree};
use analects_world::{AbsPath, Cancel};

use super::hits::{Found, MAX_TOLD_BYTES, Pattern};
use super::walker::{Item, Walker};

/// More threads only queue up at the disk.
const MAX_THREADS: usize = 8;

/// Seeks in a single file.
pub(super) fn in_file(
    file: File,
    tree: &Tree<'_>,
    pattern: &Pattern<'_>,
    cancel: &Cancel,
) -> Grepped {
    let limit = tree.limit.saturating_add(1);
    let found = pattern.search(&mut pattern.searcher(), file, limit, cancel);
    let mut told = Told::new(tree.limit);
    told.add(tree.at, found);
    told.grepped
}

/// Seeks in all files of a walk.
pub(super) fn in_tree(
    walker: Walker<'_>,
    tree: &Tree<'_>,
    pattern: &Pattern<'_>,
    cancel: &Cancel,
) -> Grepped {
    let work = Work {
        walk: Mutex::new((0, walker)),
        pile: Mutex::default(),
        limit: tree.limit,
    };
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..n_threads.min(MAX_THREADS) {
            // Where there is no other thread to be had, this one does it all.
            let helper = thread::Builder::new();
            let _ = helper.spawn_scoped(scope, || work.go_on(pattern, cancel));
        }
        work.go_on(pattern, cancel);
    });
    work.told(tree)
}

/// What the threads share.
struct Work<'a> {
    /// How many files were fetched, and where the next one comes from.
    walk: Mutex<(usize, Walker<'a>)>,
    pile: Mutex<Pile>,
    limit: usize,
}

/// What was found so far.
#[derive(Default)]
struct Pile {
    found: BTreeMap<usize, FoundIn>,
    n_hits: usize,
    n_bytes: usize,
}

struct FoundIn {
    below: String,
    found: Found,
    /// What the walk could not look at before it came to this file.
    n_unread: usize,
}

impl Work<'_> {
    fn go_on(&self, pattern: &Pattern<'_>, cancel: &Cancel) {
        let mut searcher = pattern.searcher();
        while let Some((number, item, n_unread)) = self.fetch() {
            let found = match item.open() {
                Ok(file) => {
                    let limit = self.limit.saturating_add(1);
                    pattern.search(&mut searcher, file, limit, cancel)
                }
                // Who is gone in the meantime is not missed.
                Err(error) => Found {
                    is_unread: error.kind() != io::ErrorKind::NotFound,
                    ..Found::default()
                },
            };
            if found.hits.is_empty() && !found.is_unread {
                continue;
            }
            let mut pile = lock(&self.pile);
            pile.n_hits += found.hits.len();
            pile.n_bytes += found.n_bytes;
            let below = item.below;
            let found = FoundIn {
                below,
                found,
                n_unread,
            };
            pile.found.insert(number, found);
        }
    }

    fn fetch(&self) -> Option<(usize, Item, usize)> {
        let mut walk = lock(&self.walk);
        {
            let pile = lock(&self.pile);
            if pile.n_hits > self.limit || pile.n_bytes > MAX_TOLD_BYTES {
                return None;
            }
        }
        let (number, walker) = &mut *walk;
        let item = walker.next()?;
        *number += 1;
        Some((*number, item, walker.n_unread))
    }

    fn told(self, tree: &Tree<'_>) -> Grepped {
        let (_, walker) = self
            .walk
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let pile = self
            .pile
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut told = Told::new(self.limit);
        // Whoever stopped for this did not look whether there is more.
        let is_full = pile.n_bytes > MAX_TOLD_BYTES;
        for file in pile.found.into_values() {
            told.add(&tree.at.join(&file.below), file.found);
            if told.grepped.is_cut {
                told.grepped.n_unread += file.n_unread;
                return told.grepped;
            }
        }
        told.grepped.n_unread += walker.n_unread;
        told.grepped.is_cut = is_full;
        told.grepped
    }
}

/// What is told, up to the limits.
struct Told {
    grepped: Grepped,
    n_bytes: usize,
    limit: usize,
}

impl Told {
    fn new(limit: usize) -> Self {
        Self {
            grepped: Grepped::default(),
            n_bytes: 0,
            limit,
        }
    }

    fn add(&mut self, path: &AbsPath, found: Found) {
        self.grepped.n_unread += usize::from(found.is_unread);
        for hit in found.hits {
            if self.grepped.n_matches == self.limit || self.n_bytes > MAX_TOLD_BYTES {
                self.grepped.is_cut = true;
                return;
            }
            self.grepped.n_matches += 1;
            for (number, text, is_match) in hit.lines {
                self.n_bytes += text.len();
                self.grepped.lines.push(GreppedLine {
                    path: path.clone(),
                    number,
                    text,
                    is_match,
                });
            }
        }
        self.grepped.is_cut |= found.is_more;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
