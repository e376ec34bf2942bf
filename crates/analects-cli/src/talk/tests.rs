//! A run of the agent, scripted, as each format tells it.

mod script;

use std::cell::RefCell;
use std::io::{self, Write};

use analects_engine::talk::{Ended, How};
use analects_engine::verbs::Failure;
use analects_testkit::surroundings;
use analects_world::Cancel;
use expect_test::{Expect, expect};

use super::args::{Format, Talk};
use super::aside::Detail;
use super::input::Input;
use super::voice::{Voice, VoiceOptions};
use script::{TickingClock, ended, script};

/// How a run is told.
struct Way {
    format: Format,
    detail: Detail,
    is_terminal: bool,
}

const TEXT: Way = Way {
    format: Format::Text,
    detail: Detail::Usual,
    is_terminal: false,
};
const JSON: Way = Way {
    format: Format::Json,
    detail: Detail::Failure,
    ..TEXT
};
const STREAM: Way = Way {
    format: Format::StreamJson,
    ..JSON
};

/// Tells a run, and shows both streams and the exit code.
fn run(way: &Way, outcome: Result<Ended, Failure>, signal: Option<i32>) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let (clock, cancel) = (TickingClock::default(), Cancel::new());
    let mut voice = Voice::new(
        &mut out,
        &mut err,
        &VoiceOptions {
            format: way.format,
            detail: way.detail,
            is_terminal: way.is_terminal,
            prompt: Some("what is in it?"),
            clock: &clock,
            cancel: &cancel,
        },
    );
    if outcome.is_ok() {
        script(&mut |told| voice.tell(&told));
    }
    let code = voice.end(outcome, signal);
    assert!(!cancel.is_cancelled());
    let [out, err] = [out, err].map(|text| {
        let text = String::from_utf8(text).unwrap();
        // Not in a source file either.
        text.replace('\u{1b}', "<escape>")
            .replace('\u{7}', "<bell>")
    });
    format!("{out}--- stderr\n{err}--- {code}\n")
}

fn check(way: &Way, outcome: Result<Ended, Failure>, expected: &Expect) {
    expected.assert_eq(&run(way, outcome, None));
}

#[test]
fn text_is_the_answer_and_nothing_else() {
    check(
        &TEXT,
        Ok(ended(How::Answered)),
        &expect![[r#"
        It is empty.<escape>]0;x<bell>
        --- stderr
        warning: /w/GEMINI.md: cut at 1 MiB [file-cut]
        note: the model is asked again: the connection was lost
        tool: read_file src/main.rs 3
        tool: run_shell_command printf '\u{1b}[2J'…
        warning: run_shell_command: the policy does not allow this
        error: the disk is full [not-recorded]
        warning: /w/a/GEMINI.md:7: cut too [file-cut]
        --- 0
    "#]],
    );
}

#[test]
fn quiet_text_says_errors_only() {
    let quiet = Way {
        detail: Detail::Errors,
        ..TEXT
    };
    check(
        &quiet,
        Ok(ended(How::Answered)),
        &expect![[r#"
        It is empty.<escape>]0;x<bell>
        --- stderr
        error: the disk is full [not-recorded]
        --- 0
    "#]],
    );
}

#[test]
fn verbose_text_says_all_and_a_terminal_is_not_driven() {
    let verbose = Way {
        detail: Detail::All,
        is_terminal: true,
        ..TEXT
    };
    check(
        &verbose,
        Ok(ended(How::Answered)),
        &expect![[r#"
        It is empty.\u{1b}]0;x\u{7}
        --- stderr
        note: session 0a1b, gemini-3.8-flash
        warning: /w/GEMINI.md: cut at 1 MiB [file-cut]
        note: the model is asked again: the connection was lost
        tool: read_file src/main.rs 3
        tool: run_shell_command printf '\u{1b}[2J'…
        \u{1b}[2Jout
        note: read_file: read 1 line of src/main.rs
        warning: run_shell_command: the policy does not allow this
        note: 1 file changed [memory-reloaded]
        error: the disk is full [not-recorded]
        warning: /w/a/GEMINI.md:7: cut too [file-cut]
        --- 0
    "#]],
    );
}

#[test]
fn without_an_answer_text_is_empty() {
    check(
        &TEXT,
        Ok(ended(How::TurnLimit)),
        &expect![[r#"
        --- stderr
        warning: /w/GEMINI.md: cut at 1 MiB [file-cut]
        note: the model is asked again: the connection was lost
        tool: read_file src/main.rs 3
        tool: run_shell_command printf '\u{1b}[2J'…
        warning: run_shell_command: the policy does not allow this
        error: the disk is full [not-recorded]
        warning: /w/a/GEMINI.md:7: cut too [file-cut]
        error: the model had as many turns as it may have, and was not done
        hint: `--max-turns` or `model.maxSessionTurns` allow more, `--resume` goes on
        --- 53
    "#]],
    );
}

#[test]
fn json_is_one_object() {
    check(
        &JSON,
        Ok(ended(How::Answered)),
        &expect![[r#"
        {
          "schemaVersion": 1,
          "session_id": "0a1b",
          "response": "It is empty.\u001b]0;x\u0007",
          "stats": {
            "models": {
              "gemini-3.8-flash": {
                "api": {
                  "totalRequests": 2,
                  "totalErrors": 1,
                  "totalLatencyMs": 800
                },
                "tokens": {
                  "input": 400,
                  "prompt": 1000,
                  "candidates": 20,
                  "total": 1025,
                  "cached": 600,
                  "thoughts": 5,
                  "tool": 0
                }
              }
            },
            "tools": {
              "totalCalls": 1,
              "totalSuccess": 1,
              "totalFail": 0,
              "totalDurationMs": 2,
              "totalDecisions": {
                "accept": 0,
                "reject": 0,
                "modify": 0,
                "auto_accept": 1
              },
              "byName": {
                "read_file": {
                  "count": 1,
                  "success": 1,
                  "fail": 0,
                  "durationMs": 2,
                  "decisions": {
                    "accept": 0,
                    "reject": 0,
                    "modify": 0,
                    "auto_accept": 1
                  }
                }
              }
            },
            "files": {
              "totalLinesAdded": 0,
              "totalLinesRemoved": 0
            },
            "memory": {
              "files": 2,
              "tokens": 120,
              "jitFiles": 0,
              "jitTokens": 0,
              "reloads": 0
            },
            "context": {
              "windowTokens": 1048576,
              "usedTokens": 1000,
              "compressions": 0,
              "tokensSaved": 0,
              "masked": 0,
              "shortened": 0,
              "loops": 0
            },
            "cost": {
              "chat": {
                "requests": 2,
                "tokens": {
                  "input": 400,
                  "prompt": 1000,
                  "candidates": 20,
                  "total": 1025,
                  "cached": 600,
                  "thoughts": 5,
                  "tool": 0
                }
              }
            },
            "activity": {
              "totalEvents": 0,
              "eventTypes": {},
              "timeRange": null
            }
          },
          "error": null,
          "problems": [
            {
              "severity": "warning",
              "code": "file-cut",
              "path": "/w/GEMINI.md",
              "line": null,
              "message": "cut at 1 MiB"
            },
            {
              "severity": "note",
              "code": "memory-reloaded",
              "path": null,
              "line": null,
              "message": "1 file changed"
            },
            {
              "severity": "error",
              "code": "not-recorded",
              "path": null,
              "line": null,
              "message": "the disk is full"
            },
            {
              "severity": "warning",
              "code": "file-cut",
              "path": "/w/a/GEMINI.md",
              "line": 7,
              "message": "cut too"
            }
          ]
        }
        --- stderr
        --- 0
    "#]],
    );
}

#[test]
fn json_says_why_there_is_no_answer() {
    let refused = Failure::untrusted("this folder is not to be trusted").hint("trust it");
    check(
        &JSON,
        Err(refused),
        &expect![[r#"
        {
          "schemaVersion": 1,
          "session_id": null,
          "response": null,
          "stats": null,
          "error": {
            "type": "untrusted_folder",
            "message": "this folder is not to be trusted",
            "code": 55,
            "hints": [
              "trust it"
            ]
          },
          "problems": []
        }
        --- stderr
        error: this folder is not to be trusted
        hint: trust it
        --- 55
    "#]],
    );
    let cancelled: serde_json::Value = {
        let told = run(&JSON, Ok(ended(How::Cancelled)), Some(15));
        let (object, _) = told.split_once("--- stderr").unwrap();
        serde_json::from_str(object).unwrap()
    };
    assert_eq!(cancelled["error"]["code"], 143);
    assert_eq!(cancelled["session_id"], "0a1b");
}

#[test]
fn a_stream_tells_every_event() {
    check(
        &STREAM,
        Ok(ended(How::Answered)),
        &expect![[r#"
        {"type":"init","timestamp":"2023-11-14T22:13:20.100Z","session_id":"0a1b","model":"gemini-3.8-flash"}
        {"type":"message","timestamp":"2023-11-14T22:13:20.200Z","role":"user","content":"what is in it?"}
        {"type":"error","timestamp":"2023-11-14T22:13:20.300Z","severity":"warning","message":"/w/GEMINI.md: cut at 1 MiB"}
        {"type":"error","timestamp":"2023-11-14T22:13:20.400Z","severity":"warning","message":"the model is asked again: the connection was lost"}
        {"type":"message","timestamp":"2023-11-14T22:13:20.500Z","role":"assistant","content":"Let me look."}
        {"type":"tool_use","timestamp":"2023-11-14T22:13:20.600Z","tool_name":"read_file","tool_id":"c1","parameters":{"file_path":"src/main.rs","start_line":3}}
        {"type":"tool_use","timestamp":"2023-11-14T22:13:20.700Z","tool_name":"run_shell_command","tool_id":"c2","parameters":{"command":"printf '\u001b[2J'\nmore"}}
        {"type":"tool_result","timestamp":"2023-11-14T22:13:20.800Z","tool_id":"c1","status":"success","output":"fn main() {}\n"}
        {"type":"tool_result","timestamp":"2023-11-14T22:13:20.900Z","tool_id":"c2","status":"error","error":{"type":"policy_violation","message":"the policy does not allow this"}}
        {"type":"error","timestamp":"2023-11-14T22:13:21.000Z","severity":"error","message":"the disk is full"}
        {"type":"message","timestamp":"2023-11-14T22:13:21.100Z","role":"assistant","content":"It is empty."}
        {"type":"error","timestamp":"2023-11-14T22:13:21.200Z","severity":"warning","message":"/w/a/GEMINI.md:7: cut too"}
        {"type":"result","timestamp":"2023-11-14T22:13:21.400Z","status":"success","stats":{"total_tokens":1025,"input_tokens":1000,"output_tokens":20,"cached":600,"input":400,"duration_ms":1300,"tool_calls":1,"models":{"gemini-3.8-flash":{"total_tokens":1025,"input_tokens":1000,"output_tokens":20,"cached":600,"input":400}},"files":{"totalLinesAdded":0,"totalLinesRemoved":0},"memory":{"files":2,"tokens":120,"jitFiles":0,"jitTokens":0,"reloads":0},"context":{"windowTokens":1048576,"usedTokens":1000,"compressions":0,"tokensSaved":0,"masked":0,"shortened":0,"loops":0},"cost":{"chat":{"requests":2,"tokens":{"input":400,"prompt":1000,"candidates":20,"total":1025,"cached":600,"thoughts":5,"tool":0}}}}}
        --- stderr
        --- 0
    "#]],
    );
}

#[test]
fn a_stream_ends_with_a_result_whatever_happens() {
    let last = |outcome| {
        let told = run(&STREAM, outcome, None);
        let (events, rest) = told.split_once("--- stderr").unwrap();
        let last = events.lines().last().unwrap();
        let (last, _stats) = last.split_once(r#","stats""#).unwrap_or((last, ""));
        format!("{last}{rest}")
    };
    let busy = Failure::failed("the server is busy").hint("try again later");
    expect![[r#"
        {"type":"result","timestamp":"2023-11-14T22:13:21.400Z","status":"error","error":{"type":"no_answer","message":"the server is busy","code":1,"hints":["try again later"]}
        error: the server is busy
        hint: try again later
        --- 1
    "#]].assert_eq(&last(Ok(ended(How::NoAnswer(busy)))));
    expect![[r#"
        {"type":"result","timestamp":"2023-11-14T22:13:21.400Z","status":"error","error":{"type":"loop","message":"the model went in circles and was stopped","code":54,"hints":["`--resume` goes on: tell it what to do otherwise"]}
        error: the model went in circles and was stopped
        hint: `--resume` goes on: tell it what to do otherwise
        --- 54
    "#]].assert_eq(&last(Ok(ended(How::Loop))));
    expect![[r#"
        {"type":"result","timestamp":"2023-11-14T22:13:20.200Z","status":"error","error":{"type":"bad_input","message":"nothing is asked","code":42}}
        error: nothing is asked
        --- 42
    "#]].assert_eq(&last(Err(Failure::bad_input("nothing is asked"))));
}

/// A stream whose reader goes away, or whose disk is full.
struct Broken<'a>(&'a RefCell<usize>, io::ErrorKind);

impl Write for Broken<'_> {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        *self.0.borrow_mut() += 1;
        Err(self.1.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn once_nobody_listens_nobody_works_on() {
    for (kind, code, said) in [
        (io::ErrorKind::BrokenPipe, 0, ""),
        (
            io::ErrorKind::StorageFull,
            1,
            "error: cannot write the answer: ",
        ),
    ] {
        for format in [Format::Text, Format::Json, Format::StreamJson] {
            let (tries, mut err) = (RefCell::new(0), Vec::new());
            let (clock, cancel) = (TickingClock::default(), Cancel::new());
            let options = VoiceOptions {
                format,
                detail: Detail::Failure,
                is_terminal: false,
                prompt: None,
                clock: &clock,
                cancel: &cancel,
            };
            let mut voice = Voice::new(Broken(&tries, kind), &mut err, &options);
            script(&mut |told| voice.tell(&told));
            // Only a stream can notice it before the end.
            assert_eq!(cancel.is_cancelled(), format == Format::StreamJson);
            let how = match cancel.is_cancelled() {
                true => How::Cancelled,
                false => How::Answered,
            };
            assert_eq!(voice.end(Ok(ended(how)), None), code);
            let err = String::from_utf8(err).unwrap();
            assert!(
                err.starts_with(said) && err.is_empty() == said.is_empty(),
                "{err}"
            );
            assert_eq!(tries.into_inner(), 1, "{format:?}");
        }
    }
}

#[test]
fn flags_become_a_wish() {
    let talk = Talk {
        model: Some("flash".to_owned()),
        resume: Some("latest".to_owned()),
        yolo: true,
        max_turns: Some(3),
        ide_context: Some("ide.json".to_owned()),
        include_directories: vec!["../other".to_owned()],
        ..Talk::default()
    };
    let input = Input {
        text: "log\n\nwhy?".to_owned(),
        piped_bytes: 3,
    };
    let around = surroundings("/w", "/h", &[]);
    expect![[r#"
        Wish {
            prompt: "log\n\nwhy?",
            piped_bytes: 3,
            new_session: "",
            model: Some(
                "flash",
            ),
            resume: Some(
                "latest",
            ),
            mode: Some(
                "yolo",
            ),
            max_turns: Some(
                3,
            ),
            ide: Some(
                "/w/ide.json",
            ),
            include: [
                "../other",
            ],
            audience: Absent,
        }
    "#]]
    .assert_debug_eq(&super::wish(&talk, &input, &around));
}
