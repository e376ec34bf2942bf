//! Leads an English word back to its stem, well enough to compare.
//!
//! Stems are keys, not words: `caches` and `caching` meet in `cach`. Two words that are often told apart
//! must not meet; that some forms of one word do not meet costs less.

use super::lexicon::ENGLISH;

/// The key of a lower-case word. Other than plain Latin words stay as they are.
#[must_use]
pub fn stem(word: &str) -> String {
    let mut key = word.to_owned();
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return key;
    }
    if ENGLISH.is_whole(&key) {
        return key;
    }
    strip_plural(&mut key);
    if ENGLISH.is_whole(&key) {
        return key;
    }
    strip_past_and_progressive(&mut key);
    if key.len() >= 8 && key.ends_with("ation") {
        cut(&mut key, 3);
    }
    settle(&mut key);
    key
}

fn strip_plural(key: &mut String) {
    if key.len() > 4 && key.ends_with("ies") {
        cut(key, 3);
        key.push('y');
    } else if key.ends_with('s') && !["ss", "us", "is"].iter().any(|end| key.ends_with(end)) {
        cut(key, 1);
    }
}

fn strip_past_and_progressive(key: &mut String) {
    if key.len() > 4 && key.ends_with("ied") {
        cut(key, 3);
        key.push('y');
    } else if key.ends_with("ed") && !key.ends_with("eed") && is_syllable(key, 2) {
        cut(key, 2);
    } else if key.ends_with("ing") && is_syllable(key, 3) {
        cut(key, 3);
    }
}

/// Whether what stays without the last `n` letters can be a word.
fn is_syllable(key: &str, n: usize) -> bool {
    let rest = &key.as_bytes()[..key.len().saturating_sub(n)];
    rest.len() >= 2 && rest.iter().any(|byte| b"aeiouy".contains(byte))
}

/// Drops what inflection doubles or swallows, and picks one of two spellings.
fn settle(key: &mut String) {
    if key.len() >= 4 && key.ends_with('e') {
        cut(key, 1);
    }
    if key.len() >= 8 && key.ends_with("at") {
        cut(key, 2);
    }
    if let [.., before, last] = *key.as_bytes()
        && before == last
        && key.len() >= 4
        && (!b"lszfaeiou".contains(&last) || (last == b'l' && key.len() >= 6))
    {
        cut(key, 1);
    }
    for (british, american) in [("is", "iz"), ("ys", "yz"), ("our", "or"), ("ogu", "og")] {
        if key.len() >= 6 && key.ends_with(british) {
            cut(key, british.len());
            key.push_str(american);
        }
    }
}

/// Keys are ASCII: every byte is a character.
fn cut(key: &mut String, n: usize) {
    key.truncate(key.len().saturating_sub(n));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(forms: &[&str]) {
        let keys: Vec<String> = forms.iter().map(|form| stem(form)).collect();
        assert!(
            keys.iter().all(|key| *key == keys[0]),
            "{forms:?}: {keys:?}"
        );
    }

    #[test]
    fn forms_of_one_word_meet() {
        meet(&["commit", "commits", "committed", "committing"]);
        meet(&["cache", "caches", "cached", "caching"]);
        meet(&["branch", "branches", "branching"]);
        meet(&["dependency", "dependencies"]);
        meet(&["copy", "copies", "copied", "copying"]);
        meet(&["run", "runs", "running"]);
        meet(&["add", "adds", "added", "adding"]);
        meet(&["install", "installs", "installed", "installation"]);
        meet(&["configure", "configures", "configuration", "configuring"]);
        meet(&["indent", "indents", "indentation", "indenting"]);
        meet(&["alias", "aliases"]);
        meet(&["embed", "embeds", "embedded"]);
        meet(&["class", "classes"]);
        meet(&["string", "strings"]);
        meet(&["validate", "validates", "validation", "validating"]);
    }

    #[test]
    fn british_and_american_spellings_meet() {
        meet(&["behaviour", "behavior", "behaviours"]);
        meet(&[
            "optimise",
            "optimize",
            "optimising",
            "optimization",
            "optimisation",
        ]);
        meet(&["labelled", "labeled", "label", "labels", "labelling"]);
        meet(&["catalogue", "catalog", "catalogs"]);
        meet(&["analyse", "analyze", "analysing"]);
        meet(&["cancelled", "canceled", "cancel"]);
    }

    #[test]
    fn words_that_are_told_apart_stay_apart() {
        for (one, other) in [
            ("https", "http"),
            ("string", "str"),
            ("product", "production"),
            ("redis", "red"),
            ("class", "cla"),
            ("thing", "th"),
            ("file", "fill"),
            ("need", "ne"),
            ("format", "formatter"),
            ("test", "text"),
        ] {
            assert_ne!(stem(one), stem(other));
        }
    }
}
