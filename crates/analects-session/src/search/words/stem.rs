//! Leads a word back to a key for searching.
//!
//! Goes further than what compares rules: who looks for `deployment` also wants `deploy`, and `failure`
//! is found by `fails`. Whether two words that meet here are the same, the rest of the question decides.

use std::collections::HashMap;
use std::sync::LazyLock;

use analects_text::likeness::stem as inflected;

/// Endings that make one word from another, and how long the rest must be.
const ENDINGS: [(&str, usize); 22] = [
    ("fulness", 4),
    ("ability", 4),
    ("ibility", 4),
    ("ically", 4),
    ("ment", 4),
    ("ness", 4),
    ("able", 4),
    ("ible", 4),
    ("ance", 5),
    ("ence", 5),
    ("sion", 3),
    ("tion", 4),
    ("ally", 4),
    ("ity", 4),
    ("ful", 4),
    ("ure", 4),
    ("ive", 4),
    ("al", 5),
    ("ly", 4),
    ("er", 4),
    ("or", 4),
    ("ic", 5),
];

/// Words whose ending is none.
const WHOLE: &str = "production product server number order folder header footer buffer integer \
    character parameter computer docker cluster register pointer error editor monitor vector cursor \
    author mirror color factor tensor processor general internal external terminal signal global \
    local manual journal virtual material optional partial password version session permission \
    document comment component environment element statement segment argument deployment-id fragment \
    moment measure feature future structure signature picture texture gesture picker sequence \
    reference instance distance sentence balance family early reply apply supply multiply assembly \
    only daily weekly ability utility quality identity entity activity university city active native \
    archive drive receive derive primitive relative positive negative alternative public basic \
    traffic music graphic topic static dynamic metric generic table stable variable cable enable \
    disable available possible million opinion option station nation section action position \
    condition function exception partition collection region union store restore ignore explore matter";

/// Forms that follow no rule, and what they are forms of.
const IRREGULAR: &str = "broke break broken break ran run wrote write written write built build sent send \
    lost lose froze freeze frozen freeze began begin begun begin chose choose chosen choose came come \
    caught catch fell fall fallen fall found find forgot forget forgotten forget gave give given give \
    grew grow grown grow held hold hidden hide hid hide kept keep knew know known know led lead left \
    leave made make meant mean paid pay rebuilt rebuild reran rerun rewrote rewrite rewritten rewrite said say saw see seen see \
    shown show shut shut slept sleep spent spend stole steal stuck stick swapped swap taken take took \
    take taught teach thought think threw throw thrown throw told tell understood understand went go \
    gone go won win dying die died die lying lie tied tie dies die children child indices index indexes \
    index matrices matrix vertices vertex schemata schema criteria criterion analyses analysis analysis \
    analyze data data people person mice mouse worse bad worst bad slower slow slowest slow faster fast \
    fastest fast bigger big biggest big smaller small larger large";

/// The key of a lower-case word.
#[must_use]
pub fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        // `died`, `ran`: short ones are in the list.
        return regular(word).to_owned();
    }
    let key = inflected(regular(word));
    if TABLE.whole.contains_key(key.as_str()) {
        return key;
    }
    derived(key)
}

fn regular(word: &str) -> &str {
    TABLE.irregular.get(word).copied().unwrap_or(word)
}

fn derived(mut key: String) -> String {
    // `configurable` has two endings; no word of ours has three.
    cut_ending(&mut key);
    settle(&mut key);
    cut_ending(&mut key);
    settle(&mut key);
    key
}

fn cut_ending(key: &mut String) {
    for (ending, least) in ENDINGS {
        // `inflected` has cut a final e: `failur`, `performanc`.
        let bare = ending.strip_suffix('e').unwrap_or(ending);
        let n_rest = key.len().saturating_sub(bare.len());
        if n_rest < least || !key.ends_with(bare) {
            continue;
        }
        match ending {
            // The s and the t belong to the verb: compress, connect.
            "sion" | "tion" => key.truncate(n_rest + 1),
            _ => key.truncate(n_rest),
        }
        return;
    }
}

/// Drops what the ending doubled or swallowed.
fn settle(key: &mut String) {
    let bytes = key.as_bytes();
    if let [.., before, last] = *bytes
        && key.len() > 4
        && before == last
        && !b"aeiouslzf".contains(&last)
    {
        key.pop();
    }
    if key.len() > 4 && key.ends_with('e') {
        key.pop();
    }
    // `happily` and `happy`, `verification` and `verify` meet.
    if key.len() > 3 && key.ends_with('y') {
        key.pop();
        key.push('i');
    }
}

struct Table {
    whole: HashMap<String, ()>,
    irregular: HashMap<&'static str, &'static str>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let forms: Vec<&str> = IRREGULAR.split_whitespace().collect();
    Table {
        whole: WHOLE
            .split_whitespace()
            .map(|word| (inflected(word), ()))
            .collect(),
        irregular: forms
            .chunks_exact(2)
            .map(|pair| (pair[0], pair[1]))
            .collect(),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_family_meet() {
        for family in [
            &["deploy", "deploys", "deployed", "deployment", "deployments"][..],
            &["fail", "fails", "failed", "failing", "failure", "failures"],
            &["compress", "compression", "compressed"],
            &["connect", "connection", "connections", "connecting"],
            &["secure", "security"],
            &["remove", "removal", "removed"],
            &["perform", "performance"],
            &["parse", "parser", "parsers", "parsing"],
            &["handle", "handler", "handlers"],
            &["format", "formatter", "formatting"],
            &["configure", "configuration", "configurable"],
            &["migrate", "migration", "migrations"],
            &["recursive", "recursion"],
            &["break", "broke", "broken", "breaks"],
            &["query", "queries"],
            &["retry", "retries", "retried"],
            &["slow", "slower", "slowly"],
        ] {
            let keys: Vec<_> = family.iter().map(|word| stem(word)).collect();
            assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        }
    }

    #[test]
    fn words_that_only_look_alike_do_not() {
        for (one, other) in [
            ("product", "production"),
            ("server", "serve"),
            ("number", "numb"),
            ("error", "err"),
            ("feature", "feat"),
            ("header", "head"),
            ("table", "tab"),
        ] {
            assert_ne!(stem(one), stem(other));
        }
    }
}
