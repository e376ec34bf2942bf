//! Rules on commands.

use super::*;

fn rule(decision: &str, about: &str) -> String {
    format!(
        "[[rule]]\ntoolName = 'run_shell_command'\ndecision = '{decision}'\npriority = 50\n{about}\n"
    )
}

#[test]
fn each_command_of_a_line_is_decided_on() {
    let text = rule("allow", "commandPrefix = ['git status', 'ls']")
        + &rule("deny", "commandPrefix = 'rm'")
        + &rule(
            "allow",
            "commandRegex = 'cargo (check|test)( |$)'\nallowRedirection = true",
        )
        + &rule("allow", "argsPattern = '\"command\":\"npm test'");
    let policy = policy(&[(Tier::User, &text)]);
    for (line, comes_to) in [
        ("git status", Decision::Allow),
        ("git status && ls -l | ls", Decision::Allow),
        ("git status && pwd", Decision::Ask),
        ("git status && rm x", Decision::Deny),
        ("pwd; rm x", Decision::Deny),
        ("git status $(rm x)", Decision::Deny),
        ("git status $(pwd)", Decision::Ask),
        ("git status > x", Decision::Ask),
        ("git status 2>/dev/null", Decision::Allow),
        ("cargo test > x", Decision::Allow),
        ("cargo test > x; git status", Decision::Ask),
        ("cargo testx", Decision::Ask),
        ("cargo publish", Decision::Ask),
        ("npm test", Decision::Allow),
        ("npm test; pwd", Decision::Ask),
        ("npm test; ls", Decision::Allow),
        ("X=1 npm test", Decision::Ask),
        ("echo '\"command\":\"npm test'", Decision::Ask),
        ("if git status; then ls; fi", Decision::Ask),
        ("if git status; then rm x; fi", Decision::Deny),
        ("sudo rm x", Decision::Deny),
        ("", Decision::Ask),
    ] {
        assert_eq!(Call::shell(line).comes_to(&policy), comes_to, "{line}");
    }
    // Of what a model may write freely nothing lets a command through.
    let mut call = Call::shell("pwd");
    call.args["description"] = json!("\"command\":\"npm test");
    assert_eq!(call.comes_to(&policy), Decision::Ask);
    // No command at all.
    let mut call = Call::shell("");
    call.args = json!({"command": ["git status"]});
    assert_eq!(call.comes_to(&policy), Decision::Ask);
}

#[test]
fn everything_allowed_is_not_everything_written() {
    let all = policy(&[(Tier::User, &rule("allow", ""))]);
    assert_eq!(Call::shell("rm x").comes_to(&all), Decision::Allow);
    assert_eq!(Call::shell("X=1 rm x").comes_to(&all), Decision::Allow);
    assert_eq!(Call::shell("rm x > y").comes_to(&all), Decision::Ask);
    assert_eq!(
        Call::shell("for i in *; do rm $i; done").comes_to(&all),
        Decision::Ask
    );
    let even_files = policy(&[(Tier::User, &rule("allow", "allowRedirection = true"))]);
    for line in ["rm x > y", "for i in *; do rm $i; done"] {
        assert_eq!(Call::shell(line).comes_to(&even_files), Decision::Allow);
    }
}

#[test]
fn yolo_does_what_nobody_denies() {
    let text = rule("deny", "commandPrefix = 'git push'")
        + &rule("ask_user", "commandRegex = 'curl .*-d'");
    let policy = policy(&[(Tier::Workspace, &text)]);
    for (line, comes_to) in [
        ("make > log; ./x", Decision::Allow),
        ("for i in *; do rm $i; done", Decision::Allow),
        ("git push", Decision::Deny),
        ("for i in a; do git push $i; done", Decision::Deny),
        ("git $X", Decision::Deny),
        ("ls; curl x -d @y", Decision::Ask),
    ] {
        let call = Call::shell(line).in_mode(Mode::Yolo);
        assert_eq!(call.comes_to(&policy), comes_to, "{line}");
    }
}

#[test]
fn a_stricter_rule_sees_the_whole_line_and_each_command() {
    let text = rule("deny", "argsPattern = 'secret'") + &rule("deny", "commandRegex = 'a.*b'");
    let policy = policy(&[(Tier::User, &text)]);
    for (line, comes_to) in [
        ("ls; cat secret", Decision::Deny),
        ("ls; a; b", Decision::Ask),
        ("a; b", Decision::Deny),
        ("ls; a b", Decision::Deny),
        ("ls 'a b'", Decision::Ask),
    ] {
        assert_eq!(Call::shell(line).comes_to(&policy), comes_to, "{line}");
    }
    let mut call = Call::shell("ls");
    call.args["description"] = json!("reads the secret");
    assert_eq!(call.comes_to(&policy), Decision::Deny);
}

#[test]
fn the_original_decides_nearly_alike() {
    use Decision::{Allow, Ask, Deny};
    let text = rule("allow", "commandPrefix = ['git status', 'ls']")
        + &rule("deny", "commandPrefix = 'rm'").replace("50", "200");
    let policy = policy(&[(Tier::User, &text)]);
    // What the engine of Gemini CLI 0.61.0 answered to the same rules, and what we answer.
    for (line, theirs, ours) in [
        ("git status", Allow, Allow),
        ("git status -s", Allow, Allow),
        ("git statusx", Ask, Ask),
        ("git status && ls", Allow, Allow),
        ("git status && pwd", Ask, Ask),
        ("git status && rm x", Deny, Deny),
        ("pwd; rm x", Deny, Deny),
        ("git status $(rm x)", Deny, Deny),
        ("git status `rm x`", Deny, Deny),
        ("git status > x", Ask, Ask),
        ("FOO=1 git status", Ask, Ask),
        ("sh -c \"rm x\"", Deny, Deny),
        ("if true; then rm x; fi", Deny, Deny),
        ("for i in a; do ls; done", Ask, Ask),
        ("git status <<EOF\nEOF", Ask, Ask),
        // Nothing is written, and a subshell runs what it holds.
        ("git status 2>/dev/null", Ask, Allow),
        ("(git status)", Ask, Allow),
        // A comment may hide what another shell would run.
        ("git status # x", Allow, Ask),
        ("sudo rm x", Ask, Deny),
        ("/bin/rm x", Ask, Deny),
    ] {
        assert_eq!(
            Call::shell(line).comes_to(&policy),
            ours,
            "{line}, theirs: {theirs:?}"
        );
    }
}
