//! The environment of commands.

use std::collections::BTreeMap;

/// What opens models for us. Other secrets stay: tests and deployments of a project need theirs.
const KEYS: [&str; 4] = [
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OPENAI_API_KEY",
];

/// What tells programs that nobody is there: no colours, nothing to page through, nobody to ask or to edit.
const SET: [(&str, &str); 7] = [
    ("GEMINI_CLI", "1"),
    ("GIT_EDITOR", "true"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("TERM", "dumb"),
];

/// The environment that commands get where this is ours: without the keys to models, and such that nothing waits
/// for a person.
#[must_use]
pub fn environment(vars: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let ours = vars
        .iter()
        .filter(|(name, _)| !KEYS.contains(&name.as_str()));
    let ours = ours.map(|(name, value)| (name.clone(), value.clone()));
    let set = SET.map(|(name, value)| (name.to_owned(), value.to_owned()));
    ours.chain(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_to_models_go_and_other_secrets_stay() {
        let vars = [
            ("GEMINI_API_KEY", "k"),
            ("GOOGLE_API_KEY", "k"),
            ("OPENAI_API_KEY", "k"),
            ("ANTHROPIC_API_KEY", "k"),
            ("NPM_TOKEN", "t"),
            ("PATH", "/bin"),
            ("PAGER", "less"),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let lines = environment(&BTreeMap::from(vars));
        let lines: Vec<_> = lines
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        expect_test::expect![[r#"
            GEMINI_CLI=1
            GIT_EDITOR=true
            GIT_PAGER=cat
            GIT_TERMINAL_PROMPT=0
            NO_COLOR=1
            NPM_TOKEN=t
            PAGER=cat
            PATH=/bin
            TERM=dumb"#]]
        .assert_eq(&lines.join("\n"));
    }
}
