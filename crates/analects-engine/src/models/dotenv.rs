//! `.env` files, as the library reads them that Gemini CLI uses: neither a shell nor the crates of that name read them
//! the same way.
//!
//! `NAME=value` or `NAME: value`, with or without `export`; quotes of three sorts, in which a value may have many
//! lines; `\n` and `\r` count between double quotes; a comment begins with `#`. Nothing is expanded.

use analects_text::decode::without_mark;

/// The value that a name was given last; `None` if it was given none.
pub(super) fn value(text: &str, wanted: &str) -> Option<String> {
    let text = without_mark(text);
    let mut found = None;
    let mut rest = text;
    while !rest.is_empty() {
        let (name, value, after) = assignment(rest);
        if name == Some(wanted) {
            found = Some(value);
        }
        rest = after;
    }
    found
}

/// The name and the value of the first line, and what comes after it.
fn assignment(text: &str) -> (Option<&str>, String, &str) {
    let (line, after) = split_line(text);
    let Some((name, value)) = name(line) else {
        return (None, String::new(), after);
    };
    let value = value.trim_start();
    if let Some(quote) = value
        .chars()
        .next()
        .filter(|c| matches!(c, '\'' | '"' | '`'))
    {
        // Quotes may hold line breaks, so they are closed in the text, not in the line. One that nobody closes is
        // looked for to the end only once, since the next of its sort would have closed it.
        let start = line.len() - value.len() + 1;
        let quoted = text.get(start..).unwrap_or_default();
        if let Some(end) = closing(quoted, quote) {
            let inner = quoted.get(..end).unwrap_or_default();
            let behind = quoted.get(end + 1..).unwrap_or_default();
            return (Some(name), unescape(inner, quote), split_line(behind).1);
        }
    }
    let bare = value.split('#').next().unwrap_or_default().trim();
    (Some(name), bare.to_owned(), after)
}

/// The first line without its end, and what comes after it.
fn split_line(text: &str) -> (&str, &str) {
    let (line, rest) = text.split_once(['\n', '\r']).unwrap_or((text, ""));
    let had_return = text.as_bytes().get(line.len()) == Some(&b'\r');
    match rest.strip_prefix('\n') {
        Some(rest) if had_return => (line, rest),
        _ => (line, rest),
    }
}

fn name(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let line = match line.strip_prefix("export") {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => line,
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let end = line.find(|c| !is_part(c))?;
    let (name, rest) = line.split_at_checked(end)?;
    let value = match rest.trim_start().strip_prefix('=') {
        Some(value) => value,
        None => rest
            .strip_prefix(':')
            .filter(|rest| rest.starts_with([' ', '\t']))?,
    };
    (!name.is_empty()).then_some((name, value))
}

/// Where the quote is closed that was opened before `text`.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' => is_escaped = !is_escaped,
            c if c == quote && !is_escaped => return Some(at),
            _ => is_escaped = false,
        }
    }
    None
}

fn unescape(inner: &str, quote: char) -> String {
    match quote {
        '"' => inner.replace("\\n", "\n").replace("\\r", "\r"),
        _ => inner.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_read_as_gemini_cli_reads_them() {
        for (text, read) in [
            ("K=v", Some("v")),
            ("\u{feff}K=v\n", Some("v")),
            ("  export K = v # said\r\nL=w", Some("v")),
            ("K=a\nK=b", Some("b")),
            ("K: v", Some("v")),
            ("K:v", None),
            ("# K=v", None),
            ("exportK=v", None),
            ("KK=v\nL=K=v", None),
            ("K", None),
            ("K=", Some("")),
            ("K='a # b' # c", Some("a # b")),
            ("K=\"a\\nb\"", Some("a\nb")),
            ("K='a\\nb'", Some("a\\nb")),
            ("K=`it's`", Some("it's")),
            ("K=\"one\ntwo\"\nL=1", Some("one\ntwo")),
            ("K=\"one\nK=two", Some("two")),
            ("L=\"a\nK=no\nb\"\nK=yes", Some("yes")),
            ("K=\"open", Some("\"open")),
            ("K=a b\rL=c", Some("a b")),
            ("", None),
        ] {
            assert_eq!(value(text, "K").as_deref(), read, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([K=:#'\"`\\\\\r\n é]|export ){0,60}") {
            let _ = value(&text, "K");
        }
    }
}
