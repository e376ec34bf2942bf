//! Reading a command line loosely.

mod braces;
mod word;

use std::collections::HashMap;

use super::{Guess, Piece};
use braces::expanded;

/// A line has so many commands at most, and they nest so deep; the rest is not read.
const MAX_COMMANDS: usize = 512;
const MAX_DEPTH: usize = 16;
/// What is set after so many variables is not looked into.
const MAX_SET: usize = 64;

/// Words before a command that are grammar.
const BEFORE: [&str; 14] = [
    "!", "do", "done", "elif", "else", "esac", "fi", "if", "then", "time", "until", "while", "{",
    "}",
];
/// Words after which no command stands until the next separator.
const INSTEAD: [&str; 4] = ["[[", "case", "for", "select"];

/// Every command that a line could run, each with its words; inner ones are commands of the line.
pub(in crate::policy) fn commands(line: &str) -> Vec<Vec<Guess>> {
    let mut reader = Reader {
        line,
        chars: line.chars().collect(),
        at: 0,
        depth: 0,
        words: Vec::new(),
        set: HashMap::new(),
        n_set: 0,
        commands: Vec::new(),
    };
    reader.list();
    reader.commands
}

/// A piece of a word before braces are expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Raw {
    Piece(Piece),
    /// A variable or a substitution outside of quotes.
    Splits,
    Open,
    Comma,
    Close,
}

/// Text that follows below a line.
struct Below {
    end: String,
    is_quoted: bool,
}

struct Reader<'a> {
    /// All of the line, whatever part of it is read.
    line: &'a str,
    chars: Vec<char>,
    at: usize,
    depth: usize,
    words: Vec<Guess>,
    /// What variables hold that were set on the line; nothing if that is not sure.
    set: HashMap<String, String>,
    n_set: usize,
    commands: Vec<Vec<Guess>>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next_is(&self, text: &str) -> bool {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        text.chars().eq(rest.iter().copied().take(text.len()))
    }

    /// Passes over what is up to a text and over that, and gives it back; all the rest, if it does not come.
    fn until(&mut self, end: &str) -> String {
        let mut passed = String::new();
        while let Some(c) = self.peek() {
            if self.next_is(end) {
                self.at += end.len();
                break;
            }
            passed.push(c);
            self.at += 1;
        }
        passed
    }

    /// What stands up to the bracket that closes this one.
    fn inside(&mut self, open: char, close: char) -> String {
        let mut inside = String::new();
        let (mut n_open, mut quote) = (1_usize, None);
        while let Some(c) = self.peek() {
            self.at += 1;
            match (c, quote) {
                ('\\', None | Some('"')) => {
                    inside.push(c);
                    inside.extend(self.peek());
                    self.at += 1;
                    continue;
                }
                ('\'' | '"', None) => quote = Some(c),
                (c, Some(quoted)) if c == quoted => quote = None,
                (c, None) if c == open => n_open += 1,
                (c, None) if c == close => n_open -= 1,
                _ => {}
            }
            if n_open == 0 {
                break;
            }
            inside.push(c);
        }
        inside
    }

    /// Reads another text as a part of this line.
    fn also(&mut self, text: &str, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH || self.commands.len() >= MAX_COMMANDS {
            return;
        }
        let chars = std::mem::replace(&mut self.chars, text.chars().collect());
        let (at, words) = (self.at, std::mem::take(&mut self.words));
        (self.at, self.depth) = (0, self.depth + 1);
        read(self);
        (self.at, self.depth) = (at, self.depth - 1);
        (self.chars, self.words) = (chars, words);
    }

    fn list(&mut self) {
        let mut below: Vec<Below> = Vec::new();
        let (mut is_target, mut n_open) = (false, 0_usize);
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' => self.at += 1,
                '\\' if self.next_is("\\\n") => self.at += 2,
                '\n' => {
                    self.at += 1;
                    self.end_command();
                    below.drain(..).for_each(|below| self.below(&below));
                }
                '#' => self.comment(),
                '&' if self.next_is("&>") => self.at += 1,
                '(' if self.words.is_empty() && self.next_is("((") => drop(self.until("))")),
                ')' if n_open == 0 => {
                    // The end of a pattern in a `case`.
                    self.at += 1;
                    self.words.clear();
                }
                ';' | '&' | '|' | '(' | ')' => {
                    n_open += usize::from(c == '(');
                    n_open -= usize::from(c == ')');
                    self.at += 1;
                    self.end_command();
                }
                '<' | '>' => is_target = self.redirection(&mut below),
                _ => {
                    let word = self.word();
                    let is_number = matches!(self.peek(), Some('<' | '>'))
                        && word
                            .iter()
                            .all(|raw| matches!(raw, Raw::Piece(Piece::Char('0'..='9'))));
                    if !std::mem::take(&mut is_target) && !is_number {
                        self.words.extend(expanded(&word));
                    }
                }
            }
        }
        self.end_command();
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    /// Passes over a redirection; whether a file follows.
    fn redirection(&mut self, below: &mut Vec<Below>) -> bool {
        if self.next_is("<(") || self.next_is(">(") {
            self.at += 2;
            let inside = self.inside('(', ')');
            self.also(&inside, Self::list);
            return false;
        }
        if self.next_is("<<") && !self.next_is("<<<") {
            self.at += 2;
            while matches!(self.peek(), Some('-' | ' ' | '\t')) {
                self.at += 1;
            }
            let from = self.at;
            let end = self.word();
            let written = self.chars.get(from..self.at).unwrap_or_default();
            below.push(Below {
                end: expanded(&end).first().map(Guess::told).unwrap_or_default(),
                is_quoted: written.iter().any(|c| matches!(c, '\'' | '"' | '\\')),
            });
            return false;
        }
        while matches!(self.peek(), Some('<' | '>' | '&' | '|')) {
            self.at += 1;
        }
        true
    }

    /// Text below a line is no command, but what is filled into it may be one.
    fn below(&mut self, below: &Below) {
        let mut text = String::new();
        while self.peek().is_some() {
            let line = self.until("\n");
            if line.trim_start_matches('\t') == below.end {
                break;
            }
            text.push_str(&line);
            text.push('\n');
        }
        if !below.is_quoted {
            self.also(&text, |reader| drop(reader.quoted(None)));
        }
    }

    fn end_command(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        let mut set = Vec::new();
        loop {
            let first = words.first().map(Guess::told).unwrap_or_default();
            if BEFORE.contains(&&*first) {
                words.remove(0);
            } else if first == "function" {
                words.drain(..words.len().min(2));
            } else if let Some(name) = assigned(&first) {
                let value = words.remove(0).known();
                set.push((name.to_owned(), value));
            } else if INSTEAD.contains(&&*first) {
                return;
            } else {
                break;
            }
        }
        if words.is_empty() {
            for (name, value) in set {
                self.note(name, value);
            }
        } else if self.commands.len() < MAX_COMMANDS {
            self.commands.push(words);
        }
    }

    /// Notes what a variable holds, if nothing else on the line could change it.
    fn note(&mut self, name: String, written: Option<String>) {
        let value = written.and_then(|written| Some(written.split_once('=')?.1.to_owned()));
        let is_plain =
            |value: &String| !value.is_empty() && !value.contains(|c: char| " \t\n*?[".contains(c));
        self.n_set += 1;
        match value.filter(is_plain) {
            Some(value) if self.n_set <= MAX_SET && is_set_once(self.line, &name) => {
                self.set.insert(name, value)
            }
            _ => self.set.remove(&name),
        };
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The variable that a word sets.
fn assigned(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = name.chars().all(is_of_name) && !name.starts_with(|c: char| c.is_ascii_digit());
    (is_name && !name.is_empty()).then_some(name)
}

/// Whether all else that a line does with a variable is to read it.
fn is_set_once(line: &str, name: &str) -> bool {
    let mut n_set = 0_usize;
    for (at, _) in line.match_indices(name) {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + name.len()..).unwrap_or_default();
        // `x.py` and `bin/py` are names of files.
        let is_part = |c: char| is_of_name(c) || matches!(c, '.' | '/');
        if before.ends_with(is_part) || after.starts_with(is_of_name) {
            continue;
        }
        let is_read = before.ends_with('$') || (before.ends_with("${") && after.starts_with('}'));
        match is_read {
            true => {}
            false if after.starts_with('=') => n_set += 1,
            false => return false,
        }
    }
    n_set == 1
}
