//! Hidden characters: those that a model reads and a person does not see.
//!
//! Many invisible characters do honest work: they join emoji, shape Arabic and Indic letters, break lines
//! in Thai, choose a variant of an ideograph. Those stay. What is left hides a word from a search, turns
//! the order of a line around, or carries a second text.

use std::borrow::Cow;

/// Where a hidden character stands, and which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hidden {
    /// Its first byte.
    pub at: usize,
    /// The character.
    pub c: char,
}

/// All characters of `text` that hide without need, in order.
///
/// Removing exactly these leaves a text without any: each one is judged by what stays before it and by
/// the visible character after it.
#[must_use]
pub fn find(text: &str) -> Vec<Hidden> {
    if text.is_ascii() && !text.bytes().any(is_odd_ascii) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        find_in_line(line, at, &mut found);
        at += line.len();
    }
    found
}

/// `text` without its hidden characters.
#[must_use]
pub fn without(text: &str) -> Cow<'_, str> {
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for hidden in found {
        clean.push_str(text.get(from..hidden.at).unwrap_or_default());
        from = hidden.at + hidden.c.len_utf8();
    }
    clean.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(clean)
}

/// What the tag characters among `hidden` say: a whole text can be written with them unseen.
#[must_use]
pub fn message(hidden: &[Hidden]) -> String {
    let ascii = |hidden: &Hidden| {
        let code = u32::from(hidden.c).checked_sub(0xE0000)?;
        char::from_u32(code).filter(|c| (' '..='~').contains(c))
    };
    hidden.iter().filter_map(ascii).collect()
}

fn is_odd_ascii(byte: u8) -> bool {
    byte == 0x7F || (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C))
}

fn find_in_line(line: &str, start: usize, found: &mut Vec<Hidden>) {
    let writes_backwards = line.chars().any(is_right_to_left);
    // The character before, as it will be once the hidden ones are gone.
    let mut before = None;
    let mut flag_tags = 0;
    for (at, c) in line.char_indices() {
        if flag_tags > 0 {
            flag_tags -= 1;
            continue;
        }
        let rest = line.get(at + c.len_utf8()..).unwrap_or_default();
        if c == '\u{1F3F4}' {
            flag_tags = n_flag_tags(rest);
        }
        let place = Place {
            before,
            after: rest.chars().next(),
            writes_backwards,
        };
        if place.needs(c) {
            before = Some(c);
        } else {
            found.push(Hidden { at: start + at, c });
        }
    }
}

/// What surrounds a character.
struct Place {
    before: Option<char>,
    after: Option<char>,
    /// Whether the line holds letters that are written from right to left.
    writes_backwards: bool,
}

impl Place {
    /// Whether `c` may stand here: because it can be seen, or because something needs it.
    fn needs(&self, c: char) -> bool {
        let Self { before, after, .. } = *self;
        match c {
            '\t' | '\n' | '\r' | '\u{0C}' => true,
            // These reorder what follows by force; no script needs them.
            '\u{202D}' | '\u{202E}' => false,
            '\u{61C}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202C}'
            | '\u{2066}'..='\u{2069}' => self.writes_backwards,
            '\u{200B}' => before.is_some_and(breaks_within) || after.is_some_and(breaks_within),
            '\u{200C}' => before.is_some_and(is_shaped),
            '\u{200D}' => {
                before.is_some_and(is_shaped)
                    || (before.is_some_and(ends_emoji) && after.is_some_and(is_pictograph))
            }
            '\u{FE00}'..='\u{FE0F}' => before.is_some_and(has_variants),
            '\u{E0100}'..='\u{E01EF}' => before.is_some_and(is_ideograph),
            '\u{180B}'..='\u{180F}' => {
                before.is_some_and(|c| ('\u{1800}'..='\u{18AF}').contains(&c))
            }
            // Fillers stand for a missing part of a Hangul syllable.
            '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => {
                before.is_some_and(is_hangul) || after.is_some_and(is_hangul)
            }
            _ => !is_hidden(c),
        }
    }
}

/// Invisible characters that never stand for anything in plain text.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{34F}' | '\u{17B4}' | '\u{17B5}' | '\u{2060}'..='\u{2065}'
            | '\u{206A}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E00FF}'
            | '\u{E01F0}'..='\u{E0FFF}')
}

/// How many tag characters behind a black flag make it the flag of a region; none if they are anything
/// else. Regions have short names, so no text fits in.
fn n_flag_tags(rest: &str) -> usize {
    let is_letter = |c: &char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let n_letters = rest.chars().take(7).take_while(is_letter).count();
    let is_closed = rest.chars().nth(n_letters) == Some('\u{E007F}');
    if is_closed && (3..=6).contains(&n_letters) {
        n_letters + 1
    } else {
        0
    }
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{60F}' | '\u{61D}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Scripts that are written without blanks, in which a zero-width space shows where a line may end.
fn breaks_within(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17B3}'
        | '\u{17B6}'..='\u{17FF}' | '\u{1950}'..='\u{19FF}' | '\u{A980}'..='\u{A9DF}'
        | '\u{AA60}'..='\u{AA7F}' | '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{A4CF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFD}')
}

/// Scripts whose letters change shape with their neighbours, which joiners decide.
fn is_shaped(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{F00}'..='\u{109F}'
        | '\u{1780}'..='\u{17B3}' | '\u{17B6}'..='\u{180A}' | '\u{1810}'..='\u{18AF}'
        | '\u{1B00}'..='\u{1BFF}' | '\u{A840}'..='\u{A87F}' | '\u{A980}'..='\u{A9DF}'
        | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10A00}'..='\u{10FFF}'
        | '\u{11000}'..='\u{11FFF}' | '\u{1E900}'..='\u{1E95F}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{1F000}'..='\u{1FAFF}')
}

/// What an emoji can end with before another one is joined to it.
fn ends_emoji(c: char) -> bool {
    is_pictograph(c) || c == '\u{FE0F}'
}

/// What has another look than its own: symbols, digits of keycaps, ideographs, letters of some scripts.
fn has_variants(c: char) -> bool {
    is_pictograph(c)
        || is_ideograph(c)
        || is_shaped(c)
        || matches!(c, '0'..='9' | '#' | '*' | '\u{3001}'..='\u{303F}' | '\u{FF01}'..='\u{FF1F}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{2FDF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115E}' | '\u{1161}'..='\u{11FF}' | '\u{3131}'..='\u{3163}'
        | '\u{3165}'..='\u{318E}' | '\u{AC00}'..='\u{D7FF}' | '\u{FFA1}'..='\u{FFDC}')
}

#[cfg(test)]
mod tests;
