//! Fingerprints: how a secret is named without being shown.

use analects_world::changes::ContentHash;

/// How many digits of a hash are shown: enough to tell secrets apart, too few to find one by.
const N_DIGITS: usize = 12;

/// `<rule>:<digits>`: what a person writes down to say that this is no secret.
#[must_use]
pub fn fingerprint(rule: &str, secret: &str) -> String {
    let digits = ContentHash::of(secret.as_bytes()).to_string();
    let digits: String = digits.chars().take(N_DIGITS).collect();
    format!("{rule}:{digits}")
}
