//! Looking through a tree: for names, and for words.

use crate::files::Trouble;
use crate::{AbsPath, Cancel};

/// Looks through trees. Links are never followed, and nothing outside of the tree is told of.
pub trait Search: Sync {
    /// The files of a tree, sorted by path.
    fn walk(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Walked, Trouble>;

    /// The lines of a tree's files in which a pattern is found, sorted by path and line.
    fn grep(&self, tree: &Tree<'_>, seek: &Seek<'_>, cancel: &Cancel) -> Result<Grepped, NoGrep>;
}

/// Which files of a tree are meant.
#[derive(Debug, Clone, Copy)]
pub struct Tree<'a> {
    /// Where it begins: a directory, or a single file.
    pub at: &'a AbsPath,
    /// Where that must really lie, judged by the opened handle.
    pub within: &'a AbsPath,
    /// Only files whose path below `at` matches one of these; all, if there are none.
    pub only: &'a [String],
    /// No files that match one of these.
    pub never: &'a [String],
    /// Whether upper and lower case differ in `only` and `never`.
    pub case: Case,
    /// Which files that say what to ignore are heeded.
    pub ignore: Ignore<'a>,
    /// At most so many files, or matches, are told of.
    pub limit: usize,
}

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// They do.
    Sensitive,
    /// They do not.
    Insensitive,
}

/// Which files that say what to ignore are heeded.
#[derive(Debug, Clone, Copy)]
pub struct Ignore<'a> {
    /// `.gitignore` and what else git reads.
    pub git: bool,
    /// Files in that syntax which hold for the whole tree, seen from the directory they lie in.
    pub files: &'a [AbsPath],
}

/// Files that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// The files.
    pub files: Vec<WalkedFile>,
    /// How many matched and were left out because something says to ignore them.
    pub n_ignored: usize,
    /// Whether there are more than were asked for.
    pub is_cut: bool,
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkedFile {
    /// The file.
    pub path: AbsPath,
    /// When it was last written, in nanoseconds since 1970.
    pub written_ns: u64,
}

/// What is sought in files.
#[derive(Debug, Clone, Copy)]
pub struct Seek<'a> {
    /// A regular expression, or the words themselves.
    pub pattern: &'a str,
    /// Whether it is to be taken word for word.
    pub is_literal: bool,
    /// Whether upper and lower case differ.
    pub case: Case,
    /// How many lines before and after a match are told of.
    pub context: (usize, usize),
    /// At most so many matches of one file.
    pub per_file: Option<usize>,
    /// Whether one match a file is enough.
    pub names_only: bool,
    /// Lines longer than so many bytes are cut.
    pub max_line_bytes: usize,
}

/// Lines that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grepped {
    /// The lines, those of the context among them.
    pub lines: Vec<GreppedLine>,
    /// How many of them match.
    pub n_matches: usize,
    /// Whether there are more than were asked for.
    pub is_cut: bool,
}

/// A line that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GreppedLine {
    /// Its file.
    pub path: AbsPath,
    /// Its number in it, from one.
    pub number: u64,
    /// What it says, without its end.
    pub text: String,
    /// Whether it matches, or only stands beside one that does.
    pub is_match: bool,
}

/// Why nothing was sought.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoGrep {
    /// The pattern makes no sense.
    #[error("{0}")]
    Pattern(String),
    /// The tree cannot be looked through.
    #[error("{0}")]
    Tree(Trouble),
}
