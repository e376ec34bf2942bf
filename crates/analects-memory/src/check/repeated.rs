//! The same line twice: in one file, or in two that are loaded together.

use std::collections::HashMap;

use analects_text::outline::{Entry, EntryKind};

use super::sheet::Sheet;
use super::{Finding, codes, fix};

/// Two files that share more lines than this are told about once, not line by line.
const MAX_SHARED: usize = 3;

/// A line that says less, or that belongs to another one, may well be true in two parts of one file.
const MIN_WORDS_ACROSS_PARTS: usize = 7;

/// Something that is said at some place.
#[derive(Clone, Copy)]
struct Said {
    sheet: usize,
    at: usize,
    /// The section and the list it stands in.
    part: (usize, Option<usize>),
    kind: EntryKind,
    is_nested: bool,
}

/// Two places that say the same; the second one is the repetition.
struct Pair {
    first: Said,
    again: Said,
}

pub(super) fn check(sheets: &[Sheet<'_>]) -> Vec<Finding> {
    let mut places: HashMap<String, Vec<Said>> = HashMap::new();
    for (index, sheet) in sheets.iter().enumerate() {
        for entry in &sheet.outline.entries {
            for (at, line) in lines(entry) {
                let said = Said {
                    sheet: index,
                    at,
                    part: (entry.section, entry.list),
                    kind: entry.kind,
                    is_nested: entry.depth > 1,
                };
                places.entry(normal(line)).or_default().push(said);
            }
        }
    }
    let mut pairs: Vec<_> = places
        .into_iter()
        .filter(|(text, _)| n_words(text) >= 2)
        .flat_map(|(text, said)| pairs(sheets, &said, n_words(&text)))
        .collect();
    pairs.sort_by_key(|pair| (pair.again.sheet, pair.first.sheet, pair.again.at));
    let same_files =
        |a: &Pair, b: &Pair| (a.again.sheet, a.first.sheet) == (b.again.sheet, b.first.sheet);
    pairs
        .chunk_by(same_files)
        .flat_map(|pairs| told(sheets, pairs))
        .collect()
}

/// The lines of an entry that stand for themselves: all of it, or each line where every line is a sentence.
fn lines(entry: &Entry) -> Vec<(usize, &str)> {
    let is_lead_in = |text: &str| text.trim_end().ends_with([':', '：']);
    if entry.is_code || is_lead_in(&entry.text) {
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

/// What is left of a line when case, blanks and the end of the sentence do not count.
pub(super) fn normal(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let line = words.join(" ").to_lowercase();
    line.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '。' | '；' | '！' | ' '))
        .to_owned()
}

/// How many words a text has; in scripts without blanks, every two characters count as one.
fn n_words(text: &str) -> usize {
    let n_wide = text.chars().filter(|&c| is_wide(c)).count();
    let has_letters = |word: &&str| word.contains(|c: char| c.is_alphabetic() && !is_wide(c));
    text.split_whitespace().filter(has_letters).count() + n_wide / 2
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}

/// Each place with the first one before it that it repeats.
fn pairs(sheets: &[Sheet<'_>], said: &[Said], n_words: usize) -> Vec<Pair> {
    // One place a file and a part is enough to compare with, so that a line repeated a thousand times
    // costs a thousand steps.
    let mut in_files: Vec<Said> = Vec::new();
    let mut in_parts: HashMap<_, Said> = HashMap::new();
    let mut pairs = Vec::new();
    for &again in said {
        let meets = |first: &&Said| sheets[first.sheet].page.meets(sheets[again.sheet].page);
        let in_other = in_files.iter().filter(|first| first.sheet != again.sheet);
        let in_same = match again.kind {
            // A step may well be taken twice.
            EntryKind::Numbered => None,
            EntryKind::Bullet | EntryKind::Paragraph => {
                let in_part = in_parts.get(&(again.sheet, again.part)).copied();
                let is_long = n_words >= MIN_WORDS_ACROSS_PARTS && !again.is_nested;
                let in_file = || in_files.last().filter(|last| last.sheet == again.sheet);
                in_part.or_else(|| in_file().filter(|_| is_long).copied())
            }
        };
        let first = in_same.or_else(|| in_other.copied().find(|first| meets(&first)));
        pairs.extend(first.map(|first| Pair { first, again }));
        in_parts.entry((again.sheet, again.part)).or_insert(again);
        if in_files.last().is_none_or(|last| last.sheet != again.sheet) {
            in_files.push(again);
        }
    }
    pairs
}

/// What is told about the repetitions of one file in another, or in itself.
fn told(sheets: &[Sheet<'_>], pairs: &[Pair]) -> Vec<Finding> {
    let Some(pair) = pairs.first() else {
        return Vec::new();
    };
    let (first, again) = (&sheets[pair.first.sheet], &sheets[pair.again.sheet]);
    if pair.first.sheet == pair.again.sheet {
        let removable = fix::repetitions(&again.page.text);
        let is_fixable = |at: usize| removable.iter().any(|range| range.contains(&at));
        let told = |pair: &Pair| {
            let line = first.line(pair.first.at);
            let message = format!("says the same as line {line}");
            Finding {
                problem: again.problem(&codes::REPEATED_LINE, pair.again.at, message),
                is_fixable: is_fixable(pair.again.at),
            }
        };
        return pairs.iter().map(told).collect();
    }
    let place = first.place(pair.first.at);
    if pairs.len() > MAX_SHARED {
        let n_lines = pairs.len();
        let message =
            format!("{n_lines} lines stand in both files; this one says the same as {place}");
        return vec![
            again
                .problem(&codes::REPEATED_LINE, pair.again.at, message)
                .into(),
        ];
    }
    let told = |pair: &Pair| {
        let message = format!("says the same as {}", first.place(pair.first.at));
        again
            .problem(&codes::REPEATED_LINE, pair.again.at, message)
            .into()
    };
    pairs.iter().map(told).collect()
}
