//! Takes the value that follows a word such as `password:` out of code, settings or prose.

use std::ops::Range;

/// How much of a value is looked at; a real one is found out well before.
pub(super) const LOOKED_AT_BYTES: usize = 160;

/// A value and how it stood there.
pub(super) struct Value {
    pub(super) range: Range<usize>,
    /// Whether quotes enclosed it, so that it is no code.
    pub(super) is_quoted: bool,
}

impl Value {
    pub(super) fn bare(range: Range<usize>) -> Self {
        Self {
            range,
            is_quoted: false,
        }
    }
}

/// Where the last run of visible characters ended: `token=token=token=…` is one run, read once.
#[derive(Default)]
pub(super) struct Runs {
    last: Range<usize>,
}

impl Runs {
    /// The value that starts at `at`; it may be empty.
    pub(super) fn value_at(&mut self, bytes: &[u8], at: usize) -> Value {
        if !self.last.contains(&at) {
            self.last = at..run_end(bytes, at);
        }
        let end = self.last.end.max(at);
        let quote = at
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .filter(|byte| matches!(byte, b'"' | b'\''));
        let run = bytes.get(at..end).unwrap_or_default();
        let looked_at = run.get(..LOOKED_AT_BYTES).unwrap_or(run);
        if let Some(quote) = quote
            && let Some(len) = quoted_len(looked_at, *quote)
        {
            return Value {
                range: at..at + len,
                is_quoted: true,
            };
        }
        let len = cut(looked_at).unwrap_or(run.len());
        let kept = run.get(..len).unwrap_or(run);
        Value::bare(at..at + trimmed_len(kept))
    }
}

/// The end of the visible ASCII and Latin letters from `at` on: blanks and other scripts end a value.
fn run_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        match bytes.get(end..) {
            Some([b'!'..=b'~', ..]) => end += 1,
            Some([0xC3, 0x80..=0xBF, ..]) => end += 2,
            _ => return end,
        }
    }
}

/// How long the value is that the next `quote` closes; an escaped one closes it, too, as in JSON in JSON.
fn quoted_len(run: &[u8], quote: u8) -> Option<usize> {
    let len = run.iter().position(|&byte| byte == quote)?;
    match len.checked_sub(1).and_then(|last| run.get(last)) {
        Some(b'\\') => Some(len - 1),
        _ => Some(len),
    }
}

/// Where something begins that is no longer the value: a quote, a tag, an escape, the next setting.
fn cut(run: &[u8]) -> Option<usize> {
    (0..run.len()).find(|&at| match run.get(at..).unwrap_or_default() {
        [b'"' | b'\'' | b';', ..] | [b'<', b'/', ..] => true,
        [b'\\', b'n' | b'r' | b't' | b'u' | b'x' | b'"', ..] => true,
        [b'&' | b',', rest @ ..] => is_setting(rest),
        _ => false,
    })
}

/// Whether `rest` starts like `name=` or `name:`.
fn is_setting(rest: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let name = rest.iter().take_while(|byte| is_name(byte)).count();
    name > 0 && matches!(rest.get(name), Some(b'=' | b':'))
}

fn trimmed_len(value: &[u8]) -> usize {
    let is_end = |byte: &u8| matches!(byte, b'.' | b',' | b':' | b')' | b']' | b'}' | b'>' | b'\\');
    let kept = value.iter().rposition(|byte| !is_end(byte));
    kept.map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: usize, expected: &str) {
        let value = Runs::default().value_at(text.as_bytes(), at);
        assert_eq!(text.get(value.range), Some(expected), "{text}");
    }

    #[test]
    fn a_value_ends_where_the_sentence_or_the_setting_does() {
        check("pw: a1b2!, ok", 4, "a1b2!");
        check("pw: a1b2.", 4, "a1b2");
        check("pw=a&3&user=b", 3, "a&3");
        check("pw=a;Server=b", 3, "a");
        check("pw>a</pw>", 3, "a");
        check("密码是Zürich1，请", 9, "Zürich1");
        check("pw=", 3, "");
    }

    #[test]
    fn quotes_enclose_a_value_whatever_is_in_it() {
        check(r#"pw="a;b)","#, 4, "a;b)");
        check(r#"pw=\"a\","#, 5, "a");
        check(r#"pw="a b""#, 4, "a");
    }
}
