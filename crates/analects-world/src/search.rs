//! Looking through a tree: for names, and for words.

use std::fmt;

use crate::files::{Kind, Trouble};
use crate::{AbsPath, Cancel};

/// Looks through trees. Links are never followed, and nothing outside the tree is told of.
///
/// What git keeps for itself (`.git`) is passed over. When it is cancelled, a search answers at once with what it
/// has; whoever cancelled it knows not to use that.
pub trait Search: Sync {
    /// What lies directly in a directory: its directories, then the rest, both sorted by name.
    fn list(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Listed, Trouble>;

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
    /// Only files whose path below `at` matches one of these globs; all, if there are none. `*` stays within a
    /// name, `**` does not.
    pub only: &'a [String],
    /// No files that match one of these, and nothing in a directory that does.
    pub never: &'a [String],
    /// Whether upper and lower case differ in `only` and `never`.
    pub case: Case,
    /// Which ignore files apply.
    pub ignore: Ignore<'a>,
    /// What may be looked at at all; everything, if nobody says.
    pub sieve: Option<&'a dyn Sieve>,
    /// At most this many files, or matches, are told of.
    pub limit: usize,
}

/// What somebody may look at, whatever was asked for.
///
/// It is asked about every file before that is opened, by where the file really lies. What does not pass is not
/// counted either.
pub trait Sieve: fmt::Debug + Sync {
    /// Whether this may be told of.
    fn tells(&self, path: &AbsPath, kind: Kind) -> bool;

    /// Whether something may be told of that lies in this directory, however deep.
    fn enters(&self, dir: &AbsPath) -> bool;
}

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// They do.
    Sensitive,
    /// They do not.
    Insensitive,
}

/// Which ignore files apply.
#[derive(Debug, Clone, Copy)]
pub struct Ignore<'a> {
    /// `.gitignore` from `within` down, and `.git/info/exclude`.
    pub git: bool,
    /// Files in that syntax, the strongest first and all of them stronger than git's; each is seen from the
    /// directory it lies in. Like git's, they are read without regard to case, as Gemini CLI does.
    pub files: &'a [AbsPath],
}

/// What lies in a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// What was asked for, up to the limit.
    pub entries: Vec<ListedEntry>,
    /// How many more there are.
    pub n_more: usize,
    /// How many were passed over because something says to ignore them.
    pub n_ignored: usize,
    /// How many have names that are not UTF-8: nobody could ask for them.
    pub n_unread: usize,
}

/// Something that lies in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How many bytes a file has.
    pub len: Option<u64>,
}

/// Files that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// The files.
    pub files: Vec<WalkedFile>,
    /// How many wanted files, and how many whole directories, were passed over because something says to ignore
    /// them.
    pub n_ignored: usize,
    /// How many files and directories could not be looked at: no right to, too deep, no name in UTF-8.
    pub n_unread: usize,
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
    /// Lines in which this regular expression is found do not count, nor are they told of as context.
    pub except: Option<&'a str>,
    /// Whether upper and lower case differ, in both.
    pub case: Case,
    /// How many lines before and after a match are told of.
    pub context: (usize, usize),
    /// At most this many matches of one file.
    pub per_file: Option<usize>,
    /// Whether one match a file is enough.
    pub names_only: bool,
    /// Lines longer than this many bytes are cut, by [`told`].
    pub max_line_bytes: usize,
}

/// Lines that were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grepped {
    /// The lines, those of the context among them.
    pub lines: Vec<GreppedLine>,
    /// How many of them match.
    pub n_matches: usize,
    /// How many files and directories could not be looked at, or not to their end.
    pub n_unread: usize,
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

/// What is told of a line: all of it, or `max_bytes` of it around what was found, with `…` for the rest.
#[must_use]
pub fn told(line: &[u8], found_at: usize, max_bytes: usize) -> String {
    if line.len() <= max_bytes {
        return String::from_utf8_lossy(line).into_owned();
    }
    let is_inside = |at: usize| line.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let mut start = match found_at < max_bytes / 2 {
        true => 0,
        false => (found_at - max_bytes / 4).min(line.len() - max_bytes),
    };
    let mut end = start + max_bytes;
    // No character of UTF-8 has more than three bytes that go on.
    for _ in 0..3 {
        start += usize::from(is_inside(start));
        end -= usize::from(is_inside(end) && end > start);
    }
    let text = String::from_utf8_lossy(line.get(start..end).unwrap_or_default());
    let mark = |is_cut| if is_cut { "…" } else { "" };
    format!("{}{text}{}", mark(start > 0), mark(end < line.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_line_is_told_around_what_was_found() {
        let line = b"0123456789abcdefghijklmnopqrstuvwxyz";
        assert_eq!(told(line, 30, 100), "0123456789abcdefghijklmnopqrstuvwxyz");
        assert_eq!(told(line, 3, 8), "01234567…");
        assert_eq!(told(line, 16, 8), "…efghijkl…");
        assert_eq!(told(line, 35, 8), "…stuvwxyz");
        assert_eq!(told("ääää".as_bytes(), 0, 3), "ä…");
        assert_eq!(told(b"ab", 0, 0), "…");
    }

    proptest! {
        #[test]
        fn what_was_found_is_in_view(before in "[aä€𝄞]{0,40}", after in "[aä€𝄞]{0,40}", max in 8_usize..40) {
            let line = format!("{before}!{after}");
            let told = told(line.as_bytes(), before.len(), max);
            prop_assert!(told.contains('!') && !told.contains(char::REPLACEMENT_CHARACTER));
            prop_assert!(told.len() <= max + 2 * '…'.len_utf8());
        }

        #[test]
        fn no_line_is_too_odd(line in prop::collection::vec(any::<u8>(), 0..50), at in 0_usize..60, max in 0_usize..60) {
            let at = at.min(line.len());
            prop_assert!(told(&line, at, max).chars().count() <= max + 2 || line.len() <= max);
        }
    }
}
