//! A corpus that stays small: what was found goes in as far as it reaches code that nothing else reaches.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::run::run;
use super::{Bench, files};
use crate::shell::Done;

/// A corpus has at most this many files, of that many bytes together.
const MAX_FILES: usize = 150;
const MAX_BYTES: usize = 300 * 1024;
/// Files of this name show what was broken once; they stay.
const CRASH: &str = "crash-";

/// Makes the corpus of a target anew from itself and from what was found.
pub(super) fn minimize(bench: &Bench) -> Done {
    let merged = bench.found.with_extension("merged");
    let failed = |error: std::io::Error| error.to_string();
    if merged.exists() {
        std::fs::remove_dir_all(&merged).map_err(failed)?;
    }
    std::fs::create_dir_all(&merged).map_err(failed)?;
    std::fs::create_dir_all(&bench.found).map_err(failed)?;
    let args = ["-set_cover_merge=1".to_owned(), "-max_len=8192".to_owned()];
    run(bench, &args, &[&merged, &bench.corpus, &bench.found])?;
    let known = contents(&bench.corpus)?;
    let mut best = contents(&merged)?;
    best.sort_by_key(|(_, bytes)| bytes.len());
    let is_crash = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(CRASH))
    };
    let (mut kept, mut n_bytes) = (BTreeSet::new(), 0);
    let stays = known.iter().filter(|(path, _)| is_crash(path));
    for (_, bytes) in stays.chain(&best) {
        if kept.len() < MAX_FILES
            && n_bytes + bytes.len() <= MAX_BYTES
            && kept.insert(bytes.clone())
        {
            n_bytes += bytes.len();
        }
    }
    let n_before = known.len();
    for (path, bytes) in known {
        // A file that stays keeps its name.
        if !kept.remove(&bytes) {
            std::fs::remove_file(path).map_err(failed)?;
        }
    }
    for (path, bytes) in best.iter().filter(|(_, bytes)| kept.contains(bytes)) {
        let name = path.file_name().and_then(|name| name.to_str());
        let name: String = name.unwrap_or_default().chars().take(12).collect();
        std::fs::write(bench.corpus.join(name), bytes).map_err(failed)?;
    }
    let n_after = files(&bench.corpus)?.len();
    println!(
        "{}: {n_before} files became {n_after}, {n_bytes} bytes",
        bench.name
    );
    Ok(())
}

fn contents(dir: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
        Ok((path, bytes))
    };
    files(dir)?.into_iter().map(read).collect()
}
