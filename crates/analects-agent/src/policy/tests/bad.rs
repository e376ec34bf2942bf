//! Rules that make no sense, which must never make anything laxer.

use proptest::prelude::*;

use super::*;

#[test]
fn a_bad_rule_is_told_with_its_line() {
    check(
        Tier::User,
        r#"title = "x"
[[rule]]
toolName = "a"
decision = "allow"
priority = 1000
[[rule]]
toolName = "b"
decision = "deny"
priority = 1
argsPattern = "(a+)+"
[[rule]]
toolName = "c"
decision = "ask_user"
priority = 1
colour = "red"
[[rule]]
decision = "Deny"
[[rule]]
toolName = []
subagent = ""
modes = ["auto"]
interactive = 1
toolAnnotations = { x = 1.5 }
pathPattern = "../x"
allowRedirection = "yes"
decision = "allow"
priority = 1.5
[[rule]]
toolName = "write_file"
commandPrefix = "rm"
decision = "deny"
priority = 1
[[rule]]
toolName = "run_shell_command"
commandPrefix = "rm"
argsPattern = "x"
decision = "allow"
priority = 1
[[rule]]
toolName = "run_shel_command"
decision = "deny"
priority = 1
[[rule]]
toolName = "server__tool"
decision = "deny"
priority = 1
name = "known, and says nothing"
[[safety_checker]]
toolName = "a"
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
"#,
        expect![[r#"
            ! bad-rule: user.toml:2: `priority`: expected a whole number from 0 to 999; the rule allows nothing
            ! bad-rule: user.toml:6: `argsPattern`: a quantifier on a group that holds another one; the rule DENIES everything that it could have meant
            ! bad-rule: user.toml:11: unknown field `colour`; the rule asks about everything that it could have meant
            ! bad-rule: user.toml:16: `decision`: expected allow, ask_user or deny, `priority` is missing, `toolName` is missing; the rule DENIES everything that it could have meant
            ! bad-rule: user.toml:18: `priority`: expected a whole number from 0 to 999, `toolName`: an empty list, `subagent`: an empty text, `modes`: `auto` is none of default, autoEdit, yolo, plan, `interactive`: expected true or false, `toolAnnotations`: expected texts, switches or whole numbers, `pathPattern`: `.` and `..` lead nowhere in a pattern, `allowRedirection`: expected true or false; the rule allows nothing
            ! bad-rule: user.toml:28: `commandPrefix` and `commandRegex` go with `toolName = "run_shell_command"`; the rule DENIES everything that it could have meant
            ! bad-rule: user.toml:33: of `commandPrefix`, `commandRegex` and `argsPattern` a rule has one; the rule allows nothing
            ! odd-rule: user.toml:39: no tool is called `run_shel_command`: is it `run_shell_command`?
            ! odd-rule: user.toml:43: `server__tool`: tools of servers are named by `mcpName` and `toolName`
            ! bad-rule: user.toml:48: nobody can run the checker; the rule asks about everything that it could have meant
            ! odd-rule: user.toml:1: unknown field `title`
        "#]],
    );
}

#[test]
fn a_file_that_makes_no_sense_stops_what_is_done_without_asking() {
    let long = format!("# {}", "x".repeat(LIMIT_BYTES));
    let many = "[[rule]]\ntoolName='a'\ndecision='deny'\npriority=1\n".repeat(5_001);
    for text in [
        "[[rule]\n",
        "[[rules]]\ntoolName = 'x'\n",
        "rule = [1]\n",
        &long,
        &many,
        "[rule]\n",
    ] {
        for (tier, asked) in [
            (Tier::Extension, Decision::Ask),
            (Tier::Workspace, Decision::Ask),
            (Tier::User, Decision::Ask),
            (Tier::Admin, Decision::Deny),
        ] {
            let (policy, problems) = policy_of(&[(tier, text)], shipped(&places()));
            assert!(
                problems.iter().any(|it| it.code == &codes::BAD_POLICY),
                "{problems:?}"
            );
            let read = || Call::new("read_file", json!({"file_path": "a"}));
            assert_eq!(read().comes_to(&policy), asked);
            assert_eq!(
                Call::shell("ls").in_mode(Mode::Yolo).comes_to(&policy),
                asked
            );
            // What is denied stays denied.
            assert_eq!(
                Call::shell("ls").in_mode(Mode::Plan).comes_to(&policy),
                Decision::Deny
            );
        }
    }
    // The user's own rules still count against a project's file.
    let allow = "[[rule]]\ntoolName = 'read_file'\ndecision = 'allow'\npriority = 1\n";
    let (policy, _) = policy_of(&[(Tier::Workspace, "["), (Tier::User, allow)], Vec::new());
    let read = Call::new("read_file", json!({"file_path": "a"}));
    assert_eq!(read.comes_to(&policy), Decision::Allow);
}

#[test]
fn a_bad_rule_that_denies_denies_what_it_names() {
    let (policy, _) = policy_of(
        &[(
            Tier::User,
            "[[rule]]\ntoolName = 'read_file'\ndecision = 'deny'\npriority = 1\nargsPattern = '('\n\
             [[rule]]\ntoolName = 'glob'\ndecision = 'allow'\npriority = 500\n\
             [[rule]]\ntoolName = 'glob'\ndecision = 'deny'\npriority = -1\nmodes = ['x']\n\
             [[rule]]\ntoolName = 'grep_search'\ndecision = 'ask_user'\npriority = 1\nsubagent = 1\n",
        )],
        shipped(&places()),
    );
    let of = |tool| Call::new(tool, json!({"file_path": "a"}));
    assert_eq!(of("read_file").comes_to(&policy), Decision::Deny);
    assert_eq!(
        of("glob").comes_to(&policy),
        Decision::Deny,
        "it could have ranked highest"
    );
    assert_eq!(of("grep_search").comes_to(&policy), Decision::Ask);
    assert_eq!(of("list_directory").comes_to(&policy), Decision::Allow);
}

#[test]
fn a_bad_rule_that_asks_does_not_lift_what_is_denied() {
    let text = "[[rule]]\ntoolName = '*'\ndecision = 'ask_user'\npriority = 900\nargsPattern = '('\n\
                [[rule]]\ntoolName = 't'\ndecision = 'deny'\npriority = 1\n\
                [[rule]]\ntoolName = 'u'\ndecision = 'allow'\npriority = 950\n\
                [[rule]]\ntoolName = 'v'\ndecision = 'allow'\npriority = 1\n";
    let (policy, _) = policy_of(&[(Tier::User, text)], shipped(&places()));
    let comes_to = |tool| Call::new(tool, json!({})).comes_to(&policy);
    assert_eq!(comes_to("t"), Decision::Deny);
    assert_eq!(
        comes_to("u"),
        Decision::Allow,
        "it ranks higher than the bad one"
    );
    assert_eq!(comes_to("v"), Decision::Ask);
}

#[test]
fn an_extension_can_only_make_things_stricter() {
    let text = "[[rule]]\ntoolName = '*'\ndecision = 'allow'\npriority = 999\n\
                [[rule]]\ntoolName = 'glob'\ndecision = 'deny'\npriority = 1\nmodes = ['yolo']\n\
                [[rule]]\ntoolName = 'read_file'\ndecision = 'deny'\npriority = 1\nmodes = ['default', 'yolo']\n";
    let (policy, problems) = policy_of(&[(Tier::Extension, text)], shipped(&places()));
    expect![[r#"
        ! bad-rule: extension.toml:1: an extension may not allow anything; the rule is left out
        ! bad-rule: extension.toml:5: an extension may not speak of `yolo`; the rest of the rule stays
        ! bad-rule: extension.toml:10: an extension may not speak of `yolo`; the rest of the rule stays
    "#]].assert_eq(&show_problems(&problems));
    assert_eq!(Call::shell("ls").comes_to(&policy), Decision::Ask);
    let of = |tool| Call::new(tool, json!({"file_path": "a"}));
    assert_eq!(
        of("glob").in_mode(Mode::Yolo).comes_to(&policy),
        Decision::Allow
    );
    assert_eq!(of("read_file").comes_to(&policy), Decision::Deny);
    assert_eq!(
        of("read_file").in_mode(Mode::Yolo).comes_to(&policy),
        Decision::Allow
    );
}

#[test]
fn what_is_shut_is_not_opened_by_an_extension_that_asks_about_it() {
    let text = "[[rule]]\ntoolName = 'run_shell_command'\ndecision = 'ask_user'\npriority = 999\n";
    let rules = shipped(&places());
    let (policy, _) = policy_of(&[(Tier::Extension, text)], rules.clone());
    let plan = || Call::shell("rm -rf x").in_mode(Mode::Plan);
    assert_eq!(plan().comes_to(&policy), Decision::Deny);
    assert_eq!(
        Call::shell("rm -rf x")
            .in_mode(Mode::Yolo)
            .comes_to(&policy),
        Decision::Ask,
        "what is open it may ask about"
    );
    let (of_user, _) = policy_of(&[(Tier::User, text)], rules);
    assert_eq!(plan().comes_to(&of_user), Decision::Ask, "the user may");
}

/// A field of a rule, sound or not.
fn field() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "argsPattern = '('",
        "argsPattern = 'x'",
        "argsPattern = 3",
        "pathPattern = 'a/..'",
        "pathPattern = 'src/**'",
        "commandPrefix = ''",
        "commandPrefix = 'ls'",
        "commandRegex = '(?!x)'",
        "modes = ['x']",
        "modes = ['yolo']",
        "subagent = ''",
        "subagent = 's'",
        "mcpName = 1",
        "interactive = 'x'",
        "interactive = false",
        "toolAnnotations = 1",
        "unknown = 1",
        "denyMessage = 'x'",
        "allowRedirection = true",
    ])
    .prop_map(str::to_owned)
}

fn some_rule() -> impl Strategy<Value = String> {
    let tool = prop::sample::select(vec!["'*'", "'t'", "'run_shell_command'", "[]", "1"]);
    let decision = prop::sample::select(vec!["allow", "deny", "ask_user", "no"]);
    let priority = prop::sample::select(vec!["1", "500", "999", "1000", "'x'"]);
    (
        tool,
        decision,
        priority,
        prop::collection::btree_set(field(), 0..3),
    )
        .prop_map(|(tool, decision, priority, fields)| {
            let mut keys: Vec<String> = Vec::new();
            let fields = fields.into_iter().filter(|field| {
                let key = field.split(' ').next().unwrap().to_owned();
                let is_new = !keys.contains(&key);
                keys.push(key);
                is_new
            });
            let fields: Vec<_> = fields.collect();
            format!(
                "[[rule]]\ntoolName = {tool}\ndecision = '{decision}'\npriority = {priority}\n{}\n",
                fields.join("\n")
            )
        })
}

/// Calls of several kinds.
fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for mode in Mode::ALL {
        calls.push(Call::new("t", json!({"file_path": "src/x"})).in_mode(mode));
        calls.push(Call::shell("ls").in_mode(mode));
        calls.push(Call::shell("ls > x; $y").in_mode(mode));
        let mut agents = Call::new("read_file", json!({"file_path": "src/x"})).in_mode(mode);
        agents.subagent = Some("s");
        agents.is_interactive = false;
        calls.push(agents);
    }
    calls
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_text_is_read_without_harm(text in "(?s).{0,300}", toml in r#"[\[\]a-zA-Z='"\\{}\n ,.#0-9]{0,200}"#) {
        for text in [text, toml] {
            let _ = policy_of(&[(Tier::User, &text)], Vec::new());
        }
    }

    /// Whatever stands in a rule that cannot be understood: with it, nothing is allowed that was not without it.
    #[test]
    fn a_rule_that_is_not_understood_allows_nothing(bad in some_rule(), good in prop::collection::vec(some_rule(), 0..4)) {
        let (bad_rules, problems) = {
            let places = places();
            let reading = Reading { tier: Tier::User, file: "x", places: &places };
            read(&bad, &reading)
        };
        prop_assume!(problems.iter().any(|it| it.code == &codes::BAD_RULE));
        let without = policy(&good.iter().map(|text| (Tier::User, text.as_str())).collect::<Vec<_>>());
        let mut rules = without.rules().to_vec();
        rules.extend(bad_rules);
        let with = Policy::new(rules, &places());
        for call in calls() {
            prop_assert!(call.comes_to(&with) >= call.comes_to(&without), "{bad}");
        }
    }

    /// Breaking any one line of a rule that denies never lets anything through.
    #[test]
    fn a_broken_denial_still_denies(rule in some_rule(), at in 0usize..8, junk in r"[^\n'\\#]{0,6}") {
        let sound = rule.replace("'no'", "'deny'").replace("'allow'", "'deny'").replace("'ask_user'", "'deny'");
        let mut lines: Vec<String> = sound.lines().map(str::to_owned).collect();
        let at = at % lines.len();
        if let Some((key, _)) = lines[at].clone().split_once(" = ") {
            lines[at] = format!("{key} = '{junk}('");
        } else {
            lines[at].push_str(&junk);
        }
        let is_message = lines[at].starts_with("denyMessage");
        // A name that was changed is another tool, and a decision another one only if it is a word of ours.
        prop_assume!(!lines[at].starts_with("toolName") && !is_message);
        let (before, after) = (policy(&[(Tier::User, &sound)]), policy(&[(Tier::User, &lines.join("\n"))]));
        for call in calls() {
            let was_denied = call.comes_to(&before) == Decision::Deny;
            // A pattern that is sound can fit something else; one with a lone parenthesis never is, unless that is escaped
            // or commented out.
            if was_denied && !lines[at].starts_with("pathPattern") && !lines[at].starts_with("commandPrefix")
                && !lines[at].starts_with("subagent") && !lines[at].starts_with("mcpName")
            {
                prop_assert!(call.comes_to(&after) > Decision::Allow, "{sound}\n→ {}", lines.join("\n"));
            }
        }
    }
}
