//! What is masked in a command must not stand elsewhere in the draft: in a sentence of the user's, or in an error.
//!
//! Only fingerprints of such values are kept. A text is compared word by word.

use analects_text::redact;

use super::step::{is_login, is_secret_option};
use super::view::hash;

/// What is shorter hides nothing, and may be a word like any other.
const MIN_BYTES: usize = 4;

/// Fingerprints of the values in a command line that are masked where it is told.
pub(super) fn values(line: &str) -> Vec<u64> {
    let mut found: Vec<u64> = redact::scan(line)
        .iter()
        .filter_map(|finding| line.get(finding.range.clone()))
        .flat_map(prints)
        .collect();
    let mut before = "";
    for word in line.split_whitespace() {
        let option = std::mem::replace(&mut before, word);
        if is_option(option) && is_secret_option(option) || is_login(option, bare(word)) {
            found.extend(prints(word));
        }
        if let Some((option, value)) = word.split_once('=')
            && is_option(option)
            && (is_secret_option(option) || is_login(option, value))
        {
            found.extend(prints(value));
        }
        // `-Uname%password`, without a blank.
        if let Some((option, value)) = word.split_at_checked(2)
            && is_login(option, value)
        {
            found.extend(prints(value));
        }
    }
    found
}

/// The fingerprints of all words of a text, and of what they are made of.
pub(super) fn prints(text: &str) -> impl Iterator<Item = u64> {
    let words = text.split_whitespace().map(bare);
    let pieces = text.split(|c: char| !c.is_alphanumeric() && !"-_.+".contains(c));
    let all = words.chain(pieces.map(bare));
    all.filter(|word| word.len() >= MIN_BYTES).map(hash)
}

fn is_option(word: &str) -> bool {
    word.starts_with('-')
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
