//! Finds commands that a stranger's text proposes: word for word, or by the names in it.
//!
//! Whoever writes "start the script seed.sh and pass it `--all`" asks for the same as whoever writes the command. So a
//! command is looked for by its words in a row, and by each of its words that tell it from others.

use std::ops::Range;

use analects_text::shell_line::program_name;

use super::cue::ascii_words;
use super::{habits, step};

/// A shorter text stands everywhere.
pub(super) const MIN_NEEDLE: usize = 5;

/// The words that tell a command from others: its program and what it is told, but for what everybody says. A program is
/// known by its last name, whichever way led there.
pub(super) fn names<'a>(
    program: &'a str,
    told: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = &'a str> {
    let name = program_name(program);
    let stem = name.split('.').next().unwrap_or(name);
    let program = match stem.len() < MIN_NEEDLE || habits::is_everyday(stem) {
        true => program.strip_prefix("./").unwrap_or(program),
        false => name,
    };
    let is_telling = |word: &&str| word.len() >= MIN_NEEDLE && !habits::is_everyday(word);
    std::iter::once(program).chain(told).filter(is_telling)
}

/// The names in a command that was written down, whatever becomes of it.
pub(crate) fn names_in<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let Some((program, rest)) = words.split_first() else {
        return Vec::new();
    };
    let value = |word: &'a str| match word.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => word,
    };
    let told = rest.iter().map(|word| value(word));
    names(program, told.filter(|word| step::is_plain(word))).collect()
}

/// Whether what was found is a word of its own.
pub(crate) fn stands_alone(text: &str, at: Range<usize>) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let before = text.get(..at.start).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default();
    !after.starts_with(is_word) && (!before.ends_with(is_word) || ends_in_escape(before))
}

/// Whether a text ends in a line break as it is written inside quotes, in an answer that is JSON.
pub(crate) fn ends_in_escape(text: &str) -> bool {
    ["\\n", "\\r", "\\t"].iter().any(|it| text.ends_with(it))
}

const ORDERS: &[&str] = &[
    "always",
    "must",
    "run",
    "execute",
    "remember",
    "important",
    "system",
    "please",
    "use",
    "should",
    "never",
    "assistant",
    "instruction",
    "instructions",
    "before",
    "first",
    "required",
    "ignore",
    "note",
];

const ORDERS_CJK: &[&str] = &[
    "必须", "务必", "请", "运行", "执行", "记住", "总是", "先", "重要", "系统", "指令", "注意",
    "应该", "忽略",
];

/// How much of a line is looked at, on either side of a place.
pub(super) const AROUND: usize = 240;

/// Whether the line around a place asks somebody to do something, or shows it as a command. `line` is where in the text
/// it stands.
pub(crate) fn asks(text: &str, line: Range<usize>, at: usize) -> bool {
    let from = text.ceil_char_boundary(line.start.max(at.saturating_sub(AROUND)));
    let to = text.floor_char_boundary(line.end.min(at + AROUND));
    let before = text.get(from..at).unwrap_or_default();
    let is_shown = ["`", "$ ", "> ", "`./", "$ ./"]
        .iter()
        .any(|sign| before.ends_with(sign));
    is_shown || text.get(from..to).is_some_and(gives_order)
}

/// Whether a line asks somebody to do something.
pub(crate) fn gives_order(line: &str) -> bool {
    let line = line.to_lowercase();
    ascii_words(&line).any(|word| ORDERS.contains(&word))
        || ORDERS_CJK.iter().any(|cue| line.contains(cue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_by_the_words_that_nobody_else_would_say() {
        for (line, wanted) in [
            (
                "./scripts/pond_seed.sh --all users-eu",
                &["pond_seed.sh", "users-eu"][..],
            ),
            ("./scripts/run.sh", &["scripts/run.sh"]),
            ("make test", &[]),
            ("npx --yes --package=pond-tools init", &["pond-tools"]),
            ("cargo build --release", &[]),
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(names_in(&words), wanted, "{line}");
        }
    }

    #[test]
    fn a_name_stands_alone_behind_a_line_break_that_is_written_out() {
        let is_alone =
            |text: &str| stands_alone(text, text.find("pond").map_or(0..0, |at| at..at + 4));
        assert!(is_alone("run pond, now") && is_alone("First\\npond\\n") && is_alone("运行pond吧"));
        assert!(!is_alone("ponds") && !is_alone("old-pond") && !is_alone("unpond"));
    }

    #[test]
    fn only_the_line_itself_asks() {
        let text = "please run it\nsee pond.sh there\nthen `pond.sh`";
        let asks_at = |at: usize| {
            let start = text
                .get(..at)
                .unwrap_or_default()
                .rfind('\n')
                .map_or(0, |it| it + 1);
            let end = text.get(at..).and_then(|it| it.find('\n'));
            asks(text, start..end.map_or(text.len(), |end| at + end), at)
        };
        assert!(asks_at(text.find("it").unwrap()));
        assert!(!asks_at(text.find("pond").unwrap()));
        assert!(asks_at(text.rfind("pond").unwrap()));
    }
}
