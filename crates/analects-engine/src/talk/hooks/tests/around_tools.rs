//! Hooks around tools.

use super::*;
use crate::talk::How;

#[test]
fn a_call_can_be_blocked_and_its_answer_too() {
    let stage = Stage::new([read_pond(), seven()])
        .hook("BeforeTool", "guard", |_| fed(2, "", "not that file"));
    stage.talk();
    assert_eq!(
        stage.read(1),
        "error: Tool execution blocked: not that file"
    );
    let stage = Stage::new([read_pond(), seven()]).says(
        "AfterTool",
        "guard",
        json!({"decision": "deny", "reason": "private"}),
    );
    stage.talk();
    assert_eq!(stage.read(1), "error: Tool result blocked: private");
    let told = &stage.told("guard")[0];
    assert_eq!(told["tool_name"], "read_file");
    assert_eq!(told["tool_response"]["llmContent"], "seven ducks\n");
    assert_eq!(told["tool_response"]["error"], Value::Null);
}

#[test]
fn a_matcher_says_for_which_tools() {
    let mut stage =
        Stage::new([read_pond(), seven()]).hook("BeforeTool", "guard", |_| fed(2, "", "no"));
    stage.hooks.get_mut("BeforeTool").unwrap()[0]["matcher"] = "write_.*|replace".into();
    stage.talk();
    assert_eq!(stage.read(1), "output: seven ducks\n");
    assert_eq!(stage.events(), Vec::<String>::new());
}

#[test]
fn what_a_hook_wants_to_be_known_comes_with_the_answer() {
    let context = json!({"hookSpecificOutput": {"additionalContext": "Ducks <fly>."}});
    let stage = Stage::new([read_pond(), seven()]).says("AfterTool", "adds", context);
    stage.talk();
    assert_eq!(
        stage.read(1),
        "output: seven ducks\n\n\n<hook_context>\nDucks &lt;fly&gt;.\n</hook_context>"
    );
}

#[test]
fn other_arguments_are_judged_like_a_new_call() {
    let rewrite = |path: &str| json!({"hookSpecificOutput": {"tool_input": {"file_path": path}}});
    let stage = Stage::new([write("a.txt"), seven()]).says("BeforeTool", "moves", rewrite("b.txt"));
    stage.talk();
    assert_eq!(
        (
            stage.desk.text("/w/app/a.txt"),
            stage.desk.text("/w/app/b.txt").as_deref()
        ),
        (None, Some("x"))
    );
    assert!(
        stage
            .read(1)
            .ends_with("[A hook changed arguments of this call before it was made: file_path]"),
        "{}",
        stage.read(1)
    );

    for (path, why) in [
        ("/etc/passwd", "outside of the workspace"),
        ("../x", "outside of the workspace"),
        (".git/config", ""),
        ("secret.txt", "A rule does not allow this"),
    ] {
        let stage =
            Stage::new([write("a.txt"), seven()]).says("BeforeTool", "moves", rewrite(path));
        stage.desk.edit("/h/.gemini/policies/mine.toml", "[[rule]]\ntoolName = \"write_file\"\npathPattern = \"secret.txt\"\ndecision = \"deny\"\npriority = 900\n");
        stage.talk();
        let read = stage.read(1);
        assert!(
            read.starts_with("error: [A hook changed") && read.contains(why),
            "{path}: {read}"
        );
        assert_eq!(
            stage.desk.text("/w/app/secret.txt").as_deref(),
            Some("the plan\n")
        );
        assert_eq!(stage.desk.text("/w/app/a.txt"), None);
    }
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let odd = json!({"hookSpecificOutput": {"tool_input": {"file_path": 5}}});
    let stage = Stage::new([read_pond(), seven()]).says("BeforeTool", "odd", odd);
    stage.talk();
    assert!(
        stage.read(1).starts_with("error: [A hook changed"),
        "{}",
        stage.read(1)
    );
}

#[test]
fn in_a_sequence_each_is_told_what_those_before_it_changed() {
    let change = |told: &Value| {
        let path = told["tool_input"]["file_path"].as_str().unwrap().to_owned() + "x";
        fed(
            0,
            &json!({"hookSpecificOutput": {"tool_input": {"file_path": path}}}).to_string(),
            "",
        )
    };
    let mut stage = Stage::new([write("a"), seven()])
        .hook("BeforeTool", "one", change)
        .hook("BeforeTool", "two", change);
    stage.hooks.get_mut("BeforeTool").unwrap()[1]["sequential"] = true.into();
    stage.talk();
    assert_eq!(
        stage.told("two")[0]["tool_input"],
        json!({"file_path": "ax", "content": "x"})
    );
    assert_eq!(stage.desk.text("/w/app/axx").as_deref(), Some("x"));
}

#[test]
fn a_hook_can_forbid_but_not_allow() {
    let make = vec![say::call(
        "c",
        "run_shell_command",
        json!({"command": "make"}),
    )];
    let stage = Stage::new([make, seven()])
        .says("BeforeTool", "yes", json!({"decision": "allow"}))
        .says("Notification", "bell", json!({"decision": "allow"}));
    stage.talk();
    assert!(
        stage.read(1).contains("needs somebody to agree"),
        "{}",
        stage.read(1)
    );
    assert_eq!(stage.events(), ["Notification"]);
    assert_eq!(
        stage.told("bell")[0]["details"]["tool_input"],
        json!({"command": "make"})
    );
    let stage = Stage::new([read_pond(), seven()]).says(
        "BeforeTool",
        "asks",
        json!({"decision": "ask", "reason": "sure?"}),
    );
    stage.talk();
    assert!(
        stage
            .read(1)
            .ends_with("nobody is there to be asked: sure?"),
        "{}",
        stage.read(1)
    );
}

#[test]
fn a_stop_ends_the_run_and_leaves_no_call_without_an_answer() {
    let two = || {
        vec![
            say::call("a", "write_file", json!({"file_path": "a", "content": "x"})),
            say::call("b", "write_file", json!({"file_path": "b", "content": "x"})),
        ]
    };
    for (event, is_written) in [("BeforeTool", false), ("AfterTool", true)] {
        let stage = Stage::new([two(), seven()]).says(
            event,
            "stops",
            json!({"continue": false, "stopReason": "enough"}),
        );
        let ended = stage.talk();
        assert!(
            matches!(&ended.how, How::Stopped(why) if why == "a hook stopped the agent: enough"),
            "{:?}",
            ended.how
        );
        assert_eq!(stage.desk.models.asked().len(), 1);
        assert_eq!(stage.desk.text("/w/app/a").is_some(), is_written);
        assert_eq!(stage.desk.text("/w/app/b"), None);
        assert_eq!(ended.stats.tools.total_calls, 2);
    }
}

#[test]
fn an_agent_that_is_sent_is_guarded_like_whoever_sends_it() {
    let send = vec![say::call(
        "s",
        "invoke_agent",
        json!({"agent_name": "counter", "prompt": "Count."}),
    )];
    let done = vec![say::call(
        "t",
        "complete_task",
        json!({"result": "No idea."}),
    )];
    let few = json!({"hookSpecificOutput": {"toolConfig": {"mode": "AUTO", "allowedFunctionNames": ["read_file", "invoke_agent"]}}});
    let stage = Stage::new([send, read_pond(), done, seven()])
        .says("BeforeToolSelection", "few", few)
        .hook("BeforeAgent", "prompt", |_| fed(0, "", ""))
        .hook("BeforeTool", "guard", |told| {
            match told["tool_name"] == "read_file" {
                true => fed(2, "", "not that file"),
                false => fed(0, "", ""),
            }
        });
    let agent = "---\nname: counter\ndescription: Counts things.\ntools: [read_file, glob]\n---\nYou count.\n";
    stage.desk.edit("/h/.gemini/agents/counter.md", agent);
    assert_eq!(stage.talk().response, "Seven.");
    assert_eq!(
        stage.read(2),
        "error: Tool execution blocked: not that file"
    );
    let asked = stage.desk.models.asked();
    assert_eq!(asked[1].tools, ["read_file", "complete_task"]);
    let told = stage.told("guard");
    let ids: Vec<_> = told.iter().map(|told| &told["session_id"]).collect();
    assert_eq!(ids, [&json!("5e551011-0000-4000-8000-000000000001"); 2]);
    assert_eq!(stage.told("prompt").len(), 1, "only what the user says");
}

#[test]
fn a_tool_of_a_server_is_a_tool_and_hooks_are_told_whose() {
    let fetch = vec![say::call("c", "mcp_web_fetch", json!({"q": "ducks"}))];
    let mut stage = Stage::new([fetch, seven()])
        .hook("BeforeTool", "guard", |_| fed(2, "", "not there"))
        .hook("Notification", "bell", |_| fed(0, "", ""));
    stage.hooks.get_mut("BeforeTool").unwrap()[0]["matcher"] = "^mcp_web_".into();
    stage.servers.has("web", &["fetch"]);
    let servers = json!({"mcpServers": {"web": {"command": "web", "args": ["--stdio"], "env": {"TOKEN": "t"}}}});
    stage
        .desk
        .edit("/w/app/.gemini/settings.json", &servers.to_string());
    stage.wish.mode = Some("yolo".to_owned());
    stage.talk();
    assert_eq!(stage.read(1), "error: Tool execution blocked: not there");
    assert_eq!(stage.servers.called().len(), 0);
    let expected = json!({
        "server_name": "web", "tool_name": "fetch", "command": "web", "args": ["--stdio"], "cwd": "/w/app",
    });
    assert_eq!(stage.told("guard")[0]["mcp_context"], expected);
    let fetch = vec![say::call("c", "mcp_web_fetch", json!({"q": "ducks"}))];
    for mut events in [fetch, seven()] {
        events.push(say::done());
        stage.desk.models.answer(events);
    }
    (stage.wish.mode, stage.wish.resume) = (None, Some("latest".to_owned()));
    stage.talk();
    assert_eq!(
        stage.told("bell").len(),
        1,
        "somebody would have to agree to it"
    );
}

#[test]
fn what_waits_to_be_written_is_not_proposed_once_a_hook_stopped_everything() {
    let send = json!({"agent_name": "save_memory", "prompt": "Tea."});
    let send = vec![say::call("s", "invoke_agent", send)];
    let put = json!({"file_path": "/h/.gemini/GEMINI.md", "content": "- Tea.\n"});
    let done = json!({"result": {"response": "Noted."}});
    let both = vec![
        say::call("w", "write_file", put),
        say::call("d", "complete_task", done),
    ];
    for is_stopped in [false, true] {
        let answer = match is_stopped {
            true => json!({"continue": false, "stopReason": "enough"}),
            false => json!({}),
        };
        let mut stage = Stage::new([send.clone(), both.clone(), seven()]);
        stage = stage.says("AfterTool", "guard", answer);
        stage.hooks.get_mut("AfterTool").unwrap()[0]["matcher"] = "write_file".into();
        let settings = json!({"memory": {"writer": "manager", "consent": "auto"}});
        stage
            .desk
            .edit("/h/.gemini/analects.json", &settings.to_string());
        stage.talk();
        assert_eq!(stage.told("guard").len(), 1);
        let written = stage.desk.text("/h/.gemini/GEMINI.md");
        assert_eq!(written.is_none(), is_stopped, "{written:?}");
        if !is_stopped {
            assert!(stage.read(2).ends_with("It is written."));
        }
    }
}
