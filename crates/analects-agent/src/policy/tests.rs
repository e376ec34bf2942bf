//! Decisions, as tables.

mod bad;
mod control_files;
mod paths;
mod ranks;
mod shells;

use std::fmt::Write as _;

use analects_testkit::show_problems;
use analects_text::problem::Problem;
use expect_test::{Expect, expect};
use serde_json::{Map, Value, json};

use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn places() -> Places {
    Places {
        project: path("/w"),
        home: path("/h"),
        plans: path("/h/.gemini/tmp/app/plans"),
    }
}

/// Our own rules, and those of these files.
fn policy(files: &[(Tier, &str)]) -> Policy {
    policy_of(files, shipped(&places())).0
}

fn policy_of(files: &[(Tier, &str)], mut rules: Vec<Rule>) -> (Policy, Vec<Problem>) {
    let mut problems = Vec::new();
    for (tier, text) in files {
        let file = format!("{}.toml", tier.as_str());
        let places = places();
        let reading = Reading {
            tier: *tier,
            file: &file,
            places: &places,
        };
        let (more, found) = read(text, &reading);
        rules.extend(more);
        problems.extend(found);
    }
    (Policy::new(rules, &places()), problems)
}

/// A call, as tests write it.
struct Call {
    tool: &'static str,
    args: Value,
    paths: Vec<AbsPath>,
    subagent: Option<&'static str>,
    server: Option<&'static str>,
    annotations: Map<String, Value>,
    mode: Mode,
    is_interactive: bool,
}

impl Call {
    fn new(tool: &'static str, args: Value) -> Self {
        let given = ["file_path", "dir_path"].iter();
        let paths = given.filter_map(|name| Some(places().project.join(args.get(name)?.as_str()?)));
        Self {
            tool,
            paths: paths.collect(),
            args,
            subagent: None,
            server: None,
            annotations: Map::new(),
            mode: Mode::Default,
            is_interactive: true,
        }
    }

    fn shell(command: &str) -> Self {
        Self::new("run_shell_command", json!({ "command": command }))
    }

    fn write(file_path: &str, content: &str) -> Self {
        Self::new(
            "write_file",
            json!({"file_path": file_path, "content": content}),
        )
    }

    fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    fn decide(&self, policy: &Policy) -> Verdict {
        decide(
            policy,
            &Asked {
                tool: self.tool,
                args: &self.args,
                paths: &self.paths,
                command: self.args.get("command").and_then(Value::as_str),
                subagent: self.subagent,
                mcp_server: self.server,
                annotations: Some(&self.annotations),
                mode: self.mode,
                is_interactive: self.is_interactive,
            },
        )
    }

    fn comes_to(&self, policy: &Policy) -> Decision {
        self.decide(policy).decision
    }
}

#[test]
fn what_our_own_rules_say() {
    type Make = fn() -> Call;
    let calls: [(&str, Make); 14] = [
        ("read_file", || {
            Call::new("read_file", json!({"file_path": "a.rs"}))
        }),
        ("read_many_files", || {
            Call::new("read_many_files", json!({"include": ["**"]}))
        }),
        ("list_directory", || {
            Call::new("list_directory", json!({"dir_path": "."}))
        }),
        ("glob", || Call::new("glob", json!({"pattern": "*"}))),
        ("grep_search", || {
            Call::new("grep_search", json!({"pattern": "x"}))
        }),
        ("write_file a.rs", || Call::write("a.rs", "")),
        ("write_file .gemini/x", || {
            Call::write(".gemini/policies/a.toml", "")
        }),
        ("write_file plan", || {
            Call::write("/h/.gemini/tmp/app/plans/p.md", "")
        }),
        ("write_file plan.sh", || {
            Call::write("/h/.gemini/tmp/app/plans/p.sh", "")
        }),
        ("replace .git/hooks", || {
            Call::new("replace", json!({"file_path": ".git/hooks/x"}))
        }),
        ("run_shell_command", || Call::shell("ls > x")),
        ("save_memory", || {
            Call::new("save_memory", json!({"fact": "x"}))
        }),
        ("ask_user", || Call::new("ask_user", json!({}))),
        ("mcp_x_read_file", || {
            Call::new("mcp_x_read_file", json!({}))
        }),
    ];
    let policy = policy(&[]);
    let mut table =
        String::from("                     | default     | auto-edit   | yolo        | plan\n");
    for (name, call) in calls {
        write!(table, "{name:20}").unwrap();
        for mode in Mode::ALL {
            let mut call = call();
            call.mode = mode;
            let with = call.comes_to(&policy);
            call.is_interactive = false;
            let without = call.comes_to(&policy);
            let short = |decision| match decision {
                Decision::Allow => "allow",
                Decision::Ask => "ask",
                Decision::Deny => "deny",
            };
            write!(table, " | {:5} {:5}", short(with), short(without)).unwrap();
        }
        table.push('\n');
    }
    expect![[r#"
                             | default     | auto-edit   | yolo        | plan
        read_file            | allow allow | allow allow | allow allow | allow allow
        read_many_files      | allow allow | allow allow | allow allow | allow allow
        list_directory       | allow allow | allow allow | allow allow | allow allow
        glob                 | allow allow | allow allow | allow allow | allow allow
        grep_search          | allow allow | allow allow | allow allow | allow allow
        write_file a.rs      | ask   deny  | allow allow | allow allow | deny  deny 
        write_file .gemini/x | ask   deny  | ask   deny  | allow allow | deny  deny 
        write_file plan      | ask   deny  | ask   deny  | allow allow | allow allow
        write_file plan.sh   | ask   deny  | ask   deny  | allow allow | deny  deny 
        replace .git/hooks   | ask   deny  | ask   deny  | allow allow | deny  deny 
        run_shell_command    | ask   deny  | ask   deny  | allow allow | deny  deny 
        save_memory          | allow allow | allow allow | allow allow | deny  deny 
        ask_user             | allow deny  | allow deny  | allow deny  | allow deny 
        mcp_x_read_file      | ask   deny  | ask   deny  | allow allow | deny  deny 
    "#]]
    .assert_eq(&table);
}

#[test]
fn what_is_told_when_it_is_not_done() {
    let policy = policy(&[(
        Tier::User,
        "[[rule]]\ntoolName = 'a'\ndecision = 'deny'\npriority = 1\n\
         [[rule]]\ntoolName = 'b'\ndecision = 'deny'\npriority = 1\ndenyMessage = \"Use c.\\nNow \\u001b[31m\\u200b\"\n\
         [[rule]]\ntoolName = 'c'\ndecision = 'ask_user'\npriority = 1\n",
    )]);
    let mut told = String::new();
    let headless = |mut call: Call| {
        call.is_interactive = false;
        call
    };
    for call in [
        Call::new("a", json!({})),
        Call::new("b", json!({})),
        Call::new("c", json!({})),
        Call::new("nobody_knows\u{1b}", json!({})),
        Call::write("x", "").in_mode(Mode::Plan),
        Call::shell("ls").in_mode(Mode::Plan),
        Call::write(".git/x", ""),
        headless(Call::write("x", "")),
        headless(Call::write(".git/x", "")),
        headless(Call::new("c", json!({}))),
        headless(Call::shell("ls")),
        headless(Call::new("ask_user", json!({}))),
        headless(Call::new("nobody_knows\u{1b}", json!({}))),
    ] {
        let verdict = call.decide(&policy);
        let rule = verdict
            .rule
            .map(|rule| format!("{} {rule} {}", rule.tier.as_str(), rule.priority));
        let rule = rule.as_deref().unwrap_or("no rule");
        writeln!(
            told,
            "{:?} by {rule}: {}",
            verdict.decision, verdict.message
        )
        .unwrap();
    }
    expect![[r#"
        Deny by user user.toml:1 1: A rule does not allow this: user.toml:1. Do not try to do the same in another way.
        Deny by user user.toml:5 1: Use c. Now [31m (Rule: user.toml:5.)
        Ask by user user.toml:10 1: A rule wants this to be asked for: user.toml:10.
        Ask by no rule: 
        Deny by default shipped/plan.toml:10 65: This is plan mode: only a Markdown file in the folder of plans can be written.
        Deny by default shipped/plan.toml:3 60: This is plan mode: read, search and ask, and write the plan. Nothing else is done before the plan is agreed on.
        Ask by default shipped/control files 20: Git runs or obeys this file.
        Deny by default shipped/write.toml:3 10: `write_file` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode auto-edit`, or with a rule in `~/.gemini/policies/*.toml`.
        Deny by default shipped/control files 20: Git runs or obeys this file. `write_file` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode yolo`, or with a rule in `~/.gemini/policies/*.toml`.
        Deny by user user.toml:10 1: `c` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it by changing the rule that wants it, user.toml:10.
        Deny by default shipped/write.toml:16 10: `run_shell_command` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode yolo`, or with a rule in `~/.gemini/policies/*.toml`.
        Deny by default shipped/read.toml:21 999: Nobody is there to answer. Decide what is most likely wanted, and say in your answer what you assumed.
        Deny by no rule: `nobody_knows\u{1b}` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode yolo`, or with a rule in `~/.gemini/policies/*.toml`.
    "#]].assert_eq(&told);
}

#[test]
fn modes_have_several_spellings() {
    for name in ["autoEdit", "auto_edit", "auto-edit"] {
        assert_eq!(Mode::named(name), Some(Mode::AutoEdit));
    }
    for mode in Mode::ALL {
        assert_eq!(Mode::named(mode.as_str()), Some(mode));
    }
    assert_eq!(Mode::named("Yolo"), None);
}

/// The problems of a file.
fn check(tier: Tier, text: &str, expected: Expect) {
    let (_, problems) = policy_of(&[(tier, text)], Vec::new());
    expected.assert_eq(&show_problems(&problems));
}
