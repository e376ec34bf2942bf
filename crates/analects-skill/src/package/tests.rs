//! Packages, honest and otherwise. Bytes that lie are made by changing those of an honest package.

use std::io::Write;

use miniz_oxide::deflate::compress_to_vec;
use proptest::prelude::*;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::*;
use crate::offer;

const MANIFEST: &str = "---\nname: deploy\ndescription: Deploys it.\n---\n1. Push.\n";

/// An entry to be packed.
struct Packed<'a> {
    name: &'a [u8],
    content: &'a [u8],
    mode: u32,
    is_encrypted: bool,
    is_stored: bool,
}

fn plain<'a>(name: &'a str, content: &'a str) -> Packed<'a> {
    Packed {
        name: name.as_bytes(),
        content: content.as_bytes(),
        mode: 0o100_644,
        is_encrypted: false,
        is_stored: false,
    }
}

fn zip(entries: &[Packed<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for entry in entries {
        let path = EntryPath::verbatim(entry.name);
        if entry.name.ends_with(b"/") {
            archive.new_dir(path).create().unwrap();
            continue;
        }
        let (method, data) = match entry.is_stored {
            true => (CompressionMethod::STORE, entry.content.to_vec()),
            false => (
                CompressionMethod::DEFLATE,
                compress_to_vec(entry.content, 6),
            ),
        };
        let (mut file, _) = archive
            .new_file(path)
            .compression_method(method)
            .unix_permissions(entry.mode)
            .encrypted(entry.is_encrypted)
            .start()
            .unwrap();
        file.write_all(&data).unwrap();
        let crc = rawzip::crc32(entry.content);
        let said = rawzip::DataDescriptorOutput::new(crc, entry.content.len() as u64);
        file.finish(said).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

fn names(files: &[OfferedFile]) -> Vec<&str> {
    files.iter().map(|file| file.name.as_str()).collect()
}

#[test]
fn files_at_the_top_or_in_one_folder_are_the_same_skill() {
    let top = zip(&[
        plain("SKILL.md", MANIFEST),
        plain("scripts/run.sh", "echo hi\n"),
    ]);
    let stored = Packed {
        is_stored: true,
        ..plain("deploy/SKILL.md", MANIFEST)
    };
    let one = zip(&[
        plain("deploy/", ""),
        stored,
        plain("deploy/scripts/run.sh", "echo hi\n"),
        Packed {
            content: b"\0\x05\x16\x07",
            ..plain("__MACOSX/deploy/._SKILL.md", "")
        },
    ]);
    let files = read(&top).unwrap();
    assert_eq!(names(&files), ["SKILL.md", "scripts/run.sh"]);
    assert_eq!(read(&one).unwrap(), files);
    let offer = offer::from_files(files).unwrap();
    assert_eq!(offer.name, "deploy");
    assert_eq!(
        offer.doubts,
        ["it brings scripts that an agent may run: scripts/run.sh"]
    );
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    for name in [
        "../x",
        "a/../../x",
        "/etc/passwd",
        "a\\..\\x",
        "C:/x",
        "c:x",
        "a//b",
        "./x",
        "a/./b",
        "",
        "x\0y",
        "x\ny",
        "a/b/c/d/e/f/g/h",
        "x\u{202E}y",
    ] {
        let bytes = zip(&[plain("SKILL.md", MANIFEST), plain(name, "x")]);
        assert!(read(&bytes).is_err(), "{name:?}");
    }
    let foreign = Packed {
        name: b"caf\xE9.md",
        ..plain("", "x")
    };
    assert_eq!(refusal(&zip(&[foreign])), "a name in it is not UTF-8");
}

#[test]
fn links_devices_and_encrypted_entries_are_refused() {
    let mode = |mode: u32| Packed {
        mode,
        ..plain("x", "/etc/passwd")
    };
    assert_eq!(refusal(&zip(&[mode(0o120_777)])), "`x` is a link");
    for kind in [0o020_666, 0o060_666, 0o010_666, 0o140_666, 0o040_777] {
        let said = refusal(&zip(&[mode(kind)]));
        assert_eq!(said, "`x` is not a regular file", "{kind:o}");
    }
    let locked = Packed {
        is_encrypted: true,
        ..plain("x", "y")
    };
    assert_eq!(refusal(&zip(&[locked])), "`x` is encrypted");
}

#[test]
fn a_name_stands_for_one_file_on_every_disk() {
    let twice = zip(&[plain("SKILL.md", MANIFEST), plain("skill.MD", "other")]);
    assert_eq!(refusal(&twice), "`skill.MD` is in it twice");
    let twice = zip(&[plain("SKILL.md", MANIFEST), plain("SKILL.md", "other")]);
    assert_eq!(refusal(&twice), "`SKILL.md` is in it twice");
    let both = zip(&[plain("a", "x"), plain("A/b", "y")]);
    assert_eq!(refusal(&both), "`a` is a file and a directory");
}

#[test]
fn binaries_and_hidden_characters_are_refused() {
    let inner = zip(&[plain("SKILL.md", MANIFEST)]);
    let nested = Packed {
        content: &inner,
        ..plain("inner.skill", "")
    };
    assert_eq!(refusal(&zip(&[nested])), "`inner.skill` is no text");
    let unseen = zip(&[plain("a.md", "one\ntwo\u{200B}\n")]);
    assert_eq!(refusal(&unseen), "`a.md` has hidden characters in line 2");
}

#[test]
fn too_much_is_refused_before_it_is_inflated() {
    let zeros = "0".repeat(MAX_FILE_BYTES + 1);
    let said = refusal(&zip(&[plain("a", &zeros)]));
    assert_eq!(said, "`a` has more than 262144 bytes");
    let large = "0".repeat(MAX_FILE_BYTES);
    let names: Vec<_> = (0..5).map(|n| n.to_string()).collect();
    let five: Vec<_> = names.iter().map(|name| plain(name, &large)).collect();
    let said = refusal(&zip(&five));
    assert_eq!(said, "its files have more than 1048576 bytes together");
    let names: Vec<_> = (0..300).map(|n| n.to_string()).collect();
    let many: Vec<_> = names.iter().map(|name| plain(name, "x")).collect();
    assert_eq!(refusal(&zip(&many)), "it has more than 256 entries");
    let some = many.get(..65).unwrap();
    assert_eq!(refusal(&zip(some)), "it has more than 64 files");
    let said = refusal(&vec![0; MAX_PACKAGE_BYTES + 1]);
    assert_eq!(said, "it has more than 2097152 bytes");
}

/// Every place where a number of four bytes stands, changed to another.
fn with_number(mut bytes: Vec<u8>, old: u32, new: u32) -> Vec<u8> {
    let old = old.to_le_bytes();
    for at in 0..bytes.len().saturating_sub(3) {
        if bytes[at..at + 4] == old {
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn a_bomb_that_says_it_is_small_goes_no_further_than_it_says() {
    let n_bytes = 50_000_000;
    let zeros = vec![b'0'; n_bytes];
    let bomb = Packed {
        content: &zeros,
        ..plain("a", "")
    };
    let lie = with_number(zip(&[bomb]), u32::try_from(n_bytes).unwrap(), 100);
    assert_eq!(refusal(&lie), "`a` is damaged, or longer than it says");
    let short = with_number(zip(&[plain("a", "hello, you")]), 10, 11);
    assert_eq!(refusal(&short), "`a` is damaged, or longer than it says");
}

/// Where the beginning of an entry's record in the directory stands.
fn record(bytes: &[u8], nth: usize) -> usize {
    let is_record = |&at: &usize| bytes[at..].starts_with(b"PK\x01\x02");
    (0..bytes.len()).filter(is_record).nth(nth).unwrap()
}

#[test]
fn entries_that_share_data_are_refused() {
    let mut shared = zip(&[plain("a", "hello"), plain("b", "hello")]);
    // The second entry is sent to the first one's data.
    let at = record(&shared, 1);
    shared[at + 42..at + 46].fill(0);
    let said = refusal(&shared);
    assert_eq!(said, "`b` is called otherwise in front of its data");
    shared[at + 46] = b'a';
    assert_eq!(refusal(&shared), "`a` is in it twice");
    // One entry lies inside another: what is inflated of the inner one is inflated of the outer one, too.
    let inner = zip(&[plain("b", "hello")]);
    let outer = Packed {
        content: inner.get(..record(&inner, 0)).unwrap(),
        is_stored: true,
        ..plain("a", "")
    };
    let mut bomb = zip(&[plain("b", "hello"), outer]);
    let is_local = |&at: &usize| bomb[at..].starts_with(b"PK\x03\x04");
    let inside = (0..bomb.len()).filter(is_local).nth(2).unwrap();
    let at = record(&bomb, 0);
    bomb[at + 42..at + 46].copy_from_slice(&u32::try_from(inside).unwrap().to_le_bytes());
    assert_eq!(refusal(&bomb), "`a` shares its data with another file");
}

#[test]
fn what_is_no_zip_is_told() {
    for bytes in [&b""[..], b"PK", b"not a zip at all", &[0; 4096]] {
        assert!(refusal(bytes).starts_with("it is no zip that can be read"));
    }
    assert_eq!(read(&zip(&[])).unwrap(), []);
    let refused = offer::from_files(Vec::new()).unwrap_err().to_string();
    assert_eq!(refused, "there is no SKILL.md in it");
}

fn within_limits(files: &[OfferedFile]) -> bool {
    let n_bytes: usize = files.iter().map(|file| file.text.len()).sum();
    let is_inside = |file: &OfferedFile| {
        let mut parts = file.name.split('/');
        parts.all(|part| !matches!(part, "" | "." | "..")) && !file.name.contains('\\')
    };
    n_bytes <= MAX_BYTES && files.len() <= MAX_FILES && files.iter().all(is_inside)
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(read(&bytes).map_or(true, |files| within_limits(&files)));
    }

    #[test]
    fn a_package_with_any_bytes_changed_is_read_within_bounds_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(), is_cut: bool,
    ) {
        let mut bytes = zip(&[
            plain("deploy/SKILL.md", MANIFEST), plain("deploy/a/b.md", "text"), plain("c/", ""),
        ]);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        prop_assert!(read(&bytes).map_or(true, |files| within_limits(&files)));
    }

    #[test]
    fn what_was_packed_comes_out(texts in prop::collection::btree_map("[a-z]{1,8}", "[ -~\n]{0,200}", 1..9)) {
        let entries: Vec<_> = texts.iter().map(|(name, text)| plain(name, text)).collect();
        let files = read(&zip(&entries)).unwrap();
        let found: Vec<_> = files.into_iter().map(|file| (file.name, file.text)).collect();
        prop_assert_eq!(found, texts.into_iter().collect::<Vec<_>>());
    }
}
