//! What a search passes over: `.gitignore` and other files in its syntax, matched by ripgrep's crate.
//!
//! Each directory's rules point to those of its parent; nothing is copied on the way down. The files that somebody
//! named decide first, in their order, then the deepest `.gitignore` that has an opinion. Lines that make no sense
//! are left out: who wrote them hears of that elsewhere.

use std::fs;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::Arc;

use analects_world::AbsPath;
use analects_world::search::Ignore;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::CWD;

use super::walker::open_file;
use crate::disk::handle;

/// The ignore file of a directory.
pub(super) const GIT: &str = ".gitignore";
const EXCLUDE: &str = ".git/info/exclude";

/// Ignore files are small; a larger one is read up to here.
const LIMIT_BYTES: u64 = 256 * 1024;

/// How many lines make one matcher: patterns that cannot be compiled together take only their neighbours along.
const PART_LINES: usize = 1000;

/// The rules in force in one directory.
#[derive(Clone)]
pub(super) struct Rules {
    named: Arc<[Gitignore]>,
    heeds_git: bool,
    git: Option<Arc<Node>>,
}

struct Node {
    rules: Vec<Gitignore>,
    parent: Option<Arc<Self>>,
}

impl Rules {
    /// The rules above all directories: those of the files that somebody named, and git's own for `root`.
    pub(super) fn new(ignore: Ignore<'_>, root: &Path) -> Self {
        let mut rules = Self {
            named: ignore.files.iter().flat_map(named).collect(),
            heeds_git: ignore.git,
            git: None,
        };
        // Weaker than the `.gitignore` beside it, which is entered later.
        rules = rules.enter(root, CWD, &root.join(EXCLUDE));
        rules
    }

    /// The rules inside `dir`, whose ignore file lies at `file`, seen from `place`.
    pub(super) fn enter(&self, dir: &Path, place: impl AsFd, file: &Path) -> Self {
        let mut inner = self.clone();
        if !self.heeds_git {
            return inner;
        }
        // Git does not follow a link here either.
        let Ok(file) = open_file(place, file) else {
            return inner;
        };
        let rules = read(file, dir, Blanks::Count);
        if !rules.is_empty() {
            let parent = self.git.clone();
            inner.git = Some(Arc::new(Node { rules, parent }));
        }
        inner
    }

    /// Whether `path` is to be passed over. Directories above it are not asked again.
    pub(super) fn ignores(&self, path: &Path, is_dir: bool) -> bool {
        let named = self.named.iter().filter(|rules| {
            // Rules say nothing about what does not lie below them.
            path.starts_with(rules.path())
        });
        let nodes = std::iter::successors(self.git.as_deref(), |node| node.parent.as_deref());
        let mut all = named.chain(nodes.flat_map(|node| &node.rules));
        let opinion = all.find_map(|rules| {
            let opinion = rules.matched(path, is_dir);
            (!opinion.is_none()).then(|| opinion.is_ignore())
        });
        opinion.unwrap_or(false)
    }
}

/// Whether blanks in front of a pattern belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blanks {
    /// As in git.
    Count,
    /// As in Gemini CLI's own files.
    Fall,
}

/// The rules of a file that somebody named. It may be a link: it is the user's own.
fn named(path: &AbsPath) -> Vec<Gitignore> {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    let (Ok((file, _)), Ok(dir)) = (handle::open(path), fs::canonicalize(dir.as_str())) else {
        return Vec::new();
    };
    let blanks = match path.file_name() == GIT {
        true => Blanks::Count,
        false => Blanks::Fall,
    };
    read(file, &dir, blanks)
}

/// Reads rules that are anchored in `dir`: their parts, the strongest first.
fn read(file: fs::File, dir: &Path, blanks: Blanks) -> Vec<Gitignore> {
    let mut bytes = Vec::new();
    let n_read = io::Read::take(file, LIMIT_BYTES).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let mut lines: Vec<_> = text.lines().collect();
    // Half a pattern means something else: `*.log` would become `*`.
    let is_cut = n_read.is_ok_and(|n_read| n_read as u64 == LIMIT_BYTES);
    if is_cut && !text.ends_with('\n') {
        lines.pop();
    }
    let parts = lines.chunks(PART_LINES);
    // Within a file the last pattern that matches decides.
    parts
        .rev()
        .filter_map(|lines| matcher(dir, lines, blanks))
        .collect()
}

fn matcher(dir: &Path, lines: &[&str], blanks: Blanks) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(dir);
    // Gemini CLI matches ignore rules without regard to case, on every system.
    builder.case_insensitive(true).ok()?;
    for line in lines {
        let line = match blanks {
            Blanks::Count => line,
            Blanks::Fall => line.trim(),
        };
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}
