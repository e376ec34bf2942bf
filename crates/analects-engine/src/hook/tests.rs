//! What each host's model gets to read, event by event, on a disk in memory.

mod after_tool;
mod always;
mod before_agent;
mod limits;
mod pre_compact;
mod session_end;
mod session_start;
mod theirs;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::changes::Changes;
use analects_world::desk::Guard;
use expect_test::Expect;
use serde_json::{Value, json};

use super::*;

/// A repository with something for everybody, and a home with something of everybody's.
const TREE: &str = r#"
//- /h/.gemini/trustedFolders.json
{"/r": "TRUST_FOLDER"}
//- /h/.gemini/projects.json
{"projects": {"/r": "r"}}
//- /h/.gemini/GEMINI.md
- Be brief.
//- /h/.gemini/tmp/r/memory/MEMORY.md
- My port is 8081.
//- /h/.gemini/extensions/deploy/gemini-extension.json
{"name": "deploy"}
//- /h/.gemini/extensions/deploy/GEMINI.md
Deploy with care.
//- /h/.claude/CLAUDE.md
- Call me Ada.
//- /h/.codex/AGENTS.md
- Call me Ada.
//- /r/.git/
//- /r/GEMINI.md
Use tabs.
//- /r/AGENTS.md
Test first. @docs/style.md
//- /r/CLAUDE.md
Think twice.
//- /r/docs/style.md
Wrap at 100.
//- /r/api/GEMINI.md
Version the API.
//- /r/api/AGENTS.md
Log every call.
//- /r/api/v2/GEMINI.md
Nothing is deprecated yet.
//- /r/api/v2/AGENTS.md
Ask before you break it.
//- /r/api/v2/handler.rs
fn main() {}
"#;

struct Stage {
    desk: FakeDesk,
    around: Surroundings,
    flags: Flags,
}

impl Stage {
    /// What was written, but for the record of which repository is trusted, which any command makes at first sight.
    fn commits(&self) -> Vec<(Changes, Vec<Guard>)> {
        let mut commits = self.desk.commits();
        commits.retain(|(changes, _)| changes.who != "trust");
        commits
    }

    fn new(tree: &str) -> Self {
        Self {
            desk: FakeDesk::parse(tree),
            around: surroundings("/", "/h", &[]),
            flags: Flags::default(),
        }
    }

    /// The answer to a call; its members that every call has need not be given.
    fn answer(&self, host: &str, event: &str, mut input: Value) -> Answer {
        let given = input.as_object_mut().unwrap();
        given.entry("session_id").or_insert_with(|| "s1".into());
        given.entry("cwd").or_insert_with(|| "/r".into());
        let input = input.to_string();
        let call = Call {
            host,
            event: Some(event),
            input: input.as_bytes(),
            is_cut: false,
            room_tokens: None,
        };
        answer(&self.desk.world(&self.around), &self.flags, &call)
    }

    /// What reaches the model.
    fn context(&self, host: &str, event: &str, input: Value) -> String {
        let Some(json) = self.answer(host, event, input).json else {
            return String::new();
        };
        let answer: Value = serde_json::from_str(&json).unwrap();
        let said = &answer["hookSpecificOutput"];
        said["additionalContext"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn check(&self, host: &str, event: &str, input: Value, expected: Expect) {
        expected.assert_eq(&self.context(host, event, input));
    }

    /// The labels of the blocks that reach the model, in order.
    fn told(&self, host: &str, event: &str, input: Value) -> Vec<String> {
        let text = self.context(host, event, input);
        let label = |line: &str| {
            let label = line.strip_prefix("--- Context from: ")?;
            Some(label.strip_suffix(" ---")?.to_owned())
        };
        text.lines().filter_map(label).collect()
    }

    fn start(&self, host: &str) -> Vec<String> {
        self.told(host, "session-start", json!({"source": "startup"}))
    }

    /// What reading a file brings in.
    fn read(&self, host: &str, path: &str) -> Vec<String> {
        let input = match host {
            "codex" => {
                json!({"tool_name": "Bash", "tool_input": {"command": format!("cat {path}")}})
            }
            "gemini" => json!({"tool_name": "read_file", "tool_input": {"file_path": path}}),
            _ => json!({"tool_name": "Read", "tool_input": {"file_path": path}}),
        };
        self.told(host, "after-tool", input)
    }
}
