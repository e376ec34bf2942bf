//! Headlines: one line that says what the user wanted, by rules.
//!
//! [`headline`] makes it from the first prompts alone, by rules: without a model, the same each time. If a
//! model is asked, [`question`](question::question) is what it is asked, and [`clean`] makes its sentence fit to be
//! shown.

pub mod question;
mod sentence;
mod words;

use analects_text::sanitize::is_invisible;

use crate::scratchpad::collapsed;

/// A headline is no longer than this.
pub const MAX_CHARS: usize = 80;

/// Whoever has not said what he wants by then will not be understood.
const MAX_PROMPTS: usize = 5;
/// Only the beginning of a prompt is looked at; the rest is often pasted.
const MAX_PROMPT_BYTES: usize = 4096;
/// How many sentences of a prompt may stand before what is wanted.
const MAX_SENTENCES: usize = 8;

/// What the user wanted, from his first prompts. `None` if they say nothing.
#[must_use]
pub fn headline<'a>(prompts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut vague = None;
    for prompt in prompts.into_iter().take(MAX_PROMPTS) {
        let start = analects_text::truncate::head_bytes(prompt, MAX_PROMPT_BYTES);
        let sentences = sentence::sentences(start);
        let wants: Vec<_> = sentences
            .iter()
            .take(MAX_SENTENCES)
            .map(|sentence| words::without_manners(sentence))
            .filter(|want| !want.is_empty())
            .collect();
        let told = wants.iter().filter(|want| !words::is_vague(want));
        let asked = told.clone().find(|want| words::is_request(want));
        if let Some(want) = asked.or_else(|| told.clone().next()) {
            return Some(shown(want));
        }
        vague = vague.or_else(|| wants.first().map(|want| shown(want)));
    }
    vague
}

/// More of what a model says is not looked at.
const MAX_ANSWER_BYTES: usize = 4096;

/// A model's sentence, fit to be shown: one line, no quotes around it, no label before it, not too long.
/// `None` if nothing is left.
#[must_use]
pub fn clean(answer: &str) -> Option<String> {
    let answer = analects_text::truncate::head_bytes(answer, MAX_ANSWER_BYTES);
    let visible = visible(answer);
    let line = collapsed(&visible.replace("**", "").replace('`', ""));
    let mut said = line.as_str();
    for label in [
        "summary:",
        "title:",
        "headline:",
        "摘要：",
        "标题：",
        "总结：",
    ] {
        let start = said.get(..label.len()).unwrap_or_default();
        if start.eq_ignore_ascii_case(label) {
            said = said.get(label.len()..).unwrap_or_default();
        }
    }
    let is_quote = |c: char| {
        matches!(
            c,
            '"' | '\'' | '“' | '”' | '‘' | '’' | '「' | '」' | '《' | '》'
        )
    };
    let is_end = |c: char| matches!(c, '.' | '。') || c.is_whitespace();
    let said = said.trim().trim_end_matches(is_end);
    let said = said.trim_matches(is_quote).trim().trim_end_matches(is_end);
    (!said.is_empty()).then(|| cut(said))
}

/// A want as a headline: it begins like a sentence and does not end like one.
fn shown(want: &str) -> String {
    let want = want.trim_end_matches(['.', '。', ':', '：', ',', '，', ';', '；', '!', '！', ' ']);
    let mut chars = want.chars();
    // Only words we know: what else a sentence begins with may be a name that is written small.
    let capital = chars.next().filter(|_| words::is_request(want));
    let line = match capital {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => want.to_owned(),
    };
    cut(&line)
}

/// Cuts a line that is too long: after a clause if one ends late enough, else after a word.
fn cut(line: &str) -> String {
    if line.chars().count() <= MAX_CHARS {
        return line.to_owned();
    }
    let head: String = line.chars().take(MAX_CHARS - 1).collect();
    let late = head
        .char_indices()
        .nth(MAX_CHARS / 2)
        .map_or(0, |(at, _)| at);
    let clause = head.rfind(['，', '；', '。', '、']).or_else(|| {
        [", ", "; ", " - ", " – ", ": "]
            .iter()
            .filter_map(|end| head.rfind(end))
            .max()
    });
    let end = clause
        .filter(|&at| at >= late)
        .or_else(|| head.rfind(' ').filter(|&at| at >= late));
    let kept = end.and_then(|end| head.get(..end)).unwrap_or(&head);
    format!("{}…", kept.trim_end())
}

/// A text without what nobody sees; whatever begins a new line anywhere is a line end.
fn visible(text: &str) -> String {
    let seen = text.chars().filter_map(|c| match c {
        '\u{85}' | '\u{b}' | '\u{c}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        c => (!is_invisible(c)).then_some(c),
    });
    seen.collect()
}

#[cfg(test)]
mod tests;
