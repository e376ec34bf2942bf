//! Cuts a text into words, exact things, runs of Chinese and breaks.
//!
//! Markdown is seen through by its marks alone: a rule is one line, often not a document.

use super::fold::fold;

/// Where a reader pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pause {
    Comma,
    Colon,
    Semicolon,
    Stop,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word in letters of a script that parts words by blanks.
    Word(String, Setting),
    /// A number, version, path, flag or identifier: agrees to the letter or not at all.
    Exact(String),
    /// A run of characters of a script without blanks between words.
    Run(String),
    Pause(Pause),
    /// A mark that only lists: `&`, `、`.
    And,
    /// `->` and its kind.
    Arrow,
}

/// How a word stands in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Prose,
    /// In a code span: it means itself, even if it is `any` or `not`.
    Quoted,
    /// A part of a word with hyphens: its `no` denies nothing.
    Part,
}

/// The tokens of `text`.
pub(super) fn scan(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        chars: fold(text),
        at: 0,
        tokens: Vec::new(),
        span_start: None,
    };
    scanner.run();
    // Whether a text ends with a mark says nothing.
    if let Some(Token::Pause(_)) = scanner.tokens.last() {
        scanner.tokens.pop();
    }
    scanner.tokens
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    tokens: Vec<Token>,
    /// How many tokens there were when the code span began.
    span_start: Option<usize>,
}

impl Scanner {
    fn run(&mut self) {
        self.skip_line_marks();
        while let Some(c) = self.peek(0) {
            match c {
                '\n' => self.line_end(),
                '`' => self.tick(),
                _ if c.is_whitespace() => self.at += 1,
                _ if is_unspaced(c) => self.unspaced_run(),
                _ => {
                    if !self.mark(c) {
                        self.chunk();
                    }
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn pause(&mut self, pause: Pause) {
        match self.tokens.last_mut() {
            // The strongest of several marks in a row counts.
            Some(Token::Pause(last)) => *last = (*last).max(pause),
            Some(_) => self.tokens.push(Token::Pause(pause)),
            None => {}
        }
    }

    /// A line end is a blank, unless a new paragraph or list item follows.
    fn line_end(&mut self) {
        self.at += 1;
        while self.peek(0) == Some(' ') {
            self.at += 1;
        }
        if self.peek(0) == Some('\n') || self.skip_line_marks() {
            self.pause(Pause::Stop);
        }
    }

    /// Passes the marks of quotes, headings, lists and check boxes; tells whether there were any.
    fn skip_line_marks(&mut self) -> bool {
        let start = self.at;
        loop {
            while self.peek(0) == Some(' ') {
                self.at += 1;
            }
            let n_digits = (0..4)
                .take_while(|&ahead| self.peek(ahead).is_some_and(|c| c.is_ascii_digit()))
                .count();
            let is_number = n_digits > 0
                && matches!(self.peek(n_digits), Some('.' | ')' | '、'))
                && !matches!(self.peek(n_digits + 1), Some(c) if c.is_ascii_alphanumeric());
            match (self.peek(0), self.peek(1)) {
                _ if is_number => self.at += n_digits + 1,
                (Some('>'), next) if !matches!(next, Some('=')) => self.at += 1,
                (Some('#'), Some('#' | ' ')) => self.at += 1,
                (Some('-' | '*' | '+' | '\u{2022}'), Some(' ')) => self.at += 2,
                (Some('['), Some(' ' | 'x')) if self.peek(2) == Some(']') => self.at += 3,
                _ => break,
            }
        }
        let marks = self.chars.get(start..self.at).unwrap_or_default();
        marks.iter().any(|c| *c != ' ')
    }

    fn tick(&mut self) {
        while self.peek(0) == Some('`') {
            self.at += 1;
        }
        match self.span_start.take() {
            None => self.span_start = Some(self.tokens.len()),
            Some(start) => {
                for token in self.tokens.iter_mut().skip(start) {
                    if let Token::Word(_, setting) = token {
                        *setting = Setting::Quoted;
                    }
                }
            }
        }
    }

    fn unspaced_run(&mut self) {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let run: String = rest.iter().take_while(|&&c| is_unspaced(c)).collect();
        self.at += run.chars().count();
        self.tokens.push(Token::Run(run));
    }

    /// Takes one mark that stands between words; tells whether there was one.
    fn mark(&mut self, c: char) -> bool {
        match c {
            ',' | '(' | ')' | '[' | ']' | '\u{2013}' | '\u{2014}' | '|' | '\u{3010}'
            | '\u{3011}' => {
                self.pause(Pause::Comma);
            }
            ':' => self.pause(Pause::Colon),
            ';' => self.pause(Pause::Semicolon),
            '.' if matches!(self.peek(1), Some(c) if c.is_alphanumeric() || matches!(c, '.' | '/')) =>
            {
                return false;
            }
            '.' | '!' | '?' | '\u{3002}' => self.pause(Pause::Stop),
            '\u{3001}' | '&' => self.tokens.push(Token::And),
            '\u{2192}' => self.tokens.push(Token::Arrow),
            '\u{2265}' => self.tokens.push(Token::Exact(">=".to_owned())),
            '\u{2264}' => self.tokens.push(Token::Exact("<=".to_owned())),
            '\u{2260}' => self.tokens.push(Token::Exact("!=".to_owned())),
            '"' | '{' | '}' | '\'' | '*' | '_' | '~' | '$' | '@' | '^' | '\\' => {}
            _ if c.is_ascii() || c.is_alphanumeric() => return false,
            // Quotation marks, emoji and the like.
            _ => {}
        }
        self.at += 1;
        true
    }

    /// Takes what stands together up to a blank or a mark that never stands inside a word.
    fn chunk(&mut self) {
        let start = self.at;
        while let Some(c) = self.peek(0) {
            if c.is_ascii_lowercase() {
                self.at += 1;
                continue;
            }
            let between_digits = self.at > start
                && self
                    .chars
                    .get(self.at - 1)
                    .is_some_and(char::is_ascii_digit)
                && self.peek(1).is_some_and(|c| c.is_ascii_digit());
            match c {
                ',' if between_digits => {}
                ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '`' | '|' | '&' => break,
                _ if c.is_whitespace() || is_unspaced(c) => break,
                _ if c.is_ascii() || c.is_alphanumeric() || is_letter_part(c) => {}
                _ => break,
            }
            self.at += 1;
        }
        let chunk: String = self
            .chars
            .get(start..self.at)
            .unwrap_or_default()
            .iter()
            .collect();
        if self.at == start {
            self.at += 1;
        }
        // Nearly every chunk is a plain word; a closer look would come to the same.
        if !chunk.is_empty() && chunk.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.tokens.push(Token::Word(chunk, Setting::Prose));
        } else {
            self.take_chunk(&chunk);
        }
    }

    fn take_chunk(&mut self, chunk: &str) {
        match chunk {
            "->" | "=>" | "-->" | "==>" => return self.tokens.push(Token::Arrow),
            "and/or" | "+" | "/" => return self.tokens.push(Token::And),
            "-" | "--" | "---" => return self.pause(Pause::Comma),
            "=" | "==" | "!=" | "<" | ">" | "<=" | ">=" => return self.exact(chunk),
            _ => {}
        }
        let (body, pause) = without_end_marks(chunk);
        let (sign, body) = comparison(body);
        if let Some(sign) = sign {
            self.exact(sign);
        }
        let body = body.trim_start_matches([
            '*', '\'', '~', '$', '@', '!', '^', '<', '#', '_', '>', '=', '?', '+', ':',
        ]);
        self.body(body);
        if let Some(pause) = pause
            && !matches!(body, "e.g" | "i.e" | "etc" | "vs" | "cf")
        {
            self.pause(pause);
        }
    }

    fn exact(&mut self, text: &str) {
        self.tokens.push(Token::Exact(text.to_owned()));
    }

    fn word(&mut self, text: &str, setting: Setting) {
        if !text.is_empty() {
            self.tokens.push(Token::Word(text.to_owned(), setting));
        }
    }

    fn body(&mut self, body: &str) {
        if !body.chars().any(char::is_alphanumeric) {
            return;
        }
        if body.contains(['/', '_', '\\', '=', '@']) || body.contains("::") || body.contains("://")
        {
            return self.exact(body.trim_start_matches("./").trim_end_matches('/'));
        }
        if body.starts_with('-') || body.ends_with(['#', '+']) {
            return self.exact(body);
        }
        if body.ends_with('%') {
            self.body(body.trim_end_matches('%'));
            return self.word("percent", Setting::Prose);
        }
        if body.contains('\'') {
            return self.contraction(body);
        }
        if body.contains(':') || body.starts_with('.') {
            return self.exact(body);
        }
        if body.bytes().any(|byte| byte.is_ascii_digit()) {
            return self.numeral(body);
        }
        if body.contains('.') {
            return self.dotted(body);
        }
        if body.contains('-') && body != "e-mail" {
            for part in body.split('-') {
                self.word(part, Setting::Part);
            }
            return;
        }
        self.word(body, Setting::Prose);
    }

    fn contraction(&mut self, body: &str) {
        let (head, tail) = body.split_once('\'').unwrap_or((body, ""));
        match (head, tail) {
            ("can", "t") => self.word("can", Setting::Prose),
            ("won", "t") => self.word("will", Setting::Prose),
            ("shan", "t") => self.word("shall", Setting::Prose),
            (_, "t") => self.word(head.strip_suffix('n').unwrap_or(head), Setting::Prose),
            _ => return self.body(head),
        }
        self.word("not", Setting::Prose);
    }

    /// Numbers, versions, and names with digits in them.
    fn numeral(&mut self, body: &str) {
        let body: String = body.chars().filter(|c| *c != ',').collect();
        if body.contains('-') {
            for part in body.split('-') {
                if part.bytes().any(|byte| byte.is_ascii_digit()) {
                    self.numeral(part);
                } else {
                    self.word(part, Setting::Part);
                }
            }
            return;
        }
        let unversioned = body.strip_prefix('v').unwrap_or(&body);
        let is_number = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
        };
        if is_number(unversioned) {
            return self.exact(unversioned);
        }
        // `100ms` is `100 ms`.
        let n_digits = body.bytes().take_while(u8::is_ascii_digit).count();
        match body.split_at_checked(n_digits) {
            Some((n, unit)) if n_digits > 0 && unit.chars().all(char::is_alphabetic) => {
                self.exact(n);
                self.word(unit, Setting::Prose);
            }
            _ => self.name_and_number(&body),
        }
    }

    /// `pep8` is `pep 8`; `i18n` is itself.
    fn name_and_number(&mut self, body: &str) {
        let name = body.trim_end_matches(|c: char| c.is_ascii_digit());
        match body.strip_prefix(name) {
            Some(n) if !n.is_empty() && name.chars().all(char::is_alphabetic) => {
                self.word(name, Setting::Part);
                self.exact(n);
            }
            _ => self.exact(body),
        }
    }

    /// File names and hosts; also two sentences without a blank between them.
    fn dotted(&mut self, body: &str) {
        match body {
            "node.js" | "react.js" | "vue.js" | "next.js" | "e.g" | "i.e" => {
                self.word(body, Setting::Prose);
            }
            _ => self.exact(body),
        }
    }
}

/// A chunk without the marks behind it, and the pause they make.
fn without_end_marks(chunk: &str) -> (&str, Option<Pause>) {
    let body = chunk.trim_end_matches(['.', '!', '?', ':', '*', '\'', '~', '_', '>', '^']);
    let marks = chunk.strip_prefix(body).unwrap_or_default();
    let pause = if marks.contains(['.', '!', '?']) {
        Some(Pause::Stop)
    } else if marks.contains(':') {
        Some(Pause::Colon)
    } else {
        None
    };
    (body, pause)
}

/// A comparison that stands right before a number.
fn comparison(body: &str) -> (Option<&'static str>, &str) {
    for sign in [">=", "<=", "!=", "==", ">", "<"] {
        if let Some(rest) = body.strip_prefix(sign)
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            return (Some(sign), rest);
        }
    }
    (None, body)
}

/// Scripts that put no blanks between words, or too much between them.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{E01}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Vowel signs of Indic scripts: parts of a word that are no letters of their own.
fn is_letter_part(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{DFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = scan(text)
            .into_iter()
            .map(|token| match token {
                Token::Word(word, Setting::Prose) => word,
                Token::Word(word, Setting::Quoted) => format!("`{word}`"),
                Token::Word(word, Setting::Part) => format!("-{word}"),
                Token::Exact(text) => format!("={text}"),
                Token::Run(run) => run,
                Token::Pause(pause) => format!("{pause:?}"),
                Token::And => "&".to_owned(),
                Token::Arrow => "->".to_owned(),
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn words_lose_their_marks() {
        check("**Don't** use “any”, OK?", "do not use any Comma ok");
        check("- [ ] Use `any` (e.g. here).", "use `any` Comma e.g here");
        check("1. One\n2. Two\nmore", "one Stop two more");
        check(
            "read-only pull/push and/or C++",
            "-read -only =pull/push & =c++",
        );
    }

    #[test]
    fn exact_things_stay_whole() {
        check(
            "./src/a.rs, --no-verify; v1.2.3.",
            "=src/a.rs Comma =--no-verify Semicolon =1.2.3",
        );
        check(
            "foo_bar a::b .env key=1 https://x.y/z.",
            "=foo_bar =a::b =.env =key=1 =https://x.y/z",
        );
        check(
            ">=80% 1,000 100ms PEP8 i18n",
            "=>= =80 percent =1000 =100 ms -pep =8 =i18n",
        );
        check("a -> b", "a -> b");
    }

    #[test]
    fn scripts_without_blanks_make_runs() {
        check("用pnpm，不用 npm。", "用 pnpm Comma 不用 npm");
        check("甲、乙", "甲 & 乙");
        check("", "");
    }
}
