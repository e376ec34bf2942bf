//! Words that say what a sentence is for.
//!
//! They only help: a sentence without any of them is kept for what it tells (see `census`). Both lists are
//! short on purpose.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, Match};

/// What a sentence is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// A constraint from now on.
    Constraint,
    /// A choice, or the reason for one.
    Decision,
    /// What is done, next or open.
    Plan,
    /// None that we know.
    None,
}

const CONSTRAINT: &[&str] = &[
    "must",
    "never",
    "always",
    "don't",
    "do not",
    "dont",
    "only",
    "should",
    "shall",
    "avoid",
    "forbidden",
    "required",
    "make sure",
    "ensure",
    "instead",
    "no longer",
    "prefer",
    "not allowed",
    "keep",
    "stop",
    "必须",
    "不要",
    "别",
    "务必",
    "只能",
    "永远",
    "总是",
    "禁止",
    "不准",
    "不能",
    "改用",
    "应该",
    "应当",
    "确保",
    "保持",
    "一律",
    "不得",
];
const DECISION: &[&str] = &[
    "decided",
    "decision",
    "chose",
    "chosen",
    "because",
    "rather than",
    "agreed",
    "settled",
    "went with",
    "opted",
    "turned out",
    "root cause",
    "in favour of",
    "in favor of",
    "trade-off",
    "confirmed",
    "the reason",
    "决定",
    "选择",
    "选定",
    "因为",
    "而不是",
    "原因",
    "确认",
    "采用",
    "放弃",
    "结论",
    "权衡",
];
const PLAN: &[&str] = &[
    "todo",
    "next step",
    "next,",
    "next:",
    "then we",
    "remaining",
    "still",
    "left to",
    "pending",
    "finished",
    "done",
    "in progress",
    "blocked",
    "open question",
    "continue",
    "follow-up",
    "afterwards",
    "[x]",
    "[ ]",
    "step ",
    "下一步",
    "接下来",
    "待办",
    "还剩",
    "剩下",
    "完成",
    "尚未",
    "未完",
    "进行中",
    "继续",
    "稍后",
    "之后",
    "步骤",
];

/// What a sentence seems to be for: the strongest of what its words say.
pub(super) fn cue(sentence: &str) -> Cue {
    static WORDS: LazyLock<Words> =
        LazyLock::new(|| Words::new(&[CONSTRAINT, DECISION, PLAN], Piece::Left));
    match WORDS.first_list(sentence) {
        Some(0) => Cue::Constraint,
        Some(1) => Cue::Decision,
        Some(_) => Cue::Plan,
        None => Cue::None,
    }
}

/// Whether a sentence asks.
pub(super) fn is_question(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(['"', '\'', '”', ')', '）', '。']);
    end.ends_with(['?', '？', '吗', '呢'])
}

const TROUBLE: &[&str] = &[
    "error",
    "panicked",
    "panic:",
    "exception",
    "traceback",
    "fatal",
    "failed",
    "failure",
    "fail:",
    "--- fail",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable to",
    "no such",
    "not found",
    "undefined",
    "denied",
    "refused",
    "timed out",
    "timeout",
    "unresolved",
    "mismatch",
    "segmentation fault",
    "assertion",
    "abort",
    "conflict",
    "invalid",
    "unexpected",
    "错误",
    "失败",
    "异常",
    "无法",
    "找不到",
    "未找到",
    "拒绝",
    "超时",
    "冲突",
];
/// Lines that only say that all is well.
const NO_TROUBLE: &[&str] = &[
    "0 failed",
    "0 errors",
    "no errors",
    "0 error",
    "error: null",
    "errors: 0",
    "failed: 0",
];

/// Whether a line of output tells of trouble.
pub(super) fn is_trouble(line: &str) -> bool {
    static WORDS: LazyLock<Words> =
        LazyLock::new(|| Words::new(&[NO_TROUBLE, TROUBLE], Piece::Counted));
    WORDS.first_list(line) == Some(1)
}

/// Whether a word counts where it is only a piece of a longer one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// It does: `TypeError` is an error.
    Counted,
    /// It does not: `mustard` is no must.
    Left,
}

/// Lists of words, looked for all at once.
struct Words {
    piece: Piece,
    automaton: Option<AhoCorasick>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl Words {
    fn new(lists: &[&[&str]], piece: Piece) -> Self {
        let mut builder = AhoCorasickBuilder::new();
        builder.ascii_case_insensitive(true);
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        });
        Self {
            piece,
            // Only more words than a machine can count could make this fail.
            automaton: builder.build(lists.iter().copied().flatten()).ok(),
            ends: ends.collect(),
        }
    }

    /// The first of the lists of which a word stands in the text.
    fn first_list(&self, text: &str) -> Option<usize> {
        let found = self.automaton.as_ref()?.find_overlapping_iter(text);
        let counts = |found: &Match| {
            self.piece == Piece::Counted || is_whole(text, found.start(), found.end())
        };
        let whole = found.filter(counts);
        let list = |word: usize| self.ends.iter().position(|end| word < *end);
        whole
            .filter_map(|found| list(found.pattern().as_usize()))
            .min()
    }
}

/// Whether what stands there is a word, not a piece of one. Scripts without spaces have no such pieces.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    let joins =
        |inside: Option<usize>, outside: Option<usize>| is_letter(inside) && is_letter(outside);
    !joins(Some(start), start.checked_sub(1)) && !joins(end.checked_sub(1), Some(end))
}

/// Whether a line of output looks like a value that was told: a name, something between, and a value.
pub(super) fn is_reading(line: &str) -> bool {
    let Some(at) = line.find([':', '=', '：']) else {
        return false;
    };
    let name = line.get(..at).unwrap_or_default().trim();
    let value = line
        .get(at + 1..)
        .unwrap_or_default()
        .trim_matches([' ', '=', ':']);
    let n_words = name.split_whitespace().count();
    (1..=6).contains(&n_words)
        && !value.is_empty()
        && value.split_whitespace().count() <= 8
        && !line.trim_end().ends_with(['{', ';', ',', '('])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_known_by_their_words() {
        assert_eq!(cue("Never push to main"), Cue::Constraint);
        assert_eq!(cue("the mustard is yellow"), Cue::None);
        assert_eq!(cue("数据库不要动"), Cue::Constraint);
        assert_eq!(cue("We went with sled"), Cue::Decision);
        assert_eq!(cue("下一步是解析器"), Cue::Plan);
        assert!(is_trouble("error[E0308]: mismatched types"));
        assert!(is_trouble("TypeError: x is undefined"));
        assert!(!is_trouble("test result: ok. 3 passed; 0 failed"));
        assert!(is_reading("listening port: 5811"));
        assert!(!is_reading("let x: usize = 5;"));
    }
}
