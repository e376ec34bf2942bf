//! What pages say, line by line: the rules and facts that can be compared with one another.

use std::collections::HashMap;

use analects_text::outline::{Entry, EntryKind};
use analects_text::script::is_unspaced;

use super::sheet::Sheet;

/// Something that is said at some place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'a> {
    /// Which page says it.
    pub(crate) sheet: usize,
    pub(crate) at: usize,
    pub(crate) text: &'a str,
    /// The section and the list it stands in.
    pub(crate) part: (usize, Option<usize>),
    pub(crate) kind: EntryKind,
    pub(crate) is_nested: bool,
    pub(crate) mood: Mood,
}

/// How what leads to a line turns its meaning: a line that ends with a colon, or the heading above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Mood {
    /// It means what it says.
    Plain,
    /// It is not to be done: `force push` under `Never`.
    Unwanted,
    /// It is denied in some way we do not know.
    Doubtful,
}

/// Everything that is said on `sheets`, in order. Code, and lines that only lead to others, say nothing.
pub(crate) fn all<'a>(sheets: &'a [Sheet<'_>]) -> Vec<Said<'a>> {
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
            let mood = match entry.text.starts_with(CROSSES) {
                true => Mood::Unwanted,
                false => mood(lead_in.or(above.map(String::as_str)).unwrap_or_default()),
            };
            all.extend(lines(entry).into_iter().map(|(at, text)| Said {
                sheet: index,
                at,
                text,
                part: (entry.section, entry.list),
                kind: entry.kind,
                is_nested: entry.depth > 1,
                mood,
            }));
        }
    }
    all
}

/// At most this many places of one line are compared with those of another.
const MAX_PLACES: usize = 64;

/// The same with everything that is the same in one group: lines by their words and their moods.
pub(super) fn places<'a>(said: &[Said<'a>]) -> Vec<Vec<Said<'a>>> {
    let mut index: HashMap<_, usize> = HashMap::new();
    let mut places: Vec<Vec<Said<'_>>> = Vec::new();
    for said in said {
        let at = *index
            .entry((normal(said.text), said.mood))
            .or_insert(places.len());
        match places.get_mut(at) {
            Some(group) if group.len() < MAX_PLACES => group.push(*said),
            Some(_) => {}
            None => places.push(vec![*said]),
        }
    }
    places
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

/// Signs before a line that say that it is not to be done.
pub(super) const CROSSES: [char; 4] = ['❌', '🚫', '✗', '✘'];

/// Words over a list of things that are wanted.
const WANTED: [&str; 8] = [
    "always", "do", "dos", "do's", "must", "rules", "必须", "始终",
];

/// Words over a list of things that are not wanted.
const UNWANTED: [&str; 14] = [
    "never",
    "don't",
    "don’t",
    "donts",
    "don'ts",
    "do not",
    "must not",
    "avoid",
    "forbidden",
    "禁止",
    "不要",
    "避免",
    "prohibited",
    "never do",
];

/// Parts of words over lists whose items mean the opposite of what they say, in ways we do not know.
const DOUBTFUL: [&str; 22] = [
    "not",
    "n't",
    "n’t",
    "never",
    "avoid",
    "anti",
    "bad",
    "wrong",
    "mistake",
    "pitfall",
    "forbid",
    "prohibit",
    "deprecat",
    "legacy",
    "instead of",
    "before",
    "old",
    "禁",
    "不",
    "错误",
    "避免",
    "反",
];

fn mood(lead_in: &str) -> Mood {
    let lead = lead_in.to_lowercase();
    let lead = lead.trim_matches(|c: char| !c.is_alphanumeric());
    if UNWANTED.contains(&lead) {
        Mood::Unwanted
    } else if !WANTED.contains(&lead) && DOUBTFUL.iter().any(|sign| lead.contains(sign)) {
        Mood::Doubtful
    } else {
        Mood::Plain
    }
}

/// What is left of a line when case, blanks and the end of the sentence do not count.
pub(crate) fn normal(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let line = words.join(" ").to_lowercase();
    line.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '。' | '；' | '！' | ' '))
        .to_owned()
}

/// How many words a text has; in scripts without blanks, every two characters count as one.
pub(crate) fn n_words(text: &str) -> usize {
    let n_unspaced = text.chars().filter(|&c| is_unspaced(c)).count();
    let has_letters = |word: &&str| word.contains(|c: char| c.is_alphabetic() && !is_unspaced(c));
    text.split_whitespace().filter(has_letters).count() + n_unspaced / 2
}
