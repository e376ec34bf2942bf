//! A change of a text in parts, each of which may be taken or left.
//!
//! A part is made of whole lines, and an unchanged line stands between any two. So every choice of parts
//! gives a text in which each line is one of the old or of the new text: no two are ever made one.

use similar::{DiffTag, TextDiff};

use crate::hunks::Hunk;

/// More lines than this on both sides together are not compared one by one: what differs is one part.
const MAX_LINES: usize = 8_000;

/// The parts of the change from `old` to `new`, in order; none if they are the same.
#[must_use]
pub fn parts(old: &str, new: &str) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let head = shared_bytes(old.split_inclusive('\n').zip(new.split_inclusive('\n')));
    let (old_rest, new_rest) = (rest(old, head), rest(new, head));
    let backwards = old_rest.split_inclusive('\n').rev();
    let tail = shared_bytes(backwards.zip(new_rest.split_inclusive('\n').rev()));
    let cut = |text: &'_ str| text.len() - tail;
    let (was, is) = (
        old_rest.get(..cut(old_rest)).unwrap_or_default(),
        new_rest.get(..cut(new_rest)).unwrap_or_default(),
    );
    let whole = Hunk {
        old: 0..was.len(),
        new: 0..is.len(),
    };
    let n_lines = was.split_inclusive('\n').count() + is.split_inclusive('\n').count();
    let parts = match n_lines > MAX_LINES {
        true => vec![whole],
        false => compared(was, is),
    };
    let shift = |part: Hunk| Hunk {
        old: part.old.start + head..part.old.end + head,
        new: part.new.start + head..part.new.end + head,
    };
    parts.into_iter().map(shift).collect()
}

/// `old` with those of its `parts` changed that `is_taken` says: by their places in the list.
#[must_use]
pub fn with(old: &str, new: &str, parts: &[Hunk], is_taken: impl Fn(usize) -> bool) -> String {
    let mut made = String::with_capacity(old.len().max(new.len()));
    let mut from = 0;
    for (index, part) in parts.iter().enumerate() {
        if !is_taken(index) {
            continue;
        }
        made.push_str(old.get(from..part.old.start).unwrap_or_default());
        made.push_str(new.get(part.new.clone()).unwrap_or_default());
        from = part.old.end;
    }
    made.push_str(rest(old, from));
    made
}

/// What differs, line by line; what changes side by side is one part.
fn compared(old: &str, new: &str) -> Vec<Hunk> {
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let (old_lines, new_lines) = (lines(old), lines(new));
    let diff = TextDiff::from_slices(&old_lines, &new_lines);
    let (mut old_at, mut new_at) = (0, 0);
    let mut parts: Vec<Hunk> = Vec::new();
    for op in diff.ops() {
        let n_bytes = |lines: &[&str], range| -> usize {
            let lines: &[&str] = lines
                .get::<std::ops::Range<usize>>(range)
                .unwrap_or_default();
            lines.iter().map(|line| line.len()).sum()
        };
        let old_end = old_at + n_bytes(&old_lines, op.old_range());
        let new_end = new_at + n_bytes(&new_lines, op.new_range());
        if op.tag() != DiffTag::Equal {
            match parts.last_mut() {
                Some(last) if last.old.end == old_at && last.new.end == new_at => {
                    (last.old.end, last.new.end) = (old_end, new_end);
                }
                _ => parts.push(Hunk {
                    old: old_at..old_end,
                    new: new_at..new_end,
                }),
            }
        }
        (old_at, new_at) = (old_end, new_end);
    }
    parts
}

/// How many bytes the lines have that are the same from the start on.
fn shared_bytes<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> usize {
    let same = pairs.take_while(|(old, new)| old == new);
    same.map(|(line, _)| line.len()).sum()
}

fn rest(text: &str, from: usize) -> &str {
    text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_part_is_taken_or_left_by_itself() {
        let old = "a\nb\nc\nd\ne";
        let new = "a\nB\nc\nd\ne\nf\n";
        let parts = parts(old, new);
        assert_eq!(parts.len(), 2);
        assert_eq!(with(old, new, &parts, |part| part == 0), "a\nB\nc\nd\ne");
        assert_eq!(
            with(old, new, &parts, |part| part == 1),
            "a\nb\nc\nd\ne\nf\n"
        );
    }

    #[test]
    fn what_changes_side_by_side_is_one_part() {
        let (old, new) = ("a\nb", "b\nc");
        let parts = parts(old, new);
        let made: Vec<_> = (0..parts.len())
            .map(|one| with(old, new, &parts, |part| part == one))
            .collect();
        // The last line of one side never runs into a line of the other.
        assert!(
            made.iter()
                .all(|text| !text.contains("bb") && !text.contains("bc")),
            "{made:?}"
        );
    }

    #[test]
    fn texts_that_have_nothing_in_common_are_compared_in_bounded_time() {
        let side = |sign: char| -> String { (0..5_000).map(|n| format!("{sign}{n}\n")).collect() };
        let (old, new) = (side('a'), side('b'));
        let parts = parts(&old, &new);
        assert_eq!(parts.len(), 1);
        assert_eq!(with(&old, &new, &parts, |_| true), new);
    }

    proptest! {
        #[test]
        fn all_parts_make_the_new_text_and_none_the_old(
            old in "([abc]\r?\n|é){0,10}[ab]{0,1}", new in "([abc]\r?\n|é){0,10}[ab]{0,1}"
        ) {
            let parts = parts(&old, &new);
            prop_assert_eq!(with(&old, &new, &parts, |_| true), new.clone());
            prop_assert_eq!(with(&old, &new, &parts, |_| false), old.clone());
            prop_assert_eq!(parts.is_empty(), old == new);
        }

        #[test]
        fn any_choice_is_made_of_whole_lines_of_either_text(
            old in "([abc]\r?\n){0,10}[ab]{0,1}", new in "([abc]\r?\n){0,10}[ab]{0,1}", picks: u16
        ) {
            let parts = parts(&old, &new);
            let made = with(&old, &new, &parts, |part| picks >> (part % 16) & 1 == 1);
            let lines: Vec<_> = old.split_inclusive('\n').chain(new.split_inclusive('\n')).collect();
            let n_lines = made.split_inclusive('\n').count();
            for (index, line) in made.split_inclusive('\n').enumerate() {
                prop_assert!(lines.contains(&line), "{:?} in {:?}", line, made);
                prop_assert!(line.ends_with('\n') || index + 1 == n_lines);
            }
            // What is left can still be taken later: the rest of the way leads to the new text.
            let rest = super::parts(&made, &new);
            prop_assert_eq!(with(&made, &new, &rest, |_| true), new);
        }
    }
}
