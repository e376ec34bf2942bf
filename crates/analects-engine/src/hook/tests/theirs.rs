//! What each host is known to load itself, so that nothing is loaded twice and nothing is lost.

use super::*;

#[test]
fn gemini_loads_the_names_in_its_settings() {
    let stage = Stage::new(TREE);
    assert_eq!(
        stage.start("gemini"),
        ["AGENTS.md", "CLAUDE.md", "api/AGENTS.md"]
    );
    let stage = Stage::new(TREE);
    let names = r#"{"context": {"fileName": ["AGENTS.md"]}}"#;
    stage.desk.edit("/h/.gemini/settings.json", names);
    assert_eq!(
        stage.start("gemini"),
        [""; 0],
        "our own names are `AGENTS.md` alone then, too"
    );
    stage.desk.edit(
        "/h/.gemini/analects.json",
        r#"{"context": {"fileName": ["CLAUDE.md"]}}"#,
    );
    assert_eq!(stage.start("gemini"), ["CLAUDE.md"]);
}

#[test]
fn gemini_loads_its_index_of_private_memory_and_we_the_rest() {
    let stage = Stage::new(TREE);
    stage
        .desk
        .edit("/h/.gemini/tmp/r/memory/GEMINI.md", "older notes");
    stage.desk.edit("/r/.gemini/memory/mine.md", "my notes");
    let told = stage.start("gemini");
    assert_eq!(
        told[..2],
        ["~/.gemini/tmp/r/memory/GEMINI.md", ".gemini/memory/mine.md"]
    );
}

#[test]
fn gemini_does_not_look_into_dot_gemini() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/r/.gemini/GEMINI.md", "hidden");
    assert!(
        stage
            .start("gemini")
            .contains(&".gemini/GEMINI.md".to_owned())
    );
}

#[test]
fn claude_reads_agents_md_where_there_is_no_claude_md() {
    let without = TREE.replace("//- /r/CLAUDE.md\nThink twice.\n", "");
    let is_told = |stage: &Stage| stage.start("claude").contains(&"AGENTS.md".to_owned());
    assert!(is_told(&Stage::new(TREE)));
    assert!(!is_told(&Stage::new(&without)));
    for above in ["/CLAUDE.md", "/r/.claude/CLAUDE.md", "/r/CLAUDE.local.md"] {
        let stage = Stage::new(&without);
        stage.desk.edit(above, "something else");
        assert!(is_told(&stage), "{above} stands in the way");
    }
}

#[test]
fn the_users_own_claude_md_is_no_projects() {
    let tree = TREE.replace("/r/", "/h/r/").replace("\"/r\"", "\"/h/r\"");
    let tree = tree.replace("//- /h/r/CLAUDE.md\nThink twice.\n", "");
    let stage = Stage::new(&tree);
    let told = stage.told("claude", "SessionStart", json!({"cwd": "/h/r"}));
    assert!(told.contains(&"GEMINI.md".to_owned()) && !told.contains(&"AGENTS.md".to_owned()));
}

#[test]
fn claude_can_be_told_what_to_read() {
    let without = TREE.replace("//- /r/CLAUDE.md\nThink twice.\n", "");
    let told = |tree: &str, choice: &str| {
        let stage = Stage::new(tree);
        let options = json!({"options": {"instructionFiles": choice}});
        let settings = json!({"pluginConfigs": {"agents-md@builtin": options}});
        stage
            .desk
            .edit("/h/.claude/settings.json", &settings.to_string());
        let told = stage.start("claude");
        ["AGENTS.md", "CLAUDE.md"].map(|name| told.contains(&name.to_owned()))
    };
    assert_eq!(told(&without, "claude-md"), [true, false]);
    assert_eq!(told(TREE, "claude-md-and-agents-md"), [false, false]);
    assert_eq!(told(TREE, "managed-only"), [true, true]);
    assert_eq!(told(TREE, "something new"), [true, false]);
    let mut stage = Stage::new(&without);
    stage
        .around
        .vars
        .insert("CLAUDE_CODE_USE_BEDROCK".to_owned(), "1".to_owned());
    assert!(stage.start("claude").contains(&"AGENTS.md".to_owned()));
}

#[test]
fn what_a_hosts_file_imports_is_there_if_the_host_imports() {
    let tree = TREE.replace("Think twice.", "@AGENTS.md");
    let stage = Stage::new(&tree);
    assert!(!stage.start("claude").contains(&"AGENTS.md".to_owned()));
    let text = stage.context("claude", "SessionStart", json!({}));
    assert!(!text.contains("Wrap at 100."), "{text}");
}

#[test]
fn a_copy_of_what_a_host_loads_is_left_out() {
    for (host, file) in [
        ("claude", "/h/.claude/CLAUDE.md"),
        ("codex", "/h/.codex/AGENTS.md"),
    ] {
        let stage = Stage::new(TREE);
        stage.desk.edit(file, "\n- Be brief.\n\n");
        assert!(
            !stage
                .start(host)
                .contains(&"~/.gemini/GEMINI.md".to_owned()),
            "{host}"
        );
    }
}

#[test]
fn codex_prefers_an_override_and_reads_one_file_a_directory() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/r/AGENTS.override.md", "Test last.");
    assert!(stage.start("codex").contains(&"AGENTS.md".to_owned()));
}

#[test]
fn what_codex_cuts_off_is_said_by_us() {
    let stage = Stage::new(TREE);
    stage.desk.edit(
        "/r/AGENTS.md",
        &format!("{}\nthe last rule\n", "x".repeat(33 * 1024)),
    );
    assert!(stage.start("codex").contains(&"AGENTS.md".to_owned()));
}

#[test]
fn a_home_elsewhere_is_found() {
    let mut stage = Stage::new(TREE);
    stage.desk.edit("/c/AGENTS.md", "- Be brief.");
    stage
        .around
        .vars
        .insert("CODEX_HOME".to_owned(), "/c".to_owned());
    assert!(
        !stage
            .start("codex")
            .contains(&"~/.gemini/GEMINI.md".to_owned())
    );
}
