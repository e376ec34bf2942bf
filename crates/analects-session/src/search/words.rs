//! Takes text apart into the terms that are indexed and looked for.
//!
//! A word becomes its stem. An identifier becomes its parts and, run together, itself: `userName`,
//! `user_name` and `user-name` meet. Scripts without blanks become pairs of characters, and the last
//! character alone, so that every character begins a term.

mod class;
mod particle;
mod stem;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use analects_text::likeness::plain;

use class::{Class, class};

pub use stem::stem;

/// Of a longer word, which is a key or a hash, so much is looked at.
const MAX_TERM_CHARS: usize = 40;

/// A term in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What is indexed.
    pub text: String,
    /// The word as it stands there, in lower case and plain letters.
    pub word: String,
    /// Where it stands.
    pub bytes: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a term is to its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A word by itself.
    Word,
    /// A word that carries no meaning of its own. It is not indexed.
    Quiet,
    /// A part of an identifier, a path or a word with hyphens.
    Part,
    /// The parts before it, run together.
    Whole,
    /// Two characters of a script without blanks.
    Pair,
    /// The last character of a run of such.
    Last,
}

/// Calls `put` with every term of `text`, in the order of the text.
pub fn words(text: &str, put: &mut dyn FnMut(Term)) {
    let mut reader = Reader {
        put,
        pieces: Vec::new(),
        verb: None,
    };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        match class(c) {
            Class::Letter => reader.letter(c, at, end),
            Class::Glyph => reader.glyph(c, at, end),
            Class::Mark => {}
            Class::Joint => {
                let goes_on = chars
                    .peek()
                    .is_some_and(|(_, c)| class(*c) == Class::Letter);
                reader.joint(c, goes_on);
            }
            Class::Other => reader.end(!c.is_whitespace()),
        }
    }
    reader.end(true);
}

/// The indexed terms of `text`, with blanks between them, behind those that are in `terms` already.
pub fn push_terms(text: &str, terms: &mut String) {
    words(text, &mut |term| {
        if term.kind != Kind::Quiet {
            if !terms.is_empty() {
                terms.push(' ');
            }
            terms.push_str(&term.text);
        }
    });
}

/// The indexed terms of `text`.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    words(text, &mut |term| {
        if term.kind != Kind::Quiet {
            terms.push(term.text);
        }
    });
    terms
}

/// A word or a part of one, as it is being read.
struct Piece {
    word: String,
    n_chars: usize,
    bytes: Range<usize>,
    /// The character that holds it to the piece before; `None` where only the case changed.
    joint: Option<char>,
    is_glyphs: bool,
    last: Last,
    /// Where the last letter begins in the text, and in `word`.
    last_start: usize,
    last_in_word: usize,
}

/// The kind of the last letter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Lower,
    Upper,
    Digit,
}

struct Reader<'a> {
    put: &'a mut dyn FnMut(Term),
    /// Pieces that hold together.
    pieces: Vec<Piece>,
    /// The word before, if a particle behind it makes another verb of it.
    verb: Option<&'static str>,
}

impl Reader<'_> {
    fn letter(&mut self, c: char, at: usize, end: usize) {
        let now = match c {
            _ if c.is_uppercase() => Last::Upper,
            _ if c.is_numeric() => Last::Digit,
            _ => Last::Lower,
        };
        if self.pieces.last().is_some_and(|piece| piece.is_glyphs) {
            self.end(true);
        }
        match self.pieces.last_mut() {
            Some(piece) if piece.bytes.is_empty() || !starts_part(piece, now) => {
                // `HTTPServer`: the last capital belongs to what follows.
                if piece.last == Last::Upper && now == Last::Lower && piece.n_chars > 1 {
                    let mut next = piece.take_last();
                    next.add(c, at, end, now);
                    self.pieces.push(next);
                } else {
                    if piece.bytes.is_empty() {
                        piece.bytes.start = at;
                    }
                    piece.add(c, at, end, now);
                }
            }
            _ => {
                let mut next = Piece::new(at, None);
                next.add(c, at, end, now);
                self.pieces.push(next);
            }
        }
    }

    fn joint(&mut self, c: char, goes_on: bool) {
        let holds = goes_on && self.pieces.last().is_some_and(|piece| !piece.is_glyphs);
        if !holds {
            return self.end(true);
        }
        let at = self.pieces.last().map_or(0, |piece| piece.bytes.end);
        self.pieces.push(Piece::new(at, Some(c)));
    }

    fn glyph(&mut self, c: char, at: usize, end: usize) {
        if !self.pieces.last().is_some_and(|piece| piece.is_glyphs) {
            self.end(true);
            let mut run = Piece::new(at, None);
            run.is_glyphs = true;
            self.pieces.push(run);
        }
        let Some(run) = self.pieces.last_mut() else {
            return;
        };
        let mut folded = None;
        plain(c, |c| folded = Some(c));
        let folded = folded.unwrap_or(c);
        // Only the last character is kept: pairs are made as the run grows.
        let before = run.word.pop();
        let start = std::mem::replace(&mut run.last_start, at);
        run.word.push(folded);
        run.bytes.end = end;
        if let Some(before) = before {
            let text = String::from_iter([before, folded]);
            self.term(&text, &text, start..end, Kind::Pair);
        }
    }

    /// Ends what holds together. A break is more than a blank: a sign, a line, the end.
    fn end(&mut self, is_break: bool) {
        let pieces = std::mem::take(&mut self.pieces);
        match pieces.as_slice() {
            [] => {}
            [run] if run.is_glyphs => {
                let bytes = run.last_start..run.bytes.end;
                self.term(&run.word, &run.word, bytes, Kind::Last);
                self.verb = None;
            }
            [word] => self.word(word),
            pieces => {
                self.compound(pieces);
                self.verb = None;
            }
        }
        if is_break {
            self.verb = None;
        }
    }

    fn word(&mut self, piece: &Piece) {
        let before = self.verb.take();
        let is_quiet = is_quiet(&piece.word);
        if let Some(both) = before.and_then(|verb| particle::joined(verb, &piece.word)) {
            self.term(both, both, piece.bytes.clone(), Kind::Whole);
            if is_quiet {
                return;
            }
        }
        let kind = if is_quiet { Kind::Quiet } else { Kind::Word };
        let stem = self.stemmed(piece, kind);
        self.verb = stem.and_then(|stem| particle::verb(&stem));
    }

    /// Puts the stem of a piece, or the beginning of one that is too long for a word, and answers it.
    fn stemmed(&mut self, piece: &Piece, kind: Kind) -> Option<String> {
        if piece.n_chars == 0 {
            return None;
        }
        if piece.n_chars > MAX_TERM_CHARS {
            let start: String = piece.word.chars().take(MAX_TERM_CHARS).collect();
            self.term(&start, &start, piece.bytes.clone(), kind);
            return None;
        }
        let stem = stem(&piece.word);
        self.term(&stem, &piece.word, piece.bytes.clone(), kind);
        Some(stem)
    }

    fn compound(&mut self, pieces: &[Piece]) {
        if is_version(pieces) {
            let text = pieces.iter().map(|piece| piece.word.as_str());
            let text = text.collect::<Vec<_>>().join(".");
            let text = text.trim_start_matches('v').to_owned();
            if text.len() <= MAX_TERM_CHARS {
                self.term(&text, &text, span(pieces), Kind::Word);
            }
            return;
        }
        let mut rest = pieces;
        while !rest.is_empty() {
            // What stands between slashes and dots is one name.
            let ends = |piece: &Piece| matches!(piece.joint, Some('/' | '\\' | '.'));
            let n = 1 + rest.iter().skip(1).take_while(|piece| !ends(piece)).count();
            let (name, behind) = rest.split_at(n);
            self.name(name, pieces.len() == name.len());
            rest = behind;
        }
    }

    fn name(&mut self, pieces: &[Piece], is_alone: bool) {
        let is_tail = |piece: &Piece| matches!(piece.joint, Some('\'' | '\u{2019}'));
        let kept: Vec<&Piece> = pieces
            .iter()
            .filter(|piece| !(is_tail(piece) && piece.n_chars <= 2))
            .collect();
        if let ([only], true) = (kept.as_slice(), is_alone) {
            return self.word(only);
        }
        for piece in &kept {
            let kind = if is_quiet(&piece.word) {
                Kind::Quiet
            } else {
                Kind::Part
            };
            self.stemmed(piece, kind);
        }
        let n_chars: usize = kept.iter().map(|piece| piece.n_chars).sum();
        if kept.len() > 1 && n_chars <= MAX_TERM_CHARS {
            let word: String = kept.iter().map(|piece| piece.word.as_str()).collect();
            let stem = stem(&word);
            self.term(&stem, &word, span(pieces), Kind::Whole);
        }
    }

    fn term(&mut self, text: &str, word: &str, bytes: Range<usize>, kind: Kind) {
        (self.put)(Term {
            text: text.to_owned(),
            word: word.to_owned(),
            bytes,
            kind,
        });
    }
}

impl Piece {
    fn new(at: usize, joint: Option<char>) -> Self {
        Self {
            word: String::new(),
            n_chars: 0,
            bytes: at..at,
            joint,
            is_glyphs: false,
            last: Last::Lower,
            last_start: at,
            last_in_word: 0,
        }
    }

    /// Takes the last letter off, as the beginning of a new piece.
    fn take_last(&mut self) -> Self {
        let mut next = Self::new(self.last_start, None);
        next.word = self.word.split_off(self.last_in_word);
        next.n_chars = 1;
        self.n_chars -= 1;
        self.bytes.end = self.last_start;
        next
    }

    fn add(&mut self, c: char, at: usize, end: usize, last: Last) {
        self.last_in_word = self.word.len();
        self.last_start = at;
        // Of what is too long the end is not kept.
        if self.n_chars <= MAX_TERM_CHARS {
            plain(c, |c| {
                if !c.is_ascii() || c.is_ascii_alphanumeric() {
                    self.word.push(c);
                }
            });
        }
        self.n_chars += 1;
        self.bytes.end = end;
        self.last = last;
    }
}

/// Whether a letter of this kind begins a new part of an identifier.
fn starts_part(piece: &Piece, now: Last) -> bool {
    now == Last::Upper && piece.last != Last::Upper
}

fn is_version(pieces: &[Piece]) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    pieces
        .iter()
        .skip(1)
        .all(|piece| piece.joint == Some('.') && is_number(&piece.word))
        && pieces
            .first()
            .is_some_and(|piece| is_number(piece.word.trim_start_matches('v')))
}

fn span(pieces: &[Piece]) -> Range<usize> {
    let start = pieces.first().map_or(0, |piece| piece.bytes.start);
    start..pieces.last().map_or(start, |piece| piece.bytes.end)
}

/// Whether a lower-case word carries no meaning of its own.
#[must_use]
pub fn is_quiet(word: &str) -> bool {
    static QUIET: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        "a an and are as at be been but by for from has have he her his i if in into is it its me my \
         of on or our out she so that the their them then there these they this those to too up us \
         was we were will with would you your im ive dont"
            .split_whitespace()
            .collect()
    });
    word.len() <= 5 && QUIET.contains(word)
}

#[cfg(test)]
mod tests;
