//! Splits a text at the tags that an agent wraps around what others wrote.
//!
//! Agents do not escape what they wrap, so a selection may contain the closing tag of its own wrapper, or open another one.
//! What they do keep to: every wrapper has its own opening and closing tag, and wrappers do not nest. So all wrapped
//! text lies between the first opening and the last closing tag, whatever it contains. Text *between* two wrappers counts
//! as outside only if no tag occurs twice and every one is closed before the next opens: wrapped text that breaks out of its
//! wrapper needs a second closing tag of the same name.

use super::{Author, AuthoredText};

/// Attributes of a tag longer than this are not those of a wrapper.
const MAX_TAG_BYTES: usize = 1024;

/// An opening or closing tag of a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tag<'a> {
    name: &'a str,
    author: Author,
    is_closing: bool,
    /// Set for an opening tag that nothing closes.
    is_word: bool,
    start: usize,
    end: usize,
}

/// Returns the spans of `text`, in order and without empty ones. `author_of` names the author of what a tag wraps, or `None`
/// for tags that wrap nothing. `cut_at` is where the middle of the text was left out: tags may have gone with it.
pub(super) fn split<'a>(
    text: &'a str,
    cut_at: Option<usize>,
    author_of: &dyn Fn(&str) -> Option<Author>,
) -> Vec<AuthoredText<'a>> {
    let tags = find_tags(text, author_of, cut_at.is_some());
    let bounds = match (tags.first(), cut_at) {
        (None, _) => Vec::new(),
        // What was never opened wraps nothing.
        (Some(_), None) if tags.iter().all(|tag| tag.is_closing) => Vec::new(),
        (Some(_), None) if is_flat(&tags) => {
            let pairs = tags.chunks_exact(2);
            pairs
                .map(|pair| (pair[0].start, pair[1].end, pair[0].author))
                .collect()
        }
        (Some(first), cut_at) => {
            let last_closing = tags.iter().rev().find(|tag| tag.is_closing);
            let closed = last_closing.map_or(0, |tag| tag.end);
            let is_closed = tags.last().is_some_and(|tag| tag.is_closing);
            let end = if is_closed {
                closed.max(cut_at.unwrap_or(0))
            } else {
                text.len()
            };
            vec![(first.start, end, first.author)]
        }
    };
    let mut spans = Vec::new();
    let mut add = |author, from: usize, to: usize| {
        let span = text.get(from..to).unwrap_or_default();
        if !span.is_empty() {
            spans.push(AuthoredText::new(author, span));
        }
    };
    let mut copied = 0;
    for (start, end, author) in bounds {
        add(Author::User, copied, start);
        add(author, start, end);
        copied = end;
    }
    add(Author::User, copied, text.len());
    spans
}

/// True if opening and closing tags alternate by name and no name occurs twice.
fn is_flat(tags: &[Tag<'_>]) -> bool {
    let pairs = tags.chunks(2);
    let mut seen: Vec<&str> = Vec::new();
    for pair in pairs {
        let [open, close] = pair else {
            return false;
        };
        let is_pair = !open.is_closing && close.is_closing && open.name == close.name;
        // The names of wrappers are few, so this list stays short.
        if !is_pair || seen.contains(&open.name) {
            return false;
        }
        seen.push(open.name);
    }
    true
}

fn find_tags<'a>(
    text: &'a str,
    author_of: &dyn Fn(&str) -> Option<Author>,
    keeps_unclosed: bool,
) -> Vec<Tag<'a>> {
    let starts = text.match_indices('<');
    let found = starts.filter_map(|(start, _)| tag_at(text, start, author_of));
    let mut tags: Vec<Tag<'a>> = found.collect();
    if !keeps_unclosed {
        drop_unclosed(text, &mut tags);
    }
    tags
}

/// Drops opening tags that nothing closes: agents close their wrappers, so these are words of a sentence about tags. One that
/// a text begins with stays, for it may be a wrapper whose end is missing.
fn drop_unclosed(text: &str, tags: &mut Vec<Tag<'_>>) {
    let begins_at = text.len() - text.trim_start().len();
    let mut closed: Vec<&str> = Vec::new();
    for tag in tags.iter_mut().rev() {
        if tag.is_closing {
            // The names of wrappers are few, so this list stays short.
            if !closed.contains(&tag.name) {
                closed.push(tag.name);
            }
        } else if !closed.contains(&tag.name) && tag.start != begins_at {
            tag.is_word = true;
        }
    }
    tags.retain(|tag| !tag.is_word);
}

/// The wrapper's tag at this `<`, if it is one.
fn tag_at<'a>(
    text: &'a str,
    start: usize,
    author_of: &dyn Fn(&str) -> Option<Author>,
) -> Option<Tag<'a>> {
    let after = text.get(start + 1..)?;
    let (is_closing, rest) = match after.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, after),
    };
    let name_len = rest
        .bytes()
        .take(MAX_TAG_BYTES)
        .take_while(is_name_byte)
        .count();
    let mut name = rest.get(..name_len)?;
    let mut author = author_of(name);
    let mut behind = rest.get(name_len..)?;
    // Codex has tags of two words.
    if author.is_none() && behind.starts_with(' ') {
        let more = behind
            .bytes()
            .skip(1)
            .take(MAX_TAG_BYTES)
            .take_while(is_name_byte)
            .count();
        name = rest.get(..name_len + 1 + more)?;
        author = author_of(name);
        behind = rest.get(name.len()..)?;
    }
    let author = author?;
    let window = behind.get(..behind.floor_char_boundary(MAX_TAG_BYTES))?;
    let close = window.find(['>', '<', '\n'])?;
    let attributes = window.get(..close)?;
    let is_ended = window.get(close..)?.starts_with('>');
    let is_spaced = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
    if !is_ended || !is_spaced {
        return None;
    }
    let end = text.len() - behind.len() + close + 1;
    Some(Tag {
        name,
        author,
        is_closing,
        is_word: false,
        start,
        end,
    })
}

fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let author_of = |name: &str| match name {
            "a" | "two words" => Some(Author::Editor),
            "b" => Some(Author::Hook),
            _ => None,
        };
        let spans = split(text, None, &author_of);
        let shown: Vec<_> = spans
            .iter()
            .map(|span| format!("{}:{}", span.author.as_str(), span.text))
            .collect();
        assert_eq!(shown.join("|"), expected, "{text}");
        let whole: String = spans.iter().map(|span| &*span.text).collect();
        assert_eq!(whole, text);
    }

    #[test]
    fn text_outside_of_wrappers_is_the_users() {
        check("", "");
        check("plain <c>text</c>", "user:plain <c>text</c>");
        check(
            "x<a>1</a>y<b>2</b>z",
            "user:x|editor:<a>1</a>|user:y|hook:<b>2</b>|user:z",
        );
        check("<a k=\"v\">1</a> y", "editor:<a k=\"v\">1</a>|user: y");
        check(
            "<two words>1</two words>y",
            "editor:<two words>1</two words>|user:y",
        );
        check(
            "a < b, <ab>, <a-1>, <a\n>",
            "user:a < b, <ab>, <a-1>, <a\n>",
        );
    }

    #[test]
    fn wrapped_text_cannot_break_out() {
        check("<a>1</a>evil</a>mine", "editor:<a>1</a>evil</a>|user:mine");
        check(
            "<a>1</a>evil<a>2</a>mine",
            "editor:<a>1</a>evil<a>2</a>|user:mine",
        );
        check(
            "<a>1</a>evil<b></b></a>mine",
            "editor:<a>1</a>evil<b></b></a>|user:mine",
        );
        check(
            "<a>1</a>T<b></a>evil<b></b>",
            "editor:<a>1</a>T<b></a>evil<b></b>",
        );
    }

    #[test]
    fn an_unclosed_tag_counts_only_where_a_text_begins_with_it() {
        check("<a>1", "editor:<a>1");
        check(" <b>2<a>1", "user: |hook:<b>2<a>1");
        check("x<a>1", "user:x<a>1");
        check("<a>1</a>x<b>2", "editor:<a>1</a>|user:x<b>2");
        check("x</a>y", "user:x</a>y");
    }

    #[test]
    fn a_wrapper_whose_end_was_cut_out_still_wraps() {
        let text = "<a>1</a>evil[cut]mine";
        let author_of = |name: &str| (name == "a").then_some(Author::Editor);
        let spans = split(text, text.find("mine"), &author_of);
        assert_eq!(
            spans[0],
            AuthoredText::new(Author::Editor, "<a>1</a>evil[cut]")
        );
        assert_eq!(spans[1], AuthoredText::new(Author::User, "mine"));
    }
}
