//! Files that a session fetched: whoever runs one later runs what a stranger wrote, as surely as in one line.

use std::collections::HashSet;

use analects_text::shell_line::{self, program_name};

use super::{habits, step};
use crate::origin::is_loopback;

/// The names of files that were fetched so far, without the way to them.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    names: HashSet<String>,
}

/// So many files are remembered; nobody fetches more.
const MAX_NAMES: usize = 200;
/// Shells are started from shells so deep.
const MAX_DEPTH: usize = 2;

/// How `curl` and `wget` are told where to write.
const CURL_OUTPUT: &[&str] = &["-o", "--output"];
const WGET_OUTPUT: &[&str] = &["-O", "--output-document"];

impl Fetched {
    /// Whether a line runs a file that was fetched, by it or before it.
    pub(super) fn is_run_by(&mut self, line: &str) -> bool {
        self.is_run(line, MAX_DEPTH)
    }

    fn is_run(&mut self, line: &str, depth: usize) -> bool {
        let Ok(taken) = shell_line::lex(line.trim()) else {
            // It has no steps, but what it fetches may be run later.
            let words: Vec<_> = line.split_whitespace().map(bare).collect();
            let fetches = |word: &&str| matches!(program_name(word), "curl" | "wget");
            if let Some(at) = words.iter().position(fetches) {
                self.fetch(words.get(at..).unwrap_or_default());
            }
            return false;
        };
        let mut is_run = false;
        for (at, command) in taken.commands.iter().enumerate() {
            let words: Vec<_> = command.words.iter().map(|it| it.text.as_str()).collect();
            if let Some(inner) = step::inner_line(&words).filter(|_| depth > 0) {
                is_run |= self.is_run(inner, depth - 1);
                continue;
            }
            is_run |= self.runs(&words);
            let targets = command.redirections.iter();
            let targets = targets.filter(|it| it.sign.contains('>'));
            let mut written: Vec<_> = targets.map(|it| it.target.text.as_str()).collect();
            let is_tee = words
                .first()
                .is_some_and(|word| program_name(word) == "tee");
            if is_tee {
                written.extend(words.iter().skip(1));
            }
            // What another command of the same pipeline prints may be what was fetched.
            let before = taken.commands.get(..=at).unwrap_or_default();
            let feeds = before.iter().rev().take_while({
                let mut goes_on = true;
                move |it| std::mem::replace(&mut goes_on, it.is_fed())
            });
            let mut feeds = feeds.filter_map(|it| it.words.first());
            if feeds.any(|word| is_fetcher(&word.text)) {
                written.iter().for_each(|path| self.remember(path));
            }
            self.fetch(&words);
            self.rename(&words);
        }
        is_run
    }

    /// Whether a command runs a file that was fetched.
    fn runs(&self, words: &[&str]) -> bool {
        let is_known = |word: &&str| self.names.contains(program_name(word));
        let mut words = words.iter().filter(|word| !word.starts_with('-'));
        let is_wrapper = |word: &&&str| habits::is_wrapper(program_name(word));
        let Some(program) = words.find(|word| !is_wrapper(word)) else {
            return false;
        };
        let name = program_name(program);
        let is_runner = habits::is_interpreter(name) || matches!(name, "." | "source" | "eval");
        is_known(program) || (is_runner && words.any(is_known))
    }

    /// Remembers what a command that fetches writes.
    fn fetch(&mut self, words: &[&str]) {
        let Some((program, rest)) = words.split_first() else {
            return;
        };
        let name = program_name(program);
        let output = match name {
            "curl" => CURL_OUTPUT,
            "wget" => WGET_OUTPUT,
            _ => return,
        };
        let mut is_told = false;
        for (at, word) in rest.iter().enumerate() {
            let value = match word.split_once('=') {
                Some((option, value)) if output.contains(&option) => Some(value),
                _ if takes_file(word, output) => rest.get(at + 1).copied(),
                // `-oFILE`
                _ => output.first().and_then(|option| word.strip_prefix(option)),
            };
            if let Some(path) = value.filter(|path| !path.is_empty()) {
                self.remember(path);
                is_told = true;
            }
        }
        // `wget -qO-` shows what it fetches, and `--spider` only asks.
        let is_kept = |word: &&str| !word.ends_with("O-") && *word != "--spider";
        let keeps_name = match name {
            "wget" => rest.iter().all(is_kept),
            _ => rest.iter().any(|word| is_short(word, 'O')),
        };
        let addresses = rest.iter().filter(|word| word.contains('/'));
        let addresses = addresses.filter(|word| !is_loopback(word));
        for address in addresses.filter(|_| keeps_name && !is_told) {
            self.remember(address.split(['?', '#']).next().unwrap_or_default());
        }
    }

    /// What was fetched is that under another name, too.
    fn rename(&mut self, words: &[&str]) {
        let [program, rest @ ..] = words else {
            return;
        };
        let mut paths = rest.iter().filter(|word| !word.starts_with('-'));
        let moves = matches!(program_name(program), "mv" | "cp" | "install" | "ln");
        let is_known = |word: &&&str| self.names.contains(program_name(word));
        if let Some(to) = paths.clone().next_back()
            && moves
            && paths.any(|word| is_known(&word))
        {
            self.remember(to);
        }
    }

    fn remember(&mut self, path: &str) {
        let name = program_name(path.trim_end_matches('/'));
        let is_file = !matches!(name, "" | "-" | "." | ".." | "null");
        if is_file && self.names.len() < MAX_NAMES {
            self.names.insert(name.to_owned());
        }
    }
}

fn is_fetcher(word: &str) -> bool {
    matches!(program_name(word), "curl" | "wget")
}

/// A word without what a script sets around it.
fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\'', ';', '(', ')', '`', '$'])
}

/// Whether the file follows that an answer is written to: `-o`, or other letters before it.
fn takes_file(word: &str, output: &[&str]) -> bool {
    let letter = output.first().and_then(|option| option.chars().last());
    output.contains(&word)
        || letter.is_some_and(|letter| is_short(word, letter) && word.ends_with(letter))
}

/// Whether a word is made of options of one letter, this one among them.
fn is_short(word: &str, letter: char) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    letters.contains(letter) && letters.chars().all(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_run(lines: &[&str]) -> bool {
        let mut fetched = Fetched::default();
        lines.iter().any(|line| fetched.is_run_by(line))
    }

    #[test]
    fn what_was_fetched_before_is_known_when_it_is_run() {
        let run = "sh tools/i.sh --now";
        for fetch in [
            "curl -fsSLo tools/i.sh https://x.example/i.sh",
            "curl https://x.example/ --output=tools/i.sh",
            "curl -O https://x.example/i.sh?v=2",
            "wget https://x.example/i.sh",
            "wget -qO i.sh https://x.example/",
            "curl -s https://x.example/ > tools/i.sh",
            "curl -s https://x.example/ | tr -d x | tee tools/i.sh",
            "bash -c 'curl -oi.sh https://x.example'",
            "if true; then curl -o i.sh https://x.example; fi",
            "curl -o a https://x.example && mv a tools/i.sh",
        ] {
            assert!(is_run(&[fetch, run]), "{fetch}");
        }
        let fetch = "curl -o i.sh https://x.example";
        for run in [
            "./i.sh",
            "chmod +x i.sh && sudo ./i.sh",
            ". i.sh",
            "bash -x i.sh",
        ] {
            assert!(is_run(&[fetch, run]), "{run}");
        }
    }

    #[test]
    fn what_is_only_looked_at_is_not_run() {
        for lines in [
            &[
                "curl -o a.json https://x.example",
                "jq . a.json",
                "./tools/load.sh a.json",
            ][..],
            &["curl -s https://x.example | head", "sh tools/i.sh"],
            &["./gen.sh > i.sh", "sh i.sh"],
            &["curl https://x.example/i.sh", "sh i.sh"],
            &["wget -qO- https://x.example/i.sh", "sh i.sh"],
            &["wget -q http://localhost:80/i.sh", "sh i.sh"],
        ] {
            assert!(!is_run(lines), "{lines:?}");
        }
    }
}
