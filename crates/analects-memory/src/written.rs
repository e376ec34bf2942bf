//! Lines and columns of Markdown: where a line ends, how far it stands in, and the same lines further in or out.
//!
//! Lines end as Markdown ends them: by a line feed, a carriage return, or both.

/// Where the line begins that `at` is in.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Where the line after the one that `at` is in begins, or the text ends.
pub(crate) fn line_after(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let Some(end) = rest.find(['\n', '\r']) else {
        return text.len();
    };
    let line_end = match rest.get(end..).is_some_and(|rest| rest.starts_with("\r\n")) {
        true => 2,
        false => 1,
    };
    at + end + line_end
}

/// The lines of a text without their ends.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split('\n');
    lines.flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// How many columns a text takes from the beginning of a line.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().fold(0, after)
}

/// The column after a character that stands in this one.
fn after(column: usize, c: char) -> usize {
    match c {
        '\t' => (column / TAB + 1) * TAB,
        _ => column + 1,
    }
}

/// Markdown's tabs stop at every fourth column.
const TAB: usize = 4;

/// The lines after the first, as far in as `n_columns`; those that say nothing stay empty.
pub(crate) fn indented(text: &str, n_columns: usize, line_end: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for (at, line) in lines(text).enumerate() {
        if at > 0 {
            all.push_str(line_end);
            if !line.trim().is_empty() {
                all.extend(std::iter::repeat_n(' ', n_columns));
            }
        }
        all.push_str(line);
    }
    all
}

/// The lines after the first, without as many columns of blanks as they have of `n_columns`.
pub(crate) fn outdented(text: &str, n_columns: usize) -> String {
    let mut all = String::with_capacity(text.len());
    for (at, line) in lines(text).enumerate() {
        match at {
            0 => all.push_str(line),
            _ => {
                all.push('\n');
                outdent(&mut all, line, n_columns);
            }
        }
    }
    all
}

fn outdent(all: &mut String, line: &str, n_columns: usize) {
    let mut column = 0;
    let mut chars = line.chars();
    while column < n_columns {
        let mut ahead = chars.clone();
        match ahead.next() {
            Some(c @ (' ' | '\t')) => column = after(column, c),
            _ => break,
        }
        chars = ahead;
    }
    // A tab may reach further than what is taken away.
    all.extend(std::iter::repeat_n(' ', column.saturating_sub(n_columns)));
    all.push_str(chars.as_str());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let text = "a\r\nb\rc\nd";
        let starts: Vec<_> = (0..text.len()).map(|at| line_start(text, at)).collect();
        assert_eq!(starts, [0, 0, 2, 3, 3, 5, 5, 7]);
        assert_eq!([0, 3, 5, 7].map(|at| line_after(text, at)), [3, 5, 7, 8]);
        assert!(lines(text).eq(["a", "b", "c", "d"]));
    }

    #[test]
    fn lines_go_in_and_out() {
        let text = "a\n- b\n\n  c";
        assert_eq!(indented(text, 2, "\r\n"), "a\r\n  - b\r\n\r\n    c");
        assert_eq!(
            outdented("a\r\n   - b\n\n     c\nlazy", 3),
            "a\n- b\n\n  c\nlazy"
        );
        assert_eq!(outdented("a\n\tb", 2), "a\n  b");
    }
}
