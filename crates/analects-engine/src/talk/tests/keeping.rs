//! The agent that keeps memory: where it gets, what it sees, and who agrees.

mod table;

use analects_world::ask::{Answer, Reply};

use super::*;

const GLOBAL: &str = "/h/.gemini/GEMINI.md";
const ROOT: &str = "/w/app/GEMINI.md";

fn stage(prompt: &str) -> Stage {
    let stage = Stage::new(prompt);
    stage.desk.edit(
        "/h/.gemini/settings.json",
        r#"{"memory": {"writer": "manager"}}"#,
    );
    stage
}

fn remember(request: &str) -> Vec<Event> {
    call(
        "invoke_agent",
        json!({ "agent_name": "save_memory", "prompt": request }),
    )
}

fn done(response: &str) -> Vec<Event> {
    call(
        "complete_task",
        json!({ "result": { "response": response } }),
    )
}

fn add_line(path: &str, old: &str, new: &str) -> Vec<Event> {
    call(
        "replace",
        json!({ "file_path": path, "old_string": old, "new_string": new, "instruction": "add" }),
    )
}

#[test]
fn it_sees_global_and_project_memory_and_writes_once_somebody_agrees() {
    let stage = stage("Remember that I like green tea.").answers([
        remember("The user prefers green tea."),
        add_line(GLOBAL, "The user likes tea.", "The user likes green tea."),
        done("Tea is green now."),
        vec![say::text("Noted.")],
    ]);
    stage.desk.person.will_say(Answer::Yes);
    stage.talk();
    assert_eq!(
        stage.desk.text(GLOBAL).as_deref(),
        Some("The user likes green tea.\n")
    );
    let asked = stage.desk.models.asked();
    assert!(!asked[0].tools.contains(&"save_memory".to_owned()));
    assert!(asked[0].system.contains("kept by the agent `save_memory`"));
    expect![[r#"
        [user] # Initial Context

        <memory_file path="/h/.gemini/GEMINI.md" layer="global">
        The user likes tea.
        </memory_file>

        <memory_file path="/w/app/GEMINI.md" layer="project">
        Write short sentences.
        </memory_file>

        # Request

        The user prefers green tea.
    "#]]
    .assert_eq(&shown(&asked[1].history));
    expect!["read_file list_directory glob grep_search write_file replace complete_task"]
        .assert_eq(&asked[1].tools.join(" "));
    expect![[r#"
        Change memory as the agent that keeps it proposes
        --- /h/.gemini/GEMINI.md	Current
        +++ /h/.gemini/GEMINI.md	Proposed
        @@ -1 +1 @@
        -The user likes tea.
        +The user likes green tea.
    "#]]
    .assert_eq(&stage.desk.person.asked().join("\n"));
    expect![[r#"
        [user] invoke_agent output:
        `save_memory` completed its task in 2 turns.

        Tea is green now.

        It is written.
    "#]]
    .assert_eq(&shown(&asked[3].history[2..]));
}

#[test]
fn nothing_is_written_if_nobody_agrees_or_the_task_is_not_completed() {
    let ways: [(Option<Answer>, Vec<Event>, &str); 3] = [
        (Some(Answer::No), done("Done."), "declined"),
        (None, done("Done."), "needs your consent"),
        (
            Some(Answer::Yes),
            vec![say::text("I am done.")],
            "did not complete",
        ),
    ];
    for (answer, last, told) in ways {
        let stage = stage("Remember tea.").answers([
            remember("Tea."),
            add_line(GLOBAL, "The user likes tea.", "Nothing."),
            last.clone(),
            last,
            vec![say::text("Well.")],
        ]);
        if let Some(answer) = answer {
            stage.desk.person.will_say(answer);
        }
        stage.talk();
        let text = stage.desk.text(GLOBAL);
        assert_eq!(text.as_deref(), Some("The user likes tea.\n"), "{told}");
        let asked = stage.desk.models.asked();
        let last = shown(&asked.last().unwrap().history);
        assert!(last.contains(told), "{told}: {last}");
    }
}

#[test]
fn it_reaches_memory_files_and_nothing_else() {
    let write = |id: &str, path: &str| {
        let args = json!({ "file_path": path, "content": "see .gemini/x.md" });
        say::call(id, "write_file", args)
    };
    let stage = stage("Remember.").answers([
        remember("Anything."),
        vec![
            write("a", "/w/app/.gemini/settings.json"),
            write("b", ".gemini/../.ssh/x.md"),
            write("c", "/w/app/evil.sh"),
            write("d", "notes.txt"),
            say::call("e", "read_file", json!({ "file_path": "/etc/passwd" })),
            say::call("f", "read_file", json!({ "file_path": "notes.txt" })),
            say::call(
                "g",
                "run_shell_command",
                json!({ "command": "cat notes.txt" }),
            ),
            say::call("h", "grep_search", json!({ "pattern": "miller|Library" })),
            say::call("i", "list_directory", json!({ "dir_path": "src/lib" })),
        ],
        done("Nothing."),
        vec![say::text("Well.")],
    ]);
    stage.talk();
    assert!(stage.desk.person.asked().is_empty());
    let changed: Vec<_> = stage
        .desk
        .commits()
        .into_iter()
        .flat_map(|(changes, _)| changes.files)
        .map(|change| change.path.to_string())
        .collect();
    assert!(
        changed.iter().all(|path| path.starts_with("/h/.gemini/")),
        "{changed:?}"
    );
    let asked = stage.desk.models.asked();
    expect![[r#"
        [user] write_file error:
        `/w/app/.gemini/settings.json` is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w/app`; `*.md` below `/h/.gemini`; `/h/.gemini/AGENTS.md`; `/h/.gemini/CLAUDE.md`; `/h/.gemini/GEMINI.md`; `GEMINI.md`, `AGENTS.md`, `CLAUDE.md` in `/w/app` and at any depth below.
        [user] write_file error:
        `.gemini/../.ssh/x.md` is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w/app`; `*.md` below `/h/.gemini`; `/h/.gemini/AGENTS.md`; `/h/.gemini/CLAUDE.md`; `/h/.gemini/GEMINI.md`; `GEMINI.md`, `AGENTS.md`, `CLAUDE.md` in `/w/app` and at any depth below.
        [user] write_file error:
        `/w/app/evil.sh` is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w/app`; `*.md` below `/h/.gemini`; `/h/.gemini/AGENTS.md`; `/h/.gemini/CLAUDE.md`; `/h/.gemini/GEMINI.md`; `GEMINI.md`, `AGENTS.md`, `CLAUDE.md` in `/w/app` and at any depth below.
        [user] write_file error:
        `notes.txt` is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w/app`; `*.md` below `/h/.gemini`; `/h/.gemini/AGENTS.md`; `/h/.gemini/CLAUDE.md`; `/h/.gemini/GEMINI.md`; `GEMINI.md`, `AGENTS.md`, `CLAUDE.md` in `/w/app` and at any depth below.
        [user] read_file error:
        `/etc/passwd` is no file that this agent may read. What it may use: `**/.gemini/*.md` below `/w/app`; `*.md` below `/h/.gemini`; `/h/.gemini/AGENTS.md`; `/h/.gemini/CLAUDE.md`; `/h/.gemini/GEMINI.md`; `GEMINI.md`, `AGENTS.md`, `CLAUDE.md` in `/w/app` and at any depth below.
        [user] read_file error:
        `notes.txt` is no file that this agent may read. What it may use: `**/.gemini/*.md` below `/w/app`; `*.md` below `/h/.gemini`; `/h/.gemini/AGENTS.md`; `/h/.gemini/CLAUDE.md`; `/h/.gemini/GEMINI.md`; `GEMINI.md`, `AGENTS.md`, `CLAUDE.md` in `/w/app` and at any depth below.
        [user] run_shell_command error:
        There is no tool `run_shell_command` for you. Those that are there: read_file, write_file, replace, list_directory, glob, grep_search.
        [user] grep_search output:
        Found 1 match for `miller|Library` in `.`:
        ---
        File: src/lib/GEMINI.md
        L1: Library code never prints.
        ---
        [user] list_directory output:
        Directory listing for `src/lib`:
        GEMINI.md (27 bytes)
    "#]].assert_eq(&shown(&asked[2].history[2..]));
}

#[test]
fn a_question_is_put_to_the_person_and_answered() {
    let ask = json!({ "questions": [{
        "question": "Everywhere, or in this project?",
        "options": [{ "label": "Everywhere" }, { "label": "Here" }],
    }] });
    let mut stage = stage("Remember tabs.").answers([
        remember("Tabs."),
        call("ask_user", ask),
        add_line(
            ROOT,
            "Write short sentences.",
            "Write short sentences.\n\n- Use tabs.",
        ),
        done("Here."),
        vec![say::text("Noted.")],
    ]);
    stage.wish.audience = Audience::Present;
    stage.desk.person.will_reply(Reply::Chose(1));
    stage.desk.person.will_say(Answer::Yes);
    stage.talk();
    assert_eq!(
        stage.desk.text(ROOT).as_deref(),
        Some("Write short sentences.\n\n- Use tabs.\n")
    );
}

#[test]
fn no_server_is_within_its_reach_whoever_takes_its_place() {
    let own = "---\nname: save_memory\ndescription: Mine.\ntools: [\"*\", mcp_pond_quack, \"mcp_*\"]\n---\nYou note.\n";
    for own in [None, Some(own)] {
        let stage = stage("Remember.").in_mode("yolo").answers([
            remember("Anything."),
            vec![
                say::call("a", "mcp_pond_quack", json!({ "path": "/etc/passwd" })),
                say::call("b", "run_shell_command", json!({ "command": "id" })),
                say::call(
                    "c",
                    "invoke_agent",
                    json!({ "agent_name": "save_memory", "prompt": "x" }),
                ),
            ],
            done("Nothing."),
            vec![say::text("Well.")],
        ]);
        let settings = json!({
            "memory": { "writer": "manager" },
            "mcpServers": { "pond": { "command": "pond", "trust": true } },
        });
        let file = "/h/.gemini/settings.json";
        stage.desk.edit(file, &settings.to_string());
        stage.servers.has("pond", &["quack"]);
        stage.servers.says("pond", "quack", "root:x:0");
        if let Some(own) = own {
            stage.desk.edit("/h/.gemini/agents/save_memory.md", own);
        }
        stage.talk();
        assert!(stage.servers.called().is_empty());
        assert!(stage.shell.lines().is_empty());
        let asked = stage.desk.models.asked();
        let is_ours = |tool: &&String| tool.starts_with("mcp_");
        assert!(asked[0].tools.iter().any(|tool| is_ours(&tool)));
        assert_eq!(asked[1].tools.iter().find(is_ours), None);
        let read = shown(&asked[2].history);
        assert_eq!(read.matches("There is no tool").count(), 3, "{read}");
    }
}
