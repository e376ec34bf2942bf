//! Exactly what a model sees, on every path by which text reaches it.

mod agents;
mod conversing;
mod keeping;
mod models;
mod skills;
mod truth;

use std::fmt::Write as _;
use std::sync::Arc;

use analects_testkit::{FakeDesk, FakeServers, FakeShell, say, surroundings};
use analects_world::Cancel;
use analects_world::model::{Body, Content};
use analects_world::models::{Event, Fault, Kind};
use expect_test::{Expect, expect};
use serde_json::json;

use super::*;
use crate::verbs::Flags;

const TREE: &str = "\
//- /h/.gemini/GEMINI.md
The user likes tea.
//- /w/app/.git/HEAD
ref
//- /w/app/GEMINI.md
Write short sentences.
//- /w/app/src/lib/GEMINI.md
Library code never prints.
//- /w/app/src/lib/pond.rs
fn ducks() -> u32 {
    7
}
//- /w/app/src/lib/heron.rs
fn herons() -> u32 { 1 }
//- /w/app/notes.txt
Ask the miller.
";
const KEY: (&str, &str) = ("GEMINI_API_KEY", "k-0123456789");

/// A project, a model that follows a script, and what was told.
struct Stage {
    desk: Arc<FakeDesk>,
    shell: FakeShell,
    servers: FakeServers,
    vars: Vec<(&'static str, &'static str)>,
    flags: Flags,
    wish: Wish,
}

impl Stage {
    fn new(prompt: &str) -> Self {
        let desk = FakeDesk::parse(TREE);
        desk.now_ms
            .store(1_800_000_000_000, std::sync::atomic::Ordering::Relaxed);
        Self {
            desk: Arc::new(desk),
            shell: FakeShell::default(),
            servers: FakeServers::default(),
            vars: vec![KEY],
            flags: Flags {
                trust: true,
                ..Flags::default()
            },
            wish: Wish {
                prompt: prompt.to_owned(),
                new_session: "5e551011-0000-4000-8000-000000000001".to_owned(),
                model: Some("gemini-2.5-flash".to_owned()),
                ..Wish::default()
            },
        }
    }

    fn in_mode(mut self, mode: &str) -> Self {
        self.wish.mode = Some(mode.to_owned());
        self
    }

    fn answers(self, answers: impl IntoIterator<Item = Vec<Event>>) -> Self {
        for mut events in answers {
            events.push(say::done());
            self.desk.models.answer(events);
        }
        self
    }

    fn talk(&self) -> Ended {
        self.try_talk(&Cancel::new()).unwrap()
    }

    fn try_talk(&self, cancel: &Cancel) -> Result<Ended, Failure> {
        let around = surroundings("/w/app", "/h", &self.vars);
        let world = self.desk.world(&around);
        let hands = Hands {
            shell: &self.shell,
            servers: &self.servers,
        };
        talk(&world, hands, &self.flags, &self.wish, cancel, &mut |_| {})
    }

    /// The turns of a request that were not in the one before it, as the model reads them.
    fn check(&self, request: usize, expected: Expect) {
        let asked = self.desk.models.asked();
        let known = match request.checked_sub(1) {
            Some(before) => shown(&asked[before].history),
            None => String::new(),
        };
        let now = shown(&asked[request].history);
        let new = now.strip_prefix(&known).unwrap_or(&now);
        expected.assert_eq(new);
    }

    fn systems(&self) -> Vec<String> {
        let asked = self.desk.models.asked();
        asked.into_iter().map(|asked| asked.system).collect()
    }
}

fn shown(history: &[Content]) -> String {
    let mut text = String::new();
    for turn in history {
        for part in &turn.parts {
            let role = turn.role.as_str();
            let said = match &part.body {
                Body::Text(text) => text.clone(),
                Body::Call(call) => format!("calls {} {}", call.name, call.args),
                Body::Response(it) => {
                    let answer = it.response.as_object().unwrap();
                    let (word, said) = answer.iter().next().unwrap();
                    format!("{} {word}:\n{}", it.name, said.as_str().unwrap())
                }
                Body::Media(media) => format!("({})", media.mime),
                Body::Other => "?".to_owned(),
            };
            writeln!(text, "[{role}] {said}").unwrap();
        }
    }
    text
}

fn call(name: &str, args: serde_json::Value) -> Vec<Event> {
    vec![say::call("c", name, args)]
}

#[test]
fn a_first_request_says_where_it_is_and_what_is_asked() {
    let stage = Stage::new("Who knows? See @notes.txt and @src/lib/heron.rs.")
        .answers([vec![say::text("The miller.")]]);
    let ended = stage.talk();
    assert_eq!(ended.response, "The miller.");
    stage.check(
        0,
        expect![[r#"
        [user] <session_context>
        This was set by the program that runs you, when the session began.
        - Date: Friday, 2027-01-15 (UTC)
        - Operating system: linux
        - Working directory: /w/app
        - Project root: /w/app
        - The workspace, at most 200 entries of it ("..." stands for what is not shown):

        /w/app/
          .git/...
          src/
            lib/
              GEMINI.md
              heron.rs
              pond.rs
          GEMINI.md
          notes.txt
        </session_context>
        [user] Who knows? See @notes.txt and @src/lib/heron.rs.
        [user] --- Content from referenced files ---
        Content from @notes.txt:
        Ask the miller.
        Content from @src/lib/heron.rs:
        fn herons() -> u32 { 1 }
        --- End of content ---

        [user] --- Newly Discovered Project Context ---
        --- Context from: src/lib/GEMINI.md ---
        Library code never prints.
        --- End of Context from: src/lib/GEMINI.md ---
        --- End Project Context ---
    "#]],
    );
    let system = &stage.systems()[0];
    for text in ["The user likes tea.", "Write short sentences."] {
        assert_eq!(system.matches(text).count(), 1, "{text}");
    }
    assert!(!system.contains("Library code never prints."));
}

#[test]
fn the_prompt_names_the_tools_that_are_offered() {
    use crate::prompt::{Audience, Roster, Writer};
    let mut named = Roster::of_talk(Writer::Direct, Audience::Present).tools;
    let offered = analects_agent::tools::offered();
    let mut offered: Vec<_> = offered.iter().map(|tool| &*tool.name).collect();
    offered.push(crate::save_memory::NAME);
    named.sort_unstable();
    offered.sort_unstable();
    assert_eq!(named, offered);
}

#[test]
fn every_tool_answers_in_its_own_words() {
    let stage = Stage::new("Look around.").in_mode("yolo").answers([
        call("read_file", json!({ "file_path": "src/lib/pond.rs" })),
        call("read_many_files", json!({ "include": ["**/*.rs"] })),
        call("list_directory", json!({ "dir_path": "src/lib" })),
        call("glob", json!({ "pattern": "**/*.rs" })),
        call("grep_search", json!({ "pattern": "fn \\w+s" })),
        call(
            "write_file",
            json!({ "file_path": "src/lib/mill.rs", "content": "fn mills() {}\n" }),
        ),
        call(
            "replace",
            json!({ "file_path": "src/lib/pond.rs", "old_string": "7", "new_string": "8" }),
        ),
        call("run_shell_command", json!({ "command": "make test" })),
        call("save_memory", json!({ "fact": "The mill is old" })),
        call(
            "ask_user",
            json!({ "questions": [{ "question": "Which?" }] }),
        ),
        call("fly", json!({})),
        vec![say::text("Done.")],
    ]);
    stage.shell.prints("make test", "2 passed\n", 0);
    assert_eq!(stage.talk().response, "Done.");
    let mut all = String::new();
    let asked = stage.desk.models.asked();
    for pair in asked.windows(2) {
        let (before, now) = (shown(&pair[0].history), shown(&pair[1].history));
        all.push_str(now.strip_prefix(&before).unwrap());
    }
    expect![[r#"
        [model] calls read_file {"file_path":"src/lib/pond.rs"}
        [user] read_file output:
        fn ducks() -> u32 {
            7
        }


        --- Newly Discovered Project Context ---
        --- Context from: src/lib/GEMINI.md ---
        Library code never prints.
        --- End of Context from: src/lib/GEMINI.md ---
        --- End Project Context ---
        [model] calls read_many_files {"include":["**/*.rs"]}
        [user] read_many_files output:
        --- src/lib/heron.rs ---
        fn herons() -> u32 { 1 }
        --- src/lib/pond.rs ---
        fn ducks() -> u32 {
            7
        }
        --- End of content ---

        [model] calls list_directory {"dir_path":"src/lib"}
        [user] list_directory output:
        Directory listing for `src/lib`:
        GEMINI.md (27 bytes)
        heron.rs (25 bytes)
        pond.rs (28 bytes)
        [model] calls glob {"pattern":"**/*.rs"}
        [user] glob output:
        Found 2 files that match `**/*.rs` in `.`, new ones first:
        src/lib/heron.rs
        src/lib/pond.rs
        [model] calls grep_search {"pattern":"fn \\w+s"}
        [user] grep_search output:
        Found 2 matches for `fn \w+s` in `.`:
        ---
        File: src/lib/heron.rs
        L1: fn herons() -> u32 { 1 }
        ---
        File: src/lib/pond.rs
        L1: fn ducks() -> u32 {
        ---
        [model] calls write_file {"file_path":"src/lib/mill.rs","content":"fn mills() {}\n"}
        [user] write_file output:
        Wrote `src/lib/mill.rs`, which is new: 1 line.
        [model] calls replace {"file_path":"src/lib/pond.rs","old_string":"7","new_string":"8"}
        [user] replace output:
        Changed `src/lib/pond.rs`: 1 replacement at line 2.
        [model] calls run_shell_command {"command":"make test"}
        [user] run_shell_command output:
        <untrusted_context>
        Output: 2 passed
        </untrusted_context>
        [model] calls save_memory {"fact":"The mill is old"}
        [user] save_memory output:
        {"success":false,"error":"nothing was written: \"Remember in /h/.gemini/GEMINI.md\" needs your consent, and nobody gave it; consent with `--yes`, or look at the change with `--dry-run`; where nobody is ever there, the setting `memory.consent` may say `auto`"}
        [model] calls ask_user {"questions":[{"question":"Which?"}]}
        [user] ask_user error:
        Nobody is there to answer. Decide what is most likely wanted, and say in your answer what you assumed.
        [model] calls fly {}
        [user] fly error:
        There is no tool `fly`. Those that are there: read_file, read_many_files, write_file, replace, list_directory, glob, grep_search, run_shell_command, save_memory, activate_skill.
    "#]].assert_eq(&all);
    assert_eq!(
        stage.desk.text("/w/app/src/lib/pond.rs").unwrap(),
        "fn ducks() -> u32 {\n    8\n}\n"
    );
}

#[test]
fn what_is_not_allowed_is_refused_in_words() {
    let stage = Stage::new("Do it.").answers([
        call(
            "write_file",
            json!({ "file_path": "a.txt", "content": "x" }),
        ),
        call("run_shell_command", json!({ "command": "rm -rf ." })),
        call("read_file", json!({ "file_path": "/etc/passwd" })),
        call("save_memory", json!({ "fact": "The mill is old" })),
        vec![say::text("I could not.")],
    ]);
    stage.talk();
    let asked = stage.desk.models.asked();
    let (first, last) = (shown(&asked[0].history), shown(&asked[4].history));
    expect![[r#"
        [model] calls write_file {"file_path":"a.txt","content":"x"}
        [user] write_file error:
        `write_file` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode auto-edit`, or with a rule in `~/.gemini/policies/*.toml`.
        [model] calls run_shell_command {"command":"rm -rf ."}
        [user] run_shell_command error:
        `run_shell_command` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to do. Whoever started this can allow it with `--approval-mode yolo`, or with a rule in `~/.gemini/policies/*.toml`.
        [model] calls read_file {"file_path":"/etc/passwd"}
        [user] read_file error:
        `/etc/passwd` is outside of the workspace. Files can be read below `/w/app`, `/h/.gemini/tmp/app/tool-outputs/session-5e551011-0000-4000-8000-000000000001`, `/h/.gemini/tmp/app/plans` only; give a path in there.
        [model] calls save_memory {"fact":"The mill is old"}
        [user] save_memory output:
        {"success":false,"error":"nothing was written: \"Remember in /h/.gemini/GEMINI.md\" needs your consent, and nobody gave it; consent with `--yes`, or look at the change with `--dry-run`; where nobody is ever there, the setting `memory.consent` may say `auto`"}
    "#]].assert_eq(last.strip_prefix(&first).unwrap());
    assert_eq!(stage.shell.lines(), Vec::<String>::new());
    assert_eq!(stage.desk.text("/w/app/a.txt"), None);
}

#[test]
fn a_plan_is_written_where_plans_go_and_nothing_else_is() {
    let plan = "/h/.gemini/tmp/app/plans/port.md";
    let stage = Stage::new("Plan it.").in_mode("plan").answers([
        call(
            "write_file",
            json!({ "file_path": "src/a.rs", "content": "x" }),
        ),
        call(
            "write_file",
            json!({ "file_path": plan, "content": "# Port\n1. Read\n" }),
        ),
        call(
            "write_file",
            json!({ "file_path": "/h/.gemini/tmp/app/plans/other.md", "content": "x" }),
        ),
        call("run_shell_command", json!({ "command": "ls" })),
        vec![say::text("The plan stands.")],
    ]);
    stage.talk();
    let asked = stage.desk.models.asked();
    let (first, last) = (shown(&asked[0].history), shown(&asked[4].history));
    expect![[r##"
        [model] calls write_file {"file_path":"src/a.rs","content":"x"}
        [user] write_file error:
        This is plan mode: only a Markdown file in the folder of plans can be written.
        [model] calls write_file {"file_path":"/h/.gemini/tmp/app/plans/port.md","content":"# Port\n1. Read\n"}
        [user] write_file output:
        Wrote `/h/.gemini/tmp/app/plans/port.md`, which is new: 2 lines.
        [model] calls write_file {"file_path":"/h/.gemini/tmp/app/plans/other.md","content":"x"}
        [user] write_file error:
        There is one plan in a session, and it lies in /h/.gemini/tmp/app/plans/port.md. Change that one.
        [model] calls run_shell_command {"command":"ls"}
        [user] run_shell_command error:
        This is plan mode: read, search and ask, and write the plan. Nothing else is done before the plan is agreed on.
    "##]].assert_eq(last.strip_prefix(&first).unwrap());
    assert_eq!(stage.desk.text(plan).as_deref(), Some("# Port\n1. Read\n"));
    assert!(stage.systems()[0].contains("/h/.gemini/tmp/app/plans"));
}

#[test]
fn memory_that_changes_is_in_the_next_request_once() {
    let mut stage = Stage::new("Remember it.").answers([
        call("save_memory", json!({ "fact": "The mill is old" })),
        vec![say::text("Noted.")],
    ]);
    stage.flags.yes = true;
    let ended = stage.talk();
    let systems = stage.systems();
    assert_eq!(systems[0].matches("The mill is old").count(), 0);
    assert_eq!(
        systems[1].matches("The mill is old").count(),
        1,
        "{}",
        systems[1]
    );
    assert_eq!(ended.stats.memory.reloads, 1);
    // What did not change is the same, byte for byte.
    let again = Stage::new("Look.").answers([
        call("glob", json!({ "pattern": "*" })),
        vec![say::text("Done.")],
    ]);
    again.talk();
    let systems = again.systems();
    assert_eq!(systems[0], systems[1]);
}

#[test]
fn a_long_output_is_kept_whole_and_shown_in_part() {
    let stage = Stage::new("Build it.").in_mode("yolo").answers([
        call("run_shell_command", json!({ "command": "make" })),
        vec![say::text("Built.")],
    ]);
    let line = "compiling something or other\n";
    stage.shell.prints("make", &line.repeat(5_000), 0);
    let ended = stage.talk();
    assert_eq!(ended.stats.context.shortened, 1);
    let asked = stage.desk.models.asked();
    let answer = shown(&asked[1].history);
    assert!(answer.len() < 50_000, "{}", answer.len());
    let pointer = answer
        .split_whitespace()
        .find(|word| word.contains("/tool-outputs/"));
    let path = pointer.unwrap_or_else(|| panic!("{answer}"));
    let path = path.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    assert_eq!(stage.desk.text(path).unwrap().matches(line).count(), 5_000);
}

#[test]
fn an_output_is_told_in_few_words_where_that_is_wanted() {
    let stage = Stage::new("Build it.").in_mode("yolo").answers([
        call("run_shell_command", json!({ "command": "make" })),
        vec![say::text(
            "Everything was compiled, and nothing went wrong.",
        )],
        vec![say::text("Built.")],
    ]);
    let setting =
        r#"{"model": {"summarizeToolOutput": {"run_shell_command": {"tokenBudget": 300}}}}"#;
    stage.desk.edit("/h/.gemini/settings.json", setting);
    let printed = "compiling something or other\n".repeat(200);
    stage.shell.prints("make", &printed, 0);
    assert_eq!(stage.talk().response, "Built.");
    let asked = stage.desk.models.asked();
    assert!(asked[1].tools.is_empty() && asked[1].last_words().contains("compiling something"));
    let last = shown(&asked[2].history);
    assert!(
        last.contains("Everything was compiled") && !last.contains("compiling"),
        "{last}"
    );
}

#[test]
fn a_fault_ends_a_run_with_what_to_do_about_it() {
    let stage = Stage::new("Hello");
    stage.desk.models.fail(
        vec![say::text("He")],
        Fault::new(Kind::Key, "the server does not take the key (401)"),
    );
    let ended = stage.talk();
    let How::NoAnswer(failure) = ended.how else {
        panic!("{:?}", ended.how)
    };
    assert!(!failure.hints.is_empty(), "{failure:?}");
    assert_eq!(ended.response, "");
    assert_eq!(ended.stats.models["gemini-2.5-flash"].api.total_errors, 1);
}

#[test]
fn an_editor_is_heard_first_whole_and_then_only_what_changed() {
    let mut stage = Stage::new("What is this?").answers([vec![say::text("A pond.")]]);
    let state = json!({ "workspaceState": { "openFiles": [
        { "path": "/w/app/src/lib/pond.rs", "timestamp": 2, "isActive": true, "cursor": { "line": 1, "character": 4 } },
        { "path": "/etc/passwd", "timestamp": 1 },
    ] } });
    stage.desk.edit("/h/ide.json", &state.to_string());
    stage.wish.ide = Some(AbsPath::new("/h/ide.json").unwrap());
    stage.talk();
    let asked = stage.desk.models.asked();
    let all = shown(&asked[0].history);
    let (_, said) = all.split_once("</session_context>\n").unwrap();
    expect![[r#"
        [user] What is open in the user's editor, for information only:
        ```json
        {
          "activeFile": {
            "path": "/w/app/src/lib/pond.rs",
            "cursor": {
              "line": 1,
              "character": 4
            }
          }
        }
        ```
        [user] What is this?
    "#]]
    .assert_eq(said);
}

#[test]
fn a_folder_that_is_not_trusted_has_no_rules_and_no_free_hand() {
    let mut stage = Stage::new("Do it.").in_mode("yolo").answers([
        call(
            "write_file",
            json!({ "file_path": "a.txt", "content": "x" }),
        ),
        vec![say::text("I could not.")],
    ]);
    stage.flags.trust = false;
    stage.desk.edit(
        "/w/app/.gemini/policies/free.toml",
        "[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 999\n",
    );
    let ended = stage.talk();
    assert!(!stage.systems()[0].contains("Write short sentences."));
    assert_eq!(stage.desk.text("/w/app/a.txt"), None);
    let told = shown(&stage.desk.models.asked()[1].history);
    assert!(
        told.contains("by trusting this folder (`analects trust add`) together with"),
        "{told}"
    );
    assert!(
        ended
            .problems
            .iter()
            .any(|problem| problem.message.contains("trust")),
        "{:?}",
        ended.problems
    );
}
