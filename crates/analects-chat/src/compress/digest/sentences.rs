//! Takes a text apart into sentences, in any of our languages.

use analects_text::trim::trim;

/// The sentences of a text, in order, trimmed; a line end ends one, too.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(of_line)
        .map(trim)
        .filter(|sentence| !sentence.is_empty())
}

fn of_line(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sentence, after) = rest.split_at(end(rest));
        rest = after;
        Some(sentence)
    })
}

/// Where the first sentence of a line ends.
fn end(line: &str) -> usize {
    let mut chars = line.char_indices().peekable();
    let mut is_code = false;
    while let Some((at, c)) = chars.next() {
        is_code ^= c == '`';
        let after = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' => next.is_none_or(char::is_whitespace) && at > 2,
            _ => false,
        };
        if ends && !is_code {
            return after;
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_says() {
        let text = "Use v1.2.3 of a.rs. Then stop! `a. b` stays\n- 第一句。第二句？好";
        let found: Vec<_> = sentences(text).collect();
        assert_eq!(
            found,
            [
                "Use v1.2.3 of a.rs.",
                "Then stop!",
                "`a. b` stays",
                "- 第一句。",
                "第二句？",
                "好"
            ]
        );
    }
}
