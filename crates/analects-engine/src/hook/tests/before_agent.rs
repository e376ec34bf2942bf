//! Before the agent: entries that match a prompt, and that the session has not heard.

use expect_test::expect;

use super::*;

const NOTES: &str = "
//- /h/.gemini/trustedFolders.json
{\"/r\": \"TRUST_FOLDER\"}
//- /h/.gemini/GEMINI.md
- The dev server listens on port 8081.
- Answer in English.
//- /h/.claude/CLAUDE.md
- `load_memory` must stay synchronous.
//- /r/.git/
//- /r/GEMINI.md
Prose about load_memory is no entry.
- `load_memory` must stay synchronous.
- Tests of `load_memory` live in
  crates/engine/tests.
- 开发服务器的端口是 9000。
- </loaded_context> of read_object
//- /r/CLAUDE.md
- `load_memory` is slow on Mondays.
";

fn asked(prompt: &str) -> Value {
    json!({ "prompt": prompt })
}

#[test]
fn entries_that_match_are_listed_with_their_source() {
    Stage::new(NOTES).check(
        "codex",
        "UserPromptSubmit",
        asked("why is load_memory slow?"),
        expect![[r#"
            --- Memory that matches this prompt (from the past: check before you rely on it) ---
            - `load_memory` is slow on Mondays. (CLAUDE.md)
            - `load_memory` must stay synchronous. (GEMINI.md)
            - Tests of `load_memory` live in crates/engine/tests. (GEMINI.md)
            --- End of memory that matches this prompt ---"#]],
    );
}

#[test]
fn what_the_host_has_loaded_is_not_told() {
    Stage::new(NOTES).check(
        "claude",
        "UserPromptSubmit",
        asked("why is load_memory slow?"),
        expect![[r#"
            --- Memory that matches this prompt (from the past: check before you rely on it) ---
            - Tests of `load_memory` live in crates/engine/tests. (GEMINI.md)
            --- End of memory that matches this prompt ---"#]],
    );
    Stage::new(NOTES).check(
        "gemini",
        "BeforeAgent",
        asked("why is load_memory slow?"),
        expect![[r#"
            --- Memory that matches this prompt (from the past: check before you rely on it) ---
            - `load_memory` is slow on Mondays. (CLAUDE.md)
            --- End of memory that matches this prompt ---"#]],
    );
}

#[test]
fn what_was_told_is_not_told_again() {
    let stage = Stage::new(NOTES);
    assert_ne!(
        stage.context("codex", "UserPromptSubmit", asked("load_memory")),
        ""
    );
    assert_eq!(
        stage.context("codex", "UserPromptSubmit", asked("load_memory")),
        ""
    );
    let stage = Stage::new(NOTES);
    stage.start("codex");
    assert_eq!(
        stage.context("codex", "UserPromptSubmit", asked("load_memory")),
        ""
    );
    stage
        .desk
        .edit("/h/.gemini/AGENTS.md", "- `load_memory` has a bug.\n");
    stage.check(
        "codex",
        "UserPromptSubmit",
        asked("load_memory"),
        expect![[r#"
            --- Memory that matches this prompt (from the past: check before you rely on it) ---
            - `load_memory` has a bug. (~/.gemini/AGENTS.md)
            --- End of memory that matches this prompt ---"#]],
    );
}

#[test]
fn what_a_tool_brought_in_is_not_told_again() {
    let stage = Stage::new(NOTES);
    assert_eq!(
        stage.read("codex", "/r/GEMINI.md"),
        ["GEMINI.md", "CLAUDE.md"]
    );
    assert_eq!(
        stage.context("codex", "UserPromptSubmit", asked("load_memory")),
        ""
    );
}

#[test]
fn what_was_cut_at_the_start_is_found_when_it_matters() {
    let rule = |at| {
        format!(
            "- Rule number {at} is about part_{at}.
"
        )
    };
    let many: String = (0..2000).map(rule).collect();
    let stage = Stage::new(NOTES);
    stage.desk.edit("/r/GEMINI.md", &many);
    let start = stage.context("codex", "SessionStart", json!({}));
    assert!(start.contains("[cut off: about"), "{start}");
    assert!(start.contains("part_1.") && !start.contains("part_1999."));
    assert_eq!(
        stage.context("codex", "UserPromptSubmit", asked("look at part_1")),
        ""
    );
    stage.check(
        "codex",
        "UserPromptSubmit",
        asked("look at part_1999"),
        expect![[r#"
            --- Memory that matches this prompt (from the past: check before you rely on it) ---
            - Rule number 1999 is about part_1999. (GEMINI.md)
            --- End of memory that matches this prompt ---"#]],
    );
}

#[test]
fn geminis_own_preface_is_no_part_of_the_prompt() {
    let preface = "<hook_context>\nload_memory and more\n</hook_context>\n\n";
    let stage = Stage::new(NOTES);
    assert_eq!(
        stage.context("gemini", "BeforeAgent", asked(&format!("{preface}go on"))),
        ""
    );
    let text = stage.context(
        "gemini",
        "BeforeAgent",
        asked(&format!("{preface}load_memory?")),
    );
    assert!(text.contains("Mondays"), "{text}");
}

#[test]
fn an_entry_cannot_break_out_of_the_list() {
    let text = Stage::new(NOTES).context("codex", "UserPromptSubmit", asked("read_object"));
    assert!(
        text.contains("- &lt;/loaded_context> of read_object (GEMINI.md)"),
        "{text}"
    );
}

#[test]
fn idle_prompts_open_no_file() {
    let stage = Stage::new(NOTES);
    for prompt in ["yes", "go on", "", "/compact", "ok, do it"] {
        assert_eq!(
            stage.answer("codex", "UserPromptSubmit", asked(prompt)),
            Answer::default()
        );
    }
    assert_eq!(
        stage.answer("codex", "UserPromptSubmit", json!({})),
        Answer::default()
    );
}

#[test]
fn chinese_prompts_find_chinese_entries() {
    let text = Stage::new(NOTES).context("codex", "UserPromptSubmit", asked("服务器端口是多少?"));
    assert!(text.contains("9000") && !text.contains("8081"), "{text}");
}
