//! Finds, in one pass, which rules could match a text, and where.

use std::ops::Range;

use super::judge::Judge;
use super::long_runs::MIN_RUN_BYTES;

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
/// The first bytes of each are in bitmaps that fit the nearest cache; only where these say yes is
/// anything compared. Costs next to nothing to build, unlike an automaton of 600 words.
pub(super) struct Gate {
    /// Of the first three bytes, which every keyword has.
    threes: Bitmap,
    /// Of the first four, of those that have them.
    fours: Bitmap,
    /// Of all three, of those that have no more.
    wholes: Bitmap,
    /// Keywords and their rules, by the first three bytes.
    keywords: Vec<(u32, &'static str, usize)>,
    /// Prefixes of runs and their rules, by the length of the run.
    runs: Vec<Vec<(&'static str, usize)>>,
}

/// A run of letters, digits, `_` and `-` of exactly one length, whose start gives a token away.
///
/// For tokens whose prefix is too short and too common to be a keyword, for example Twilio's `SK`.
pub(super) struct RunShape {
    prefix: &'static str,
    len: usize,
}

impl RunShape {
    /// Runs of this length and longer are not looked up.
    const MAX_LEN: usize = 64;

    /// Parses `PREFIX LENGTH`.
    pub(super) fn parse(text: &'static str) -> Option<Self> {
        let (prefix, len) = text.split_once(' ')?;
        let len = len.parse().ok()?;
        let is_looked_up = (MIN_RUN_BYTES..Self::MAX_LEN).contains(&len);
        is_looked_up.then_some(Self { prefix, len })
    }
}

impl Gate {
    pub(super) const MIN_BYTES: usize = 3;

    /// Lets rules be found by their keywords, which are in lower case and have three bytes or more, and by
    /// runs of a shape.
    pub(super) fn new(
        keywords: impl IntoIterator<Item = (&'static str, usize)>,
        runs: impl IntoIterator<Item = (RunShape, usize)>,
    ) -> Self {
        let mut gate = Self {
            threes: Bitmap::default(),
            fours: Bitmap::default(),
            wholes: Bitmap::default(),
            keywords: Vec::new(),
            runs: vec![Vec::new(); RunShape::MAX_LEN],
        };
        for (run, rule) in runs {
            if let Some(same_len) = gate.runs.get_mut(run.len) {
                same_len.push((run.prefix, rule));
            }
        }
        for (keyword, rule) in keywords {
            let three = keyword.bytes().take(Self::MIN_BYTES).fold(0, roll) & THREE_BYTES;
            gate.threes.insert(three);
            match keyword.as_bytes().get(Self::MIN_BYTES) {
                Some(&fourth) => gate.fours.insert(roll(three, fourth)),
                None => gate.wholes.insert(three),
            }
            gate.keywords.push((three, keyword, rule));
        }
        gate.keywords.sort_unstable();
        gate
    }

    /// Calls `found` with the rule and the place of each occurrence of a keyword, in order.
    pub(super) fn each_hit(&self, bytes: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut last_four = 0;
        // One step more than there are bytes: a keyword may be the last thing in the text.
        for end in 0..=bytes.len() {
            last_four = roll(last_four, bytes.get(end).copied().unwrap_or(b'\n'));
            let three = last_four >> 8;
            if self.threes.contains(three)
                && (self.fours.contains(last_four) || self.wholes.contains(three))
                && let Some(start) = end.checked_sub(Self::MIN_BYTES)
            {
                let rest = bytes.get(start..).unwrap_or_default();
                self.each_keyword(three, rest, |rule| found(rule, start));
            }
        }
    }

    /// Calls `found` with the rule and the place of each of the `runs` that has a known shape, in order.
    pub(super) fn each_run(
        &self,
        bytes: &[u8],
        runs: &[Range<usize>],
        mut found: impl FnMut(usize, usize),
    ) {
        for run in runs {
            let text = bytes.get(run.clone()).unwrap_or_default();
            for (prefix, rule) in self.runs.get(run.len()).into_iter().flatten() {
                if text.starts_with(prefix.as_bytes()) {
                    found(*rule, run.start);
                }
            }
        }
    }

    // Out of line, so that the loop above stays small.
    #[inline(never)]
    fn each_keyword(&self, three: u32, rest: &[u8], mut found: impl FnMut(usize)) {
        let first = self.keywords.partition_point(|&(other, ..)| other < three);
        let here = self.keywords.get(first..).unwrap_or_default();
        for (_, keyword, rule) in here.iter().take_while(|&&(other, ..)| other == three) {
            let same = |here: &[u8]| here.eq_ignore_ascii_case(keyword.as_bytes());
            if rest.get(..keyword.len()).is_some_and(same) {
                found(*rule);
            }
        }
    }
}

const THREE_BYTES: u32 = 0x00FF_FFFF;

/// The last four bytes in lower case, after one more.
fn roll(last_four: u32, byte: u8) -> u32 {
    last_four << 8 | u32::from(byte.to_ascii_lowercase())
}

/// A set of numbers that may contain more than was put in.
struct Bitmap(Box<[u64; Self::N_WORDS]>);

impl Default for Bitmap {
    fn default() -> Self {
        Self(Box::new([0; Self::N_WORDS]))
    }
}

impl Bitmap {
    const BITS: u32 = 16;
    const N_WORDS: usize = 1 << (Self::BITS - 6);

    fn insert(&mut self, number: u32) {
        let (word, bit) = Self::place(number);
        self.0[word] |= bit;
    }

    fn contains(&self, number: u32) -> bool {
        let (word, bit) = Self::place(number);
        self.0[word] & bit != 0
    }

    fn place(number: u32) -> (usize, u64) {
        // Fibonacci hashing: the top bits of the product depend on all bytes.
        let hash = number.wrapping_mul(0x9E37_79B1) >> (32 - Self::BITS);
        ((hash >> 6) as usize % Self::N_WORDS, 1 << (hash & 63))
    }
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

/// For which judges a part of a text has nothing to offer, words apart.
///
/// Spares most prose the expressions, and a short-lived process their compilation. What a judge
/// demands of a value it finds in the run of characters around it, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Oddity {
    is_odd: bool,
    is_token_like: bool,
    is_strong: bool,
}

impl Oddity {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        for run in bytes.split(u8::is_ascii_whitespace) {
            if run.len() >= 4 {
                found.add(run);
            }
            if found.is_strong && found.is_token_like {
                break;
            }
        }
        found
    }

    pub(super) fn concerns(self, judge: Judge) -> bool {
        match judge {
            Judge::Any | Judge::Random | Judge::Password => self.is_odd,
            Judge::Token => self.is_token_like,
            Judge::Strong => self.is_strong,
        }
    }

    fn add(&mut self, run: &[u8]) {
        let (mut n_lower, mut n_upper, mut n_digits, mut n_marks) = (0, 0, 0, 0);
        let (mut n_hyphens, mut n_humps, mut was_lower) = (0, 0, false);
        for &byte in run {
            let is_upper = byte.is_ascii_uppercase();
            n_humps += usize::from(was_lower && is_upper);
            was_lower = byte.is_ascii_lowercase();
            n_lower += usize::from(was_lower);
            n_upper += usize::from(is_upper);
            n_digits += usize::from(byte.is_ascii_digit());
            n_hyphens += usize::from(byte == b'-');
            n_marks += usize::from(matches!(
                byte,
                b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'~' | b'?'
            ));
        }
        let is_babble = n_humps > 2 || is_unspeakable(run);
        let is_long = run.len() >= 8;
        let is_mixed = n_lower > 0 && n_upper > 0;
        self.is_odd |= n_digits + n_marks > 0 || n_hyphens > 1 || n_upper > 8 || is_babble;
        self.is_token_like |= is_long && ((n_digits > 0 && n_lower + n_upper > 0) || is_babble);
        let is_very_long = run.len() >= 20;
        self.is_strong |= (is_long && n_digits > 0 && (n_marks > 0 || is_mixed || is_very_long))
            || (is_very_long && is_babble);
    }
}

/// Whether a run has five consonants in a row, as few words have.
fn is_unspeakable(run: &[u8]) -> bool {
    let mut n_consonants = 0;
    run.iter().any(|byte| {
        let is_consonant = byte.is_ascii_alphabetic()
            && !matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
        n_consonants = if is_consonant { n_consonants + 1 } else { 0 };
        n_consonants >= 5
    })
}

#[cfg(test)]
mod tests {
    use super::super::long_runs::long_runs;
    use super::*;

    fn hits(text: &str) -> Vec<(usize, usize)> {
        let gate = Gate::new([("akia", 0), ("aki", 1), ("密码", 2)], []);
        let mut hits = Vec::new();
        gate.each_hit(text.as_bytes(), |rule, at| hits.push((rule, at)));
        hits
    }

    #[test]
    fn a_keyword_is_found_at_either_end_and_in_any_case() {
        assert_eq!(hits("AKIA x aKi"), [(1, 0), (0, 0), (1, 7)]);
        assert_eq!(hits("的密码"), [(2, 3)]);
        assert_eq!(hits("ak"), []);
    }

    #[test]
    fn a_run_is_found_by_its_prefix_and_its_length() {
        let gate = Gate::new([], [(RunShape::parse("SK 18").unwrap(), 7)]);
        let text = "SK0123456789abcdef SK0123456789abcdefg sk0123456789abcdef (SK0123456789abcdef)";
        let mut hits = Vec::new();
        let runs = long_runs(text.as_bytes());
        gate.each_run(text.as_bytes(), &runs, |rule, at| hits.push((rule, at)));
        assert_eq!(hits, [(7, 0), (7, 59)]);
        for bad in ["SK", "SK 64", "SK 15", "SK x"] {
            assert!(RunShape::parse(bad).is_none(), "{bad}");
        }
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
        assert_eq!((windows.len(), windows[0].clone()), (1, 3744..5025));
    }

    #[test]
    fn prose_concerns_nobody_and_anything_odd_does() {
        use Judge::{Password, Strong, Token};
        let concerns = |text: &str, judge| Oddity::of(text.as_bytes()).concerns(judge);
        for text in [
            "The token is refreshed, the password is not.",
            "令牌每小时刷新",
            "a well-known secret",
        ] {
            assert!(!concerns(text, Password), "{text}");
        }
        for text in [
            "is hunter2",
            "is a-b-c",
            "is kJhGfDsA",
            "is p@ss",
            "is qwrtpsdfgh",
        ] {
            assert!(concerns(text, Password), "{text}");
        }
        assert!(!concerns("token limit is 128000", Token));
        assert!(!concerns("password (AES256) or sha512", Strong));
        assert!(concerns("password Kx9!abcd", Strong));
    }
}
