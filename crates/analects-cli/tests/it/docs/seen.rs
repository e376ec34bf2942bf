//! What a page shows, compared with what is seen: a row `...` stands for any rows, `[..]` for any letters in a row.

/// Whether what is seen is what is shown; else the first row that is not found.
pub(crate) fn compare(shown: &str, seen: &str) -> Result<(), String> {
    let shown: Vec<_> = rows(shown);
    let seen: Vec<_> = rows(seen);
    match matches(&shown, &seen) {
        true => Ok(()),
        false => {
            let reached = (0..=shown.len()).rev().find(|&n| {
                matches(
                    &[shown.get(..n).unwrap_or_default(), &["..."]].concat(),
                    &seen,
                )
            });
            let row = shown.get(reached.unwrap_or(0)).unwrap_or(&"the end");
            Err(format!("not seen: `{row}`"))
        }
    }
}

/// Without blanks at the ends of rows, and without empty rows at both ends.
fn rows(text: &str) -> Vec<&str> {
    let text = text.trim_end().trim_start_matches('\n');
    text.lines().map(str::trim_end).collect()
}

fn matches(shown: &[&str], seen: &[&str]) -> bool {
    match shown.split_first() {
        None => seen.is_empty(),
        Some((&"...", rest)) => {
            (0..=seen.len()).any(|n| matches(rest, seen.get(n..).unwrap_or_default()))
        }
        Some((row, rest)) => seen
            .split_first()
            .is_some_and(|(first, others)| is_row(row, first) && matches(rest, others)),
    }
}

fn is_row(shown: &str, seen: &str) -> bool {
    let Some((before, after)) = shown.split_once("[..]") else {
        return shown == seen;
    };
    let Some(rest) = seen.strip_prefix(before) else {
        return false;
    };
    let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    ends.into_iter()
        .any(|at| is_row(after, rest.get(at..).unwrap_or_default()))
}

#[test]
fn rows_and_letters_can_be_left_out_and_nothing_else() {
    let is = |shown: &str, seen: &str| compare(shown, seen).is_ok();
    assert!(is("a\nb\n", "a\nb"));
    assert!(is("a [..] c\n...\nd", "a b c\nx\ny\nd\n"));
    assert!(is("...\nd\n...", "x\nd\ny\n"));
    assert!(is("[..]a[..]", "bab"));
    assert!(!is("a", "a\nb"));
    assert!(!is("a [..] c", "a b d"));
    assert!(!is("...\nd", "x\ny"));
    assert_eq!(
        compare("a\nb\nc", "a\nx\nc"),
        Err("not seen: `b`".to_owned())
    );
}
