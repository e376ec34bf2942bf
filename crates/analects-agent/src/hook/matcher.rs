//! Which tools or sources a hook wants to run for.

use super::event::{Event, Matching};
use crate::policy::pattern::{Pattern, Purse};

/// What a hook wants to run for.
#[derive(Debug, Clone)]
pub(super) enum Matcher {
    /// Everything.
    All,
    /// Whatever a pattern is found in.
    Found(Pattern),
    /// One word.
    Word(String),
}

impl Matcher {
    /// Reads a matcher. What is no pattern, or none that can be matched in bounded time and memory, is a word; the second
    /// value says why.
    pub(super) fn new(event: Event, text: &str, purse: &mut Purse) -> (Self, Option<String>) {
        let text = text.trim();
        let word = || Self::Word(text.to_owned());
        match event.matching() {
            Matching::Nothing => (Self::All, None),
            _ if matches!(text, "" | "*") => (Self::All, None),
            Matching::Word => (word(), None),
            Matching::Tool => match Pattern::anywhere(text, purse) {
                Ok(pattern) => (Self::Found(pattern), None),
                Err(why) => (word(), Some(why)),
            },
        }
    }

    /// Whether it is about this; what has no name is met by every hook.
    pub(super) fn fits(&self, subject: Option<&str>) -> bool {
        let Some(subject) = subject else { return true };
        match self {
            Self::All => true,
            Self::Found(pattern) => pattern.is_match(subject),
            Self::Word(word) => word == subject,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(event: Event, matcher: &str, subject: &str) -> bool {
        let (matcher, _) = Matcher::new(event, matcher, &mut Purse::default());
        matcher.fits(Some(subject))
    }

    #[test]
    fn tools_are_searched_words_are_compared_and_others_do_not_care() {
        use Event::{AfterTool, BeforeAgent, BeforeTool, PreCompress, SessionStart};
        for (event, matcher, subject, expected) in [
            (BeforeTool, "", "read_file", true),
            (BeforeTool, " * ", "read_file", true),
            (BeforeTool, "file", "read_file", true),
            (BeforeTool, "^file", "read_file", false),
            (BeforeTool, "write_file|replace", "replace", true),
            (AfterTool, "(read|write)_(file|many)?", "read_file", true),
            (AfterTool, "READ", "read_file", false),
            (AfterTool, "mcp_.*_fetch$", "mcp_web_fetch", true),
            // No pattern: a word.
            (BeforeTool, "read_file(", "read_file(", true),
            (BeforeTool, "read_file(", "read_file", false),
            (BeforeTool, "(?=x)", "x", false),
            (SessionStart, "startup", "startup", true),
            (SessionStart, "start", "startup", false),
            (SessionStart, ".*", "startup", false),
            (PreCompress, "auto", "manual", false),
            (BeforeAgent, "nothing", "anything", true),
        ] {
            assert_eq!(
                fits(event, matcher, subject),
                expected,
                "{event:?} {matcher} {subject}"
            );
        }
    }

    #[test]
    fn a_bomb_is_a_word_and_costs_nothing() {
        let subject = "a".repeat(100_000) + "!";
        for (bomb, is_pattern, is_fit) in [
            ("(a{1000}){1000}".to_owned(), false, false),
            ("((((((((((a*)*)*)*)*)*)*)*)*)*)*b".to_owned(), true, false),
            ("(a|a?)+$".to_owned(), true, true),
            ("(a+)+$".to_owned(), true, false),
            ("(".repeat(100_000), false, false),
            ("x".repeat(1_000_000), false, false),
        ] {
            let (matcher, why) = Matcher::new(Event::BeforeTool, &bomb, &mut Purse::default());
            assert_eq!(why.is_none(), is_pattern);
            assert_eq!(matcher.fits(Some(&subject)), is_fit);
        }
    }
}
