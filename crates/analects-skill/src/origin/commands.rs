//! Which local commands print what a stranger wrote.
//!
//! A command runs here, but its output may come from elsewhere: a registry's description of a package, the help text of
//! a program that was fetched a moment ago, a row that a visitor of a site left in a database. The classes are tables:
//! programs that always print such text, and package managers and clients of which only some sub-commands do. What
//! builds, tests or installs is the project's own doing and is not in them.

mod tables;

use analects_text::shell_line::program_name;
use serde_json::Value;

use super::Origin;
use tables::{
    BEFORE, FETCH, GIT_SHOW, INTERPRETERS, LEAVES_OUT, MAX_VERB_PLACES, OWN_WORK, PACKAGE_DIRS,
    PATH_ARGUMENTS, PRINT_STRANGERS, REMOTE_REFS, RUN, SHOW, SHOW_STRANGERS, SURELY_FETCH, TAKE,
    TAKE_ADDRESSES,
};

/// Where the answer of a command line came from: the worst of its commands counts.
pub(super) fn of_command(line: &str) -> Origin {
    let is_gap = |c: char| ";|&()`\n\"'$<>".contains(c);
    let (mut worst, mut before) = (Origin::Command, "");
    let mut open_quote = None;
    for command in line.split_inclusive(is_gap) {
        // What filters the answer of another command shows no file.
        let is_filter = before.len() > 1 && before.ends_with('|');
        let simple = Simple {
            text: command.trim_end_matches(is_gap),
            is_value: open_quote.is_some() && is_quoted_value(before),
        };
        open_quote = match (open_quote, command.chars().next_back()) {
            (None, Some(quote @ ('"' | '\''))) => Some(quote),
            (Some(open), Some(quote)) if open == quote => None,
            (open, _) => open,
        };
        worst = match simple.origin() {
            Origin::File if is_filter => worst,
            origin => worst.worse(origin),
        };
        before = command;
    }
    if worst == Origin::File && mentions_package(line) {
        worst = Origin::Web;
    }
    worst
}

/// True if a quote that ends `before` opens a value, and not a line for a shell to run (`bash -lc '…'`).
fn is_quoted_value(before: &str) -> bool {
    let Some(said) = before.strip_suffix(['"', '\'']) else {
        return false;
    };
    let last = said.split_whitespace().next_back().unwrap_or_default();
    !(last.starts_with('-') && last.ends_with('c')) && last != "eval"
}

/// True if the arguments of a tool name something that a package manager fetched.
pub(super) fn reads_package(input: &str) -> bool {
    let Ok(Value::Object(arguments)) = serde_json::from_str(input) else {
        return is_in_package(input.trim());
    };
    let named = arguments
        .iter()
        .filter(|(name, _)| PATH_ARGUMENTS.contains(&name.as_str()));
    let mut texts = named.flat_map(|(_, value)| match value {
        Value::Array(items) => items.iter().collect(),
        other => vec![other],
    });
    texts.any(|value| value.as_str().is_some_and(is_in_package))
}

/// One command of a line. Quoted text is judged like a command, because a shell may run it.
struct Simple<'a> {
    text: &'a str,
    /// True if it is quoted, and so more likely a value.
    is_value: bool,
}

impl<'a> Simple<'a> {
    /// Where its answer came from.
    fn origin(&self) -> Origin {
        let Some((path, words)) = self.program() else {
            return Origin::Command;
        };
        let program = program_name(path);
        // A script of the project or a word of a message may be called like one of these.
        let is_known = (path.starts_with('/') || !path.contains('/')) && !self.is_value;
        if let Some(origin) = always_prints(program, &words).filter(|_| is_known) {
            return origin;
        }
        let addresses = self.text.split_whitespace().filter(|word| is_address(word));
        let (n_addresses, n_own) = addresses.fold((0, 0), |(n, own), address| {
            (n + 1, own + usize::from(is_loopback(address)))
        });
        let is_own = n_addresses > 0 && n_addresses == n_own;
        // A program that runs another one prints what that one prints.
        let told: Vec<_> = words
            .iter()
            .copied()
            .filter(|word| !word.starts_with('-'))
            .collect();
        let verbs = told.iter().filter(|word| !is_address(word)).take(2);
        let runs = verbs.clone().any(|verb| RUN.contains(verb));
        let fetches = |word: &&str| SURELY_FETCH.contains(&program_name(word));
        if FETCH.contains(&program) || (runs && told.iter().any(fetches)) {
            // A service that was started here answers for this project.
            let has_own = || self.text.split_whitespace().any(is_loopback);
            let is_here = is_own || (n_addresses == 0 && has_own());
            return if is_here {
                Origin::Command
            } else {
                Origin::Web
            };
        }
        if let Some(origin) = shows_strangers(program, &told).filter(|_| is_known) {
            return origin;
        }
        let script = told.first().filter(|_| INTERPRETERS.contains(&program));
        if is_in_package(script.unwrap_or(&path)) && !self.is_value {
            return Origin::Web;
        }
        if SHOW.contains(&program) {
            return Origin::File;
        }
        if program == "git" {
            return of_git(&words);
        }
        let takes =
            TAKE_ADDRESSES.contains(&program) && verbs.clone().any(|verb| TAKE.contains(verb));
        let is_silent = program == "echo" || (takes && !runs);
        if n_addresses > n_own && !is_silent {
            Origin::Web
        } else {
            Origin::Command
        }
    }

    /// The program as it is called, and the words behind it. What only starts another program is left out, and so is the
    /// interpreter of `python -m`.
    fn program(&self) -> Option<(&'a str, Vec<&'a str>)> {
        let mut words = self.text.split_whitespace().skip_while(|word| {
            let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_name(name));
            is_assignment
                || word.starts_with('-')
                || BEFORE.contains(&program_name(word))
                || is_number(word)
        });
        // `\npm` is not the alias of that name, and `npm.cmd` is what Windows calls it.
        let path = words.next()?.trim_start_matches('\\');
        let endings = [".bat", ".cmd", ".exe", ".ps1"];
        let path = endings
            .iter()
            .find_map(|ending| path.strip_suffix(ending))
            .unwrap_or(path);
        let words: Vec<_> = words.collect();
        let is_python = program_name(path).starts_with("py");
        match words.as_slice() {
            ["-m", module, rest @ ..] if is_python => Some((module, rest.to_vec())),
            _ => Some((path, words)),
        }
    }
}

/// The origin of what a program prints whatever it is asked, if that is a stranger's text.
fn always_prints(program: &str, words: &[&str]) -> Option<Origin> {
    // These write the clipboard unless they are told to print it.
    if matches!(program, "xclip" | "xsel") {
        let prints = |word: &&str| matches!(*word, "-o" | "-out" | "--output");
        return words.iter().any(prints).then_some(Origin::Server);
    }
    let mut rows = PRINT_STRANGERS.iter();
    let row = rows.find(|(_, programs)| programs.contains(&program))?;
    Some(row.0)
}

/// The origin of what a sub-command prints, if that is a stranger's text. `told` are the words without options.
fn shows_strangers(program: &str, told: &[&str]) -> Option<Origin> {
    let is_fetched = |word: &&str| word.contains('@') || word.starts_with("npm:");
    if matches!(program, "go" | "deno") && told.first() == Some(&"run") {
        return told.iter().any(is_fetched).then_some(Origin::Web);
    }
    let rows = SHOW_STRANGERS.iter();
    let rows: Vec<_> = rows.filter(|row| row.programs.contains(&program)).collect();
    for at in 0..told.len().min(MAX_VERB_PLACES) {
        let rest = told.get(at..).unwrap_or_default();
        let mut rows = rows.iter();
        if let Some(row) = rows.find(|row| row.show.iter().any(|words| begins(rest, words))) {
            return Some(row.origin);
        }
        if rest.first().is_some_and(|word| OWN_WORK.contains(word)) {
            return None;
        }
    }
    None
}

/// True if the words begin with these, of which `*` is any.
fn begins(words: &[&str], with: &str) -> bool {
    let mut words = words.iter();
    with.split(' ').all(|wanted| {
        let word = words.next();
        word.is_some_and(|word| wanted == "*" || *word == wanted)
    })
}

/// The origin of what git prints from the local repository: commits of a remote are foreign, others count as files.
fn of_git(words: &[&str]) -> Origin {
    if !words.iter().any(|word| GIT_SHOW.contains(word)) {
        return Origin::Command;
    }
    let is_remote = |word: &&str| {
        let mut parts = word
            .split("..")
            .map(|part| part.trim_start_matches(['.', '^']));
        parts.any(|part| {
            REMOTE_REFS
                .iter()
                .any(|remote| part.starts_with(remote) || part.ends_with("@{u}"))
        })
    };
    if words.iter().any(is_remote) {
        Origin::Web
    } else {
        Origin::File
    }
}

/// True if a line names something that a package manager fetched, and not only to leave it out.
fn mentions_package(line: &str) -> bool {
    let mut before = "";
    for word in line.split([' ', '\t', '\n', '"', '\'', ';', '|', '&', '(', ')']) {
        if word.is_empty() {
            continue;
        }
        let is_left_out = LEAVES_OUT.contains(&before) || word.starts_with(['!', '-']);
        if !is_left_out && is_in_package(word) {
            return true;
        }
        before = word;
    }
    false
}

/// True if a path leads into a directory of fetched packages.
fn is_in_package(path: &str) -> bool {
    let path = path.replace('\\', "/");
    PACKAGE_DIRS.iter().any(|dir| {
        let mut found = path.match_indices(dir);
        found.any(|(at, dir)| {
            let before = path.get(..at).unwrap_or_default();
            let behind = path.get(at + dir.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with(['/', '='])) && behind.starts_with('/')
        })
    })
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

fn is_address(word: &str) -> bool {
    ["http://", "https://", "ftp://", "gs://", "s3://"]
        .iter()
        .any(|scheme| word.contains(scheme))
}

/// Whether a word is an address of this machine.
pub(crate) fn is_loopback(word: &str) -> bool {
    let host = word.split_once("://").map_or(word, |(_, rest)| rest);
    ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]
        .iter()
        .any(|own| {
            let rest = host.strip_prefix(own);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '?']))
        })
}

#[cfg(test)]
mod tests;
