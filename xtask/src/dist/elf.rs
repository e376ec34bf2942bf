//! What a program wants from the machine it is started on, read from its own headers.

/// A segment that names the loader which must start the program.
const PT_INTERP: u32 = 3;
/// The segment that lists, among other things, the libraries to load.
const PT_DYNAMIC: u32 = 2;
/// A library to load.
const DT_NEEDED: u64 = 1;

/// Says what keeps a 64-bit little-endian ELF file from running by itself; nothing if it is static.
pub(super) fn wants(program: &[u8]) -> Result<Vec<&'static str>, String> {
    let is_elf = program.starts_with(b"\x7fELF\x02\x01");
    let segments = is_elf.then(|| segments(program)).flatten();
    let segments = segments.ok_or("the binary is no 64-bit ELF file")?;
    let mut wants = Vec::new();
    for (kind, content) in segments {
        match kind {
            PT_INTERP => wants.push("a loader"),
            PT_DYNAMIC if names_library(content) => wants.push("shared libraries"),
            _ => {}
        }
    }
    Ok(wants)
}

/// The kind and the bytes of each segment; `None` if a header points outside the file.
fn segments(program: &[u8]) -> Option<Vec<(u32, &[u8])>> {
    let table = usize::try_from(word(program, 32)?).ok()?;
    let entry_bytes = usize::from(u16::from_le_bytes(bytes(program, 54)?));
    let n_entries = usize::from(u16::from_le_bytes(bytes(program, 56)?));
    let mut segments = Vec::new();
    for idx in 0..n_entries {
        let at = table.checked_add(idx * entry_bytes)?;
        let start = usize::try_from(word(program, at.checked_add(8)?)?).ok()?;
        let n_bytes = usize::try_from(word(program, at.checked_add(32)?)?).ok()?;
        let kind = u32::from_le_bytes(bytes(program, at)?);
        segments.push((kind, program.get(start..start.checked_add(n_bytes)?)?));
    }
    Some(segments)
}

fn names_library(dynamic: &[u8]) -> bool {
    let (entries, _) = dynamic.as_chunks::<16>();
    let mut tags = entries.iter().filter_map(|entry| word(entry, 0));
    tags.any(|tag| tag == DT_NEEDED)
}

fn word(from: &[u8], at: usize) -> Option<u64> {
    bytes(from, at).map(u64::from_le_bytes)
}

fn bytes<const N: usize>(from: &[u8], at: usize) -> Option<[u8; N]> {
    from.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these segments, one after another.
    fn elf(segments: &[(u32, &[u8])]) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(64, 0);
        file[32] = 64;
        file[54] = 56;
        file[56] = u8::try_from(segments.len()).unwrap();
        let mut content = Vec::new();
        for (kind, bytes) in segments {
            let start = 64 + 56 * segments.len() + content.len();
            let mut header = [0; 56];
            header[..4].copy_from_slice(&kind.to_le_bytes());
            header[8..16].copy_from_slice(&(start as u64).to_le_bytes());
            header[32..40].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            file.extend(header);
            content.extend(*bytes);
        }
        [file, content].concat()
    }

    fn dynamic(tag: u64) -> Vec<u8> {
        [tag.to_le_bytes(), 7u64.to_le_bytes()].concat()
    }

    #[test]
    fn a_static_program_wants_nothing() {
        let relocates_itself = elf(&[(1, b"code"), (PT_DYNAMIC, &dynamic(30))]);
        assert_eq!(wants(&relocates_itself), Ok(vec![]));
    }

    #[test]
    fn a_loader_and_libraries_are_seen() {
        let linked = elf(&[(PT_INTERP, b"/lib/ld.so"), (PT_DYNAMIC, &dynamic(1))]);
        assert_eq!(wants(&linked), Ok(vec!["a loader", "shared libraries"]));
        let test = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(wants(&test), Ok(vec!["a loader", "shared libraries"]));
    }

    #[test]
    fn what_is_cut_off_is_no_program() {
        let linked = elf(&[(PT_INTERP, b"/lib/ld.so")]);
        assert!(wants(&linked[..linked.len() - 1]).is_err());
        assert!(wants(b"#!/bin/sh\n").is_err());
    }
}
