//! Tells a misspelt word from another word.

/// Shorter words are one letter away from too many others.
const MIN_LETTERS: usize = 6;
/// From here on one vowel may stand for another; with two more, a letter may be missing.
const MIN_LETTERS_OF_LONG: usize = 7;

/// Whether two stems are one word, misspelt once.
///
/// Two letters that changed places, a letter not doubled, and in long words a missing letter or a wrong
/// vowel; never the first letter, which people get right.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    if short.len() + 1 < MIN_LETTERS || !short.is_ascii() || !long.is_ascii() {
        return false;
    }
    let n_same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (Some(short_rest), Some(long_rest)) = (short.get(n_same..), long.get(n_same..)) else {
        return false;
    };
    if n_same == 0 || long_rest.is_empty() {
        return false;
    }
    if short.len() == long.len() {
        return is_swap(short_rest, long_rest)
            || (short.len() >= MIN_LETTERS_OF_LONG && is_other_vowel(short_rest, long_rest));
    }
    let is_one_more = long.len() == short.len() + 1 && long_rest.get(1..) == Some(short_rest);
    let is_doubled = n_same.checked_sub(1).and_then(|at| long.get(at)) == long_rest.first();
    is_one_more && (is_doubled || (long.len() >= MIN_LETTERS_OF_LONG + 2 && !short_rest.is_empty()))
}

fn is_swap(one: &[u8], other: &[u8]) -> bool {
    matches!((one, other), ([a, b, rest @ ..], [c, d, tail @ ..]) if a == d && b == c && rest == tail)
}

fn is_other_vowel(one: &[u8], other: &[u8]) -> bool {
    let is_vowel = |byte: &u8| b"aeiou".contains(byte);
    matches!((one, other), ([a, rest @ ..], [b, tail @ ..]) if is_vowel(a) && is_vowel(b) && rest == tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_seen() {
        for (one, other) in [
            ("commit", "comit"),
            ("seperat", "separat"),
            ("recieve", "receive"),
            ("environment", "enviroment"),
            ("dependency", "dependancy"),
            ("repository", "repostiory"),
        ] {
            assert!(is_slip(one, other) && is_slip(other, one), "{one} {other}");
        }
    }

    #[test]
    fn other_words_are_no_slips() {
        for (one, other) in [
            ("upload", "unload"),
            ("preload", "reload"),
            ("contact", "contract"),
            ("enabl", "unabl"),
            ("test", "text"),
            ("sync", "async"),
            ("import", "export"),
            ("minimum", "maximum"),
            ("product", "production"),
            ("commit", "commit"),
        ] {
            assert!(!is_slip(one, other), "{one} {other}");
        }
    }
}
