//! What a scan passes over: `.gitignore`, `.geminiignore` and custom files, matched by ripgrep's crate.
//!
//! Each directory's rules point to those of its parent; nothing is copied on the way down. Rules of a
//! stronger kind decide first (custom, then `.geminiignore`, then `.gitignore`), and within a kind the
//! deepest directory that has an opinion.

use std::path::Path;
use std::rc::Rc;

use analects_text::decode::{Cut, decode};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Files, Found, Kind, Trouble, Want, Within};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::codes;

/// Which ignore files count.
#[derive(Debug, Clone)]
pub struct IgnoreOptions {
    /// Whether `.gitignore` files count.
    pub git: bool,
    /// Whether `.geminiignore` files count.
    pub gemini: bool,
    /// Further ignore files, strongest first.
    pub custom: Vec<AbsPath>,
    /// From where on files of the two kinds above are read.
    pub scope: IgnoreScope,
}

/// Which directories' ignore files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoreScope {
    /// Every directory from the project's root down.
    FromRoot,
    /// As Gemini CLI: `.gitignore` from the working directory down, `.geminiignore` only in it.
    FromCwd,
}

const GIT: &str = ".gitignore";
const GEMINI: &str = ".geminiignore";
const EXCLUDE: &str = ".git/info/exclude";

/// Ignore files are small; a larger one is read up to here.
const LIMIT_BYTES: usize = 256 * 1024;

/// How many lines make one matcher: a pattern that cannot be compiled, or patterns too many to be
/// compiled together, take only their neighbours along.
const PART_LINES: usize = 1000;

/// At most this many senseless lines of one file are reported one by one.
const MAX_REPORTED: usize = 20;

/// The rules in force in one directory.
#[derive(Clone, Default)]
pub struct Rules(Option<Rc<Node>>);

struct Node {
    custom: Vec<Gitignore>,
    gemini: Vec<Gitignore>,
    git: Vec<Gitignore>,
    parent: Rules,
}

impl Rules {
    /// The rules of the custom files, anchored in `dir`.
    pub fn custom(
        files: &dyn Files,
        dir: &AbsPath,
        options: &IgnoreOptions,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let wanted = options.custom.iter();
        let custom: Vec<_> = wanted
            // A workspace names files below its working directory; no link there leads out.
            .flat_map(|path| {
                let root = path.is_within(dir).then_some(dir);
                read(files, path, dir, root, problems)
            })
            .collect();
        if custom.is_empty() {
            return Self::default();
        }
        Self(Some(Rc::new(Node {
            custom,
            gemini: vec![],
            git: vec![],
            parent: Self::default(),
        })))
    }

    /// The names that a listing must ask for so that [`Rules::enter`] can do its work.
    pub fn names(options: &IgnoreOptions, is_top: bool) -> Vec<String> {
        let mut names = Vec::new();
        if options.git {
            names.push(GIT.to_owned());
            if is_top {
                names.push(EXCLUDE.to_owned());
            }
        }
        if options.gemini && (is_top || options.scope == IgnoreScope::FromRoot) {
            names.push(GEMINI.to_owned());
        }
        names
    }

    /// Whether a listed name is an ignore file rather than memory.
    pub fn is_ignore_file(name: &str) -> bool {
        matches!(name, GIT | GEMINI | EXCLUDE)
    }

    /// The rules inside `dir`, given what was found there. `root` bounds where links may lead.
    pub fn enter(
        &self,
        files: &dyn Files,
        dir: &AbsPath,
        root: &AbsPath,
        found: &[Found],
        problems: &mut Vec<Problem>,
    ) -> Self {
        let mut load = |name: &str| {
            let is_there = |f: &&Found| f.name == name && matches!(f.kind, Kind::File | Kind::Link);
            match found.iter().find(is_there) {
                Some(_) => read(files, &dir.join(name), dir, Some(root), problems),
                None => Vec::new(),
            }
        };
        // The weaker file of a directory last: the first opinion counts.
        let git: Vec<_> = [GIT, EXCLUDE].into_iter().flat_map(&mut load).collect();
        let gemini = load(GEMINI);
        if git.is_empty() && gemini.is_empty() {
            return self.clone();
        }
        Self(Some(Rc::new(Node {
            custom: vec![],
            gemini,
            git,
            parent: self.clone(),
        })))
    }

    /// Whether `name` in `dir`, or a directory on the way to it, is to be passed over.
    pub fn ignores_in(&self, dir: &AbsPath, name: &str) -> bool {
        let mut on_the_way = name.match_indices('/').filter_map(|(at, _)| name.get(..at));
        on_the_way.any(|way| self.ignores(&dir.join(way), true))
            || self.ignores(&dir.join(name), false)
    }

    /// Whether `path` is to be passed over.
    pub fn ignores(&self, path: &AbsPath, is_dir: bool) -> bool {
        self.opinion(path, is_dir, |node| &node.custom)
            .or_else(|| self.opinion(path, is_dir, |node| &node.gemini))
            .or_else(|| self.opinion(path, is_dir, |node| &node.git))
            .unwrap_or(false)
    }

    fn opinion(
        &self,
        path: &AbsPath,
        is_dir: bool,
        kind: impl Fn(&Node) -> &[Gitignore],
    ) -> Option<bool> {
        let mut at = self.0.as_deref();
        while let Some(node) = at {
            for rules in kind(node) {
                let opinion = rules.matched(Path::new(path.as_str()), is_dir);
                if !opinion.is_none() {
                    return Some(opinion.is_ignore());
                }
            }
            at = node.parent.0.as_deref();
        }
        None
    }
}

/// Reads an ignore file whose patterns are anchored in `dir`: its parts, the strongest first.
fn read(
    files: &dyn Files,
    path: &AbsPath,
    dir: &AbsPath,
    root: Option<&AbsPath>,
    problems: &mut Vec<Problem>,
) -> Vec<Gitignore> {
    let within = root.map_or(Within::Anywhere, Within::Root);
    let blob = match files.read_one(Want {
        path,
        within,
        limit_bytes: LIMIT_BYTES,
    }) {
        Ok(blob) => blob,
        Err(Trouble::Missing) => return Vec::new(),
        Err(trouble) => {
            problems.push(Problem::new(&codes::UNREADABLE, trouble.to_string()).in_file(path));
            return Vec::new();
        }
    };
    let cut = if blob.is_cut() { Cut::Cut } else { Cut::Whole };
    let text = decode(&blob.bytes, cut).text;
    // Git means the blanks in front of a pattern; Gemini CLI's own files do not.
    let is_git = [GIT, EXCLUDE]
        .iter()
        .any(|name| path.as_str().ends_with(name));
    let pattern = |line| if is_git { line } else { str::trim(line) };
    let mut patterns: Vec<_> = text.lines().map(pattern).collect();
    let mut bad = Vec::new();
    if blob.is_cut() {
        // Half a pattern means something else: `*.log` would become `*`.
        if !text.ends_with('\n') {
            patterns.pop();
        }
        let message = format!("longer than {LIMIT_BYTES} bytes, not read from here on");
        bad.push((patterns.len() + 1, message));
    }
    let mut parts = Vec::new();
    for (index, part) in patterns.chunks(PART_LINES).enumerate() {
        parts.extend(matcher(dir, part, index * PART_LINES + 1, &mut bad));
    }
    // Within a file the last pattern that matches decides.
    parts.reverse();
    report(path, bad, problems);
    parts
}

/// A matcher for some lines of a file; `bad` gets the lines that make no sense.
fn matcher(
    dir: &AbsPath,
    patterns: &[&str],
    first_line: usize,
    bad: &mut Vec<(usize, String)>,
) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(dir.as_str());
    // Gemini CLI matches ignore rules without regard to case, on every system.
    let cased = builder.case_insensitive(true).map(|_| ());
    bad.extend(cased.err().map(|error| (first_line, error.to_string())));
    for (index, pattern) in patterns.iter().enumerate() {
        if let Err(error) = builder.add_line(None, pattern) {
            bad.push((first_line + index, error.to_string()));
        }
    }
    let built = builder.build();
    let unused = |error| {
        format!(
            "not used, nor the {} lines after it: {error}",
            patterns.len() - 1
        )
    };
    built
        .map_err(|error| bad.push((first_line, unused(error))))
        .ok()
}

/// Reports the first few lines one by one.
fn report(path: &AbsPath, bad: Vec<(usize, String)>, problems: &mut Vec<Problem>) {
    let n_more = bad.len().saturating_sub(MAX_REPORTED);
    for (line, message) in bad.into_iter().take(MAX_REPORTED) {
        let problem = Problem::new(&codes::BAD_IGNORE_RULE, message);
        problems.push(problem.in_file(path).on_line(line));
    }
    if n_more > 0 {
        let message = format!("{n_more} more lines are no valid patterns");
        problems.push(Problem::new(&codes::BAD_IGNORE_RULE, message).in_file(path));
    }
}
