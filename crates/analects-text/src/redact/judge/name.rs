//! Tells a name that somebody thought of from characters that nobody did.

/// Whether `value` is put together from words, as `getUserById2` and `my-app-v2` are.
pub(super) fn is_name(value: &str) -> bool {
    let is_number = |piece: &&str| piece.starts_with(|c: char| c.is_ascii_digit());
    // The `v` of a version belongs to its number.
    let pieces = pieces(value).filter(|piece| !piece.eq_ignore_ascii_case("v"));
    let (numbers, letters): (Vec<_>, Vec<_>) = pieces.partition(is_number);
    let n_digits: usize = numbers.iter().map(|piece| piece.len()).sum();
    let n_letters: usize = letters.iter().map(|piece| piece.len()).sum();
    let len = n_letters + n_digits;
    // Chance makes short words only: the longer the name, the longer they must be.
    let min_tenths = if len < 16 { 25 } else { 33 };
    letters.len() * min_tenths <= n_letters * 10
        && numbers.len() <= 1 + len / 12
        && n_digits * 3 <= len
        && !value.contains(['!', '#', '^', '~'])
        && are_words(&letters)
}

/// Whether the letters of `pieces` follow one another as they do in words.
fn are_words(pieces: &[&str]) -> bool {
    // Abbreviations say nothing either way, as long as they are not most of it.
    let is_short =
        |piece: &&str| piece.len() <= 4 && piece.bytes().all(|byte| byte.is_ascii_uppercase());
    let (short, long): (Vec<&str>, Vec<&str>) = pieces.iter().copied().partition(is_short);
    let n_letters = |pieces: &[&str]| pieces.iter().map(|piece| piece.len()).sum::<usize>();
    if long.is_empty() {
        return !short.is_empty();
    }
    // A letter alone is rare in names.
    let n_pairs: usize = long.iter().map(|piece| (piece.len() - 1).max(1)).sum();
    let pairs = long
        .iter()
        .flat_map(|piece| piece.as_bytes().array_windows::<2>());
    let n_usual = pairs.filter(|pair| is_usual(**pair)).count();
    n_letters(&short) <= n_letters(&long) && n_usual * 4 >= n_pairs * 3
}

/// What may follow each letter: 19 in 20 neighbours in words of documentation and code, 2 in 5 by chance.
const FOLLOWERS: [&str; 26] = [
    "bcdfgiklmnprstuvwy",
    "aceilorsuy",
    "acehiklmorstuy",
    "abdeilorsu",
    "abcdefgilmnopqrstuvwxy",
    "acdefilorstu",
    "aeghilnorsu",
    "adeimortu",
    "abcdefglmnoprstvxz",
    "aeosuw",
    "aeis",
    "adeilostuy",
    "abeilmopsuy",
    "acdefgiklnostuvy",
    "abcdfgiklmnoprstuvw",
    "aehiloprstuy",
    "u",
    "acdefgiklmnoprstuvy",
    "aceghiklmnopqrstuwy",
    "acdefhilmnoprstuwxy",
    "abcefgilmnprst",
    "aeio",
    "aehinors",
    "aeipt",
    "aemnpst",
    "aeo",
];

fn is_usual([first, second]: [u8; 2]) -> bool {
    let row = first.to_ascii_lowercase().wrapping_sub(b'a');
    let followers = FOLLOWERS.get(usize::from(row)).copied().unwrap_or_default();
    followers.as_bytes().contains(&second.to_ascii_lowercase())
}

/// The words and numbers of a name: `getURLv2-ok` is `get`, `URL`, `v`, `2`, `ok`.
pub(super) fn pieces(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        let len = piece_len(rest.as_bytes());
        let (piece, after) = rest.split_at_checked(len)?;
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

fn piece_len(bytes: &[u8]) -> usize {
    let run = |is: fn(&u8) -> bool| bytes.iter().take_while(|byte| is(byte)).count();
    let upper = run(u8::is_ascii_uppercase);
    match bytes.first() {
        Some(byte) if byte.is_ascii_digit() => run(u8::is_ascii_digit),
        Some(byte) if byte.is_ascii_lowercase() => run(u8::is_ascii_lowercase),
        _ => {
            let after = bytes.get(upper..).unwrap_or_default();
            let lower = after
                .iter()
                .take_while(|byte| byte.is_ascii_lowercase())
                .count();
            match (upper, lower) {
                (_, 0) => upper,
                // The last capital belongs to the word that follows: `URL` and `Parser`.
                (2.., _) => upper - 1,
                _ => upper + lower,
            }
        }
    }
}

/// Between letters, capitals and digits.
pub(super) fn n_switches(value: &str) -> usize {
    pieces(value).count().saturating_sub(1)
}

/// Whether letters without a digit are no word: `kJhGfDsAqWeRtY`, `qwrtpsdfghjk`.
pub(super) fn is_letter_salad(value: &str, min_len: usize) -> bool {
    if value.len() < min_len || !value.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let pieces: Vec<_> = pieces(value).collect();
    let is_mixed = value.bytes().any(|byte| byte.is_ascii_lowercase()) && pieces.len() >= 4;
    (is_mixed && value.len() < 3 * pieces.len()) || !are_words(&pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_falls_into_words_and_numbers() {
        let found: Vec<_> = pieces("getURLParser2-ok_é9").collect();
        assert_eq!(found, ["get", "URL", "Parser", "2", "ok", "9"]);
    }

    #[test]
    fn names_are_told_from_noise() {
        for name in [
            "getUserById2",
            "my-app-v2",
            "HTTPServer",
            "kubernetes",
            "AWS4-HMAC-SHA256",
        ] {
            assert!(is_name(name), "{name}");
        }
        for noise in [
            "44HFFEhrojn87NXWr73U",
            "qwrtpsdfghjk",
            "a1b2c3d4",
            "9f86d081884c7d65",
            "2024",
        ] {
            assert!(!is_name(noise), "{noise}");
        }
    }
}
