//! Which commands a shell line runs, as far as rules need to know.
//!
//! A line is taken apart into its simple commands ([`shell_line`](analects_text::shell_line)), each of which is decided on alone. A line that cannot be
//! taken apart surely is never allowed by what it begins with; rules that deny or ask look for their words anywhere
//! in it.

use analects_text::shell_line::program_name;
use analects_text::shell_line::{Simple, StandsFor, Word, lex};

use super::guess::{self, Guess};
use super::pattern::Pattern;

/// Programs that run what they are told in their arguments, so that a rule which denies looks there, too.
const CARRIERS: [&str; 62] = [
    ".",
    "alias",
    "awk",
    "bash",
    "builtin",
    "busybox",
    "caffeinate",
    "chroot",
    "chrt",
    "command",
    "csh",
    "dash",
    "dbus-run-session",
    "deno",
    "doas",
    "docker",
    "entr",
    "env",
    "eval",
    "exec",
    "fakeroot",
    "fd",
    "find",
    "fish",
    "flock",
    "gawk",
    "ionice",
    "ksh",
    "make",
    "nice",
    "node",
    "nohup",
    "npx",
    "parallel",
    "perl",
    "php",
    "pkexec",
    "proot",
    "python",
    "python3",
    "ruby",
    "runuser",
    "script",
    "setsid",
    "sh",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "tclsh",
    "timeout",
    "toybox",
    "trap",
    "unshare",
    "watch",
    "xargs",
    "xvfb-run",
    "zsh",
];

/// Programs that run what they read, if nothing else is named.
const READERS: [&str; 16] = [
    "ash", "bash", "csh", "dash", "fish", "ksh", "node", "perl", "php", "python", "python3",
    "ruby", "sh", "tclsh", "tcsh", "zsh",
];

/// The programs that a command line runs, if that can be said for sure: nothing sets variables or redirects, and no program
/// runs what it is told in its arguments.
#[must_use]
pub fn programs(line: &str) -> Option<Vec<String>> {
    let line = lex(line).ok()?;
    let is_plain = |command: &Simple| !command.sets_variables && !is_carrier(command);
    if line.redirects || line.commands.is_empty() || !line.commands.iter().all(is_plain) {
        return None;
    }
    let names = line.commands.iter().map(|command| {
        let word = command.words.first()?;
        (word.stands_for == StandsFor::Itself).then(|| word.text.clone())
    });
    let mut names: Vec<_> = names.collect::<Option<_>>()?;
    names.sort_unstable();
    names.dedup();
    Some(names)
}

/// What one rule is asked about: a call, or one command of its line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'a> {
    /// A call that runs no command line.
    Other,
    /// One simple command.
    Simple {
        /// The command.
        command: &'a Simple,
        /// Whether anything on its line is read from or written to a file.
        redirects: bool,
    },
    /// A line that cannot be taken apart.
    Unsure,
}

impl Part<'_> {
    /// Whether a rule that allows may speak of it at all.
    pub(super) fn is_covered(&self, is_narrow: bool, allows_redirection: bool) -> bool {
        match self {
            Self::Other => true,
            Self::Simple { command, redirects } => {
                let is_plain = !command.sets_variables || !is_narrow;
                is_plain && (!redirects || allows_redirection)
            }
            Self::Unsure => !is_narrow && allows_redirection,
        }
    }
}

/// What a rule says about commands.
#[derive(Debug, Clone)]
pub(super) enum CommandRule {
    /// It begins with the words of one of these.
    Prefixes(Vec<Vec<String>>),
    /// It begins with something that matches.
    Regex(Pattern),
}

impl CommandRule {
    pub(super) fn prefixes(prefixes: &[&str]) -> Result<Self, String> {
        let words = |prefix: &&str| -> Vec<String> {
            prefix.split_whitespace().map(str::to_owned).collect()
        };
        let prefixes: Vec<_> = prefixes.iter().map(words).collect();
        match prefixes.is_empty() || prefixes.iter().any(Vec::is_empty) {
            true => Err("an empty prefix".to_owned()),
            false => Ok(Self::Prefixes(prefixes)),
        }
    }

    /// Whether a command is surely one of those.
    pub(super) fn surely_fits(&self, part: &Part<'_>) -> bool {
        let Part::Simple { command, .. } = part else {
            return false;
        };
        match self {
            Self::Prefixes(prefixes) => prefixes.iter().any(|prefix| {
                let same = |(wanted, word): (&String, &Word)| {
                    word.stands_for == StandsFor::Itself && word.text == *wanted
                };
                prefix.len() <= command.words.len() && prefix.iter().zip(&command.words).all(same)
            }),
            Self::Regex(pattern) => begins(pattern, &command.source),
        }
    }

    /// Whether a command could be one of those, or bring one along.
    pub(super) fn possibly_fits(&self, part: &Part<'_>, line: Option<&str>) -> bool {
        let line = line.unwrap_or_default();
        match (self, part) {
            (_, Part::Other) => false,
            (Self::Prefixes(prefixes), Part::Simple { command, .. }) => {
                let words = || command.words.iter().map(known);
                prefixes
                    .iter()
                    .any(|prefix| stands_at_start(prefix, words()))
                    || could_begin(prefixes, &command.source)
                    || (is_carrier(command) && stands_in(prefixes, &command.source))
                    || (runs_what_it_reads(command) && stands_in(prefixes, line))
            }
            (Self::Prefixes(prefixes), Part::Unsure) => {
                stands_in(prefixes, line) || could_begin(prefixes, line)
            }
            (Self::Regex(pattern), Part::Simple { command, .. }) => {
                let spelt = || spelt(&command.source);
                begins(pattern, &command.source)
                    || begins(pattern, line)
                    || spelt().any(|text| begins(pattern, &text))
                    || (is_carrier(command)
                        && (pattern.is_match(&command.source)
                            || spelt().any(|text| pattern.is_match(&text))))
                    || (runs_what_it_reads(command) && pattern.is_match(line))
            }
            (Self::Regex(pattern), Part::Unsure) => {
                pattern.is_match(line) || spelt(line).any(|text| pattern.is_match(&text))
            }
        }
    }
}

fn known(word: &Word) -> Option<&str> {
    (word.stands_for != StandsFor::Anything).then_some(word.text.as_str())
}

fn is_carrier(command: &Simple) -> bool {
    let name = command.words.first().map(|word| program_name(&word.text));
    name.is_some_and(is_carrier_name)
}

pub(super) fn is_carrier_name(name: &str) -> bool {
    CARRIERS.binary_search(&name).is_ok()
}

/// Whether what another command prints is run: `echo … | sh`. What that is can only be guessed from what the line says.
fn runs_what_it_reads(command: &Simple) -> bool {
    let mut words = command.words.iter().map(|word| word.text.as_str());
    let is_reader = |word: &str| READERS.contains(&program_name(word));
    let names_nothing = |word: &str| word.starts_with('-');
    command.is_fed()
        && match words.next() {
            Some(name) if is_reader(name) => words.all(names_nothing),
            Some(name) if is_carrier_name(program_name(name)) => words.any(is_reader),
            _ => false,
        }
}

/// Whether anything that a text could run could begin with one of these.
fn could_begin(prefixes: &[Vec<String>], text: &str) -> bool {
    let commands = guess::commands(text);
    let begins = |words: &Vec<Guess>| {
        let mut prefixes = prefixes.iter();
        prefixes.any(|prefix| guess::could_begin(prefix, words))
    };
    commands.iter().any(begins)
}

/// The commands of a text without their quotes and without the way to their programs.
fn spelt(text: &str) -> impl Iterator<Item = String> {
    let commands = guess::commands(text);
    commands.into_iter().flat_map(|words| guess::spelt(&words))
}

/// The original matches what stands in JSON, where quotes are escaped; people write it both ways.
fn begins(pattern: &Pattern, text: &str) -> bool {
    let quoted = serde_json::Value::from(text).to_string();
    let inside = quoted
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    pattern.is_match_at_start(text) || inside.is_some_and(|text| pattern.is_match_at_start(text))
}

/// Whether words begin like a prefix. A word that nobody knows could be anything, and any number of words.
fn stands_at_start<'a>(
    prefix: &[String],
    words: impl IntoIterator<Item = Option<&'a str>>,
) -> bool {
    let mut words = words.into_iter();
    for (at, wanted) in prefix.iter().enumerate() {
        match words.next() {
            None => return false,
            Some(None) => return true,
            Some(Some(word)) if word == wanted || (at == 0 && program_name(word) == wanted) => {}
            Some(Some(_)) => return false,
        }
    }
    true
}

/// Whether the words of a prefix stand anywhere in a text, read both with quotes as gaps and without any.
fn stands_in(prefixes: &[Vec<String>], text: &str) -> bool {
    let is_quote = |c: char| matches!(c, '\'' | '"' | '\\');
    let is_gap = |c: char| !(c.is_alphanumeric() || "_./:@%+,-".contains(c) || is_quote(c));
    let joined: String = text.chars().filter(|c| !is_quote(*c)).collect();
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|c| is_gap(c) || is_quote(c));
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    [split(text), split(&joined)].iter().any(|words| {
        let mut starts = (0..words.len()).filter_map(|at| words.get(at..));
        starts.any(|rest| {
            let known = || rest.iter().map(|word| Some(word.as_str()));
            prefixes
                .iter()
                .any(|prefix| stands_at_start(prefix, known()))
        })
    })
}

#[cfg(test)]
mod tests;
