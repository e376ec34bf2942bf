//! What the lines of a unified diff are, told one after another.

use analects_text::patch;

/// How many lines of a hunk are still to come. Only there are signs the signs of a diff: a list in Markdown has them too,
/// and a line that was `-- x` would pass for the name of a file.
#[derive(Debug, Default)]
pub(super) struct Hunk {
    n_old: usize,
    n_new: usize,
}

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Before, between and after hunks: names of files, or no diff at all.
    Outside,
    /// The first line of a hunk, which says where it stands.
    Head,
    Added,
    Removed,
    Kept,
    /// "\ No newline at end of file": no line of either side.
    Note,
}

impl Hunk {
    /// What the next line is.
    pub(super) fn next(&mut self, line: &str) -> Line {
        if self.n_old == 0 && self.n_new == 0 {
            let Some((n_old, n_new)) = patch::hunk_counts(line) else {
                return Line::Outside;
            };
            *self = Self { n_old, n_new };
            return Line::Head;
        }
        let (kind, n_old, n_new) = match line.as_bytes().first() {
            Some(b'+') => (Line::Added, 0, 1),
            Some(b'-') => (Line::Removed, 1, 0),
            Some(b'\\') => (Line::Note, 0, 0),
            _ => (Line::Kept, 1, 1),
        };
        self.n_old = self.n_old.saturating_sub(n_old);
        self.n_new = self.n_new.saturating_sub(n_new);
        kind
    }
}
