//! What a Markdown text is made of: the things it says, its code, its links.
//!
//! One pass, for readers that judge a text and must know on which line each part stands. Headings,
//! tables, HTML and front matter say nothing of their own here; code and links inside tables count.

mod reader;

use std::ops::Range;

/// The parts of a text, each kind in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Headings, without Markdown's signs.
    pub headings: Vec<String>,
    /// List items and paragraphs.
    pub entries: Vec<Entry>,
    /// Code inside a line.
    pub spans: Vec<Span>,
    /// Where links and images lead.
    pub links: Vec<Link>,
    /// Blocks of code.
    pub blocks: Vec<CodeBlock>,
}

/// Something a text says: a list item without what is nested in it, or a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands, nested items included.
    pub at: Range<usize>,
    /// What it is.
    pub kind: EntryKind,
    /// Its words on one line, without Markdown's signs.
    pub text: String,
    /// Its words line by line as they are written, each with the place it begins at.
    pub lines: Vec<(usize, String)>,
    /// How many headings stand before it.
    pub section: usize,
    /// Where the list begins that it is a part of.
    pub list: Option<usize>,
    /// How many lists it stands in.
    pub depth: usize,
    /// Whether all of it is code.
    pub is_code: bool,
    /// Whether it is a single line with nothing nested in it.
    pub is_alone: bool,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// An item of a list without an order.
    Bullet,
    /// An item of a numbered list: a step rather than a rule.
    Numbered,
    /// A paragraph.
    Paragraph,
}

/// Code inside a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Where it stands, backticks included.
    pub at: Range<usize>,
    /// What is between the backticks.
    pub text: String,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it stands.
    pub at: Range<usize>,
    /// Where it leads, as it is written.
    pub target: String,
}

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// Where it stands, fences included.
    pub at: Range<usize>,
    /// The first word after the fence, in lower case; empty for a block without one.
    pub language: String,
    /// Its lines, each with the place it begins at.
    pub lines: Vec<(usize, String)>,
}

/// Takes `text` apart.
#[must_use]
pub fn outline(text: &str) -> Outline {
    reader::read(text)
}

#[cfg(test)]
mod tests;
