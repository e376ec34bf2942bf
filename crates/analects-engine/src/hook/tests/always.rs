//! Whatever comes in, the answer is nothing or one JSON object.

use analects_world::Desk;
use analects_world::desk::{CommitError, Guard, JournalDamage, Plan, Receipt, Repaired, Status};
use analects_world::log::Logged;
use proptest::prelude::*;

use super::*;

fn is_fine(answer: &Answer) -> bool {
    let Some(json) = &answer.json else {
        return true;
    };
    let parsed: Value = serde_json::from_str(json).unwrap();
    let said = &parsed["hookSpecificOutput"];
    said["additionalContext"]
        .as_str()
        .is_some_and(|text| !text.is_empty())
        && said["hookEventName"].is_string()
        && !json.contains('\n')
}

fn raw(stage: &Stage, host: &str, event: Option<&str>, input: &[u8], is_cut: bool) -> Answer {
    let call = Call {
        host,
        event,
        input,
        is_cut,
        room_tokens: None,
    };
    answer(&stage.desk.world(&stage.around), &stage.flags, &call)
}

#[test]
fn what_makes_no_sense_is_a_note_and_no_answer() {
    let stage = Stage::new(TREE);
    for (host, event, input, note) in [
        (
            "claude",
            "SessionStart",
            "not json",
            "the input is not a JSON object",
        ),
        ("claude", "Nonsense", "{}", "`Nonsense` is no event we know"),
        ("emacs", "SessionStart", "{}", "`emacs` is no host we know"),
    ] {
        let answer = raw(&stage, host, Some(event), input.as_bytes(), false);
        assert_eq!((answer.json, answer.notes), (None, vec![note.to_owned()]));
    }
}

#[test]
fn events_that_we_only_listen_to_are_answered_with_nothing() {
    let stage = Stage::new(TREE);
    for event in [
        "PreCompress",
        "PreCompact",
        "PostCompact",
        "SessionEnd",
        "session-end",
        "Stop",
    ] {
        for host in ["gemini", "claude", "codex"] {
            assert_eq!(stage.answer(host, event, json!({})), Answer::default());
        }
    }
    assert_eq!(stage.commits(), []);
}

/// A commit point that somebody else holds.
struct Held;

impl Desk for Held {
    fn commit(&self, _: &[Guard], _: &mut Plan<'_>) -> Result<Receipt, CommitError> {
        let (lock, holder) = (AbsPath::root(), "process 1".to_owned());
        Err(CommitError::Busy { lock, holder })
    }

    fn repair(&self) -> Result<Vec<Repaired>, CommitError> {
        Ok(Vec::new())
    }

    fn status(&self) -> Status {
        let holder = Some("process 1".to_owned());
        Status {
            holder,
            unfinished: None,
        }
    }

    fn log(&self, _: &mut dyn FnMut(Logged) -> bool) -> Result<(), CommitError> {
        Ok(())
    }

    fn check_journal(&self) -> Result<JournalDamage, CommitError> {
        Ok(JournalDamage::default())
    }
}

#[test]
fn while_somebody_else_writes_it_is_told_without_being_noted() {
    let stage = Stage::new(TREE);
    let world = World {
        desk: &Held,
        ..stage.desk.world(&stage.around)
    };
    for (event, input) in [
        ("SessionStart", json!({})),
        (
            "UserPromptSubmit",
            json!({"prompt": "which port is mine, 8081?"}),
        ),
        (
            "PostToolUse",
            json!({"tool_name": "Bash", "tool_input": {"command": "cat api/v2/handler.rs"}}),
        ),
    ] {
        let mut input = input;
        input["session_id"] = "s1".into();
        input["cwd"] = "/r".into();
        let input = input.to_string();
        let call = Call {
            host: "codex",
            event: Some(event),
            input: input.as_bytes(),
            is_cut: false,
            room_tokens: None,
        };
        let answer = answer(&world, &stage.flags, &call);
        assert!(answer.json.is_some(), "{event}: {:?}", answer.notes);
        assert!(
            answer.notes[0].contains("held by process 1"),
            "{:?}",
            answer.notes
        );
    }
}

#[test]
fn broken_files_are_notes() {
    let stage = Stage::new(TREE);
    stage.desk.edit("/h/.gemini/settings.json", "{oops");
    stage
        .desk
        .edit("/h/.gemini/analects/hooks/claude-1.json", "{oops");
    stage.desk.edit("/h/.claude/settings.json", "[]");
    let answer = stage.answer("claude", "SessionStart", json!({}));
    assert!(is_fine(&answer) && answer.json.is_some());
    assert!(
        answer
            .notes
            .iter()
            .any(|note| note.contains("settings.json")),
        "{:?}",
        answer.notes
    );
}

#[test]
fn a_record_that_is_broken_counts_as_none_and_is_begun_anew() {
    let stage = Stage::new(TREE);
    stage.start("claude");
    let record = stage.commits()[0].0.files[0].path.to_string();
    stage.desk.edit(&record, "{\"v\": 1, \"rows\": [");
    assert!(
        !stage
            .told("claude", "SessionStart", json!({"source": "resume"}))
            .is_empty()
    );
    assert_eq!(
        stage.told("claude", "SessionStart", json!({"source": "resume"})),
        [""; 0]
    );
}

#[test]
fn a_session_has_one_record_that_only_its_owner_reads() {
    use analects_world::changes::{Access, Trace};
    let stage = Stage::new(TREE);
    stage.start("claude");
    stage.read("claude", "/r/api/v2/x");
    let commits = stage.commits();
    assert_eq!(commits.len(), 2);
    for change in commits.iter().flat_map(|(changes, _)| &changes.files) {
        assert!(
            change
                .path
                .as_str()
                .starts_with("/h/.gemini/analects/hooks/")
        );
        assert_eq!(
            (change.access, change.trace),
            (Access::OwnerOnly, Trace::Nothing)
        );
        let text = String::from_utf8_lossy(change.text.as_deref().unwrap());
        assert!(
            !text.contains("deprecated") && !text.contains("8081"),
            "no text of anybody's: {text}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_are_answered_with_nothing_or_json(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        host in prop::sample::select(vec!["gemini", "claude", "codex"]),
        event in prop::sample::select(vec![None, Some("SessionStart"), Some("AfterTool"), Some("BeforeAgent")]),
        cut in any::<bool>(),
    ) {
        prop_assert!(is_fine(&raw(&Stage::new(TREE), host, event, &bytes, cut)));
    }

    #[test]
    fn any_members_are_answered_with_nothing_or_json(
        cwd in ".{0,20}",
        prompt in ".{0,60}",
        path in "[/.a-z~ ]{0,30}",
        command in ".{0,60}",
        source in ".{0,10}",
        host in prop::sample::select(vec!["gemini", "claude", "codex"]),
        event in prop::sample::select(vec!["SessionStart", "AfterTool", "BeforeAgent"]),
    ) {
        let input = json!({
            "session_id": prompt, "cwd": cwd, "prompt": prompt, "source": source,
            "tool_name": "x", "tool_input": {"file_path": path, "command": command, "paths": [path]},
        });
        let mut stage = Stage::new(TREE);
        stage.around.cwd = AbsPath::new("/r").unwrap();
        let input = input.to_string();
        prop_assert!(is_fine(&raw(&stage, host, Some(event), input.as_bytes(), false)));
    }
}

#[test]
fn no_answer_to_any_event_holds_a_secret() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let tree = TREE
        .replace("- Be brief.", &format!("- Be brief with {secret}."))
        .replace("Test first.", &format!("Test first with {secret}."))
        .replace(
            "Ask before you break it.",
            &format!("Ask {secret} before you break it."),
        )
        .replace(
            "- My port is 8081.",
            &format!("- My zorkmid port is behind {secret}."),
        );
    for host in ["claude", "codex", "gemini"] {
        let mut n_masked = 0;
        for (event, input) in [
            ("session-start", json!({"source": "startup"})),
            ("session-start", json!({"source": "resume"})),
            (
                "before-agent",
                json!({"prompt": "Which zorkmid port is behind?"}),
            ),
            (
                "after-tool",
                json!({"tool_name": "Read", "tool_input": {"file_path": "/r/api/v2/handler.rs"}}),
            ),
            (
                "after-tool",
                json!({"tool_name": "read_file", "tool_input": {"file_path": "/r/api/v2/handler.rs"}}),
            ),
            (
                "after-tool",
                json!({"tool_name": "Bash", "tool_input": {"command": "cat /r/api/v2/handler.rs"}}),
            ),
        ] {
            let told = Stage::new(&tree).answer(host, event, input);
            let told = format!("{told:?}");
            assert!(!told.contains(&secret), "{host} {event}: {told}");
            n_masked += told.matches("[redacted: aws-access-key-id]").count();
        }
        assert!(n_masked >= 3, "{host} {n_masked}");
    }
}
