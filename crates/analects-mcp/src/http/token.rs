//! The token that clients over HTTP must know: a new one, or the user's own if it cannot be guessed.

use std::collections::BTreeSet;

use analects_engine::verbs::Failure;
use uuid::Uuid;

/// The environment variable that holds the token, if it is not to be a new one.
pub(super) const VARIABLE: &str = "ANALECTS_MCP_TOKEN";

/// Fewer bits can be guessed.
const MIN_BITS: f64 = 128.0;

/// What a letter of a word is worth.
const BITS_PER_LETTER_OF_WORDS: f64 = 2.0;

/// A shorter run that counts up or repeats is chance.
const MIN_SEQUENCE: usize = 6;

/// Fewer letters in a row are no word.
const MIN_WORD: usize = 4;

/// A new token.
pub(super) fn new_token() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

/// Fails if a token of the user's own can be guessed, or cannot be sent in a header.
pub(super) fn require_strong(token: &str) -> Result<(), Failure> {
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = format!("{VARIABLE} has characters that no header can hold");
        return Err(with_hint(Failure::bad_input(message)));
    }
    if estimate_bits(token) < MIN_BITS {
        let message = format!("the token in {VARIABLE} is too weak: it needs 128 random bits");
        return Err(with_hint(Failure::bad_input(message)));
    }
    Ok(())
}

fn with_hint(failure: Failure) -> Failure {
    failure.hint("make one with `openssl rand -hex 32`, or unset the variable to get a new one")
}

/// How many bits somebody has to guess, at most; less than that if it looks as if a person thought of it.
fn estimate_bits(token: &str) -> f64 {
    let bytes = token.trim_end_matches('=').as_bytes();
    let bytes = bytes.get(..period(bytes)).unwrap_or(bytes);
    let is_any = |is: fn(&u8) -> bool| bytes.iter().any(is);
    let is_letters = !is_any(u8::is_ascii_digit);
    let is_hex = bytes
        .iter()
        .all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let (has_lower, has_upper) = (
        is_any(u8::is_ascii_lowercase),
        is_any(u8::is_ascii_uppercase),
    );
    let pool = match (has_lower && has_upper, is_hex, is_letters) {
        _ if !has_lower && !has_upper => 10,
        (false, true, _) => 16,
        (false, false, true) => 26,
        (false, false, false) => 36,
        (true, _, true) => 52,
        (true, _, false) => 62,
    };
    // Where there is no other sign of chance, a hyphen parts words or groups.
    let n_chars = match has_lower && has_upper {
        true => bytes.len(),
        false => bytes
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .count(),
    };
    let n_chars = n_chars.saturating_sub(n_predictable(bytes));
    if n_in_words(bytes) * 3 >= bytes.len() * 2 {
        return n_chars as f64 * BITS_PER_LETTER_OF_WORDS;
    }
    let bits = n_chars as f64 * f64::from(pool).log2() * variety(bytes, pool);
    match Uuid::try_parse(token).is_ok() && token.contains('-') {
        // Six bits of a UUID are always the same.
        true => bits - 6.0,
        false => bits,
    }
}

/// The length of the part that is repeated over and over; the whole length if none is.
fn period(bytes: &[u8]) -> usize {
    // Longer tokens are strong or weak long before this.
    let bytes = bytes.get(..512).unwrap_or(bytes);
    let repeats = |len: &usize| {
        let shifted = bytes.iter().skip(*len);
        shifted.zip(bytes).all(|(later, earlier)| later == earlier)
    };
    (1..=bytes.len() / 2).find(repeats).unwrap_or(usize::MAX)
}

/// How many characters follow from the one before: of a sequence all but the first.
fn n_predictable(bytes: &[u8]) -> usize {
    let mut n_predictable = 0;
    for step in [0_i16, 1, -1] {
        let mut run = 1;
        let pairs = bytes.array_windows::<2>().map(Some);
        for pair in pairs.chain([None]) {
            let goes_on =
                pair.is_some_and(|[before, here]| i16::from(*here) - i16::from(*before) == step);
            if goes_on {
                run += 1;
                continue;
            }
            if run >= MIN_SEQUENCE {
                n_predictable += run - 1;
            }
            run = 1;
        }
    }
    n_predictable
}

/// How many characters belong to words: small letters in a row with a vowel among them, and what
/// stands before the first, for example a capital.
fn n_in_words(bytes: &[u8]) -> usize {
    let lower = bytes.to_ascii_lowercase();
    // Without small letters, capitals make the words.
    let has_lower = bytes.iter().any(u8::is_ascii_lowercase);
    let bytes = if has_lower { bytes } else { &lower };
    let starts_word = |byte: &u8| !byte.is_ascii_lowercase();
    let is_vowel = |byte: &u8| b"aeiouy".contains(byte);
    let mut starts: Vec<_> = (0..bytes.len())
        .filter(|at| bytes.get(*at).is_some_and(starts_word))
        .collect();
    starts.insert(0, 0);
    starts.push(bytes.len());
    let words = starts
        .array_windows()
        .filter_map(|[from, to]| bytes.get(*from..*to));
    words
        .filter(|word| word.len() >= MIN_WORD && word.iter().any(is_vowel))
        .map(<[u8]>::len)
        .sum()
}

/// How many different characters there are beside how many chance would bring, at most 1.
fn variety(bytes: &[u8], pool: u32) -> f64 {
    let distinct = bytes.iter().collect::<BTreeSet<_>>().len() as f64;
    let pool = f64::from(pool);
    let expected = pool * (1.0 - (1.0 - 1.0 / pool).powf(bytes.len() as f64));
    // Chance never brings as few as half of that.
    if distinct >= expected * 0.6 {
        1.0
    } else {
        distinct / expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    #[test]
    fn a_token_of_fewer_than_128_bits_is_refused_with_a_way_to_make_one() {
        for token in [
            "secret".to_owned(),
            "a".repeat(64),
            "ab".repeat(64),
            "0123456789abcdef".repeat(4),
            "0123456789".repeat(8),
            "abcdefghijklmnopqrstuvwxyz0123456789".to_owned(),
            "correct-horse-battery-staple-and-a-pond".to_owned(),
            "MyVeryLongSecretTokenAnalectsServerLaptop26".to_owned(),
            "password".repeat(8),
            "123e4567-e89b-42d3-a456-426614174000".to_owned(),
            "9f86d081884c7d659a2feaa0c55ad01".to_owned(),
            "7Zq3vKx9LmN2pR5tY8wB1".to_owned(),
            "x 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b".to_owned(),
            "9f86d081884c7d659a2feaa0c55ad015é".to_owned(),
        ] {
            let failure = require_strong(&token).unwrap_err();
            assert!(!failure.to_string().contains(&token), "{token}");
            assert!(failure.hints[0].contains("openssl rand"), "{failure}");
        }
    }

    #[test]
    fn a_random_token_is_accepted_however_it_is_spelled() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        };
        let (mut n_long, mut n_short) = (0, 0);
        for _ in 0..2_000 {
            let bits = u128::from(next()) << 64 | u128::from(next());
            let mut letters = |n_letters: usize, n_kinds: u64| -> String {
                let letter = |_| char::from(LETTERS[(next() % n_kinds) as usize]);
                (0..n_letters).map(letter).collect()
            };
            for token in [
                format!("{bits:032x}"),
                format!("{bits:032X}"),
                letters(43, 64),
                letters(43, 62),
            ] {
                n_long += usize::from(require_strong(&token).is_ok());
            }
            n_short += usize::from(require_strong(&letters(24, 64)).is_ok());
        }
        // A few look like words by chance.
        assert!(n_long >= 7_996, "{n_long} of 8,000");
        assert!(n_short >= 1_980, "{n_short} of 2,000");
        assert!(require_strong(&new_token()).is_ok());
    }
}
