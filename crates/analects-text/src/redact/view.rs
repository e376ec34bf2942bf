//! A text as the rules see it: without what hides a secret, with the way back to the original.

use std::ops::Range;

use super::long_runs::MIN_RUN_BYTES;
use crate::sanitize::is_invisible;

pub(super) const MARK_OPEN: &str = "[redacted: ";
pub(super) const MARK_CLOSE: &str = "]";

/// More asterisks than Markdown's emphasis ever needs are a blacked-out value, and stay.
const MAX_EMPHASIS: usize = 3;

/// No rule has a longer name.
const MAX_ID_BYTES: usize = 64;

/// The bytes to look at: no invisible characters, no backticks, no emphasis, no escaped underscores, a
/// line end for each mark of an earlier redaction.
pub(super) struct View {
    bytes: Vec<u8>,
    /// Where each kept piece starts, here and in the source.
    pieces: Vec<(usize, usize)>,
}

impl View {
    /// The view of `text`; `knows` tells which marks are ours.
    pub(super) fn new(text: &str, knows: impl Fn(&str) -> bool) -> Self {
        let mut view = Self {
            bytes: Vec::with_capacity(text.len()),
            pieces: Vec::new(),
        };
        let mut kept = 0;
        let mut at = 0;
        while let Some(found) = next_suspect(text, at) {
            let rest = text.get(found..).unwrap_or_default();
            let (len, seen_as): (usize, Option<&[u8]>) = match mark_len(rest, &knows) {
                Some(len) => (len, Some(b"\n")),
                None => disguise(rest),
            };
            at = found + len;
            if let Some(seen_as) = seen_as {
                view.keep(text.as_bytes(), kept..found);
                view.bytes.extend_from_slice(seen_as);
                kept = at;
            }
        }
        view.keep(text.as_bytes(), kept..text.len());
        view
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the lines in which something is stuck to the start or the end of a long word, without it;
    /// nothing if there is no such line. `runs` are the long runs of this view.
    ///
    /// `_ghp_…_` is a token in Markdown's emphasis, `\nghp_…` one after an escape of JSON, `%20ghp_…` one in
    /// an address, `[32mghp_…` one in colour. The same characters may belong to a token, so this view is
    /// looked at in addition to the full one. Its ranges lead back to the bytes of `self`.
    pub(super) fn unwrapped(&self, runs: &[Range<usize>]) -> Option<Self> {
        let mut unwrapped = Self {
            bytes: Vec::new(),
            pieces: Vec::new(),
        };
        let mut kept = 0;
        let mut line_end = 0;
        for run in runs {
            let Some((lead, tail)) = self.wrapping(run) else {
                continue;
            };
            if run.start >= line_end {
                unwrapped.keep(&self.bytes, kept..line_end);
                unwrapped.bytes.push(b'\n');
                kept = self.line_start(run.start);
                line_end = self.line_end(run.end);
            }
            unwrapped.keep(&self.bytes, kept..run.start);
            unwrapped.keep(&self.bytes, run.start + lead..run.end - tail);
            kept = run.end;
        }
        unwrapped.keep(&self.bytes, kept..line_end);
        (line_end > 0).then_some(unwrapped)
    }

    /// How many bytes wrap the token in `run`, before and after it; `None` if there is no wrapped token.
    fn wrapping(&self, run: &Range<usize>) -> Option<(usize, usize)> {
        let before = run.start.checked_sub(1).and_then(|at| self.bytes.get(at));
        let run = self.bytes.get(run.clone())?;
        let escape = escape_len(before.copied(), run);
        let is_wrapped = escape > 0 || run.starts_with(b"_") || run.ends_with(b"_");
        if !is_wrapped || !run.iter().any(u8::is_ascii_digit) {
            return None;
        }
        let rest = run.get(escape..)?;
        let lead = rest.iter().take_while(|&&byte| byte == b'_').count();
        let tail = rest.iter().rev().take_while(|&&byte| byte == b'_').count();
        let is_token = rest.len().checked_sub(lead + tail)? >= MIN_RUN_BYTES;
        let is_emphasis = lead <= MAX_EMPHASIS && tail <= MAX_EMPHASIS;
        (is_token && is_emphasis).then_some((escape + lead, tail))
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.bytes.get(..at).unwrap_or_default();
        let newline = before.iter().rposition(|&byte| byte == b'\n');
        newline.map_or(0, |newline| newline + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        let after = self.bytes.get(at..).unwrap_or_default();
        let newline = after.iter().position(|&byte| byte == b'\n');
        newline.map_or(self.bytes.len(), |newline| at + newline)
    }

    /// Takes `range` out of sight: nothing before it belongs to what follows.
    pub(super) fn blank(&mut self, range: Range<usize>) {
        self.bytes.get_mut(range).unwrap_or_default().fill(b'\n');
    }

    /// The bytes of the source that `range` was seen in.
    pub(super) fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.source_of(range.start);
        let end = range
            .end
            .checked_sub(1)
            .map_or(0, |at| self.source_of(at) + 1);
        start..end.max(start)
    }

    fn source_of(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|&(here, _)| here <= at);
        match after.checked_sub(1).and_then(|i| self.pieces.get(i)) {
            Some((here, there)) => there + (at - here),
            None => at,
        }
    }

    fn keep(&mut self, text: &[u8], range: Range<usize>) {
        if !range.is_empty() {
            self.pieces.push((self.bytes.len(), range.start));
            self.bytes
                .extend_from_slice(text.get(range).unwrap_or_default());
        }
    }
}

/// How many bytes at the start of `run` belong to an escape that begins with `before`.
fn escape_len(before: Option<u8>, run: &[u8]) -> usize {
    let are_hex = |range: Range<usize>| {
        let digits = run.get(range);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    match (before, run) {
        (Some(b'\\'), [b'u', ..]) if are_hex(1..5) => 5,
        (Some(b'\\'), [b'x', ..]) if are_hex(1..3) => 3,
        (Some(b'\\'), [b'n' | b'r' | b't' | b'b' | b'f' | b'v', ..]) => 1,
        (Some(b'%'), _) if are_hex(0..2) => 2,
        // The end of a colour, as terminals have it.
        (Some(b'[' | b';'), [digit, b'm', ..]) if digit.is_ascii_digit() => 2,
        (Some(b'[' | b';'), [one, two, b'm', ..])
            if one.is_ascii_digit() && two.is_ascii_digit() =>
        {
            3
        }
        _ => 0,
    }
}

fn next_suspect(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.as_bytes().get(at..)?;
        at += rest.iter().position(|&byte| is_suspect_lead(byte))?;
        let c = text.get(at..)?.chars().next()?;
        if matches!(c, '`' | '*' | '\\' | '[') || is_invisible(c) {
            return Some(at);
        }
        at += c.len_utf8();
    }
}

/// Whether a character that starts with `byte` may be a suspect; most letters are told apart by this.
fn is_suspect_lead(byte: u8) -> bool {
    const LEADS: [bool; 256] = {
        let mut leads = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            leads[byte] = matches!(byte as u8, b'`' | b'*' | b'\\' | b'[' | 0x00..=0x08 | 0x0E..=0x1F | 0x7F
                | 0xC2 | 0xCD | 0xD8 | 0xE1..=0xE3 | 0xEF..=0xF4);
            byte += 1;
        }
        leads
    };
    LEADS[usize::from(byte)]
}

/// How long the suspect is that `rest` starts with, and what is seen in its place if it hides something.
fn disguise(rest: &str) -> (usize, Option<&'static [u8]>) {
    match rest.as_bytes() {
        [b'`', ..] | [b'\\', b'_', ..] => (1, Some(b"")),
        [b'\\' | b'[', ..] => (1, None),
        [b'*', ..] => {
            let n_stars = rest.len() - rest.trim_start_matches('*').len();
            (n_stars, (n_stars <= MAX_EMPHASIS).then_some(b""))
        }
        _ => (rest.chars().next().map_or(1, char::len_utf8), Some(b"")),
    }
}

/// How long the mark is that `rest` starts with, if one of our rules left it.
fn mark_len(rest: &str, knows: impl Fn(&str) -> bool) -> Option<usize> {
    let rest = rest.strip_prefix(MARK_OPEN)?;
    // Only so far, or many openings without an end would each be read to the end of the text.
    let (id, _) = rest
        .get(..rest.floor_char_boundary(MAX_ID_BYTES))?
        .split_once(MARK_CLOSE)?;
    knows(id).then(|| MARK_OPEN.len() + id.len() + MARK_CLOSE.len())
}

#[cfg(test)]
mod tests {
    use super::super::long_runs::long_runs;
    use super::*;

    fn seen(text: &str) -> String {
        String::from_utf8(View::new(text, |id| id == "jwt").bytes).unwrap()
    }

    #[test]
    fn what_hides_a_secret_is_gone() {
        assert_eq!(seen("a\u{200B}b **c** `d` e\\_f"), "ab c d e_f");
        assert_eq!(seen("pw: ********"), "pw: ********");
        assert_eq!(seen(r"a\nb [x] 文字"), r"a\nb [x] 文字");
    }

    #[test]
    fn no_invisible_character_is_passed_over() {
        for c in ('\0'..=char::MAX).filter(|&c| is_invisible(c)) {
            let mut buffer = [0; 4];
            assert!(
                is_suspect_lead(c.encode_utf8(&mut buffer).as_bytes()[0]),
                "{c:?}"
            );
        }
    }

    #[test]
    fn underscores_around_a_token_are_emphasis() {
        let text = "no _a_ line\nsee __ab_0123456789abcdef_ or _x_\n_y_";
        let view = View::new(text, |_| false);
        let unwrapped = view.unwrapped(&long_runs(view.bytes())).unwrap();
        let seen = String::from_utf8(unwrapped.bytes.clone()).unwrap();
        assert_eq!(seen, "\nsee ab_0123456789abcdef or _x_");
        let at = seen.find("ab_").unwrap();
        let back = view.source(unwrapped.source(at..at + 19));
        assert_eq!(text.get(back), Some("ab_0123456789abcdef"));
        let name = View::new("_no_digit_in_this_name_", |_| false);
        assert!(name.unwrapped(&long_runs(name.bytes())).is_none());
    }

    #[test]
    fn only_a_mark_of_ours_is_a_line_end() {
        assert_eq!(seen("a [redacted: jwt] b"), "a \n b");
        assert_eq!(seen("a [redacted: hunter2] b"), "a [redacted: hunter2] b");
    }

    #[test]
    fn a_range_finds_its_way_back_over_what_was_hidden() {
        let text = "x `ab\u{200B}cd` y";
        let view = View::new(text, |_| false);
        assert_eq!(text.get(view.source(2..6)), Some("ab\u{200B}cd"));
        assert_eq!(text.get(view.source(0..8)), Some(text));
    }
}
