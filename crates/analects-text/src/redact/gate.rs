//! Tells, in one pass, which rules a text could concern, and where.

use std::collections::HashMap;
use std::ops::Range;

use super::judge::Judge;

/// How far around a keyword a rule looks, within its line.
const BACK_BYTES: usize = 256;
const AHEAD_BYTES: usize = 1024;

/// How far a match may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// To the end of its line.
    Line,
    /// Over line ends.
    Text,
}

/// Finds all keywords.
///
/// The first three bytes of each are in a bitmap that fits the nearest cache; only where it says yes
/// is anything compared. Costs next to nothing to build, unlike an automaton of 500 words.
pub(super) struct Gate {
    heads: Vec<u64>,
    keywords: HashMap<u32, Vec<(&'static str, usize)>>,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            heads: vec![0; 1 << (Self::BITS - 6)],
            keywords: HashMap::new(),
        }
    }
}

impl Gate {
    pub(super) const HEAD_BYTES: usize = 3;
    const BITS: u32 = 16;

    /// Lets `rule` be found by `keyword`, which is in lower case and has three bytes or more.
    pub(super) fn add(&mut self, keyword: &'static str, rule: usize) {
        let head = keyword.bytes().take(Self::HEAD_BYTES).fold(0, roll);
        let (word, bit) = Self::place(head);
        if let Some(heads) = self.heads.get_mut(word) {
            *heads |= bit;
        }
        self.keywords.entry(head).or_default().push((keyword, rule));
    }

    /// Calls `found` with the rule and the place of each occurrence of a keyword, in order.
    pub(super) fn each_hit(&self, bytes: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut head = 0;
        for (end, &byte) in bytes.iter().enumerate() {
            head = roll(head, byte);
            let (word, bit) = Self::place(head);
            if self.heads.get(word).is_some_and(|heads| heads & bit != 0) {
                let Some(start) = (end + 1).checked_sub(Self::HEAD_BYTES) else {
                    continue;
                };
                let rest = bytes.get(start..).unwrap_or_default();
                for (keyword, rule) in self.keywords.get(&head).into_iter().flatten() {
                    let here = rest.get(..keyword.len());
                    if here.is_some_and(|here| here.eq_ignore_ascii_case(keyword.as_bytes())) {
                        found(*rule, start);
                    }
                }
            }
        }
    }

    fn place(head: u32) -> (usize, u64) {
        // Fibonacci hashing: the top bits of the product depend on all bytes.
        let hash = head.wrapping_mul(0x9E37_79B1) >> (32 - Self::BITS);
        ((hash >> 6) as usize, 1 << (hash & 63))
    }
}

/// The last three bytes in lower case, after one more.
fn roll(head: u32, byte: u8) -> u32 {
    (head << 8 | u32::from(byte.to_ascii_lowercase())) & 0x00FF_FFFF
}

/// Adds the neighbourhood of `at` to `windows`, which stay in order and apart.
pub(super) fn widen(windows: &mut Vec<Range<usize>>, bytes: &[u8], at: usize, span: Span) {
    if let Some(last) = windows.last() {
        let is_whole_line = bytes.get(last.end).is_none_or(|&byte| byte == b'\n');
        if at < last.end && (is_whole_line || at + AHEAD_BYTES <= last.end) {
            return;
        }
    }
    let floor = at.saturating_sub(BACK_BYTES);
    let before = bytes.get(floor..at).unwrap_or_default();
    let newline = before.iter().rposition(|&byte| byte == b'\n');
    let start = newline.map_or(floor, |i| floor + i + 1);
    let end = match span {
        Span::Text => bytes.len(),
        Span::Line => line_end(bytes, at),
    };
    match windows.last_mut() {
        Some(last) if start <= last.end => last.end = last.end.max(end),
        _ => windows.push(start..end),
    }
}

/// The end of the line at `at`; of an endless line, the first blank from a distance on.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let far = (at + AHEAD_BYTES).min(bytes.len());
    let position = |range: Range<usize>, is_stop: fn(&u8) -> bool| {
        let part = bytes.get(range.clone()).unwrap_or_default();
        part.iter().position(is_stop).map(|i| range.start + i)
    };
    position(at..far, |byte| *byte == b'\n')
        .or_else(|| position(far..bytes.len(), u8::is_ascii_whitespace))
        .unwrap_or(bytes.len())
}

/// Whether nothing here could be a secret in the eyes of `judge`, words apart.
///
/// Spares most prose the expressions, and a short-lived process their compilation. What a judge
/// demands of a value it finds in the run of characters around it, too.
pub(super) fn is_quiet(bytes: &[u8], judge: Judge) -> bool {
    let mut runs = bytes.split(u8::is_ascii_whitespace);
    !runs.any(|run| run.len() >= 4 && is_odd(run, judge))
}

fn is_odd(run: &[u8], judge: Judge) -> bool {
    let has = |is: fn(&u8) -> bool| run.iter().any(is);
    let has_digit = has(u8::is_ascii_digit);
    let has_mark = has(|byte| b"!@#$%^&*+=~?".contains(byte));
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_babble = || n_humps(run) > 2 || is_unspeakable(run);
    let n_hyphens = || run.iter().filter(|&&byte| byte == b'-').count();
    match judge {
        Judge::Any | Judge::Random | Judge::Password => {
            has_digit || has_mark || n_hyphens() > 1 || is_babble()
        }
        Judge::Token => {
            run.len() >= 8 && ((has_digit && has(u8::is_ascii_alphabetic)) || is_babble())
        }
        Judge::Strong => run.len() >= 8 && has_digit && (has_mark || is_mixed || run.len() >= 20),
    }
}

/// How often a capital follows a small letter.
fn n_humps(run: &[u8]) -> usize {
    let pairs = run.array_windows::<2>();
    pairs
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count()
}

/// Whether a run of letters has five consonants in a row, as few words have.
fn is_unspeakable(run: &[u8]) -> bool {
    let is_consonant =
        |byte: &u8| byte.is_ascii_alphabetic() && !b"aeiouy".contains(&byte.to_ascii_lowercase());
    run.windows(5).any(|part| part.iter().all(is_consonant))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(text: &str) -> Vec<(usize, usize)> {
        let mut gate = Gate::default();
        gate.add("akia", 0);
        gate.add("aki", 1);
        gate.add("密码", 2);
        let mut hits = Vec::new();
        gate.each_hit(text.as_bytes(), |rule, at| hits.push((rule, at)));
        hits
    }

    #[test]
    fn a_keyword_is_found_at_either_end_and_in_any_case() {
        assert_eq!(hits("AKIA x aKi"), [(0, 0), (1, 0), (1, 7)]);
        assert_eq!(hits("的密码"), [(2, 3)]);
        assert_eq!(hits("ak"), []);
    }

    #[test]
    fn a_window_is_a_line_or_a_part_of_an_endless_one() {
        let mut windows = Vec::new();
        let text = b"first\nsecond line\nlast";
        for at in [8, 14, 20] {
            widen(&mut windows, text, at, Span::Line);
        }
        assert_eq!(windows, [6..17, 18..22]);
        let mut windows = Vec::new();
        widen(&mut windows, &b"a ".repeat(5000), 4000, Span::Line);
        assert_eq!((windows.len(), &windows[0]), (1, &(3744..5025)));
    }

    #[test]
    fn prose_is_quiet_and_anything_odd_is_not() {
        use Judge::{Password, Strong, Token};
        for text in [
            "The token is refreshed, the password is not.",
            "令牌每小时刷新",
            "a well-known secret",
        ] {
            assert!(is_quiet(text.as_bytes(), Password), "{text}");
        }
        for text in [
            "is hunter2",
            "is a-b-c",
            "is kJhGfDsA",
            "is p@ss",
            "is qwrtpsdfgh",
        ] {
            assert!(!is_quiet(text.as_bytes(), Password), "{text}");
        }
        assert!(is_quiet(b"token limit is 128000", Token));
        assert!(is_quiet(b"password (AES256) or sha512", Strong));
        assert!(!is_quiet(b"password Kx9!abcd", Strong));
    }
}
