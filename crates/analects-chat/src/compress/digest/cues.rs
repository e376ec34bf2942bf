//! Words that say what a sentence is for.
//!
//! They only help: a sentence without any of them is kept for what it tells (see `census`). Both lists are
//! short on purpose.

/// What a sentence is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cue {
    /// To be heeded from now on.
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

/// What a sentence seems to be for.
pub(super) fn cue(sentence: &str) -> Cue {
    let lower = sentence.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| contains_word(&lower, word));
    if has(CONSTRAINT) {
        Cue::Constraint
    } else if has(DECISION) {
        Cue::Decision
    } else if has(PLAN) {
        Cue::Plan
    } else {
        Cue::None
    }
}

/// Whether a word stands in a text as a word; scripts without spaces have none.
fn contains_word(text: &str, word: &str) -> bool {
    let is_spelled = word.is_ascii();
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + word.len()..)
            .and_then(|after| after.chars().next());
        let starts = word.chars().next().is_some_and(char::is_alphanumeric);
        let ends = word.chars().next_back().is_some_and(char::is_alphanumeric);
        !is_spelled || !((starts && is_letter(before)) || (ends && is_letter(after)))
    })
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
    let lower = line.to_lowercase();
    TROUBLE.iter().any(|word| lower.contains(word))
        && !NO_TROUBLE.iter().any(|word| lower.contains(word))
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
        assert!(!is_trouble("test result: ok. 3 passed; 0 failed"));
        assert!(is_reading("listening port: 5811"));
        assert!(!is_reading("let x: usize = 5;"));
    }
}
