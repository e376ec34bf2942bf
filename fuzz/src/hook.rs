//! Both ends of a hook: what a host says to ours, and what a user's program says to us.

use analects_agent::hook::{
    Disabled, Event, ExitCodes, Ran, Reading, Source, merge, read, select, understand,
};
use analects_engine::hook::{Call, answer};
use analects_engine::verbs::Flags;
use analects_testkit::{FakeDesk, surroundings};
use serde_json::Value;

use crate::sheet::{parts, text_of};

/// Whatever a host says, it gets nothing or one JSON object; whatever a program prints, only a no is a no.
pub fn hook(data: &[u8]) {
    let input = parts(data);
    match input.iter().find(|part| part.name == "program") {
        None => host(&input.first().unwrap().bytes),
        Some(program) => {
            let complaint = text_of(&input, "complaint");
            our_users(&program.bytes, complaint.as_bytes());
            configured(&text_of(&input, "settings"));
        }
    }
}

/// Something for everybody.
const TREE: &str = r#"
//- /h/.gemini/trustedFolders.json
{"/r": "TRUST_FOLDER"}
//- /h/.gemini/projects.json
{"projects": {"/r": "r"}}
//- /h/.gemini/GEMINI.md
- Be brief.
//- /h/.gemini/tmp/r/memory/MEMORY.md
- My port is 8081.
//- /h/.claude/CLAUDE.md
- Call me Ada.
//- /h/talk.jsonl
{"type":"user","uuid":"1","message":{"role":"user","content":"Where is the pond?"}}
//- /r/.git/
//- /r/GEMINI.md
Use tabs.
//- /r/AGENTS.md
Test first. @docs/style.md
//- /r/docs/style.md
Wrap at 100.
//- /r/api/GEMINI.md
Version the API.
//- /r/api/handler.rs
fn main() {}
"#;

fn host(input: &[u8]) {
    for host in ["gemini", "claude", "codex"] {
        for event in [
            None,
            Some("session-start"),
            Some("before-agent"),
            Some("after-tool"),
        ] {
            let desk = FakeDesk::parse(TREE);
            let around = surroundings("/r", "/h", &[]);
            let call = Call {
                host,
                event,
                input,
                is_cut: input.len() % 2 == 1,
                room_tokens: None,
            };
            let told = answer(&desk.world(&around), &Flags::default(), &call);
            if let Some(json) = &told.json {
                check(json);
            }
            for (changes, _) in desk.commits() {
                for change in changes.files {
                    let path = change.path.as_str();
                    assert!(path.starts_with("/h/.gemini/"), "{path}");
                }
            }
        }
    }
}

fn check(json: &str) {
    let answer: Value = serde_json::from_str(json).unwrap();
    let said = answer.get("hookSpecificOutput").unwrap();
    assert!(said.get("hookEventName").is_some_and(Value::is_string));
    let text = said.get("additionalContext").and_then(Value::as_str);
    assert!(text.is_some_and(|text| !text.is_empty()));
    assert!(!json.contains('\n'), "hosts read a line");
    assert!(json.len() < 64 * 1024);
}

fn our_users(stdout: &[u8], stderr: &[u8]) {
    let mut outputs = Vec::new();
    for code in [0, 1, 2, 137] {
        for codes in [ExitCodes::Documented, ExitCodes::Original] {
            let ran = Ran {
                code,
                stdout,
                stderr,
                is_cut: false,
            };
            let answer = understand(&ran, codes);
            assert_eq!(answer.is_success, code == 0);
            let blocks = |it: &analects_agent::hook::Output| it.blocks().is_some();
            let is_no = answer.output.as_ref().is_some_and(blocks);
            if codes == ExitCodes::Documented {
                assert!(code != 2 || is_no, "2 blocks, whatever is printed");
                assert!(
                    !matches!(code, 1 | 137) || answer.output.is_none(),
                    "a failure decides nothing"
                );
            }
            for fault in &answer.faults {
                // Each byte of a complaint may have to be written as an escape.
                assert!(fault.len() < 4_096);
            }
            outputs.extend(answer.output);
        }
    }
    for event in EVENTS.iter().filter_map(|name| Event::named(name)) {
        let merged = merge(event, &outputs);
        let stops = outputs.iter().any(|it| it.stops().is_some());
        let blocks = outputs.iter().any(|it| it.blocks().is_some());
        if event == Event::BeforeTool {
            assert_eq!(merged.stops().is_some(), stops);
            assert_eq!(merged.blocks().is_some(), blocks);
        }
    }
}

const EVENTS: [&str; 11] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "SessionStart",
    "SessionEnd",
    "PreCompress",
    "Notification",
];

fn configured(settings: &str) {
    let Ok(hooks) = serde_json::from_str::<Value>(settings) else {
        return;
    };
    let reading = Reading {
        source: Source::Project,
        file: "settings.json",
    };
    let (hooks, _) = read(&hooks, &reading);
    assert!(hooks.len() <= 256);
    for event in EVENTS.iter().filter_map(|name| Event::named(name)) {
        let selected = select(&hooks, event, Some("write_file"), &Disabled::default());
        for hook in &selected.hooks {
            assert_eq!(hook.event, event);
            assert!(!hook.command.trim().is_empty() && hook.timeout_ms > 0);
        }
    }
}
