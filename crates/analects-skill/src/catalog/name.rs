//! Names that can do no harm, whatever a file says.

use crate::skill;

/// A name made safe: no way out of a directory, no tag, no line of its own, no end of a word. `None` if nothing is left.
///
/// A name of the standard stays as it is. Others keep their letters, in whichever script.
#[must_use]
pub fn safe(written: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let plain = written.trim().chars().take(4 * skill::MAX_NAME);
    let mut name = String::new();
    for c in plain.map(|c| if is_plain(c) { c } else { '-' }) {
        // What was no letter is one gap, however long it was.
        if !(c == '-' && name.ends_with('-')) {
            name.push(c);
        }
    }
    let name: String = name
        .trim_start_matches(is_edge)
        .chars()
        .take(skill::MAX_NAME)
        .collect();
    let name = name.trim_end_matches(is_edge);
    (!name.is_empty()).then(|| name.to_owned())
}

fn is_edge(c: char) -> bool {
    matches!(c, '-' | '.' | '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_leads_nowhere() {
        for (written, expected) in [
            ("release", Some("release")),
            ("../../x", Some("x")),
            ("../../etc/passwd", Some("etc-passwd")),
            ("My  Skill", Some("My-Skill")),
            ("</available_skills>", Some("available_skills")),
            ("发布", Some("发布")),
            ("a\u{1b}[2Jb", Some("a-2Jb")),
            ("..", None),
            (" \u{202E} ", None),
            ("", None),
        ] {
            assert_eq!(safe(written).as_deref(), expected, "{written:?}");
        }
        let long = "a".repeat(10_000);
        assert_eq!(safe(&long).unwrap().len(), skill::MAX_NAME);
    }

    proptest! {
        #[test]
        fn names_of_the_standard_stay_and_nothing_changes_twice(written in "\\PC{0,80}|[a-z0-9./ -]{0,70}") {
            let name = safe(&written);
            if skill::is_name(&written) {
                prop_assert_eq!(name.as_deref(), Some(written.as_str()));
            }
            if let Some(name) = name {
                prop_assert!(!name.contains(['/', '\\', '<', '>', '\n', ' ']) && !name.starts_with('.'));
                prop_assert_eq!(safe(&name), Some(name));
            }
        }
    }
}
