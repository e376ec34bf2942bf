//! Sentences that name something without claiming that it exists.

/// Words of sentences about what is to come, what was, what may be, and what must not be.
const SIGNS: [&str; 55] = [
    "document in",
    "e.g",
    "example",
    "such as",
    " like ",
    "create",
    "creating",
    "generate",
    "new ",
    "will be",
    "will add",
    "'ll add",
    "will write",
    "will have",
    "planned",
    "todo",
    "would",
    "should be",
    "if it exists",
    "if exists",
    "if present",
    "if any",
    "optional",
    "may exist",
    "might",
    "removed",
    "deleted",
    "legacy",
    "formerly",
    "used to",
    "no longer",
    "renamed",
    "moved",
    "instead of",
    "deprecated",
    "don't",
    "do not",
    "never",
    "not ",
    "avoid",
    "without",
    "output",
    "writes",
    "written",
    "produce",
    "save",
    "ignored",
    "local",
    "template",
    "placeholder",
    "→",
    "add a",
    " repo ",
    "upstream",
    "hypothetical",
];

/// The same in Chinese.
const CHINESE_SIGNS: [&str; 14] = [
    "例如",
    "比如",
    "创建",
    "新建",
    "新增",
    "生成",
    "不要",
    "禁止",
    "已删除",
    "已移除",
    "不再",
    "如果存在",
    "可选",
    "输出",
];

/// Whether the sentence around byte `at` leaves open if what it names exists.
pub(super) fn is_supposed(text: &str, at: usize) -> bool {
    let sentence = sentence(text, at).to_lowercase().replace(['\n', '\r'], " ");
    let words = sentence.trim_start_matches(['-', '*', '+', ' ']);
    let mut signs = SIGNS.iter().chain(&CHINESE_SIGNS);
    words.starts_with("no ") || signs.any(|sign| sentence.contains(sign))
}

/// Longer than any sentence: further away nothing is looked at.
const MAX_BYTES: usize = 600;

/// The sentence around byte `at`: within its paragraph or item, up to the nearest full stops.
fn sentence(text: &str, at: usize) -> &str {
    let from = text.floor_char_boundary(at.saturating_sub(MAX_BYTES));
    let to = text.ceil_char_boundary((at + MAX_BYTES).min(text.len()));
    let around = text.get(from..to).unwrap_or_default();
    let (start, end) = part(around, at - from);
    let before = around.get(start..at - from).unwrap_or_default();
    let after = around.get(at - from..end).unwrap_or_default();
    let start = stops(before).last().map_or(start, |stop| start + stop);
    let end = stops(after).next().map_or(end, |stop| at - from + stop);
    around.get(start..end).unwrap_or_default()
}

/// The ends of sentences in `text`. The stop of an abbreviation is none.
fn stops(text: &str) -> impl Iterator<Item = usize> {
    let is_short = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        ["e.g", "i.e", "etc", "vs", "cf"]
            .iter()
            .any(|short| before.ends_with(short))
    };
    let latin = text
        .match_indices(". ")
        .filter(move |(at, _)| !is_short(*at));
    let wide = text.match_indices('。');
    let mut ends: Vec<_> = latin
        .chain(wide)
        .map(|(at, stop)| at + stop.len())
        .collect();
    ends.sort_unstable();
    ends.into_iter()
}

/// The item or paragraph around byte `at`.
fn part(text: &str, at: usize) -> (usize, usize) {
    let (mut start, mut line_start) = (0, 0);
    for line in text.split_inclusive('\n') {
        let line_end = line_start + line.len();
        if line_start > at && begins_anew(line) {
            return (start, line_start);
        }
        if line_start <= at && begins_anew(line) {
            let is_blank = line.trim().is_empty();
            start = if is_blank { line_end } else { line_start };
        }
        line_start = line_end;
    }
    (start.min(at), text.len())
}

fn begins_anew(line: &str) -> bool {
    let line = line.trim_start();
    let is_numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.len() && rest.starts_with(". ")
    };
    let is_fence = line.starts_with("```") || line.starts_with("~~~");
    line.is_empty() || line.starts_with(['-', '*', '+', '|', '#', '>']) || is_fence || is_numbered()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &str) -> &str {
        sentence(text, text.find('@').unwrap())
    }

    #[test]
    fn a_sentence_ends_at_a_full_stop_an_item_or_a_blank_line() {
        assert_eq!(around("One. Two @ three. Four."), "Two @ three. ");
        assert_eq!(around("a (e.g. `x`, @) b. C"), "a (e.g. `x`, @) b. ");
        assert_eq!(around("- a\n- b @\n  c\n- d"), "- b @\n  c\n");
        assert_eq!(around("a\n\nb\n@ c\n\nd"), "b\n@ c\n");
        assert_eq!(around("| a |\n| @ |\n| c |"), "| @ |\n");
        assert_eq!(around("一。二 @ 三。四"), "二 @ 三。");
        assert_eq!(around("- a @\n```\nnever\n```"), "- a @\n");
        assert_eq!(around("@"), "@");
    }

    #[test]
    fn what_is_to_come_or_was_is_not_claimed() {
        for text in [
            "Add a new\nfile @ there",
            "Do not touch @",
            "@ was removed",
            "- No rules in @",
            "例如 @",
            "We will add @",
        ] {
            assert!(is_supposed(text, text.find('@').unwrap()), "{text}");
        }
        assert!(!is_supposed("CI will run @", 12));
        assert!(!is_supposed("New things. See @.", 16));
    }
}
