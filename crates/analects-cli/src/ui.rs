//! How answers look to a person: at 80 columns, with or without colour, in a terminal or a pipe.
//!
//! Everything that comes from a file is made safe for a terminal before it is written.

mod check;
mod config;
mod context;
mod doctor;
mod entries;
mod extract;
mod history;
mod inbox;
mod memory;
pub(crate) mod problems;
mod prompt;
mod session;
mod setup;
mod skill;
mod tidy;
mod trust;
mod write;

pub(crate) use check::{wrapped, wrapped_with};

use std::borrow::Cow;
use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_text::sanitize;
use analects_world::AbsPath;
use jiff::Timestamp;
use unicode_width::UnicodeWidthStr;

/// An answer that a person can read.
pub(crate) trait Human {
    /// Writes the answer.
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()>;

    /// What went wrong on the way.
    fn problems(&self) -> &[Problem] {
        &[]
    }

    /// Whether the answer is one that a script must not take for a yes.
    fn has_findings(&self) -> bool {
        false
    }

    /// Whether somebody would have had to choose, and nobody was there.
    fn is_undecided(&self) -> bool {
        false
    }

    /// Whether it may be longer than a person wants to scroll back.
    fn is_long(&self) -> bool {
        false
    }

    /// Whether the folder is trusted, and why, where that shaped the answer.
    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        None
    }
}

/// What is known about the place the answer is shown in.
pub(crate) struct Screen {
    pub(crate) is_terminal: bool,
    pub(crate) has_color: bool,
    /// Whether somebody sees a change before it is made, and agrees to it.
    pub(crate) asks_first: bool,
    /// Columns.
    pub(crate) width: usize,
    pub(crate) home: AbsPath,
}

impl Screen {
    /// The same without colour, for what is shown inside something else.
    pub(crate) fn plain(&self) -> Self {
        Self {
            is_terminal: false,
            has_color: false,
            asks_first: self.asks_first,
            width: self.width,
            home: self.home.clone(),
        }
    }

    /// `text` in bold, where there is colour. Colour never carries meaning of its own.
    pub(crate) fn bold<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.paint("1", text)
    }

    /// `text` set back, where there is colour.
    pub(crate) fn dim<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.paint("2", text)
    }

    /// `text` in a style of the terminal's own, where there is colour.
    pub(crate) fn paint<'a>(&self, style: &str, text: &'a str) -> Cow<'a, str> {
        if self.has_color {
            Cow::Owned(format!("\u{1b}[{style}m{text}\u{1b}[0m"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// A path as people call it: from the project's root, or from home.
    fn short(&self, path: &str, root: Option<&str>) -> String {
        let inside = |dir: &str| Some(path.strip_prefix(dir)?.strip_prefix('/')?.to_owned());
        let short = root
            .and_then(inside)
            .or_else(|| inside(self.home.as_str()).map(|rest| format!("~/{rest}")))
            .unwrap_or_else(|| path.to_owned());
        sanitize::one_line(&short).into_owned()
    }
}

/// A text without the styles that [`Screen::paint`] gave it.
pub(crate) fn unpainted(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut pieces = text.split("\u{1b}[");
    plain.extend(pieces.next());
    for piece in pieces {
        let style = piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        plain.push_str(style.strip_prefix('m').unwrap_or(piece));
    }
    Cow::Owned(plain)
}

/// The beginning of a text: that is where a sentence tells what it is about.
pub(crate) fn shorten(text: &str, columns: usize) -> String {
    let shown = take_columns(text.chars(), columns);
    if shown.len() == text.len() {
        return shown;
    }
    format!("{}…", take_columns(text.chars(), columns.saturating_sub(1)))
}

/// How long ago something was said, both times in RFC 3339.
pub(crate) fn ago(then: &str, now: &str) -> String {
    let (Ok(then), Ok(now)) = (then.parse::<Timestamp>(), now.parse::<Timestamp>()) else {
        return "?".to_owned();
    };
    let minutes = (now.as_second() - then.as_second()) / 60;
    match minutes {
        // A clock that went back is no reason for riddles.
        ..=0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..2880 => format!("{} h ago", minutes / 60),
        2880..86_400 => format!("{} days ago", minutes / 1440),
        _ => then.strftime("%Y-%m-%d").to_string(),
    }
}

/// `text` filled up with blanks to `width` columns.
fn pad(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(blanks))
}

/// `text` cut in the middle, if it is wider than `width`: both ends of a path tell something.
fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let half = width.saturating_sub(1) / 2;
    let head = take_columns(text.chars(), half);
    let tail: String = take_columns(text.chars().rev(), width.saturating_sub(1) - half)
        .chars()
        .rev()
        .collect();
    format!("{head}…{tail}")
}

fn take_columns(chars: impl Iterator<Item = char>, columns: usize) -> String {
    let mut taken = String::new();
    for c in chars {
        taken.push(c);
        if taken.width() > columns {
            taken.pop();
            break;
        }
    }
    taken
}

/// A number with its thousands apart.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The number of them, with the word for one or for many.
fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{} {many}", number(n)),
    }
}

/// A length as people say it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{}.{} KiB", bytes / 1024, bytes % 1024 * 10 / 1024),
        _ => format!("{}.{} MiB", bytes >> 20, ((bytes & 0xF_FFFF) * 10) >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes_read_well() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(number),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [0, 1023, 1024, 1536, 1_572_864].map(size),
            ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.5 MiB"]
        );
    }

    #[test]
    fn what_was_painted_can_be_read_without_its_colours() {
        for (painted, plain) in [
            ("plain", "plain"),
            (
                "\u{1b}[1mbold\u{1b}[0m and \u{1b}[1;32mgreen\u{1b}[0m",
                "bold and green",
            ),
            ("\u{1b}[", ""),
            ("1m \u{1b}[2Jx", "1m 2Jx"),
        ] {
            assert_eq!(unpainted(painted), plain);
        }
    }

    #[test]
    fn times_are_told_as_people_do() {
        let now = "2026-03-10T12:00:00.000Z";
        for (then, expected) in [
            ("2026-03-10T11:59:50.000Z", "just now"),
            ("2026-03-10T13:00:00.000Z", "just now"),
            ("2026-03-10T11:15:00.000Z", "45 min ago"),
            ("2026-03-09T12:00:00.000Z", "24 h ago"),
            ("2026-03-01T12:00:00.000Z", "9 days ago"),
            ("2025-03-01T12:00:00.000Z", "2025-03-01"),
            ("once", "?"),
        ] {
            assert_eq!(ago(then, now), expected);
        }
    }

    #[test]
    fn wide_names_are_cut_in_the_middle() {
        assert_eq!(fit("abcdefgh", 8), "abcdefgh");
        assert_eq!(fit("abcdefghi", 8), "abc…fghi");
        assert_eq!(fit("文档文档文档", 7), "文…档");
        assert_eq!(pad("文", 4), "文  ");
    }
}
