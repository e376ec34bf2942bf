//! The steps of a skill, and what to look for to find them again.

use std::ops::Range;

use analects_text::outline::outline;
use analects_text::shell_line;

use super::Kind;

/// A step, and the texts by which it is known.
pub(super) struct Wanted {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Any of them will do.
    pub(super) needles: Vec<String>,
}

/// A skill with more steps than these is not looked through to its end.
const MAX_STEPS: usize = 400;
/// A longer text is known by its beginning.
const MAX_NEEDLE_CHARS: usize = 200;
/// A sentence is known by so many words in a row.
const N_WORDS: usize = 6;

/// The steps of a skill: the commands in its code and in its scripts, the addresses that it names, and what its
/// entries say.
pub(super) fn steps(skill_text: &str, scripts: &[&str]) -> Vec<Wanted> {
    let body = analects_text::frontmatter::split(skill_text).map_or(skill_text, |parts| parts.body);
    let outline = outline(body);
    let blocks = outline.blocks.iter().flat_map(|block| &block.lines);
    let blocks = blocks.map(|(_, line)| line.as_str());
    let lines = scripts.iter().flat_map(|script| script.lines());
    let spans = outline.spans.iter().map(|span| span.text.as_str());
    let commands = blocks.chain(lines).chain(spans).flat_map(commands);
    let addresses = body.split(|c: char| c.is_whitespace() || "`\"'<>()[]".contains(c));
    let in_scripts = scripts.iter().flat_map(|text| text.split_whitespace());
    let addresses = addresses.chain(in_scripts).filter_map(address);
    let entries = outline.entries.iter().filter(|entry| !entry.is_code);
    let sentences = entries.filter_map(|entry| sentence(&entry.text));
    let mut steps: Vec<Wanted> = Vec::new();
    for step in commands.chain(addresses).chain(sentences) {
        if steps.len() < MAX_STEPS && !steps.iter().any(|known| known.needles == step.needles) {
            steps.push(step);
        }
    }
    steps
}

/// A text as it is compared: small letters, one blank between words.
pub(super) fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.extend(word.chars().flat_map(char::to_lowercase));
    }
    normal
}

/// Whether what was found is no part of a longer word.
pub(super) fn stands_alone(text: &str, at: Range<usize>) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..at.start).and_then(|it| it.chars().next_back());
    let after = text.get(at.end..).and_then(|it| it.chars().next());
    let found = text.get(at).unwrap_or_default();
    let (first, last) = (found.chars().next(), found.chars().next_back());
    let joins = |a: Option<char>, b: Option<char>| a.is_some_and(goes_on) && b.is_some_and(goes_on);
    !joins(before, first) && !joins(last, after)
}

/// The commands of a line of code, each by itself. What has to be filled in ends what a command is known by.
fn commands(line: &str) -> impl Iterator<Item = Wanted> {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let parts = line.split("&&").flat_map(|part| part.split("||"));
    parts.flat_map(|part| part.split(';')).flat_map(piped)
}

/// The commands of a pipe.
fn piped(line: &str) -> Vec<Wanted> {
    let line = line.trim();
    let end = line.find(['<', '{', '…']).unwrap_or(line.len());
    let known = line.get(..end).unwrap_or_default();
    let known = known.trim_start_matches(['(', ' ']);
    if known.starts_with('#') {
        return Vec::new();
    }
    let plain = bare(known.split_whitespace().collect());
    match shell_line::lex(&plain) {
        Ok(line) => {
            let words = |command: &shell_line::Simple| -> String {
                let words = command.words.iter().map(|word| word.text.as_str());
                bare(words.collect())
            };
            let all = line.commands.iter().map(words);
            all.filter_map(|words| command(&words)).collect()
        }
        // Whoever is not sure looks for all that stands between what joins commands.
        Err(shell_line::Unsure) => plain
            .split(['&', '|', ';', '(', ')'])
            .filter_map(|part| command(&bare(part.split_whitespace().collect())))
            .collect(),
    }
}

/// A command without what only stands before it.
fn bare(mut words: Vec<&str>) -> String {
    let is_wrapper = |word: &str| {
        WRAPPERS.contains(&word)
            || word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
            })
    };
    let n_before = words.iter().take_while(|word| is_wrapper(word)).count();
    words.drain(..n_before);
    words.join(" ")
}

/// Words that run the command behind them.
const WRAPPERS: [&str; 9] = [
    "time", "sudo", "env", "command", "exec", "nohup", "nice", "builtin", "doas",
];

fn command(text: &str) -> Option<Wanted> {
    let known = normal(text);
    let is_command = known.contains(' ') || known.starts_with("./");
    (is_command && known.chars().count() > MIN_CHARS).then(|| Wanted {
        text: shown(text),
        kind: Kind::Command,
        needles: vec![cut(&known)],
    })
}

/// Nothing can be told from a shorter text.
const MIN_CHARS: usize = 4;

fn address(word: &str) -> Option<Wanted> {
    let at = word.find("://")?;
    let known = normal(word.get(at + 3..)?);
    let known = known.trim_end_matches(['.', ',', ';', ':', '/']);
    (known.len() > MIN_CHARS).then(|| Wanted {
        text: shown(word),
        kind: Kind::Address,
        needles: vec![cut(known)],
    })
}

/// What an entry says, known by words in a row; nothing if it says too little to be known.
fn sentence(text: &str) -> Option<Wanted> {
    let normal = normal(text);
    let words: Vec<_> = normal.split(' ').take(MAX_WORDS).collect();
    let rows = words.windows(N_WORDS).map(|words| words.join(" "));
    let mut needles: Vec<_> = rows.filter(|row| row.len() < MAX_NEEDLE_CHARS).collect();
    if words.len() < N_WORDS {
        // Chinese has no blanks between words.
        let signs: Vec<_> = normal.chars().take(MAX_WORDS).collect();
        let is_dense = signs.iter().filter(|c| !c.is_ascii()).count() > N_SIGNS;
        let rows = signs.windows(N_SIGNS).filter(|_| is_dense);
        needles.extend(rows.map(|row| row.iter().collect::<String>()));
    }
    (!needles.is_empty()).then(|| Wanted {
        text: shown(text),
        kind: Kind::Sentence,
        needles,
    })
}

/// Where words are not told apart, a sentence is known by so many signs in a row.
const N_SIGNS: usize = 10;
/// So many words of an entry are looked at.
const MAX_WORDS: usize = 60;

fn cut(text: &str) -> String {
    text.chars().take(MAX_NEEDLE_CHARS).collect()
}

fn shown(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    cut(&words.join(" "))
}
