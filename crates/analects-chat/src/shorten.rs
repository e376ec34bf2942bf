//! Output that is too long for a history: its start and its end, and where the whole of it lies.
//!
//! A fifth of what is shown is the start. Cuts fall on line ends where there are any. What comes out, notice
//! and all, is within the cap, so shortening it again changes nothing; under `head` it is the original's
//! text, whose notice comes on top. [`budget`] does the same to the tool outputs of a whole history,
//! [`proportional`] is the original's way with a single message.

pub mod budget;
pub(crate) mod ends;
pub mod proportional;

use std::borrow::Cow;

use analects_text::units;
use analects_world::Profile;

use crate::keep::{Keep, Kept, LEFT_OUT, Label, SHORTENED, Shelf};
use crate::limits::{Limits, OUTPUT_FLOOR_CHARS};
use crate::reading::MAX_LINE_UNITS;
use ends::{Ends, ends};

/// How much of an output is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cap {
    profile: Profile,
    /// In UTF-16 units.
    chars: usize,
    lines: Option<usize>,
}

/// Below this a tool's output is never cut for its lines.
pub const OUTPUT_FLOOR_LINES: usize = 20;
/// What stands around the two ends takes lines as well.
const NOTICE_LINES: usize = 4;
const SEED_WIDTH: usize = 120;
const SEED_MARKER: &str = "\n... [CONTENT TRUNCATED] ...\n";
const NOT_SAVED: &str = "[Note: Could not save full output to file]";

impl Cap {
    /// What may be shown while the window is filled this far.
    ///
    /// The original takes four characters for each token that is left, which turns its shortening off, or
    /// makes it lengthen texts, once nothing is left. Here a floor stays in every profile; `head` takes any
    /// other number as it is.
    #[must_use]
    pub fn of(limits: &Limits, used_tokens: usize) -> Self {
        let left = limits.window_tokens.saturating_sub(used_tokens);
        let chars = limits.output_chars.min(left.saturating_mul(4));
        let chars = match (limits.profile, chars) {
            (Profile::Head, 1..) => chars,
            _ => chars.max(OUTPUT_FLOOR_CHARS),
        };
        let floored = |lines: usize| lines.max(OUTPUT_FLOOR_LINES);
        Self {
            profile: limits.profile,
            chars,
            lines: limits.output_lines.map(floored),
        }
    }

    /// The same for a text that somebody cut by lines already: only its characters count.
    #[must_use]
    pub fn of_page(self) -> Self {
        Self {
            lines: None,
            ..self
        }
    }

    /// The same for fewer characters, but not below the floor.
    pub(crate) fn at_most(self, chars: usize) -> Self {
        Self {
            chars: self.chars.min(chars.max(OUTPUT_FLOOR_CHARS)),
            ..self
        }
    }

    fn admits(&self, size: &Size) -> bool {
        let by_lines = match self.profile {
            Profile::Analects => self.lines,
            // Lines only say how much is shown, not whether.
            Profile::Seed | Profile::Head => None,
        };
        size.units <= self.chars && by_lines.is_none_or(|lines| size.lines <= lines)
    }
}

/// A text that is to be kept whole and shown in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The whole text.
    pub keep: Keep,
    saved: String,
    failed: String,
}

/// What has to be done about an output; `None` if it is short enough.
#[must_use]
pub fn plan(output: &str, label: Label<'_>, shelf: &Shelf<'_>, cap: &Cap) -> Option<Plan> {
    let text = readable(output, cap)?;
    let keep = shelf.keep(label, &text);
    let (saved, failed) = shown(&text, &keep.path, cap);
    Some(Plan {
        keep,
        saved,
        failed,
    })
}

/// What goes into the history. It says so if the whole text is lost.
#[must_use]
pub fn apply(plan: Plan, kept: Kept) -> String {
    match kept {
        Kept::Saved => plan.saved,
        Kept::Failed => plan.failed,
    }
}

/// A number with its thousands set apart.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The text that is kept if an output is too long: under `seed`, one that can be read by lines.
fn readable<'a>(output: &'a str, cap: &Cap) -> Option<Cow<'a, str>> {
    let size = Size::of(output);
    if cap.admits(&size) {
        return None;
    }
    let n_lines = cap.lines.unwrap_or(0);
    let is_wrapped = cap.profile == Profile::Seed
        && memchr::memchr_iter(b'\n', output.as_bytes()).count() < n_lines;
    Some(match is_wrapped {
        true => Cow::Owned(wrapped(output)),
        false => Cow::Borrowed(output),
    })
}

/// What is shown of a text that is too long: if it is saved at that path, and if it is not.
fn shown(text: &str, path: &str, cap: &Cap) -> (String, String) {
    match cap.profile {
        Profile::Analects => ours(text, path, cap),
        Profile::Seed => seed(text, path, cap),
        Profile::Head => head(text, path, cap),
    }
}

fn ours(text: &str, path: &str, cap: &Cap) -> (String, String) {
    let size = Size::of(text);
    let notices = |shown| [Some(path), None].map(|path| size.notice(shown, path));
    // No number that is told in the end is longer than that of the whole.
    let widest = notices([size.units; 2]).map(|notice| units::count(&notice));
    let reserved = widest.into_iter().max().unwrap_or(0) + left_out(size.units).len() + 1;
    let n_lines = cap.lines.map(|lines| lines - NOTICE_LINES);
    let shown = ends(text, cap.chars.saturating_sub(reserved), n_lines).harmless();
    let n_shown = shown.units();
    let body = shown.around(&left_out(size.units.saturating_sub(n_shown.iter().sum())));
    let [saved, failed] = notices(n_shown);
    (saved + &body, failed + &body)
}

/// What stands between the ends.
pub(crate) fn left_out(n_units: usize) -> String {
    format!("[{LEFT_OUT} {} characters]\n", grouped(n_units))
}

fn seed(text: &str, path: &str, cap: &Cap) -> (String, String) {
    let size = Size::of(text);
    let reserved = units::count(&size.notice([size.units; 2], Some(path)))
        + SEED_MARKER.len()
        + NOT_SAVED.len();
    let shown = ends(text, cap.chars.saturating_sub(reserved), cap.lines);
    let notice = size.notice(shown.units(), Some(path));
    let Ends { head, tail } = shown;
    let body = format!("{}{SEED_MARKER}{tail}", head.trim_end_matches('\n'));
    (notice + &body, format!("{body}\n{NOT_SAVED}"))
}

fn head(text: &str, path: &str, cap: &Cap) -> (String, String) {
    let n_head = cap.chars / 5;
    let n_tail = cap.chars - n_head;
    let omitted = units::count(text).saturating_sub(cap.chars);
    let body = format!(
        "{}\n\n... [{} characters omitted] ...\n\n{}",
        units::head(text, n_head),
        grouped(omitted),
        units::tail(text, n_tail)
    );
    let opening = format!(
        "Output too large. Showing first {} and last {} characters.",
        grouped(n_head),
        grouped(n_tail)
    );
    (
        format!("{opening} For full output see: {path}\n{body}"),
        format!("{opening} {NOT_SAVED}\n{body}"),
    )
}

/// Lines of at most [`SEED_WIDTH`] units.
fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / SEED_WIDTH);
    let mut on_line = 0;
    for c in text.chars() {
        if c != '\n' && on_line + c.len_utf16() > SEED_WIDTH {
            out.push('\n');
            on_line = 0;
        }
        out.push(c);
        on_line = if c == '\n' {
            0
        } else {
            on_line + c.len_utf16()
        };
    }
    out
}

/// How much text there is.
pub(crate) struct Size {
    pub(crate) units: usize,
    pub(crate) lines: usize,
    longest_line_bytes: usize,
}

impl Size {
    pub(crate) fn of(text: &str) -> Self {
        let (mut lines, mut longest, mut start) = (0, 0, 0);
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            longest = longest.max(end - start);
            start = end + 1;
            lines += 1;
        }
        Self {
            units: units::count(text),
            lines: lines + usize::from(start < text.len()),
            longest_line_bytes: longest.max(text.len() - start),
        }
    }

    fn notice(&self, [head, tail]: [usize; 2], path: Option<&str>) -> String {
        let mut notice = format!(
            "[{SHORTENED} this output has {} characters on {} lines; here are the first {} and the last {} characters.\n",
            grouped(self.units),
            grouped(self.lines),
            grouped(head),
            grouped(tail)
        );
        let how = match (path, self.longest_line_bytes > MAX_LINE_UNITS) {
            (None, _) => {
                "The rest could not be saved and is lost: run the tool again for less of it."
            }
            (_, false) => "Read a range of its lines, or search in it.",
            (_, true) => {
                "Lines are too long to be read whole: search in it, or cut out bytes in the shell."
            }
        };
        if let Some(path) = path {
            notice.extend(["Whole text: ", path, "\n"]);
        }
        notice.extend([how, "]\n"]);
        notice
    }
}

#[cfg(test)]
mod tests;
