//! Finds the import tokens of a text.

use analects_text::markdown;
use analects_world::Profile;

/// An `@path` that asks for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Where the `@` stands.
    pub(super) at: usize,
    /// The path as written, without the `@`.
    pub(super) written: &'a str,
}

impl Token<'_> {
    /// The byte after the token.
    pub(super) fn end(&self) -> usize {
        self.at + 1 + self.written.len()
    }

    /// Whether this is the address of something that is not a file here.
    pub(super) fn is_url(&self) -> bool {
        ["file://", "http://", "https://"]
            .iter()
            .any(|scheme| self.written.starts_with(scheme))
    }

    /// The path meant: `\ ` stands for a blank, except in the original.
    pub(super) fn path(&self, profile: Profile) -> String {
        match profile {
            Profile::Head => self.written.to_owned(),
            Profile::Analects | Profile::Seed => self.written.replace("\\ ", " "),
        }
    }
}

/// Kinds of files that hold text for a prompt.
const KINDS: [&str; 4] = ["md", "markdown", "mdc", "txt"];

/// The tokens of `text` that ask for a file, in order.
///
/// `Head`: anything after an `@` that starts like a path, outside backticks. `Seed`: the same, of the
/// kind `.md`. `Analects`: path-shaped, of a known kind, and not quoted in CommonMark's eyes; punctuation
/// after the path belongs to the sentence.
pub(super) fn tokens(text: &str, profile: Profile) -> Vec<Token<'_>> {
    let mut found = shaped(text, profile);
    if found.is_empty() {
        // Most files import nothing: spare them the parse.
        return found;
    }
    let shielded = match profile {
        Profile::Analects => markdown::shielded(text),
        Profile::Seed | Profile::Head => markdown::backtick_regions(text),
    };
    found.retain(|token| !shielded.covers(token.at));
    found
}

/// What looks like a token, quoted or not.
pub(super) fn shaped(text: &str, profile: Profile) -> Vec<Token<'_>> {
    let mut found = runs(text, profile);
    match profile {
        Profile::Head => {}
        Profile::Seed => found.retain(|token| is_kind(token.written, &["md"])),
        Profile::Analects => {
            for token in &mut found {
                token.written = without_punctuation(token.written);
            }
            found.retain(|token| is_kind(token.written, &KINDS) && !token.written.contains("://"));
        }
    }
    found
}

/// Every `@` after a blank or at the start, with the run of non-blanks behind it that starts like a path.
fn runs(text: &str, profile: Profile) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text
        .get(from..)
        .and_then(|rest| rest.find('@'))
        .map(|at| from + at)
    {
        let is_bound = at
            .checked_sub(1)
            .and_then(|i| bytes.get(i))
            .is_none_or(|&b| is_blank(b));
        if !is_bound {
            from = at + 1;
            continue;
        }
        let end = run_end(bytes, at + 1, profile);
        let written = text.get(at + 1..end).unwrap_or_default();
        if written.starts_with(|c| starts_a_path(c, profile)) {
            found.push(Token { at, written });
        }
        from = end + 1;
    }
    found
}

fn run_end(bytes: &[u8], start: usize, profile: Profile) -> usize {
    let mut end = start;
    while let Some(&byte) = bytes.get(end) {
        let is_escaped = profile == Profile::Analects
            && byte == b' '
            && end > start
            && bytes.get(end - 1) == Some(&b'\\');
        if is_blank(byte) && !is_escaped {
            break;
        }
        end += 1;
    }
    end
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn starts_a_path(c: char, profile: Profile) -> bool {
    match c {
        '.' | '/' => true,
        _ if profile == Profile::Analects => c.is_alphabetic(),
        _ => c.is_ascii_alphabetic(),
    }
}

/// Drops what closes a sentence or a bracket rather than a file name.
fn without_punctuation(written: &str) -> &str {
    written.trim_end_matches([
        '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', '\'', '*', '_', '。', '，', '、',
        '；', '：', '！', '？', '）', '】', '」', '』', '》', '”', '’',
    ])
}

fn is_kind(written: &str, kinds: &[&str]) -> bool {
    let name = written.rsplit('/').next().unwrap_or_default();
    let Some((stem, kind)) = name.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty() && kinds.iter().any(|known| known.eq_ignore_ascii_case(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(profile: Profile, text: &str, expected: &[&str]) {
        let written: Vec<_> = tokens(text, profile)
            .iter()
            .map(|token| token.written)
            .collect();
        assert_eq!(written, expected, "{text}");
    }

    #[test]
    fn a_token_is_path_shaped_and_of_a_known_kind() {
        let analects = |text, expected| check(Profile::Analects, text, expected);
        analects(
            "@b.md @./c.TXT @/d.mdc @../e.markdown",
            &["b.md", "./c.TXT", "/d.mdc", "../e.markdown"],
        );
        analects("@文档/规则.md", &["文档/规则.md"]);
        analects(
            "@Override @scope/pkg @types/node @x.ts @1.md @-x.md @~/x.md @ @.md @./.md",
            &[],
        );
        analects("mail@host.md (@b.md) \"@b.md\" \u{A0}@b.md", &[]);
        analects("@https://x/y.md @file:///y.md", &[]);
    }

    #[test]
    fn punctuation_belongs_to_the_sentence() {
        check(
            Profile::Analects,
            "see @a.md, @b.md. @c.md) 见 @d.md。 **@e.md**",
            &["a.md", "b.md", "c.md", "d.md"],
        );
    }

    #[test]
    fn a_blank_can_be_escaped() {
        let found = tokens("@my\\ notes/a.md x", Profile::Analects);
        assert_eq!(found[0].path(Profile::Analects), "my notes/a.md");
        assert_eq!(found[0].end(), 15);
        check(Profile::Head, "@my\\ notes.md", &["my\\"]);
    }

    #[test]
    fn quoted_tokens_stay_text() {
        let text = "`@a.md`\n\n~~~\n@b.md\n~~~\n\n    @c.md\n\n<!-- @d.md -->\n\n@e.md\n";
        check(Profile::Analects, text, &["e.md"]);
        check(Profile::Head, text, &["b.md", "c.md", "d.md", "e.md"]);
    }

    #[test]
    fn the_original_takes_almost_anything() {
        check(
            Profile::Head,
            "@Override @b.md, @. @123 @_y x@b.md",
            &["Override", "b.md,", "."],
        );
        check(Profile::Seed, "@Override @b.md, @c.md", &["c.md"]);
    }
}
