//! What pages say, line by line: the rules and facts that can be compared with one another.

use std::collections::HashMap;

use analects_text::outline::{Entry, EntryKind};

use super::sheet::Sheet;

/// Something that is said at some place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'a> {
    /// Which page says it.
    pub(super) sheet: usize,
    pub(super) at: usize,
    pub(super) text: &'a str,
    /// The section and the list it stands in.
    pub(super) part: (usize, Option<usize>),
    pub(super) kind: EntryKind,
    pub(super) is_nested: bool,
    /// What leads to it: a line that ends with a colon, or the heading above.
    pub(super) lead_in: Option<&'a str>,
}

/// Everything that is said on `sheets`, in order. Code, and lines that only lead to others, say nothing.
pub(super) fn all<'a>(sheets: &'a [Sheet<'_>]) -> Vec<Said<'a>> {
    let mut all = Vec::new();
    for (index, sheet) in sheets.iter().enumerate() {
        let headings = &sheet.outline.headings;
        let mut before: Option<&Entry> = None;
        let mut leads: HashMap<usize, &str> = HashMap::new();
        for entry in &sheet.outline.entries {
            if let (Some(before), Some(list)) = (before, entry.list)
                && before.list != entry.list
            {
                let own = is_lead_in(before).then_some(before.text.as_str());
                // What leads to a list leads to what is nested in it.
                let outer = before.list.filter(|_| entry.depth > before.depth);
                let lead = own.or_else(|| leads.get(&outer?).copied());
                leads.extend(lead.map(|lead| (list, lead)));
            }
            before = Some(entry);
            let lead_in = entry.list.and_then(|list| leads.get(&list).copied());
            let above = entry.section.checked_sub(1).and_then(|at| headings.get(at));
            let lead_in = lead_in.or(above.map(String::as_str));
            all.extend(lines(entry).into_iter().map(|(at, text)| Said {
                sheet: index,
                at,
                text,
                part: (entry.section, entry.list),
                kind: entry.kind,
                is_nested: entry.depth > 1,
                lead_in,
            }));
        }
    }
    all
}

/// The lines of an entry that stand for themselves: all of it, or each line where every line is a sentence.
fn lines(entry: &Entry) -> Vec<(usize, &str)> {
    if entry.is_code || is_lead_in(entry) {
        return Vec::new();
    }
    let start = entry.lines.first().map_or(entry.at.start, |(at, _)| *at);
    let ends = |line: &str| line.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
    let is_list_of_sentences = entry.lines.len() > 1
        && entry.kind == EntryKind::Paragraph
        && entry.lines.iter().all(|(_, line)| ends(line));
    if is_list_of_sentences {
        let lines = entry.lines.iter();
        return lines.map(|(at, line)| (*at, line.as_str())).collect();
    }
    vec![(start, &entry.text)]
}

fn is_lead_in(entry: &Entry) -> bool {
    entry.text.ends_with([':', '：'])
}

/// What is left of a line when case, blanks and the end of the sentence do not count.
pub(super) fn normal(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let line = words.join(" ").to_lowercase();
    line.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '。' | '；' | '！' | ' '))
        .to_owned()
}

/// How many words a text has; in scripts without blanks, every two characters count as one.
pub(super) fn n_words(text: &str) -> usize {
    let n_wide = text.chars().filter(|&c| is_wide(c)).count();
    let has_letters = |word: &&str| word.contains(|c: char| c.is_alphabetic() && !is_wide(c));
    text.split_whitespace().filter(has_letters).count() + n_wide / 2
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}
