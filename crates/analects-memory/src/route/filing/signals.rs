//! What a fact's words tell: of whom it speaks, and how far it reaches.
//!
//! What was understood is taken out of the fact before the next question, so that `my other projects` does not tell of
//! a person, nor `我们` of one alone.

use super::super::lexicon::WORDS;
use super::super::mention::{Words, uniform};
use super::lexicon::FILING;

/// What was found; each time the words that tell it.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// Of all projects, or not of this one.
    pub(super) beyond: Option<String>,
    /// Of this project.
    pub(super) here: Option<String>,
    /// Of people who work on it together.
    pub(super) group: Option<String>,
    /// Of one person.
    pub(super) person: Option<String>,
    /// Of one person's copy of this project.
    pub(super) own: Option<String>,
    /// Of how to talk to a person.
    pub(super) manner: Option<String>,
    /// Of something that a project is made of.
    pub(super) topic: Option<String>,
    /// A rule about how code is written, or an order that names nothing of a project.
    pub(super) rule: Option<String>,
}

impl Signals {
    /// Reads `fact`, told in the project of this name.
    pub(super) fn of(fact: &str, name: &str) -> Self {
        let mut speech = Speech::of(fact, name);
        speech.skip_opening();
        let not_only = speech.cut_not_only();
        let contrast = speech.cut_first("contrast");
        speech.cut_first("not_beyond");
        let beyond = speech.cut_first("beyond");
        let beyond = not_only.or(beyond).or_else(|| speech.cut_beyond());
        let group = speech.cut_first("group");
        let site = speech.first("site");
        let rig = site.clone().or_else(|| speech.first("rig"));
        let machine = speech.first("machine").filter(|_| rig.is_some());
        let own = speech.cut_first("own");
        let here = contrast.or_else(|| speech.cut_here());
        let person = speech.first_of_person();
        let set_up = site.or(machine).filter(|_| person.is_some());
        Self {
            beyond,
            here,
            group,
            own: own.or(set_up),
            person,
            manner: speech.first("manner"),
            topic: speech.first("topic"),
            rule: speech.rule(),
        }
    }
}

/// A fact while it is being understood.
struct Speech {
    words: Words,
    /// How the project is called, the way phrases are looked for.
    names: Vec<String>,
}

/// A fact may open with several phrases that say nothing.
const MAX_OPENINGS: usize = 3;

impl Speech {
    fn of(fact: &str, name: &str) -> Self {
        let spoken = without_quotes(fact);
        let words = Words::of(&spoken);
        let is_silent = words.words.is_empty() && words.dense.is_empty();
        Self {
            words: if is_silent { Words::of(fact) } else { words },
            names: names(name),
        }
    }

    fn first(&self, class: &str) -> Option<String> {
        let mut phrases = FILING.phrases(class);
        let found = phrases.find(|phrase| self.words.find(phrase).is_some());
        found.map(str::to_owned)
    }

    /// Takes all phrases of a class out, and tells the longest.
    fn cut_first(&mut self, class: &str) -> Option<String> {
        let found = self.first(class);
        if found.is_some() {
            for phrase in FILING.phrases(class) {
                self.cut(phrase);
            }
        }
        found
    }

    fn cut_beyond(&mut self) -> Option<String> {
        let found = self.words.first_of(&WORDS.beyond).map(str::to_owned);
        for phrase in WORDS.beyond.iter() {
            self.cut(phrase);
        }
        found
    }

    fn cut(&mut self, phrase: &str) {
        if phrase.is_ascii() {
            let spaced = &mut self.words.spaced;
            *spaced = spaced.replace(&format!(" {phrase} "), " . ");
        } else {
            self.words.dense = self.words.dense.replace(phrase, ".");
        }
    }

    fn skip_opening(&mut self) {
        for _ in 0..MAX_OPENINGS {
            let spaced = self.words.spaced.trim_start_matches([' ', '.']);
            let dense = self.words.dense.trim_start_matches(is_mark);
            let rest = FILING.phrases("opening").find_map(|phrase| {
                if !phrase.is_ascii() {
                    return Some((None, Some(dense.strip_prefix(phrase)?)));
                }
                let rest = spaced.strip_prefix(phrase)?;
                rest.starts_with(' ').then_some((Some(rest), None))
            });
            let Some((spaced, dense)) = rest else { return };
            if let Some(spaced) = spaced.map(str::to_owned) {
                self.words.spaced = spaced;
            }
            if let Some(dense) = dense.map(str::to_owned) {
                self.words.dense = dense;
            }
        }
    }

    /// Takes out that a fact is not about this project alone: `not just here`, `跟这个项目无关`.
    fn cut_not_only(&mut self) -> Option<String> {
        for before in FILING.phrases("not_only") {
            let Some(at) = self.words.find(before) else {
                continue;
            };
            let Some(n_bytes) = self.n_here_after(before, at) else {
                continue;
            };
            let text = match before.is_ascii() {
                true => &mut self.words.spaced,
                false => &mut self.words.dense,
            };
            text.replace_range(at..at + n_bytes, " . ");
            return Some(before.to_owned());
        }
        let here: Vec<_> = self.here_phrases().map(str::to_owned).collect();
        for after in FILING.phrases("not_after") {
            for here in &here {
                let phrase = format!("{here}{after}");
                if self.words.dense.contains(&phrase) {
                    self.words.dense = self.words.dense.replace(&phrase, ".");
                    return Some(after.to_owned());
                }
            }
        }
        None
    }

    /// How long `before` is with the name of this project behind it, if that is what follows.
    fn n_here_after(&self, before: &str, at: usize) -> Option<usize> {
        let (text, blank) = match before.is_ascii() {
            true => (&self.words.spaced, " "),
            false => (&self.words.dense, ""),
        };
        let start = at + 2 * blank.len() + before.len();
        let mut rest = text.get(start..)?;
        for _ in 0..MAX_OPENINGS {
            let filler = FILING.phrases("filler").find_map(|filler| {
                let rest = rest.strip_prefix(filler)?;
                rest.strip_prefix(blank)
            });
            let Some(after) = filler else { break };
            // `the` may belong to what follows: `the project`.
            if self.starts_here(rest, blank).is_some() {
                break;
            }
            rest = after;
        }
        let here = self.starts_here(rest, blank)?;
        Some(start - at + text.get(start..)?.len() - rest.len() + here)
    }

    fn starts_here(&self, text: &str, blank: &str) -> Option<usize> {
        let bare = ["here", "this", "这个", "这"].into_iter();
        let mut phrases = self.here_phrases().chain(bare);
        phrases.find_map(|phrase| {
            let rest = text.strip_prefix(phrase)?;
            rest.starts_with(blank).then_some(phrase.len())
        })
    }

    fn here_phrases<'a>(&'a self) -> impl Iterator<Item = &'a str> {
        let names = self.names.iter().map(String::as_str);
        let listed = WORDS.project.iter().chain(FILING.phrases("here"));
        names.chain(listed.map(|phrase| -> &'a str { phrase }))
    }

    /// Takes out what speaks of this project, and tells the first of it.
    fn cut_here(&mut self) -> Option<String> {
        let phrases: Vec<_> = self.here_phrases().map(str::to_owned).collect();
        let mut found = None;
        for phrase in phrases {
            // A name is written in Latin letters within Chinese, too, where nothing parts it from its neighbours.
            if self.words.find(&phrase).is_some() {
                self.cut(&phrase);
                found = found.or(Some(phrase));
            }
        }
        let spaced = &self.words.spaced;
        let is_place = |after: &str| !["is", "are", "here's"].contains(&after);
        let at = spaced.find(" here ");
        let after = at.and_then(|at| spaced.get(at + " here ".len()..));
        let is_here = after.is_some_and(|after| is_place(first_word(after)));
        found.or_else(|| is_here.then(|| "here".to_owned()))
    }

    fn first_of_person(&self) -> Option<String> {
        let listed = self.words.first_of(&WORDS.person).map(str::to_owned);
        let listed = listed.or_else(|| self.first("person"));
        listed.or_else(|| {
            let dense = self.words.dense.replace("自我", "");
            dense.contains('我').then(|| "我".to_owned())
        })
    }

    /// The words that make a rule of the fact, if it is one about how to write code.
    fn rule(&self) -> Option<String> {
        let style = self.first("style");
        let order = self.order();
        match (order, style, self.first("rule")) {
            (Some(order), _, _) => Some(order),
            (None, Some(style), Some(_)) => Some(style),
            _ => None,
        }
    }

    /// The word that a clause begins with, if that makes it an order.
    fn order(&self) -> Option<String> {
        let mut clauses = self.words.spaced.split(" . ");
        let order = clauses.find_map(|clause| {
            let word = first_word(clause.trim_start());
            FILING.has("order", word).then(|| word.to_owned())
        });
        let orders = || FILING.words("order").filter(|word| !word.is_ascii());
        let mut clauses = self.words.dense.split(is_mark);
        order.or_else(|| {
            let order = clauses.find_map(|clause| orders().find(|word| clause.starts_with(word)));
            order.map(str::to_owned)
        })
    }
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
}

/// The names of a project as they may be written; none if the name is a word that means itself.
fn names(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let is_common =
        WORDS.common.contains(lower.as_str()) || WORDS.path_only.contains(lower.as_str());
    if lower.chars().count() < 2 || is_common {
        return Vec::new();
    }
    let same = uniform(&lower);
    let mut names = vec![lower, same.clone(), same.replace('_', "-")];
    names.dedup();
    let owned: Vec<_> = names.iter().map(|name| format!("{name}'s")).collect();
    names.extend(owned);
    names
}

/// A fact without what it quotes: `the button says "call me"` tells of a button.
fn without_quotes(fact: &str) -> String {
    let mut said = String::with_capacity(fact.len());
    let mut quote: Option<(char, usize)> = None;
    for c in fact.chars() {
        match quote {
            Some((end, from)) if c == end => {
                said.truncate(from);
                said.push(' ');
                quote = None;
            }
            Some(_) => said.push(c),
            None => {
                let end = closing(c);
                quote = end.map(|end| (end, said.len()));
                said.push(if end.is_some() { ' ' } else { c });
            }
        }
    }
    said
}

fn closing(c: char) -> Option<char> {
    match c {
        '"' | '`' => Some(c),
        '“' => Some('”'),
        '「' => Some('」'),
        '『' => Some('』'),
        _ => None,
    }
}
