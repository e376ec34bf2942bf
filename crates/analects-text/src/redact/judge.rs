//! Tells a secret from a word, a name, a number or a piece of code, by its looks alone.

mod name;
mod other;

use std::collections::HashSet;

use name::{is_letter_salad, is_name, n_switches, pieces};

/// How strictly a value is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    /// The expression says it all.
    Any,
    /// Anything but a name made of words.
    Random,
    /// Said to be a password: short and simple ones exist.
    Password,
    /// Said to be a token or key: long, or of many kinds of characters.
    Token,
    /// Only near such a word: nothing else than a secret looks so.
    Strong,
}

/// Words that tell a name or a phrase, in lower case.
pub(super) struct Words {
    pub(super) technical: HashSet<String>,
    pub(super) standards: HashSet<String>,
    pub(super) nouns: HashSet<String>,
    pub(super) units: HashSet<String>,
    pub(super) prose: HashSet<String>,
}

/// Whether `value` could be a secret of the kind that `judge` looks for.
pub(super) fn accepts(judge: Judge, value: &str, is_quoted: bool, words: &Words) -> bool {
    match judge {
        Judge::Any => true,
        Judge::Random => {
            let shape = Shape::of(value);
            let is_mixed = shape.digits > 0 || (shape.lower > 0 && shape.upper > 0);
            let letters: String = value.chars().filter(char::is_ascii_alphabetic).collect();
            !is_name(value) && (is_mixed || is_letter_salad(&letters, 16))
        }
        Judge::Password | Judge::Token | Judge::Strong => {
            !other::is_other(value, is_quoted, words)
                && match judge {
                    Judge::Password => is_password(value, words),
                    Judge::Token => is_token(value),
                    _ => is_strong(value),
                }
        }
    }
}

/// Shannon entropy in bits per byte.
pub(super) fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let n_bytes = bytes.len() as f64;
    let share = |count: u32| f64::from(count) / n_bytes;
    let counts = counts.into_iter().filter(|&count| count > 0);
    -counts
        .map(|count| share(count) * share(count).log2())
        .sum::<f64>()
}

/// What a value is made of.
struct Shape {
    len: usize,
    lower: usize,
    upper: usize,
    digits: usize,
    /// Characters that passwords have and names have not.
    marks: usize,
}

impl Shape {
    fn of(value: &str) -> Self {
        let count = |is: fn(&char) -> bool| value.chars().filter(is).count();
        Self {
            len: value.chars().count(),
            lower: count(|c| c.is_lowercase()),
            upper: count(|c| c.is_uppercase()),
            digits: count(char::is_ascii_digit),
            marks: count(|c| "!@#$%^&*+=~?".contains(*c)),
        }
    }

    fn letters(&self) -> usize {
        self.lower + self.upper
    }

    fn n_kinds(&self) -> usize {
        [self.lower, self.upper, self.digits, self.marks]
            .iter()
            .filter(|&&count| count > 0)
            .count()
    }
}

fn is_password(value: &str, words: &Words) -> bool {
    // In prose these end a sentence; in a password they are not the only thing that is special.
    let core = value.trim_end_matches(['!', '?']);
    let shape = Shape::of(core);
    if value.len() < 6 || is_sequence(value, 4) {
        return false;
    }
    if shape.letters() == 0 {
        let is_plain = core.chars().all(|c| c.is_ascii_digit());
        return shape.digits >= 5 && shape.len <= 16 && (is_plain || shape.marks > 0);
    }
    if shape.marks > 0 {
        let is_mixed = shape.digits > 0 || (shape.lower > 0 && shape.upper > 0);
        return is_mixed || (value.len() >= 8 && core.contains(['!', '#', '$', '%', '^', '~']));
    }
    let is_name = is_name(core);
    let is_noun = |piece: &str| words.nouns.contains(&piece.to_ascii_lowercase());
    if is_name && pieces(core).any(is_noun) {
        return false;
    }
    if shape.digits == 0 {
        return is_passphrase(core, words) || is_letter_salad(core, 10);
    }
    let is_joined = core.contains(['-', '_', '.', '/', ':', '|', ',']);
    // `us-east-1` is a name; `summer-2024`, `blue-Tiger-42` and `kx7-pq2z` are not.
    !is_joined || !is_name || shape.digits >= 3 || (shape.digits == 2 && shape.n_kinds() >= 3)
}

fn is_token(value: &str) -> bool {
    let shape = Shape::of(value);
    if is_sequence(value, 3) || is_name(value) {
        return false;
    }
    if shape.digits == 0 || shape.letters() == 0 {
        return is_letter_salad(value, 16);
    }
    let is_long = shape.len >= 16 && entropy(value.as_bytes()) >= 3.0;
    let is_rich = shape.len >= 8 && shape.n_kinds() >= 3 && (shape.marks > 0 || shape.len >= 10);
    let is_dense = shape.len >= 10 && n_switches(value) * 2 >= shape.len;
    is_long || is_rich || is_dense
}

fn is_strong(value: &str) -> bool {
    let shape = Shape::of(value.trim_end_matches(['!', '?']));
    if is_sequence(value, 4) || is_name(value) {
        return false;
    }
    if shape.digits == 0 || shape.letters() == 0 {
        return is_letter_salad(value, 20);
    }
    let is_rich = value.len() >= 8 && (shape.n_kinds() >= 3 || Shape::of(value).n_kinds() >= 4);
    let is_long = shape.len >= 20 && entropy(value.as_bytes()) >= 3.0;
    is_rich || is_long
}

/// Whether three or more plain words are joined as in `correct-horse-battery`, unlike `up-to-date`.
fn is_passphrase(value: &str, words: &Words) -> bool {
    let parts: Vec<_> = value.split('-').collect();
    let is_word = |part: &&str| {
        part.len() >= 3
            && part.bytes().all(|byte| byte.is_ascii_lowercase())
            && !words.prose.contains(*part)
    };
    let is_participle =
        |part: &&str| part.ends_with("ed") || part.ends_with("ing") || part.ends_with("able");
    parts.len() >= 3 && parts.iter().all(is_word) && !parts.last().is_some_and(is_participle)
}

/// Whether most of it counts up or repeats, as in `abcd1234` and `00000000`.
fn is_sequence(value: &str, min_run: usize) -> bool {
    let bytes = value.as_bytes();
    let (mut covered, mut start) = (0, 0);
    for end in 1..=bytes.len() {
        let goes_on = match (bytes.get(end - 1), bytes.get(end)) {
            (Some(b'9'), Some(b'0')) => true,
            (Some(&before), Some(&here)) => here == before || here == before + 1,
            _ => false,
        };
        if !goes_on {
            if end - start >= min_run {
                covered += end - start;
            }
            start = end;
        }
    }
    covered * 5 >= bytes.len() * 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::rules::WORDS;

    fn check(judge: Judge, secrets: &[&str], others: &[&str]) {
        for value in secrets {
            assert!(
                accepts(judge, value, false, &WORDS),
                "{judge:?} misses {value}"
            );
        }
        for value in others {
            assert!(
                !accepts(judge, value, false, &WORDS),
                "{judge:?} takes {value}"
            );
        }
    }

    #[test]
    fn a_password_is_odd_for_a_word() {
        check(
            Judge::Password,
            &[
                "hunter2",
                "Tr0ub4dor&3",
                "correct-horse-battery",
                "blue-Tiger-42",
                "summer-2024",
                "839201",
                "Zürich!1",
            ],
            &[
                "required!",
                "case-sensitive",
                "up-to-date",
                "one-time-use",
                "us-east-1",
                "sha256-hashed",
                "newPassword2",
                "123456",
                "RFC7519",
            ],
        );
    }

    #[test]
    fn a_token_is_long_or_rich() {
        check(
            Judge::Token,
            &[
                "7Zq3vKx9LmN2pR5t",
                "9f86d081884c7d65",
                "k3J!x2mQ",
                "kJhGfDsAqWeRtYuI",
            ],
            &[
                "refreshed",
                "getToken2",
                "abc123def456",
                "128000",
                "my-app-tls-2024",
                "v1.2.3-beta.4",
                "config.auth.token2",
            ],
        );
    }

    #[test]
    fn near_a_word_only_the_unmistakable_counts() {
        check(
            Judge::Strong,
            &["Kx9!mQ2z", "9f86d081884c7d659a2f"],
            &[
                "hunter2",
                "refresh2",
                "OAuth2.0",
                "Sha256Hasher",
                "Ubuntu22.04",
            ],
        );
    }

    #[test]
    fn a_random_body_is_no_name() {
        check(
            Judge::Random,
            &[
                "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",
                "qkzv wnbx hrtp lmcj",
            ],
            &[
                "hf_hub_download_with_progress",
                "npm_lifecycle_event_name",
                "AWS4-HMAC-SHA256",
            ],
        );
    }

    #[test]
    fn entropy_grows_with_variety() {
        assert!(entropy(b"aaaa") < 0.01);
        assert!((entropy(b"abcd") - 2.0).abs() < 0.01);
    }
}
