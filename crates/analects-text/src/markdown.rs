//! What a Markdown text is made of: the parts that are quoted rather than said, headings, list items.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// Byte ranges of a text in which nothing is to be taken at its word, in order, without overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shielded(Vec<Range<usize>>);

impl Shielded {
    /// Whether byte `at` lies in one of the ranges.
    #[must_use]
    pub fn covers(&self, at: usize) -> bool {
        let after = self.0.partition_point(|range| range.start <= at);
        after
            .checked_sub(1)
            .and_then(|i| self.0.get(i))
            .is_some_and(|range| range.contains(&at))
    }
}

/// Code and comments as CommonMark sees them: fences of both kinds, indented code, code spans, HTML
/// comments. Other HTML does not shield: people write rules inside `<details>`.
#[must_use]
pub fn shielded(text: &str) -> Shielded {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => push(&mut ranges, range),
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                for comment in comments(text, range) {
                    push(&mut ranges, comment);
                }
            }
            _ => {}
        }
    }
    Shielded(ranges)
}

/// What a text hangs on: the headings and list items that stand on their own, not inside a quotation or
/// another item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skeleton {
    /// Headings, in order.
    pub headings: Vec<Heading>,
    /// List items, in order; what is nested in one belongs to it.
    pub items: Vec<Range<usize>>,
    /// All blocks, in order.
    pub blocks: Vec<Range<usize>>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1, the highest, to 6.
    pub level: u8,
    /// What it says, without marks.
    pub text: String,
    /// Where it stands, with its marks and its line end.
    pub range: Range<usize>,
}

/// The skeleton of a text as CommonMark sees it.
#[must_use]
pub fn skeleton(text: &str) -> Skeleton {
    let mut skeleton = Skeleton::default();
    let mut depth = 0_usize;
    let mut in_list = false;
    let mut heading: Option<Heading> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                match &tag {
                    Tag::Heading { level, .. } if depth == 0 => {
                        heading = Some(Heading {
                            level: number(*level),
                            text: String::new(),
                            range: range.clone(),
                        });
                    }
                    Tag::List(_) if depth == 0 => in_list = true,
                    Tag::Item if depth == 1 && in_list => skeleton.items.push(range.clone()),
                    _ => {}
                }
                if depth == 0 {
                    skeleton.blocks.push(range);
                }
                depth += 1;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if matches!(end, TagEnd::List(_)) && depth == 0 {
                    in_list = false;
                }
                if matches!(end, TagEnd::Heading(_)) && depth == 0 {
                    skeleton.headings.extend(heading.take());
                }
            }
            Event::Text(said) | Event::Code(said) => {
                if let Some(heading) = &mut heading {
                    heading.text.push_str(&said);
                }
            }
            Event::Rule if depth == 0 => skeleton.blocks.push(range),
            _ => {}
        }
    }
    skeleton
}

fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Code as Gemini CLI sees it: a run of backticks up to the next run of the same length, anywhere.
///
/// The original is the regular expression ``(`+)([\s\S]*?)\1``: where a run of N finds no partner, it is
/// tried again as N−1, and so on, and the partner may be part of a longer run. This is the same in
/// linear time.
#[must_use]
pub fn backtick_regions(text: &str) -> Shielded {
    let runs = backtick_runs(text);
    // longest[i]: length of the longest run from i on.
    let mut longest = vec![0; runs.len() + 1];
    for (i, run) in runs.iter().enumerate().rev() {
        longest[i] = run.len().max(longest[i + 1]);
    }
    let mut ranges = Vec::new();
    let mut i = 0;
    let mut at = 0; // where the expression goes on looking
    while let Some(run) = runs.get(i) {
        let start = run.start.max(at);
        let len = run.end - start;
        // The longest opener that has a partner, later on or within this same run.
        let opener = len.min(longest[i + 1]).max(len / 2);
        if opener == 0 {
            i += 1;
            continue;
        }
        let (partner_i, partner_start) = if 2 * opener <= len {
            (i, start + opener)
        } else {
            let found = (i + 1..runs.len()).find(|&j| runs[j].len() >= opener);
            let j = found.expect("invariant: `longest` promised a run of this length");
            (j, runs[j].start)
        };
        at = partner_start + opener;
        ranges.push(start..at);
        i = if at < runs[partner_i].end {
            partner_i
        } else {
            partner_i + 1
        };
    }
    Shielded(ranges)
}

fn push(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    // A block may contain spans that were already seen; keep the ranges disjoint.
    if ranges.last().is_none_or(|last| last.end <= range.start) {
        ranges.push(range);
    }
}

fn comments(text: &str, html: Range<usize>) -> Vec<Range<usize>> {
    let end = html.end;
    let mut found = Vec::new();
    let mut from = html.start;
    while let Some(open) = find(text, "<!--", from, end) {
        let close = find(text, "-->", open + 4, end).map_or(end, |at| at + 3);
        found.push(open..close);
        from = close;
    }
    found
}

fn find(text: &str, needle: &str, from: usize, to: usize) -> Option<usize> {
    text.get(from..to)?.find(needle).map(|at| from + at)
}

fn backtick_runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The text with every shielded byte shown as `·`.
    fn masked(text: &str, shielded: &Shielded) -> String {
        text.char_indices()
            .map(|(at, c)| if shielded.covers(at) { '·' } else { c })
            .collect()
    }

    #[test]
    fn commonmark_code_of_every_kind_shields() {
        for (text, said) in [
            ("a `b` c", "a  c"),
            ("a\n```\nb\n```\nc", "a\n\nc"),
            ("a\n~~~\nb\n~~~\nc", "a\n\nc"),
            ("a\n\n    b\n\nc", "a\n\n    \nc"),
            ("- a\n\n  ```\n  b\n  ```\n- c", "- a\n\n  \n- c"),
        ] {
            assert_eq!(masked(text, &shielded(text)).replace('·', ""), said);
        }
    }

    #[test]
    fn an_unclosed_fence_shields_to_the_end() {
        assert!(shielded("```\n@x.md\n").covers(5));
    }

    #[test]
    fn comments_shield_and_other_html_does_not() {
        let text = "<details>\nin\n<!-- out -->\nin\n</details>\n\nin <!-- out --> in <b>in</b>\n";
        assert_eq!(
            masked(text, &shielded(text)),
            "<details>\nin\n············\nin\n</details>\n\nin ············ in <b>in</b>\n"
        );
    }

    #[test]
    fn a_comment_over_blank_lines_shields_all_of_them() {
        let text = "<!--\n\nout\n\n-->\n\nin\n";
        let shielded = shielded(text);
        assert!(shielded.covers(6) && !shielded.covers(17));
    }

    #[test]
    fn backticks_pair_up_as_the_regular_expression_does() {
        for (text, expected) in [
            ("a `b` c", "a ··· c"),
            ("``a`b``", "·······"),
            ("don`t @x isn`t @y", "don··········t @y"),
            ("```\na\n```", "·········"),
            ("```\na\n", "··`\na\n"),
            ("````a```", "········"),
            ("a ` b", "a ` b"),
            ("```` x", "···· x"),
        ] {
            assert_eq!(masked(text, &backtick_regions(text)), expected, "{text}");
        }
    }

    /// The regular expression, tried the slow way.
    fn by_backtracking(text: &str) -> Shielded {
        let bytes = text.as_bytes();
        let mut ranges = Vec::new();
        let mut at = 0;
        'next: while at < bytes.len() {
            let run = bytes[at..].iter().take_while(|&&b| b == b'`').count();
            for len in (1..=run).rev() {
                let ticks = "`".repeat(len);
                if let Some(found) = text.get(at + len..).and_then(|rest| rest.find(&ticks)) {
                    let end = at + len + found + len;
                    ranges.push(at..end);
                    at = end;
                    continue 'next;
                }
            }
            at += 1;
        }
        Shielded(ranges)
    }

    proptest! {
        #[test]
        fn the_linear_scan_equals_the_backtracking_one(text in "[`ab\n]{0,60}") {
            prop_assert_eq!(backtick_regions(&text), by_backtracking(&text));
        }

        #[test]
        fn any_text_can_be_scanned(text in "(?s)[`~<>!@ a\n\\-]{0,200}") {
            let regions = shielded(&text);
            prop_assert!(regions.0.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
