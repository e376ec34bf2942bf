//! Nothing unbounded reaches a host, and what was cut says so.

use analects_text::tokens;
use proptest::prelude::*;

use super::*;

fn with(settings: &str, memory: &str) -> Stage {
    let stage = Stage::new(TREE);
    stage.desk.edit("/h/.gemini/analects.json", settings);
    stage.desk.edit("/r/GEMINI.md", memory);
    stage
}

#[test]
fn a_start_stays_in_its_budget_and_names_what_is_missing() {
    let long = "A rule of ours.\n".repeat(10_000);
    let stage = with("{}", &long);
    let text = stage.context("gemini", "SessionStart", json!({}));
    assert!(tokens::estimate(&text) < 8_000);
    let text = stage.context("claude", "SessionStart", json!({}));
    assert!((7_000..=10_000).contains(&text.len()), "{}", text.len());
    assert!(text.contains("[cut off: about"), "{text}");
    for whole in [
        "Be brief.",
        "My port is 8081.",
        "Test first.",
        "Version the API.",
    ] {
        assert!(text.contains(whole), "short files stay whole: {text}");
    }
}

#[test]
fn the_budget_can_be_set() {
    let long = "A rule of ours.\n".repeat(10_000);
    let text = with(r#"{"hook": {"sessionTokens": 1000}}"#, &long).context(
        "claude",
        "SessionStart",
        json!({}),
    );
    assert!((500..=1_000).contains(&tokens::estimate(&text)), "{text}");
    for too_small in [0, 50] {
        let settings =
            format!(r#"{{"hook": {{"sessionTokens": {too_small}, "promptTokens": 0}}}}"#);
        let stage = with(&settings, &long);
        assert_eq!(stage.context("claude", "SessionStart", json!({})), "");
        assert_eq!(
            stage.context("codex", "UserPromptSubmit", json!({"prompt": "port 8081"})),
            ""
        );
        assert_eq!(stage.read("codex", "api/v2/handler.rs"), [""; 0]);
    }
}

#[test]
fn a_host_that_was_told_to_take_more_gets_more() {
    let stage = with("{}", &"A rule of ours.\n".repeat(10_000));
    let call = Call {
        host: "codex",
        event: Some("SessionStart"),
        input: br#"{"cwd": "/r"}"#,
        is_cut: false,
        room_tokens: Some(8_000),
    };
    let world = stage.desk.world(&stage.around);
    let json = answer(&world, &stage.flags, &call).json.unwrap();
    assert!(json.len() > 20_000, "{}", json.len());
}

#[test]
fn chinese_memory_gets_the_room_that_it_needs() {
    let stage = with("{}", &"规则要记住，不要忘记。\n".repeat(5_000));
    let n_chars = stage
        .context("claude", "SessionStart", json!({}))
        .chars()
        .count();
    assert!((4_500..=10_000).contains(&n_chars), "{n_chars}");
    let text = stage.context("codex", "SessionStart", json!({}));
    assert!((7_000..=10_000).contains(&text.len()), "{}", text.len());
}

#[test]
fn what_a_tool_brings_in_is_bounded_too() {
    let stage = Stage::new(TREE);
    stage.start("codex");
    stage
        .desk
        .edit("/r/api/v2/GEMINI.md", &"A rule of ours.\n".repeat(10_000));
    let input = json!({"tool_input": {"file_path": "/r/api/v2/x"}});
    let text = stage.context("codex", "PostToolUse", input);
    assert!(
        text.len() <= 10_000 && text.contains("[cut off: about"),
        "{}",
        text.len()
    );
    assert!(
        text.contains("Ask before you break it."),
        "short files stay whole"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_answer_fits(
        sizes in prop::collection::vec(0_usize..3000, 1..12),
        word in prop::sample::select(vec!["rule ", "规则", "é", "🦀 "]),
        budget in 0_usize..9000,
        host in prop::sample::select(vec!["gemini", "claude", "codex"]),
    ) {
        let stage = with(&format!(r#"{{"hook": {{"sessionTokens": {budget}}}}}"#), "x");
        for (at, size) in sizes.iter().enumerate() {
            stage.desk.edit(&format!("/r/d{at}/AGENTS.md"), &word.repeat(*size));
            stage.desk.edit("/h/.gemini/tmp/r/memory/GEMINI.md", &word.repeat(*size));
        }
        let text = stage.context(host, "SessionStart", json!({}));
        prop_assert!(tokens::estimate(&text) <= budget);
        let room = Manners::of(Agent::named(host).unwrap()).room;
        prop_assert!(room.taken_by(&text) <= room.limit);
    }
}

#[test]
fn a_long_project_takes_no_room_from_the_users_own_memory() {
    let own = "A rule of mine.\n".repeat(400);
    let long = "A rule of theirs.\n".repeat(10_000);
    let stage = with(r#"{"hook": {"sessionTokens": 3000}}"#, &long);
    stage.desk.edit("/h/.gemini/GEMINI.md", &own);
    let text = stage.context("codex", "SessionStart", json!({}));
    assert!(tokens::estimate(&text) <= 3_000, "{text}");
    assert_eq!(text.matches("A rule of mine.").count(), 400, "{text}");
}
