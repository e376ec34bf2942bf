//! A patch of several files, taken apart: which file each part changes, and what it says.

use std::fmt;

use diffy::{Line, Patch};

/// A hunk that has moved is sought at every line. More comparisons than these take longer than anybody waits.
const MAX_STEPS: usize = 50_000_000;

/// The part of a patch that changes one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePatch<'a> {
    /// What the old side is called; `/dev/null` if the file is new.
    pub old_name: &'a str,
    /// What the new side is called.
    pub new_name: &'a str,
    /// All of it, with whatever stands before its header.
    pub text: &'a str,
    /// Its header and its hunks alone.
    body: &'a str,
}

/// A patch is no unified diff, or was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// The line.
    pub line: usize,
}

/// The parts of a patch, in order. Together they are the patch, but for what stands after the last one.
///
/// Hunks are counted: what looks like a header inside one is none.
pub fn files(patch: &str) -> Result<Vec<FilePatch<'_>>, Malformed> {
    let mut lines = Lines::new(patch);
    let mut files = Vec::new();
    let mut start = 0;
    while let Some(header) = lines.seek(|line| line.starts_with("--- ")) {
        let old_name = name(lines.next_line(), "--- ").unwrap_or_default();
        let malformed = |lines: &Lines<'_>| Malformed {
            line: lines.line_idx + 1,
        };
        let new_name = name(lines.peek().unwrap_or_default(), "+++ ");
        let new_name = new_name.ok_or_else(|| malformed(&lines))?;
        lines.next_line();
        let mut n_hunks = 0;
        while let Some((n_old, n_new)) = lines.peek().and_then(hunk_counts) {
            lines.next_line();
            hunk(&mut lines, n_old, n_new).ok_or_else(|| malformed(&lines))?;
            n_hunks += 1;
        }
        if n_hunks == 0 {
            return Err(malformed(&lines));
        }
        files.push(FilePatch {
            old_name,
            new_name,
            text: patch.get(start..lines.at).unwrap_or_default(),
            body: patch.get(header..lines.at).unwrap_or_default(),
        });
        start = lines.at;
    }
    Ok(files)
}

/// How many lines a hunk has on either side, as its first line says (`@@ -1,2 +1,3 @@`): one, where that says nothing.
#[must_use]
pub fn hunk_counts(line: &str) -> Option<(usize, usize)> {
    let (spans, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = spans.split_once(" +")?;
    let count = |span: &str| match span.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(old)?, count(new)?))
}

impl FilePatch<'_> {
    /// What becomes of `old`; `None` if it is not the text that the patch was made for. Lines before a change
    /// may have come or gone, but not the lines around it.
    ///
    /// Where both are so long that a hunk could be sought for minutes, every hunk must stand where it says. A line
    /// that the patch says to be the last, and that is not, is ended as the lines of `old` are.
    #[must_use]
    pub fn apply(&self, old: &str) -> Option<String> {
        let patch = Patch::from_str(self.body).ok()?;
        let lines: Vec<_> = old.split_inclusive('\n').collect();
        let n_lines = self.body.split_inclusive('\n').count();
        let is_sought = || n_lines.saturating_mul(lines.len()) <= MAX_STEPS;
        let new =
            in_place(&patch, &lines).or_else(|| is_sought().then(|| moved(&patch, &lines))?);
        Some(joined(&new?, old))
    }

    /// What stands before its header: notes, or what tools write there.
    #[must_use]
    pub fn preamble(&self) -> &str {
        self.text.strip_suffix(self.body).unwrap_or_default()
    }

    /// How many lines it adds, and how many it takes away.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let signs = self
            .body
            .lines()
            .skip(2)
            .map(|line| line.as_bytes().first());
        signs.fold((0, 0), |(new, old), sign| match sign {
            Some(b'+') => (new + 1, old),
            Some(b'-') => (new, old + 1),
            _ => (new, old),
        })
    }

    /// The lines that it adds.
    pub fn added(&self) -> impl Iterator<Item = &str> {
        let lines = self.body.lines().skip(2);
        lines.filter_map(|line| line.strip_prefix('+'))
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} makes no sense in a unified diff", self.line)
    }
}

/// What becomes of lines that stand where the hunks say; `None` if one of them does not.
fn in_place<'a>(patch: &'a Patch<'a, str>, old: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut lines = old.iter().copied();
    let mut new = Vec::with_capacity(old.len());
    let mut n_passed = 0;
    for hunk in patch.hunks() {
        let range = hunk.old_range();
        // A hunk without old lines stands after the line that it names, any other begins with it.
        let start = range.start().saturating_sub(usize::from(!range.is_empty()));
        for _ in n_passed..start {
            new.push(lines.next()?);
        }
        n_passed = n_passed.max(start);
        for line in hunk.lines() {
            let (Line::Context(text) | Line::Delete(text) | Line::Insert(text)) = line;
            if !matches!(line, Line::Insert(_)) {
                lines.next().filter(|old| old == text)?;
                n_passed += 1;
            }
            if !matches!(line, Line::Delete(_)) {
                new.push(text);
            }
        }
    }
    new.extend(lines);
    Some(new)
}

/// What becomes of lines that have moved: each hunk changes those nearest to where it says, and none that another one
/// has changed. `None` if its lines are nowhere.
fn moved<'a>(patch: &'a Patch<'a, str>, old: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut lines: Vec<_> = old.iter().map(|line| (*line, Known::Old)).collect();
    for hunk in patch.hunks() {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for line in hunk.lines() {
            let (Line::Context(text) | Line::Delete(text) | Line::Insert(text)) = line;
            if !matches!(line, Line::Insert(_)) {
                before.push((*text, Known::Old));
            }
            if !matches!(line, Line::Delete(_)) {
                after.push((*text, Known::Changed));
            }
        }
        let said = hunk.new_range().start().saturating_sub(1).min(lines.len());
        let nearest = (0..=lines.len()).flat_map(|far| {
            let back = said.checked_sub(far);
            let on = (far > 0).then_some(said + far);
            back.into_iter().chain(on)
        });
        let stands = |at: &usize| lines.get(*at..*at + before.len()) == Some(before.as_slice());
        let at = nearest.into_iter().find(stands)?;
        lines.splice(at..at + before.len(), after);
    }
    Some(lines.into_iter().map(|(line, _)| line).collect())
}

/// Whether a line stands as it stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Old,
    Changed,
}

/// Lines as one text. Only the last one may lack its end: where another one does, it gets that of the old text.
fn joined(lines: &[&str], old: &str) -> String {
    let first = old.split_inclusive('\n').next().unwrap_or_default();
    let end = if first.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let mut text = String::with_capacity(lines.iter().map(|line| line.len()).sum());
    for line in lines {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(end);
        }
        text.push_str(line);
    }
    text
}

/// What a header calls a file. A time may stand behind it.
fn name<'a>(line: &'a str, sign: &str) -> Option<&'a str> {
    let name = line.strip_prefix(sign)?.trim_end_matches(['\r', '\n']);
    Some(name.split_once('\t').map_or(name, |(name, _)| name))
}

/// Walks over the lines of a hunk; `None` if they are not as many as it says.
fn hunk(lines: &mut Lines<'_>, mut n_old: usize, mut n_new: usize) -> Option<()> {
    while n_old > 0 || n_new > 0 {
        match lines.next_line().as_bytes().first()? {
            b' ' | b'\n' | b'\r' => {
                n_old = n_old.checked_sub(1)?;
                n_new = n_new.checked_sub(1)?;
            }
            b'-' => n_old = n_old.checked_sub(1)?,
            b'+' => n_new = n_new.checked_sub(1)?,
            b'\\' => {}
            _ => return None,
        }
    }
    if lines.peek().is_some_and(|line| line.starts_with('\\')) {
        lines.next_line();
    }
    Some(())
}

/// The lines of a patch, one after another.
struct Lines<'a> {
    text: &'a str,
    /// Where the next line begins.
    at: usize,
    line_idx: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line_idx: 0,
        }
    }

    /// The next line with its end; `None` if there is none.
    fn peek(&self) -> Option<&'a str> {
        self.text.get(self.at..)?.split_inclusive('\n').next()
    }

    /// Walks over the next line; empty at the end.
    fn next_line(&mut self) -> &'a str {
        let line = self.peek().unwrap_or_default();
        self.at += line.len();
        self.line_idx += 1;
        line
    }

    /// Walks to the next line that is wanted, and says where it begins.
    fn seek(&mut self, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
        while !is_wanted(self.peek()?) {
            self.next_line();
        }
        Some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::unified;
    use super::*;

    #[test]
    fn what_looks_like_a_header_inside_of_a_hunk_is_none() {
        let old = "-- a\n--- b\nkeep\n";
        let new = "++ c\n+++ d\nkeep\n";
        let one = unified(old, new, "/m/a.md\tCurrent", "/m/a.md");
        let two = unified("", "new\nlast", "/dev/null", "/m/b c.md");
        let patch = format!("a note\n{one}\n{two}");
        let files = files(&patch).unwrap();
        let names: Vec<_> = files
            .iter()
            .map(|file| (file.old_name, file.new_name))
            .collect();
        assert_eq!(names, [("/m/a.md", "/m/a.md"), ("/dev/null", "/m/b c.md")]);
        assert_eq!(files[0].apply(old).as_deref(), Some(new));
        assert_eq!(files[1].apply("").as_deref(), Some("new\nlast"));
        assert_eq!(files[0].apply("something else\n"), None);
        assert_eq!(files[1].added().collect::<Vec<_>>(), ["new", "last"]);
        assert_eq!([files[0].counts(), files[1].counts()], [(2, 2), (2, 0)]);
        assert_eq!(files[0].preamble(), "a note\n");
        assert_eq!(
            files.iter().map(|file| file.text).collect::<String>(),
            patch
        );
    }

    #[test]
    fn what_would_be_sought_for_minutes_must_stand_where_it_says() {
        let old = "a\n".repeat(20_000);
        let new = format!("{old}b\n");
        let body = format!("{}+b\n", " a\n".repeat(10_000));
        let at = |line: usize| format!("--- /a\n+++ /a\n@@ -{line},10000 +{line},10001 @@\n{body}");
        let (there, moved) = (at(10_001), at(10_002));
        assert_eq!(files(&there).unwrap()[0].apply(&old), Some(new));
        assert_eq!(files(&moved).unwrap()[0].apply(&old), None);
        let short = "a\n".repeat(10_001);
        let short_body = "--- /a\n+++ /a\n@@ -9,1 +9,2 @@\n a\n+b\n";
        assert!(files(short_body).unwrap()[0].apply(&short).is_some());
    }

    #[test]
    fn a_line_without_an_end_is_not_glued_to_what_follows() {
        let patch = |at: &str| {
            let hunk = format!("@@ -{at},2 +{at},3 @@\n # Notes\n - use tabs\n+- new\n");
            format!("--- /a\n+++ /a\n{hunk}\\ No newline at end of file\n")
        };
        let apply = |at: &str, old: &str| files(&patch(at)).unwrap()[0].apply(old);
        let old = "# Notes\n- use tabs\n- old\n";
        let new = "# Notes\n- use tabs\n- new\n- old\n";
        assert_eq!(apply("1", old).as_deref(), Some(new));
        // Where the lines have moved, too.
        let (moved, moved_new) = (format!("intro\n{old}"), format!("intro\n{new}"));
        assert_eq!(apply("1", &moved), Some(moved_new));
        // At the end of the file it stays as it is.
        let last = "# Notes\n- use tabs\n";
        assert_eq!(apply("1", last), Some(format!("{last}- new")));
        assert_eq!(apply("7", last), Some(format!("{last}- new")));
        let end = "--- /a\n+++ /a\n@@ -1,0 +2 @@\n+new\n";
        assert_eq!(
            files(end).unwrap()[0].apply("old"),
            Some("old\nnew\n".to_owned())
        );
        let windows = "--- /a\n+++ /a\n@@ -1 +1,2 @@\n a\r\n+new\n\\ No newline at end of file\n";
        let new = files(windows).unwrap()[0].apply("a\r\nb\r\n");
        assert_eq!(new.as_deref(), Some("a\r\nnew\r\nb\r\n"));
    }

    #[test]
    fn what_is_cut_off_or_miscounted_is_malformed() {
        let patch = unified("1\n2\n3\n", "1\ntwo\n3\n", "/a", "/a");
        assert!(files(&patch).is_ok());
        for end in ["--- /a\n".len(), patch.len() - 3] {
            assert!(files(patch.get(..end).unwrap()).is_err(), "{end}");
        }
        assert!(files(&patch.replace("-1,3", "-1,2")).is_err());
        assert!(files("--- a\n+++ b\nno hunk\n").is_err());
        assert_eq!(files("").unwrap(), []);
        assert_eq!(files("just a text\n").unwrap(), []);
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_or_malformed(patch in "(--- a\n|\\+\\+\\+ b\n|@@ -1 \\+1,2 @@\n|[-+ ]x\n|\\\\ No\n|\n|z){0,12}") {
            for file in files(&patch).unwrap_or_default() {
                let _ = file.apply("x\n");
                let _ = file.added().count();
            }
        }

        #[test]
        fn what_was_put_together_is_taken_apart(olds in prop::collection::vec("([-+ @\\\\ab]{0,3}\n){0,8}[a]{0,1}", 1..4), new in "([-+ @\\\\ab]{0,3}\n){0,8}[a]{0,1}") {
            let changed: Vec<_> = olds.iter().filter(|old| **old != new).collect();
            let patch: String = changed.iter().map(|old| unified(old, &new, "/a", "/a")).collect();
            let files = files(&patch).unwrap();
            prop_assert_eq!(files.len(), changed.len());
            for (file, old) in files.iter().zip(changed) {
                prop_assert_eq!(file.apply(old), Some(new.clone()));
            }
        }
    }
}
