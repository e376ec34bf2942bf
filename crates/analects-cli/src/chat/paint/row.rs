//! One row of the screen: what stands in it, how it looks, and which part of the source it shows.

use std::fmt::Write as _;

/// How characters look. Several looks at once are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Look(u8);

impl Look {
    pub(super) const PLAIN: Self = Self(0);
    pub(super) const BOLD: Self = Self(1);
    pub(super) const DIM: Self = Self(2);
    pub(super) const ITALIC: Self = Self(4);
    pub(super) const CODE: Self = Self(8);
    pub(super) const STRUCK: Self = Self(16);
    pub(super) const ADDED: Self = Self(32);
    pub(super) const REMOVED: Self = Self(64);

    /// What a terminal is told, a look each.
    const CODES: [(Self, &'static str); 7] = [
        (Self::BOLD, "1"),
        (Self::DIM, "2"),
        (Self::ITALIC, "3"),
        (Self::STRUCK, "9"),
        (Self::CODE, "36"),
        (Self::ADDED, "32"),
        (Self::REMOVED, "31"),
    ];

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Writes `text` with this look, and leaves the terminal plain.
    pub(super) fn write(self, text: &str, ink: Ink, buf: &mut String) {
        if self == Self::PLAIN || ink == Ink::None || text.is_empty() {
            buf.push_str(text);
            return;
        }
        let mut separator = "\u{1b}[";
        for (look, code) in Self::CODES {
            if self.0 & look.0 != 0 {
                // Writing to a string cannot fail.
                let _ = write!(buf, "{separator}{code}");
                separator = ";";
            }
        }
        let _ = write!(buf, "m{text}\u{1b}[0m");
    }
}

/// Whether looks are written at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Bold, dim and colours.
    Color,
    /// None: the words have to do.
    None,
}

/// A place in the source: its byte, and which of the characters that stand for that byte. One byte that would drive
/// a terminal is shown as several characters, and a row may end between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Place(usize);

impl Place {
    /// More characters than any one byte is shown as: `\u{10ffff}`.
    const PARTS: usize = 16;

    pub(super) fn new(byte: usize, part: usize) -> Self {
        Self(byte * Self::PARTS + part.min(Self::PARTS - 1))
    }

    /// The same byte, but another of its characters.
    pub(super) fn part(self, part: usize) -> Self {
        Self::new(self.0 / Self::PARTS, part)
    }

    /// The first place after this one.
    pub(super) fn after(self) -> Self {
        Self(self.0 + 1)
    }

    /// The same place once `n_bytes` before it are gone; the beginning if it was among them.
    pub(super) fn without(self, n_bytes: usize) -> Self {
        Self(self.0.saturating_sub(n_bytes * Self::PARTS))
    }

    /// The same place once `n_bytes` came before it.
    pub(super) fn moved(self, n_bytes: usize) -> Self {
        Self(self.0 + n_bytes * Self::PARTS)
    }
}

/// A character that is safe to write.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) c: char,
    pub(super) look: Look,
    pub(super) at: Place,
}

impl Glyph {
    /// How many columns it takes at most.
    pub(super) fn columns(self) -> usize {
        columns(self.c)
    }
}

/// How many columns a character takes at most. A terminal that joins characters into one sign takes fewer, which only
/// makes a row end early; one that is wider than we think would break rows where we do not know of it.
pub(super) fn columns(c: char) -> usize {
    match c {
        // Asks for the wide form of the sign before it.
        '\u{FE0F}' => 1,
        c => unicode_width::UnicodeWidthChar::width(c).unwrap_or(1),
    }
}

/// One row.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    text: String,
    /// Where each look ends.
    looks: Vec<(usize, Look)>,
    columns: usize,
    /// What comes after it in the source.
    pub(super) end: Place,
}

impl Row {
    /// An empty row.
    pub(super) fn ending_at(end: Place) -> Self {
        Self {
            end,
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, c: char, look: Look) {
        self.text.push(c);
        self.columns += columns(c);
        let end = self.text.len();
        match self.looks.last_mut() {
            Some(last) if last.1 == look => last.0 = end,
            _ => self.looks.push((end, look)),
        }
    }

    pub(super) fn push_str(&mut self, text: &str, look: Look) {
        for c in text.chars() {
            self.push(c, look);
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether a person sees the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.text == other.text && self.looks == other.looks
    }

    /// Whether this is `other` with something behind it.
    pub(super) fn continues(&self, other: &Self) -> bool {
        let Some((&(_, last), firsts)) = other.looks.split_last() else {
            return true;
        };
        let goes_on = |&(end, look): &(usize, Look)| end >= other.text.len() && look == last;
        self.text.starts_with(&other.text)
            && self.looks.starts_with(firsts)
            && self.looks.get(firsts.len()).is_some_and(goes_on)
    }

    /// Writes what stands after the first `n_bytes`.
    pub(super) fn write(&self, n_bytes: usize, ink: Ink, buf: &mut String) {
        let mut from = n_bytes;
        for &(end, look) in &self.looks {
            if end > from {
                look.write(self.text.get(from..end).unwrap_or_default(), ink, buf);
                from = end;
            }
        }
    }

    /// The row without blanks at its end, which nobody sees.
    pub(super) fn trimmed(mut self) -> Self {
        let n_bytes = self.text.trim_end_matches(' ').len();
        self.columns -= self.text.len() - n_bytes;
        self.text.truncate(n_bytes);
        while let Some((_, look)) = self.looks.pop_if(|(end, _)| *end > n_bytes) {
            if self.looks.last().map_or(0, |(end, _)| *end) < n_bytes {
                self.looks.push((n_bytes, look));
            }
        }
        self
    }
}
