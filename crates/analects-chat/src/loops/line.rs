//! Reads a stream character by character and knows what its lines are.
//!
//! Where the stream is cut into chunks does not matter. As long as a line could still be a divider, an item
//! or a fence, nothing is said about it; the words of a line decide. Fences are those of CommonMark, but may
//! be indented as deeply as the items they stand in. Code that is only indented is taken for words.

/// A line that goes on without words for this long is no divider and no table any more.
pub(super) const PATIENCE: usize = 1_000;

/// What a character means for the text before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Not to be looked at, or not yet.
    Wait,
    /// Words go on.
    Words,
    /// The words of an item, a heading or a quote begin: they have nothing to do with earlier lines.
    NewWords,
    /// The line is over.
    End(Line),
}

/// What a line was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing but white space.
    Blank,
    /// Words.
    Words,
    /// A row of a table with words in it, or an item that is a number.
    Row,
    /// A divider, an empty row, a line of code, a fence: what may well be the same many times.
    Quiet,
}

/// Where in which line a stream is.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    stage: Stage,
    /// Whether a mark of an item, a heading or a quote was read.
    is_marked: bool,
    has_words: bool,
    line_units: usize,
    code: Option<Fence>,
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    /// White space, and marks that are complete.
    Lead,
    /// A bullet, if white space follows.
    Bullet,
    /// A heading, if white space follows.
    Hashes,
    /// A number; an item, if a mark follows.
    Number,
    /// An item, if white space follows.
    NumberMark,
    /// A run of fence characters.
    Run(Fence),
    /// What stands behind a fence.
    Info(Fence),
    /// Neither letters nor digits so far.
    Signs,
    /// A row of a table.
    Row,
    /// Words.
    Words,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self {
            stage: Stage::Lead,
            is_marked: false,
            has_words: false,
            line_units: 0,
            code: None,
        }
    }

    /// Whether everything up to the end of the line is words, and need not be read.
    pub(super) fn is_in_words(&self) -> bool {
        matches!(self.stage, Stage::Words) && self.code.is_none()
    }

    /// Reads a character.
    pub(super) fn read(&mut self, c: char) -> Step {
        if c == '\n' {
            return Step::End(self.end_line());
        }
        if self.is_in_words() {
            return Step::Words;
        }
        self.line_units += c.len_utf16();
        self.has_words |= c.is_alphanumeric();
        self.stage = match self.code {
            Some(_) => code_stage(self.stage, c),
            None if self.line_units > PATIENCE => Stage::Words,
            None => self.talk_stage(c),
        };
        match self.stage {
            Stage::Words if self.code.is_some() => Step::Wait,
            Stage::Words if self.is_marked => Step::NewWords,
            Stage::Words => Step::Words,
            _ => Step::Wait,
        }
    }

    /// The message is over, and with it an open line and open code.
    pub(super) fn end_message(&mut self) -> Line {
        let line = self.end_line();
        self.code = None;
        line
    }

    fn end_line(&mut self) -> Line {
        let line = self.line();
        self.code = match (self.code, self.stage) {
            (None, Stage::Run(fence) | Stage::Info(fence)) if fence.length >= 3 => Some(fence),
            (Some(open), Stage::Run(fence) | Stage::Info(fence)) if fence.closes(open) => None,
            (code, _) => code,
        };
        *self = Self {
            code: self.code,
            ..Self::new()
        };
        line
    }

    fn line(&self) -> Line {
        match self.stage {
            Stage::Lead if !self.is_marked => Line::Blank,
            _ if self.code.is_some() => Line::Quiet,
            Stage::Number | Stage::NumberMark if self.is_marked => Line::Row,
            Stage::Words | Stage::Number | Stage::NumberMark => Line::Words,
            Stage::Row if self.has_words => Line::Row,
            _ => Line::Quiet,
        }
    }

    fn talk_stage(&mut self, c: char) -> Stage {
        match self.stage {
            Stage::Lead => self.lead(c),
            Stage::Bullet | Stage::NumberMark if c.is_whitespace() => self.marked(Stage::Lead),
            Stage::Hashes if c == '#' => Stage::Hashes,
            Stage::Hashes if c.is_whitespace() => self.marked(Stage::Signs),
            Stage::Number if c.is_ascii_digit() => Stage::Number,
            Stage::Number if matches!(c, '.' | ')') => Stage::NumberMark,
            Stage::Number | Stage::NumberMark => Stage::Words,
            Stage::Run(fence) if c == fence.mark => Stage::Run(fence.longer()),
            Stage::Run(fence) if fence.length >= 3 => Stage::Info(fence),
            // Backticks on both sides are code in a sentence.
            Stage::Info(Fence { mark: '`', .. }) if c == '`' => Stage::Words,
            Stage::Info(fence) => Stage::Info(fence),
            Stage::Row => Stage::Row,
            _ if c.is_alphanumeric() => Stage::Words,
            _ => Stage::Signs,
        }
    }

    fn lead(&mut self, c: char) -> Stage {
        match c {
            '>' => self.marked(Stage::Lead),
            '-' | '*' | '+' | '•' => Stage::Bullet,
            '#' => Stage::Hashes,
            '0'..='9' => Stage::Number,
            '`' | '~' => Stage::Run(Fence { mark: c, length: 1 }),
            '|' | '\u{2500}'..='\u{257F}' => Stage::Row,
            _ if c.is_whitespace() => Stage::Lead,
            _ if c.is_alphanumeric() => Stage::Words,
            _ => Stage::Signs,
        }
    }

    fn marked(&mut self, stage: Stage) -> Stage {
        self.is_marked = true;
        stage
    }
}

/// Inside code only a fence matters; everything else is `Words`.
fn code_stage(stage: Stage, c: char) -> Stage {
    match stage {
        Stage::Lead if c == '>' || c.is_whitespace() => Stage::Lead,
        Stage::Lead if matches!(c, '`' | '~') => Stage::Run(Fence { mark: c, length: 1 }),
        Stage::Run(fence) if c == fence.mark => Stage::Run(fence.longer()),
        Stage::Run(fence) if c.is_whitespace() => Stage::Info(fence),
        Stage::Info(fence) if c.is_whitespace() => Stage::Info(fence),
        _ => Stage::Words,
    }
}

impl Fence {
    fn longer(self) -> Self {
        Self {
            length: self.length + 1,
            ..self
        }
    }

    fn closes(self, open: Self) -> bool {
        self.mark == open.mark && self.length >= open.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the lines of a text are: blank, words, marked words, row, quiet.
    fn check(text: &str, expected: &str) {
        let mut reader = Reader::new();
        let mut lines = String::new();
        let mut is_new = false;
        for c in text.chars() {
            match reader.read(c) {
                Step::Wait | Step::Words => {}
                Step::NewWords => is_new = true,
                Step::End(line) => {
                    lines.push(match line {
                        Line::Blank => 'b',
                        Line::Words if is_new => 'm',
                        Line::Words => 'w',
                        Line::Row => 'r',
                        Line::Quiet => 'q',
                    });
                    is_new = false;
                }
            }
        }
        assert_eq!(lines, expected, "{text:?}");
    }

    #[test]
    fn words_are_words() {
        check(
            "\n  \r\na\n1\n1.5 m\n-1\n*a*\n#a\n`a`\n12:\n 记\n",
            "bbwwwwwwwww",
        );
    }

    #[test]
    fn marks_make_items_headings_and_quotes() {
        check("- a\n* a\n+ a\n• a\n1. a\n23) a\n  - a\n", "mmmmmmm");
        check("# a\n### a\n> a\n>a\n> - a\n- 1. a\n- [ ] a\n", "mmmmmmm");
        check("- 5\n-\n- \n>\n", "rqqq");
    }

    #[test]
    fn rows_and_dividers_have_no_words_to_look_at() {
        check("| a | b |\n|---|---|\n|   |   |\n│ a │\n", "rqqr");
        check("---\n***\n= = =\n──\n+--+\n- - -\n####\n...\n", "qqqqqqqq");
    }

    #[test]
    fn code_ends_with_a_fence_like_its_own() {
        check("```rs\na\n~~~\n``\n``` a\n   ``` \na\n", "qqqqqqw");
        check("~~~~ `a`\na\n```\n~~~\n~~~~~\na\n", "qqqqqw");
        check("- ```\na\n\n```\na\n> ```\n> a\n> ```\na\n", "qqbqwqqqw");
        check("```a``` b\na\n", "ww");
    }

    #[test]
    fn open_code_and_an_open_line_end_with_the_message() {
        let mut reader = Reader::new();
        assert_eq!(
            "```\nlet a".chars().map(|c| reader.read(c)).last(),
            Some(Step::Wait)
        );
        assert_eq!(reader.end_message(), Line::Quiet);
        assert_eq!(reader.read('a'), Step::Words);
    }

    #[test]
    fn a_line_without_words_is_not_waited_for_for_ever() {
        let mut reader = Reader::new();
        assert!((0..PATIENCE).all(|_| reader.read('=') == Step::Wait));
        assert_eq!(reader.read('='), Step::Words);
    }
}
