//! One skill: what its `SKILL.md` says, judged by the Agent Skills standard.
//!
//! Reading is tolerant (a byte-order mark, two-character line ends, blanks behind the dashes); judging is not.
//! Whatever a file says, reading it never fails.

use analects_text::decode::without_mark;
use analects_text::frontmatter::{self, Field, Given, shown};

/// The file that makes a directory a skill.
pub const FILE: &str = "SKILL.md";

/// A name has at most this many characters.
pub const MAX_NAME: usize = 64;
/// What a skill does, and when to use it, is told in at most this many characters.
pub const MAX_DESCRIPTION: usize = 1024;
/// What a skill needs is told in at most this many characters.
const MAX_COMPATIBILITY: usize = 500;

/// A skill as it is written, good or bad.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// Its name; empty if it says none.
    pub name: String,
    /// What it does and when to use it; empty if it does not say.
    pub description: String,
    /// Its instructions.
    pub body: String,
    /// Where it breaks the standard.
    pub faults: Vec<Fault>,
}

/// Something that the standard does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line in the file, counted from one.
    pub line: usize,
    /// A lowercase fragment.
    pub why: String,
}

/// Reads the `SKILL.md` of a folder of that name.
#[must_use]
pub fn read(text: &str, folder: &str) -> Draft {
    let text = without_mark(text);
    let mut draft = Draft::default();
    if text.contains('\0') {
        draft.fault(1, "a byte of zero: this is no text");
    }
    let parts = match frontmatter::split(text) {
        Ok(parts) => parts,
        Err(wrong) => {
            draft.fault(wrong.line, wrong.why);
            text.clone_into(&mut draft.body);
            return draft;
        }
    };
    parts.body.clone_into(&mut draft.body);
    let is_plain = match parts.fields() {
        Ok(fields) => {
            draft.take(&fields, folder);
            fields.iter().all(is_word)
        }
        Err(wrong) => {
            draft.fault(wrong.line, wrong.why);
            false
        }
    };
    // A fault all the same; but Gemini CLI offers it, and so do we.
    if !is_plain {
        draft.fill(parts.head);
    }
    draft
}

/// What a skill says, without what differs from draft to draft: the evidence it rests on, blanks, the ends of lines. By
/// this a draft is known again.
#[must_use]
pub fn gist(text: &str) -> String {
    let text = without_mark(text);
    let draft = read(text, "");
    let words = draft.description.split_whitespace();
    let words: Vec<_> = words.chain(draft.body.split_whitespace()).collect();
    words.join(" ")
}

/// Whether a word may be the name of a skill, and so of its folder.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name.chars().all(is_plain)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}

/// Whether a field does not keep anybody from reading what a skill is called and what it is for.
fn is_word(field: &Field) -> bool {
    let counts = matches!(field.name.as_str(), "name" | "description");
    !counts || matches!(field.value, Given::Text(_) | Given::Nothing)
}

impl Draft {
    /// Takes what the head says line by line, as Gemini CLI does where it is no YAML: the last of each counts, lines that
    /// are indented below a description belong to it, and quotes stay.
    fn fill(&mut self, head: &str) {
        let value = |line: &'_ str, name: &str| -> Option<String> {
            let rest = line.trim_start().strip_prefix(name)?;
            Some(rest.strip_prefix(':')?.trim().to_owned())
        };
        let mut lines = head.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(name) = value(line, "name") {
                self.name = name;
            } else if let Some(mut text) = value(line, "description") {
                let is_more =
                    |line: &&str| line.starts_with([' ', '\t']) && !line.trim().is_empty();
                while let Some(more) = lines.next_if(is_more) {
                    text.push(' ');
                    text.push_str(more.trim());
                }
                text.trim().clone_into(&mut self.description);
            }
        }
    }

    fn fault(&mut self, line: usize, why: impl Into<String>) {
        let why = why.into();
        self.faults.push(Fault { line, why });
    }

    fn take(&mut self, fields: &[Field], folder: &str) {
        for field in fields {
            if let Err(why) = self.field(field, folder) {
                self.fault(field.line, why);
            }
        }
        let has = |name: &str| fields.iter().any(|field| field.name == name);
        for name in ["name", "description"] {
            if !has(name) {
                self.fault(1, format!("`{name}` is missing"));
            }
        }
    }

    fn field(&mut self, field: &Field, folder: &str) -> Result<(), String> {
        match (field.name.as_str(), &field.value) {
            ("name", Given::Text(name)) => {
                self.name.clone_from(name);
                check_name(name, folder)
            }
            ("description", Given::Text(text)) => {
                text.trim().clone_into(&mut self.description);
                check_length(text, "description", MAX_DESCRIPTION)
            }
            ("compatibility", Given::Text(text)) => {
                check_length(text, "compatibility", MAX_COMPATIBILITY)
            }
            ("metadata", Given::Map(fields)) => check_metadata(fields),
            ("license", Given::Text(_))
            | ("license" | "metadata" | "compatibility" | "allowed-tools", Given::Nothing)
            | ("allowed-tools", Given::Text(_) | Given::List(_)) => Ok(()),
            (
                name @ ("name" | "description" | "license" | "compatibility" | "metadata"
                | "allowed-tools"),
                _,
            ) => Err(format!("`{name}` has a value that it cannot have")),
            (other, _) => Err(format!("the standard knows no field `{}`", shown(other))),
        }
    }
}

fn check_name(name: &str, folder: &str) -> Result<(), String> {
    if !is_name(name) {
        return Err(format!(
            "`{}` cannot be a name: 1 to {MAX_NAME} small letters, digits and single hyphens between them",
            shown(name)
        ));
    }
    match name == folder {
        true => Ok(()),
        false => Err(format!(
            "the name is `{name}`, but the folder is called `{}`",
            shown(folder)
        )),
    }
}

/// Words, each with a name of its own.
fn check_metadata(fields: &[Field]) -> Result<(), String> {
    for (at, field) in fields.iter().enumerate() {
        let name = shown(&field.name);
        let mut before = fields.iter().take(at);
        if before.any(|other| other.name == field.name) {
            return Err(format!("`metadata` has `{name}` twice"));
        }
        if !matches!(field.value, Given::Text(_) | Given::Nothing) {
            return Err(format!("`{name}` of `metadata` can only be a text"));
        }
    }
    Ok(())
}

fn check_length(text: &str, name: &str, max: usize) -> Result<(), String> {
    match text.trim().chars().count() {
        0 => Err(format!("`{name}` is empty")),
        n if n > max => Err(format!("`{name}` has {n} characters, more than {max}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn faults(head: &str) -> Vec<String> {
        let text = format!("---\n{head}---\nDo it.\n");
        let faults = read(&text, "deploy").faults.into_iter();
        faults
            .map(|fault| format!("{}: {}", fault.line, fault.why))
            .collect()
    }

    #[test]
    fn a_skill_of_the_standard_has_no_faults() {
        let head = "name: deploy\ndescription: Deploys it. Use it on Thursdays.\nlicense: MIT\n\
                    compatibility: needs git\nmetadata:\n  author: me\nallowed-tools: Read Write\n";
        assert_eq!(faults(head), Vec::<String>::new());
    }

    #[test]
    fn marks_line_ends_and_trailing_blanks_do_not_matter() {
        let text = "\u{FEFF}--- \r\nname: deploy\r\ndescription: Deploys it\r\n---\t\r\nDo it.\r\n";
        let draft = read(text, "deploy");
        assert_eq!((draft.name.as_str(), draft.faults.len()), ("deploy", 0));
        assert_eq!(draft.body, "Do it.\r\n");
        assert_eq!(draft.description, "Deploys it");
    }

    #[test]
    fn names_that_lead_elsewhere_are_no_names() {
        let long = "a".repeat(65);
        for name in [
            "../../x", "a/b", "a\\b", "..", ".", "", "A", "a--b", "-a", "a-", "a b", "é", &long,
        ] {
            assert!(!is_name(name), "{name}");
            let found = faults(&format!(
                "name: \"{}\"\ndescription: x\n",
                name.replace('\\', "\\\\")
            ));
            assert_eq!(found.len(), 1, "{name}: {found:?}");
        }
        assert!(is_name("release-2") && is_name("a"));
    }

    #[test]
    fn what_is_missing_too_long_or_unknown_is_told_with_its_line() {
        assert_eq!(
            faults("name: other\n"),
            [
                "2: the name is `other`, but the folder is called `deploy`",
                "1: `description` is missing"
            ]
        );
        let long = "x".repeat(1025);
        assert_eq!(
            faults(&format!("name: deploy\ndescription: {long}\nmodel: pro\n")),
            [
                "3: `description` has 1025 characters, more than 1024",
                "4: the standard knows no field `model`"
            ]
        );
        assert_eq!(
            faults("name: [deploy]\ndescription:\n"),
            [
                "2: `name` has a value that it cannot have",
                "3: `description` has a value that it cannot have"
            ]
        );
        assert_eq!(read("Just text.\n", "x").body, "Just text.\n");
    }

    #[test]
    fn what_is_no_yaml_is_a_fault_and_read_by_its_lines() {
        for (description, wanted) in [
            ("Use when: it rains", "Use when: it rains"),
            ("[beta] Helps", "[beta] Helps"),
            ("[beta]", "[beta]"),
            ("{{x}} is filled in", "{{x}} is filled in"),
            ("{{x}}", "{{x}}"),
            ("*word* counts", "*word* counts"),
            ("@x does", "@x does"),
            ("\"Quoted\" then more", "\"Quoted\" then more"),
            ("Says it\ndescription: twice", "twice"),
            ("Plain\nlicense: *mit", "Plain"),
            ("Plain\nmetadata:\n\tauthor: me", "Plain"),
            (
                "Use when:\n  it: rains\n  name: no\nx: [",
                "Use when: it: rains name: no",
            ),
        ] {
            let head = format!("name: deploy\ndescription: {description}\n");
            let draft = read(&format!("---\n{head}---\nDo it.\n"), "deploy");
            assert_eq!(draft.description, wanted);
            assert_eq!(
                (draft.name.as_str(), draft.body.as_str()),
                ("deploy", "Do it.\n")
            );
            assert_eq!(draft.faults.len(), 1, "{description}: {:?}", draft.faults);
        }
    }

    #[test]
    fn metadata_are_words_with_names_of_their_own() {
        let of = |metadata: &str| {
            let head = format!("name: deploy\ndescription: x\nmetadata:\n{metadata}");
            faults(&head).into_iter().next()
        };
        assert_eq!(of("  a: b\n  c: 1.0\n"), None);
        assert_eq!(
            of("  a: [b]\n").as_deref(),
            Some("4: `a` of `metadata` can only be a text")
        );
        assert_eq!(
            of("  a:\n    b: c\n").as_deref(),
            Some("4: `a` of `metadata` can only be a text")
        );
        assert_eq!(
            of("  a: b\n  a: c\n").as_deref(),
            Some("4: `metadata` has `a` twice")
        );
    }

    #[test]
    fn a_draft_is_known_again_whatever_it_rests_on() {
        let draft = |sessions: &str, step: &str| {
            format!(
                "---\nname: deploy\ndescription: Deploys it.\nmetadata:\n  analects-sessions: {sessions}\n---\n\n1. {step}\r\n"
            )
        };
        assert_eq!(gist(&draft("a", "make it")), "Deploys it. 1. make it");
        assert_eq!(
            gist(&draft("a", "make it")),
            gist(&draft("a, b", "make  it"))
        );
        assert_ne!(gist(&draft("a", "make it")), gist(&draft("a", "break it")));
        assert_eq!(gist("no head\n"), "no head");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(---\n|name: [a-z.]{0,4}\n|[a-z*&:>|\\[{\\- \r\n]{0,12}){0,8}") {
            let _ = read(&text, "a");
        }
    }
}
