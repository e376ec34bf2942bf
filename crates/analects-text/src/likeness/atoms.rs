//! Classifies every token by its role in its sentence.

use super::lexicon::{CHINESE, Class, Denial, ENGLISH, Role, is_relation, is_soft};
use super::scan::{Pause, Setting, Token, scan};
use super::stem::stem;

/// One thing a sentence does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom {
    Term(Term),
    Opener(Opener),
    Denial(Denial),
    Over,
    Just,
    Under(Role),
    Past(Role),
    Link(&'static str),
    And,
    But,
    Pause(Pause),
    Quiet,
}

/// Words that give an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    Always,
    Please,
    Must,
    Use,
}

/// Something a sentence is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) kind: TermKind,
    /// A verb between a doer and an object.
    pub(super) is_relation: bool,
    /// A verb in the form that gives an order.
    pub(super) is_command: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TermKind {
    /// Agrees to the letter.
    Exact,
    Number,
    Word,
    /// Adds little.
    Soft,
    All,
    Any,
    May,
    Needless,
    /// Characters of a script without blanks.
    Run,
}

/// The atoms of `text`.
pub(super) fn atoms(text: &str) -> Vec<Atom> {
    let tokens = scan(text);
    let mut atoms = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let n_taken = match token {
            Token::Word(..) => word(&tokens, at, &mut atoms),
            _ => {
                other(token, &mut atoms);
                1
            }
        };
        at += n_taken;
    }
    atoms
}

fn other(token: &Token, atoms: &mut Vec<Atom>) {
    match token {
        Token::Exact(text)
            if text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.') =>
        {
            atoms.push(term(text.clone(), TermKind::Number));
        }
        Token::Exact(text) => atoms.push(term(text.clone(), TermKind::Exact)),
        Token::Run(run) => unspaced(run, atoms),
        Token::Pause(pause) => atoms.push(Atom::Pause(*pause)),
        Token::And => atoms.push(Atom::And),
        Token::Arrow => atoms.push(Atom::Link("to")),
        Token::Word(..) => {}
    }
}

fn term(text: String, kind: TermKind) -> Atom {
    Atom::Term(Term {
        text,
        kind,
        is_relation: false,
        is_command: false,
    })
}

/// Takes the longest phrase that starts at `at`; returns how many tokens it has.
fn word(tokens: &[Token], at: usize, atoms: &mut Vec<Atom>) -> usize {
    let Some(Token::Word(first, setting)) = tokens.get(at) else {
        return 1;
    };
    if *setting == Setting::Quoted {
        atoms.push(content(first));
        return 1;
    }
    if let Some(Token::Word(second, _)) = tokens.get(at + 1) {
        let both = [first.as_str(), second].concat();
        let is_joined = ENGLISH.is_joined(&both)
            || both
                .strip_suffix('s')
                .is_some_and(|single| ENGLISH.is_joined(single));
        if is_joined {
            atoms.push(content(&both));
            return 2;
        }
    }
    if *setting == Setting::Part {
        atoms.push(part(first));
        return 1;
    }
    if ENGLISH.opens_phrase(first)
        && let Some((class, n_words)) = phrase(tokens, at)
    {
        atoms.push(classed(class, first, true));
        return n_words;
    }
    // An article has a noun behind it; other letters are names.
    if matches!(first.as_str(), "a" | "i")
        && !matches!(tokens.get(at + 1), Some(Token::Word(..) | Token::Exact(_)))
    {
        atoms.push(content(first));
        return 1;
    }
    atoms.push(match ENGLISH.class(first) {
        Some(class) => {
            let counts_something = tokens.get(at + 1).is_some_and(is_content);
            classed(class, first, counts_something)
        }
        None => content(first),
    });
    1
}

fn phrase(tokens: &[Token], at: usize) -> Option<(Class, usize)> {
    let words: Vec<&str> = tokens
        .iter()
        .skip(at)
        .take(ENGLISH.longest)
        .map_while(|token| match token {
            Token::Word(word, Setting::Prose) => Some(word.as_str()),
            _ => None,
        })
        .collect();
    (2..=words.len()).rev().find_map(|n_words| {
        let class = ENGLISH.class(&words.get(..n_words)?.join(" "))?;
        Some((class, n_words))
    })
}

/// Whether a token can be what `all` or `any` counts.
fn is_content(token: &Token) -> bool {
    match token {
        Token::Word(word, _) => matches!(
            ENGLISH.class(word),
            None | Some(Class::Quiet | Class::Soft | Class::Same(_) | Class::Only)
        ),
        Token::Exact(_) | Token::Run(_) => true,
        _ => false,
    }
}

/// A part of a word with hyphens: prepositions go, the rest is content.
fn part(word: &str) -> Atom {
    match ENGLISH.class(word) {
        Some(Class::Quiet | Class::Link(_)) => Atom::Quiet,
        Some(Class::Only) => classed(Class::Only, word, true),
        _ => content(word),
    }
}

/// A word that is only itself.
fn content(word: &str) -> Atom {
    let led_back = ENGLISH.same(word).unwrap_or(word);
    if led_back.bytes().all(|byte| byte.is_ascii_digit()) {
        return term(led_back.to_owned(), TermKind::Number);
    }
    let text = if led_back.contains(' ') {
        led_back.to_owned()
    } else {
        stem(led_back)
    };
    let kind = if is_soft(&text) {
        TermKind::Soft
    } else {
        TermKind::Word
    };
    Atom::Term(Term {
        is_relation: is_relation(&text),
        is_command: ENGLISH.is_verb(word),
        text,
        kind,
    })
}

/// The atom of a class. `counts_something` tells whether `all` and `any` have something to count.
fn classed(class: Class, word: &str, counts_something: bool) -> Atom {
    match class {
        Class::Quiet | Class::Particle => Atom::Quiet,
        Class::Place => Atom::Link("中"),
        Class::All if counts_something => term("all".to_owned(), TermKind::All),
        Class::Any if counts_something => term("any".to_owned(), TermKind::Any),
        Class::Only => term("only".to_owned(), TermKind::Exact),
        Class::May => term("may".to_owned(), TermKind::May),
        Class::Needless => term("needless".to_owned(), TermKind::Needless),
        Class::Always => Atom::Opener(Opener::Always),
        Class::Please => Atom::Opener(Opener::Please),
        Class::Must => Atom::Opener(Opener::Must),
        Class::Use => Atom::Opener(Opener::Use),
        Class::Denial(denial) => Atom::Denial(denial),
        Class::Over => Atom::Over,
        Class::Just => Atom::Just,
        Class::Under(role) => Atom::Under(role),
        Class::Past(role) => Atom::Past(role),
        Class::Link(name) => Atom::Link(name),
        Class::And => Atom::And,
        Class::But => Atom::But,
        Class::Same(text) => term(text.to_owned(), TermKind::Word),
        Class::Soft => term(word.to_owned(), TermKind::Soft),
        Class::All | Class::Any | Class::Relation | Class::Whole => content(word),
    }
}

/// Cuts a run at the words it can know, longest first; the rest is content.
fn unspaced(run: &str, atoms: &mut Vec<Atom>) {
    let mut content = String::new();
    let follows_number =
        matches!(atoms.last(), Some(Atom::Term(term)) if term.kind == TermKind::Number);
    let mut rest = run
        .strip_prefix('个')
        .filter(|_| follows_number)
        .unwrap_or(run);
    while let Some(c) = rest.chars().next() {
        let (entry, class) = match longest_entry(rest) {
            Some((entry, class)) => (entry, Some(class)),
            None => (rest.get(..c.len_utf8()).unwrap_or_default(), None),
        };
        let after = rest.strip_prefix(entry).unwrap_or_default();
        if let Some((n, counted)) = counted(rest) {
            flush(&mut content, atoms);
            atoms.push(term(n.to_string(), TermKind::Number));
            rest = counted;
            continue;
        }
        rest = after;
        match class {
            None | Some(Class::Whole) => content.push_str(entry),
            Some(Class::Particle) => {}
            Some(Class::Place) if !ends_place(entry, after, &content, atoms) => {
                content.push_str(entry);
            }
            // `前` with nothing before it is the front, not a time.
            Some(Class::Past(_))
                if content.is_empty() && !matches!(atoms.last(), Some(Atom::Term(_))) =>
            {
                content.push_str(entry);
            }
            Some(Class::Same(other)) if CHINESE.class(other) != Some(Class::Soft) => {
                content.push_str(other);
            }
            Some(Class::Same(other)) => {
                flush(&mut content, atoms);
                atoms.push(term(other.to_owned(), TermKind::Soft));
            }
            Some(Class::Relation) => {
                flush(&mut content, atoms);
                atoms.push(Atom::Term(Term {
                    text: entry.to_owned(),
                    kind: TermKind::Run,
                    is_relation: true,
                    is_command: opens_with_verb(entry),
                }));
            }
            Some(Class::May) => {
                flush(&mut content, atoms);
                atoms.push(Atom::Term(Term {
                    text: "may".to_owned(),
                    kind: TermKind::May,
                    is_relation: false,
                    // Unlike `can`, it always permits.
                    is_command: true,
                }));
            }
            Some(class) => {
                flush(&mut content, atoms);
                atoms.push(classed(class, entry, true));
            }
        }
    }
    flush(&mut content, atoms);
}

fn longest_entry(rest: &str) -> Option<(&str, Class)> {
    let ends = rest
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take(CHINESE.longest);
    let mut found = None;
    for end in ends {
        let entry = rest.get(..end)?;
        if let Some(class) = CHINESE.class(entry) {
            found = Some((entry, class));
        }
    }
    found
}

/// Whether a place word stands behind the place it names, and is not the start of another word.
fn ends_place(place: &str, after: &str, content: &str, atoms: &[Atom]) -> bool {
    if place.chars().count() > 1 {
        return true;
    }
    let mut recent = atoms.iter().rev().take(MAX_PLACE_ATOMS);
    let is_open = match recent.find(|atom| matches!(atom, Atom::Link(_) | Atom::Pause(_))) {
        Some(Atom::Link(link)) => {
            *link == "在" && !(content.is_empty() && atoms.last() == Some(&Atom::Link("在")))
        }
        _ => false,
    };
    is_open
        || match longest_entry(after) {
            None => after.is_empty(),
            Some((_, class)) => !matches!(
                class,
                Class::Whole | Class::Relation | Class::Soft | Class::Same(_)
            ),
        }
}

/// How many atoms a place has at most.
const MAX_PLACE_ATOMS: usize = 8;

/// A numeral in front of a measure word, and what follows; `个` says no more than the numeral.
fn counted(rest: &str) -> Option<(usize, &str)> {
    let mut chars = rest.chars();
    let n = match chars.next()? {
        '两' | '二' => 2,
        '十' => 10,
        c => "三四五六七八九".chars().position(|numeral| numeral == c)? + 3,
    };
    let counted = chars.as_str();
    match chars.next()? {
        '个' => Some((n, chars.as_str())),
        '次' | '天' | '行' | '格' | '位' | '种' | '条' | '份' | '周' | '秒' | '年' | '名'
        | '层' | '级' | '分' | '小' => Some((n, counted)),
        _ => None,
    }
}

fn flush(content: &mut String, atoms: &mut Vec<Atom>) {
    if content.is_empty() {
        return;
    }
    let text = std::mem::take(content);
    atoms.push(Atom::Term(Term {
        is_relation: false,
        is_command: opens_with_verb(&text),
        kind: TermKind::Run,
        text,
    }));
}

fn opens_with_verb(text: &str) -> bool {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(3);
    ends.filter_map(|end| text.get(..end))
        .any(|opening| CHINESE.is_verb(opening))
}
