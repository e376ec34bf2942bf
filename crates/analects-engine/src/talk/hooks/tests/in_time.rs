//! An agent whose time is running out: its guards are heard, or nothing happens.

use std::sync::atomic::Ordering;

use analects_world::ask::Reply;
use analects_world::shell::{How as Ending, Limit};

use super::*;
use crate::prompt::Audience;

const AGENT: &str = "---\nname: counter\ndescription: Counts things.\ntools: [\"*\"]\ntimeout_mins: 2\nmax_turns: 30\n---\nYou count.\n";
const MINUTE_MS: u64 = 60_000;

/// An agent with two minutes that makes these calls in one answer, and completes its task.
fn sent(calls: Vec<Piece>) -> Stage {
    let send = json!({"agent_name": "counter", "prompt": "Count."});
    let send = vec![say::call("s", "invoke_agent", send)];
    let done = json!({"result": "Done."});
    let done = vec![say::call("t", "complete_task", done)];
    let mut stage = Stage::new([send, calls, done, seven()]);
    stage.wish.mode = Some("yolo".to_owned());
    stage.desk.edit("/h/.gemini/agents/counter.md", AGENT);
    stage
}

fn put(id: &str, path: &str) -> Piece {
    say::call(id, "write_file", json!({"file_path": path, "content": "x"}))
}

/// A hook that takes this long; where it is not given that, it is ended.
fn slow(stage: Stage, event: &str, ms: u64) -> Stage {
    let desk = Arc::clone(&stage.desk);
    stage.hook(event, "slow", move |told| {
        if told["tool_name"] == "invoke_agent" {
            return fed(0, "", "");
        }
        desk.now_ms.fetch_add(ms, Ordering::Relaxed);
        fed(0, "", "")
    })
}

/// A guard that would say no, if it were let: it is ended when the time of the agent is over.
fn cut_short(stage: Stage, event: &str) -> Stage {
    let desk = Arc::clone(&stage.desk);
    let mut stage = stage.hook(event, "guard", move |told| {
        let is_of_sender = told["tool_name"] == "invoke_agent"
            || told["llm_request"].to_string().contains("Count the ducks.");
        if is_of_sender {
            return fed(0, "", "");
        }
        desk.now_ms.fetch_add(2 * MINUTE_MS, Ordering::Relaxed);
        let mut cut = fed(0, "", "");
        cut.ended.how = Ending::TimedOut(Limit::Whole);
        cut
    });
    let hook = &mut stage.hooks.get_mut(event).unwrap()[0]["hooks"][0];
    hook["timeout"] = (10 * MINUTE_MS).into();
    stage
}

#[test]
fn nothing_is_begun_once_the_time_of_an_agent_is_over() {
    let stage = slow(
        sent(vec![put("a", "a.txt"), put("b", "b.txt")]),
        "AfterTool",
        3 * MINUTE_MS,
    );
    stage.talk();
    assert_eq!(stage.desk.text("/w/app/a.txt").as_deref(), Some("x"));
    assert_eq!(stage.desk.text("/w/app/b.txt"), None);
    assert!(
        stage.read(2).contains("your time is over"),
        "{}",
        stage.read(2)
    );
}

#[test]
fn each_command_of_an_agent_has_what_is_left_of_its_time() {
    let run = |id: &str| say::call(id, "run_shell_command", json!({"command": "make"}));
    let stage = slow(sent(vec![run("a"), run("b")]), "AfterTool", MINUTE_MS);
    stage.shell.prints("make", "made", 0);
    stage.talk();
    let ran = stage.shell.ran().into_iter();
    let limits: Vec<_> = ran
        .filter(|ran| ran.line == "make")
        .map(|ran| ran.whole_ms)
        .collect();
    assert_eq!(limits, [Some(2 * MINUTE_MS), Some(MINUTE_MS)]);
}

#[test]
fn a_call_is_not_made_if_there_was_no_time_to_hear_a_guard() {
    let stage = cut_short(sent(vec![put("a", "a.txt")]), "BeforeTool");
    stage.talk();
    assert_eq!(stage.desk.text("/w/app/a.txt"), None);
}

#[test]
fn an_answer_is_not_shown_if_there_was_no_time_to_hear_a_guard() {
    let look = say::call("a", "read_file", json!({"file_path": "secret.txt"}));
    let stage = cut_short(sent(vec![look]), "AfterTool");
    stage.talk();
    let asked = stage.desk.models.asked();
    assert!(asked.len() > 2);
    for asked in asked {
        let read = last(&asked.history);
        assert!(!read.contains("the plan"), "{read}");
    }
}

#[test]
fn a_model_is_not_asked_if_there_was_no_time_to_hear_a_guard() {
    let stage = cut_short(sent(Vec::new()), "BeforeModel");
    stage.talk();
    let asked = stage.desk.models.asked();
    let of_agent = asked.iter().filter(|it| it.system.contains("You count."));
    assert_eq!(of_agent.count(), 0);
}

#[test]
fn what_a_model_says_does_not_count_if_there_was_no_time_to_hear_a_guard() {
    let done = say::call("a", "complete_task", json!({"result": "the plan"}));
    let stage = cut_short(sent(vec![done]), "AfterModel");
    stage.talk();
    let asked = stage.desk.models.asked();
    let read = last(&asked.last().unwrap().history);
    assert!(
        read.contains("did not complete its task") && !read.contains("the plan"),
        "{read}"
    );
}

#[test]
fn the_time_that_a_person_takes_is_not_taken_from_hooks() {
    let ask = json!({"questions": [{"question": "How many?"}]});
    let mut stage = sent(vec![say::call("a", "ask_user", ask)]);
    stage = stage.hook("AfterTool", "listens", |_| fed(0, "", ""));
    stage.wish.audience = Audience::Present;
    let desk = Arc::clone(&stage.desk);
    let said = Reply::Said("seven".to_owned());
    stage.desk.person.will_reply_while(said, move || {
        desk.now_ms.fetch_add(3 * MINUTE_MS, Ordering::Relaxed);
    });
    stage.talk();
    let heard = stage.shell.ran().into_iter();
    let heard = heard.filter(|ran| ran.input.as_ref().unwrap().contains("ask_user"));
    let limits: Vec<_> = heard.map(|ran| ran.whole_ms).collect();
    assert_eq!(limits, [Some(MINUTE_MS)]);
}

#[test]
fn a_server_has_no_more_time_than_the_agent_that_asks_it() {
    let fetch = say::call("a", "mcp_web_fetch", json!({}));
    let stage = sent(vec![fetch]);
    stage.servers.has("web", &["fetch"]);
    stage.servers.never_answers("web", "fetch");
    let servers = json!({"mcpServers": {"web": {"command": "web"}}});
    stage
        .desk
        .edit("/w/app/.gemini/settings.json", &servers.to_string());
    stage.talk();
    let called = stage.servers.called();
    assert_eq!(called[0].whole_ms, Some(2 * MINUTE_MS));
    assert!(
        stage.read(2).contains("did not answer within 120000 ms"),
        "{}",
        stage.read(2)
    );
}

#[test]
fn no_model_is_waited_for_longer_than_an_agent_has() {
    let long = "The pond lies behind the mill and has no outlet.\n".repeat(300);
    let send = json!({"agent_name": "counter", "prompt": "Count."});
    let mut answers = vec![vec![say::call("s", "invoke_agent", send)]];
    answers.extend((0..12).map(|n| {
        let file = json!({"file_path": format!("n{n}.txt")});
        vec![say::call(&format!("c{n}"), "read_file", file)]
    }));
    answers.extend((0..9).map(|_| seven()));
    let stage = Stage::new(answers).hook("PostCompress", "after", |_| fed(0, "", ""));
    stage.desk.edit("/h/.gemini/agents/counter.md", AGENT);
    for n in 0..12 {
        let file = format!("/w/app/n{n}.txt");
        stage.desk.edit(&file, &format!("{n}: {long}"));
    }
    let window = r#"{"context": {"windowTokens": 16000}}"#;
    stage.desk.edit("/h/.gemini/analects.json", window);
    stage.talk();
    assert!(!stage.told("after").is_empty(), "it was compressed");
    let asked = stage.desk.models.asked();
    let is_of_sender = |history: &[Content]| {
        let words: Vec<_> = history.iter().flat_map(Content::texts).collect();
        words.concat().contains("Count the ducks.")
    };
    let of_agent = asked.iter().filter(|it| !is_of_sender(&it.history));
    let most_ms = of_agent.map(|it| it.whole_ms).max();
    assert_eq!(most_ms, Some(2 * MINUTE_MS));
}
