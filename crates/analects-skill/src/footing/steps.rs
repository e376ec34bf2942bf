//! The steps of a skill, and what to look for to find them again.

use std::ops::Range;

use analects_text::outline::outline;
use analects_text::shell_line;

use super::Kind;
use crate::learn::habits;
use crate::learn::hearsay;
use crate::learn::step::{has_script_ending, inner_line};
use crate::origin::is_loopback;
use crate::skill;

/// A step, and the texts by which it is known.
pub(super) struct Wanted {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// What it says word for word: any of them will do.
    pub(super) lines: Vec<String>,
    /// The names in it. Whoever says one of them may mean it.
    pub(super) names: Vec<String>,
}

/// Something to look for.
pub(super) enum Needle<'a> {
    /// Words of the step, in a row.
    Line(&'a str),
    /// One of its names, by its number.
    Name(&'a str, usize),
}

impl<'a> Needle<'a> {
    pub(super) fn text(&self) -> &'a str {
        match self {
            Self::Line(text) | Self::Name(text, _) => text,
        }
    }
}

impl Wanted {
    /// All that is looked for on its behalf.
    pub(super) fn needles(&self) -> impl Iterator<Item = Needle<'_>> {
        let names = self.names.iter().take(MAX_NAMES).zip(0..);
        let lines = self.lines.iter().map(|line| Needle::Line(line));
        lines.chain(names.map(|(name, name_idx)| Needle::Name(name, name_idx)))
    }
}

/// A command is known by this many names.
pub(super) const MAX_NAMES: usize = 8;
/// A skill with more steps than these is not looked through to its end.
const MAX_STEPS: usize = 400;
/// A longer text is known by its beginning.
const MAX_NEEDLE_CHARS: usize = 200;
/// A sentence is known by this many words in a row.
const N_WORDS: usize = 6;

/// The steps of a skill: the commands in its code and in its scripts, the addresses that it names, and what its
/// entries say.
pub(super) fn steps(skill_text: &str, scripts: &[&str]) -> (Vec<Wanted>, bool) {
    let body = analects_text::frontmatter::split(skill_text).map_or(skill_text, |parts| parts.body);
    // What it is for is told to every model, whether it is activated or not.
    let description = skill::read(skill_text, "").description;
    let body = format!("{description}\n\n{body}");
    let outline = outline(&body);
    let blocks = outline.blocks.iter().flat_map(|block| &block.lines);
    let blocks = blocks.map(|(_, line)| line.as_str());
    let lines = scripts.iter().flat_map(|script| script.lines());
    let spans = outline.spans.iter().map(|span| span.text.as_str());
    let commands = blocks.chain(lines).chain(spans).flat_map(commands);
    let addresses = body.split(|c: char| c.is_whitespace() || "`\"'<>()[]".contains(c));
    let in_scripts = scripts.iter().flat_map(|text| text.split_whitespace());
    let addresses = addresses.chain(in_scripts).filter_map(address);
    let entries = outline.entries.iter().filter(|entry| !entry.is_code);
    let told = entries.flat_map(|entry| {
        let first = outline
            .spans
            .partition_point(|it| it.at.start < entry.at.start);
        let inside = outline.spans.iter().skip(first);
        let inside = inside.take_while(|span| span.at.start < entry.at.end);
        let codes: Vec<_> = inside.map(|span| span.text.as_str()).collect();
        let names = wanted_names(&entry.text, &codes);
        sentence(&entry.text, &codes).into_iter().chain(names)
    });
    let mut steps: Vec<Wanted> = Vec::new();
    for step in commands.chain(addresses).chain(told) {
        let is_same = |known: &Wanted| match step.lines.is_empty() {
            true => step.names.iter().all(|name| known.names.contains(name)),
            false => known.lines == step.lines,
        };
        if steps.iter().any(is_same) {
            continue;
        }
        if steps.len() >= MAX_STEPS {
            return (steps, true);
        }
        steps.push(step);
    }
    (steps, false)
}

/// A text as it is compared: small letters, one blank between words, no quotes, no sign that a line goes on.
pub(super) fn normal(text: &str) -> String {
    normal_lines(text).0
}

/// The same, and where its lines begin in it, but for the first.
pub(super) fn normal_lines(text: &str) -> (String, Vec<usize>) {
    let mut normal = String::with_capacity(text.len());
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut is_start = !normal.is_empty();
        for word in line.split_whitespace().filter(|word| *word != "\\") {
            let length = normal.len();
            if length > 0 {
                normal.push(' ');
            }
            let start = normal.len();
            let mut signs = word.chars().peekable();
            while let Some(sign) = signs.next() {
                let is_escape = sign == '\\' && signs.peek().is_some_and(|next| is_quote(*next));
                if !is_quote(sign) && !is_escape {
                    normal.extend(sign.to_lowercase());
                }
            }
            if normal.len() == start {
                normal.truncate(length);
            } else if std::mem::take(&mut is_start) {
                lines.push(start);
            }
        }
    }
    (normal, lines)
}

fn is_quote(sign: char) -> bool {
    matches!(sign, '"' | '\'')
}

/// Whether what was found is no part of a longer word.
pub(super) fn stands_alone(text: &str, at: Range<usize>) -> bool {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..at.start).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default();
    let found = text.get(at).unwrap_or_default();
    let joins = |a: &str, b: &str| a.ends_with(goes_on) && b.starts_with(goes_on);
    (!joins(before, found) || hearsay::ends_in_escape(before)) && !joins(found, after)
}

/// The commands of a line of code, each by itself. What has to be filled in ends what a command is known by.
fn commands(line: &str) -> Vec<Wanted> {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let is_whole = !line.contains(TO_FILL_IN) && !line.starts_with('#');
    if let (true, Ok(taken)) = (is_whole, shell_line::lex(&plain(line))) {
        return simple(&taken, MAX_DEPTH);
    }
    let parts = line.split("&&").flat_map(|part| part.split("||"));
    let parts = parts.flat_map(|part| part.split(';'));
    parts.flat_map(piped).collect()
}

/// What says that something is to be filled in.
const TO_FILL_IN: [char; 3] = ['<', '{', '…'];
/// Shells are started from shells so deep.
const MAX_DEPTH: usize = 3;

/// The commands of a pipe.
fn piped(line: &str) -> Vec<Wanted> {
    let line = line.trim();
    let end = line.find(TO_FILL_IN).unwrap_or(line.len());
    let known = line.get(..end).unwrap_or_default();
    let known = known.trim_start_matches(['(', ' ']);
    if known.starts_with('#') {
        return Vec::new();
    }
    let known = plain(known);
    match shell_line::lex(&known) {
        Ok(taken) => simple(&taken, MAX_DEPTH),
        // Whoever is not sure looks for all that stands between what joins commands.
        Err(shell_line::Unsure) => known
            .split(['&', '|', ';', '(', ')'])
            .filter_map(|part| command(bare(&part.split_whitespace().collect::<Vec<_>>())))
            .collect(),
    }
}

/// The commands of a line that could be taken apart, and those of the shells that it starts.
fn simple(line: &shell_line::Line, depth: usize) -> Vec<Wanted> {
    let mut all = Vec::new();
    for one in &line.commands {
        let words: Vec<_> = one.words.iter().map(|word| word.text.as_str()).collect();
        let words = bare(&words);
        let inner = inner_line(words).filter(|_| depth > 0);
        match inner.map(shell_line::lex) {
            Some(Ok(inner)) => all.extend(simple(&inner, depth - 1)),
            Some(Err(shell_line::Unsure)) | None => all.extend(command(words)),
        }
    }
    all
}

/// A line without the words before it that are grammar to a shell.
fn plain(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    bare(&words).join(" ")
}

/// A command without what only stands before it.
fn bare<'a, 'b>(mut words: &'b [&'a str]) -> &'b [&'a str] {
    let is_assignment = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        })
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    while let [first, rest @ ..] = words
        && !rest.is_empty()
    {
        if is_assignment(first) {
            words = rest;
        } else if habits::is_wrapper(first) || WRAPPERS.contains(first) {
            let is_own = |word: &&&str| word.starts_with('-') || is_number(word);
            let n_own = rest.iter().take_while(is_own).count();
            words = rest.get(n_own..).unwrap_or_default();
        } else {
            break;
        }
    }
    words
}

/// More words that run the command behind them.
const WRAPPERS: [&str; 2] = ["command", "env"];

fn command(words: &[&str]) -> Option<Wanted> {
    let text = words.join(" ");
    let known = normal(&text);
    let is_command = known.contains(' ') || known.starts_with("./");
    (is_command && known.chars().count() > MIN_CHARS).then(|| Wanted {
        text: shown(&text),
        kind: Kind::Command,
        lines: vec![cut(&known)],
        names: names(hearsay::names_in(words)),
    })
}

/// Programs and scripts that an entry wants to have run, without the command: in code, or by the name of a script.
fn wanted_names(text: &str, codes: &[&str]) -> Vec<Wanted> {
    if !hearsay::gives_order(text) {
        return Vec::new();
    }
    let is_one = |code: &&str| !code.contains(char::is_whitespace);
    let spans = codes.iter().copied().filter(is_one);
    let is_end = |c: char| c.is_whitespace() || !c.is_ascii() || "`\"'<>()[],".contains(c);
    let words = text.split(is_end);
    let scripts = words.map(|word| word.trim_end_matches(['.', ':', ';']));
    let scripts = scripts.filter(|word| has_script_ending(word));
    let wanted = spans.chain(scripts).filter_map(|word| {
        let names = names(hearsay::names_in(&[word]));
        (!names.is_empty()).then(|| Wanted {
            text: shown(word),
            kind: Kind::Name,
            lines: Vec::new(),
            names,
        })
    });
    wanted.collect()
}

/// Names as they are compared, each once.
fn names(found: Vec<&str>) -> Vec<String> {
    let mut names: Vec<_> = found.into_iter().map(normal).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| name.chars().count() > MIN_CHARS && name.len() < MAX_NEEDLE_CHARS);
    names.truncate(MAX_NAMES);
    names
}

/// Nothing can be told from a shorter text.
const MIN_CHARS: usize = 4;

fn address(word: &str) -> Option<Wanted> {
    let at = word.find("://")?;
    let known = normal(word.get(at + 3..)?);
    let known = known.trim_end_matches(['.', ',', ';', ':', '/']);
    let host = known.split(['/', '?', '#']).next().unwrap_or(known);
    let is_telling = !is_loopback(host) && !HOSTS.iter().any(|known| host.ends_with(known));
    (known.len() > MIN_CHARS).then(|| Wanted {
        text: shown(word),
        kind: Kind::Address,
        lines: vec![cut(known)],
        names: names(if is_telling { vec![host] } else { Vec::new() }),
    })
}

/// Where everybody gets something from.
const HOSTS: [&str; 10] = [
    "crates.io",
    "docker.com",
    "docker.io",
    "github.com",
    "githubusercontent.com",
    "gitlab.com",
    "golang.org",
    "npmjs.org",
    "pypi.org",
    "rubygems.org",
];

/// What an entry says, known by words in a row; nothing if it says too little to be known. The names in its code are its
/// own: whoever repeats a command in a sentence adds nothing to it.
fn sentence(text: &str, codes: &[&str]) -> Option<Wanted> {
    let normal = normal(text);
    let words: Vec<_> = normal.split(' ').take(MAX_WORDS).collect();
    let rows = words.windows(N_WORDS).map(|words| words.join(" "));
    let mut lines: Vec<_> = rows.filter(|row| row.len() < MAX_NEEDLE_CHARS).collect();
    if words.len() < N_WORDS {
        // Chinese has no blanks between words.
        let signs: Vec<_> = normal.chars().take(MAX_WORDS).collect();
        let is_dense = signs.iter().filter(|c| !c.is_ascii()).count() > N_SIGNS;
        let rows = signs.windows(N_SIGNS).filter(|_| is_dense);
        lines.extend(rows.map(|row| row.iter().collect::<String>()));
    }
    let commands = codes.iter().flat_map(|code| commands(code));
    let mut names: Vec<_> = commands.flat_map(|command| command.names).collect();
    names.truncate(MAX_NAMES);
    (!lines.is_empty()).then(|| Wanted {
        text: shown(text),
        kind: Kind::Sentence,
        lines,
        names,
    })
}

/// Where words are not told apart, a sentence is known by this many signs in a row.
const N_SIGNS: usize = 10;
/// How many words of an entry are looked at.
const MAX_WORDS: usize = 60;

fn cut(text: &str) -> String {
    text.chars().take(MAX_NEEDLE_CHARS).collect()
}

fn shown(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    cut(&words.join(" "))
}
