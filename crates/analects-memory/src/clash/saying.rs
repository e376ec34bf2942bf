//! A clause as a row of words, held against another one.

use analects_text::likeness::{plain, stem};
use analects_text::script::is_unspaced;

use super::Clash;
use super::rivals::are_rivals;

/// A clause of a fact.
#[derive(Debug)]
pub(super) struct Clause {
    words: Vec<Word>,
    is_denied: bool,
}

/// A word, or one character where words are not parted.
#[derive(Debug)]
struct Word {
    written: String,
    /// What it is compared by.
    key: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Counts.
    Number,
    /// Written with a capital, not at the start.
    Name,
    /// `is`, `uses`, `是`: what follows is a value.
    Link,
    /// Says little by itself.
    Small,
    Glyph,
    Plain,
}

/// Words that deny.
const DENIALS: [&str; 19] = [
    "not",
    "never",
    "no",
    "don't",
    "dont",
    "doesn't",
    "isn't",
    "aren't",
    "won't",
    "can't",
    "cannot",
    "shouldn't",
    "mustn't",
    "不要",
    "不能",
    "从不",
    "禁止",
    "不",
    "别",
];
/// Words after which a value stands.
const LINKS: [&str; 18] = [
    "is", "are", "was", "be", "=", "uses", "use", "using", "runs", "listens", "means", "called",
    "equals", "是", "为", "叫", "用", "到",
];
/// Words that say little by themselves.
const SMALL: [&str; 40] = [
    "the", "a", "an", "to", "of", "in", "on", "at", "for", "with", "and", "or", "i", "we", "you",
    "my", "our", "me", "us", "it", "this", "that", "do", "does", "please", "always", "should",
    "must", "like", "prefer", "我", "们", "你", "的", "在", "都", "请", "要", "总", "以",
];
/// Words that are not even compared.
const MUTE: [&str; 8] = ["the", "a", "an", "please", "do", "does", "always", "should"];

/// Characters that count.
const NUMERALS: &str = "零一二三四五六七八九十百千万两";

/// A value has no more words than this.
const MAX_VALUE: usize = 3;
/// The same, of characters where words are not parted.
const MAX_VALUE_GLYPHS: usize = 6;
/// A clause is not looked at beyond this many words.
const MAX_WORDS: usize = 64;

impl Clause {
    /// The clauses of a text.
    pub(super) fn all(text: &str) -> impl Iterator<Item = Self> {
        let is_end = |c: char| {
            matches!(
                c,
                ',' | ';' | '，' | '；' | '。' | '、' | '!' | '！' | '(' | '（'
            )
        };
        let ends = text.split(is_end).flat_map(|part| part.split(". "));
        ends.map(Self::of).filter(|clause| !clause.words.is_empty())
    }

    fn of(text: &str) -> Self {
        let mut words = Vec::new();
        let mut is_denied = false;
        for written in pieces(text) {
            let mut key = String::new();
            for c in written.chars() {
                plain(c, |c| key.push(c));
            }
            if DENIALS.contains(&key.as_str()) {
                is_denied = !is_denied;
            } else if !MUTE.contains(&key.as_str()) {
                words.push(Word::new(written, key, words.is_empty()));
            }
        }
        Self { words, is_denied }
    }

    /// How it clashes with another clause, if it does.
    pub(super) fn clash(&self, other: &Self) -> Option<Clash> {
        let words: [Vec<&Word>; 2] = [self, other].map(|clause| clause.words.iter().collect());
        let pair = Pair::of(&words);
        let n_telling = pair.around().filter(|word| word.tells()).count();
        let is_denial = self.is_denied != other.is_denied;
        if pair.mine.is_empty() && pair.theirs.is_empty() {
            return (is_denial && n_telling > 1).then_some(Clash::Opposite);
        }
        if is_denial {
            return None;
        }
        let is_of_subject = pair.after.iter().any(|word| word.kind == Kind::Link);
        if !is_of_subject && pair.are_values(n_telling) {
            return Some(pair.values());
        }
        // `I prefer tabs` and `use spaces` differ in small words, too.
        let telling = words.map(|words| words.into_iter().filter(|word| word.tells()).collect());
        let choice = Pair::of(&telling);
        choice.are_rivals().then(|| choice.values())
    }
}

/// Two rows of words: what both begin and end with, and what each has in between.
struct Pair<'a> {
    before: &'a [&'a Word],
    after: &'a [&'a Word],
    mine: &'a [&'a Word],
    theirs: &'a [&'a Word],
}

impl<'a> Pair<'a> {
    fn of([mine, theirs]: &'a [Vec<&'a Word>; 2]) -> Self {
        let n_before = n_alike(mine.iter(), theirs.iter());
        let n_left = mine.len().min(theirs.len()) - n_before;
        let n_after = n_alike(mine.iter().rev(), theirs.iter().rev()).min(n_left);
        let between = |words: &'a [&'a Word]| {
            let end = words.len() - n_after;
            words.get(n_before..end).unwrap_or_default()
        };
        Self {
            before: mine.get(..n_before).unwrap_or_default(),
            after: mine.get(mine.len() - n_after..).unwrap_or_default(),
            mine: between(mine),
            theirs: between(theirs),
        }
    }

    fn around(&self) -> impl Iterator<Item = &Word> {
        self.before.iter().chain(self.after).copied()
    }

    fn are_rivals(&self) -> bool {
        are_rivals(&key(self.mine), &key(self.theirs))
    }

    /// Whether what stands in between are values of one kind, and not both can be right.
    fn are_values(&self, n_telling: usize) -> bool {
        if !is_value(self.mine) || !is_value(self.theirs) || self.before.is_empty() {
            return false;
        }
        let all = |kind: Kind| {
            let mut both = self.mine.iter().chain(self.theirs);
            both.all(|word| word.kind == kind)
        };
        let mut links = self.before.iter().map(|word| word.kind == Kind::Link);
        let is_after_link = links.next_back() == Some(true);
        // `issue 12` and `issue 13` are two issues; `listens on port 12` gives a value.
        let has_link = is_after_link || links.any(|is_link| is_link);
        (all(Kind::Number) && n_telling > 0 && (has_link || n_telling > 1))
            || (is_after_link && n_telling > 1 && (all(Kind::Name) || all(Kind::Glyph)))
    }

    fn values(&self) -> Clash {
        Clash::Values(text(self.mine), text(self.theirs))
    }
}

fn is_value(words: &[&Word]) -> bool {
    let n_max = match words.iter().all(|word| word.kind == Kind::Glyph) {
        true => MAX_VALUE_GLYPHS,
        false => MAX_VALUE,
    };
    (1..=n_max).contains(&words.len())
}

impl Word {
    fn new(written: &str, key: String, is_first: bool) -> Self {
        let first = written.chars().next();
        let kind = if key
            .chars()
            .any(|c| c.is_ascii_digit() || NUMERALS.contains(c))
        {
            Kind::Number
        } else if LINKS.contains(&key.as_str()) {
            Kind::Link
        } else if SMALL.contains(&key.as_str()) {
            Kind::Small
        } else if first.is_some_and(is_unspaced) {
            Kind::Glyph
        } else if !is_first && first.is_some_and(char::is_uppercase) {
            Kind::Name
        } else {
            Kind::Plain
        };
        Self {
            written: written.to_owned(),
            key: match kind {
                Kind::Plain => stem(&key),
                _ => key,
            },
            kind,
        }
    }

    /// Whether it tells what a clause is about.
    fn tells(&self) -> bool {
        matches!(
            self.kind,
            Kind::Plain | Kind::Name | Kind::Glyph | Kind::Number
        )
    }
}

fn n_alike<'a>(
    mine: impl Iterator<Item = &'a &'a Word>,
    theirs: impl Iterator<Item = &'a &'a Word>,
) -> usize {
    mine.zip(theirs)
        .take_while(|(mine, theirs)| mine.key == theirs.key)
        .count()
}

fn key(words: &[&Word]) -> String {
    join(words, |word| word.written.to_lowercase())
}

fn text(words: &[&Word]) -> String {
    join(words, |word| word.written.clone())
}

fn join(words: &[&Word], said: impl Fn(&Word) -> String) -> String {
    let is_dense = words
        .iter()
        .all(|word| word.written.chars().all(is_unspaced));
    let said: Vec<_> = words.iter().map(|word| said(word)).collect();
    said.join(if is_dense { "" } else { " " })
}

/// Words, and single characters where words are not parted; a denial of two characters is one word.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next()
        && pieces.len() < MAX_WORDS
    {
        let n_bytes = if is_unspaced(c) {
            let mut denials = DENIALS.iter().filter(|denial| rest.starts_with(**denial));
            denials.next().map_or(c.len_utf8(), |denial| denial.len())
        } else if is_gap(c) {
            c.len_utf8()
        } else {
            rest.find(|c| is_unspaced(c) || is_gap(c))
                .unwrap_or(rest.len())
        };
        let (piece, after) = rest.split_at(n_bytes);
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '=');
        pieces.extend(Some(piece).filter(|piece| !piece.is_empty()));
        rest = after;
    }
    pieces
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '`' | '“' | '”' | ':' | '：')
}
