//! Cues in a prompt, by a few words: praise or complaint, a correction, an order of steps.
//!
//! English and Chinese. A cue alone proves nothing: what is learned must have been run afterwards, and must have worked.

/// What a prompt tells about what went before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It went well.
    Praise,
    /// It did not, or it is given up.
    Blame,
    /// A word of blame, which may be about something else.
    Doubt,
    /// Neither.
    None,
}

/// Phrases that mean the same, a line each, in both languages.
struct Cues(&'static str);

static PRAISE: Cues = Cues(include_str!("../../cues/praise.txt"));
static DOUBT: Cues = Cues(include_str!("../../cues/doubt.txt"));
static BUT: Cues = Cues(include_str!("../../cues/but.txt"));
static BLAME: Cues = Cues(include_str!("../../cues/blame.txt"));
static CORRECT: Cues = Cues(include_str!("../../cues/correct.txt"));
static STRONG: Cues = Cues(include_str!("../../cues/strong.txt"));
static CONTRAST: Cues = Cues(include_str!("../../cues/contrast.txt"));
static GO_ON: Cues = Cues(include_str!("../../cues/go_on.txt"));
static LASTING: Cues = Cues(include_str!("../../cues/lasting.txt"));
static TAKE_BACK: Cues = Cues(include_str!("../../cues/take_back.txt"));
static ORDER: Cues = Cues(include_str!("../../cues/order.txt"));

impl Cues {
    /// Whether any of them stands in a text.
    fn are_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.lines().any(|cue| has(&text, cue))
    }
}

/// What a prompt says about what went before it: its first sentence that says anything of it. What follows is mostly the
/// next request, in which anything may be broken.
pub(super) fn verdict(text: &str) -> Verdict {
    // What holds a cue and means the opposite is looked at first.
    let text = text.to_lowercase();
    let text = text
        .replace("没问题", "好了")
        .replace("no problem", "great");
    let mut verdicts = sentences(&text).map(|sentence| match of_sentence(sentence) {
        // Later on it is about what is asked for.
        Verdict::Doubt if !text.starts_with(sentence) => Verdict::None,
        verdict => verdict,
    });
    let said = verdicts.find(|verdict| *verdict != Verdict::None);
    said.unwrap_or(Verdict::None)
}

/// What one sentence says. Blame counts where both are found, but for a single word behind the praise.
fn of_sentence(text: &str) -> Verdict {
    if BLAME.are_in(text) {
        return Verdict::Blame;
    }
    match (PRAISE.are_in(text), DOUBT.are_in(text)) {
        (true, true) if BUT.are_in(text) => Verdict::Blame,
        (true, _) => Verdict::Praise,
        (false, true) => Verdict::Doubt,
        (false, false) => Verdict::None,
    }
}

/// The sentences of a text. A full stop inside of a name ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let ends = |(at, c): &(usize, char)| {
            let after = rest.get(at + c.len_utf8()..).unwrap_or_default();
            let is_stop =
                matches!(c, '.' | '!' | '?' | ';') && after.starts_with(char::is_whitespace);
            is_stop || matches!(c, '\n' | '。' | '！' | '？' | '；')
        };
        let end = rest.char_indices().find(ends);
        let end = end.map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (sentence, others) = rest.split_at_checked(end)?;
        rest = others;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Whether a prompt says that something is to be done another way.
pub(super) fn corrects(text: &str) -> bool {
    CORRECT.are_in(text)
}

/// Whether a prompt sets something against something else. Much does: it counts only where both are named.
pub(super) fn contrasts(text: &str) -> bool {
    CONTRAST.are_in(text)
}

/// Whether a prompt can only mean that something is to be done another way.
pub(super) fn is_strong(text: &str) -> bool {
    STRONG.are_in(text)
}

/// Whether a prompt goes on with what was done before.
pub(super) fn goes_on(text: &str) -> bool {
    GO_ON.are_in(text)
}

/// Whether a prompt says that it holds from now on, or in this project.
pub(super) fn lasts(text: &str) -> bool {
    LASTING.are_in(text)
}

/// Whether a prompt takes back what was said before.
pub(super) fn takes_back(text: &str) -> bool {
    TAKE_BACK.are_in(text)
}

/// Whether a prompt says in which order things are done. In which one, shows in what was done.
pub(super) fn orders(text: &str) -> bool {
    ORDER.are_in(text)
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
                .trim_start_matches('=')
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
        for text in [
            "now add a test",
            "networks are hard",
            "继续",
            "Explain a.rs. Then fix the broken link",
        ] {
            assert_eq!(verdict(text), Verdict::None, "{text}");
        }
    }

    #[test]
    fn a_word_in_the_next_request_is_no_blame() {
        for text in [
            "Thanks, that works. Next: fix the broken link",
            "Great! The old script still fails on mac, look into it",
            "perfect, now the wrong colour in the footer",
        ] {
            assert_eq!(verdict(text), Verdict::Praise, "{text}");
        }
        for text in ["Fix the broken link", "the header is wrong"] {
            assert_eq!(verdict(text), Verdict::Doubt, "{text}");
        }
        for text in [
            "Thanks, but that is wrong",
            "Hmm. It still fails",
            "thanks, still broken",
        ] {
            assert_eq!(verdict(text), Verdict::Blame, "{text}");
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
