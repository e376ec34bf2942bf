//! Rules on places and arguments: what a model writes must not be taken for what it does.

use analects_testkit::{FakeFiles, Fixture};
use analects_world::Files;

use super::*;

/// The rules of the original for its memory agent, by arguments.
const BY_ARGS: &str = r#"
[[rule]]
subagent = "save_memory"
toolName = ["write_file", "replace"]
decision = "allow"
priority = 100
argsPattern = "(^|.*/)\\.gemini/.*\\.md\""
"#;

/// The same by places.
const BY_PATHS: &str = r#"
[[rule]]
subagent = "save_memory"
toolName = ["write_file", "replace"]
decision = "allow"
priority = 100
pathPattern = ["~/.gemini/**/*.md"]
[[rule]]
subagent = "save_memory"
toolName = ["write_file", "replace"]
decision = "deny"
priority = 90
"#;

fn by_agent(mut call: Call) -> Call {
    call.subagent = Some("save_memory");
    call
}

#[test]
fn text_that_looks_like_a_path_is_none() {
    let policy = policy(&[(Tier::User, BY_ARGS)]);
    let comes_to = |call: Call| by_agent(call).comes_to(&policy);
    assert_eq!(
        comes_to(Call::write("/h/.gemini/a.md", "")),
        Decision::Allow
    );
    assert_eq!(
        comes_to(Call::write("/w/.gemini/a.md", "")),
        Decision::Allow
    );
    // The content, the text to be replaced, and arguments that nobody asked for.
    assert_eq!(
        comes_to(Call::write("/w/evil.sh", "/.gemini/x.md")),
        Decision::Ask
    );
    assert_eq!(
        comes_to(Call::write("/w/evil.sh", "\\\"/.gemini/x.md\"")),
        Decision::Ask
    );
    for extra in ["old_string", "new_string", "instruction", "x"] {
        let mut args = json!({"file_path": "/h/.gemini/settings.json"});
        args[extra] = json!("/.gemini/x.md");
        assert_eq!(
            comes_to(Call::new("replace", args)),
            Decision::Ask,
            "{extra}"
        );
    }
    // Words that lead elsewhere.
    assert_eq!(
        comes_to(Call::write("/h/.gemini/../.ssh/a.md", "")),
        Decision::Ask
    );
    // A path that nobody resolved.
    let mut unresolved = Call::write("/h/.gemini/a.md", "");
    unresolved.paths.clear();
    assert_eq!(comes_to(unresolved), Decision::Ask);
    // Whatever denies sees everything.
    let deny = BY_ARGS.replace("allow", "deny");
    let strict = super::policy(&[(Tier::User, &deny)]);
    for call in [
        Call::write("/w/evil.sh", "/.gemini/x.md"),
        Call::write("/h/.gemini/../.gemini/a.md", ""),
        Call::write("/h/x/../.gemini/b.md", ""),
        Call::new("replace", json!({"file_path": "a", "x": "/.gemini/x.md"})),
    ] {
        assert_eq!(by_agent(call).comes_to(&strict), Decision::Deny);
    }
}

#[test]
fn arguments_of_the_original_still_fit() {
    // Its own way to say "this file": between NULs, relative to the project or absolute.
    for pattern in [
        r#"\\0\"file_path\":\"src/a.rs\"\\0"#,
        r#"\\x00\"file_path\":\"src/[a-z]+\\.rs\"\\x00"#,
        r#"\"file_path\":\"/w/src/"#,
    ] {
        let text = format!(
            "[[rule]]\ntoolName = \"write_file\"\ndecision = \"allow\"\npriority = 1\nargsPattern = \"{pattern}\"\n"
        );
        let policy = policy(&[(Tier::User, &text)]);
        assert_eq!(
            Call::write("src/a.rs", "").comes_to(&policy),
            Decision::Allow
        );
        assert_eq!(
            Call::write("/w/lib/../src/a.rs", "").comes_to(&policy),
            Decision::Allow
        );
        assert_eq!(
            Call::write("lib/a.rs", "src/a.rs").comes_to(&policy),
            Decision::Ask
        );
        let forged = Call::write("lib/a.rs", "\0\"file_path\":\"src/a.rs\"\0");
        assert_eq!(forged.comes_to(&policy), Decision::Ask);
    }
}

#[test]
fn a_link_is_judged_by_where_it_leads() {
    let disk = FakeFiles::new(&Fixture::parse(
        "//- /h/.gemini/a.md\n//- /h/.gemini/out.md -> ../.ssh/a.md\n//- /h/.gemini/dir -> /etc\n\
         //- /h/.ssh/a.md\n//- /etc/x.md\n//- /w/in.md -> /h/.gemini/a.md\n",
    ));
    let policy = policy(&[(Tier::User, BY_PATHS)]);
    for (said, comes_to) in [
        ("/h/.gemini/a.md", Decision::Allow),
        ("/w/in.md", Decision::Allow),
        ("/h/.gemini/out.md", Decision::Deny),
        ("/h/.gemini/dir/x.md", Decision::Deny),
        ("/h/.ssh/a.md", Decision::Deny),
    ] {
        let mut call = by_agent(Call::write(said, "/h/.gemini/a.md"));
        call.paths = vec![disk.real(&path(said)).unwrap()];
        assert_eq!(call.comes_to(&policy), comes_to, "{said}");
    }
}

#[test]
fn every_path_must_be_allowed_and_none_denied() {
    let text = |decision: &str| {
        format!(
            "[[rule]]\ntoolName = 't'\ndecision = '{decision}'\npriority = 1\npathPattern = ['src/**', '/x/*']\n"
        )
    };
    let with = |paths: &[&str]| {
        let mut call = Call::new("t", json!({}));
        call.paths = paths.iter().map(|text| path(text)).collect();
        call
    };
    let allows = policy(&[(Tier::User, &text("allow"))]);
    let denies = policy(&[(Tier::User, &text("deny"))]);
    for (paths, allowed, denied) in [
        (&["/w/src/a", "/x/b"][..], Decision::Allow, Decision::Deny),
        (&["/w/src/a", "/y"], Decision::Ask, Decision::Deny),
        (&["/y"], Decision::Ask, Decision::Ask),
        (&[], Decision::Ask, Decision::Ask),
    ] {
        assert_eq!(with(paths).comes_to(&allows), allowed, "{paths:?}");
        assert_eq!(with(paths).comes_to(&denies), denied, "{paths:?}");
    }
}

#[test]
fn arguments_are_written_as_the_original_writes_them() {
    // What `stableStringify` of Gemini CLI 0.61.0 makes of these.
    let args = json!({
        "b": [1.0, 2.5, {"z": null, "a": "\u{0}\n\u{7f}é"}], "a": {"y": true, "x": -3}, "command": "x", "Z": "\"\\",
    });
    let said = "{\0\"Z\":\"\\\"\\\\\"\0,\0\"a\":{\"x\":-3,\"y\":true}\0,\
                \0\"b\":[1,2.5,{\"a\":\"\\u0000\\n\u{7f}é\",\"z\":null}]\0,\0\"command\":\"x\"\0}";
    let call = Call::new("t", args);
    let asked = Asked {
        tool: call.tool,
        args: &call.args,
        paths: &[],
        command: None,
        subagent: None,
        mcp_server: None,
        annotations: None,
        mode: Mode::Default,
        is_interactive: true,
    };
    let places = places();
    let seen = seen::Seen::new(&asked, &places);
    assert!(seen.possibly(&command::Part::Other, |text| text == said));
    assert_eq!(seen.surely(&command::Part::Other), [said, said]);
}
