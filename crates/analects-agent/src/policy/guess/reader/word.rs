//! Reading a word, as far as one can know it.

use super::{Piece, Raw, Reader, is_of_name};

/// Brackets that are further apart mean themselves.
const MAX_CLASS: usize = 64;

impl Reader<'_> {
    pub(super) fn word(&mut self) -> Vec<Raw> {
        let mut word = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | ')' | '<' | '>' => break,
                // Many values for one variable.
                '(' if word.last() == Some(&char('=')) => {
                    self.at += 1;
                    let inside = self.inside('(', ')');
                    self.also(&inside, |reader| drop(reader.quoted(None)));
                    word.push(Raw::Splits);
                }
                '(' => break,
                '\\' => {
                    self.at += 1;
                    let c = self.peek().filter(|c| *c != '\n');
                    word.extend(c.map(char));
                    self.at += 1;
                }
                '\'' => {
                    self.at += 1;
                    word.extend(self.until("'").chars().map(char));
                }
                '"' => {
                    self.at += 1;
                    word.extend(self.quoted(Some('"')));
                }
                '$' if self.next_is("$'") => {
                    self.at += 2;
                    drop(self.inside('\0', '\''));
                    word.push(Raw::Piece(Piece::Any));
                }
                '$' if self.next_is("$\"") => self.at += 1,
                '$' | '`' => word.extend(self.filled_in(&Raw::Splits)),
                _ => {
                    word.push(self.plain(c));
                    self.at += 1;
                }
            }
        }
        word
    }

    /// A character that means something by itself.
    fn plain(&mut self, c: char) -> Raw {
        match c {
            '*' => Raw::Piece(Piece::Some),
            '?' => Raw::Piece(Piece::One),
            '{' => Raw::Open,
            ',' => Raw::Comma,
            '}' => Raw::Close,
            '[' => {
                let rest = self.chars.get(self.at + 1..).unwrap_or_default();
                let ends = |c: &char| c.is_whitespace() || ";&|()<>".contains(*c);
                let here = rest.iter().take(MAX_CLASS).take_while(|c| !ends(c));
                // A bracket that comes first is one of those that are meant.
                let close = here.skip(1).position(|c| *c == ']');
                match close {
                    Some(close) => {
                        self.at += close + 2;
                        Raw::Piece(Piece::One)
                    }
                    None => char('['),
                }
            }
            c => char(c),
        }
    }

    /// What stands up to the quote, or to the end.
    pub(super) fn quoted(&mut self, quote: Option<char>) -> Vec<Raw> {
        let mut word = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                c if Some(c) == quote => {
                    self.at += 1;
                    break;
                }
                '\\' => {
                    self.at += 1;
                    match self.peek() {
                        Some('\n') | None => {}
                        Some(c @ ('$' | '`' | '"' | '\\')) => word.push(char(c)),
                        Some(c) => word.extend([char('\\'), char(c)]),
                    }
                    self.at += 1;
                }
                '$' | '`' => word.extend(self.filled_in(&Raw::Piece(Piece::Any))),
                c => {
                    word.push(char(c));
                    self.at += 1;
                }
            }
        }
        word
    }

    /// A variable, or what a command prints; `unknown` stands for what nobody knows.
    fn filled_in(&mut self, unknown: &Raw) -> Vec<Raw> {
        let unknown = vec![unknown.clone()];
        if self.next_is("`") {
            self.at += 1;
            let inside = self.until("`");
            self.also(&inside, Self::list);
            return unknown;
        }
        self.at += 1;
        if self.next_is("((") {
            drop(self.until("))"));
            return unknown;
        }
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inside = self.inside('(', ')');
                self.also(&inside, Self::list);
                unknown
            }
            Some('{') => {
                self.at += 1;
                let inside = self.inside('{', '}');
                self.also(&inside, |reader| drop(reader.quoted(None)));
                self.value(&inside).unwrap_or(unknown)
            }
            Some(c) if is_of_name(c) && !c.is_ascii_digit() => {
                let from = self.at;
                while self.peek().is_some_and(is_of_name) {
                    self.at += 1;
                }
                let name: String = self
                    .chars
                    .get(from..self.at)
                    .unwrap_or_default()
                    .iter()
                    .collect();
                self.value(&name).unwrap_or(unknown)
            }
            Some(c) if c.is_ascii_digit() || "?$!@*#-".contains(c) => {
                self.at += 1;
                unknown
            }
            _ => vec![char('$')],
        }
    }

    fn value(&self, name: &str) -> Option<Vec<Raw>> {
        let value = self.set.get(name)?;
        Some(value.chars().map(char).collect())
    }
}

fn char(c: char) -> Raw {
    Raw::Piece(Piece::Char(c))
}
