//! `$NAME`, `${NAME}` and `${NAME:-default}` in setting values.

use std::collections::BTreeMap;

/// Whether variables that hold a secret by their name are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// They stay as written: settings are shown and noted, and a project writes some of them.
    Withheld,
    /// They are: somebody named them who may have them.
    Told,
}

/// `text` with the variables that are set; the others stay as written, unless they have a default.
pub(crate) fn variables(text: &str, vars: &BTreeMap<String, String>, secrets: Secrets) -> String {
    filled(text, &|name| {
        let is_told = secrets == Secrets::Told || !is_secret(name);
        let value = vars.get(name).filter(|_| is_told);
        value.map(String::as_str)
    })
}

/// The names of the variables that `text` refers to, in order.
pub(crate) fn references(text: &str) -> Vec<String> {
    let names = std::cell::RefCell::new(Vec::new());
    filled(text, &|name| {
        names.borrow_mut().push(name.to_owned());
        None
    });
    names.into_inner()
}

/// `text` with the variables that somebody knows; the others stay as written, unless they have a default.
pub(crate) fn filled<'v>(text: &str, known: &dyn Fn(&str) -> Option<&'v str>) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        match reference(after) {
            Some(Reference {
                name,
                default,
                rest: behind,
            }) => {
                let written = after.len() - behind.len();
                match known(name).or(default) {
                    Some(value) => expanded.push_str(value),
                    None => {
                        expanded.push('$');
                        expanded.push_str(after.get(..written).unwrap_or_default());
                    }
                }
                rest = behind;
            }
            None => {
                expanded.push('$');
                rest = after;
            }
        }
    }
    expanded + rest
}

/// The variables that every project gets. None of them holds a secret or decides which code a program runs.
const COMMON: [&str; 15] = [
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LOGNAME", "NO_COLOR", "PATH", "SHELL",
    "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER",
];

/// True if every project gets the variable. Names are compared letter by letter, as the system does.
pub(crate) fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// Whether a variable of this name holds a secret.
pub(crate) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let words = ["KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH"];
    words.iter().any(|word| name.contains(word))
}

struct Reference<'a> {
    name: &'a str,
    default: Option<&'a str>,
    rest: &'a str,
}

/// Reads a reference that begins after its `$`.
fn reference(after: &str) -> Option<Reference<'_>> {
    if let Some(braced) = after.strip_prefix('{') {
        let (inner, rest) = braced.split_once('}')?;
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        return (!name.is_empty()).then_some(Reference {
            name,
            default,
            rest,
        });
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let (name, rest) = after.split_at_checked(end)?;
    (!name.is_empty()).then_some(Reference {
        name,
        default: None,
        rest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_variables_are_replaced_and_others_stay() {
        let vars = [("A", "1"), ("B_2", "two"), ("GEMINI_API_KEY", "k")]
            .into_iter()
            .chain([("gh_token", "k"), ("GH_TOKEN", "k")])
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .collect();
        for (text, expected) in [
            ("x$A/${B_2}y", "x1/twoy"),
            ("$NONE ${NONE} ${NONE:-d} ${A:-d}", "$NONE ${NONE} d 1"),
            ("$ $$A ${ ${} $-", "$ $1 ${ ${} $-"),
            ("文$A字", "文1字"),
            ("$GEMINI_API_KEY", "$GEMINI_API_KEY"),
            ("${gh_token}.md ${GH_TOKEN:-d}", "${gh_token}.md d"),
        ] {
            assert_eq!(
                variables(text, &vars, Secrets::Withheld),
                expected,
                "{text}"
            );
        }
        assert_eq!(variables("$GH_TOKEN", &vars, Secrets::Told), "k");
    }
}
