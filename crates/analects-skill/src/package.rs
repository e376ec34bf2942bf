//! A `.skill` file taken apart: a zip with the files of one skill, at its top or in one folder.
//!
//! Nothing is written and nothing is trusted: names that lead elsewhere, links, encrypted or doubled entries, data
//! that entries share and lengths that are not what was said are refused before anything large is inflated. A
//! package inside a package is a binary like any other.

use std::collections::BTreeSet;

use rawzip::{
    CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive, ZipVerification,
};

use crate::Refused;
use crate::folder::{MAX_BYTES, MAX_FILE_BYTES, MAX_FILES, text_of_bytes};
use crate::offer::{OfferedFile, check_name};

/// The ending of a package's name.
pub const ENDING: &str = ".skill";
/// A package has at most this many bytes: what it may hold is not much more.
pub const MAX_PACKAGE_BYTES: usize = 2 * MAX_BYTES;
/// Directories count too, and cost nothing but a look.
const MAX_ENTRIES: usize = 4 * MAX_FILES;

/// The files of a package, by name, as they would lie in the folder of the skill.
pub fn read(bytes: &[u8]) -> Result<Vec<OfferedFile>, Refused> {
    if bytes.len() > MAX_PACKAGE_BYTES {
        return Err(bad(format!("it has more than {MAX_PACKAGE_BYTES} bytes")));
    }
    let archive = ZipArchive::from_slice(bytes).map_err(|error| broken(&error))?;
    let entries = list(&archive)?;
    check_sizes(&entries)?;
    let mut files = inflate(&archive, entries)?;
    unwrap_folder(&mut files);
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// A file of a package, looked at from outside.
struct Listed<'a> {
    name: &'a str,
    header: ZipFileHeaderRecord<'a>,
}

/// The plain files of a package; whatever else there is, is refused.
fn list<'a>(archive: &'a ZipSliceArchive<&[u8]>) -> Result<Vec<Listed<'a>>, Refused> {
    let mut listed = Vec::new();
    let mut n_entries: u64 = 0;
    let mut entries = archive.entries();
    while let Some(header) = entries.next_entry().map_err(|error| broken(&error))? {
        n_entries += 1;
        if n_entries > MAX_ENTRIES as u64 {
            return Err(bad(format!("it has more than {MAX_ENTRIES} entries")));
        }
        let path = header.file_path();
        let name = std::str::from_utf8(path.as_bytes())
            .map_err(|_| bad("a name in it is not UTF-8".to_owned()))?;
        // Finder puts what only macOS wants beside everything it packs.
        if name.starts_with("__MACOSX/") || name.rsplit('/').next() == Some(".DS_Store") {
            continue;
        }
        check_name(name.strip_suffix('/').unwrap_or(name)).map_err(Refused::BadSkill)?;
        check_kind(name, &header)?;
        if !header.is_dir() {
            listed.push(Listed { name, header });
        }
    }
    if n_entries != archive.entries_hint() {
        return Err(bad("it does not have as many entries as it says".to_owned()));
    }
    check_names(&listed)?;
    Ok(listed)
}

fn check_kind(name: &str, header: &ZipFileHeaderRecord<'_>) -> Result<(), Refused> {
    const KIND: u32 = 0o170_000;
    const DIRECTORY: u32 = 0o040_000;
    const FILE: u32 = 0o100_000;
    let flags = header.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err(bad(format!("`{name}` is encrypted")));
    }
    let mode = header.mode();
    match (mode.value() & KIND, header.is_dir()) {
        _ if mode.is_symlink() => Err(bad(format!("`{name}` is a link"))),
        // Some writers give a directory the mode of a file; its name tells.
        (DIRECTORY | FILE, true) | (FILE, false) => Ok(()),
        _ => Err(bad(format!("`{name}` is not a regular file"))),
    }
}

/// No two files of one name, also where a disk does not tell large letters from small ones, and no file where
/// another one needs a directory.
fn check_names(listed: &[Listed<'_>]) -> Result<(), Refused> {
    let mut names = BTreeSet::new();
    for file in listed {
        if !names.insert(file.name.to_lowercase()) {
            return Err(bad(format!("`{}` is in it twice", file.name)));
        }
    }
    for name in &names {
        let mut above = name.match_indices('/').filter_map(|(at, _)| name.get(..at));
        if let Some(file) = above.find(|dir| names.contains(*dir)) {
            return Err(bad(format!("`{file}` is a file and a directory")));
        }
    }
    Ok(())
}

/// What a package says of itself is believed where it speaks against it.
fn check_sizes(listed: &[Listed<'_>]) -> Result<(), Refused> {
    if listed.len() > MAX_FILES {
        return Err(bad(format!("it has more than {MAX_FILES} files")));
    }
    let mut n_bytes: u64 = 0;
    for Listed { name, header } in listed {
        let said = header.uncompressed_size_hint();
        if said > MAX_FILE_BYTES as u64 {
            return Err(bad(format!(
                "`{name}` has more than {MAX_FILE_BYTES} bytes"
            )));
        }
        n_bytes += said;
    }
    match n_bytes > MAX_BYTES as u64 {
        true => Err(bad(format!(
            "its files have more than {MAX_BYTES} bytes together"
        ))),
        false => Ok(()),
    }
}

fn inflate(
    archive: &ZipSliceArchive<&[u8]>,
    listed: Vec<Listed<'_>>,
) -> Result<Vec<OfferedFile>, Refused> {
    let mut taken: Vec<(u64, u64)> = Vec::new();
    let mut files = Vec::new();
    for Listed { name, header } in listed {
        let entry = archive
            .get_entry(header.wayfinder())
            .map_err(|error| broken(&error))?;
        if entry.local_header().file_path().as_bytes() != name.as_bytes() {
            return Err(bad(format!(
                "`{name}` is called otherwise in front of its data"
            )));
        }
        let (start, end) = entry.compressed_data_range();
        if taken.iter().any(|other| start < other.1 && other.0 < end) {
            return Err(bad(format!("`{name}` shares its data with another file")));
        }
        taken.push((start, end));
        // No more than was said is ever made, and what was said is bounded.
        let limit = usize::try_from(header.uncompressed_size_hint()).unwrap_or(usize::MAX);
        let wrong = || bad(format!("`{name}` is damaged, or longer than it says"));
        let bytes = match header.compression_method() {
            CompressionMethod::STORE => entry.data().to_vec(),
            CompressionMethod::DEFLATE => {
                miniz_oxide::inflate::decompress_to_vec_with_limit(entry.data(), limit)
                    .map_err(|_| wrong())?
            }
            _ => return Err(bad(format!("`{name}` is packed in a way that nobody uses"))),
        };
        let found = ZipVerification {
            crc: rawzip::crc32(&bytes),
            uncompressed_size: bytes.len() as u64,
        };
        entry.claim_verifier().valid(found).map_err(|_| wrong())?;
        let text = text_of_bytes(bytes).map_err(|why| bad(format!("`{name}` {why}")))?;
        let name = name.to_owned();
        files.push(OfferedFile { name, text });
    }
    Ok(files)
}

/// Takes away the one folder that everything lies in, if there is one.
fn unwrap_folder(files: &mut [OfferedFile]) {
    let first = files.first().and_then(|file| file.name.split_once('/'));
    let Some(folder) = first.map(|(folder, _)| format!("{folder}/")) else {
        return;
    };
    if files.iter().all(|file| file.name.starts_with(&folder)) {
        for file in files {
            let name = file.name.strip_prefix(&folder).unwrap_or_default();
            file.name = name.to_owned();
        }
    }
}

fn bad(why: String) -> Refused {
    Refused::BadSkill(why)
}

fn broken(error: &rawzip::Error) -> Refused {
    Refused::BadSkill(format!("it is no zip that can be read: {error}"))
}

#[cfg(test)]
mod tests;
