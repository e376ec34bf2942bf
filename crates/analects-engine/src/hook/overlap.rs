//! Whether a prompt and an entry speak of the same thing, without a model and without an index.
//!
//! Names decide (`snake_case`, `camelCase`, paths, numbers), and so do two words, or two pairs of Chinese
//! characters, that few entries have. One common word proves nothing.

use std::collections::{BTreeSet, HashMap};

use analects_text::script::is_unspaced;

/// What a text speaks of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Terms(BTreeSet<Term>);

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Term {
    /// Something that is called so on purpose.
    Name(String),
    /// A word, or a pair of characters of a script without blanks.
    Word(String),
}

/// What a shared name and a shared word are worth, and how much makes an overlap real.
const NAME: usize = 2;
const WORD: usize = 1;
const ENOUGH: usize = 2;

impl Terms {
    pub(super) fn of(text: &str) -> Self {
        let mut terms = Self::default();
        let is_part = |c: char| c.is_alphanumeric() || "_-./:".contains(c);
        for run in text.split(|c| !is_part(c)) {
            for piece in pieces(run) {
                match piece {
                    Piece::Pairs(run) => terms.add_pairs(run),
                    Piece::Plain(run) => terms.add_run(run.trim_matches(['-', '.', '/', ':'])),
                }
            }
        }
        terms
    }

    /// Whether any entry could overlap with this.
    pub(super) fn say_enough(&self) -> bool {
        let worth = |term: &Term| match term {
            Term::Name(_) => NAME,
            Term::Word(_) => WORD,
        };
        self.0.iter().map(worth).sum::<usize>() >= ENOUGH
    }

    fn add_pairs(&mut self, run: &str) {
        let chars: Vec<_> = run.chars().collect();
        let pairs = chars.windows(2).map(|pair| pair.iter().collect());
        self.0.extend(pairs.map(Term::Word));
    }

    fn add_run(&mut self, run: &str) {
        if is_name(run) {
            self.0.insert(Term::Name(run.to_lowercase()));
            let last = run.rsplit('/').next().unwrap_or(run);
            if last != run && is_name(last) {
                self.0.insert(Term::Name(last.to_lowercase()));
            }
        }
        for part in run.split(['_', '-', '.', '/', ':']) {
            for word in humps(part) {
                self.0.extend(stem(&word.to_lowercase()).map(Term::Word));
            }
        }
    }
}

/// Entries, and how many of them speak of each thing.
pub(super) struct Corpus {
    entries: Vec<Terms>,
    counts: HashMap<Term, usize>,
}

impl Corpus {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let entries: Vec<_> = texts.map(Terms::of).collect();
        let mut counts = HashMap::new();
        for term in entries.iter().flat_map(|terms| &terms.0) {
            *counts.entry(term.clone()).or_default() += 1;
        }
        Self { entries, counts }
    }

    /// Which entries really overlap with `prompt`, the best first.
    pub(super) fn rank(&self, prompt: &Terms) -> Vec<usize> {
        let score = |terms: &Terms| -> usize {
            let shared = prompt.0.intersection(&terms.0);
            shared.map(|term| self.weight(term)).sum()
        };
        let scored = self.entries.iter().map(score).enumerate();
        let mut scored: Vec<_> = scored.filter(|(_, score)| *score >= ENOUGH).collect();
        // Stable: what scores the same stays in reading order.
        scored.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        scored.into_iter().map(|(at, _)| at).collect()
    }

    /// What everybody speaks of tells nobody apart.
    fn weight(&self, term: &Term) -> usize {
        let n_entries = self.entries.len();
        let count = self.counts.get(term).copied().unwrap_or_default();
        match term {
            Term::Name(_) if count <= (n_entries / 4).max(8) => NAME,
            Term::Word(_) if count <= (n_entries / 10).max(3) => WORD,
            _ => 0,
        }
    }
}

enum Piece<'a> {
    Plain(&'a str),
    /// Characters of a script that writes without blanks.
    Pairs(&'a str),
}

/// Parts a run where the script changes.
fn pieces(run: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_pairs = is_paired(first);
        let end = rest.find(|c| is_paired(c) != is_pairs);
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(if is_pairs {
            Piece::Pairs(piece)
        } else {
            Piece::Plain(piece)
        });
        rest = after;
    }
    pieces
}

/// Thai and Lao too: pairs of their letters tell entries apart as well as those of others.
fn is_paired(c: char) -> bool {
    is_unspaced(c) || matches!(c, '\u{0E00}'..='\u{0EFF}')
}

/// Whether somebody gave this name to something: a path, an identifier, a number that is no amount.
fn is_name(run: &str) -> bool {
    let has = |is: fn(char) -> bool| run.chars().any(is);
    let has_letter = has(char::is_alphabetic);
    let has_digit = has(|c| c.is_ascii_digit());
    let n_chars = run.chars().count();
    if !has_letter {
        return n_chars >= 4 && run.chars().all(|c| c.is_ascii_digit());
    }
    let is_joined = run.contains(['_', '/']) || run.contains("::");
    let is_file = run.rsplit_once('.').is_some_and(|(stem, kind)| {
        stem.chars().count() > 1 && (1..=5).contains(&kind.len()) && !kind.contains('-')
    });
    let is_camel = humps(run).len() > 1;
    n_chars >= 4 && (is_joined || is_file || is_camel || has_digit)
}

/// `fooBar` as `foo` and `Bar`.
fn humps(run: &str) -> Vec<&str> {
    let mut humps = Vec::new();
    let mut start = 0;
    let mut was_lower = false;
    for (at, c) in run.char_indices() {
        if was_lower && c.is_uppercase() {
            humps.extend(run.get(start..at));
            start = at;
        }
        was_lower = c.is_lowercase();
    }
    humps.extend(run.get(start..).filter(|rest| !rest.is_empty()));
    humps
}

/// A word without its ending; `None` if it says too little.
fn stem(word: &str) -> Option<String> {
    let is_wordy = word.chars().count() >= 3 && word.chars().all(char::is_alphabetic);
    if !is_wordy || COMMON.contains(&word) {
        return None;
    }
    let endings = ["ing", "ed", "es", "s"];
    let bare = endings.iter().find_map(|ending| word.strip_suffix(ending));
    let bare = bare.filter(|bare| bare.chars().count() >= 4 && word.is_ascii());
    Some(bare.unwrap_or(word).to_owned())
}

/// Words that stand in every prompt and in every rule.
const COMMON: [&str; 118] = [
    "about", "add", "after", "all", "also", "always", "and", "any", "are", "avoid", "because",
    "been", "before", "being", "both", "but", "can", "change", "check", "code", "could", "create",
    "did", "does", "doing", "done", "each", "every", "file", "files", "find", "first", "fix",
    "for", "from", "get", "give", "good", "had", "has", "have", "help", "here", "how", "into",
    "its", "just", "keep", "know", "let", "like", "look", "make", "more", "most", "must", "need",
    "never", "new", "not", "now", "off", "one", "only", "other", "our", "out", "over", "please",
    "project", "put", "read", "run", "same", "say", "see", "set", "should", "show", "some", "such",
    "sure", "take", "tell", "than", "that", "the", "their", "them", "then", "there", "these",
    "they", "thing", "this", "those", "too", "two", "under", "until", "update", "use", "used",
    "using", "very", "want", "was", "way", "were", "what", "when", "where", "which", "why", "will",
    "with", "work", "write",
];

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [&str; 8] = [
        "The dev server listens on port 8081.",
        "Run `cargo xtask ci` before every commit.",
        "Never edit `crates/analects-text/src/redact.rs` by hand.",
        "`load_memory` must stay synchronous.",
        "Answer in English.",
        "开发服务器的端口是 8081。",
        "Deploy to staging with `make deploy-staging`.",
        "The parser of settings is called readObject.",
    ];

    #[track_caller]
    fn check(prompt: &str, expected: &[usize]) {
        let corpus = Corpus::of(ENTRIES.into_iter());
        assert_eq!(corpus.rank(&Terms::of(prompt)), expected, "{prompt}");
    }

    #[test]
    fn names_and_paths_decide() {
        check("why is load_memory slow?", &[3]);
        check("look at src/redact.rs", &[2]);
        check("what runs on 8081?", &[0, 5]);
        check("rename ReadObject", &[7]);
    }

    #[test]
    fn two_rare_words_are_enough_and_one_is_not() {
        check("start the dev servers", &[0]);
        check("deploying to staging", &[6]);
        check("commit this", &[]);
        check("write a parser", &[]);
    }

    #[test]
    fn chinese_is_matched_by_pairs() {
        check("服务器端口是多少?", &[5]);
        check("帮我写一个测试", &[]);
    }

    #[test]
    fn idle_talk_matches_nothing() {
        for prompt in [
            "",
            "yes",
            "please do it",
            "/compact",
            "go on and use what you have",
            "1 2 3",
        ] {
            check(prompt, &[]);
        }
        assert!(!Terms::of("yes, do it!").say_enough());
        assert!(Terms::of("read_object").say_enough());
    }

    #[test]
    fn what_everybody_says_tells_nobody_apart() {
        let texts: Vec<_> = (0..40)
            .map(|at| format!("the api_key of service {at}"))
            .collect();
        let corpus = Corpus::of(texts.iter().map(String::as_str));
        assert_eq!(
            corpus.rank(&Terms::of("where is the api_key of the service?")),
            [0_usize; 0]
        );
    }
}
