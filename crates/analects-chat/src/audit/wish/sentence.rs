//! The sentences of a text, in both languages.

/// A sentence.
pub(super) struct Sentence<'a> {
    /// Its words, without marks of lists before and stops behind.
    pub(super) text: &'a str,
    /// Whether it asks.
    pub(super) is_question: bool,
}

/// Words with a full stop that ends no sentence.
const ABBREVIATIONS: [&str; 7] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no."];

/// Shows `found` every sentence that is the user's own: not what is quoted, not code in fences.
pub(super) fn sentences<'a>(text: &'a str, found: &mut dyn FnMut(Sentence<'a>)) {
    let mut is_code = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with('>') {
            of_line(without_mark(line), found);
        }
    }
}

/// A line without the mark of a list or a heading.
fn without_mark(line: &str) -> &str {
    let line = line.trim_start_matches(['#', '-', '*', '+', '•', ' ']);
    let (number, rest) = line.split_at(line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0));
    let listed = [". ", ") ", "、"]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark));
    listed.filter(|_| !number.is_empty()).unwrap_or(line)
}

fn of_line<'a>(line: &'a str, found: &mut dyn FnMut(Sentence<'a>)) {
    let mut rest = line;
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find(is_stop)) {
        let at = from + at;
        let stop = rest.get(at..).and_then(|rest| rest.chars().next());
        let Some(stop) = stop else { return };
        let end = at + stop.len_utf8();
        let (head, tail) = rest.split_at(end);
        if !ends(head, stop, tail) {
            from = end;
            continue;
        }
        say(head, found);
        (rest, from) = (tail, 0);
    }
    say(rest, found);
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '；')
}

fn ends(head: &str, stop: char, tail: &str) -> bool {
    if !stop.is_ascii() {
        return true;
    }
    let is_abbreviated = || {
        let word = head.rsplit([' ', '(']).next().unwrap_or_default();
        ABBREVIATIONS.contains(&&*word.to_ascii_lowercase())
    };
    tail.starts_with(char::is_whitespace) && (stop != '.' || !is_abbreviated())
}

fn say<'a>(sentence: &'a str, found: &mut dyn FnMut(Sentence<'a>)) {
    let text = sentence.trim();
    let is_question = text.ends_with(['?', '？']);
    let text = text.trim_end_matches(|c| is_stop(c) || matches!(c, ',' | '，' | ':' | '：'));
    if !text.is_empty() {
        found(Sentence { text, is_question });
    }
}
