//! A long text, shown by its beginning and its end.

use std::borrow::Cow;

/// `text` in at most about `max_chars` characters; what is missing is said.
pub(crate) fn excerpt(text: &str, max_chars: usize) -> Cow<'_, str> {
    let n_chars = text.chars().count();
    if n_chars <= max_chars {
        return Cow::Borrowed(text);
    }
    let tail_chars = max_chars / 4;
    let head_chars = max_chars - tail_chars;
    let at = |n: usize| (text.char_indices().nth(n)).map_or(text.len(), |(at, _)| at);
    let head = text.get(..at(head_chars)).unwrap_or_default();
    let tail = text.get(at(n_chars - tail_chars)..).unwrap_or_default();
    let n_left_out = n_chars - max_chars;
    Cow::Owned(format!(
        "{head} […{n_left_out} characters left out…] {tail}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_shown() {
        assert_eq!(excerpt("abcdefgh", 8), "abcdefgh");
        assert_eq!(
            excerpt("记住这个记住这个好", 8),
            "记住这个记住 […1 characters left out…] 个好"
        );
        assert_eq!(excerpt("abc", 0), " […3 characters left out…] ");
    }
}
