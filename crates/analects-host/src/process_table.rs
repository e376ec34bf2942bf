//! Reads the system's process table.

use std::fs;
use std::path::Path;

/// What the table of processes says about one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) has_ended: bool,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    /// In ticks since the machine began.
    pub(crate) started: u64,
}

/// Asks the table at `proc`, which is `/proc` but for tests.
pub(crate) fn stat(proc: &Path, pid: u32) -> Option<Stat> {
    parse(&fs::read(proc.join(pid.to_string()).join("stat")).ok()?)
}

fn parse(line: &[u8]) -> Option<Stat> {
    // The name stands in brackets and may hold anything, brackets among them.
    let after_name = memchr::memrchr(b')', line)? + 1;
    let line = str::from_utf8(line.get(after_name..)?).ok()?;
    let fields: Vec<_> = line.split_ascii_whitespace().collect();
    let number = |idx: usize| fields.get(idx)?.parse::<u32>().ok();
    Some(Stat {
        has_ended: matches!(*fields.first()?, "Z" | "X" | "x"),
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        started: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_what_stands_behind_it() {
        let fields = "S 7 8 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";
        let line = format!("12 (x) Z 1 1 1 \n(\u{FFFD}) {fields}\n");
        let expected = Stat {
            has_ended: false,
            parent: 7,
            group: 8,
            session: 9,
            started: 4711,
        };
        assert_eq!(parse(line.as_bytes()), Some(expected));
        for broken in ["", "12 (x", "12 (x) S 1", "12 (x) S a b c"] {
            assert_eq!(parse(broken.as_bytes()), None);
        }
    }
}
