//! What a person means by a prompt, as far as a few words tell: that something went well or not, that it is to be done
//! another way, that one thing comes before another.
//!
//! English and Chinese. A cue alone proves nothing: what is learned must have been run afterwards, and must have worked.

/// What a prompt tells about what went before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It went well.
    Praise,
    /// It did not, or it is given up.
    Blame,
    /// Neither.
    None,
}

const PRAISE: &[&str] = &[
    "exactly",
    "it's live",
    "is live",
    "all set",
    "all clear",
    "looks right",
    "good now",
    "fine now",
    "confirmed",
    "verified",
    "这样就行",
    "就是这样",
    "辛苦",
    "测试都过",
    "验证过了",
    "可以用",
    "正是",
    "上线了",
    "好使",
    "all good",
    "all green",
    "all passed",
    "awesome",
    "brilliant",
    "did it",
    "did the trick",
    "done, thanks",
    "excellent",
    "fixed it",
    "good job",
    "good work",
    "great",
    "green now",
    "it passes",
    "it works",
    "lgtm",
    "looks good",
    "looks great",
    "nice",
    "passes now",
    "passing now",
    "perfect",
    "ship it",
    "solved",
    "thank you",
    "thanks",
    "that works",
    "that worked",
    "up and running",
    "well done",
    "worked",
    "works",
    "wonderful",
    "yep, works",
    "不错",
    "可以了",
    "好了",
    "好的，谢谢",
    "完成了",
    "完美",
    "很好",
    "成功了",
    "搞定",
    "正常了",
    "没问题",
    "漂亮",
    "太好了",
    "能用了",
    "行了",
    "解决了",
    "谢谢",
    "通过了",
    "都过了",
    "跑通了",
    "辛苦了",
    "对了",
    "全绿",
];

const BLAME: &[&str] = &[
    "abandon",
    "back it out",
    "broke",
    "broken",
    "does not work",
    "doesn't help",
    "doesn't work",
    "did not help",
    "did not work",
    "didn't help",
    "didn't work",
    "drop it",
    "forget it",
    "give up",
    "giving up",
    "leave it",
    "let it go",
    "never mind",
    "nevermind",
    "no luck",
    "not fixed",
    "not working",
    "not solved",
    "park this",
    "park it",
    "revert",
    "roll back",
    "roll it back",
    "same error",
    "same failure",
    "same problem",
    "skip it",
    "still down",
    "still fail",
    "still broken",
    "still crash",
    "still doesn't",
    "still getting",
    "still not",
    "still red",
    "still the same",
    "still wrong",
    "undo",
    "unresolved",
    "won't work",
    "不管了",
    "不行",
    "不起作用",
    "先这样",
    "先放着",
    "失败",
    "报错",
    "放弃",
    "放一放",
    "没好",
    "没有用",
    "没用",
    "没解决",
    "没效果",
    "算了",
    "回滚",
    "撤销",
    "还是不",
    "还是报",
];

const BLAME_MORE: &[&str] = &[
    "还是有问题",
    "还是一样",
    "还没",
    "还在报",
    "依然",
    "仍然",
    "又挂了",
    "挂了",
];

/// What a prompt says about what went before it. Blame counts where both are found.
pub(super) fn verdict(text: &str) -> Verdict {
    let text = text.to_lowercase();
    // The one that holds the other is looked at first.
    let text = text
        .replace("没问题", "好了")
        .replace("no problem", "great");
    if BLAME.iter().chain(BLAME_MORE).any(|cue| has(&text, cue)) {
        return Verdict::Blame;
    }
    match PRAISE.iter().any(|cue| has(&text, cue)) {
        true => Verdict::Praise,
        false => Verdict::None,
    }
}

const CORRECT: &[&str] = &[
    "always use",
    "always run",
    "don't call",
    "don't do",
    "don't run",
    "don't use",
    "do not call",
    "do not run",
    "do not use",
    "from now on",
    "hold on",
    "in this project we",
    "in this repo we",
    "in this project, we",
    "in this repo, we",
    "instead of",
    "it should be",
    "never call",
    "never run",
    "never use",
    "no need to use",
    "no,",
    "no!",
    "no.",
    "no -",
    "no –",
    "no —",
    "nope",
    "not like that",
    "not that",
    "please stop",
    "rather than",
    "should be using",
    "should have run",
    "should have used",
    "stop using",
    "stop,",
    "stop!",
    "stop.",
    "that's not how",
    "that is not how",
    "that's wrong",
    "that is wrong",
    "the right way",
    "use the",
    "wait,",
    "we always",
    "we don't use",
    "we never",
    "we use",
    "wrong command",
    "wrong tool",
    "you should use",
    "you should run",
    "you need to",
    "you must",
    "stop –",
    "stop —",
    "wrong,",
    "not with",
    "wrong.",
    "actually we",
];

const CORRECT_CJK: &[&str] = &[
    "不对",
    "不是这样",
    "不是这么",
    "不要用",
    "不要再",
    "不要直接",
    "不要跑",
    "不用",
    "不能用",
    "不能直接",
    "以后都",
    "以后请",
    "以后要",
    "别再用",
    "别用",
    "别直接",
    "别跑",
    "停",
    "应该先",
    "应该用",
    "应该跑",
    "应该是",
    "应当",
    "得用",
    "改用",
    "改成",
    "换成",
    "用错了",
    "等一下",
    "等等",
    "而不是",
    "记住",
    "这个仓库",
    "这个项目",
    "我们用",
    "我们都用",
    "我们这",
    "错了",
];

/// Whether a prompt says that something is to be done another way.
pub(super) fn corrects(text: &str) -> bool {
    let text = text.to_lowercase();
    CORRECT.iter().any(|cue| has(&text, cue)) || CORRECT_CJK.iter().any(|cue| text.contains(cue))
}

const CONTRAST: &[&str] = &[
    "aren't",
    "avoid",
    "deprecated",
    "don't",
    "except",
    "forget",
    "generated",
    "gone",
    "hold on",
    "instead",
    "isn't",
    "legacy",
    "longer",
    "moved",
    "never",
    "no",
    "nope",
    "not",
    "obsolete",
    "off",
    "old",
    "outdated",
    "overwritten",
    "rather",
    "removed",
    "retired",
    "stop",
    "wait",
    "wasn't",
    "without",
    "won't",
    "wrong",
];

const CONTRAST_CJK: &[&str] = &[
    "不",
    "别",
    "错",
    "废弃",
    "弃用",
    "而",
    "改用",
    "换",
    "过时",
    "老",
    "旧",
    "停",
    "覆盖",
    "自动生成",
    "才对",
    "没有",
    "勿",
    "禁止",
    "统一",
    "取代",
    "代替",
];

/// Whether a prompt sets something against something else. Much does: it counts only where both are named.
pub(super) fn contrasts(text: &str) -> bool {
    let text = text.to_lowercase();
    CONTRAST.iter().any(|cue| has(&text, cue)) || CONTRAST_CJK.iter().any(|cue| text.contains(cue))
}

const STRONG: &[&str] = &[
    "dont run",
    "dont use",
    "don't call",
    "don't run",
    "don't use",
    "do not run",
    "do not use",
    "instead of",
    "is the old way",
    "it should be",
    "never call",
    "never run",
    "never use",
    "not how we",
    "rather than",
    "should be using",
    "should have run",
    "should have used",
    "stop using",
    "the right way",
    "we moved off",
    "wrong command",
    "wrong one",
    "wrong script",
    "wrong tool",
    "you should use",
    "you should have",
];

const STRONG_CJK: &[&str] = &[
    "不是这",
    "不要用",
    "别用",
    "别再用",
    "用错了",
    "应该用",
    "应该是",
    "应该跑",
    "应当用",
    "改用",
    "换成",
    "而不是",
    "才对",
    "命令错",
    "命令不对",
];

/// Whether a prompt can only mean that something is to be done another way.
pub(super) fn is_strong(text: &str) -> bool {
    let text = text.to_lowercase();
    STRONG.iter().any(|cue| has(&text, cue)) || STRONG_CJK.iter().any(|cue| text.contains(cue))
}

const GO_ON: &[&str] = &[
    "after",
    "again",
    "also",
    "and now",
    "as well",
    "next",
    "now",
    "once more",
    "then",
    "too",
    "next up",
    "the same",
];

const GO_ON_CJK: &[&str] = &[
    "再",
    "接着",
    "然后",
    "现在",
    "也",
    "下一步",
    "继续",
    "之后",
    "最后",
];

/// Whether a prompt goes on with what was done before.
pub(super) fn goes_on(text: &str) -> bool {
    let text = text.to_lowercase();
    GO_ON.iter().any(|cue| has(&text, cue)) || GO_ON_CJK.iter().any(|cue| text.contains(cue))
}

const LASTING: &[&str] = &[
    "next time",
    "for the future",
    "going forward",
    "the team",
    "our team",
    "today on",
    "by default",
    "统一",
    "always",
    "every time",
    "each time",
    "from now on",
    "in future",
    "in the future",
    "in this project",
    "in this repo",
    "in this repository",
    "in this codebase",
    "never",
    "our convention",
    "remember",
    "the convention",
    "the rule",
    "this project",
    "this repo",
    "we always",
    "we don't",
    "we never",
    "we only",
    "we use",
    "whenever",
    "around here",
    "for this project",
    "for this repo",
    "here we",
    "一律",
    "下次",
    "以后",
    "务必",
    "必须",
    "总是",
    "我们这",
    "我们都",
    "我们用",
    "每次",
    "永远",
    "记住",
    "规定",
    "这个仓库",
    "这个项目",
    "本项目",
    "本仓库",
];

/// Whether a prompt says that it holds from now on, or in this project.
pub(super) fn lasts(text: &str) -> bool {
    let text = text.to_lowercase();
    LASTING.iter().any(|cue| has(&text, cue))
}

const TAKE_BACK: &[&str] = &[
    "actually, go back",
    "changed my mind",
    "disregard",
    "forget what i said",
    "forget that",
    "go back to",
    "i take that back",
    "i take it back",
    "i was wrong",
    "ignore my",
    "ignore what i said",
    "my bad",
    "my mistake",
    "never mind",
    "nevermind",
    "on second thought",
    "scratch that",
    "switch back",
    "was fine after all",
    "you were right",
    "use the old",
    "keep using",
    "stick with",
    "不用改了",
    "你是对的",
    "刚才说错",
    "别管我刚",
    "当我没说",
    "我说错",
    "我搞错",
    "我记错",
    "收回",
    "算了",
    "还是用",
    "还是原来",
    "改回",
];

/// Whether a prompt takes back what was said before.
pub(super) fn takes_back(text: &str) -> bool {
    let text = text.to_lowercase();
    TAKE_BACK.iter().any(|cue| has(&text, cue))
}

const ORDER: &[&str] = &[
    "after",
    "afterwards",
    "and then",
    "before",
    "first",
    "followed by",
    "only then",
    "order",
    "prerequisite",
    "prior to",
    "requires",
    "then",
    "until",
    "without",
];

const ORDER_CJK: &[&str] = &[
    "先",
    "之前",
    "前要",
    "前必须",
    "再",
    "然后",
    "才",
    "顺序",
    "之后",
    "接着",
    "不然",
    "否则",
];

/// Whether a prompt says in which order things are done. In which one, shows in what was done.
pub(super) fn orders(text: &str) -> bool {
    let text = text.to_lowercase();
    ORDER.iter().any(|cue| has(&text, cue)) || ORDER_CJK.iter().any(|cue| text.contains(cue))
}

/// What a text sets between quotes of any kind.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    const MAX_BYTES: usize = 200;
    let mut found = Vec::new();
    for quote in ['`', '\'', '"'] {
        let mut parts = text.split(quote).skip(1);
        while let (Some(inside), rest) = (parts.next(), parts.next()) {
            if rest.is_some() && (3..=MAX_BYTES).contains(&inside.len()) {
                found.push(inside);
            }
        }
    }
    found
}

/// Words and names in a text, whatever stands around them.
pub(super) fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_./:@-=".contains(c);
    let trim = |word: &'_ str| -> bool { !word.is_empty() };
    text.split(move |c| !is_part(c))
        .map(|word| {
            word.trim_end_matches(['.', ':', '-', '='])
                .trim_start_matches(['=', ':'])
        })
        .filter(move |word| trim(word))
}

/// Whether a cue stands in a text, as words of their own where it is made of letters.
fn has(text: &str, cue: &str) -> bool {
    if !cue.is_ascii() {
        return text.contains(cue);
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(cue).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + cue.len()..)
            .and_then(|after| after.chars().next());
        let starts = !cue.starts_with(is_word) || !before.is_some_and(is_word);
        // `still fail` also stands in `still fails`.
        let ends = !cue.ends_with(is_word)
            || !after.is_some_and(is_word)
            || ["s", "ed", "ing", "es"].iter().any(|ending| {
                text.get(at + cue.len()..)
                    .and_then(|after| after.strip_prefix(ending))
                    .is_some_and(|rest| !rest.starts_with(is_word))
            });
        starts && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn praise_and_blame_are_told_apart() {
        for text in [
            "Perfect, thanks!",
            "好了，谢谢",
            "没问题",
            "works like a charm",
            "LGTM",
            "no problem",
        ] {
            assert_eq!(verdict(text), Verdict::Praise, "{text}");
        }
        for text in [
            "still fails, same error",
            "还是不行",
            "算了，先这样",
            "never mind, thanks",
            "it doesn't work",
        ] {
            assert_eq!(verdict(text), Verdict::Blame, "{text}");
        }
        for text in ["now add a test", "networks are hard", "继续"] {
            assert_eq!(verdict(text), Verdict::None, "{text}");
        }
    }

    #[test]
    fn corrections_are_heard_in_both_languages() {
        for text in [
            "No, use `pnpm build` instead of npm",
            "不对，应该用 make gen",
            "别用 npm，这个仓库用 pnpm",
            "we always run ./x.sh here",
            "Stop, you need to run the migration first",
        ] {
            assert!(corrects(text), "{text}");
        }
        for text in [
            "please add a test",
            "加一个测试",
            "nothing else",
            "snow, ice",
        ] {
            assert!(!corrects(text), "{text}");
        }
        assert!(lasts("在这个仓库里以后都用 pnpm") && !lasts("use the other file"));
        assert!(takes_back("actually, scratch that") && takes_back("算了，还是用 npm"));
    }

    #[test]
    fn an_order_is_heard_in_both_languages() {
        for text in [
            "first run a, then b",
            "先跑 a 再跑 b",
            "you must run a before b",
            "b 之前必须先 a",
        ] {
            assert!(orders(text), "{text}");
        }
        assert!(!orders("fix the parser"));
    }

    #[test]
    fn what_stands_in_quotes_is_found() {
        assert_eq!(
            quoted("not `npm ci` but 'pnpm i', isn't it"),
            ["npm ci", "pnpm i"]
        );
    }

    #[test]
    fn names_are_found_between_other_letters() {
        let words: Vec<_> = ascii_words("不对，用pnpm run gen:api，别用 `npm`.").collect();
        assert_eq!(words, ["pnpm", "run", "gen:api", "npm"]);
    }
}
