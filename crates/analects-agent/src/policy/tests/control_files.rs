//! Control files are asked for wherever other edits are not, whatever a project's rules say.

use analects_testkit::{FakeFiles, Fixture};
use analects_world::Files;

use super::*;

const ALLOW_WRITES: &str =
    "[[rule]]\ntoolName = ['write_file', 'replace']\ndecision = 'allow'\npriority = 999\n";

const CONTROL_PATHS: [&str; 12] = [
    "AGENTS.md",
    "sub/CLAUDE.md",
    "GEMINI.md",
    ".claude/settings.json",
    ".mcp.json",
    ".codex/config.toml",
    ".agents/x.md",
    ".cursor/rules/x.mdc",
    ".github/copilot-instructions.md",
    ".git/hooks/pre-commit",
    ".husky/pre-push",
    ".VSCode/Tasks.json",
];

fn replace(file_path: &str) -> Call {
    Call::new(
        "replace",
        json!({"file_path": file_path, "old_string": "a", "new_string": "b"}),
    )
}

fn edit(call: Call) -> Call {
    call.in_mode(Mode::AutoEdit)
}

#[test]
fn auto_edit_asks_before_it_writes_a_control_file() {
    let policy = policy(&[]);
    for path in CONTROL_PATHS {
        for call in [edit(Call::write(path, "")), edit(replace(path))] {
            assert_eq!(call.comes_to(&policy), Decision::Ask, "{path}");
        }
    }
    let other = edit(Call::write("src/lib.rs", "AGENTS.md"));
    assert_eq!(other.comes_to(&policy), Decision::Allow);
}

#[test]
fn a_project_cannot_allow_writes_to_control_files_but_the_user_can() {
    let with = |tier: Tier| policy(&[(tier, ALLOW_WRITES)]);
    for path in CONTROL_PATHS {
        let call = edit(Call::write(path, ""));
        assert_eq!(
            call.comes_to(&with(Tier::Workspace)),
            Decision::Ask,
            "{path}"
        );
        assert_eq!(call.comes_to(&with(Tier::User)), Decision::Allow, "{path}");
        assert_eq!(call.comes_to(&with(Tier::Admin)), Decision::Allow, "{path}");
    }
    let narrow = "[[rule]]\ntoolName = 'write_file'\ndecision = 'allow'\npriority = 999\npathPattern = '.claude/**'\n";
    let call = edit(Call::write(".claude/a.md", ""));
    let by_project = policy(&[(Tier::Workspace, narrow)]);
    assert_eq!(call.comes_to(&by_project), Decision::Ask);
    let by_user = policy(&[(Tier::User, narrow)]);
    assert_eq!(call.comes_to(&by_user), Decision::Allow);
    // What the project may still open, and that it may still deny.
    let call = Call::write("src/lib.rs", "");
    assert_eq!(call.comes_to(&with(Tier::Workspace)), Decision::Allow);
    let deny = ALLOW_WRITES.replace("allow", "deny");
    let call = edit(Call::write("AGENTS.md", ""));
    assert_eq!(
        call.comes_to(&policy(&[(Tier::Workspace, &deny)])),
        Decision::Deny
    );
}

#[test]
fn yolo_writes_control_files_with_or_without_a_rule_of_the_project() {
    let call = Call::write(".claude/a.md", "").in_mode(Mode::Yolo);
    assert_eq!(call.comes_to(&policy(&[])), Decision::Allow);
    let by_project = policy(&[(Tier::Workspace, ALLOW_WRITES)]);
    assert_eq!(call.comes_to(&by_project), Decision::Allow);
}

#[test]
fn a_control_file_is_known_by_its_name_and_by_where_it_leads() {
    let disk = FakeFiles::new(&Fixture::parse(
        "//- /w/.claude -> conf\n//- /w/conf/settings.json\n//- /w/notes.md -> AGENTS.md\n//- /w/AGENTS.md\n\
         //- /w/plain.md -> src/a.md\n//- /w/src/a.md\n",
    ));
    let policy = policy(&[]);
    for (written, comes_to) in [
        (".claude/settings.json", Decision::Ask),
        ("notes.md", Decision::Ask),
        ("src/../AGENTS.md", Decision::Ask),
        ("/w/agents.md", Decision::Ask),
        ("plain.md", Decision::Allow),
        (".claude/../src/a.md", Decision::Allow),
    ] {
        let mut call = edit(Call::write(written, ""));
        let disk: &dyn Files = &disk;
        call.paths = vec![disk.real_or_same(&path("/w").join(written))];
        assert_eq!(call.comes_to(&policy), comes_to, "{written}");
    }
}

#[test]
fn configured_names_link_targets_and_hook_directories_count() {
    let mut files = ControlFiles::default();
    files.add_memory_name("NOTES.md");
    files.add_link_target(path("/w/conf"));
    files.add_hook_dir(path("/w/tools/hooks"));
    let mut rules = shipped(&places());
    rules.push(files.into_rule());
    let policy = Policy::new(rules, &places());
    for (written, comes_to) in [
        ("a/notes.MD", Decision::Ask),
        ("conf/settings.json", Decision::Ask),
        ("tools/hooks/pre-commit", Decision::Ask),
        ("tools/hooks.rs", Decision::Allow),
        ("confetti.rs", Decision::Allow),
        (".claude/a.md", Decision::Ask),
    ] {
        let call = edit(Call::write(written, ""));
        assert_eq!(call.comes_to(&policy), comes_to, "{written}");
    }
}

#[test]
fn a_refusal_says_why_the_file_is_protected() {
    let policy = policy(&[(Tier::Workspace, ALLOW_WRITES)]);
    let mut call = edit(Call::write(".claude/a.md", ""));
    let asked = call.decide(&policy);
    call.is_interactive = false;
    let refused = call.decide(&policy);
    expect![[r#"
        Ask: This file configures a coding agent: its permissions, servers, hooks or instructions.
        Deny: This file configures a coding agent: its permissions, servers, hooks or instructions. `write_file` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode yolo`, or with a rule in `~/.gemini/policies/*.toml`."#]]
    .assert_eq(&format!(
        "{:?}: {}\n{:?}: {}",
        asked.decision, asked.message, refused.decision, refused.message
    ));
}
