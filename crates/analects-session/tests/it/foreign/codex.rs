//! Codex' records.

use analects_session::foreign::{Limits, codex, name};
use expect_test::{Expect, expect};

use super::show::show;

fn check(bytes: &[u8], expected: Expect) {
    let named = name::codex("archived_sessions/rollout-2026-11-16T02-49-39-01a1.jsonl").unwrap();
    let read = codex::read(bytes, &named, Limits::USUAL);
    expected.assert_eq(&show(&read));
}

fn check_lines(lines: &str, expected: Expect) {
    check(lines.as_bytes(), expected);
}

#[test]
fn a_real_conversation_whose_tools_are_called_by_code() {
    check(
        include_bytes!("codex/scripted.jsonl"),
        expect![[r#"
        codex 01a1 /repo
        2026-11-16T02:47:48.881Z 2026-11-16T02:47:50.004Z
        user: Look at the pond.
        model: 
          exec const wanted = "exec_command";⏎const found = ALL_TOOLS.find(({ name }) => name === wanted … → ok {"chunk_id":"130a09","wall_time_seconds":0.000006452,"exit_code":0,"original_token_count":…
          exec_command cat notes.txt → ok The pond is long.⏎
            notes.txt
          exec const wanted = "exec_command";⏎const found = ALL_TOOLS.find(({ name }) => name === wanted … → ok {"chunk_id":"460941","wall_time_seconds":0.000006943,"exit_code":3,"original_token_count":…
          exec_command echo quack; exit 3 → failed quack⏎
        model: It is long.
        user: And the geese?
        model: No geese.
    "#]],
    );
}

#[test]
fn a_real_conversation_whose_tools_are_called_by_name() {
    check(
        include_bytes!("codex/called.jsonl"),
        expect![[r#"
        codex 01a1 /repo
        2026-11-16T02:47:50.592Z 2026-11-16T02:47:51.439Z
        user: Look at the pond.
        model: 
          exec_command cat notes.txt → ok The pond is long.⏎
          exec_command echo quack; exit 3 → failed quack⏎
        model: no tool shell among exec_command, write_stdin, request_user_input, view_image, close_agent…
        user: And the geese?
        model: No geese.
    "#]],
    );
}

#[test]
fn a_real_compaction_is_told_once() {
    check(
        include_bytes!("codex/compacted.jsonl"),
        expect![[r#"
        codex 01a1 /repo
        2026-11-16T02:48:29.097Z 2026-11-16T02:48:30.616Z
        user: Look at the pond.
        model: 
          exec const wanted = "exec_command";⏎const found = ALL_TOOLS.find(({ name }) => name === wanted … → ok {"chunk_id":"cfcf9c","wall_time_seconds":0.000006472,"exit_code":0,"original_token_count":…
          exec_command cat notes.txt → ok The pond is long.⏎
            notes.txt
        model: It is long.
        program: Another language model started to solve this problem and produced a summary of its thinkin…
        user: And the geese?
        model: No geese 2.
        user: And the swans?
        model: No swans.
    "#]],
    );
}

#[test]
fn a_real_subagent_of_either_kind_and_who_asked_it() {
    check(
        include_bytes!("codex/asking.jsonl"),
        expect![[r#"
        codex 01a1 /repo
        2026-11-16T02:48:31.194Z 2026-11-16T02:48:31.424Z
        user: Ask somebody about the ducks.
        model: 
          spawn_agent {"message":"How many ducks are there?","agent_type":"default"} → ? {"agent_id":"01a1e241-9550-7c53-ac2b-42e555fbf4cf","nickname":"Boyle"}
          wait_agent {"targets":[],"timeout_ms":10000} → ? agent ids must be non-empty
        model: Seven ducks!
        program: <subagent_notification>⏎{"agent_path":"01a1e241-9550-7c53-ac2b-42e555fbf4cf","status":{"co…
    "#]],
    );
    check(
        include_bytes!("codex/asked.jsonl"),
        expect![[r#"
        codex 01a1 /repo for 01a1e241-94cf-77c3-a103-6e8fae06a736
        2026-11-16T02:48:31.318Z 2026-11-16T02:48:31.420Z
        user: How many ducks are there?
        model: Seven ducks.
    "#]],
    );
    check(
        include_bytes!("codex/asking_by_letter.jsonl"),
        expect![[r#"
        codex 01a1 /repo
        2026-11-16T02:48:32.070Z 2026-11-16T02:48:32.357Z
        user: Ask somebody about the ducks.
        model: 
          spawn_agent {"message":"How many ducks are there?","task_name":"ducks","fork_turns":"none"} → ? {"task_name":"/root/ducks"}
          wait_agent {"timeout_ms":10000} → ? {"message":"Wait completed.","timed_out":false}
        program: Seven ducks.
        model: Seven ducks!
    "#]],
    );
    check(
        include_bytes!("codex/asked_by_letter.jsonl"),
        expect![[r#"
        codex 01a1 /repo for 01a1e241-983e-7fe1-b1e9-2c5c8c946679
        2026-11-16T02:48:32.206Z 2026-11-16T02:48:32.304Z
        user: [encrypted]
        model: Seven ducks.
    "#]],
    );
}

#[test]
fn what_a_real_subagent_was_told_of_its_parents_conversation_is_not_its_own() {
    check(
        include_bytes!("codex/asked_with_history.jsonl"),
        expect![[r#"
        codex 01a1 /repo for 01a1e256-0307-7650-bef9-6e4ea4a77fd3
        2026-11-16T03:10:51.572Z 2026-11-16T03:10:51.669Z
        user: [encrypted]
        model: Seven ducks.
    "#]],
    );
}

#[test]
fn a_real_conversation_of_the_older_kind_with_a_picture() {
    check(
        include_bytes!("codex/legacy.jsonl"),
        expect![[r#"
        codex 01a1 /repo
        2026-11-16T02:49:41.872Z 2026-11-16T02:49:42.316Z
        user: Look at the pond.
        model: 
          exec_command ls → ok 
        model: It is long.
        user: This is a mistake.
        model: A mistake indeed.
        user: And this picture?⏎[image]
        model: A nice picture.
        program: Another language model started to solve this problem and produced a summary of its thinkin…
    "#]],
    );
}

#[test]
fn a_real_conversation_that_went_back_says_how_much_of_the_other_file_counts() {
    check(
        include_bytes!("codex/reverted.jsonl"),
        expect![[r#"
        codex 01a1 /repo after 01a1e243-1da6-7471-b567-afb5a552aaa9:Some(37471)
        2026-11-16T02:50:12.054Z 2026-11-16T02:50:12.232Z
        user: And this picture?⏎[image]
        model: A nice picture.
        program: Another language model started to solve this problem and produced a summary of its thinkin…
    "#]],
    );
}

#[test]
fn the_bare_format_of_before_september_2025() {
    check_lines(
        r##"{"id":"5973b6c0","timestamp":"2025-08-01T10:00:00.000Z","instructions":"Be brief.","git":{"branch":"main"}}
{"record_type":"state"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_instructions>\n\nBe brief.\n\n</user_instructions>"}]}
{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\nCurrent working directory: /repo\nApproval policy: never\n</environment_context>"}]}
{"type":"message","role":"user","content":[{"type":"input_text","text":"List the files."}]}
{"type":"reasoning","summary":[],"encrypted_content":"x"}
{"type":"local_shell_call","call_id":"c1","status":"completed","action":{"type":"exec","command":["bash","-lc","ls -l"]}}
{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"a.txt\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}"}
{"type":"function_call","name":"shell","arguments":"{\"command\":[\"cat\",\"a.txt\"]}","call_id":"c2"}
{"record_type":"state"}
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"One file."}]}
"##,
        expect![[r#"
            codex 01a1 /repo main
            2025-08-01T10:00:00.000Z 2025-08-01T10:00:00.000Z
            user: List the files.
            model: 
              local_shell ls -l → ok a.txt⏎
              shell cat a.txt → ? 
            model: One file.
        "#]],
    );
}

#[test]
fn a_prompt_is_told_once_whether_its_event_comes_first_or_last() {
    check_lines(
        r##"{"type":"event_msg","payload":{"type":"user_message","message":"One.","images":["data:x"]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"One."},{"type":"input_image","image_url":"data:x"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Two."}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"A text that a hook put in."}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"Two."}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}}
{"type":"event_msg","payload":{"type":"agent_message","message":"Yes."}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Three, of which there is no event yet."}]}}
"##,
        expect![[r#"
            codex 01a1
            user: One.⏎[image]
            model: Yes.
            user: Two.
            program: A text that a hook put in.
            model: Yes.
            user: Three, of which there is no event yet.
        "#]],
    );
}

#[test]
fn turns_that_were_taken_back_are_gone_with_their_tools() {
    check_lines(
        r##"{"type":"event_msg","payload":{"type":"user_message","message":"One."}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"true\"}","call_id":"c1"}}
{"type":"event_msg","payload":{"type":"user_message","message":"Two."}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"false\"}","call_id":"c2"}}
{"type":"event_msg","payload":{"type":"user_message","message":"Three."}}
{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":2}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"late"}}
{"type":"event_msg","payload":{"type":"user_message","message":"Four."}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n*** End Patch","call_id":"c2"}}
{"type":"event_msg","payload":{"type":"patch_apply_end","call_id":"c2","success":false}}
{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","exit_code":1}}
{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":-1}}
"##,
        expect![[r#"
            codex 01a1
            user: One.
            model: 
              exec_command true → failed 
            user: Four.
            model: 
              apply_patch *** Begin Patch⏎*** Update File: a.rs⏎*** Move to: b.rs⏎*** End Patch → failed 
                a.rs b.rs
            ! stray-tool-result results of tools without a call: 1
        "#]],
    );
}

#[test]
fn sources_titles_and_forks_stand_in_the_first_line() {
    check_lines(
        r##"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x","timestamp":"2025-12-31T00:00:00Z","cwd":"/repo","forked_from_id":"y","source":"vscode","git":{"branch":"main"}}}
{"type":"session_meta","payload":{"id":"y","cwd":"/other","source":{"subagent":"review"}}}
{"type":"event_msg","payload":{"type":"thread_name_updated","thread_id":"x","thread_name":"A pond"}}
{"type":"event_msg","payload":{"type":"error","message":"stream closed"}}
{"type":"response_item","payload":{"type":"web_search_call","id":"ws1","status":"completed","action":{"type":"search","query":"pond"}}}
{"type":"compacted","payload":{"message":""}}
{"type":"a_kind_of_tomorrow","payload":{"type":"x"}}
"##,
        expect![[r#"
            codex 01a1 "A pond" /repo main after y:None
            2025-12-31T00:00:00.000Z 2026-01-01T00:00:00.000Z
            program: stream closed
            model: 
              web_search pond → ok 
            program: Conversation compacted
        "#]],
    );
}

#[test]
fn what_was_compressed_reads_the_same() {
    // By zstd itself, at its usual level.
    let packed = include_bytes!("codex/called.jsonl.zst");
    let plain = include_bytes!("codex/called.jsonl");
    assert_eq!(codex::unpack(packed, 1 << 20), (plain.to_vec(), None));
}
