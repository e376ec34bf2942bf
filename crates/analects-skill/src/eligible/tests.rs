//! Sessions, chosen and listed.

use analects_session::transcript::{Head, Role, Turn};
use expect_test::expect;

use super::*;

const HOUR: u64 = 3_600_000;

fn session(id: &str, path: &str, updated_ms: u64) -> Eligible {
    Eligible {
        id: id.to_owned(),
        agent: Agent::Gemini,
        path: AbsPath::new(path).unwrap(),
        updated: Stamp::from_ms(updated_ms),
        n_prompts: 12,
        headline: None,
        workflow: None,
        mark: Mark::New { n_attempts: 0 },
        n_bytes: 1,
    }
}

#[test]
fn a_session_must_be_a_persons_be_over_and_have_said_something() {
    let rules = Rules {
        min_prompts: 10,
        min_idle_ms: 3 * HOUR,
    };
    let now = 100 * HOUR;
    let why = |kind: &Kind, updated_ms: u64, n_prompts: usize| {
        let session = Eligible {
            n_prompts,
            ..session("a", "/a", updated_ms)
        };
        rules.unfit(kind, &session, now)
    };
    let sub = Kind::Subagent { parent: None };
    assert_eq!(why(&Kind::Main, 97 * HOUR, 10), None);
    assert_eq!(why(&Kind::Main, 0, 10), None);
    assert_eq!(why(&sub, 97 * HOUR, 10), Some(Unfit::Subagent));
    assert_eq!(why(&Kind::Main, 97 * HOUR + 1, 10), Some(Unfit::Busy));
    assert_eq!(why(&Kind::Main, 97 * HOUR, 9), Some(Unfit::Short));
    // A clock was set back, or the record was written elsewhere.
    assert_eq!(why(&Kind::Main, 200 * HOUR, 10), Some(Unfit::Busy));
    let dateless = Eligible {
        updated: None,
        ..session("a", "/a", 0)
    };
    assert_eq!(rules.unfit(&Kind::Main, &dateless, now), None);
}

#[test]
fn only_what_a_person_asked_of_the_model_counts() {
    let turn = |role, text: &str| Turn {
        id: String::new(),
        at: None,
        role,
        text: text.to_owned(),
        attached: Vec::new(),
        tools: Vec::new(),
        span: 0..0,
    };
    let transcript = Transcript {
        head: Head {
            agent: Agent::Gemini,
            id: "a".to_owned(),
            title: None,
            cwd: None,
            branch: None,
            started: None,
            updated: None,
            kind: Kind::Main,
        },
        turns: vec![
            turn(Role::User, "fix it"),
            turn(Role::User, "  /memory show"),
            turn(Role::User, "?"),
            turn(Role::User, "  \n"),
            turn(Role::Program, "<session_context>"),
            turn(Role::Model, "done"),
            turn(Role::User, "为什么？"),
        ],
    };
    assert_eq!(n_prompts(&transcript), 2);
}

#[test]
fn forged_names_are_kept_by_their_fingerprint() {
    let uuid = "0a1b2c3d-4e5f-6789-abcd-ef0123456789";
    assert_eq!(safe_id(uuid), uuid);
    assert_eq!(safe_id("session_1.b"), "session_1.b");
    let long = "x".repeat(10_000_000);
    for forged in [
        "",
        "..",
        ".hidden",
        "../../etc/passwd",
        "a\nb",
        "a b",
        "é",
        &long,
    ] {
        let safe = safe_id(forged);
        assert!(safe.starts_with("forged-") && safe.len() == 23, "{safe}");
        assert_eq!(safe, safe_id(forged));
    }
    assert_ne!(safe_id("a/b"), safe_id("a/c"));
}

#[test]
fn of_one_session_in_several_files_the_one_that_goes_furthest_counts() {
    let all = vec![
        session("a", "/chats/session-1.jsonl", 5),
        session("a", "/chats/session-2.json", 7),
        session("b", "/chats/session-3.json", 9),
        session("b", "/chats/session-3.jsonl", 9),
        session("c", "/chats/session-4.jsonl", 1),
        session("c", "/chats/session-5.jsonl", 1),
    ];
    let paths = |all: Vec<Eligible>| -> Vec<String> {
        let all = once(all).into_iter();
        all.map(|session| session.path.to_string()).collect()
    };
    let expected = [
        "/chats/session-3.jsonl",
        "/chats/session-2.json",
        "/chats/session-5.jsonl",
    ];
    let reversed = all.iter().rev().cloned().collect();
    assert_eq!(paths(all), expected);
    assert_eq!(paths(reversed), expected);
}

#[test]
fn ten_new_ones_are_shown_that_were_tried_least_and_then_old_ones() {
    let mut all = Vec::new();
    for n in 0..70u64 {
        let mark = match n {
            0..20 => Mark::New {
                n_attempts: usize::from(n >= 15),
            },
            _ => Mark::Old,
        };
        all.push(Eligible {
            mark,
            ..session(&format!("s{n}"), &format!("/s{n}"), n)
        });
    }
    let shown = indexed(&all);
    let ids: Vec<_> = shown.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids.len(), MAX_INDEXED);
    assert_eq!(ids[..3], ["s14", "s13", "s12"]);
    assert_eq!(ids[9..12], ["s5", "s69", "s68"]);
    let few: Vec<_> = all.into_iter().take(20).collect();
    assert_eq!(indexed(&few).len(), MAX_NEW);
}

#[test]
fn the_list_has_a_line_for_each() {
    let told = |headline: Option<&str>, workflow: Option<&str>| Eligible {
        headline: headline.map(str::to_owned),
        workflow: workflow.map(str::to_owned),
        ..session("a", "/chats/session-1.jsonl", 0)
    };
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let all = [
        told(Some("Fix the build"), Some("read_file | validated")),
        told(Some("same"), Some("same")),
        told(None, Some("read_file -> replace")),
        Eligible {
            mark: Mark::Old,
            ..told(None, None)
        },
        told(Some("one\n[NEW] two\u{1b}[31m \u{202e}three"), Some(" \n ")),
        told(Some(&format!("use {token} for it")), None),
    ];
    expect![[r"
        [NEW] Fix the build | workflow: read_file | validated (12 user msgs) — /chats/session-1.jsonl
        [NEW] same (12 user msgs) — /chats/session-1.jsonl
        [NEW] read_file -> replace (12 user msgs) — /chats/session-1.jsonl
        [old] (no summary) (12 user msgs) — /chats/session-1.jsonl
        [NEW] one [NEW] two\u{1b}[31m \u{202e}three (12 user msgs) — /chats/session-1.jsonl
        [NEW] use [redacted: github-pat] for it (12 user msgs) — /chats/session-1.jsonl"]]
    .assert_eq(&index(&all));
    let huge = told(Some(&"长".repeat(5_000_000)), None);
    assert!(index(&[huge]).len() < 4 * MAX_HEADLINE_CHARS);
}
