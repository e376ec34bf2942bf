//! Which sessions are found, whoever wrote them and however badly.

use expect_test::{Expect, expect};

use super::super::survey::{Limits, survey};
use super::*;
use crate::extract::mode::rules;

fn look(scene: &Scene, max_record_bytes: u64, since: Option<u64>) -> Survey {
    let world = scene.desk.world(&scene.around);
    let prepared = prepare(&world, &scene.flags).unwrap();
    let limits = Limits {
        rules: rules(&prepared.settings),
        max_record_bytes,
        since: since.map(stamp),
    };
    survey(&world, &prepared, limits, &|| true).unwrap()
}

fn check(scene: &Scene, expected: Expect) {
    let found = look(scene, u64::MAX, None);
    let mut text = analects_skill::eligible::index(&found.sessions);
    let _ = write!(
        text,
        "\n{} records, {} of agents, {} busy, {} short\n",
        found.n_records, found.n_subagents, found.n_busy, found.n_short
    );
    for problem in &found.problems {
        let _ = writeln!(text, "! {}: {}", problem.code.name, problem.message);
    }
    expected.assert_eq(&text);
}

#[test]
fn only_whole_talks_of_people_that_are_over_count() {
    let scene = Scene::new(1);
    scene.talk("short", 9, NOW - 5 * HOUR);
    scene.talk("busy", 12, NOW - 2 * HOUR);
    scene.talk("future", 12, NOW + 20 * HOUR);
    let agent = talk("agent", 12, NOW - 5 * HOUR).replace("\"main\"", "\"subagent\"");
    scene
        .desk
        .edit(&format!("{CHATS}/session-agent.jsonl"), &agent);
    scene.desk.edit(
        &format!("{CHATS}/s0/nested.jsonl"),
        &talk("nested", 12, NOW - 5 * HOUR),
    );
    scene.desk.edit(
        &format!("{CHATS}/notes.jsonl"),
        &talk("notes", 12, NOW - 5 * HOUR),
    );
    check(
        &scene,
        expect![[r"
            [NEW] Fix all of s0 (12 user msgs) — /h/.gemini/tmp/app/chats/session-2026-03-01T00-00-s0.jsonl
            5 records, 1 of agents, 2 busy, 1 short
        "]],
    );
}

#[test]
fn answers_of_tools_are_no_prompts() {
    let scene = Scene::with("", &[]);
    let mut text = talk("tools", 5, NOW - 5 * HOUR);
    for n in 0..20 {
        let _ = writeln!(
            text,
            "{{\"id\":\"t{n}\",\"type\":\"user\",\"content\":[{{\"functionResponse\":{{\"id\":\"c{n}\",\"name\":\"x\",\"response\":{{}}}}}}]}}"
        );
    }
    for said in [
        "/memory show",
        "?",
        "<session_context>\\nhere",
        "<hook_context>x",
    ] {
        let _ = writeln!(
            text,
            "{{\"id\":\"{}\",\"type\":\"user\",\"content\":\"{said}\"}}",
            said.len()
        );
    }
    scene
        .desk
        .edit(&format!("{CHATS}/session-tools.jsonl"), &text);
    let found = look(&scene, u64::MAX, None);
    assert_eq!((found.n_short, found.sessions.len()), (1, 0));
}

#[test]
fn bad_records_harm_no_other() {
    let scene = Scene::new(1);
    let put = |name: &str, text: &str, ms: u64| {
        let path = format!("{CHATS}/session-{name}");
        scene.desk.edit(&path, text);
        scene.desk.date(&path, ms);
    };
    let torn = talk("torn", 12, NOW - 6 * HOUR) + "{\"id\":\"u9\",\"type\":\"us";
    put("torn.jsonl", &torn, NOW - 6 * HOUR);
    put("empty.jsonl", "", NOW);
    put("noise.jsonl", "\u{0}\u{1}[[[[\n{}\nnull\n", NOW);
    let dateless: String = talk("dateless", 12, 0)
        .replace(&format!("\"timestamp\":\"{}\",", stamp(0)), "")
        .replace(&stamp(0).to_string(), "yesterday");
    put("dateless.jsonl", &dateless, NOW - 7 * HOUR);
    let forged = talk("../../../etc/passwd", 12, NOW - 8 * HOUR);
    put("forged.jsonl", &forged, NOW - 8 * HOUR);
    let long = talk(&"x".repeat(1_000_000), 12, NOW - 9 * HOUR);
    put("long.jsonl", &long, NOW - 9 * HOUR);
    let twice = talk("s0", 40, NOW - 30 * HOUR);
    put("twice.json", &twice, NOW - 30 * HOUR);
    let found = look(&scene, u64::MAX, None);
    let ids: Vec<_> = found.sessions.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids[..3], ["s0", "torn", "dateless"]);
    assert!(ids[3..].iter().all(|id| id.starts_with("forged-")));
    assert_eq!(ids.len(), 5);
    assert_eq!(found.sessions[2].updated, Some(stamp(NOW - 7 * HOUR)));
    let index = analects_skill::eligible::index(&found.sessions);
    assert_eq!(index.lines().count(), 5);
    assert!(index.len() < 4000);
    // A run over all of them comes to its end.
    assert_eq!(scene.run(&ASKED).unwrap().outcome, Outcome::Done);
    assert!(scene.desk.text(STATE).unwrap().len() < 4000);
}

#[test]
fn a_record_that_is_too_long_is_left_alone_and_told() {
    let scene = Scene::new(1);
    scene.talk("huge", 500, NOW - 6 * HOUR);
    let found = look(&scene, 10_000, None);
    assert_eq!((found.n_records, found.sessions.len()), (2, 1));
    let problem = &found.problems[0];
    assert_eq!(problem.code.name, "record-unreadable");
    assert!(problem.path.as_deref().unwrap().ends_with("huge.jsonl"));
}

#[test]
fn nothing_older_than_somebody_says() {
    let scene = Scene::new(4);
    let found = look(&scene, u64::MAX, Some(NOW - 5 * HOUR));
    assert_eq!((found.sessions.len(), found.n_older), (2, 2));
}

#[test]
fn sessions_of_other_agents_in_this_project_count_too() {
    let scene = Scene::with("", &[]);
    let at = stamp(NOW - 5 * HOUR);
    let claude = |cwd: &str| -> String {
        (0..12)
            .map(|n| {
                format!(
                    "{{\"type\":\"user\",\"uuid\":\"u{n}\",\"sessionId\":\"11111111-2222-4333-8444-555555555555\",\"cwd\":\"{cwd}\",\"timestamp\":\"{at}\",\"message\":{{\"role\":\"user\",\"content\":\"Fix part {n}\"}}}}\n"
                )
            })
            .collect()
    };
    let name = "11111111-2222-4333-8444-555555555555.jsonl";
    scene.desk.edit(
        &format!("/h/.claude/projects/-w-app/{name}"),
        &claude("/w/app"),
    );
    scene.desk.edit(
        &format!("/h/.claude/projects/-w-app-elsewhere/{name}"),
        &claude("/w/app-elsewhere"),
    );
    let mut codex = format!(
        "{{\"timestamp\":\"{at}\",\"type\":\"session_meta\",\"payload\":{{\"id\":\"66666666-2222-4333-8444-555555555555\",\"timestamp\":\"{at}\",\"cwd\":\"/w/app/sub\",\"originator\":\"cli\",\"cli_version\":\"1\",\"source\":\"cli\"}}}}\n"
    );
    for n in 0..12 {
        let _ = writeln!(
            codex,
            "{{\"timestamp\":\"{at}\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"user_message\",\"message\":\"Fix part {n}\"}}}}"
        );
    }
    scene.desk.edit(
        "/h/.codex/sessions/2026/03/10/rollout-2026-03-10T07-00-00-66666666-2222-4333-8444-555555555555.jsonl",
        &codex,
    );
    check(
        &scene,
        expect![[r"
            [NEW] Fix part 0 (12 user msgs) — /h/.codex/sessions/2026/03/10/rollout-2026-03-10T07-00-00-66666666-2222-4333-8444-555555555555.jsonl
            [NEW] Fix part 0 (12 user msgs) — /h/.claude/projects/-w-app/11111111-2222-4333-8444-555555555555.jsonl
            2 records, 0 of agents, 0 busy, 0 short
        "]],
    );
}
