//! What inputs become when they grow: what takes the square of its length shows only then.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Bench, files};

/// How long a grown input is.
const GROWN_BYTES: usize = 128 * 1024;
/// How many are tried.
const MAX_GROWN: usize = 160;
/// How many lines of a file are repeated alone.
const MAX_LINES: usize = 8;

/// Every input of the corpus and its first lines, each repeated until it is long.
pub(super) fn grown(bench: &Bench) -> Result<Vec<PathBuf>, String> {
    let mut grown = BTreeSet::new();
    let mut seeds = Vec::new();
    for path in files(&bench.corpus)? {
        let seed = std::fs::read(path).map_err(|error| error.to_string())?;
        let lines = seed.split_inclusive(|&byte| byte == b'\n').take(MAX_LINES);
        seeds.extend(lines.map(<[u8]>::to_vec));
        grown.extend(repeated(&seed));
    }
    for line in seeds {
        if grown.len() < MAX_GROWN {
            grown.extend(repeated(&line));
        }
    }
    let dir = &bench.grown;
    std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
    let mut paths = Vec::new();
    for (at, bytes) in grown.into_iter().enumerate() {
        let path = dir.join(format!("{at:03}"));
        std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
        paths.push(path);
    }
    Ok(paths)
}

/// The bytes again and again; `None` if there are none.
fn repeated(bytes: &[u8]) -> Option<Vec<u8>> {
    let n = GROWN_BYTES.checked_div(bytes.len())?;
    Some(bytes.repeat(n.max(1)))
}
