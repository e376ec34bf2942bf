//! Errors and warnings that an answer quotes.

use std::collections::HashSet;

/// A part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// All of it.
    pub(super) text: &'a str,
    /// What stands between the tags, if it is quoted.
    inner: Option<&'a str>,
}

impl Piece<'_> {
    pub(super) fn is_quoted(&self) -> bool {
        self.inner.is_some()
    }
}

const TAGS: [[&str; 2]; 2] = [["<error>", "</error>"], ["<warning>", "</warning>"]];
/// Quoted lines that are only parts of printed ones; each is searched for in the whole output.
const MAX_PARTS: usize = 32;

/// An answer in its pieces; `None` if a quotation has no beginning or no end.
pub(super) fn pieces(answer: &str) -> Option<Vec<Piece<'_>>> {
    let mut pieces = Vec::new();
    let mut rest = answer;
    loop {
        let opening = rest.match_indices('<').find_map(|(at, _)| {
            let from = rest.get(at..)?;
            let tags = TAGS.iter().find(|[open, _]| from.starts_with(open))?;
            Some((at, tags))
        });
        let (start, [open, close]) = opening.unwrap_or((rest.len(), &TAGS[0]));
        let (prose, from) = rest.split_at_checked(start)?;
        if TAGS.iter().any(|[_, close]| prose.contains(close)) {
            return None;
        }
        if !prose.is_empty() {
            pieces.push(Piece {
                text: prose,
                inner: None,
            });
        }
        let Some(inside) = from.strip_prefix(open) else {
            return Some(pieces);
        };
        let (inner, after) = inside.split_once(close)?;
        let text = from.get(..from.len() - after.len())?;
        pieces.push(Piece {
            text,
            inner: Some(inner),
        });
        rest = after;
    }
}

/// Whether every quoted line was printed.
pub(super) fn were_printed(pieces: &[Piece<'_>], output: &str) -> bool {
    let quoted = pieces.iter().filter_map(|piece| piece.inner);
    let lines = quoted.flat_map(str::lines).map(str::trim);
    let is_gap = |line: &str| line.chars().all(|c| matches!(c, '.' | '…'));
    let mut missing: HashSet<&str> = lines.filter(|line| !is_gap(line)).collect();
    for line in output.lines() {
        if missing.is_empty() {
            return true;
        }
        missing.remove(line.trim());
    }
    missing.len() <= MAX_PARTS && missing.iter().all(|line| output.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: Option<&[(&str, bool)]>) {
        let pieces = pieces(answer);
        let shown = pieces.map(|pieces| {
            let shown = pieces.iter().map(|piece| (piece.text, piece.is_quoted()));
            shown.collect::<Vec<_>>()
        });
        assert_eq!(shown.as_deref(), expected, "{answer}");
    }

    #[test]
    fn quotations_are_told_from_prose() {
        check("a", Some(&[("a", false)]));
        check(
            "a<warning>w</warning><error>e\n</error>b",
            Some(&[
                ("a", false),
                ("<warning>w</warning>", true),
                ("<error>e\n</error>", true),
                ("b", false),
            ]),
        );
        check(
            "<error><warning></error>",
            Some(&[("<error><warning></error>", true)]),
        );
        for broken in [
            "<error>e",
            "e</error>",
            "<error>e</warning>",
            "<error>e</error></error>",
        ] {
            check(broken, None);
        }
    }

    #[test]
    fn a_quotation_is_of_printed_lines_or_parts_of_them() {
        let is_true = |answer| were_printed(&pieces(answer).unwrap(), "  at a\nerror: boom\n");
        assert!(is_true("<error>error: boom\n...\nat a</error>"));
        assert!(is_true("<error>boom</error>"));
        assert!(!is_true("<error>error: bang</error>"));
    }
}
