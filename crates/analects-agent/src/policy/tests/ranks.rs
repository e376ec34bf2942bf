//! Which of several rules counts, and whom it is about.

use super::*;

fn rule(decision: &str, priority: u16, more: &str) -> String {
    format!("[[rule]]\ntoolName = 't'\ndecision = '{decision}'\npriority = {priority}\n{more}\n")
}

fn decision_of(files: &[(Tier, &str)], call: &Call) -> Decision {
    let (policy, problems) = policy_of(files, shipped(&places()));
    assert_eq!(problems, []);
    call.comes_to(&policy)
}

fn call() -> Call {
    Call::new("t", json!({}))
}

#[test]
fn a_stronger_tier_wins_whatever_the_priority() {
    let tiers = [Tier::Default, Tier::Workspace, Tier::User, Tier::Admin];
    for weak in tiers {
        for strong in tiers.into_iter().filter(|strong| *strong > weak) {
            for (high, low) in [("deny", "allow"), ("allow", "deny"), ("ask_user", "allow")] {
                let files = [(weak, &*rule(low, 999, "")), (strong, &*rule(high, 0, ""))];
                assert_eq!(decision_of(&files, &call()).as_str(), high);
            }
        }
    }
}

#[test]
fn the_higher_priority_wins_and_of_equals_the_stricter_one() {
    let both = |a: (&str, u16), b: (&str, u16)| {
        let text = rule(a.0, a.1, "") + &rule(b.0, b.1, "");
        decision_of(&[(Tier::User, &text)], &call())
    };
    assert_eq!(both(("allow", 2), ("deny", 1)), Decision::Allow);
    assert_eq!(both(("deny", 1), ("allow", 2)), Decision::Allow);
    assert_eq!(both(("allow", 1), ("deny", 1)), Decision::Deny);
    assert_eq!(both(("allow", 1), ("ask_user", 1)), Decision::Ask);
    assert_eq!(both(("ask_user", 1), ("deny", 1)), Decision::Deny);
}

#[test]
fn without_a_rule_a_person_is_asked() {
    assert_eq!(decision_of(&[], &call()), Decision::Ask);
    assert_eq!(
        decision_of(&[], &call().in_mode(Mode::Yolo)),
        Decision::Allow
    );
    let nothing = Policy::new(Vec::new(), &places());
    assert_eq!(
        call().in_mode(Mode::Yolo).comes_to(&nothing),
        Decision::Allow
    );
    assert_eq!(
        call().in_mode(Mode::AutoEdit).comes_to(&nothing),
        Decision::Ask
    );
}

#[test]
fn a_rule_is_only_about_what_it_names() {
    type Change = fn(&mut Call);
    let cases: [(&str, Change, Change); 6] = [
        (
            "subagent = 's'",
            |it| it.subagent = Some("s"),
            |it| it.subagent = Some("x"),
        ),
        (
            "mcpName = 'm'",
            |it| it.server = Some("m"),
            |it| it.server = Some("x"),
        ),
        ("mcpName = '*'", |it| it.server = Some("x"), |_| {}),
        ("interactive = true", |_| {}, |it| it.is_interactive = false),
        (
            "modes = ['autoEdit', 'plan']",
            |it| it.mode = Mode::AutoEdit,
            |_| {},
        ),
        (
            "modes = []",
            |it| it.mode = Mode::AutoEdit,
            |it| it.tool = "other",
        ),
    ];
    for (more, make_fit, make_other) in cases {
        for decision in ["allow", "deny"] {
            let text = rule(decision, 5, more);
            let files = [(Tier::User, text.as_str())];
            let mut fitting = call();
            make_fit(&mut fitting);
            assert_eq!(decision_of(&files, &fitting).as_str(), decision, "{more}");
            let mut other = call();
            make_other(&mut other);
            let without = decision_of(&[], &other);
            assert_eq!(decision_of(&files, &other), without, "{more}");
        }
    }
}

#[test]
fn what_a_server_says_about_its_tool_is_compared_as_it_is() {
    let text = rule(
        "deny",
        5,
        "toolAnnotations = {readOnlyHint = true, n = [1]}",
    );
    let comes_to = |annotations: Value| {
        let mut call = call();
        call.annotations = annotations.as_object().cloned().unwrap_or_default();
        decision_of(&[(Tier::User, &text)], &call)
    };
    assert_eq!(
        comes_to(json!({"readOnlyHint": true, "n": [1], "x": 0})),
        Decision::Deny
    );
    assert_eq!(
        comes_to(json!({"readOnlyHint": "true", "n": [1]})),
        Decision::Ask
    );
    assert_eq!(comes_to(json!({"readOnlyHint": true})), Decision::Ask);
}

#[test]
fn the_tools_of_servers_are_not_ours() {
    let text = |name: &str, decision: &str, more: &str| {
        format!("[[rule]]\ntoolName = '{name}'\ndecision = '{decision}'\npriority = 5\n{more}\n")
    };
    let of = |server: &'static str, tool: &'static str| {
        let mut call = Call::new(tool, json!({}));
        call.server = Some(server);
        call
    };
    let allows = |name: &str, more: &str, call: &Call| {
        decision_of(&[(Tier::User, &text(name, "allow", more))], call) == Decision::Allow
    };
    let denies = |name: &str, more: &str, call: &Call| {
        decision_of(&[(Tier::User, &text(name, "deny", more))], call) == Decision::Deny
    };
    // A server that calls its tool like one of ours is not let through as ours.
    assert_eq!(decision_of(&[], &of("evil", "read_file")), Decision::Ask);
    assert!(!allows("read_file", "", &of("evil", "read_file")));
    assert!(!allows("read_*", "", &of("evil", "read_file")));
    assert!(denies("read_file", "", &of("evil", "read_file")));
    // By its whole name, by its short one with the server, and by the server alone.
    assert!(allows("mcp_s_t", "", &of("s", "mcp_s_t")));
    assert!(allows("t", "mcpName = 's'", &of("s", "mcp_s_t")));
    assert!(allows("mcp_s_t", "", &of("s", "t")));
    assert!(allows("mcp_s_*", "", &of("s", "mcp_s_t")));
    assert!(allows("*", "mcpName = 's'", &of("s", "mcp_s_t")));
    assert!(!allows("t", "mcpName = 's'", &of("x", "mcp_x_t")));
    // The server `s_t` is not the server `s`, even if its tools begin alike.
    assert!(!allows("mcp_s_*", "", &of("s_t", "mcp_s_t_u")));
    assert!(denies("mcp_s_*", "", &of("s_t", "mcp_s_t_u")));
    assert!(allows("mcp_*", "", &of("s", "mcp_s_t")));
    assert!(!allows("mcp_*", "", &Call::new("t", json!({}))));
}

#[test]
fn thousands_of_rules_are_read_and_asked() {
    let text: String = (0..4_000)
        .map(|at| format!("[[rule]]\ntoolName = 't{at}'\ndecision = 'deny'\npriority = 7\n"))
        .collect();
    let patterns: String = (0..500)
        .map(|at| rule("deny", 7, &format!("argsPattern = 'x{at}y'")))
        .collect();
    let files = [
        (Tier::User, text.as_str()),
        (Tier::Workspace, patterns.as_str()),
    ];
    assert_eq!(decision_of(&files, &call()), Decision::Ask);
    assert_eq!(
        decision_of(&files, &Call::new("t3999", json!({}))),
        Decision::Deny
    );
    assert_eq!(
        decision_of(&files, &Call::new("t", json!({"a": "x499y"}))),
        Decision::Deny
    );
}

#[test]
fn names_of_before_are_still_read() {
    let text = "[[rule]]\ntoolName = 'search_file_content'\ndecision = 'deny'\npriority = 1\ndeny_message = 'No.'\n\
                [[rule]]\ntoolName = 'ShellTool'\ncommandPrefix = 'ls'\ndecision = 'allow'\npriority = 1\nallow_redirection = true\n";
    let files = [(Tier::User, text)];
    assert_eq!(
        decision_of(&files, &Call::new("grep_search", json!({}))),
        Decision::Deny
    );
    assert_eq!(decision_of(&files, &Call::shell("ls > x")), Decision::Allow);
}

#[test]
fn a_project_opens_nothing_in_plan_mode() {
    let calls = [
        Call::write("a.rs", ""),
        Call::shell("cargo test"),
        Call::new("replace", json!({"file_path": "a.rs"})),
        Call::new("web_fetch", json!({"prompt": "x"})),
        Call::new("unheard_of", json!({})),
        Call {
            server: Some("theirs"),
            ..Call::new("mcp_theirs_write", json!({}))
        },
    ];
    for mut call in calls {
        call.mode = Mode::Plan;
        call.annotations
            .insert("readOnlyHint".to_owned(), true.into());
        let usual = decision_of(&[], &call);
        for decision in ["allow", "ask_user", "deny"] {
            for modes in ["", "modes = ['plan']"] {
                let text = format!(
                    "[[rule]]\ntoolName = '*'\ndecision = '{decision}'\npriority = 999\n{modes}\n"
                );
                let came = decision_of(&[(Tier::Workspace, text.as_str())], &call);
                assert!(came >= usual, "{} {decision} {modes}: {came:?}", call.tool);
                if decision == "deny" {
                    assert_eq!(came, Decision::Deny, "it may shut what is open");
                }
                let users = decision_of(&[(Tier::User, text.as_str())], &call);
                assert_eq!(users.as_str(), decision, "the user decides as ever");
            }
        }
    }
}
