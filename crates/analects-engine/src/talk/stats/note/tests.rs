//! The stats of a small talk, and of a hostile one.

use expect_test::expect;

use super::*;
use crate::events::{Trigger, Weights};
use crate::models::ledger::MAX_NAME;
use analects_agent::activity::Happening;

use crate::talk::stats::{ActivityStats, TimeRange};

fn call(purpose: Purpose, n_attempts: u32) -> Call<'static> {
    Call {
        model: "gemini-3.8-flash",
        purpose,
        n_attempts,
        ms: 250,
    }
}

fn usage(prompt: u64, cached: u64, answer: u64, thoughts: u64) -> Usage {
    Usage {
        prompt: Some(prompt),
        cached: Some(cached),
        answer: Some(answer),
        thoughts: Some(thoughts),
    }
}

fn tool(name: &str, outcome: Outcome, decision: Decision) -> ToolCall<'_> {
    ToolCall {
        name,
        ms: 7,
        outcome,
        decision: Some(decision),
    }
}

#[test]
fn a_talk_adds_up() {
    let mut stats = Stats::default();
    stats.loaded(3, 400);
    stats.sent(1_200, 1_048_576);
    stats.answered(&call(Purpose::Chat, 1), &usage(1_200, 1_000, 30, 12));
    stats.tool(&tool("read_file", Outcome::Done, Decision::AutoAccept));
    stats.came_along(1, 55);
    stats.tool(&tool("replace", Outcome::Failed, Decision::Reject));
    stats.wrote(10, 2);
    stats.reloaded(4, 460);
    stats.reduced(&What::Masked {
        count: 2,
        tokens: Weights {
            before: 900,
            after: 100,
        },
    });
    stats.reduced(&What::Compressed {
        tokens: Weights {
            before: 9_000,
            after: 2_000,
        },
        trigger: Trigger::Auto,
        ms: 3,
    });
    stats.answered(&call(Purpose::Compress, 1), &usage(8_000, 0, 500, 0));
    stats.sent(2_500, 1_048_576);
    stats.answered(&call(Purpose::Chat, 2), &usage(2_500, 2_000, 80, 0));
    stats.unanswered(&call(Purpose::LoopCheck, 3), "busy");
    stats.activity = ActivityStats {
        total_events: 2,
        event_types: [(Happening::StreamStart, 2)].into(),
        time_range: Some(TimeRange { start: 1, end: 2 }),
    };
    let shown = serde_json::to_string_pretty(&stats).unwrap();
    expect![[r#"
        {
          "models": {
            "gemini-3.8-flash": {
              "api": {
                "totalRequests": 7,
                "totalErrors": 4,
                "totalLatencyMs": 1000,
                "errorsByType": {
                  "busy": 1
                }
              },
              "tokens": {
                "input": 8700,
                "prompt": 11700,
                "candidates": 610,
                "total": 12322,
                "cached": 3000,
                "thoughts": 12,
                "tool": 0
              }
            }
          },
          "tools": {
            "totalCalls": 2,
            "totalSuccess": 1,
            "totalFail": 1,
            "totalDurationMs": 14,
            "totalDecisions": {
              "accept": 0,
              "reject": 1,
              "modify": 0,
              "auto_accept": 1
            },
            "byName": {
              "read_file": {
                "count": 1,
                "success": 1,
                "fail": 0,
                "durationMs": 7,
                "decisions": {
                  "accept": 0,
                  "reject": 0,
                  "modify": 0,
                  "auto_accept": 1
                }
              },
              "replace": {
                "count": 1,
                "success": 0,
                "fail": 1,
                "durationMs": 7,
                "decisions": {
                  "accept": 0,
                  "reject": 1,
                  "modify": 0,
                  "auto_accept": 0
                }
              }
            }
          },
          "files": {
            "totalLinesAdded": 10,
            "totalLinesRemoved": 2
          },
          "memory": {
            "files": 4,
            "tokens": 460,
            "jitFiles": 1,
            "jitTokens": 55,
            "reloads": 1
          },
          "context": {
            "windowTokens": 1048576,
            "usedTokens": 2500,
            "compressions": 1,
            "tokensSaved": 7800,
            "masked": 2,
            "shortened": 0,
            "loops": 0
          },
          "cost": {
            "chat": {
              "requests": 3,
              "tokens": {
                "input": 700,
                "prompt": 3700,
                "candidates": 110,
                "total": 3822,
                "cached": 3000,
                "thoughts": 12,
                "tool": 0
              }
            },
            "compress": {
              "requests": 1,
              "tokens": {
                "input": 8000,
                "prompt": 8000,
                "candidates": 500,
                "total": 8500,
                "cached": 0,
                "thoughts": 0,
                "tool": 0
              }
            },
            "loop-check": {
              "requests": 3,
              "tokens": {
                "input": 0,
                "prompt": 0,
                "candidates": 0,
                "total": 0,
                "cached": 0,
                "thoughts": 0,
                "tool": 0
              }
            }
          },
          "activity": {
            "totalEvents": 2,
            "eventTypes": {
              "stream_start": 2
            },
            "timeRange": {
              "start": 1,
              "end": 2
            }
          }
        }"#]]
    .assert_eq(&shown);
}

#[test]
fn all_models_together() {
    let mut stats = Stats::default();
    stats.answered(&call(Purpose::Chat, 1), &usage(100, 40, 10, 5));
    let other = Call {
        model: "gemini-3.1-pro-preview",
        ..call(Purpose::Chat, 1)
    };
    stats.answered(&other, &usage(1, 0, 2, 3));
    let all = stats.tokens();
    assert_eq!((all.prompt, all.cached, all.input), (101, 40, 61));
    assert_eq!((all.candidates, all.thoughts, all.total), (12, 8, 121));
}

#[test]
fn what_a_server_does_not_tell_counts_for_nothing() {
    let mut stats = Stats::default();
    stats.answered(&call(Purpose::Chat, 1), &Usage::default());
    assert_eq!(stats.tokens(), TokenStats::default());
    assert_eq!(stats.models["gemini-3.8-flash"].api.total_requests, 1);
}

#[test]
fn a_server_that_counts_without_measure_breaks_no_sum() {
    let mut stats = Stats::default();
    let mad = usage(u64::MAX, 7, u64::MAX, u64::MAX);
    stats.answered(&call(Purpose::Chat, u32::MAX), &mad);
    stats.answered(&call(Purpose::Chat, 0), &mad);
    // More from a cache than was read at all.
    stats.answered(&call(Purpose::Route, 1), &usage(1, 9, 0, 0));
    assert_eq!(stats.tokens().total, u64::MAX);
    assert_eq!(stats.cost["route"].tokens.input, 0);
}

#[test]
fn names_that_a_model_makes_up_stay_within_bounds() {
    let mut stats = Stats::default();
    stats.tool(&tool("read_file", Outcome::Done, Decision::AutoAccept));
    for number in 0..1_000 {
        let name = format!("tool-{number}\n{}", "x".repeat(10_000));
        stats.tool(&tool(&name, Outcome::Failed, Decision::Reject));
    }
    stats.tool(&tool("read_file", Outcome::Done, Decision::AutoAccept));
    let by_name = &stats.tools.by_name;
    assert_eq!((stats.tools.total_calls, by_name.len()), (1_002, 101));
    assert_eq!(by_name["read_file"].count, 2);
    assert_eq!(by_name[OTHERS].fail, 901);
    assert!(by_name.keys().all(|name| name.len() <= MAX_NAME));
}

#[test]
fn a_loop_is_counted_and_what_failed_is_not() {
    let mut stats = Stats::default();
    stats.reduced(&What::Loop {
        kind: "chanting".into(),
    });
    stats.reduced(&What::Overflow {
        request: 9,
        remaining: 1,
    });
    stats.reduced(&What::Shortened {
        count: 1,
        // What grew saved nothing.
        tokens: Weights {
            before: 1,
            after: 5,
        },
    });
    let context = stats.context;
    assert_eq!(
        (context.loops, context.shortened, context.tokens_saved),
        (1, 1, 0)
    );
}
