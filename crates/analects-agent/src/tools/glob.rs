//! `glob`: files by their names, the newest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use analects_world::AbsPath;
use analects_world::search::{Tree, WalkedFile};
use schemars::JsonSchema;
use serde::Deserialize;

use super::trees::{self, count, quoted};
use super::{Bench, Output, Place, Refusal, RefusalKind};

/// The tool.
pub const NAME: &str = "glob";

/// Which files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// The glob that paths have to match, such as `**/*.py` or `docs/*.md`.
    pub pattern: String,
    /// The directory to look in, relative to the working directory or absolute. Without it, the whole workspace.
    #[serde(default, alias = "path")]
    pub dir_path: Option<String>,
    /// Whether upper and lower case differ. By default they do not.
    #[serde(default)]
    pub case_sensitive: Option<bool>,
    /// Whether `.gitignore` counts. By default it does.
    #[serde(default)]
    pub respect_git_ignore: Option<bool>,
    /// Whether `.geminiignore` counts. By default it does.
    #[serde(default)]
    pub respect_gemini_ignore: Option<bool>,
}

/// More paths help nobody.
const MAX_SHOWN: usize = 500;
/// How many files are looked at to find the newest ones.
const MAX_FILES: usize = 50_000;
/// What was written in this time counts as new.
const NEW_NS: u64 = 24 * 60 * 60 * 1_000_000_000;

/// Finds files. `now_ns` is the time, in nanoseconds since 1970: it says which of them are new.
pub fn run(args: &Args, bench: &Bench<'_>, now_ns: u64) -> Result<Output, Refusal> {
    let places = places(args, bench)?;
    let mut found = Found::default();
    for place in &places {
        found.look(args, place, bench)?;
    }
    let mut files: Vec<_> = found.files.into_iter().collect();
    // Stable: what is not new stays in the order of the paths.
    files.sort_by_key(|(_, written_ns)| Reverse(written_ns.if_new(now_ns)));
    let place = match places.as_slice() {
        [] => "the workspace, which is gone".to_owned(),
        [place] => format!("`{}`", trees::shown(bench, &place.path)),
        places => format!("the {} directories of the workspace", places.len()),
    };
    let what = quoted(&args.pattern);
    let mut lines = match files.len() {
        0 => vec![format!("No files match {what} in {place}.")],
        1 => vec![format!("Found 1 file that matches {what} in {place}:")],
        n => vec![format!(
            "Found {n} files that match {what} in {place}, new ones first:"
        )],
    };
    let shown = files.iter().take(MAX_SHOWN);
    lines.extend(shown.map(|(path, _)| trees::shown(bench, path)));
    lines.extend(found.notes.told(files.len()));
    Ok(Output {
        text: lines.join("\n"),
        shown: format!("Found {}", count(files.len(), "file", "files")),
        ..Output::default()
    })
}

/// Where to look: in the directory that was named, or in all of the workspace.
fn places(args: &Args, bench: &Bench<'_>) -> Result<Vec<Place>, Refusal> {
    if let Some(path) = args.dir_path.as_deref().filter(|path| !path.is_empty()) {
        return Ok(vec![trees::place(bench, Some(path))?]);
    }
    let roots = bench.workspace.dirs().into_iter();
    let place = |root: AbsPath| Place {
        path: root.clone(),
        root,
    };
    // A directory that is gone takes nothing away from the others.
    let is_there = |place: &Place| bench.files.require_dir(&place.path).is_ok();
    Ok(roots.map(place).filter(is_there).collect())
}

/// What was found in all places. A root may lie in another, so each path counts once.
#[derive(Default)]
struct Found {
    files: BTreeMap<AbsPath, Written>,
    notes: Notes,
}

impl Found {
    fn look(&mut self, args: &Args, place: &Place, bench: &Bench<'_>) -> Result<(), Refusal> {
        let refuse = |trouble| trees::refusal(bench, &place.path, &trouble);
        bench.files.require_dir(&place.path).map_err(refuse)?;
        let pattern = pattern(args, place, bench)?;
        let tree = Tree {
            at: &place.path,
            within: &place.root,
            never: &trees::foreign(&pattern),
            only: &[pattern],
            case: trees::case(args.case_sensitive),
            ignore: trees::ignore(bench, args.respect_git_ignore, args.respect_gemini_ignore),
            sieve: bench.workspace.sieve(),
            limit: MAX_FILES,
        };
        let walked = bench.search.walk(&tree, bench.cancel).map_err(refuse)?;
        trees::check_cancel(bench)?;
        let file = |file: WalkedFile| (file.path, Written(file.written_ns));
        self.files.extend(walked.files.into_iter().map(file));
        self.notes.n_ignored += walked.n_ignored;
        self.notes.n_unread += walked.n_unread;
        self.notes.is_cut |= walked.is_cut;
        Ok(())
    }
}

/// The pattern as it is seen from a place.
fn pattern(args: &Args, place: &Place, bench: &Bench<'_>) -> Result<String, Refusal> {
    let whole = args.pattern.trim();
    let pattern = match whole.starts_with('/') {
        false => whole,
        true => below(whole, &place.path).ok_or_else(|| {
            let message = format!(
                "{} is an absolute path that does not lie in `{}`. Say in `dir_path` where to look, and give \
                 a pattern from there.",
                quoted(whole),
                trees::shown(bench, &place.path)
            );
            Refusal::new(RefusalKind::BadPattern, message)
        })?,
    };
    // Some frameworks have brackets in their paths: what is there is meant word for word.
    if pattern.contains(['[', '{']) && !pattern.contains('*') {
        let path = place.path.join(pattern);
        let is_there = bench
            .files
            .measure(&[path])
            .pop()
            .is_some_and(|it| it.is_ok());
        if is_there {
            return Ok(globset::escape(pattern));
        }
    }
    trees::check_glob("pattern", pattern)?;
    Ok(pattern.to_owned())
}

/// An absolute pattern from `dir` on.
fn below<'a>(pattern: &'a str, dir: &AbsPath) -> Option<&'a str> {
    let dir = dir.as_str().trim_end_matches('/');
    pattern.strip_prefix(dir)?.strip_prefix('/')
}

/// When a file was written, in nanoseconds since 1970.
#[derive(Clone, Copy)]
struct Written(u64);

impl Written {
    /// When, if that is new.
    fn if_new(self, now_ns: u64) -> Option<u64> {
        (now_ns.saturating_sub(self.0) < NEW_NS).then_some(self.0)
    }
}

#[derive(Default)]
struct Notes {
    n_ignored: usize,
    n_unread: usize,
    is_cut: bool,
}

impl Notes {
    fn told(&self, n_files: usize) -> impl Iterator<Item = String> {
        let shown = (n_files > MAX_SHOWN).then(|| {
            format!("(Shown are {MAX_SHOWN} of them. Narrow the pattern, or say in `dir_path` where to look.)")
        });
        let cut = self.is_cut.then(|| {
            format!("(There are more: a search ends after {MAX_FILES} files, and newer ones may be missing.)")
        });
        let ignored = (self.n_ignored > 0).then(|| {
            let what = count(
                self.n_ignored,
                "ignored file or directory was",
                "ignored files or directories were",
            );
            let hint = match n_files {
                0 => "; see `respect_git_ignore` and `respect_gemini_ignore`",
                _ => "",
            };
            format!("({what} passed over{hint}.)")
        });
        let unread = trees::unread(self.n_unread);
        [shown, cut, ignored, unread].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests;
