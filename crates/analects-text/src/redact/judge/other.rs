//! Recognises what stands where a secret could and is none: references, code, numbers, addresses.

use super::Words;
use super::name::{is_name, pieces};

/// Whether `value` is something other than a secret, whatever the secret would look like.
pub(super) fn is_other(value: &str, is_quoted: bool, words: &Words) -> bool {
    is_reference(value)
        || (!is_quoted && is_code(value))
        || is_pattern(value)
        || is_number_or_date(value, words)
        || is_address(value)
        || is_path(value)
        || is_technical(value, words)
}

/// Whether it says where the value is kept: a variable, a template, a vault, an address.
fn is_reference(value: &str) -> bool {
    let is_ident = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphabetic() || c == '_' || c == '.')
    };
    let tagged = value.strip_prefix(['!', '@', '#', '&', '*']);
    value.starts_with(['{', '<', '[', '|', '>', '=', '(', ':'])
        || value.starts_with("--")
        || value.starts_with("$(")
        || value
            .strip_prefix('$')
            .is_some_and(|rest| is_variable(rest) || is_crypt(rest))
        || (value.starts_with('%') && value.ends_with('%'))
        || tagged.is_some_and(|rest| is_ident(rest) || is_hex_colour(rest))
        || value.contains("://")
        || (value.contains('<') && value.contains('>'))
        || value.contains("${")
        || value.contains("{{")
        || is_labelled(value)
}

/// The rest of `$NAME`, `$NAME[0]`, `$name->x`, `$name,…`; not of `$ecret!1`.
fn is_variable(rest: &str) -> bool {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
    after.len() + 1 < rest.len()
        && (after.is_empty() || after.starts_with(['{', '[', '(', '-', ':', '.', ',']))
}

/// Digests and addresses that say what they are: `sha256:…`, `sha512-…`, `arn:…`.
fn is_labelled(value: &str) -> bool {
    let Some((label, _)) = value.split_once([':', '-']) else {
        return false;
    };
    let is_digest = ["sha1", "sha256", "sha384", "sha512", "md5"]
        .iter()
        .any(|name| label.eq_ignore_ascii_case(name));
    let schemes = [
        "arn:", "env:", "file:", "kms:", "op:", "secret:", "ssm:", "urn:", "var:", "vault:", "ssh-",
    ];
    is_digest || schemes.iter().any(|scheme| value.starts_with(scheme))
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
    let is_variable = |name: &str| is_path_of_names(name) || is_identifier(name);
    let before = |at: usize| value.get(..at).unwrap_or_default();
    let is_called = value
        .find(['(', '[', '{'])
        .is_some_and(|at| is_variable(before(at)));
    let has_arrow = ["=>", "->", "::"].iter().any(|it| value.contains(it));
    // The end of Base64 is no comparison.
    let unpadded = value.trim_end_matches('=');
    let is_operation = ["&&", "||", "==", "!=", "?.", "??", "+="]
        .iter()
        .filter_map(|operator| unpadded.find(operator))
        .any(|at| is_variable(before(at)));
    let is_torn = value.ends_with(['(', '[', '{']) || (value.contains(']') && !value.contains('['));
    is_called || has_arrow || is_operation || is_torn || is_path_of_names(value)
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
        "(?", "[a-z", "[A-Z", "[0-9", "A-Za-z", "a-zA-Z", "a-z0-9", "A-Z0-9", "\\d", "\\w", "\\S",
        "{8,", "{0,", "{1,", ".*", ".+", ")$", "]+", "%[",
    ]
    .iter()
    .any(|part| value.contains(part))
}

fn is_number_or_date(value: &str, words: &Words) -> bool {
    is_version(value.strip_prefix(['v', 'V']).unwrap_or(value))
        || is_date(value)
        || is_quantity(value, words)
}

/// `1.2…`, whatever follows.
fn is_version(value: &str) -> bool {
    let n_digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let rest = value.get(n_digits..).unwrap_or_default();
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    (1..=4).contains(&n_digits) && rest.strip_prefix('.').is_some_and(goes_on)
}

/// `2024-01-01`, with or without a time.
fn is_date(value: &str) -> bool {
    let (year, rest) = value.split_at_checked(4).unwrap_or((value, ""));
    let is_date_part = |byte: u8| byte.is_ascii_digit() || b"-/.:TZ+".contains(&byte);
    year.bytes().all(|byte| byte.is_ascii_digit())
        && rest.starts_with(['-', '/', '.'])
        && rest.bytes().all(is_date_part)
}

/// `32-byte`, `90d`, `8-64`, `~100k`.
fn is_quantity(value: &str, words: &Words) -> bool {
    let is_unit = |piece: &str| {
        piece.starts_with(|c: char| c.is_ascii_digit())
            || words.units.contains(&piece.to_ascii_lowercase())
    };
    value.starts_with(|c: char| c.is_ascii_digit() || "~<>=+-≥≤".contains(c))
        && value.bytes().any(|byte| !byte.is_ascii_digit())
        && !value.contains(['!', '#', '$', '^', '&', '@'])
        && pieces(value).all(is_unit)
}

/// Somebody's address, an account on a machine or on a chain.
fn is_address(value: &str) -> bool {
    let is_account = value
        .strip_prefix("0x")
        .is_some_and(|hex| hex.len() == 40 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if is_account {
        return true;
    }
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

/// `/run/secrets/db`, `config/secrets.v2.yml`; Base64 has slashes, too, but no words between them.
fn is_path(value: &str) -> bool {
    let has_extension = value.rsplit_once('.').is_some_and(|(_, end)| {
        (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_windows = [":\\", "\\\\"].iter().any(|part| value.contains(part));
    let is_short =
        |segment: &str| segment.len() <= 3 && !segment.bytes().any(|byte| byte.is_ascii_digit());
    let mut segments = value.split('/');
    let are_names = segments.all(|segment| is_short(segment) || is_name(segment));
    (value.contains('/') || is_windows) && (has_extension || are_names)
}

/// Whether every part is a word or a number and one of them names a technique: `AES-256-GCM`, `base64`.
fn is_technical(value: &str, words: &Words) -> bool {
    if value.contains(['!', '$', '%', '^', '&', '*', '@', '~']) {
        return false;
    }
    let mut is_any_technical = false;
    let mut parts = value.split(|c: char| !c.is_ascii_alphanumeric());
    let are_all_plain = parts.all(|part| {
        let is_technical = is_technique(&part.to_ascii_lowercase(), words);
        is_any_technical |= is_technical;
        let is_number = part.len() <= 5 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_technical || is_number || part.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    are_all_plain && is_any_technical
}

/// `sha`, `sha256`, `base64url`, `secp256k1`, `rfc7519`; standards have longer numbers than versions.
fn is_technique(part: &str, words: &Words) -> bool {
    let mut pieces = pieces(part);
    let stem = pieces.next().unwrap_or_default();
    let tail: Vec<_> = pieces.collect();
    let is_short = match tail.as_slice() {
        [] | [_] => true,
        [_, letters] => letters.len() <= 4,
        [_, letters, number] => letters.len() <= 4 && number.len() <= 2,
        _ => false,
    };
    let n_digits = tail.first().map_or(0, |number| number.len());
    is_short
        && ((n_digits <= 3 && words.technical.contains(stem))
            || (n_digits <= 5 && words.standards.contains(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::rules::WORDS;

    #[test]
    fn what_is_none_is_recognised() {
        for value in [
            "${DB_PASSWORD}",
            "$ENV{DB_PASSWORD1",
            "$TOKEN",
            "<token>",
            "%PW%",
            "{{ token }}",
            "!Ref",
            "$2b$12$Eix",
            "sha256:9f86d081",
            "arn:aws:iam::1:role/x2",
            "getToken(1)",
            "os.environ[\"X1\"]",
            "config.db.password2",
            "a1::B2",
            "x==y2",
            "pw[:-1",
            "^[a-z0-9]{8,}$",
            "v1.2.3",
            "2024-01-01",
            "32-byte",
            "bob@corp.io",
            "0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
            "/run/secrets/db",
            "~/.aws/credentials",
            "config/secrets.v2.yml",
            "AES-256-GCM",
            "base64url",
            "ed25519",
        ] {
            assert!(is_other(value, false, &WORDS), "{value}");
        }
    }

    #[test]
    fn what_may_be_one_is_not_taken_for_something_else() {
        for value in [
            "hunter2",
            "$ecret!1",
            "aB3(kL9)x",
            "7Zq3/vKx9+LmN2==",
            "p@ss.w0rd1",
            "k12345678",
            "20240101",
        ] {
            assert!(!is_other(value, false, &WORDS), "{value}");
        }
    }
}
