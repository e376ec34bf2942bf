//! Rebuilds damaged notes on entries from the journal.
//!
//! The journal has every change of the notes. If all of them are there, they give the last version exactly. If some
//! were not kept, the tombstones are rebuilt from what was forgotten and noted since; names that entries kept are lost.

use std::collections::{BTreeMap, HashSet};

use analects_memory::entry;
use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use analects_world::log::{Logged, LoggedFile};

use super::{Book, Remains, VERSION};
use crate::{World, write};

/// The notes as the journal has them.
pub(super) fn rebuild(world: &World<'_>, path: &AbsPath) -> Book {
    let mut commits = Vec::new();
    // A journal that cannot be read knows nothing.
    let _ = world.desk.log(&mut |commit| {
        commits.push(commit);
        true
    });
    commits.reverse();
    replay_versions(&commits, path).unwrap_or_else(|| {
        let is_own = |path: &AbsPath| write::is_own(world, path);
        rebuild_tombstones(&commits, &is_own)
    })
}

/// The last version of the notes, if the journal has all that led to it.
fn replay_versions(commits: &[Logged], path: &AbsPath) -> Option<Book> {
    let files = commits.iter().flat_map(|commit| &commit.files);
    let mut version = None;
    for change in files.filter(|file| file.path == *path) {
        version = apply_change(version, change);
    }
    let (bytes, hash) = version?;
    if ContentHash::of(&bytes) != hash {
        return None;
    }
    let book: Book = serde_json::from_slice(&bytes).ok()?;
    (book.v <= VERSION).then_some(book)
}

/// What a file holds after a change, and its fingerprint; `None` if that is not known.
fn apply_change(
    version: Option<(Vec<u8>, ContentHash)>,
    change: &LoggedFile,
) -> Option<(Vec<u8>, ContentHash)> {
    let new = change.new.bytes()?;
    let after = change.after?;
    let Some(before) = change.before else {
        return Some((new.to_vec(), after));
    };
    let (mut bytes, _) = version.filter(|(_, hash)| *hash == before)?;
    let end = change.at.checked_add(change.old.len())?;
    bytes.get(change.at..end)?;
    bytes.splice(change.at..end, new.iter().copied());
    Some((bytes, after))
}

/// Notes with a tombstone for all that was forgotten and not said again since.
fn rebuild_tombstones(commits: &[Logged], is_own: &dyn Fn(&AbsPath) -> bool) -> Book {
    let undone = undone_commits(commits);
    let mut gone = BTreeMap::new();
    for commit in commits
        .iter()
        .filter(|commit| !undone.contains(&*commit.id))
    {
        let forgotten = commit.why.strip_prefix("forget ");
        for file in commit.files.iter().filter(|file| !is_own(&file.path)) {
            let says = entry_texts(file.new.bytes());
            let was = entry_texts(file.old.bytes()).into_iter();
            if let Some(id) = forgotten {
                gone.extend(was.map(|text| (text, id)));
            }
            for text in &says {
                gone.remove(text);
            }
        }
    }
    let mut book = Book::default();
    for (text, id) in &gone {
        book.bury(id, text, Remains::of(text));
    }
    book
}

/// The commits that were taken back, by those that were not.
fn undone_commits(commits: &[Logged]) -> HashSet<&str> {
    let mut undone = HashSet::new();
    for commit in commits.iter().rev() {
        if !undone.contains(&*commit.id) {
            undone.extend(commit.undoes.as_deref());
        }
    }
    undone
}

fn entry_texts(piece: Option<&[u8]>) -> HashSet<String> {
    let text = String::from_utf8_lossy(piece.unwrap_or_default());
    let entries = entry::entries(&text).into_iter();
    entries.map(|entry| entry.text).collect()
}

#[cfg(test)]
mod tests {
    use analects_testkit::{Entry, FakeDesk, surroundings};
    use analects_world::log::Piece;

    use super::*;
    use crate::change_entry::{self, Caller, Wish};
    use crate::place::Target;
    use crate::remember::{self, By, OnSecret, Request};
    use crate::verbs::Flags;

    const HOME: &str = "/h/.gemini/GEMINI.md";
    const NOTES: &str = "/h/.gemini/analects/entries.json";
    const FLAGS: Flags = Flags {
        trust: true,
        yes: true,
        no_memory: false,
        dry_run: false,
    };

    fn add(desk: &FakeDesk, fact: &str) -> String {
        let around = surroundings("/w", "/h", &[]);
        let request = Request {
            fact,
            target: Target::Global,
            by: By::Person,
            who: "memory add",
            allowed: &[],
            on_secret: OnSecret::Refuse,
        };
        let added = remember::remember(&desk.world(&around), &FLAGS, &request);
        added.unwrap().id
    }

    fn change(desk: &FakeDesk, entry: &str, wish: Wish<'_>) {
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        change_entry::change_entry(&world, &FLAGS, entry, wish, &[], Caller::PERSON).unwrap();
    }

    fn read(desk: &FakeDesk) -> Book {
        let around = surroundings("/w", "/h", &[]);
        Book::read(&desk.world(&around), desk).unwrap()
    }

    /// A desk with notes of every kind.
    fn desk() -> FakeDesk {
        let desk = FakeDesk::parse(&format!("//- /w/\n//- {HOME}\n# Me\n"));
        for fact in ["Likes tea", "Likes rain", "Uses tabs"] {
            add(&desk, fact);
        }
        change(&desk, "tea", Wish::Say(Some("Likes coffee")));
        change(&desk, "rain", Wish::Forget);
        desk
    }

    const DAMAGED: [&[u8]; 5] = [b"", b"{\"v\":1,\"na", b"\xFF\0", b"[]", b"{\"v\":\"x\"}"];

    #[test]
    fn damaged_notes_are_rebuilt_exactly_from_the_journal() {
        for damaged in DAMAGED {
            let desk = desk();
            let whole = read(&desk);
            desk.put(NOTES, Entry::File(damaged.to_vec()));
            let rebuilt = read(&desk);
            assert!(rebuilt.is_rebuilt() && !whole.is_rebuilt());
            let rebuilt = Book {
                damaged: None,
                ..rebuilt
            };
            assert_eq!(rebuilt, whole);
            assert!(whole.is_forgotten("Likes rain"));
        }
    }

    #[test]
    fn a_change_goes_on_and_keeps_the_damaged_file() {
        for damaged in DAMAGED {
            let desk = desk();
            desk.put(NOTES, Entry::File(damaged.to_vec()));
            change(&desk, "tabs", Wish::Forget);
            let book = read(&desk);
            assert!(!book.is_rebuilt());
            assert!(book.is_forgotten("Uses tabs") && book.is_forgotten("Likes rain"));
            let (changes, _) = desk.commits().pop().unwrap();
            let mut kept = changes.files.iter().filter(|it| it.notice.is_some());
            let kept = kept.next().unwrap();
            assert!(
                kept.path
                    .as_str()
                    .starts_with(&format!("{NOTES}.unreadable-"))
            );
            assert_eq!(kept.text.as_deref(), Some(damaged));
            let notice = kept.notice.as_deref().unwrap();
            assert!(notice.contains("entries.json` was damaged"), "{notice}");
            // A second time, the same bytes are kept once.
            desk.put(NOTES, Entry::File(damaged.to_vec()));
            add(&desk, "Likes snow");
            let (changes, _) = desk.commits().pop().unwrap();
            assert!(changes.files.iter().all(|it| it.notice.is_none()));
        }
    }

    #[test]
    fn what_was_forgotten_is_known_though_the_journal_kept_no_notes() {
        let desk = desk();
        add(&desk, "Plays chess");
        change(&desk, "chess", Wish::Forget);
        add(&desk, "Plays chess");
        desk.alter_log(|log| {
            let files = log.iter_mut().flat_map(|commit| &mut commit.files);
            for file in files.filter(|file| file.path.as_str() == NOTES) {
                let len = file.new.len();
                file.new = Piece::Withheld { len, hash: None };
            }
        });
        desk.put(NOTES, Entry::File(b"{".to_vec()));
        let book = read(&desk);
        assert!(book.is_forgotten("Likes rain"));
        assert!(!book.is_forgotten("Likes coffee") && !book.is_forgotten("Likes tea"));
        assert!(!book.is_forgotten("Plays chess"), "it was said again since");
    }

    #[test]
    fn notes_of_a_newer_version_are_left_alone() {
        let desk = desk();
        desk.put(NOTES, Entry::File(b"{\"v\":99}".to_vec()));
        let around = surroundings("/w", "/h", &[]);
        assert!(Book::read(&desk.world(&around), &desk).is_err());
    }
}
