//! What both shapes let through.

use expect_test::{Expect, expect};

use super::*;

const PATHS: [&str; 6] = [
    "/repo/.gemini/x.md",
    "/repo/.gemini/x.md.sh",
    "/repo/.gemini/settings.json",
    "/repo/GEMINI.md",
    "/repo/.gemini/",
    "/repo/",
];

fn check(text: &str, expected: Expect) {
    let (narrow, problems) = Narrow::read(text, "save_memory", "memory-manager.toml");
    let told = PATHS.iter().map(|path| {
        let reads = if narrow.lets_read(path) { 'r' } else { '-' };
        let writes = if narrow.lets_write(path) { 'w' } else { '-' };
        format!("{reads}{writes} {path}\n")
    });
    let told: String = told.collect();
    let problems = problems.iter().map(|problem| format!("! {problem}\n"));
    expected.assert_eq(&(told + &problems.collect::<String>()));
}

#[test]
fn lists_of_patterns_are_read() {
    check(
        "# memory-manager.toml\n[tools.read]\nallow = [\"(^|.*/).gemini/.*\"]\n\n[tools.write]\nallow = [\"(^|.*/).gemini/.*\\\\.md\"]\n",
        expect![[r#"
            rw /repo/.gemini/x.md
            rw /repo/.gemini/x.md.sh
            r- /repo/.gemini/settings.json
            -- /repo/GEMINI.md
            r- /repo/.gemini/
            -- /repo/
        "#]],
    );
}

#[test]
fn rules_about_the_agent_are_read() {
    check(
        r#"
[[rule]]
subagent = "save_memory"
toolName = ["read_file", "list_directory", "glob", "grep_search"]
decision = "allow"
priority = 100
argsPattern = "(^|.*/)\\.gemini/.*"
denyMessage = "Memory Manager is only allowed to access the .gemini folder."

[[rule]]
subagent = "save_memory"
toolName = ["write_file", "replace"]
decision = "allow"
priority = 100
argsPattern = "(^|.*/)\\.gemini/.*\\.md\""

[[rule]]
toolName = "*"
decision = "deny"
priority = 1
"#,
        expect![[r#"
            rw /repo/.gemini/x.md
            r- /repo/.gemini/x.md.sh
            r- /repo/.gemini/settings.json
            -- /repo/GEMINI.md
            r- /repo/.gemini/
            -- /repo/
        "#]],
    );
}

#[test]
fn what_is_said_of_one_kind_of_tools_says_nothing_of_the_other() {
    check(
        "[tools.write]\nallow = []\n",
        expect![[r#"
            r- /repo/.gemini/x.md
            r- /repo/.gemini/x.md.sh
            r- /repo/.gemini/settings.json
            r- /repo/GEMINI.md
            r- /repo/.gemini/
            r- /repo/
        "#]],
    );
    check(
        "",
        expect![[r#"
            rw /repo/.gemini/x.md
            rw /repo/.gemini/x.md.sh
            rw /repo/.gemini/settings.json
            rw /repo/GEMINI.md
            rw /repo/.gemini/
            rw /repo/
        "#]],
    );
}

#[test]
fn rules_that_deny_or_ask_take_away_and_others_do_not_count() {
    check(
        "[[rule]]\nsubagent = 'save_memory'\ntoolName = 'replace'\ndecision = 'deny'\nargsPattern = 'settings'\n\
         [[rule]]\nsubagent = 'save_memory'\ntoolName = 'read_*'\ndecision = 'ask_user'\n\
         [[rule]]\nsubagent = 'other'\ntoolName = '*'\ndecision = 'deny'\n\
         [[rule]]\nsubagent = 'save_memory'\nmcpName = 'x'\ntoolName = '*'\ndecision = 'deny'\n",
        expect![[r#"
            -w /repo/.gemini/x.md
            -w /repo/.gemini/x.md.sh
            -- /repo/.gemini/settings.json
            -w /repo/GEMINI.md
            -w /repo/.gemini/
            -w /repo/
        "#]],
    );
}

#[test]
fn what_cannot_be_understood_lets_nothing_through() {
    let shut = |text: &str| {
        let (narrow, problems) = Narrow::read(text, "save_memory", "x");
        let lets = |path: &&str| narrow.lets_read(path) || narrow.lets_write(path);
        assert_eq!(PATHS.iter().find(|path| lets(path)), None, "{text}");
        assert!(!problems.is_empty(), "{text}");
    };
    let rule = "[[rule]]\nsubagent = 'save_memory'\n";
    for text in [
        "[tools.read",
        "argsPattern = \"\\.gemini\"",
        "tools = 3",
        "rule = 3",
        "rule = [3]",
        "unknown = true",
        "[tools.exec]\nallow = ['.*']",
        "[tools.read]\nallowed = ['.*']",
        "[tools.read]\nallow = '.*'",
        "[[rule]]\nsubagent = ['save_memory']\ntoolName = '*'\ndecision = 'allow'",
    ] {
        shut(text);
    }
    for text in [
        "[tools.read]\nallow = ['(', 3, '(a+)+']\n[tools.write]\nallow = ['\\A']".to_owned(),
        format!("{rule}toolName = '*'\ndecision = 'allow'\nargsPattern = '('"),
        format!("{rule}toolName = '*'\ndecision = 'allow'\nmodes = ['plan']"),
        format!("{rule}toolName = '*'\ndecision = 'allow'\nargsPattern = '\"file_path\":\".*'"),
        format!("{rule}decision = 'allow'"),
        format!("{rule}toolName = 7\ndecision = 'allow'"),
    ] {
        shut(&text);
    }
    let denies = format!("{rule}toolName = '*'\ndecision = 'deny'\nargsPattern = '('");
    shut(&denies);
    shut(&"x".repeat(LIMIT_BYTES + 1));
}

#[test]
fn a_quotation_mark_at_the_end_is_the_end_of_the_path() {
    for (theirs, ours) in [
        (r#"\.md""#, r"\.md$"),
        (r#"\.md\""#, r"\.md$"),
        (r#"\\""#, r"\\$"),
        (r"\.md", r"\.md"),
        (r#"a|b""#, "a|b$"),
    ] {
        assert_eq!(of_path(theirs), ours);
    }
}
