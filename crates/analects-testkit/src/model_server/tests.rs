//! The server as a client sees it that knows nothing of it.

use analects_world::model::Part;
use analects_world::models::{Event, Finish, Listed, Usage, Wire};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use super::client::{ask, asked, block, headers, send, talk};
use super::*;
use crate::say;

const WIRES: [Wire; 3] = [Wire::Gemini, Wire::OpenAi, Wire::Anthropic];

fn everything() -> Vec<Event> {
    let usage = Usage {
        prompt: Some(10),
        cached: Some(4),
        answer: Some(5),
        thoughts: Some(2),
    };
    vec![
        say::signed(say::thought("Hm."), "c2ln"),
        say::text("Grü"),
        say::text("ße"),
        say::call("call_1", "look", json!({"path": "ä.txt"})),
        Event::Usage(usage),
        say::done(),
    ]
}

/// The values at a path in each event that has one there.
fn at(values: &[Value], path: &str) -> Vec<Value> {
    let found = values.iter().filter_map(|value| value.pointer(path));
    found.filter(|value| !value.is_null()).cloned().collect()
}

fn joined(values: &[Value], path: &str) -> String {
    at(values, path).iter().filter_map(Value::as_str).collect()
}

#[test]
fn gemini_streams_responses_with_parts() {
    let server = ModelServer::start(Reply::say(everything()));
    let heard = asked(&server, Wire::Gemini, true);
    assert_eq!((heard.status, heard.is_whole), (200, true));
    assert!(heard.head.contains("content-type: text/event-stream"));
    let values = heard.values();
    let part = "/candidates/0/content/parts/0";
    assert_eq!(
        values[0].pointer(part).unwrap(),
        &json!({"text": "Hm.", "thought": true, "thoughtSignature": "c2ln"})
    );
    assert_eq!(joined(&values[1..], &format!("{part}/text")), "Grüße");
    let calls = at(&values, &format!("{part}/functionCall"));
    assert_eq!(
        calls,
        [json!({"id": "call_1", "name": "look", "args": {"path": "ä.txt"}})]
    );
    assert_eq!(at(&values, "/candidates/0/finishReason"), ["STOP"]);
    let usage = values.last().unwrap()["usageMetadata"].clone();
    let counts = [
        "promptTokenCount",
        "cachedContentTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
        "totalTokenCount",
    ];
    assert_eq!(
        counts.map(|name| usage[name].as_u64().unwrap()),
        [10, 4, 5, 2, 17]
    );
    assert_eq!(at(&values, "/modelVersion").len(), values.len());
    assert_eq!(at(&values, "/responseId").len(), values.len());
}

#[test]
fn gemini_streams_an_array_unless_asked_for_events() {
    let server = ModelServer::start(Reply::say([say::text("a"), say::done()]));
    let (_, body) = ask(Wire::Gemini, true);
    let path = "/v1beta/models/m:streamGenerateContent";
    let heard = block(talk(&server, path, &headers(Wire::Gemini), &body));
    assert_eq!(heard.json().as_array().unwrap().len(), 2);
}

#[test]
fn openai_streams_deltas_with_arguments_in_pieces() {
    let server = ModelServer::start(Reply::say(everything()));
    let heard = asked(&server, Wire::OpenAi, true);
    assert_eq!(heard.data().last(), Some(&"[DONE]"));
    let values = heard.values();
    assert_eq!(joined(&values, "/choices/0/delta/content"), "Grüße");
    assert_eq!(joined(&values, "/choices/0/delta/reasoning_content"), "Hm.");
    let call = "/choices/0/delta/tool_calls/0";
    assert_eq!(at(&values, &format!("{call}/id")), ["call_1"]);
    assert_eq!(at(&values, &format!("{call}/function/name")), ["look"]);
    let arguments = format!("{call}/function/arguments");
    assert!(at(&values, &arguments).len() > 3);
    assert_eq!(joined(&values, &arguments), r#"{"path":"ä.txt"}"#);
    assert_eq!(at(&values, "/choices/0/finish_reason"), ["tool_calls"]);
    let last = values.last().unwrap();
    assert_eq!(last["choices"], json!([]));
    assert_eq!(last["usage"]["prompt_tokens_details"]["cached_tokens"], 4);
    assert_eq!(last["usage"]["completion_tokens"], 7);
}

#[test]
fn openai_tells_no_usage_to_who_did_not_ask() {
    let server = ModelServer::start(Reply::say(everything()));
    let body = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"a"}]}"#;
    let heard = block(talk(
        &server,
        "/v1/chat/completions",
        &headers(Wire::OpenAi),
        body,
    ));
    assert!(
        heard
            .values()
            .iter()
            .all(|value| value.get("usage").is_none())
    );
}

#[test]
fn anthropic_streams_blocks_that_open_and_close() {
    let server = ModelServer::start(Reply::say(everything()));
    let heard = asked(&server, Wire::Anthropic, true);
    let values = heard.values();
    let names: Vec<&str> = heard
        .text()
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    let types: Vec<&str> = values
        .iter()
        .map(|value| value["type"].as_str().unwrap())
        .collect();
    assert_eq!(names, types);
    assert_eq!(
        &types[..3],
        ["message_start", "content_block_start", "ping"]
    );
    assert_eq!(&types[types.len() - 2..], ["message_delta", "message_stop"]);
    let starts = at(&values, "/content_block/type");
    assert_eq!(starts, ["thinking", "text", "tool_use"]);
    assert_eq!(joined(&values, "/delta/thinking"), "Hm.");
    assert_eq!(joined(&values, "/delta/signature"), "c2ln");
    assert_eq!(joined(&values, "/delta/text"), "Grüße");
    assert_eq!(
        joined(&values, "/delta/partial_json"),
        r#"{"path":"ä.txt"}"#
    );
    assert_eq!(at(&values, "/delta/stop_reason"), ["tool_use"]);
    assert_eq!(at(&values, "/message/usage/input_tokens"), [6]);
    assert_eq!(at(&values, "/usage/output_tokens"), [7]);
}

#[test]
fn what_comes_whole_says_the_same() {
    let say = || Reply::say(everything());
    let server = ModelServer::start([say(), say(), say()]);
    let [gemini, openai, anthropic] = WIRES.map(|wire| {
        let heard = asked(&server, wire, false);
        assert!(
            heard.is_whole && heard.head.contains("content-length"),
            "{}",
            heard.head
        );
        heard.json()
    });
    let parts = &gemini["candidates"][0]["content"]["parts"];
    assert_eq!(parts[3]["functionCall"]["args"], json!({"path": "ä.txt"}));
    let message = &openai["choices"][0]["message"];
    assert_eq!(message["content"], "Grüße");
    assert_eq!(
        message["tool_calls"][0]["function"]["arguments"],
        r#"{"path":"ä.txt"}"#
    );
    let blocks = &anthropic["content"];
    assert_eq!(
        blocks[0],
        json!({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"})
    );
    assert_eq!(blocks[2]["input"], json!({"path": "ä.txt"}));
    assert_eq!(anthropic["usage"]["cache_read_input_tokens"], 4);
}

#[test]
fn an_answer_may_come_whole_though_a_stream_was_wanted() {
    for wire in WIRES {
        let server = ModelServer::start(Reply::say(everything()).odd(Quirk::Whole));
        let heard = asked(&server, wire, true);
        assert!(heard.head.contains("application/json") && heard.json().is_object());
    }
}

#[test]
fn models_and_counts_come_in_each_wire() {
    let listed = Listed {
        name: "m".to_owned(),
        window_tokens: Some(8192),
    };
    let server = ModelServer::start(Script::new().with_models(vec![listed]).counting(7));
    let get =
        |wire, path: &str, body: &str| block(talk(&server, path, &headers(wire), body)).json();
    let gemini = get(Wire::Gemini, "/v1beta/models", "");
    assert_eq!(gemini["models"][0]["inputTokenLimit"], 8192);
    assert_eq!(get(Wire::OpenAi, "/v1/models", "")["data"][0]["id"], "m");
    assert_eq!(
        get(Wire::Anthropic, "/v1/models", "")["data"][0]["type"],
        "model"
    );
    let (_, body) = ask(Wire::Gemini, false);
    assert_eq!(
        get(Wire::Gemini, "/v1beta/models/m:countTokens", &body)["totalTokens"],
        7
    );
    let body = r#"{"model":"m","messages":[{"role":"user","content":"a"}]}"#;
    assert_eq!(
        get(Wire::Anthropic, "/v1/messages/count_tokens", body)["input_tokens"],
        7
    );
    let missing = get(
        Wire::OpenAi,
        "/v1/chat/completions",
        r#"{"model":"x","messages":[{"role":"user","content":"a"}]}"#,
    );
    assert_eq!(missing["error"]["code"], "model_not_found");
}

#[test]
fn turns_are_taken_in_order_or_by_whom_they_are_meant_for() {
    let says = |word| Reply::say([say::text(word), say::done()]);
    let script = Script::new()
        .turn_when(
            |request| request.wants() == Some((Wire::Anthropic, Verb::Ask)),
            says("for one"),
        )
        .turn(says("first"))
        .turn(Reply::trouble(503, "busy"))
        .turn(says("third"));
    let server = ModelServer::start(script);
    let word = |wire| asked(&server, wire, false);
    assert_eq!(
        word(Wire::OpenAi).json()["choices"][0]["message"]["content"],
        "first"
    );
    assert_eq!(word(Wire::OpenAi).status, 503);
    assert_eq!(
        word(Wire::Anthropic).json()["content"][0]["text"],
        "for one"
    );
    assert_eq!(word(Wire::Anthropic).json()["content"][0]["text"], "third");
    let end = word(Wire::Gemini);
    assert_eq!(
        (end.status, end.json()["error"]["message"].as_str()),
        (400, Some("the script is at its end"))
    );
    let received = server.received();
    assert_eq!(received.len(), 5);
    assert_eq!(received[0].key(), Some(KEY));
    assert_eq!(received[0].json["messages"][0]["content"], "Hello?");
    assert_eq!(server.received()[4].model(), "m");
}

#[test]
fn many_talk_at_once() {
    let server = ModelServer::start_with(|request| {
        let last = request.json["messages"][0]["content"]
            .as_str()
            .unwrap()
            .to_owned();
        Reply::say([say::text(&last), say::done()])
    });
    thread::scope(|scope| {
        for number in 0..8 {
            let server = &server;
            scope.spawn(move || {
                let body = format!(
                    r#"{{"model":"m","messages":[{{"role":"user","content":"{number}"}}]}}"#
                );
                let heard = block(talk(
                    server,
                    "/v1/chat/completions",
                    &headers(Wire::OpenAi),
                    &body,
                ));
                assert_eq!(
                    heard.json()["choices"][0]["message"]["content"],
                    number.to_string()
                );
            });
        }
    });
    assert_eq!(server.received().len(), 8);
}

#[test]
fn pieces_are_put_together_again_wherever_they_were_cut() {
    let whole = asked(
        &ModelServer::start(Reply::say(everything())),
        Wire::Anthropic,
        true,
    );
    let server = ModelServer::start(Reply::say(everything()).in_pieces_of(1));
    let heard = asked(&server, Wire::Anthropic, true);
    assert_eq!(heard.text(), whole.text());
    assert!(!server.hung_up(0));
}

#[test]
fn what_is_held_waits_for_the_test() {
    let server = ModelServer::start(Reply::say(everything()).holding_head().holding_after(1));
    thread::scope(|scope| {
        let heard = scope.spawn(|| asked(&server, Wire::Gemini, true));
        assert!(server.has_received(0) && server.holds(0));
        assert!(!heard.is_finished());
        server.release(0);
        server.release(0);
        assert!(heard.join().unwrap().is_whole);
        assert!(!server.hung_up(0));
    });
}

#[test]
fn an_answer_is_held_again_and_again_whatever_was_asked_before() {
    let said = ["a", "b", "c"].map(say::text).into_iter();
    let reply = Reply::say(said.chain([say::done()]));
    let reply = reply.holding_after(1).holding_after(2);
    let server = ModelServer::start([Reply::say(everything()), reply]);
    let whole = asked(&server, Wire::Gemini, true);
    assert!(whole.is_whole);
    block(async {
        let (path, body) = ask(Wire::Gemini, true);
        let mut stream = send(&server, path, &headers(Wire::Gemini), &body).await;
        let mut heard = Vec::new();
        for word in ["\"a\"", "\"b\""] {
            while !String::from_utf8_lossy(&heard).contains(word) {
                assert!(stream.read_buf(&mut heard).await.unwrap() > 0);
            }
            let held = server.held();
            assert_eq!(held.number, 1);
            held.release();
        }
        stream.read_to_end(&mut heard).await.unwrap();
        assert!(String::from_utf8_lossy(&heard).contains("\"c\""));
    });
    assert!(!server.hung_up(1));
}

#[test]
fn who_leaves_what_is_held_is_noticed() {
    let server = ModelServer::start(Reply::silence());
    let (path, body) = ask(Wire::Gemini, true);
    let stream = block(send(&server, path, &headers(Wire::Gemini), &body));
    let held = server.held();
    drop(stream);
    assert!(held.hung_up());
}

#[test]
fn who_leaves_is_noticed_before_the_head_and_after_it() {
    let held = || Reply::say(everything());
    let script = [
        held().holding_head(),
        held().holding_after(1),
        Reply::raw("HTTP").holding_after(0),
    ];
    let server = ModelServer::start(script);
    for number in 0..3 {
        let (path, body) = ask(Wire::OpenAi, true);
        let stream = block(send(&server, path, &headers(Wire::OpenAi), &body));
        assert!(server.holds(number));
        drop(stream);
        assert!(server.hung_up(number), "{number}");
    }
}

#[test]
fn a_cut_leaves_the_body_without_its_end() {
    for wire in WIRES {
        let cut = [
            Mischief::CutWithinEvent,
            Mischief::CutBetweenEvents,
            Mischief::EndsEarly,
        ];
        let server = ModelServer::start(cut.map(Mischief::reply));
        let within = asked(&server, wire, true);
        assert_eq!((within.body.len(), within.is_whole), (40, false));
        let between = asked(&server, wire, true);
        assert!(between.text().ends_with("\n\n") || between.text().ends_with("\r\n\r\n"));
        assert!(!between.is_whole);
        let early = asked(&server, wire, true);
        assert_eq!(early.text(), between.text());
        assert!(early.is_whole);
        // A whole answer that is cut is shorter than it says.
        let server = ModelServer::start(Mischief::CutWithinEvent.reply());
        assert!(!asked(&server, wire, false).is_whole);
    }
}

#[test]
fn what_is_below_http_is_below_http() {
    let replies = [Mischief::ClosesAtOnce.reply(), Mischief::NoHttp.reply()];
    let server = ModelServer::start(replies);
    let closed = asked(&server, Wire::OpenAi, true);
    assert_eq!((closed.status, closed.body.len()), (0, 0));
    let garbage = asked(&server, Wire::OpenAi, true);
    assert_eq!(garbage.status, 0);
    assert!(garbage.body.starts_with(b"\x16\x03"));
}

#[test]
fn a_line_of_100_mb_is_sent_in_full_to_who_reads_on_and_not_to_who_leaves() {
    let replies = [
        Mischief::SendsLongLine.reply(),
        Mischief::SendsTooMuch.reply(),
    ];
    let server = ModelServer::start(replies);
    let (path, body) = ask(Wire::OpenAi, true);
    let headers = headers(Wire::OpenAi);
    let n_bytes = block(async {
        let mut stream = send(&server, path, &headers, &body).await;
        let mut buffer = vec![0; 1 << 20];
        let mut n_bytes = 0;
        loop {
            match stream.read(&mut buffer).await.unwrap() {
                0 => return n_bytes,
                n => n_bytes += n,
            }
        }
    });
    assert!(n_bytes > 100_000_000);
    block(async {
        let mut stream = send(&server, path, &headers, &body).await;
        let mut buffer = vec![0; 1 << 20];
        stream.read_exact(&mut buffer).await.unwrap();
        assert!(String::from_utf8_lossy(&buffer).matches(SWOLLEN).count() > 10);
    });
    assert!(server.hung_up(1));
}

#[test]
fn errors_have_the_shape_of_their_service_and_may_say_the_key() {
    for wire in WIRES {
        let replies = [
            Mischief::EchoesKey.reply(),
            Mischief::BusyForSecs.reply(),
            Mischief::BusySaysBody.reply(),
        ];
        let server = ModelServer::start(replies);
        let echo = asked(&server, wire, true);
        assert!(echo.text().contains(KEY));
        let in_stream = ModelServer::start(Mischief::EchoesKeyInStream.reply());
        assert!(asked(&in_stream, wire, true).text().contains(KEY));
        let busy = asked(&server, wire, true);
        assert_eq!(busy.status, 429);
        assert!(busy.head.contains("retry-after: 7"));
        let kind = match wire {
            Wire::Gemini => "/error/status",
            Wire::OpenAi => "/error/code",
            Wire::Anthropic => "/error/type",
        };
        let word = match wire {
            Wire::Gemini => "RESOURCE_EXHAUSTED",
            Wire::OpenAi => "rate_limit_exceeded",
            Wire::Anthropic => "rate_limit_error",
        };
        assert_eq!(busy.json().pointer(kind), Some(&json!(word)));
        let delay = asked(&server, wire, true).json();
        let delay = delay.pointer("/error/details/0/retryDelay");
        assert_eq!(delay, (wire == Wire::Gemini).then(|| json!("9s")).as_ref());
    }
}

#[test]
fn every_mischief_ends_or_waits_for_the_test() {
    let endless = [Mischief::SendsLongLine, Mischief::SendsTooMuch];
    for (wire, mischief) in WIRES
        .iter()
        .flat_map(|wire| Mischief::ALL.map(|mischief| (*wire, mischief)))
    {
        if endless.contains(&mischief) {
            continue;
        }
        let server = ModelServer::start(mischief.reply());
        server.release(0);
        let heard = asked(&server, wire, true);
        assert!(!server.hung_up(0), "{wire:?} {mischief:?}");
        assert_eq!(server.received()[0].refused, None);
        let is_below = [Mischief::ClosesAtOnce, Mischief::NoHttp].contains(&mischief);
        assert_eq!(heard.status == 0, is_below, "{wire:?} {mischief:?}");
    }
}

#[test]
fn odd_words_are_odd_on_the_wire() {
    let lies = |wire, mischief: Mischief| {
        let server = ModelServer::start(mischief.reply());
        let values = asked(&server, wire, true).values();
        let path = match wire {
            Wire::Gemini => "/usageMetadata/totalTokenCount",
            Wire::OpenAi => "/usage/completion_tokens",
            Wire::Anthropic => "/usage/output_tokens",
        };
        at(&values, path).pop()
    };
    for wire in WIRES {
        assert_eq!(lies(wire, Mischief::CountsNegative), Some(json!(-5)));
        assert_eq!(lies(wire, Mischief::CountsWords), Some(json!("many")));
        let finish = |mischief: Mischief| {
            let server = ModelServer::start(mischief.reply());
            let values = asked(&server, wire, true).values();
            let paths = [
                "/candidates/0/finishReason",
                "/choices/0/finish_reason",
                "/delta/stop_reason",
            ];
            paths
                .iter()
                .map(|path| at(&values, path).len())
                .sum::<usize>()
        };
        assert_eq!(
            (finish(Mischief::NoFinish), finish(Mischief::OnlyFinishes)),
            (0, 1)
        );
        let server = ModelServer::start(Mischief::CallsBadly.reply());
        assert!(
            asked(&server, wire, true).text().contains("nonse"),
            "{wire:?}"
        );
    }
    let data = |mischief: Mischief, wire| {
        let server = ModelServer::start(mischief.reply());
        asked(&server, wire, true).text().to_owned()
    };
    assert!(!data(Mischief::NoEndMark, Wire::OpenAi).contains("[DONE]"));
    assert!(!data(Mischief::NoEndMark, Wire::Anthropic).contains("message_stop"));
    assert!(!data(Mischief::EarlyEndMark, Wire::OpenAi).ends_with("[DONE]\n\n"));
}

#[test]
fn a_blocked_question_has_no_candidate() {
    let server = ModelServer::start(Reply::say([say::finish(Finish::Blocked("SAFETY".into()))]));
    let values = asked(&server, Wire::Gemini, true).values();
    assert_eq!(values[0]["promptFeedback"]["blockReason"], "SAFETY");
    assert!(values[0].get("candidates").is_none());
}

#[test]
fn a_recording_is_replayed_as_it_was() {
    let text = b"HTTP/1.1 200 OK\nContent-Type: text/event-stream\nServer: llama.cpp\nTransfer-Encoding: chunked\n\n\
        a\r\ndata: {}\n\n\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n";
    let recording = Recording::parse(text).unwrap();
    let server = ModelServer::start(Reply::recorded(&recording).in_pieces_of(4));
    let heard = asked(&server, Wire::OpenAi, true);
    assert_eq!(
        (heard.text(), heard.is_whole),
        ("data: {}\n\ndata: [DONE]\n\n", true)
    );
    assert!(heard.head.contains("server: llama.cpp") && heard.head.contains("text/event-stream"));
    assert_eq!(heard.head.matches("content-type").count(), 1);
}

#[test]
fn parts_that_no_wire_can_say_are_left_out() {
    let odd = Event::Part(Part::from_value(json!({"executableCode": {"code": "1"}})));
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let server = ModelServer::start(Reply::say([odd.clone(), say::done()]));
        assert!(!asked(&server, wire, true).text().contains("executableCode"));
    }
}
