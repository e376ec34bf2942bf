//! Takes a command line of a shell apart into simple commands, or says that it is not sure.
//!
//! This is no shell: it knows lists, pipes, subshells, substitutions, quotes and redirections, and gives up at
//! everything else (loops, functions, here-documents, arithmetic, comments, tricks with quotes). Giving up is always
//! right; a command that is overlooked is not.

/// A line may be this long, have this many commands, and nest so deep.
const MAX_BYTES: usize = 64 * 1024;
const MAX_COMMANDS: usize = 256;
const MAX_DEPTH: usize = 16;

/// Words that are grammar where a command could stand.
const GRAMMAR: [&str; 24] = [
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "end", "esac", "fi", "for",
    "foreach", "function", "if", "in", "repeat", "select", "then", "time", "until", "while", "{",
];

/// A line that was taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// Every command that it could run, the inner ones before those that they are part of.
    pub commands: Vec<Simple>,
    /// Whether anything is read from or written to a file.
    pub redirects: bool,
}

/// One command with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub struct Simple {
    /// As it is written.
    pub source: String,
    /// Its words; the first one stands for itself.
    pub words: Vec<Word>,
    /// Whether it sets variables first, which can make any program do anything.
    pub sets_variables: bool,
    /// What joins it to the command before it: `&&`, `||`, `|` or `|&`; empty where it stands by itself.
    pub sign: &'static str,
    /// The files that it reads from or writes to in place of what it is fed and prints, `/dev/null` left out.
    pub redirections: Vec<Redirection>,
    /// In how many parentheses and substitutions it stands.
    pub depth: usize,
}

/// `> FILE` and its like.
#[derive(Debug, PartialEq, Eq)]
pub struct Redirection {
    /// The sign, with the number of the handle if there is one.
    pub sign: String,
    /// The file.
    pub target: Word,
}

/// A word without its quotes.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// What it says.
    pub text: String,
    /// What that becomes.
    pub stands_for: StandsFor,
}

/// What a word is when the command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StandsFor {
    /// Itself.
    Itself,
    /// Names of files, or several words like it.
    Names,
    /// Whatever a variable or another command says, in any number of words.
    Anything,
}

impl Simple {
    /// Whether it reads what another command prints.
    #[must_use]
    pub fn is_fed(&self) -> bool {
        matches!(self.sign, "|" | "|&")
    }
}

impl Word {
    fn widen(&mut self, to: StandsFor) {
        self.stands_for = self.stands_for.max(to);
    }
}

/// It is not sure what a line runs.
#[derive(Debug, PartialEq, Eq)]
pub struct Unsure;

type Sure<T = ()> = Result<T, Unsure>;

/// Takes a line apart.
///
/// ```
/// let line = analects_text::shell_line::lex("cd web && pnpm build | tail -3").unwrap();
/// let sources: Vec<_> = line.commands.iter().map(|command| &*command.source).collect();
/// assert_eq!(sources, ["cd web", "pnpm build", "tail -3"]);
/// assert!(line.commands[2].is_fed());
/// ```
pub fn lex(text: &str) -> Result<Line, Unsure> {
    if text.len() > MAX_BYTES {
        return Err(Unsure);
    }
    let mut lexer = Lexer {
        text,
        at: 0,
        depth: 0,
        sign: "",
        line: Line {
            commands: Vec::new(),
            redirects: false,
        },
    };
    lexer.list(End::OfText)?;
    Ok(lexer.line)
}

/// The name of a program, without the way to it.
#[must_use]
pub fn program_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// What joins the next command to the one before.
    sign: &'static str,
    line: Line,
}

/// What a list of commands ends with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    OfText,
    Parenthesis,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    /// Passes over blanks, and over line breaks if they mean nothing here.
    fn skip(&mut self, line_breaks: LineBreaks) {
        loop {
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('\n') if line_breaks == LineBreaks::MeanNothing => self.at += 1,
                Some('\\') if self.take("\\\n") => {}
                _ => return,
            }
        }
    }

    fn list(&mut self, end: End) -> Sure {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Unsure);
        }
        self.skip(LineBreaks::MeanNothing);
        loop {
            self.command()?;
            self.skip(LineBreaks::End);
            let goes_on = self.separator(end)?;
            self.skip(LineBreaks::MeanNothing);
            let is_over = match end {
                End::OfText => self.peek().is_none(),
                End::Parenthesis => self.peek() == Some(')'),
            };
            match (is_over, goes_on) {
                (true, Then::Must) => return Err(Unsure),
                (true, Then::May) => break,
                (false, _) => {}
            }
        }
        if end == End::Parenthesis && !self.take(")") {
            return Err(Unsure);
        }
        self.depth -= 1;
        Ok(())
    }

    /// What stands between two commands, and whether another one must follow.
    fn separator(&mut self, end: End) -> Sure<Then> {
        let signs = ["&&", "||", "|&", "|"];
        self.sign = signs
            .into_iter()
            .find(|sign| self.take(sign))
            .unwrap_or_default();
        if !self.sign.is_empty() {
            return Ok(Then::Must);
        }
        match self.peek() {
            None if end == End::OfText => Ok(Then::May),
            Some(')') if end == End::Parenthesis => Ok(Then::May),
            Some(';' | '&' | '\n') => {
                self.at += 1;
                Ok(Then::May)
            }
            _ => Err(Unsure),
        }
    }

    fn command(&mut self) -> Sure {
        if self.line.commands.len() >= MAX_COMMANDS {
            return Err(Unsure);
        }
        if self.peek() != Some('(') {
            return self.simple();
        }
        self.at += 1;
        if self.peek() == Some('(') {
            return Err(Unsure);
        }
        self.list(End::Parenthesis)?;
        loop {
            self.skip(LineBreaks::End);
            if self.redirection()? == Redirected::No {
                return Ok(());
            }
        }
    }

    fn simple(&mut self) -> Sure {
        let start = self.at;
        let mut end = self.at;
        let sign = std::mem::take(&mut self.sign);
        let mut command = Simple {
            source: String::new(),
            words: Vec::new(),
            sets_variables: false,
            sign,
            redirections: Vec::new(),
            depth: self.depth.saturating_sub(1),
        };
        let mut handle = String::new();
        loop {
            self.skip(LineBreaks::End);
            let redirected = self.redirection()?;
            if redirected != Redirected::No {
                end = self.at;
                let handle = std::mem::take(&mut handle);
                if let Redirected::To(sign, target) = redirected {
                    let sign = handle + sign;
                    command.redirections.push(Redirection { sign, target });
                }
                continue;
            }
            match self.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('#' | '(') => return Err(Unsure),
                Some(_) => {}
            }
            let word_start = self.at;
            let word = self.word()?;
            end = self.at;
            let written = self.text.get(word_start..end).unwrap_or_default();
            let written = written.replace("\\\n", "");
            let is_number = written.chars().all(|c| c.is_ascii_digit());
            if is_number && matches!(self.peek(), Some('<' | '>')) {
                handle = written;
                continue;
            }
            if command.words.is_empty() {
                if GRAMMAR.contains(&written.as_str()) {
                    return Err(Unsure);
                }
                if is_assignment(&written) {
                    command.sets_variables = true;
                    continue;
                }
                if word.stands_for != StandsFor::Itself || word.text.is_empty() {
                    return Err(Unsure);
                }
            }
            command.words.push(word);
        }
        if end == start {
            return Err(Unsure);
        }
        self.text
            .get(start..end)
            .unwrap_or_default()
            .clone_into(&mut command.source);
        self.line.commands.push(command);
        Ok(())
    }

    /// Reads a redirection, if there is one here.
    fn redirection(&mut self) -> Sure<Redirected> {
        // Shells do not agree on `&>`: to some it ends the command.
        if self.rest().starts_with("<<") || self.rest().starts_with("&>") {
            return Err(Unsure);
        }
        if self.take("<(") || self.take(">(") {
            self.line.redirects = true;
            return self.list(End::Parenthesis).map(|()| Redirected::Elsewhere);
        }
        let signs = [">>", ">|", ">&", "<&", "<>", ">", "<"];
        let Some(sign) = signs.into_iter().find(|sign| self.take(sign)) else {
            return Ok(Redirected::No);
        };
        self.skip(LineBreaks::End);
        if matches!(
            self.peek(),
            None | Some('\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | '#')
        ) {
            return Err(Unsure);
        }
        let target = self.word()?;
        let is_number = !target.text.is_empty() && target.text.chars().all(|c| c.is_ascii_digit());
        let is_harmless = match sign {
            ">&" | "<&" => is_number || target.text == "-",
            _ => target.text == "/dev/null",
        };
        if is_harmless && target.stands_for == StandsFor::Itself {
            return Ok(Redirected::Elsewhere);
        }
        self.line.redirects = true;
        Ok(Redirected::To(sign, target))
    }

    fn word(&mut self) -> Sure<Word> {
        let mut word = Word {
            text: String::new(),
            stands_for: StandsFor::Itself,
        };
        let start = self.at;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | ')' | '<' | '>' => break,
                '(' => return Err(Unsure),
                '\'' => {
                    self.at += 1;
                    let len = self.rest().find('\'').ok_or(Unsure)?;
                    let inside = self.rest().get(..len).ok_or(Unsure)?;
                    if inside.chars().any(is_odd) {
                        return Err(Unsure);
                    }
                    word.text.push_str(inside);
                    self.at += len + 1;
                }
                '"' => {
                    self.at += 1;
                    self.double_quoted(&mut word)?;
                }
                '\\' => {
                    self.at += 1;
                    match self.bump() {
                        None => return Err(Unsure),
                        Some('\n') => {}
                        Some(c) if is_odd(c) => return Err(Unsure),
                        Some(c) => word.text.push(c),
                    }
                }
                '$' | '`' => self.filled_in(&mut word, Quotes::None)?,
                _ if is_odd(c) => return Err(Unsure),
                _ => {
                    // Globs, braces, and what other shells replace at the start of a word.
                    let at_start = self.at == start;
                    let is_glob = matches!(c, '*' | '?' | '[' | ']' | '{' | '}');
                    if is_glob || (at_start && matches!(c, '~' | '=')) {
                        word.widen(StandsFor::Names);
                    }
                    word.text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        // The name of a program, and its last argument.
        if matches!(self.text.get(start..self.at), Some("[" | "]")) {
            word.stands_for = StandsFor::Itself;
        }
        Ok(word)
    }

    fn double_quoted(&mut self, word: &mut Word) -> Sure {
        loop {
            match self.peek().ok_or(Unsure)? {
                '"' => {
                    self.at += 1;
                    return Ok(());
                }
                '\\' => {
                    self.at += 1;
                    match self.bump().ok_or(Unsure)? {
                        '\n' => {}
                        c @ ('$' | '`' | '"' | '\\') => word.text.push(c),
                        c if is_odd(c) => return Err(Unsure),
                        c => word.text.extend(['\\', c]),
                    }
                }
                '$' | '`' => self.filled_in(word, Quotes::Double)?,
                c if is_odd(c) => return Err(Unsure),
                c => {
                    word.text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    /// Reads a variable or a substitution; the commands in it are commands of the line.
    fn filled_in(&mut self, word: &mut Word, quotes: Quotes) -> Sure {
        if self.take("`") {
            word.widen(StandsFor::Anything);
            return self.backquoted();
        }
        self.at += 1;
        match self.peek() {
            Some('(') => {
                self.at += 1;
                if self.peek() == Some('(') {
                    return Err(Unsure);
                }
                word.widen(StandsFor::Anything);
                self.list(End::Parenthesis)
            }
            Some('{') => {
                self.at += 1;
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let len = self.rest().find(|c| !is_name(c)).ok_or(Unsure)?;
                self.at += len;
                word.widen(StandsFor::Anything);
                match len > 0 && self.take("}") {
                    true => Ok(()),
                    false => Err(Unsure),
                }
            }
            Some('\'' | '"') if quotes == Quotes::None => Err(Unsure),
            // A backslash may hide a line break, behind which a parenthesis could follow.
            Some('[' | '\\') => Err(Unsure),
            Some(c) if c.is_ascii_alphanumeric() || "_?$!@*#-".contains(c) => {
                // The rest of a name is read as text; it fills in nothing.
                self.at += 1;
                word.widen(StandsFor::Anything);
                Ok(())
            }
            _ => {
                word.text.push('$');
                Ok(())
            }
        }
    }

    fn backquoted(&mut self) -> Sure {
        let len = self.rest().find('`').ok_or(Unsure)?;
        let inside = self.rest().get(..len).ok_or(Unsure)?;
        // A backslash in there means one thing to the quotes and another to what they hold.
        if inside.contains('\\') || self.depth >= MAX_DEPTH {
            return Err(Unsure);
        }
        let mut inner = Lexer {
            text: inside,
            at: 0,
            depth: self.depth,
            sign: "",
            line: Line {
                commands: Vec::new(),
                redirects: false,
            },
        };
        inner.list(End::OfText)?;
        self.at += len + 1;
        self.line.commands.append(&mut inner.line.commands);
        self.line.redirects |= inner.line.redirects;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    End,
    MeanNothing,
}

/// What a redirection leads to, if there is one.
#[derive(PartialEq, Eq)]
enum Redirected {
    No,
    /// To nowhere, to another handle, or to a command.
    Elsewhere,
    To(&'static str, Word),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Must,
    May,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Double,
}

/// Characters that no shell and no person reads alike.
fn is_odd(c: char) -> bool {
    (c.is_control() || c.is_whitespace()) && !matches!(c, ' ' | '\t' | '\n')
}

fn is_assignment(written: &str) -> bool {
    let Some((name, _)) = written.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
