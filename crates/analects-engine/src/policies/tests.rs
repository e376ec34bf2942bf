//! Gathered rules, on a world in memory.

use std::fmt::Write as _;

use analects_agent::policy::{Asked, Decision, decide};
use analects_testkit::{FakeDesk, show_problems, surroundings};
use expect_test::expect;
use serde_json::json;

use super::*;
use crate::load_memory::prepare;
use crate::verbs::Flags;

const ALLOW_LS: &str = "[[rule]]\ntoolName = 'run_shell_command'\ncommandPrefix = 'ls'\ndecision = 'allow'\npriority = 9\n";
const DENY_LS: &str = "[[rule]]\ntoolName = 'run_shell_command'\ncommandPrefix = 'ls'\ndecision = 'deny'\npriority = 1\n";

struct Case {
    desk: FakeDesk,
    cwd: &'static str,
    is_trusted: bool,
    vars: Vec<(&'static str, &'static str)>,
}

impl Case {
    fn new(tree: &str) -> Self {
        Self {
            desk: FakeDesk::parse(&format!("//- /w/.git/\n//- /w/src/\n{tree}")),
            cwd: "/w",
            is_trusted: true,
            vars: Vec::new(),
        }
    }

    fn untrusted(mut self) -> Self {
        self.is_trusted = false;
        self
    }

    fn with<T>(&self, work: impl FnOnce(&World<'_>, &Prepared) -> T) -> T {
        let around = surroundings(self.cwd, "/h", &self.vars);
        let world = self.desk.world(&around);
        let flags = Flags {
            trust: self.is_trusted,
            ..Flags::default()
        };
        work(&world, &prepare(&world, &flags).unwrap())
    }

    fn problems(&self) -> String {
        self.with(|world, prepared| {
            let plans = AbsPath::root().join("h/.gemini/tmp/w/plans");
            show_problems(&gather(world, prepared, &plans).1)
        })
    }

    /// What comes of a command line in a mode.
    fn runs(&self, command: &str, mode: Mode) -> Decision {
        let args = json!({ "command": command });
        self.comes_to("run_shell_command", &args, &[], mode)
    }

    fn uses(&self, tool: &str) -> Decision {
        self.comes_to(tool, &json!({}), &[], Mode::Default)
    }

    fn comes_to(
        &self,
        tool: &str,
        args: &serde_json::Value,
        paths: &[AbsPath],
        mode: Mode,
    ) -> Decision {
        self.with(|world, prepared| {
            let plans = AbsPath::root().join("h/.gemini/tmp/w/plans");
            let (policy, _) = gather(world, prepared, &plans);
            let asked = Asked {
                tool,
                args,
                paths,
                command: args.get("command").and_then(|it| it.as_str()),
                subagent: None,
                mcp_server: None,
                annotations: None,
                mode,
                is_interactive: true,
            };
            decide(&policy, &asked).decision
        })
    }

    fn mode(&self, wanted: Option<&str>) -> Result<(Mode, String), String> {
        self.with(|_, prepared| match mode(prepared, wanted) {
            Ok((mode, problems)) => Ok((mode, show_problems(&problems))),
            Err(failure) => Err(failure.message),
        })
    }
}

#[test]
fn rules_come_from_everywhere_and_the_strongest_counts() {
    let all = [
        ("/w/.gemini/policies/a.toml", ALLOW_LS, DENY_LS),
        ("/h/.gemini/policies/a.toml", DENY_LS, ALLOW_LS),
        ("/etc/gemini-cli/policies/a.toml", ALLOW_LS, DENY_LS),
    ];
    let mut tree = String::new();
    let mut opposite = String::new();
    for (at, (file, text, other)) in all.into_iter().enumerate() {
        write!(tree, "//- {file}\n{text}").unwrap();
        write!(opposite, "//- {file}\n{other}").unwrap();
        let (one, two) = match at % 2 {
            0 => (Decision::Allow, Decision::Deny),
            _ => (Decision::Deny, Decision::Allow),
        };
        assert_eq!(Case::new(&tree).runs("ls", Mode::Default), one, "{file}");
        assert_eq!(
            Case::new(&opposite).runs("ls", Mode::Default),
            two,
            "{file}"
        );
    }
}

#[test]
fn a_project_that_is_not_trusted_says_nothing() {
    let tree = format!(
        "//- /w/.gemini/policies/a.toml\n{ALLOW_LS}//- /w/.gemini/policies/b.toml\n[\n\
         //- /w/.gemini/settings.json\n{{\"tools\": {{\"allowed\": [\"write_file\"]}}}}\n"
    );
    let case = Case::new(&tree).untrusted();
    assert_eq!(case.runs("ls", Mode::Default), Decision::Ask);
    assert_eq!(case.uses("write_file"), Decision::Ask);
    assert_eq!(case.problems(), "");
    let trusted = Case::new(&tree);
    assert_eq!(
        trusted.runs("ls", Mode::Default),
        Decision::Ask,
        "one of its files is bad"
    );
    assert_ne!(trusted.problems(), "");
}

#[test]
fn rules_lie_at_the_root_and_in_the_working_directory() {
    let tree = format!(
        "//- /w/.gemini/policies/a.toml\n{ALLOW_LS}//- /w/src/.gemini/policies/b.toml\n{DENY_LS}"
    );
    let mut case = Case::new(&tree);
    assert_eq!(case.runs("ls", Mode::Default), Decision::Allow);
    case.cwd = "/w/src";
    // Both are the project's; the one that allows ranks higher.
    assert_eq!(case.runs("ls", Mode::Default), Decision::Allow);
    assert_eq!(case.runs("sudo ls", Mode::Default), Decision::Deny);
}

#[test]
fn extensions_can_deny_but_not_allow() {
    let tree = |rule: &str, name: &str| {
        format!(
            "//- /h/.gemini/extensions/e/gemini-extension.json\n{{\"name\": \"{name}\"}}\n\
             //- /h/.gemini/extensions/e/policies/p.toml\n{rule}\
             //- /h/.gemini/settings.json\n{{\"extensions\": {{\"disabled\": [\"off\"]}}}}\n"
        )
    };
    let deny = "[[rule]]\ntoolName = 'read_file'\ndecision = 'deny'\npriority = 1\n";
    assert_eq!(
        Case::new(&tree(deny, "e")).uses("read_file"),
        Decision::Deny
    );
    assert_eq!(
        Case::new(&tree(deny, "off")).uses("read_file"),
        Decision::Allow
    );
    let allows = Case::new(&tree(ALLOW_LS, "e"));
    assert_eq!(allows.runs("ls", Mode::Default), Decision::Ask);
    expect![[r#"
        ! bad-rule: /h/.gemini/extensions/e/policies/p.toml:1: an extension may not allow anything; the rule is left out
    "#]]
    .assert_eq(&allows.problems());
}

#[test]
fn what_cannot_be_read_makes_things_stricter() {
    let cases = [
        (
            "//- /h/.gemini/policies/gone.toml -> nowhere\n",
            Decision::Ask,
        ),
        ("//- /h/.gemini/policies\nno directory\n", Decision::Ask),
        (
            "//- /w/.gemini/policies/out.toml -> /h/secret.toml\n//- /h/secret.toml\n",
            Decision::Ask,
        ),
        (
            "//- /etc/gemini-cli/policies/a.toml\n[[rule]\n",
            Decision::Deny,
        ),
        (
            "//- /h/.gemini/settings.json\n{\"tools\": {\"exclude\": 3}}\n",
            Decision::Ask,
        ),
        ("//- /w/.gemini/settings.json\n{\"tools\n", Decision::Ask),
        (
            "//- /h/.gemini/policies/a.txt\n[\n//- /h/.gemini/policies/b.toml/c\nx\n",
            Decision::Allow,
        ),
    ];
    let mut told = String::new();
    for (tree, comes_to) in cases {
        let case = Case::new(tree);
        assert_eq!(case.uses("read_file"), comes_to, "{tree}");
        told += &case.problems();
    }
    expect![[r#"
        ! bad-policy: /h/.gemini/policies/gone.toml: not found; nothing is done without asking until this is repaired
        ! bad-policy: /h/.gemini/policies: not a directory; nothing is done without asking until this is repaired
        ! bad-policy: /w/.gemini/policies/out.toml: a link that leads outside; nothing is done without asking until this is repaired
        ! bad-policy: /etc/gemini-cli/policies/a.toml:1: not valid TOML: unclosed array table, expected `]`; nothing is done until this is repaired
        ! bad-policy: /h/.gemini/settings.json:1: settings that could shut out tools make no sense; nothing is done without asking until this is repaired
        ! bad-policy: /w/.gemini/settings.json:1: settings that could shut out tools make no sense; nothing is done without asking until this is repaired
    "#]]
    .assert_eq(&told);
    let many: String = (0..65)
        .map(|at| format!("//- /h/.gemini/policies/{at}.toml\n\n"))
        .collect();
    assert_eq!(Case::new(&many).uses("read_file"), Decision::Ask);
}

#[test]
fn settings_are_rules_of_whoever_set_them() {
    let user = |text: &str| format!("//- /h/.gemini/settings.json\n{{\"tools\": {text}}}\n");
    let project = |text: &str| format!("//- /w/.gemini/settings.json\n{{\"tools\": {text}}}\n");
    let allowed = r#"{"allowed": ["run_shell_command(git status)", "write_file", "read_file(x)"]}"#;
    let case = Case::new(&user(allowed));
    assert_eq!(case.runs("git status -s", Mode::Default), Decision::Allow);
    assert_eq!(case.runs("git status; rm x", Mode::Default), Decision::Deny);
    assert_eq!(
        case.runs("rm x", Mode::Yolo),
        Decision::Deny,
        "as in the original"
    );
    assert_eq!(case.uses("write_file"), Decision::Allow);
    assert_eq!(case.uses("replace"), Decision::Ask);

    let excluded = r#"{"exclude": ["run_shell_command(rm)", "glob"], "confirmationRequired": ["list_directory"]}"#;
    let case = Case::new(&user(excluded));
    assert_eq!(case.runs("ls; rm x", Mode::Yolo), Decision::Deny);
    assert_eq!(case.runs("ls", Mode::Yolo), Decision::Allow);
    assert_eq!(case.uses("glob"), Decision::Deny);
    assert_eq!(case.uses("list_directory"), Decision::Ask);

    // A project cannot undo what the user said, in whichever order the files are merged.
    let undone = user(excluded)
        + &project(r#"{"allowed": ["glob", "run_shell_command(rm)"], "exclude": []}"#);
    assert_eq!(Case::new(&undone).uses("glob"), Decision::Deny);
    assert_eq!(
        Case::new(&undone).runs("rm x", Mode::Default),
        Decision::Deny
    );
    // Nor what it said in a file of rules, even where the administrator adds to the same list.
    let ask = "[[rule]]\ntoolName = 'write_file'\ndecision = 'ask_user'\npriority = 0\n";
    let merged = project(r#"{"allowed": ["write_file"]}"#)
        + "//- /etc/gemini-cli/settings.json\n{\"tools\": {\"allowed\": [\"glob\"]}}\n";
    assert_eq!(Case::new(&merged).uses("write_file"), Decision::Allow);
    let merged = merged + "//- /h/.gemini/policies/a.toml\n" + ask;
    assert_eq!(Case::new(&merged).uses("write_file"), Decision::Ask);

    let core = Case::new(&user(r#"{"core": ["read_file"]}"#));
    assert_eq!(core.uses("read_file"), Decision::Allow);
    assert_eq!(core.uses("glob"), Decision::Deny);
    let wider = user(r#"{"core": ["read_file"]}"#) + &project(r#"{"core": ["glob"]}"#);
    assert_eq!(Case::new(&wider).uses("glob"), Decision::Deny);
    assert_eq!(
        Case::new(&user(r#"{"core": []}"#)).uses("glob"),
        Decision::Deny
    );
    let narrower = Case::new(&project(r#"{"core": ["glob"]}"#));
    assert_eq!(narrower.uses("glob"), Decision::Allow);
    assert_eq!(narrower.uses("read_file"), Decision::Deny);
    let empty = Case::new(&user(
        r#"{"exclude": ["run_shell_command()"], "allowed": ["run_shell_command( )"]}"#,
    ));
    assert_eq!(empty.runs("ls", Mode::Yolo), Decision::Deny);
}

#[test]
fn plans_are_written_where_they_really_lie() {
    let case = Case::new("//- /h/.gemini/tmp/w/plans -> /data/plans\n//- /data/plans/x.md\n");
    let write = |path: &str| {
        let paths = [AbsPath::root().join(path)];
        case.comes_to(
            "write_file",
            &json!({ "file_path": path }),
            &paths,
            Mode::Plan,
        )
    };
    assert_eq!(write("/data/plans/p.md"), Decision::Allow);
    assert_eq!(write("/data/plans/p.sh"), Decision::Deny);
    assert_eq!(write("/data/p.md"), Decision::Deny);
    assert_eq!(write("/w/p.md"), Decision::Deny);
}

#[test]
fn a_mode_is_wanted_or_set_and_a_project_cannot_make_it_laxer() {
    let user = |mode: &str| {
        format!(
            "//- /h/.gemini/settings.json\n{{\"general\": {{\"defaultApprovalMode\": \"{mode}\"}}}}\n"
        )
    };
    let project = |mode: &str| user(mode).replace("/h/", "/w/");
    let mode_of = |case: &Case, wanted| case.mode(wanted).unwrap().0;
    assert_eq!(mode_of(&Case::new(""), None), Mode::Default);
    assert_eq!(mode_of(&Case::new(""), Some("yolo")), Mode::Yolo);
    assert_eq!(
        mode_of(&Case::new(&user("auto_edit")), None),
        Mode::AutoEdit
    );
    assert_eq!(
        mode_of(&Case::new(&user("auto_edit")), Some("plan")),
        Mode::Plan
    );
    assert_eq!(mode_of(&Case::new(&user("yolo")), None), Mode::Default);
    assert_eq!(mode_of(&Case::new(&project("plan")), None), Mode::Plan);
    assert_eq!(
        mode_of(&Case::new(&(user("auto_edit") + &project("default"))), None),
        Mode::Default
    );
    let (mode, told) = Case::new(&project("auto_edit")).mode(None).unwrap();
    assert_eq!(mode, Mode::Default);
    assert_eq!(told, "", "the settings say what a project may not set");
    assert_eq!(
        mode_of(&Case::new(&(user("plan") + &project("default"))), None),
        Mode::Plan
    );
    assert_eq!(
        mode_of(&Case::new("").untrusted(), Some("yolo")),
        Mode::Default
    );
    assert_eq!(
        mode_of(&Case::new("").untrusted(), Some("plan")),
        Mode::Plan
    );
    assert_eq!(
        Case::new("").mode(Some("fast")),
        Err("there is no approval mode `fast`".to_owned())
    );
}

#[test]
fn yolo_can_be_switched_off() {
    let off = |value: &str| {
        format!(
            "//- /h/.gemini/settings.json\n{{\"security\": {{\"disableYoloMode\": {value}}}}}\n"
        )
    };
    assert!(Case::new(&off("true")).mode(Some("yolo")).is_err());
    assert!(
        Case::new(&off("\"yes\"")).mode(Some("yolo")).is_err(),
        "nobody knows what it means"
    );
    assert!(Case::new(&off("false")).mode(Some("yolo")).is_ok());
    assert!(Case::new(&off("true")).mode(Some("auto-edit")).is_ok());
    let by_project = off("true").replace("/h/", "/w/") + &off("true");
    let lifted = by_project.replacen("true", "false", 1);
    assert!(Case::new(&lifted).mode(Some("yolo")).is_err());
}

const LISTS: &str = "[tools.read]\nallow = ['/\\.gemini/']\n[tools.write]\nallow = ['\\.md$']\n";
const RULES: &str = "[[rule]]\nsubagent = 'save_memory'\ntoolName = ['write_file', 'replace']\ndecision = 'allow'\n\
                     priority = 100\nargsPattern = '(^|.*/)\\.gemini/.*\\.md\"'\n";

/// What an agent may still write of these, and what is wrong.
fn left(case: &Case) -> (Vec<&'static str>, String) {
    let paths = ["/w/GEMINI.md", "/w/.gemini/x.md", "/w/.gemini/x.json"];
    case.with(|world, prepared| {
        let (narrows, problems) = narrows(world, prepared, "save_memory");
        let lets = |path: &&str| {
            let mut narrows = narrows.iter();
            narrows.all(|narrow| narrow.lets_read(path) && narrow.lets_write(path))
        };
        let left = paths.into_iter().filter(lets).collect();
        (left, show_problems(&problems))
    })
}

#[test]
fn files_about_one_agent_narrow_what_it_was_given() {
    let all = vec!["/w/GEMINI.md", "/w/.gemini/x.md", "/w/.gemini/x.json"];
    assert_eq!(left(&Case::new("")), (all.clone(), String::new()));
    for dir in [
        "/h/.gemini/policies",
        "/w/.gemini/policies",
        "/etc/gemini-cli/policies",
    ] {
        for text in [LISTS, RULES] {
            let case = Case::new(&format!("//- {dir}/memory-manager.toml\n{text}"));
            assert_eq!(
                left(&case),
                (vec!["/w/.gemini/x.md"], String::new()),
                "{dir}"
            );
            assert_eq!(case.problems(), "", "{dir}");
        }
    }
    let tree = format!("//- /w/.gemini/policies/memory-manager.toml\n{LISTS}");
    assert_eq!(
        left(&Case::new(&tree).untrusted()).0,
        all,
        "a project that is not trusted says nothing"
    );
}

#[test]
fn a_file_about_one_agent_that_cannot_be_read_lets_nothing_through() {
    for entry in [
        "memory-manager.toml\n[tools.read",
        "memory-manager.toml -> /gone/../w",
        "memory-manager.toml/\n//- /x\n",
    ] {
        let case = Case::new(&format!("//- /h/.gemini/policies/{entry}\n"));
        let (left, problems) = left(&case);
        assert_eq!(left, [""; 0], "{entry}");
        assert!(problems.contains("bad-policy"), "{entry}: {problems}");
    }
}

#[test]
fn lists_for_an_agent_are_no_rules_for_others() {
    let lists = Case::new(&format!(
        "//- /h/.gemini/policies/memory-manager.toml\n{LISTS}"
    ));
    assert_eq!(lists.uses("read_file"), Decision::Allow);
    let elsewhere = Case::new(&format!("//- /h/.gemini/policies/other.toml\n{LISTS}"));
    assert_eq!(elsewhere.uses("read_file"), Decision::Ask);
    assert!(elsewhere.problems().contains("`tools` is unknown"));
    let rules = Case::new(&format!(
        "//- /h/.gemini/policies/memory-manager.toml\n{RULES}"
    ));
    let path = AbsPath::root().join("w/.gemini/x.md");
    let args = json!({"file_path": ".gemini/x.md", "content": "x"});
    let decision = rules.comes_to("write_file", &args, &[path], Mode::Default);
    assert_eq!(
        decision,
        Decision::Ask,
        "it allows one agent, and nobody else"
    );
}

#[test]
fn what_only_this_project_calls_a_control_file_is_asked_for_in_auto_edit() {
    let settings = r#"{"context": {"fileName": ["NOTES.md"]}}"#;
    let case = Case::new(&format!(
        "//- /w/.gemini/settings.json\n{settings}\n\
         //- /h/.gemini/settings.json\n{{\"context\": {{\"fileName\": [\"MINE.md\"]}}}}\n\
         //- /w/NOTES.md\n@docs/style.md\n//- /w/docs/style.md\nBe brief.\n//- /w/docs/other.md\nx\n\
         //- /w/.git/config\n[core]\n\thooksPath = tools/hooks\n\
         //- /w/.claude -> conf\n//- /w/conf/settings.json\n{{}}\n"
    ));
    let edits = |path: &str| {
        let args = json!({"file_path": path, "content": ""});
        let paths = [AbsPath::root().join("w").join(path)];
        case.comes_to("write_file", &args, &paths, Mode::AutoEdit)
    };
    for (path, comes_to) in [
        ("src/notes.md", Decision::Ask),
        ("MINE.md", Decision::Ask),
        ("GEMINI.md", Decision::Ask),
        ("docs/style.md", Decision::Ask),
        ("docs/other.md", Decision::Allow),
        ("tools/hooks/pre-commit", Decision::Ask),
        ("conf/settings.json", Decision::Ask),
        ("src/a.rs", Decision::Allow),
    ] {
        assert_eq!(edits(path), comes_to, "{path}");
    }
}

#[test]
fn a_project_that_allows_edits_by_its_rules_or_settings_does_not_open_its_control_files() {
    let rule = "[[rule]]\ntoolName = '*'\ndecision = 'allow'\npriority = 999\n";
    let tree = format!(
        "//- /w/.gemini/policies/a.toml\n{rule}//- /w/.gemini/settings.json\n\
         {{\"tools\": {{\"allowed\": [\"write_file\", \"replace\"], \"core\": [\"write_file\"]}}}}\n"
    );
    let case = Case::new(&tree);
    for mode in [Mode::Default, Mode::AutoEdit] {
        let edits = |path: &str| {
            let args = json!({"file_path": path, "content": ""});
            let paths = [AbsPath::root().join("w").join(path)];
            case.comes_to("write_file", &args, &paths, mode)
        };
        assert_eq!(edits("src/a.rs"), Decision::Allow);
        assert_eq!(edits("AGENTS.md"), Decision::Ask);
        assert_eq!(edits(".claude/settings.json"), Decision::Ask);
    }
}
