//! Claude Code's records.

use analects_session::foreign::{Limits, claude, name};
use expect_test::{Expect, expect};

use super::show::show;

fn check(path: &str, bytes: &[u8], expected: Expect) {
    let named = name::claude(path).unwrap();
    let read = claude::read(bytes, &named, Limits::USUAL);
    expected.assert_eq(&show(&read));
}

fn check_lines(lines: &str, expected: Expect) {
    check("one.jsonl", lines.as_bytes(), expected);
}

#[test]
fn a_real_conversation_with_commands_a_compaction_and_a_subagent() {
    let bytes = include_bytes!("claude/talk.jsonl");
    check(
        "27234677-02ac-48a5-b5a9-30733413d4a8.jsonl",
        bytes,
        expect![[r#"
            claude 27234677-02ac-48a5-b5a9-30733413d4a8 /repo master
            2026-11-16T02:47:41.452Z 2026-11-16T02:47:46.715Z
            user: Look at the pond.
            model: 
              Read {"file_path":"/repo/notes.txt"} → ok 1	The pond is long.⏎2	
                /repo/notes.txt
            model: 
              Bash echo quack; exit 3 → failed Exit code 3⏎quack
            model: 
              Agent {"description":"Count ducks","prompt":"How many ducks are there?","subagent_type":"general… → ok [Subagent hand-back] The text below is the final report of a subagent this session delegat…
            model: All done: seven ducks.
            user: And the geese?
            model: 
              Edit {"replace_all":false,"file_path":"/repo/notes.txt","old_string":"long","new_string":"wide"… → ok The file /repo/notes.txt has been updated successfully. (file state is current in your con…
                /repo/notes.txt
            model: No geese.
            user: /greet the heron
            model: Hello, heron.
            program: Conversation compacted
            program: This session is being continued from a previous conversation that ran out of context. The …
            program: /compact
            program: Compacted (ctrl+o to see full summary)
            user: What was it about?
            model: About a pond.
        "#]],
    );
}

#[test]
fn a_real_fork_repeats_what_was_kept() {
    check(
        "e9c44a83-bb3e-41ea-88fc-989ff0cc57e6.jsonl",
        include_bytes!("claude/fork.jsonl"),
        expect![[r#"
            claude e9c44a83-bb3e-41ea-88fc-989ff0cc57e6 /repo master
            2026-11-16T02:47:44.800Z 2026-11-16T02:47:47.499Z
            program: Conversation compacted
            program: This session is being continued from a previous conversation that ran out of context. The …
            model: Hello, heron.
            program: /compact
            program: Compacted (ctrl+o to see full summary)
            user: What was it about?
            model: About a pond.
            user: Go another way.
            model: Another way.
        "#]],
    );
}

#[test]
fn a_real_subagent() {
    let path = "27234677-02ac-48a5-b5a9-30733413d4a8/subagents/agent-a478d3554fd57e793.jsonl";
    check(
        path,
        include_bytes!("claude/agent.jsonl"),
        expect![[r#"
        claude agent-a478d3554fd57e793 /repo master for 27234677-02ac-48a5-b5a9-30733413d4a8
        2026-11-16T02:47:41.869Z 2026-11-16T02:47:42.080Z
        user: How many ducks are there?
        model: There are seven ducks.
    "#]],
    );
}

#[test]
fn real_answers_of_several_blocks_a_picture_and_a_notification() {
    let path = "a9a9afa7-3603-4d80-8f01-0b2e9c5aa4a0.jsonl";
    check(
        path,
        include_bytes!("claude/blocks.jsonl"),
        expect![[r#"
        claude a9a9afa7-3603-4d80-8f01-0b2e9c5aa4a0 "My pond" /repo master
        2026-11-16T02:49:44.288Z 2026-11-16T02:49:46.007Z
        user: Look twice.
        model: I look twice.
          Bash cat notes.txt → ok The pond is long.
          Bash seq 1 20000 → ok <persisted-output>⏎Output too large (106.3KB). Full output saved to: /home/u/.claude/proje…
        model: It is⏎long.
        user: And this picture?⏎[image]
        model: A red dot.
        user: Count in the background.
        model: 
          Agent {"description":"Count","prompt":"Count ducks.","subagent_type":"general-purpose","run_in_b… → ok Async agent launched successfully. (This tool result is internal metadata — never quote or…
        model: started
        program: <task-notification>⏎<task-id>a18685e3926ed6a94</task-id>⏎<tool-use-id>toolu_x009</tool-use…
        model: three
    "#]],
    );
}

#[test]
fn what_was_typed_while_the_model_worked_is_a_prompt() {
    let path = "60262725-d95e-4bf0-8e95-116795d1b58f.jsonl";
    check(
        path,
        include_bytes!("claude/queued.jsonl"),
        expect![[r#"
        claude 60262725-d95e-4bf0-8e95-116795d1b58f /repo
        2026-11-16T02:59:09.905Z 2026-11-16T02:59:12.222Z
        user: Wait a little.
        model: 
          Bash sleep 2; echo done → ok done
        user: And hurry up meanwhile.
        model: I saw both.
    "#]],
    );
}

#[test]
fn blocks_of_one_message_are_one_turn_and_results_find_their_calls() {
    check_lines(
        r#"{"type":"assistant","uuid":"1","requestId":"r1","message":{"content":[{"type":"thinking","thinking":"hm"}]}}
{"type":"assistant","uuid":"2","requestId":"r1","message":{"content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"/a","content":"x"}}]}}
{"type":"user","uuid":"3","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"no"},{"type":"image","source":{}}],"is_error":true}]}}
{"type":"assistant","uuid":"4","requestId":"r1","message":{"content":[{"type":"text","text":"Well."},{"type":"server_tool_use","id":"t2","name":"web_search","input":{"query":"pond"}},{"type":"web_search_tool_result","tool_use_id":"t2","content":[]}]}}
{"type":"assistant","uuid":"5","message":{"content":"An old answer."}}
{"type":"user","uuid":"6","message":{"content":[{"type":"tool_result","tool_use_id":"t9","content":"?"}]}}
"#,
        expect![[r#"
            claude one
            model: Well.
              Write {"file_path":"/a","content":"x"} → failed no⏎[image]
                /a
              web_search {"query":"pond"} → ok 
            model: An old answer.
            ! stray-tool-result results of tools without a call: 1
        "#]],
    );
}

#[test]
fn a_line_that_is_repeated_counts_once() {
    check_lines(
        r#"{"type":"user","uuid":"1","parentUuid":"gone","message":{"content":"First."}}
{"type":"user","uuid":"1","parentUuid":"2","message":{"content":"First, again."}}
{"type":"file-history-snapshot","messageId":"2","snapshot":{}}
{"type":"user","uuid":"2","message":{"content":"Second."}}
"#,
        expect![[r#"
            claude one
            user: First.
            user: Second.
        "#]],
    );
}

#[test]
fn subagents_inside_of_a_conversation_are_left_out() {
    check_lines(
        r#"{"type":"user","uuid":"1","isSidechain":false,"message":{"content":"Ask."}}
{"type":"user","uuid":"2","isSidechain":true,"sessionId":"one","message":{"content":"A task."}}
{"type":"assistant","uuid":"3","isSidechain":true,"message":{"id":"m","content":[{"type":"text","text":"Done."}]}}
"#,
        expect![[r#"
            claude one
            user: Ask.
        "#]],
    );
}

#[test]
fn a_file_with_nothing_but_a_subagents_lines_is_a_subagents() {
    check_lines(
        r#"{"type":"user","uuid":"2","isSidechain":true,"sessionId":"main-1","message":{"content":"A task."}}
{"type":"assistant","uuid":"3","isSidechain":true,"message":{"id":"m","content":[{"type":"text","text":"Done."}]}}
"#,
        expect![[r#"
            claude one for main-1
            user: A task.
            model: Done.
        "#]],
    );
}

#[test]
fn the_users_title_outranks_the_models_and_summaries_of_others_do_not_count() {
    let summaries = r#"{"type":"summary","summary":"Of another","leafUuid":"9"}
{"type":"summary","summary":"Of this","leafUuid":"1"}
{"type":"user","uuid":"1","message":{"content":"Hi."}}
"#;
    check_lines(
        summaries,
        expect![[r#"
        claude one "Of this"
        user: Hi.
    "#]],
    );
    let by_model = format!(
        "{summaries}{}\n{}\n",
        r#"{"type":"ai-title","aiTitle":"A pond"}"#, r#"{"type":"ai-title","aiTitle":"Ponds"}"#
    );
    check_lines(
        &by_model,
        expect![[r#"
        claude one "Ponds"
        user: Hi.
    "#]],
    );
    let by_user = format!(
        "{}\n{by_model}",
        r#"{"type":"custom-title","customTitle":"Mine"}"#
    );
    check_lines(
        &by_user,
        expect![[r#"
        claude one "Mine"
        user: Hi.
    "#]],
    );
}

#[test]
fn another_session_in_the_first_line_is_what_it_goes_on_from() {
    check_lines(
        r#"{"type":"user","uuid":"1","sessionId":"zero","message":{"content":"Before."}}
{"type":"user","uuid":"2","sessionId":"one","message":{"content":"After."}}
"#,
        expect![[r#"
            claude one after zero:None
            user: Before.
            user: After.
        "#]],
    );
}

#[test]
fn times_that_cannot_be_are_none() {
    check_lines(
        r#"{"type":"user","uuid":"1","timestamp":"0001-01-01T00:00:00Z","message":{"content":"a"}}
{"type":"user","uuid":"2","timestamp":"2026-01-02T00:00:00Z","message":{"content":"b"}}
{"type":"user","uuid":"3","timestamp":"2026-01-01T00:00:00Z","message":{"content":"c"}}
{"type":"user","uuid":"4","timestamp":"9999-01-01T00:00:00Z","message":{"content":"d"}}
{"type":"user","uuid":"5","timestamp":17,"message":{"content":"e"}}
"#,
        expect![[r#"
            claude one
            2026-01-01T00:00:00.000Z 2026-01-02T00:00:00.000Z
            user: a
            user: b
            user: c
            user: d
            user: e
        "#]],
    );
}

#[test]
fn what_the_program_says_is_the_programs() {
    check_lines(
        r#"{"type":"assistant","uuid":"1","isApiErrorMessage":true,"message":{"id":"m","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}}
{"type":"compact_boundary","uuid":"2","content":"Conversation compacted"}
{"type":"user","uuid":"3","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"content":"The summary."}}
{"type":"user","uuid":"4","isMeta":true,"message":{"content":"Only for the model."}}
{"type":"system","uuid":"5","subtype":"turn_duration","durationMs":5}
{"type":"system","uuid":"6","subtype":"local_command","content":"<command-name>/model</command-name><command-args>opus</command-args>"}
{"type":"user","uuid":"7","origin":{"kind":"channel"},"message":{"content":"From afar."}}
{"type":"user","uuid":"8","origin":{"kind":"human"},"message":{"content":[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"Me."},{"type":"image","source":{"data":"x"}}]}}
"#,
        expect![[r#"
            claude one
            program: API Error: 529
            program: Conversation compacted
            program: The summary.
            program: /model opus
            program: From afar.
            user: Me.⏎[image]
        "#]],
    );
}
