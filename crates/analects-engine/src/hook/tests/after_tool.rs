//! After a tool: the memory near what it touched, once.

use expect_test::expect;

use super::*;

#[test]
fn a_directory_speaks_when_it_is_touched() {
    let stage = Stage::new(TREE);
    stage.start("codex");
    stage.check(
        "codex",
        "PostToolUse",
        json!({"tool_name": "Bash", "tool_input": {"command": "cat api/v2/handler.rs"}}),
        expect![[r#"
            --- Newly Discovered Project Context ---
            --- Context from: api/v2/GEMINI.md ---
            Nothing is deprecated yet.
            --- End of Context from: api/v2/GEMINI.md ---

            --- Context from: api/v2/AGENTS.md ---
            Ask before you break it.
            --- End of Context from: api/v2/AGENTS.md ---
            --- End Project Context ---"#]],
    );
    assert_eq!(
        stage.read("codex", "api/v2/handler.rs"),
        [""; 0],
        "once is enough"
    );
}

fn read_handler(tool: &str) -> Value {
    json!({"tool_name": tool, "tool_input": {"file_path": "/r/api/v2/handler.rs"}})
}

#[test]
fn gemini_brings_in_its_own_names_itself() {
    let stage = Stage::new(TREE);
    stage.start("gemini");
    stage.check(
        "gemini",
        "AfterTool",
        read_handler("read_file"),
        expect![[r#"
        --- Newly Discovered Project Context ---
        --- Context from: api/v2/AGENTS.md ---
        Ask before you break it.
        --- End of Context from: api/v2/AGENTS.md ---
        --- End Project Context ---"#]],
    );
}

#[test]
fn claude_brings_in_its_own_names_itself() {
    let stage = Stage::new(TREE);
    stage.start("claude");
    stage
        .desk
        .edit("/r/api/v2/CLAUDE.md", "Claude brings this.");
    stage.check(
        "claude",
        "PostToolUse",
        read_handler("Read"),
        expect![[r#"
        --- Newly Discovered Project Context ---
        --- Context from: api/v2/GEMINI.md ---
        Nothing is deprecated yet.
        --- End of Context from: api/v2/GEMINI.md ---

        --- Context from: api/v2/AGENTS.md ---
        Ask before you break it.
        --- End of Context from: api/v2/AGENTS.md ---
        --- End Project Context ---"#]],
    );
}

#[test]
fn what_a_host_brings_in_after_its_file_tools_alone_is_told_after_others() {
    let shell =
        |tool| json!({"tool_name": tool, "tool_input": {"command": "cat api/v2/handler.rs"}});
    let own = |host: &str| {
        if host == "gemini" {
            "GEMINI.md"
        } else {
            "CLAUDE.md"
        }
    };
    for (host, other) in [
        ("gemini", shell("run_shell_command")),
        ("claude", shell("Bash")),
        ("claude", read_handler("Write")),
    ] {
        let stage = Stage::new(TREE);
        stage.desk.edit("/r/api/v2/CLAUDE.md", "Claude knows.");
        stage.start(host);
        let file = format!("api/v2/{}", own(host));
        let told = stage.told(host, "after-tool", other.clone());
        assert!(told.contains(&file), "{host}, {other}: {told:?}");
        let again = stage.told(host, "after-tool", other);
        assert_eq!(again, [""; 0], "{host}: once is enough");
    }
}

#[test]
fn what_the_host_has_brought_in_is_not_told_after_the_shell() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/r/api/v2/CLAUDE.md", "Claude knows.");
    stage.start("claude");
    let told = stage.read("claude", "/r/api/v2/handler.rs");
    assert_eq!(told, ["api/v2/GEMINI.md", "api/v2/AGENTS.md"]);
    let shell = json!({"tool_name": "Bash", "tool_input": {"command": "cat api/v2/handler.rs"}});
    assert_eq!(stage.told("claude", "after-tool", shell.clone()), [""; 0]);
    stage.told("claude", "SessionStart", json!({"source": "compact"}));
    let after = stage.told("claude", "after-tool", shell);
    assert!(after.contains(&"api/v2/CLAUDE.md".to_owned()), "{after:?}");
}

#[test]
fn a_copy_of_what_the_host_brings_in_is_left_out_too() {
    let stage = Stage::new(TREE);
    stage.start("claude");
    stage
        .desk
        .edit("/r/api/v2/CLAUDE.md", "Ask before you break it.\n");
    assert_eq!(
        stage.read("claude", "/r/api/v2/handler.rs"),
        ["api/v2/GEMINI.md"]
    );
}

#[test]
fn an_edited_file_is_told_again_also_one_of_the_start() {
    let stage = Stage::new(TREE);
    stage.start("codex");
    stage.read("codex", "api/v2/handler.rs");
    stage
        .desk
        .edit("/r/api/v2/GEMINI.md", "All is deprecated.\n");
    stage.desk.edit("/r/GEMINI.md", "Use blanks.\n");
    let input = json!({"tool_name": "Bash", "tool_input": {"command": "cat api/v2/handler.rs"}});
    stage.check(
        "codex",
        "PostToolUse",
        input,
        expect![[r#"
        --- Newly Discovered Project Context ---
        --- Context from: GEMINI.md ---
        [changed since it was loaded]
        Use blanks.
        --- End of Context from: GEMINI.md ---

        --- Context from: api/v2/GEMINI.md ---
        [changed since it was loaded]
        All is deprecated.
        --- End of Context from: api/v2/GEMINI.md ---
        --- End Project Context ---"#]],
    );
}

#[test]
fn after_a_compaction_the_record_is_empty() {
    let stage = Stage::new(TREE);
    stage.start("codex");
    let first = stage.read("codex", "api/v2/handler.rs");
    stage.told("codex", "SessionStart", json!({"source": "compact"}));
    assert_eq!(stage.read("codex", "api/v2/handler.rs"), first);
}

#[test]
fn a_session_whose_start_was_not_told_hears_the_whole_way() {
    let way = [
        "GEMINI.md",
        "CLAUDE.md",
        "api/GEMINI.md",
        "api/AGENTS.md",
        "api/v2/GEMINI.md",
        "api/v2/AGENTS.md",
    ];
    assert_eq!(Stage::new(TREE).read("codex", "api/v2/handler.rs"), way);
}

#[test]
fn a_sub_agent_has_a_context_of_its_own() {
    let stage = Stage::new(TREE);
    stage.start("codex");
    let input =
        json!({"agent_id": "a1", "tool_name": "Bash", "tool_input": {"command": "ls api/v2"}});
    assert_eq!(stage.told("codex", "PostToolUse", input.clone()).len(), 6);
    assert_eq!(stage.told("codex", "PostToolUse", input), [""; 0]);
    assert_eq!(stage.read("codex", "api/v2/handler.rs").len(), 2);
}

#[test]
fn paths_outside_and_untrusted_folders_bring_nothing() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/other/GEMINI.md", "not yours");
    for path in [
        "/other/x",
        "/r/../other/x",
        "/h/.gemini/x",
        "/",
        "../other/x",
    ] {
        assert_eq!(stage.read("claude", path), [""; 0], "{path}");
    }
    let stage = Stage::new(&TREE.replace("TRUST_FOLDER", "DO_NOT_TRUST"));
    assert_eq!(stage.read("codex", "api/v2/handler.rs"), [""; 0]);
}

#[test]
fn without_a_session_a_tool_is_not_commented_on() {
    let stage = Stage::new(TREE);
    let input = json!({"session_id": null, "tool_input": {"file_path": "/r/api/v2/x"}});
    assert_eq!(stage.context("claude", "PostToolUse", input), "");
}

#[test]
fn another_hook_of_the_same_session_is_noticed() {
    // The second call sees the record of the first: nothing is said twice, whoever is faster.
    let stage = Stage::new(TREE);
    let first = stage.read("codex", "api/v2/handler.rs");
    let second = stage.read("codex", "api/v2/x");
    assert_eq!((first.len(), second.len()), (6, 0));
}
