//! The mark behind an entry that names what is gone: ` (stale: src/old.rs is gone)`.
//!
//! It stands at the end of what an item says, and goes when what it names is there again, or is named no more.

use std::ops::Range;

const OPEN: &str = " (stale: ";
const CLOSES: [&str; 2] = [" is gone)", " are gone)"];

/// More names than this are counted.
const MAX_NAMES: usize = 3;

/// The mark for these names; empty if there are none.
pub(super) fn of(names: &[String]) -> String {
    let listed = names.get(..MAX_NAMES).unwrap_or(names).join(", ");
    match names.len() {
        0 => String::new(),
        1 => format!("{OPEN}{listed}{}", CLOSES[0]),
        n if n > MAX_NAMES => format!("{OPEN}{listed} and {} more{}", n - MAX_NAMES, CLOSES[1]),
        _ => format!("{OPEN}{listed}{}", CLOSES[1]),
    }
}

/// Whether a name can stand in a mark that is recognised again.
pub(super) fn can_hold(name: &str) -> bool {
    const MAX_BYTES: usize = 120;
    let is_odd = |c: char| c.is_control() || matches!(c, '(' | ')' | ',' | '<' | '>' | '`');
    !name.trim().is_empty() && name.len() <= MAX_BYTES && !name.contains(is_odd)
}

/// The mark at the end of a text, blanks behind it aside.
pub(super) fn at_end(text: &str) -> Option<Range<usize>> {
    let said = text.trim_end();
    let open = said.rfind(OPEN)?;
    is_mark(said.get(open..)?).then_some(open..said.len())
}

/// A text without any marks.
pub(super) fn without(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find(OPEN) {
        let (before, from) = rest.split_at_checked(open).unwrap_or((rest, ""));
        let end = from.find(')').map_or(from.len(), |at| at + 1);
        let (mark, after) = from.split_at_checked(end).unwrap_or((from, ""));
        bare.push_str(before);
        match is_mark(mark) {
            true => rest = after,
            false => {
                let (open, after) = from.split_at_checked(OPEN.len()).unwrap_or((from, ""));
                bare.push_str(open);
                rest = after;
            }
        }
    }
    bare.push_str(rest);
    bare
}

fn is_mark(text: &str) -> bool {
    let inside = text.strip_prefix(OPEN);
    let names =
        inside.and_then(|inside| CLOSES.iter().find_map(|close| inside.strip_suffix(close)));
    names.is_some_and(|names| !names.is_empty() && !names.contains(['(', ')', '\n', '\r']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_recognised_and_nothing_else_is() {
        let names = ["src/a.rs", "npm run lint", "b.md", "c.md", "d.md"].map(str::to_owned);
        for n in 1..=5 {
            let mark = of(names.get(..n).unwrap());
            let text = format!("Start there.{mark}  ");
            assert_eq!(at_end(&text), Some(12..12 + mark.len()), "{mark}");
            assert_eq!(without(&format!("a{mark} b{mark}")), "a b");
        }
        assert_eq!(of(&["x".to_owned()]), " (stale: x is gone)");
        assert_eq!(of(&[]), "");
        for text in [
            "a (stale: see below)",
            "a (stale:  is gone",
            "a(stale: b is gone)",
            "a (stale: (b) is gone)",
        ] {
            assert_eq!(at_end(text), None, "{text}");
            assert_eq!(without(text), text);
        }
        assert!(can_hold("npm run x") && !can_hold("a (b)") && !can_hold(" "));
    }
}
