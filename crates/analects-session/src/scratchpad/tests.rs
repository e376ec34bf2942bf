//! Scratchpads of records.

use expect_test::{Expect, expect};

use super::*;
use crate::replay::replay;

fn check(calls: &str, expect: Expect) {
    let record = format!(
        "{}\n{{\"id\":\"a\",\"type\":\"gemini\",\"content\":\"\",\"toolCalls\":[{calls}]}}\n",
        r#"{"sessionId":"s","projectHash":"p"}"#,
        calls = calls.replace('\n', " "),
    );
    let pad = scratchpad(&replay(record.into()), &AbsPath::new("/repo").unwrap());
    assert_eq!(Scratchpad::from_value(&pad.to_value()), Some(pad.clone()));
    expect.assert_eq(&pad.to_value().to_string());
}

#[test]
fn nothing_done_is_nothing_said() {
    check("", expect![[r#"{"version":1}"#]]);
}

#[test]
fn tools_files_and_checks_are_told_once_each() {
    check(
        r#"{"name":"read_file","args":{"file_path":"/repo/src/a.rs"}},
           {"name":"read_file","args":{"file_path":"/repo/src/a.rs","query":"/not/a/path/key"}},
           {"name":" ","args":{"paths":["b.rs","nopath",{"deep":{"root":"../c"}}]}},
           {"name":"run_shell_command","args":{"command":"RUST_LOG=1 cargo test","dir":"/elsewhere/x/y.txt"},"status":"error"},
           {"name":"run_shell_command","args":{"cmd":"ls","cwd":"/repo"},"status":"success"},
           {"name":"typecheck","args":{},"status":"executing"},
           {"name":"pytest","args":{},"status":"success"}"#,
        expect![[
            r#"{"version":1,"workflowSummary":"read_file -> unknown_tool -> run_shell_command: cargo -> run_shell_command: ls -> typecheck -> pytest | paths src/a.rs, b.rs, ../c, y.txt","toolSequence":["read_file","unknown_tool","run_shell_command: cargo","run_shell_command: ls","typecheck","pytest"],"touchedPaths":["src/a.rs","b.rs","../c","y.txt"],"validationStatus":"unknown"}"#
        ]],
    );
}

#[test]
fn long_stories_are_cut() {
    let name = "n".repeat(50);
    let calls: Vec<_> = (0..9)
        .map(|i| {
            format!(r#"{{"name":"{name}{i}","args":{{"path":"/repo/{name}/{name}/{name}/{i}"}}}}"#)
        })
        .collect();
    check(
        &calls.join(","),
        expect![[
            r#"{"version":1,"workflowSummary":"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn0 -> nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1 -> nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...","toolSequence":["nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn0","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn1","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn2","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn3","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn4","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn5"],"touchedPaths":["nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/0","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/1","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/2","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn/3"]}"#
        ]],
    );
}
