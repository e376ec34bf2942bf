//! The byte order mark that a file of others may begin with: no part of its text, and never lost.

const MARK: &str = "\u{FEFF}";

/// What stood before a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(&'static str);

impl Mark {
    /// The mark of a text, and the text without it.
    pub(crate) fn split(text: &str) -> (Self, &str) {
        match text.strip_prefix(MARK) {
            Some(bare) => (Self(MARK), bare),
            None => (Self(""), text),
        }
    }

    /// The mark of a file.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match bytes.starts_with(MARK.as_bytes()) {
            true => Self(MARK),
            false => Self(""),
        }
    }

    /// Puts the mark back before a text.
    pub(crate) fn before(self, mut text: String) -> String {
        text.insert_str(0, self.0);
        text
    }
}
