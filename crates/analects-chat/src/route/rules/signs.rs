//! Words that say how hard a request is, in English and Chinese.
//!
//! The lists are short on purpose: a word stands here only if it says the same in nearly every request.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};

use super::{Sign, sign};

/// Words that mean one thing, and what they weigh. Each group counts once.
struct Group {
    name: &'static str,
    weight: i32,
    words: &'static [&'static str],
}

const GROUPS: [Group; 7] = [
    Group {
        name: "it is about design",
        weight: 2,
        words: &[
            "architecture",
            "architect",
            "design",
            "trade-off",
            "trade-offs",
            "tradeoff",
            "tradeoffs",
            "strategy",
            "rfc",
            "which approach",
            "best approach",
            "how should we",
            "plan for",
            "架构",
            "设计",
            "方案",
            "权衡",
            "取舍",
            "规划",
        ],
    },
    Group {
        name: "it changes much at once",
        weight: 2,
        words: &[
            "refactor",
            "refactoring",
            "rewrite",
            "migrate",
            "migration",
            "port to",
            "across the codebase",
            "whole codebase",
            "entire codebase",
            "everywhere",
            "all modules",
            "end to end",
            "重构",
            "重写",
            "迁移",
            "移植",
            "整个项目",
            "全部模块",
            "所有模块",
        ],
    },
    Group {
        name: "a cause is looked for",
        weight: 2,
        words: &[
            "debug",
            "root cause",
            "investigate",
            "why does",
            "why is",
            "why do",
            "deadlock",
            "race condition",
            "memory leak",
            "flaky",
            "intermittent",
            "intermittently",
            "sometimes fails",
            "segfault",
            "crashes",
            "调试",
            "排查",
            "根因",
            "原因",
            "为什么",
            "死锁",
            "竞态",
            "内存泄漏",
            "偶发",
            "偶尔失败",
            "崩溃",
        ],
    },
    Group {
        name: "something goes wrong again",
        weight: 2,
        words: &[
            "still fails",
            "still failing",
            "still broken",
            "still not working",
            "doesn't work either",
            "same error",
            "fails again",
            "tried everything",
            "not fixed",
            "还是不行",
            "又失败",
            "还是报错",
            "仍然失败",
            "同样的错误",
            "没有解决",
            "还是一样",
        ],
    },
    Group {
        name: "it shows an error trace",
        weight: 2,
        words: &[
            "traceback (most recent call last)",
            "panicked at",
            "stack backtrace",
            "stack trace",
            "exception in thread",
            "unhandled exception",
            "caused by:",
            "core dumped",
            "堆栈",
        ],
    },
    Group {
        name: "care is needed",
        weight: 2,
        words: &[
            "security",
            "vulnerability",
            "concurrency",
            "performance",
            "optimize",
            "optimise",
            "data loss",
            "backwards compatible",
            "thread-safe",
            "安全",
            "漏洞",
            "并发",
            "性能",
            "优化",
            "数据丢失",
            "兼容",
        ],
    },
    Group {
        name: "a small thing is asked for",
        weight: -2,
        words: &[
            "typo",
            "typos",
            "rename",
            "bump",
            "reformat",
            "one line",
            "a comment",
            "git status",
            "list the files",
            "show me",
            "what is",
            "what does",
            "where is",
            "print",
            "thanks",
            "thank you",
            "hello",
            "错别字",
            "拼写",
            "重命名",
            "改名",
            "格式化",
            "一行",
            "注释",
            "列出",
            "显示",
            "是什么",
            "在哪",
            "谢谢",
            "你好",
        ],
    },
];

static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = GROUPS.iter().flat_map(|group| group.words);
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .build(words)
        .expect("invariant: the lists are small")
});

/// The groups whose words stand in a text, each once.
pub(super) fn in_words(text: &str) -> Vec<Sign> {
    let mut is_found = [false; GROUPS.len()];
    for found in WORDS.find_overlapping_iter(text) {
        if is_word(text, found.start(), found.end())
            && let Some(is_found) = is_found.get_mut(group_of(found.pattern().as_usize()))
        {
            *is_found = true;
        }
    }
    let found = GROUPS
        .iter()
        .zip(is_found)
        .filter(|(_, is_found)| *is_found);
    found
        .map(|(group, _)| sign(group.weight, group.name))
        .collect()
}

fn group_of(pattern: usize) -> usize {
    let ends = GROUPS.iter().scan(0, |end, group| {
        *end += group.words.len();
        Some(*end)
    });
    ends.take_while(|end| *end <= pattern).count()
}

/// Whether no letter stands on either side; Chinese has no such sides.
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let before = text
        .get(..start)
        .and_then(|before| before.chars().next_back());
    let after = text.get(end..).and_then(|after| after.chars().next());
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_ascii = text.get(start..end).is_some_and(str::is_ascii);
    !is_ascii || !(is_part(before) || is_part(after))
}
