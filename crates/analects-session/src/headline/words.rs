//! Words that say nothing about what is wanted, and words that do, in English and Chinese.

/// Manners, at the beginning of a sentence. Longer ones first where one begins with another.
const MANNERS: [&str; 56] = [
    "hello there",
    "hello",
    "hi there",
    "hi",
    "hey there",
    "hey",
    "good morning",
    "good afternoon",
    "good evening",
    "dear",
    "gemini",
    "claude",
    "codex",
    "okay",
    "ok",
    "alright",
    "great",
    "thanks",
    "thank you",
    "so",
    "well",
    "now",
    "then",
    "also",
    "please",
    "pls",
    "kindly",
    "can you",
    "could you",
    "would you",
    "will you",
    "can we",
    "could we",
    "let's",
    "lets",
    "i want you to",
    "i would like you to",
    "i'd like you to",
    "i need you to",
    "i want to",
    "i would like to",
    "i'd like to",
    "i need to",
    "we need to",
    "we want to",
    "we should",
    "you should",
    "your task is to",
    "help me to",
    "help me",
    "help us",
    "your job is to",
    "go ahead and",
    "i need help with",
    "just",
    "quickly",
];

/// The same in a language without blanks.
const MANNERS_ZH: [&str; 34] = [
    "你好",
    "您好",
    "大家好",
    "嗨",
    "早上好",
    "下午好",
    "晚上好",
    "好的",
    "谢谢",
    "那么",
    "现在",
    "然后",
    "麻烦你",
    "麻烦您",
    "麻烦",
    "请你",
    "请您",
    "请问",
    "请",
    "帮我",
    "帮忙",
    "能不能",
    "能否",
    "可不可以",
    "可以",
    "你能",
    "我想要",
    "我想让你",
    "我想",
    "我要",
    "我需要你",
    "我需要",
    "我希望你",
    "我希望",
];

/// How requests and questions begin.
const REQUESTS: [&str; 74] = [
    "add",
    "adjust",
    "allow",
    "analyse",
    "analyze",
    "apply",
    "avoid",
    "bump",
    "build",
    "change",
    "check",
    "clean",
    "compare",
    "configure",
    "convert",
    "create",
    "debug",
    "delete",
    "deploy",
    "describe",
    "design",
    "document",
    "explain",
    "extend",
    "extract",
    "find",
    "fix",
    "format",
    "generate",
    "give",
    "handle",
    "how",
    "implement",
    "improve",
    "inspect",
    "install",
    "investigate",
    "list",
    "look",
    "make",
    "merge",
    "migrate",
    "move",
    "optimise",
    "optimize",
    "port",
    "profile",
    "read",
    "refactor",
    "remove",
    "rename",
    "replace",
    "reproduce",
    "review",
    "rewrite",
    "run",
    "set",
    "show",
    "simplify",
    "split",
    "summarise",
    "summarize",
    "support",
    "tell",
    "test",
    "translate",
    "try",
    "turn",
    "update",
    "upgrade",
    "use",
    "what",
    "why",
    "write",
];

/// The same in Chinese; they may stand a little later, behind what they are about.
const REQUESTS_ZH: [&str; 38] = [
    "修复",
    "修改",
    "修正",
    "添加",
    "增加",
    "加上",
    "实现",
    "重构",
    "解释",
    "说明",
    "写",
    "改",
    "删除",
    "移除",
    "优化",
    "更新",
    "升级",
    "检查",
    "查找",
    "查看",
    "生成",
    "创建",
    "新建",
    "翻译",
    "分析",
    "测试",
    "运行",
    "部署",
    "配置",
    "支持",
    "为什么",
    "怎么",
    "如何",
    "什么",
    "总结",
    "合并",
    "拆分",
    "替换",
];

/// Sentences that speak only of what was said before.
const VAGUE: [&str; 27] = [
    "continue",
    "go on",
    "go ahead",
    "yes",
    "no",
    "y",
    "n",
    "sure",
    "do it",
    "fix it",
    "fix this",
    "try again",
    "retry",
    "again",
    "proceed",
    "next",
    "test",
    "done",
    "help",
    "what",
    "why",
    "how",
    "explain",
    "explain this",
    "run it",
    "look at this",
    "see",
];

const VAGUE_ZH: [&str; 12] = [
    "继续",
    "好",
    "是",
    "是的",
    "不",
    "对",
    "可以",
    "行",
    "再试一次",
    "下一步",
    "测试",
    "帮忙",
];

/// A sentence without greetings, names and manners before what is wanted.
pub(super) fn without_manners(sentence: &str) -> &str {
    let mut rest = trimmed(sentence);
    loop {
        let shorter = MANNERS
            .iter()
            .find_map(|word| strip_word(rest, word))
            .or_else(|| MANNERS_ZH.iter().find_map(|word| rest.strip_prefix(word)));
        match shorter.map(trimmed) {
            Some(shorter) => rest = shorter,
            None => return rest,
        }
    }
}

/// Whether a sentence asks for something.
pub(super) fn is_request(sentence: &str) -> bool {
    let word = sentence.split(|c: char| !c.is_ascii_alphabetic()).next();
    let word = word.unwrap_or_default().to_ascii_lowercase();
    let start: String = sentence.chars().take(12).collect();
    REQUESTS.contains(&&*word) || REQUESTS_ZH.iter().any(|word| start.contains(word))
}

/// Whether a sentence means nothing to somebody who was not there.
pub(super) fn is_vague(sentence: &str) -> bool {
    let said = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    let said = said.to_lowercase();
    said.is_empty() || VAGUE.contains(&&*said) || VAGUE_ZH.contains(&&*said)
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let start = text.get(..word.len())?;
    let rest = text.get(word.len()..)?;
    let ends = !rest.starts_with(|c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'' | '.' | '/')
    });
    (start.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

fn trimmed(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | '，' | '!' | '！' | '.' | '。' | ':' | '：' | ';' | '；' | '、' | '~'
            )
    });
    // A file or an option may begin with a dot or a dash; a sentence does not.
    text.trim_end()
}
