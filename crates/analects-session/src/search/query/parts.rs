//! Finds quotation marks and minus signs in a question.

/// A part of a question.
pub(super) enum Part<'a> {
    /// Wishes.
    Plain(&'a str),
    /// What must be there.
    Phrase(&'a str),
    /// What must not.
    Without(&'a str),
}

/// The parts of a question, in order.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut is_start = true;
    while let Some(c) = rest.chars().next() {
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        if let Some((quoted, after)) = quoted(c, behind) {
            parts.push(Part::Phrase(quoted));
            rest = after;
        } else if c == '-' && is_start {
            let first = behind.chars().next().unwrap_or(' ');
            let inner = behind.get(first.len_utf8()..).unwrap_or_default();
            if let Some((quoted, after)) = quoted(first, inner) {
                parts.push(Part::Without(quoted));
                rest = after;
            } else {
                let (word, after) = split_at_blank(behind);
                // `--flag` is a name, not a wish.
                parts.push(match word.chars().next() {
                    Some(c) if c.is_alphanumeric() => Part::Without(word),
                    _ => Part::Plain(word),
                });
                rest = after;
            }
        } else {
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(_, next)| next.is_whitespace() || "\"“「".contains(*next));
            let (plain, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
            parts.push(Part::Plain(plain));
            rest = after;
        }
        is_start = rest.starts_with(char::is_whitespace);
        rest = rest.trim_start();
    }
    parts
}

/// What stands in quotation marks, if `open` opens them, and what stands behind.
fn quoted(open: char, text: &str) -> Option<(&str, &str)> {
    let close = match open {
        '"' => '"',
        '“' => '”',
        '「' => '」',
        _ => return None,
    };
    text.split_once(close)
}

fn split_at_blank(text: &str) -> (&str, &str) {
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}
