//! The text of a file that is edited, and the way back to its bytes.

use analects_chat::reading;

/// How a text is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf8Marked,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
}

impl Encoding {
    /// What the mark at the start of a file says.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match bytes {
            // Before UTF-16, whose mark is the same for this order of bytes.
            [0xFF, 0xFE, 0, 0, ..] => Self::Utf32Le,
            [0, 0, 0xFE, 0xFF, ..] => Self::Utf32Be,
            [0xFF, 0xFE, ..] => Self::Utf16Le,
            [0xFE, 0xFF, ..] => Self::Utf16Be,
            [0xEF, 0xBB, 0xBF, ..] => Self::Utf8Marked,
            _ => Self::Utf8,
        }
    }

    /// A text in this encoding, with its mark.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        let marked = || std::iter::once('\u{FEFF}').chain(text.chars());
        let mut pair = [0; 2];
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8Marked => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            Self::Utf16Le => marked()
                .flat_map(|c| c.encode_utf16(&mut pair).to_vec())
                .flat_map(u16::to_le_bytes)
                .collect(),
            Self::Utf16Be => marked()
                .flat_map(|c| c.encode_utf16(&mut pair).to_vec())
                .flat_map(u16::to_be_bytes)
                .collect(),
            Self::Utf32Le => marked().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
            Self::Utf32Be => marked().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        }
    }
}

/// The text of a file, if the same bytes can be made of it again: an edit must not change what it does not
/// touch.
pub(crate) fn exact(bytes: &[u8]) -> Option<(String, Encoding)> {
    let encoding = Encoding::of(bytes);
    let text = reading::decoded(bytes).into_owned();
    (encoding.encode(&text) == bytes).then_some((text, encoding))
}

impl LineEnd {
    /// The characters.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// How most lines of a text end; `\n` if there are none.
    pub(crate) fn of(text: &str) -> Self {
        let n_lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let n_crlf = memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count();
        match n_crlf * 2 > n_lines {
            true => Self::CrLf,
            false => Self::Lf,
        }
    }

    /// A text of which all lines end so. Where they end with `\n`, others are left as they are.
    pub(crate) fn apply(self, text: &str) -> String {
        match self {
            Self::Lf => text.to_owned(),
            Self::CrLf => unified(text).replace('\n', "\r\n"),
        }
    }
}

/// A text with `\n` at the end of all its lines.
pub(crate) fn unified(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_text_is_not_edited() {
        for bytes in [
            &b"a\xFFb"[..],
            b"a\0b",
            b"\xFF\xFEa\0\0",
            b"\xFF\xFE\x3E\xD8",
        ] {
            assert_eq!(exact(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn lines_end_as_most_of_them_do() {
        assert_eq!(LineEnd::of("a"), LineEnd::Lf);
        assert_eq!(LineEnd::of("a\r\nb\r\nc\n"), LineEnd::CrLf);
        assert_eq!(LineEnd::of("a\r\nb\nc\n"), LineEnd::Lf);
        assert_eq!(LineEnd::CrLf.apply("a\nb\r\n"), "a\r\nb\r\n");
        assert_eq!(LineEnd::Lf.apply("a\nb\r\n"), "a\nb\r\n");
    }

    proptest! {
        #[test]
        fn every_encoding_leads_back(text in "[a-z\n🦀é记]{0,20}") {
            use Encoding::*;
            for encoding in [Utf8, Utf8Marked, Utf16Le, Utf16Be, Utf32Le, Utf32Be] {
                let bytes = encoding.encode(&text);
                prop_assert_eq!(exact(&bytes), Some((text.clone(), encoding)));
            }
        }
    }
}
