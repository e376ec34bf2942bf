//! Guesses how an unfinished block will look, so that it need not be redrawn a moment later.
//!
//! Only a guess: once a block is over, it is painted as it really is.

use std::borrow::Cow;

/// A last line that is longer than this has begun to say something.
const MAX_MARKS: usize = 8;

/// `text` as it will most likely go on: no marks whose meaning is open, and what was begun in its last paragraph is
/// ended.
pub(super) fn completed(text: &str) -> Cow<'_, str> {
    let text = without_open_marks(text);
    let start = text.rfind("\n\n").map_or(0, |at| at + 2);
    let paragraph = text.get(start..).unwrap_or_default();
    // In code, stars and ticks are what they are; a table is painted line by line, or its columns would jump.
    if in_fence(text) {
        return Cow::Borrowed(text);
    }
    if is_table(paragraph) {
        let n_whole = text.rfind('\n').map_or(0, |at| at + 1);
        return Cow::Borrowed(text.get(..n_whole).unwrap_or_default());
    }
    let open = open_marks(paragraph);
    if open.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut words = text.trim_end_matches([' ', '\n']);
    let mut closers = open.as_slice();
    // A mark with nothing behind it is not shown yet.
    while let Some((last, before)) = closers.split_last()
        && let Some(rest) = words.strip_suffix(*last)
    {
        words = rest.trim_end_matches(' ');
        closers = before;
    }
    let mut completed = words.to_owned();
    completed.extend(closers.iter().rev().copied());
    Cow::Owned(completed)
}

/// Leaves out a last line that so far has nothing but marks: `-` may become an item, a rule, or make a heading of the
/// line above.
fn without_open_marks(text: &str) -> &str {
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default();
    let is_mark = |c: char| matches!(c, ' ' | '-' | '=' | '*' | '_' | '#' | '>' | '+' | '`' | '~');
    match line.len() <= MAX_MARKS && line.chars().all(is_mark) {
        true => text.get(..start).unwrap_or_default(),
        false => text,
    }
}

fn in_fence(text: &str) -> bool {
    let fence_of = |line: &str| {
        ["```", "~~~"]
            .into_iter()
            .find(|mark| line.starts_with(mark))
    };
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '>']);
        match fence {
            Some(mark) if line.starts_with(mark) => fence = None,
            Some(_) => {}
            None => fence = fence_of(line),
        }
    }
    fence.is_some()
}

fn is_table(paragraph: &str) -> bool {
    let mut lines = paragraph.lines();
    let has_heads = lines.next().is_some_and(|line| line.contains('|'));
    let is_rule =
        |line: &str| line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    has_heads && lines.next().is_some_and(is_rule)
}

/// The marks that begin something in `paragraph` which does not end there, outermost first.
fn open_marks(paragraph: &str) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = paragraph;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        // Only marks are counted: a run of a letter would be counted again from each of its letters.
        let n_run = match c {
            '`' | '*' => rest.len() - rest.trim_start_matches(c).len(),
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            c => c.len_utf8(),
        };
        let (run, tail) = rest.split_at(n_run);
        rest = tail;
        match c {
            '`' => match code_end(tail, n_run) {
                Some(end) => rest = tail.get(end..).unwrap_or_default(),
                None => {
                    open.push(run);
                    return open;
                }
            },
            '*' if n_run <= 2 => {
                let is_spaced = tail.starts_with([' ', '\n']);
                if open.last() == Some(&run) && !before.is_whitespace() {
                    open.pop();
                } else if !is_spaced {
                    open.push(run);
                }
            }
            _ => {}
        }
        before = c;
    }
    open
}

/// Where code ends that begins with `text`, after its closing ticks.
fn code_end(text: &str, n_ticks: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let start = rest.find('`')?;
        let run = rest.get(start..)?;
        let n_run = run.len() - run.trim_start_matches('`').len();
        at += start + n_run;
        if n_run == n_ticks {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_ended() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a **b", "a **b**"),
            ("a **b ", "a **b**"),
            ("a **", "a"),
            ("a **b\n", "a **b**"),
            ("a **b** c", "a **b** c"),
            ("a *b **c", "a *b **c***"),
            ("a `b", "a `b`"),
            ("a `b **c", "a `b **c`"),
            ("2 * 3", "2 * 3"),
            ("a \\*b", "a \\*b"),
            ("```\na **b", "```\na **b"),
        ] {
            assert_eq!(completed(text), expected);
        }
    }

    #[test]
    fn marks_wait_for_what_they_mean() {
        assert_eq!(completed("words\n-"), "words\n");
        assert_eq!(completed("words\n## "), "words\n");
        assert_eq!(completed("words\n- x"), "words\n- x");
    }

    #[test]
    fn a_table_comes_line_by_line() {
        assert_eq!(completed("a|b\n-|-\n1|2\n3|"), "a|b\n-|-\n1|2\n");
    }
}
