//! What a character is to the words around it.

/// What a character does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Letters and digits of scripts with blanks.
    Letter,
    /// Characters of scripts without.
    Glyph,
    /// Accents and what cannot be seen: as if it were not there.
    Mark,
    /// Between two letters it holds them together.
    Joint,
    Other,
}

/// The class of a character.
pub(super) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Letter,
        '_' | '-' | '.' | '/' | '\\' | '\'' | '\u{2019}' | '\u{2010}' | '\u{2011}' => Class::Joint,
        _ if c.is_ascii() => Class::Other,
        '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' => Class::Mark,
        _ if is_glyph(c) => Class::Glyph,
        _ if c.is_alphanumeric() => Class::Letter,
        _ => Class::Other,
    }
}

fn is_glyph(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9D}'
        | '\u{20000}'..='\u{3FFFF}')
        && c.is_alphanumeric()
}
