//! What changed between texts, as people read it, and two changes of one text made into one.

mod file;

use similar::{ChangeTag, TextDiff};

pub use file::{FilePatch, Malformed, files, hunk_counts};

/// How many unchanged lines stand around a change.
const CONTEXT_LINES: usize = 3;

/// A unified diff from `old` to `new`; empty if they are the same.
///
/// `old_name` and `new_name` label the two sides, as in `--- a.md` and `+++ b.md`. What the texts share
/// before and after the first and the last change costs next to nothing, so a small change to a large text
/// is shown as fast as any.
#[must_use]
pub fn unified(old: &str, new: &str, old_name: &str, new_name: &str) -> String {
    if old == new {
        return String::new();
    }
    let window = Window::around_changes(old, new);
    // By line feeds alone: a carriage return inside a line ends none in a diff.
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let (old_lines, new_lines) = (lines(window.old), lines(window.new));
    let diff = TextDiff::from_slices(&old_lines, &new_lines);
    let mut shown = format!("--- {old_name}\n+++ {new_name}\n");
    for group in diff.grouped_ops(CONTEXT_LINES) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let span = |from: std::ops::Range<usize>, to: std::ops::Range<usize>| {
            let start = from.start + window.n_lines_before;
            match to.end - from.start {
                0 => format!("{start},0"),
                1 => format!("{}", start + 1),
                n_lines => format!("{},{n_lines}", start + 1),
            }
        };
        let old_span = span(first.old_range(), last.old_range());
        let new_span = span(first.new_range(), last.new_range());
        shown.push_str(&["@@ -", &old_span, " +", &new_span, " @@\n"].concat());
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => " ",
                ChangeTag::Delete => "-",
                ChangeTag::Insert => "+",
            };
            shown.push_str(sign);
            shown.push_str(change.value());
            if !change.value().ends_with('\n') {
                shown.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    shown
}

/// More lines than these in three texts together are not merged line by line.
const MAX_MERGED_LINES: usize = 24_000;

/// Both changes of `base`; where they meet, an error with both versions between markers.
///
/// Changes of texts that differ in very many lines always meet: to find out more would take too long.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Result<String, String> {
    if ours == theirs || theirs == base {
        return Ok(ours.to_owned());
    }
    if ours == base {
        return Ok(theirs.to_owned());
    }
    let n_lines = |texts: [&str; 3]| -> usize {
        let texts = texts.iter();
        texts.map(|text| text.split_inclusive('\n').count()).sum()
    };
    if n_lines([base, ours, theirs]) <= MAX_MERGED_LINES {
        return diffy::merge(base, ours, theirs);
    }
    let all = [base, ours, theirs];
    let head = shared(all.map(|text| text.split_inclusive('\n')));
    let rests = all.map(|text| text.get(head..).unwrap_or_default());
    let tail = shared(rests.map(lines_backwards));
    let middles = rests.map(|text| text.get(..text.len() - tail).unwrap_or_default());
    let whole = |middle: String| {
        let end = base.get(base.len() - tail..).unwrap_or_default();
        [base.get(..head).unwrap_or_default(), &middle, end].concat()
    };
    let [base, ours, theirs] = middles;
    if n_lines(middles) <= MAX_MERGED_LINES {
        let merged = diffy::merge(base, ours, theirs);
        return merged.map(whole).map_err(whole);
    }
    let ended = |text: &str| match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => format!("{text}\n"),
    };
    let (base, ours, theirs) = (ended(base), ended(ours), ended(theirs));
    Err(whole(format!(
        "<<<<<<< ours\n{ours}||||||| original\n{base}=======\n{theirs}>>>>>>> theirs\n"
    )))
}

/// How many bytes the lines have that three texts begin with.
fn shared<'a>([mut one, mut two, mut three]: [impl Iterator<Item = &'a str>; 3]) -> usize {
    let same = std::iter::from_fn(|| {
        let line = one.next()?;
        (two.next()? == line && three.next()? == line).then_some(line.len())
    });
    same.sum()
}

/// The lines of two texts that differ, with enough around them for the context of a diff.
struct Window<'a> {
    old: &'a str,
    new: &'a str,
    n_lines_before: usize,
}

impl<'a> Window<'a> {
    fn around_changes(old: &'a str, new: &'a str) -> Self {
        let pairs = old
            .split_inclusive('\n')
            .zip(new.split_inclusive('\n'))
            .take_while(|(old, new)| old == new);
        let lens: Vec<_> = pairs.map(|(line, _)| line.len()).collect();
        let n_lines_before = lens.len().saturating_sub(CONTEXT_LINES);
        let start = lens.iter().take(n_lines_before).sum::<usize>();
        let old = old.get(start..).unwrap_or(old);
        let new = new.get(start..).unwrap_or(new);
        let pairs = lines_backwards(old)
            .zip(lines_backwards(new))
            .take_while(|(old, new)| old == new);
        let lens: Vec<_> = pairs.map(|(line, _)| line.len()).collect();
        // The lines kept before the change may look like those after it: never cut below them.
        let n_kept = 2 * CONTEXT_LINES;
        let tail = lens.iter().rev().skip(n_kept).sum::<usize>();
        let cut = |text: &'a str| text.get(..text.len() - tail).unwrap_or(text);
        Self {
            old: cut(old),
            new: cut(new),
            n_lines_before,
        }
    }
}

fn lines_backwards(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').rev()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn a_change_shows_with_three_lines_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8";
        expect![[r#"
            --- Current
            +++ Proposed
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
            -8
            +8
            \ No newline at end of file
        "#]]
        .assert_eq(&unified(old, new, "Current", "Proposed"));
        assert_eq!(unified("a", "a", "x", "y"), "");
    }

    #[test]
    fn very_long_texts_are_merged_where_they_differ_in_a_few_lines() {
        let frame = "same\n".repeat(20_000);
        let text = |middle: &str| format!("{frame}{middle}{frame}");
        let base = text("1\n2\n3\n4\n5\n6\n7\n");
        let ours = text("one\n2\n3\n4\n5\n6\n7\n");
        let theirs = text("1\n2\n3\n4\n5\n6\nseven\n");
        assert_eq!(
            merge(&base, &ours, &theirs),
            Ok(text("one\n2\n3\n4\n5\n6\nseven\n"))
        );
        let other = text(&"other\n".repeat(30_000));
        let both = merge(&base, &ours, &other).unwrap_err();
        assert!(both.starts_with(&frame) && both.ends_with(&frame));
        assert!(both.contains("<<<<<<< ours\none\n2\n") && both.contains("=======\nother\n"));
    }

    #[test]
    fn a_carriage_return_ends_no_line_of_a_diff() {
        let (old, new) = ("one\r\ntwo\rthree", "one\r2");
        expect![[r#"
            --- a
            +++ b
            @@ -1,2 +1 @@
            -one␍
            -two␍three
            \ No newline at end of file
            +one␍2
            \ No newline at end of file
        "#]]
        .assert_eq(&unified(old, new, "a", "b").replace('\r', "␍"));
        let patch = unified(old, new, "a", "b");
        assert_eq!(files(&patch).unwrap()[0].apply(old).as_deref(), Some(new));
    }

    #[test]
    fn two_changes_of_one_text_become_one_or_are_both_shown() {
        let base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let ours = base.replace('2', "two");
        let theirs = base.replace('8', "eight");
        assert_eq!(
            merge(base, &ours, &theirs).as_deref(),
            Ok("1\ntwo\n3\n4\n5\n6\n7\neight\n9\n")
        );
        let both = merge(base, &ours, &base.replace('2', "zwei")).unwrap_err();
        assert!(both.contains("two") && both.contains("zwei"), "{both}");
    }

    proptest! {
        #[test]
        fn a_diff_is_the_one_of_the_whole_texts(
            old in "([abc]\n|\r\n|a\r){0,30}[ab]{0,1}", new in "([abc]\n|\r\n|a\r){0,30}[ab]{0,1}", shared in 0usize..40
        ) {
            let frame = "same\n".repeat(shared);
            let (old, new) = (format!("{frame}{old}{frame}"), format!("{frame}{new}{frame}"));
            let diff = unified(&old, &new, "a", "b");
            let patch = diffy::Patch::from_str(&diff).unwrap();
            prop_assert_eq!(diffy::apply(&old, &patch).unwrap(), new);
        }
    }
}
