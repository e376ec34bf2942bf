//! Rules of every tier, asked about calls.

use analects_agent::policy::{
    Asked, Decision, Mode, Narrow, Places, Policy, Reading, Rule, Tier, decide, read, shipped,
};
use analects_text::problem::Problem;
use analects_text::shell_line::lex;
use analects_world::AbsPath;
use serde_json::{Value, json};

use crate::sheet::{Part, check_line, parts, text_of};

/// Rules that deny never make anything laxer, nor does anything that makes no sense; an extension never does.
pub fn policy(data: &[u8]) {
    let parts = parts(data);
    let (all, problems) = rules(&parts, |_| true);
    for (part, problem) in &problems {
        check_line(problem, &part.bytes);
    }
    let calls = calls(&text_of(&parts, "command"));
    let with = policy_of(all.clone());
    let (own, _) = rules(&parts, |tier| tier != Tier::Extension);
    let own = policy_of(own);
    let mut shuffled = all.clone();
    shuffled.reverse();
    let shuffled = policy_of(shuffled);
    let stricter = [
        // A denial, wherever it stands.
        policy_of(and(&all, Tier::Workspace, DENIAL)),
        policy_of(and(&all, Tier::Admin, DENIAL)),
        // A file that could have held anything.
        policy_of(and(&all, Tier::User, "[[rule]\n")),
        // The input itself, broken.
        policy_of(and(
            &all,
            Tier::Admin,
            &format!("{}\n[[", text_of(&parts, "user")),
        )),
    ];
    for call in &calls {
        for mode in Mode::ALL {
            let comes_to = |policy: &Policy| call.comes_to(policy, mode);
            let decision = comes_to(&with);
            assert_eq!(decision, comes_to(&shuffled), "the order of files decides");
            assert!(decision >= comes_to(&own), "an extension makes it laxer");
            for stricter in &stricter {
                assert!(comes_to(stricter) >= decision, "{call:?} in {mode:?}");
            }
        }
    }
    longer_lines(&with, &text_of(&parts, "command"));
    narrowed(&text_of(&parts, "narrow"));
}

/// A rule that denies.
const DENIAL: &str = "[[rule]]\ntoolName = 'run_shell_command'\ncommandPrefix = 'git'\ndecision = 'deny'\npriority = 500\n";

fn places() -> Places {
    let path = |path| AbsPath::new(path).unwrap();
    Places {
        project: path("/w"),
        home: path("/h"),
        plans: path("/h/.gemini/tmp/app/plans"),
    }
}

fn policy_of(rules: Vec<Rule>) -> Policy {
    Policy::new(rules, &places())
}

/// Our own rules and those of an input, with what is wrong with them.
fn rules(parts: &[Part], is_wanted: impl Fn(Tier) -> bool) -> (Vec<Rule>, Vec<(&Part, Problem)>) {
    let mut rules = shipped(&places());
    let mut problems = Vec::new();
    for part in parts {
        let tier = match part.name.as_str() {
            "" | "user" => Tier::User,
            "project" => Tier::Workspace,
            "extension" => Tier::Extension,
            "admin" => Tier::Admin,
            _ => continue,
        };
        if is_wanted(tier) {
            let (more, found) = read_as(tier, &part.text());
            rules.extend(more);
            problems.extend(found.into_iter().map(|problem| (part, problem)));
        }
    }
    (rules, problems)
}

fn read_as(tier: Tier, text: &str) -> (Vec<Rule>, Vec<Problem>) {
    let places = places();
    let reading = Reading {
        tier,
        file: "x.toml",
        places: &places,
    };
    read(text, &reading)
}

fn and(rules: &[Rule], tier: Tier, text: &str) -> Vec<Rule> {
    let mut rules = rules.to_vec();
    rules.extend(read_as(tier, text).0);
    rules
}

/// A call of a tool.
#[derive(Debug)]
struct Call {
    tool: &'static str,
    args: Value,
    paths: Vec<AbsPath>,
    subagent: Option<&'static str>,
    server: Option<&'static str>,
}

impl Call {
    fn new(tool: &'static str, args: Value) -> Self {
        let path = args.get("file_path").and_then(Value::as_str);
        let paths = path.map(|path| places().project.join(path));
        Self {
            tool,
            paths: paths.into_iter().collect(),
            args,
            subagent: None,
            server: None,
        }
    }

    fn comes_to(&self, policy: &Policy, mode: Mode) -> Decision {
        let asked = Asked {
            tool: self.tool,
            args: &self.args,
            paths: &self.paths,
            command: self.args.get("command").and_then(Value::as_str),
            subagent: self.subagent,
            mcp_server: self.server,
            annotations: None,
            mode,
            is_interactive: true,
        };
        let verdict = decide(policy, &asked);
        let is_silent = verdict.message.is_empty();
        match verdict.decision {
            Decision::Allow => assert!(is_silent, "{verdict:?}"),
            Decision::Ask => {}
            Decision::Deny => assert!(!is_silent, "nobody says why: {verdict:?}"),
        }
        verdict.decision
    }
}

fn calls(command: &str) -> Vec<Call> {
    let mut calls: Vec<_> = ["git status", "rm -rf /", command]
        .map(|line| Call::new("run_shell_command", json!({ "command": line })))
        .into();
    for path in ["src/lib.rs", ".git/hooks/x", "/etc/passwd"] {
        calls.push(Call::new("read_file", json!({ "file_path": path })));
        calls.push(Call {
            subagent: Some("scribe"),
            ..Call::new("write_file", json!({ "file_path": path, "content": "x" }))
        });
    }
    calls.push(Call {
        server: Some("box"),
        ..Call::new("mcp_box_open", json!({ "lid": true }))
    });
    calls
}

/// One more command makes a line no laxer.
fn longer_lines(policy: &Policy, line: &str) {
    let comes_to = |line: &str| {
        let call = Call::new("run_shell_command", json!({ "command": line }));
        call.comes_to(policy, Mode::Default)
    };
    let longer = format!("{line}; git status");
    if lex(line).is_ok() && lex(&longer).is_ok() {
        assert!(comes_to(&longer) >= comes_to(line), "{line:?}");
    }
}

/// What cannot be understood lets nothing through; one more denial lets no more through.
fn narrowed(text: &str) {
    let denial = "\n[[rule]]\nsubagent = 'scribe'\ntoolName = 'read_file'\nargsPattern = 'a'\ndecision = 'deny'\npriority = 1\n";
    let (narrow, problems) = Narrow::read(text, "scribe", "memory-manager.toml");
    let (stricter, _) = Narrow::read(&format!("{text}{denial}"), "scribe", "memory-manager.toml");
    for problem in &problems {
        check_line(problem, text.as_bytes());
    }
    for path in ["/w/a.md", "/h/.gemini/GEMINI.md", "/etc/b"] {
        assert!(narrow.lets_read(path) || !stricter.lets_read(path));
        assert!(narrow.lets_write(path) || !stricter.lets_write(path));
    }
}
