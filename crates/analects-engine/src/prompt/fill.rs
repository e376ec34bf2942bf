//! Fills in placeholders, in one pass: what a value contains is not looked at again.

/// `text` with every `<open>name}` replaced for which `value` knows something; others stay as written.
pub(crate) fn fill(text: &str, open: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        filled.push_str(before);
        let known = name(after).and_then(|(name, behind)| Some((value(name)?, behind)));
        rest = if let Some((value, behind)) = known {
            filled.push_str(&value);
            behind
        } else {
            filled.push_str(open);
            after
        };
    }
    filled + rest
}

/// The name that `text` begins with, and what follows its brace. Looks no further than a name goes, so
/// that a text full of openings takes no longer than any other.
fn name(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let end = text.find(|c| !is_part(c))?;
    let (name, behind) = text.split_at_checked(end)?;
    Some((name, behind.strip_prefix('}')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_replaced_once_and_others_stay() {
        let value = |name: &str| match name {
            "a" => Some("${b}".to_owned()),
            "b" => Some("2".to_owned()),
            "none" => Some(String::new()),
            _ => None,
        };
        for (text, expected) in [
            ("x${a}y${b}", "x${b}y2"),
            ("${none}|${c}|${|${}|$a|{a}", "|${c}|${|${}|$a|{a}"),
            ("${${b}}${b", "${2}${b"),
            ("文${b}字", "文2字"),
        ] {
            assert_eq!(fill(text, "${", value), expected, "{text}");
        }
    }

    #[test]
    fn a_text_full_of_openings_ends_soon() {
        let text = "${".repeat(1 << 20);
        assert_eq!(fill(&text, "${", |_| None), text);
    }
}
