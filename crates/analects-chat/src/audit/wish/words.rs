//! By which words a wish is known.

use analects_text::script::is_ideograph;

use crate::audit::symbols::is_word;

/// Words of wishing, forbidding and correcting, sorted.
const WORDS: [&str; 18] = [
    "always",
    "avoid",
    "don't",
    "dont",
    "ensure",
    "forbidden",
    "instead",
    "let's",
    "must",
    "mustn't",
    "never",
    "only",
    "please",
    "prefer",
    "remember",
    "should",
    "shouldn't",
    "stop",
];

/// The same in two words, sorted.
const PAIRS: [(&str, &str); 13] = [
    ("do", "not"),
    ("from", "now"),
    ("has", "to"),
    ("have", "to"),
    ("i", "need"),
    ("i", "want"),
    ("let", "us"),
    ("make", "sure"),
    ("no", "longer"),
    ("not", "allowed"),
    ("rather", "than"),
    ("we", "need"),
    ("you", "need"),
];

/// Verbs with which one tells somebody to do something, sorted.
const VERBS: [&str; 62] = [
    "add",
    "apply",
    "bump",
    "call",
    "change",
    "check",
    "clean",
    "commit",
    "convert",
    "copy",
    "create",
    "delete",
    "disable",
    "do",
    "drop",
    "enable",
    "extract",
    "find",
    "fix",
    "format",
    "generate",
    "give",
    "go",
    "have",
    "ignore",
    "implement",
    "improve",
    "inline",
    "install",
    "keep",
    "leave",
    "list",
    "look",
    "make",
    "merge",
    "migrate",
    "move",
    "open",
    "pin",
    "port",
    "put",
    "read",
    "refactor",
    "remove",
    "rename",
    "replace",
    "restore",
    "revert",
    "rewrite",
    "run",
    "set",
    "show",
    "skip",
    "split",
    "switch",
    "take",
    "test",
    "try",
    "update",
    "use",
    "verify",
    "write",
];

/// What may stand before such a verb.
const BEFORE_VERBS: [&str; 8] = ["and", "then", "now", "also", "ok", "okay", "so", "just"];

/// No word above is longer.
const LONGEST: usize = 9;

/// Words of wishing in Chinese.
const CHINESE: [&str; 33] = [
    "必须",
    "不要",
    "务必",
    "只能",
    "永远",
    "改用",
    "不准",
    "禁止",
    "不得",
    "一律",
    "千万",
    "不许",
    "不能",
    "请",
    "记住",
    "以后",
    "始终",
    "总是",
    "应该",
    "应当",
    "不再",
    "切勿",
    "只用",
    "仅限",
    "改成",
    "改为",
    "换成",
    "而不是",
    "需要",
    "不用",
    "不可",
    "得用",
    "确保",
];

/// With what a Chinese sentence begins that tells somebody to do something.
const CHINESE_BEGINNINGS: [&str; 30] = [
    "把", "将", "用", "先", "再", "帮", "给", "加", "删", "改", "修", "写", "跑", "运行", "添加",
    "实现", "创建", "使用", "保持", "更新", "检查", "看", "继续", "提交", "升级", "重", "去掉",
    "移", "测试", "执行",
];

/// Characters that make another word of 别.
const BEFORE_BIE: [char; 12] = [
    '分', '特', '级', '区', '识', '个', '类', '判', '性', '辨', '派', '告',
];
const AFTER_BIE: [char; 5] = ['的', '人', '名', '处', '扭'];

/// Whether a sentence wants something.
pub(super) fn wants(sentence: &str) -> bool {
    wants_in_english(sentence) || (sentence.contains(is_ideograph) && wants_in_chinese(sentence))
}

fn wants_in_english(sentence: &str) -> bool {
    let is_outside = |c: char| !is_word(c) && !matches!(c, '\'' | '’');
    let words = sentence.split(is_outside).filter(|word| !word.is_empty());
    let mut before = String::new();
    let mut may_begin = true;
    for word in words {
        let small = match word.len() <= LONGEST + "’".len() {
            true => word.to_ascii_lowercase().replace('’', "'"),
            false => String::new(),
        };
        let begins = may_begin && VERBS.binary_search(&&*small).is_ok();
        let pair = (before.as_str(), small.as_str());
        if begins || WORDS.binary_search(&&*small).is_ok() || PAIRS.binary_search(&pair).is_ok() {
            return true;
        }
        may_begin &= BEFORE_VERBS.contains(&&*small);
        before = small;
    }
    false
}

fn wants_in_chinese(sentence: &str) -> bool {
    let begins = CHINESE_BEGINNINGS
        .iter()
        .any(|start| sentence.starts_with(start));
    let mut before = None;
    begins
        || sentence.char_indices().any(|(at, c)| {
            let rest = sentence.get(at..).unwrap_or_default();
            let is_found = match c {
                '别' => forbids(before, rest.chars().nth(1)),
                c => is_ideograph(c) && CHINESE.iter().any(|word| rest.starts_with(word)),
            };
            before = Some(c);
            is_found
        })
}

/// 别, where it is a word of its own.
fn forbids(before: Option<char>, after: Option<char>) -> bool {
    let is_other = before.is_some_and(|c| BEFORE_BIE.contains(&c));
    let is_else = after.is_none_or(|c| AFTER_BIE.contains(&c));
    !is_other && !is_else
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_no_word_is_too_long() {
        assert!(WORDS.is_sorted() && PAIRS.is_sorted() && VERBS.is_sorted());
        let words = WORDS.iter().chain(&VERBS);
        assert!(words.chain(&BEFORE_VERBS).all(|word| word.len() <= LONGEST));
    }

    #[test]
    fn wishes_of_more_than_one_word_are_known() {
        assert!(wants("It is no longer there"));
        assert!(wants("Okay, so: run it"));
        assert!(wants("I don’t like it"));
        assert!(!wants("It runs now to the north, no one is longer"));
        assert!(!wants("这个级别的别名分别是什么"));
    }
}
