//! Counts the kinds of characters in a text, as far as they matter for its token cost.
//!
//! Tokenizers differ most in digits and in scripts other than Latin, so one number for a text cannot be right
//! for all of them. These are the numbers to give weights to: see what a script costs, not what it says.

use std::ops::AddAssign;

/// How many characters of each kind a text has.
///
/// Mixes add up: that of two texts is the sum of theirs, but for a seam between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mix {
    /// ASCII letters and white space: words.
    pub plain: usize,
    /// Places inside a word where letters meet digits or a small letter a capital: `base64`, `camelCase`. Words
    /// of people have none; in keys, hashes and encoded bytes every second character is one.
    pub seams: usize,
    /// ASCII digits.
    pub digits: usize,
    /// All other ASCII characters.
    pub marks: usize,
    /// Characters of two bytes: Latin with accents, Greek, Cyrillic, Hebrew, Arabic.
    pub letters: usize,
    /// The alphabets and syllabaries of three bytes: of India, Thai, Georgian; Vietnamese vowels.
    pub syllables: usize,
    /// Chinese, Japanese, Korean.
    pub cjk: usize,
    /// Dashes, arrows, boxes; and characters of four bytes, emoji above all, each of which counts twice.
    pub symbols: usize,
}

impl Mix {
    /// How many kinds there are.
    pub const KINDS: usize = 8;

    /// The mix of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut mix = Self::default();
        // In chunks small enough for byte-wide counters, so that the loops compile to vector code.
        for chunk in bytes.chunks(CHUNK) {
            mix.add_chunk(chunk);
        }
        let after = bytes.get(1..).unwrap_or_default();
        for (before, after) in bytes.chunks(CHUNK).zip(after.chunks(CHUNK)) {
            mix.seams += seams(before, after);
        }
        mix
    }

    /// The numbers in a fixed order, for a record.
    #[must_use]
    pub fn to_array(self) -> [usize; Self::KINDS] {
        let Self {
            plain,
            seams,
            digits,
            marks,
            letters,
            syllables,
            cjk,
            symbols,
        } = self;
        [
            plain, seams, digits, marks, letters, syllables, cjk, symbols,
        ]
    }

    /// The mix with these numbers.
    #[must_use]
    pub fn from_array(numbers: [usize; Self::KINDS]) -> Self {
        let [
            plain,
            seams,
            digits,
            marks,
            letters,
            syllables,
            cjk,
            symbols,
        ] = numbers;
        Self {
            plain,
            seams,
            digits,
            marks,
            letters,
            syllables,
            cjk,
            symbols,
        }
    }

    fn add_chunk(&mut self, bytes: &[u8]) {
        let (mut ascii, mut plain, mut digits) = (0_u8, 0_u8, 0_u8);
        let (mut from_c0, mut from_e0, mut from_e2, mut from_e3, mut from_f0) = (0_u8, 0, 0, 0, 0);
        for &byte in bytes {
            ascii += u8::from(byte < 0x80);
            plain += u8::from(is_letter(byte) | (byte <= b' '));
            digits += u8::from(is_digit(byte));
            from_c0 += u8::from(byte >= 0xC0);
            from_e0 += u8::from(byte >= 0xE0);
            from_e2 += u8::from(byte >= 0xE2);
            from_e3 += u8::from(byte >= 0xE3);
            from_f0 += u8::from(byte >= 0xF0);
        }
        self.plain += usize::from(plain);
        self.digits += usize::from(digits);
        self.marks += usize::from(ascii - plain - digits);
        self.letters += usize::from(from_c0 - from_e0);
        self.syllables += usize::from(from_e0 - from_e2);
        self.cjk += usize::from(from_e3 - from_f0);
        self.symbols += usize::from(from_e2 - from_e3) + 2 * usize::from(from_f0);
    }
}

impl AddAssign for Mix {
    fn add_assign(&mut self, other: Self) {
        let mut sum = self.to_array();
        for (number, more) in sum.iter_mut().zip(other.to_array()) {
            *number = number.saturating_add(more);
        }
        *self = Self::from_array(sum);
    }
}

const CHUNK: usize = 240;

fn seams(before: &[u8], after: &[u8]) -> usize {
    let mut n_seams = 0_u8;
    for (&before, &after) in before.iter().zip(after) {
        let meets_digit =
            (is_letter(before) & is_digit(after)) | (is_digit(before) & is_letter(after));
        n_seams += u8::from(meets_digit | (is_small(before) & is_capital(after)));
    }
    usize::from(n_seams)
}

fn is_letter(byte: u8) -> bool {
    is_small(byte | 0x20)
}

fn is_small(byte: u8) -> bool {
    byte.wrapping_sub(b'a') < 26
}

fn is_capital(byte: u8) -> bool {
    byte.wrapping_sub(b'A') < 26
}

fn is_digit(byte: u8) -> bool {
    byte.wrapping_sub(b'0') < 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_script_has_its_place() {
        let numbers = |text| Mix::of(text).to_array();
        assert_eq!(numbers(""), [0; 8]);
        assert_eq!(numbers("two words\n"), [10, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(numbers("a1B cD2"), [5, 4, 2, 0, 0, 0, 0, 0]);
        assert_eq!(numbers("{\"x\": 12}"), [2, 0, 2, 5, 0, 0, 0, 0]);
        assert_eq!(numbers("é§жب"), [0, 0, 0, 0, 4, 0, 0, 0]);
        assert_eq!(numbers("हไệ"), [0, 0, 0, 0, 0, 3, 0, 0]);
        assert_eq!(numbers("记かハ한，"), [0, 0, 0, 0, 0, 0, 5, 0]);
        assert_eq!(numbers("→—🦀"), [0, 0, 0, 0, 0, 0, 0, 4]);
    }

    fn slowly(text: &str) -> Mix {
        let mut mix = Mix::default();
        let mut before = ' ';
        for c in text.chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '\0'..=' ' => mix.plain += 1,
                '0'..='9' => mix.digits += 1,
                c if c.is_ascii() => mix.marks += 1,
                '\u{80}'..='\u{7FF}' => mix.letters += 1,
                '\u{800}'..='\u{1FFF}' => mix.syllables += 1,
                '\u{2000}'..='\u{2FFF}' => mix.symbols += 1,
                '\u{3000}'..='\u{FFFF}' => mix.cjk += 1,
                _ => mix.symbols += 2,
            }
            let is_seam = (before.is_ascii_alphabetic() && c.is_ascii_digit())
                || (before.is_ascii_digit() && c.is_ascii_alphabetic())
                || (before.is_ascii_lowercase() && c.is_ascii_uppercase());
            mix.seams += usize::from(is_seam);
            before = c;
        }
        mix
    }

    proptest! {
        #[test]
        fn bytes_and_characters_agree(text in "(?s)([a-cA-C0-3]|.){0,700}") {
            prop_assert_eq!(Mix::of(&text), slowly(&text));
        }

        #[test]
        fn mixes_add_up_but_for_a_seam(a in "(?s)([a-cA-C0-3]|.){0,300}", b in "(?s)([a-cA-C0-3]|.){0,300}") {
            let mut sum = Mix::of(&a);
            sum += Mix::of(&b);
            let whole = Mix::of(&format!("{a}{b}"));
            prop_assert!(whole.seams - sum.seams <= 1);
            prop_assert_eq!(Mix { seams: 0, ..whole }, Mix { seams: 0, ..sum });
        }
    }
}
