//! Tells a secret from a word, a name, a number or a piece of code, by its looks alone.

use std::collections::HashSet;

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
            (shape.digits > 0 || (shape.lower > 0 && shape.upper > 0)) && !is_name(value)
        }
        Judge::Password | Judge::Token | Judge::Strong => {
            let is_other = is_reference(value)
                || (!is_quoted && is_code(value))
                || is_pattern(value)
                || is_number_or_date(value, words)
                || is_address(value)
                || is_path(value)
                || is_technical(value, words);
            !is_other
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
    if pieces(core).any(|piece| words.nouns.contains(&piece.to_ascii_lowercase())) {
        return false;
    }
    if shape.digits == 0 {
        return is_passphrase(core, words) || is_letter_salad(core, 10);
    }
    let is_joined = core.contains(['-', '_', '.', '/', ':', '|', ',']);
    // `us-east-1` is a name, `summer-2024` and `kx7-pq2z` are not.
    !is_joined || !is_name(core) || shape.digits >= 3
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
    if is_sequence(value, 4) || is_name(value) || shape.digits == 0 || shape.letters() == 0 {
        return false;
    }
    let is_rich = value.len() >= 8 && (shape.n_kinds() >= 3 || Shape::of(value).n_kinds() >= 4);
    let is_long = shape.len >= 20 && entropy(value.as_bytes()) >= 3.2;
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

/// Whether letters without a digit are no word: `kJhGfDsAqWeRtY`, `qwrtpsdfghjk`.
fn is_letter_salad(value: &str, min_len: usize) -> bool {
    if value.len() < min_len || !value.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let pieces: Vec<_> = pieces(value).collect();
    let is_mixed = value.bytes().any(|byte| byte.is_ascii_lowercase()) && pieces.len() >= 4;
    (is_mixed && value.len() < 3 * pieces.len()) || !are_words(&pieces)
}

/// Whether `value` is put together from words, as `getUserById2` and `my-app-v2` are.
fn is_name(value: &str) -> bool {
    let is_number = |piece: &&str| piece.starts_with(|c: char| c.is_ascii_digit());
    let (numbers, letters): (Vec<_>, Vec<_>) = pieces(value).partition(is_number);
    let n_digits: usize = numbers.iter().map(|piece| piece.len()).sum();
    let n_letters: usize = letters.iter().map(|piece| piece.len()).sum();
    let len = n_letters + n_digits;
    letters.len() * 3 <= n_letters
        && numbers.len() <= 1 + len / 12
        && n_digits * 3 <= len
        && !value.contains(['!', '#', '^', '~'])
        && are_words(&letters)
}

/// Whether the letters of `pieces` follow one another as they do in words.
fn are_words(pieces: &[&str]) -> bool {
    let (mut n_pairs, mut n_usual) = (0, 0);
    for piece in pieces {
        // Abbreviations say nothing either way; a letter alone is rare in names.
        if piece.len() <= 4 && piece.bytes().all(|byte| byte.is_ascii_uppercase()) {
            continue;
        }
        let pairs = piece.as_bytes().array_windows::<2>();
        n_pairs += (piece.len() - 1).max(1);
        n_usual += pairs.filter(|pair| is_usual(**pair)).count();
    }
    n_pairs > 0 && n_usual * 4 >= n_pairs * 3
}

/// What may follow each letter: 19 in 20 neighbours in words of documentation and code, 2 in 5 by chance.
const FOLLOWERS: [&str; 26] = [
    "bcdfgiklmnprstuvwy",
    "aceilorsu",
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
    "abeilmopsu",
    "acdefgiklnostuv",
    "abcdfgiklmnoprstuvw",
    "aehiloprstu",
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
fn pieces(value: &str) -> impl Iterator<Item = &str> {
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
fn n_switches(value: &str) -> usize {
    pieces(value).count().saturating_sub(1)
}

/// Whether most of it counts up or repeats, as in `abcd1234` and `00000000`.
fn is_sequence(value: &str, min_run: usize) -> bool {
    let lower = value.to_ascii_lowercase();
    let bytes = lower.as_bytes();
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

/// Whether it says where the value is kept: a variable, a template, a vault, an address.
fn is_reference(value: &str) -> bool {
    let is_ident = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphabetic() || c == '_' || c == '.')
    };
    let tagged = value.strip_prefix(['!', '@', '#', ':', '&', '*']);
    value.starts_with(['{', '<', '[', '|', '>', '=', '('])
        || value.starts_with("--")
        || value.starts_with("${")
        || value.starts_with("$(")
        || value
            .strip_prefix('$')
            .is_some_and(|rest| is_ident(rest) || is_crypt(rest))
        || (value.starts_with('%') && value.ends_with('%'))
        || tagged.is_some_and(|rest| is_ident(rest) || is_hex_colour(rest))
        || value.contains("://")
        || (value.contains('<') && value.contains('>'))
        || value.contains("${")
        || value.contains("{{")
        || [
            "sha1",
            "sha256",
            "sha384",
            "sha512",
            "md5",
            "arn",
            "vault",
            "env",
            "file",
            "ssm",
            "kms",
            "op",
            "base64",
            "urn",
            "secret",
            "var",
            "data",
            "ssh-rsa",
            "ssh-ed25519",
        ]
        .iter()
        .any(|scheme| {
            value
                .strip_prefix(scheme)
                .is_some_and(|rest| rest.starts_with([':', '-', '(']))
                && !value.starts_with("base64:")
        })
}

/// Hashes as crypt(3) writes them: `2b$12$…`, `argon2id$v=19$…`.
fn is_crypt(rest: &str) -> bool {
    rest.split_once('$').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.len() <= 16
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

fn is_hex_colour(rest: &str) -> bool {
    rest.len() <= 8 && rest.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_code(value: &str) -> bool {
    let is_called = value
        .find(['(', '[', '{'])
        .and_then(|at| value.get(..at))
        .is_some_and(|name| is_path_of_names(name) || is_identifier(name));
    let has_operator = [
        "::", "->", "=>", "&&", "||", "==", "!=", "?.", "()", "[]", "??", "+=",
    ]
    .iter()
    .any(|operator| value.contains(operator));
    is_called || has_operator || is_path_of_names(value) || value.ends_with(['(', '[', '{'])
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
        || (name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && is_name(name))
}

/// Names joined by dots: `config.db.password`, `os.environ`, `db-1.internal:5432`.
fn is_path_of_names(value: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '#'))
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-$:#".contains(c))
    };
    value.contains('.')
        && value.split('.').all(is_part)
        && value
            .split('.')
            .any(|part| part.len() >= 3 && is_name(part))
}

/// Whether it is an expression itself, as in the documentation of a rule for passwords.
fn is_pattern(value: &str) -> bool {
    [
        "(?", "[a-z", "[A-Z", "[0-9", "[\\w", "\\d", "\\w", "\\S", "{8,", ".*", ".+", ")$", "]+",
        "%[", "{0,", "{1,",
    ]
    .iter()
    .any(|part| value.contains(part))
}

fn is_number_or_date(value: &str, words: &Words) -> bool {
    let starts_with_digit = value.starts_with(|c: char| c.is_ascii_digit());
    let n_leading = value.bytes().take_while(u8::is_ascii_digit).count();
    let after = value.get(n_leading..).unwrap_or_default();
    let is_version = |text: &str| {
        let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = text.get(n_digits..).unwrap_or_default();
        n_digits > 0
            && n_digits <= 4
            && rest
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_date = n_leading == 4 && is_date_tail(after);
    let is_unit = |piece: &str| {
        piece.starts_with(|c: char| c.is_ascii_digit())
            || words.units.contains(&piece.to_ascii_lowercase())
    };
    let is_quantity = value.starts_with(|c: char| c.is_ascii_digit() || "~<>=+-≥≤".contains(c))
        && value.bytes().any(|byte| !byte.is_ascii_digit())
        && !value.contains(['!', '#', '$', '^', '&', '@'])
        && pieces(value).all(is_unit);
    (starts_with_digit && (is_version(value) || is_date))
        || value.strip_prefix(['v', 'V']).is_some_and(is_version)
        || is_quantity
}

fn is_date_tail(after: &str) -> bool {
    let mut bytes = after.bytes();
    matches!(bytes.next(), Some(b'-' | b'/' | b'.'))
        && bytes.next().is_some_and(|byte| byte.is_ascii_digit())
        && after
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"-/.:TZ+".contains(&byte))
}

/// Somebody's address, or an account on a machine.
fn is_address(value: &str) -> bool {
    let Some((local, domain)) = value.split_once('@') else {
        return false;
    };
    let is_plain = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c))
    };
    let has_zone = domain.rsplit_once('.').is_some_and(|(_, zone)| {
        zone.len() >= 2 && zone.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    let is_lower = value
        .chars()
        .all(|c| c.is_ascii_lowercase() || "@._-".contains(c));
    is_plain(local) && is_plain(domain) && (has_zone || is_lower)
}

fn is_path(value: &str) -> bool {
    let has_extension = value.rsplit_once('.').is_some_and(|(_, end)| {
        (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let starts = ["/", "./", "../", "~/", "C:\\", "D:\\", "\\\\"];
    let is_rooted = starts.iter().any(|start| value.starts_with(start));
    let segments = value.split('/').filter(|segment| !segment.is_empty());
    is_rooted
        && segments
            .clone()
            .all(|segment| is_name(segment) || has_extension)
        || (value.contains('/') && (has_extension || segments.clone().all(is_name)))
}

/// Whether every part is a word or a number and one of them names a technique: `AES-256-GCM`, `base64`.
fn is_technical(value: &str, words: &Words) -> bool {
    if value.contains(['!', '#', '$', '%', '^', '&', '*', '@', '~']) {
        return false;
    }
    let mut parts = value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
        .peekable();
    let mut is_any_technical = false;
    let are_all_plain = parts.all(|part| {
        let lower = part.to_ascii_lowercase();
        let stem = lower.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let stem = if stem.is_empty() {
            lower.as_str()
        } else {
            stem
        };
        let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let tail = lower.len() - stem.len();
        let is_technical = words.technical.contains(stem) && tail <= 9;
        is_any_technical |= is_technical;
        let is_number = part.len() <= 5 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_technical || is_number || part.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    are_all_plain && is_any_technical
}
