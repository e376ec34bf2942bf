//! Headlines of prompts.

use proptest::prelude::*;

use super::*;

#[test]
fn a_headline_tells_what_the_user_wanted() {
    for (prompts, wanted) in [
        (
            &["fix the failing test in replay.rs"][..],
            "Fix the failing test in replay.rs",
        ),
        (
            &["Hi Gemini! Could you please rename `Vec<String>` to Names?"],
            "Rename Vec<String> to Names?",
        ),
        (
            &["hello", "continue", "add a --json flag to `show`."],
            "Add a --json flag to show",
        ),
        (
            &[
                "I have a crate that parses JSON. It panics on \\u0000. Please make it return an error instead.",
            ],
            "Make it return an error instead",
        ),
        (
            &["explain @src/replay/scan.rs and @google/genai"],
            "Explain scan.rs and @google/genai",
        ),
        (
            &["Fix this error:\n```\nTypeError: x is undefined\n  at foo (a.js:1)\n```"],
            "Fix this error: TypeError: x is undefined",
        ),
        (
            &["```rust\nfn main() {}\n```\nwhy does this not compile?"],
            "Why does this not compile?",
        ),
        (
            &["# Task\n\n1. **Add** retention, e.g. by age. Then test it."],
            "Add retention, e.g. by age",
        ),
        (
            &["你好，请帮我修复登录页面的错误。谢谢！"],
            "修复登录页面的错误",
        ),
        (
            &["好的", "麻烦你解释一下 `replay()` 为什么这么慢？"],
            "解释一下 replay() 为什么这么慢？",
        ),
        (&["continue"], "continue"),
        (
            &["npm test fails since yesterday, no idea"],
            "npm test fails since yesterday, no idea",
        ),
        (
            &["a < b and x > 3 is wrong in compare_keys"],
            "a < b and x > 3 is wrong in compare_keys",
        ),
        (
            &["<user_query>\nmake the build faster\n</user_query>"],
            "Make the build faster",
        ),
        (
            &["2026-08-21T10:00:00Z [INFO] 200 0x7f\nwhat does 0x7f mean here?"],
            "What does 0x7f mean here?",
        ),
        (
            &[
                "implement a retention policy for session files that never deletes the current session, honours maxAge and maxCount, and logs what it did",
            ],
            "Implement a retention policy for session files that never deletes the current…",
        ),
        (
            &[
                "历史记录里的会话文件太多了，请实现一个清理策略，按照最长保留时间和最大数量来删除旧的会话文件，但是永远不要删除当前正在使用的会话，也不要删除任何无法读取的会话文件，谢谢",
            ],
            "历史记录里的会话文件太多了，请实现一个清理策略，按照最长保留时间和最大数量来删除旧的会话文件，但是永远不要删除当前正在使用的会话…",
        ),
    ] {
        let line = headline(prompts.iter().copied());
        assert_eq!(line.as_deref(), Some(wanted), "{prompts:?}");
    }
    assert_eq!(headline(["", " \n", "```\ncode\n```"]), None);
    assert_eq!(headline([]), None);
}

#[test]
fn a_models_sentence_is_made_fit_to_be_shown() {
    for (answer, line) in [
        ("\"Fix the login page.\"\n", Some("Fix the login page")),
        ("**Summary:** Add  a\nflag", Some("Add a flag")),
        ("「修复登录」。", Some("修复登录")),
        (
            "Fix \u{202e}it\u{200b} \u{1b}[31mnow",
            Some("Fix it [31mnow"),
        ),
        (" \n\"\" ", None),
    ] {
        assert_eq!(clean(answer).as_deref(), line, "{answer:?}");
    }
    let long = clean(&"word ".repeat(40)).unwrap();
    assert!(long.ends_with("word…") && long.chars().count() <= MAX_CHARS);
}

proptest! {
    #[test]
    fn a_headline_is_one_short_line(prompts in prop::collection::vec("(\\PC|[ \n.`<>@,]|[a-z]{1,9} ){0,120}", 0..4)) {
        let lines = [
            headline(prompts.iter().map(String::as_str)),
            prompts.first().and_then(|prompt| clean(prompt)),
        ];
        for line in lines.into_iter().flatten() {
            prop_assert!(line.chars().count() <= MAX_CHARS, "{line}");
            prop_assert!(!line.is_empty() && !line.contains(['\n', '\r']), "{line:?}");
        }
    }
}
