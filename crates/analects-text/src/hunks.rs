//! Where two texts differ, so that what they share need not be kept twice.

use std::ops::Range;

use similar::{DiffTag, TextDiff};

/// A place at which two texts differ: its bytes in either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// In the first text.
    pub old: Range<usize>,
    /// In the second.
    pub new: Range<usize>,
}

/// The places at which two texts differ, in order: found by lines, and within them cut down to whole
/// characters that differ.
#[must_use]
pub fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let diff = TextDiff::from_lines(old, new);
    let (old_starts, new_starts) = (
        starts(diff.iter_old_slices()),
        starts(diff.iter_new_slices()),
    );
    let bytes = |starts: &[usize], lines: Range<usize>| {
        let at = |line: usize| starts.get(line).copied().unwrap_or_default();
        at(lines.start)..at(lines.end)
    };
    let ops = diff.ops().iter();
    ops.filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| {
            let hunk = Hunk {
                old: bytes(&old_starts, op.old_range()),
                new: bytes(&new_starts, op.new_range()),
            };
            trimmed(old, new, hunk)
        })
        .collect()
}

/// Where every line begins, and where the last one ends.
fn starts<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut starts = vec![0];
    let mut end = 0;
    for line in lines {
        end += line.len();
        starts.push(end);
    }
    starts
}

/// A hunk without the characters that both sides begin and end with.
fn trimmed(old: &str, new: &str, hunk: Hunk) -> Hunk {
    let text = |text, range: &Range<usize>| str::get(text, range.clone()).unwrap_or_default();
    let (was, is) = (text(old, &hunk.old), text(new, &hunk.new));
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let head: usize = was
        .chars()
        .zip(is.chars())
        .take_while(same)
        .map(length)
        .sum();
    let tails = (
        text(was, &(head..was.len())).chars().rev(),
        text(is, &(head..is.len())).chars().rev(),
    );
    let tail: usize = tails.0.zip(tails.1).take_while(same).map(length).sum();
    Hunk {
        old: hunk.old.start + head..hunk.old.end - tail,
        new: hunk.new.start + head..hunk.new.end - tail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_both_share_is_in_no_hunk() {
        let old = "a\nsecret\nb é\nc\n";
        let new = "a,\nsecret\nb è\nc\nd\n";
        let hunk = |old, new| Hunk { old, new };
        assert_eq!(
            hunks(old, new),
            [hunk(1..1, 1..2), hunk(11..13, 12..14), hunk(16..16, 17..19)]
        );
        assert_eq!(hunks("", ""), []);
    }

    proptest! {
        #[test]
        fn one_text_can_be_made_of_the_other(old in "[ab\r\né]{0,12}", new in "[ab\r\né]{0,12}") {
            let mut made = old.clone();
            for hunk in hunks(&old, &new).into_iter().rev() {
                made.replace_range(hunk.old, new.get(hunk.new).unwrap());
            }
            prop_assert_eq!(made, new);
        }
    }
}
