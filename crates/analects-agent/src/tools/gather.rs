//! Resolves the paths and patterns that a model names to files.

use std::collections::HashSet;

use analects_world::AbsPath;
use analects_world::files::Trouble;
use analects_world::search::{Case, Ignore, Tree};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::workspace::named;
use super::{Bench, For, Place, Refusal, RefusalKind};

/// What is wanted of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    /// No files that match one of these, seen from the working directory.
    pub(crate) exclude: &'a [String],
    /// Whether what nobody reads is left out: dependencies, what was built, what version control keeps.
    pub(crate) defaults: bool,
    /// Whether a directory means all that lies below it.
    pub(crate) recursive: bool,
    /// Whether `.gitignore` counts.
    pub(crate) heeds_git: bool,
    /// Whether the files of the bench that say what to ignore count.
    pub(crate) heeds_ours: bool,
}

/// A file that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meant {
    pub(crate) place: Place,
    /// The path or the pattern that means it.
    pub(crate) by: String,
    /// Whether a path names it, and no pattern or directory.
    pub(crate) is_named: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// The files, each once, in the order of what means them.
    pub(crate) files: Vec<Meant>,
    /// What means nothing, and why.
    pub(crate) unmet: Vec<(String, Refusal)>,
    /// How many were left out because something says to ignore them.
    pub(crate) n_ignored: usize,
    /// Whether there are more than were looked at.
    pub(crate) is_cut: bool,
}

/// More files are not gathered in one go.
pub(crate) const MAX_FILES: usize = 1_000;

/// What lies below these is rarely meant.
const DEFAULT_EXCLUDES: [&str; 14] = [
    "**/.git/**",
    "**/.hg/**",
    "**/.svn/**",
    "**/node_modules/**",
    "**/bower_components/**",
    "**/target/**",
    "**/dist/**",
    "**/build/**",
    "**/coverage/**",
    "**/.venv/**",
    "**/__pycache__/**",
    "**/.idea/**",
    "**/.vscode/**",
    "**/.DS_Store",
];

/// Finds the files that each of `includes` means: a file, a directory, or a pattern.
pub(crate) fn gather(
    includes: &[String],
    wish: Wish<'_>,
    bench: &Bench<'_>,
) -> Result<Gathered, Refusal> {
    let exclude = globs(wish.exclude)?;
    let mut gathered = Gathered::default();
    for include in includes {
        if bench.cancel.is_cancelled() {
            return Err(Refusal::new(RefusalKind::Cancelled, "It was cancelled."));
        }
        match one(include, wish, bench, &mut gathered) {
            Ok(found) => {
                let is_meant = |meant: &Meant| {
                    let below = bench.workspace.shown(&meant.place.path);
                    meant.is_named || !exclude.is_match(below)
                };
                gathered.files.extend(found.into_iter().filter(is_meant));
            }
            Err(refusal) => gathered.unmet.push((include.clone(), refusal)),
        }
        let mut known = HashSet::new();
        let files = &mut gathered.files;
        files.retain(|meant| known.insert(meant.place.path.clone()));
        if files.len() > MAX_FILES {
            gathered.is_cut = true;
            files.truncate(MAX_FILES);
            break;
        }
    }
    Ok(gathered)
}

fn one(
    include: &str,
    wish: Wish<'_>,
    bench: &Bench<'_>,
    gathered: &mut Gathered,
) -> Result<Vec<Meant>, Refusal> {
    // A file may be called `[id].tsx`: what is there goes before what a pattern could mean.
    let locate = |path: &str, what_for| bench.workspace.locate(bench.files, path, what_for);
    let place = locate(include, For::Listing);
    let measured = place.as_ref().ok().and_then(|place| {
        let path = std::slice::from_ref(&place.path);
        bench.files.measure(path).pop()
    });
    match (place, measured) {
        (Ok(place), Some(Err(Trouble::IsDir))) => {
            let all = if wish.recursive { "**/*" } else { "*" };
            walk(include, &place, all, wish, bench, gathered)
        }
        (_, Some(Err(Trouble::Missing)) | None) if is_pattern(include) => {
            let (dir, pattern) = split(include);
            let place = match dir {
                "" => locate(".", For::Listing)?,
                dir => locate(dir, For::Listing)?,
            };
            walk(include, &place, pattern, wish, bench, gathered)
        }
        _ => Ok(vec![Meant {
            place: locate(include, For::Reading)?,
            by: include.to_owned(),
            is_named: true,
        }]),
    }
}

fn walk(
    include: &str,
    at: &Place,
    pattern: &str,
    wish: Wish<'_>,
    bench: &Bench<'_>,
    gathered: &mut Gathered,
) -> Result<Vec<Meant>, Refusal> {
    let defaults = DEFAULT_EXCLUDES.iter().filter(|_| wish.defaults);
    let mut never: Vec<_> = defaults.map(|&glob| glob.to_owned()).collect();
    // These mean the same from every directory, and spare the walk what it need not see.
    let everywhere = wish.exclude.iter().filter(|glob| glob.starts_with("**/"));
    never.extend(everywhere.cloned());
    let tree = Tree {
        at: &at.path,
        within: &at.root,
        only: &[pattern.to_owned()],
        never: &never,
        case: Case::Sensitive,
        ignore: Ignore {
            git: wish.heeds_git,
            files: if wish.heeds_ours {
                bench.ignore_files
            } else {
                &[]
            },
        },
        sieve: bench.workspace.sieve(),
        limit: MAX_FILES,
    };
    globs(tree.only)?;
    let walked = bench.search.walk(&tree, bench.cancel);
    let walked = walked.map_err(|trouble| unwalked(include, &trouble))?;
    gathered.n_ignored += walked.n_ignored;
    gathered.is_cut |= walked.is_cut;
    if walked.files.is_empty() && walked.n_ignored == 0 {
        let message = format!("No file matches {}.", named(include));
        return Err(Refusal::new(RefusalKind::NotFound, message));
    }
    let meant = |path: AbsPath| Meant {
        place: Place {
            path,
            root: at.root.clone(),
        },
        by: include.to_owned(),
        is_named: false,
    };
    let files = walked.files.into_iter();
    Ok(files.map(|file| meant(file.path)).collect())
}

fn unwalked(include: &str, trouble: &Trouble) -> Refusal {
    let kind = match trouble {
        Trouble::Missing => RefusalKind::NotFound,
        Trouble::NotDir => RefusalKind::NotDirectory,
        Trouble::Outside => RefusalKind::OutsideWorkspace,
        _ => RefusalKind::Unreadable,
    };
    let message = format!("{} cannot be looked through: {trouble}.", named(include));
    Refusal::new(kind, message)
}

/// Whether a text is a pattern, if it is not the name of something.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// The directory that a pattern begins in, and the rest of it.
fn split(pattern: &str) -> (&str, &str) {
    let first = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let start = pattern.get(..first).unwrap_or_default();
    match start.rfind('/') {
        Some(0) => ("/", pattern.get(1..).unwrap_or_default()),
        Some(at) => (
            pattern.get(..at).unwrap_or_default(),
            pattern.get(at + 1..).unwrap_or_default(),
        ),
        None => ("", pattern),
    }
}

/// Longer patterns, or more of them, are no wish of anybody's.
const MAX_PATTERNS: usize = 100;
const MAX_PATTERN_BYTES: usize = 1_000;

fn globs(patterns: &[String]) -> Result<GlobSet, Refusal> {
    let refuse = |why: String| Refusal::new(RefusalKind::BadPattern, why);
    if patterns.len() > MAX_PATTERNS {
        return Err(refuse(format!(
            "There are more than {MAX_PATTERNS} patterns."
        )));
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(refuse(format!("{} is too long a pattern.", named(pattern))));
        }
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        let wrong = |error: globset::Error| {
            refuse(format!(
                "{} is no pattern: {}.",
                named(pattern),
                error.kind()
            ))
        };
        set.add(glob.map_err(wrong)?);
    }
    set.build()
        .map_err(|error| refuse(format!("These patterns are too much: {}.", error.kind())))
}
