//! The sentences of a prompt, without what is no sentence: code, markup, quoted output.

use analects_text::sanitize::is_invisible;

use crate::scratchpad::collapsed;

/// Words with a full stop that ends no sentence.
const ABBREVIATIONS: [&str; 8] = [
    "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no.", "resp.",
];

/// The sentences of a prompt, each on one line. After a sentence that ends in a colon stands what it speaks
/// of, even if that is code.
pub(super) fn sentences(prompt: &str) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    let mut is_code = false;
    for line in prompt.lines() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        let line = plain(line);
        let is_awaited = sentences
            .last()
            .is_some_and(|last| last.ends_with([':', '：']) && last.chars().count() < 50);
        if line.is_empty() {
            continue;
        }
        if is_awaited && let Some(last) = sentences.last_mut() {
            last.push(' ');
            last.push_str(&line);
        } else if !is_code && !is_output(&line) {
            sentences.extend(split(&line));
        }
    }
    sentences
}

/// A line without markup. Mentions of files lose their sign and their directories, names in backticks stay.
fn plain(line: &str) -> String {
    let visible: String = line.chars().filter(|&c| !is_invisible(c)).collect();
    let text = without_tags(&visible).replace("**", "").replace('`', "");
    let text = text
        .trim()
        .trim_start_matches(['#', '>', '-', '*', '+', '•', ' ']);
    let (number, rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0));
    let listed = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    let text = listed.filter(|_| !number.is_empty()).unwrap_or(text);
    let words = text.split_whitespace().map(without_mention);
    collapsed(&words.collect::<Vec<_>>().join(" "))
}

/// `@src/replay.rs` is `replay.rs` to people.
fn without_mention(word: &str) -> &str {
    let Some(path) = word.strip_prefix('@') else {
        return word;
    };
    let is_path =
        path.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '~' | '_'));
    // A scope of a package registry is a part of the name.
    let is_package = path.matches('/').count() == 1 && !path.contains('.');
    if !is_path || is_package {
        return word;
    }
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}

/// The text without `<tags>`; a `<` that opens none stays.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        kept.push_str(before);
        let is_tag = after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let inside = after.split_once('>').filter(|(inside, _)| {
            // `Vec<String>` is no tag: it follows a name.
            let follows_name = before.ends_with(|c: char| c.is_alphanumeric() || c == ':');
            is_tag && !follows_name && !inside.contains('<')
        });
        match inside {
            Some((_, after)) => {
                kept.push(' ');
                rest = after;
            }
            None => {
                kept.push('<');
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// Whether a line was printed by a program rather than written by a person: hardly any letters, or the shape
/// of a trace.
fn is_output(line: &str) -> bool {
    let starts = ["at ", "Traceback (", "File \"", "--> ", "$ ", "| "];
    let n_chars = line.chars().count();
    let n_letters = line
        .chars()
        .filter(|c| c.is_alphabetic() || *c == ' ')
        .count();
    starts.iter().any(|start| line.starts_with(start)) || n_letters * 2 < n_chars
}

/// The sentences of a line.
fn split(line: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut sentence = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        sentence.push(c);
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => chars.peek() == Some(&' ') && !is_abbreviated(&sentence),
            _ => false,
        };
        if ends {
            sentences.push(sentence.trim().to_owned());
            sentence.clear();
        }
    }
    sentences.push(sentence.trim().to_owned());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

fn is_abbreviated(sentence: &str) -> bool {
    let word = sentence.rsplit(' ').next().unwrap_or_default();
    let word = word.trim_start_matches('(').to_lowercase();
    ABBREVIATIONS.contains(&&*word)
}
