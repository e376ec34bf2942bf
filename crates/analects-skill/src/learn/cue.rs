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

const LASTING: &[&str] = &[
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

/// Which of two things that a prompt names comes first, if it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As they are named: `first a, then b`.
    AsNamed,
    /// The other way round: `before b, run a`.
    Reversed,
}

const AS_NAMED: &[&str] = &[
    " and only then ",
    " before ",
    " first, then ",
    " first and then ",
    " first then ",
    "after that",
    "followed by",
    "and then",
    "then run",
    ", then",
    " then ",
    " prior to ",
    "之后再",
    "再",
    "然后",
    "才能",
    "之后才",
    "接着",
    "最后",
    "随后",
];

const REVERSED: &[&str] = &[
    "before you ",
    "before running",
    "before the ",
    "before any ",
    "before each ",
    "before every ",
    "only after",
    "after you",
    "之前先",
    "之前要",
    "前先",
    "之前必须",
];

const FIRST: &[&str] = &[
    " first",
    "before anything",
    "prerequisite",
    "must run",
    "need to run",
    "needs to run",
    "have to run",
    "has to run",
    "requires",
    "先",
    "首先",
    "之前",
    "必须",
    "得先",
    "要先",
    "前要",
];

/// What order a prompt asks for.
pub(super) fn order(text: &str) -> Option<Order> {
    let text = format!(" {} ", text.to_lowercase());
    let first = |cues: &[&str]| cues.iter().filter_map(|cue| text.find(cue)).min();
    // `Before you b, run a` names them the other way round; `a before b` does not.
    let starts_reversed = first(REVERSED).is_some_and(|at| {
        let start = text.get(..at).unwrap_or_default();
        !start.contains('`') && ascii_words(start).filter(|word| word.len() > 3).count() <= 6
    });
    if starts_reversed {
        return Some(Order::Reversed);
    }
    let is_ordered = first(FIRST).is_some() || text.contains("must") || text.contains("step");
    (is_ordered && first(AS_NAMED).is_some() || text.contains(" before ")).then_some(Order::AsNamed)
}

/// Whether a prompt says that something must come first, without saying before what.
pub(super) fn comes_first(text: &str) -> bool {
    let text = format!(" {} ", text.to_lowercase());
    FIRST.iter().any(|cue| text.contains(cue))
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
    fn the_order_is_the_one_that_is_meant() {
        assert_eq!(order("first run a, then b"), Some(Order::AsNamed));
        assert_eq!(order("先跑 a 再跑 b"), Some(Order::AsNamed));
        assert_eq!(order("you must run a before b"), Some(Order::AsNamed));
        assert_eq!(
            order("Before you deploy with b, run a"),
            Some(Order::Reversed)
        );
        assert_eq!(order("fix the parser"), None);
    }

    #[test]
    fn names_are_found_between_other_letters() {
        let words: Vec<_> = ascii_words("不对，用pnpm run gen:api，别用 `npm`.").collect();
        assert_eq!(words, ["pnpm", "run", "gen:api", "npm"]);
    }
}
