//! Translates JavaScript's regular expressions into the syntax of the `regex` crates.
//!
//! Only what both know is let through; what looks the same and is not would make a rule fit other calls than it says.

use std::iter::Peekable;
use std::str::Chars;

/// The same expression for our engine, or why there is none.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut chars = pattern.chars().peekable();
    let mut ours = String::with_capacity(pattern.len() + 8);
    let mut place = Place::Outside;
    while let Some(c) = chars.next() {
        match (place, c) {
            (_, '\\') => escape(&mut chars, &mut ours)?,
            (Place::Outside, '[') => {
                ours.push('[');
                if chars.next_if_eq(&'^').is_some() {
                    ours.push('^');
                }
                // In JavaScript these are the empty class and its opposite; ours takes `]` for a member.
                if chars.peek() == Some(&']') {
                    return Err("an empty class".to_owned());
                }
                place = Place::Class;
            }
            (Place::Outside, '{') if !is_quantifier(&chars) => ours.push_str("\\{"),
            (Place::Outside, _) => ours.push(c),
            (Place::Class, ']') => {
                ours.push(']');
                place = Place::Outside;
            }
            // Ours nests, cuts and joins classes; JavaScript does not.
            (Place::Class, '[' | '&' | '~') => ours.extend(['\\', c]),
            (Place::Class, '-') if chars.peek() == Some(&'-') => {
                return Err("`--` in a class".to_owned());
            }
            (Place::Class, _) => ours.push(c),
        }
    }
    Ok(ours)
}

#[derive(Clone, Copy)]
enum Place {
    Outside,
    Class,
}

fn escape(chars: &mut Peekable<Chars<'_>>, ours: &mut String) -> Result<(), String> {
    let c = chars.next().ok_or("a backslash at the end")?;
    match c {
        '0' if !chars.peek().is_some_and(char::is_ascii_digit) => ours.push_str("\\x00"),
        // Word boundaries with us, letters there.
        '<' | '>' => ours.push(c),
        'A' | 'z' | 'a' | 'Z' | 'G' | 'Q' | 'E' | 'U' => {
            return Err(format!(
                "`\\{c}` means different things in different languages"
            ));
        }
        _ => ours.extend(['\\', c]),
    }
    Ok(())
}

/// Whether what follows a brace makes it a quantifier: `{2}`, `{2,}`, `{2,3}`.
fn is_quantifier(after: &Peekable<Chars<'_>>) -> bool {
    let mut rest = after.clone();
    let mut n_digits = 0;
    while rest.next_if(char::is_ascii_digit).is_some() {
        n_digits += 1;
    }
    if n_digits == 0 {
        return false;
    }
    if rest.next_if_eq(&',').is_some() {
        while rest.next_if(char::is_ascii_digit).is_some() {}
    }
    rest.next() == Some('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_said_in_our_words() {
        for (theirs, ours) in [
            (
                r#"\0"file_path":"[^"]+"\0"#,
                r#"\x00"file_path":"[^"]+"\x00"#,
            ),
            (r"^{\s*}", r"^\{\s*}"),
            (r"a{2}b{2,}c{2,3}d{,3}e{", r"a{2}b{2,}c{2,3}d\{,3}e\{"),
            (r"[[:alpha:]]", r"[\[:alpha:]]"),
            (r"[a&&b~~c]", r"[a\&\&b\~\~c]"),
            (r"[\\/]+\.gemini", r"[\\/]+\.gemini"),
            (r"\<a\>", "<a>"),
        ] {
            assert_eq!(translate(theirs).unwrap(), ours);
        }
        for bad in ["[]", "[^]", r"[+--]", r"a\", r"\Aa\z"] {
            assert!(translate(bad).is_err(), "{bad}");
        }
    }
}
