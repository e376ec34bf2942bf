//! Records that went wrong: cut, glued, shuffled, forged.

use analects_session::foreign::name::Named;
use analects_session::foreign::{Limits, Record, claude, codex, name};
use analects_session::transcript::Turn;
use analects_text::problem::Problem;
use expect_test::expect;
use proptest::prelude::*;

use super::show::show;

type Read = fn(&[u8], &Named, Limits) -> (Record, Vec<Problem>);

const CLAUDE: [&[u8]; 4] = [
    include_bytes!("claude/talk.jsonl"),
    include_bytes!("claude/fork.jsonl"),
    include_bytes!("claude/blocks.jsonl"),
    include_bytes!("claude/queued.jsonl"),
];

const CODEX: [&[u8]; 5] = [
    include_bytes!("codex/scripted.jsonl"),
    include_bytes!("codex/called.jsonl"),
    include_bytes!("codex/compacted.jsonl"),
    include_bytes!("codex/asking_by_letter.jsonl"),
    include_bytes!("codex/legacy.jsonl"),
];

fn corpus() -> impl Iterator<Item = (&'static [u8], Read)> {
    let claude = CLAUDE
        .into_iter()
        .map(|bytes| (bytes, claude::read as Read));
    claude.chain(CODEX.into_iter().map(|bytes| (bytes, codex::read as Read)))
}

fn named() -> Named {
    name::claude("one.jsonl").unwrap()
}

fn read(read: Read, bytes: &[u8]) -> (Record, Vec<Problem>) {
    read(bytes, &named(), Limits::USUAL)
}

/// What a line that comes later does not change.
fn gist(turn: &Turn) -> (&str, &str, &str, std::ops::Range<usize>) {
    (&turn.id, turn.role.as_str(), &turn.text, turn.span.clone())
}

#[test]
fn whatever_stands_before_a_cut_is_read() {
    for (bytes, reader) in corpus() {
        let whole = read(reader, bytes).0.transcript.turns;
        // A prime stride meets all kinds of places; around the ends of lines every byte counts.
        let is_near_end = |end: &usize| bytes[end.saturating_sub(2)..*end].contains(&b'\n');
        let cuts = (0..bytes.len()).filter(|end| end % 61 == 0 || is_near_end(end));
        for end in cuts {
            let (record, problems) = read(reader, &bytes[..end]);
            let turns = record.transcript.turns;
            let is_done = |turn: &&Turn| turn.span.end <= end;
            let expected = whole.iter().filter(is_done).count();
            assert!(
                turns.len() <= expected && turns.len() + 1 >= expected,
                "cut at {end}"
            );
            // The last turn may still grow.
            let settled = turns.len().saturating_sub(1);
            for (turn, whole) in turns.iter().zip(&whole).take(settled) {
                assert_eq!(gist(turn), gist(whole), "cut at {end}");
            }
            assert!(problems.len() <= 2, "{problems:?}");
        }
    }
}

#[test]
fn turns_know_where_they_stand() {
    for (bytes, reader) in corpus() {
        for turn in read(reader, bytes).0.transcript.turns {
            let line = &bytes[turn.span];
            assert!(line.starts_with(b"{") && line.ends_with(b"}"));
        }
    }
}

#[test]
fn lines_that_are_none_are_problems_up_to_a_number() {
    let mut text = "not json\n[1,2]\n\"text\"\n{\"type\":\"user\"\n\n   \n".to_owned();
    text.push_str("{\"type\":\"user\",\"uuid\":\"1\",\"message\":{\"content\":\"Hi.\"}}\n");
    let few = show(&read(claude::read, text.as_bytes()));
    expect![[r#"
        claude one
        user: Hi.
        ! broken-session-line 1: no JSON object: left out
        ! broken-session-line 2: no JSON object: left out
        ! broken-session-line 3: no JSON object: left out
        ! broken-session-line 4: no JSON object: left out
    "#]]
    .assert_eq(&few);
    let many = read(claude::read, "x\n".repeat(1000).as_bytes()).1;
    assert_eq!(many.len(), 21);
    assert_eq!(many.last().unwrap().message, "980 more problems");
}

#[test]
fn a_whole_line_behind_a_cut_one_is_read() {
    let text = r#"{"parentUuid":null,"type":"user","uuid":"1","message":{"content":"Lost bec{"parentUuid":null,"type":"user","uuid":"2","message":{"content":"Found."}}
"#;
    expect![[r#"
        claude one
        user: Found.
        ! broken-session-line 1: no JSON object: left out
    "#]]
    .assert_eq(&show(&read(claude::read, text.as_bytes())));
}

#[test]
fn bytes_that_are_no_text_spoil_only_themselves() {
    let text = b"\xEF\xBB\xBF{\"type\":\"user\",\"uuid\":\"1\",\"message\":{\"content\":\"a\xFFb\"}}\r\n{\"type\":\"user\",\"uuid\":\"2\",\"message\":{\"content\":\"half a \\ud83d pair\"}}";
    expect![[r#"
        claude one
        user: a�b
        user: half a � pair
        ! session-line-not-utf8 1: not UTF-8: bytes were replaced
    "#]]
    .assert_eq(&show(&read(claude::read, text)));
}

#[test]
fn deep_nesting_is_no_danger() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let line = format!(
        "{{\"type\":\"user\",\"uuid\":\"1\",\"toolUseResult\":{deep},\"message\":{{\"content\":\"Hi.\"}}}}\n{{\"type\":\"user\",\"uuid\":\"2\",\"message\":{{\"content\":{deep}}}}}\n"
    );
    let (record, _) = read(claude::read, line.as_bytes());
    assert_eq!(record.transcript.turns.len(), 1);
    let line = format!(
        "{{\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call\",\"arguments\":{deep:?},\"name\":{deep}}}}}\n"
    );
    let (record, _) = read(codex::read, line.as_bytes());
    assert_eq!(record.transcript.turns.len(), 1);
}

#[test]
fn a_huge_line_is_kept_in_part() {
    let long = format!("begin{}end", "\\u00e4\\n".repeat(1_000_000));
    let text = format!(
        "{}\n{{\"type\":\"user\",\"uuid\":\"2\",\"message\":{{\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{long}\"}},{{\"type\":\"text\",\"text\":\"{long}\"}}]}}}}\n",
        r#"{"type":"assistant","uuid":"1","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"yes"}}]}}"#,
    );
    let turns = read(claude::read, text.as_bytes()).0.transcript.turns;
    let output = &turns[0].tools[0].output;
    assert!(output.starts_with("beginä\n") && output.ends_with("ä\nend"));
    assert!(output.contains(" bytes left out …]\n"));
    assert!(output.len() <= Limits::USUAL.tool_bytes + 64);
    assert!(turns[1].text.len() <= Limits::USUAL.text_bytes + 64);
}

#[test]
fn forged_ids_stay_words() {
    let line = r#"{"type":"user","uuid":"../../etc/passwd","sessionId":"../x","cwd":"/a","message":{"content":"Hi."}}"#;
    let (record, _) = read(claude::read, line.as_bytes());
    assert_eq!(record.transcript.head.id, "one");
    let base = record.continues.unwrap();
    assert!(!analects_session::foreign::resume::is_safe(&base.id));
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    let all: Vec<&[u8]> = corpus()
        .flat_map(|(bytes, _)| bytes.split(|&byte| byte == b'\n'))
        .collect();
    prop::collection::vec(prop::sample::select(all), 0..60).prop_map(|lines| lines.join(&b'\n'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        read(claude::read, &bytes);
        read(codex::read, &bytes);
    }

    #[test]
    fn any_json_is_read(lines in prop::collection::vec(object(), 0..20)) {
        let text = lines.join("\n");
        read(claude::read, text.as_bytes());
        read(codex::read, text.as_bytes());
    }

    #[test]
    fn shuffled_and_repeated_lines_are_read(bytes in lines()) {
        for reader in [claude::read as Read, codex::read] {
            let (record, problems) = read(reader, &bytes);
            prop_assert!(problems.len() <= 22);
            for turn in record.transcript.turns {
                prop_assert!(turn.span.end <= bytes.len());
            }
        }
    }

    #[test]
    fn small_limits_are_kept(bytes in lines(), limit in 0_usize..50) {
        let limits = Limits { text_bytes: limit, tool_bytes: limit };
        for reader in [claude::read as Read, codex::read] {
            for turn in reader(&bytes, &named(), limits).0.transcript.turns {
                for tool in turn.tools {
                    prop_assert!(tool.output.len() <= limit + 64, "{:?}", tool.output);
                }
            }
        }
    }
}

/// Objects of words that readers know, in places where they are not expected.
fn object() -> impl Strategy<Value = String> {
    let words = [
        "type",
        "user",
        "assistant",
        "system",
        "attachment",
        "message",
        "content",
        "text",
        "tool_use",
        "tool_result",
        "id",
        "tool_use_id",
        "uuid",
        "timestamp",
        "payload",
        "response_item",
        "event_msg",
        "item_completed",
        "item",
        "UserMessage",
        "thread_rolled_back",
        "num_turns",
        "role",
        "output",
        "call_id",
        "function_call",
        "arguments",
        "input",
        "command",
        "function_call_output",
        "compacted",
        "session_meta",
        "source",
        "queued_command",
        "prompt",
    ];
    let word = prop::sample::select(words.to_vec()).prop_map(|word| format!("{word:?}"));
    let leaf = prop_oneof![
        4 => word.clone(),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => prop::sample::select(vec!["null", "true", "false", "{}", "[]", "\"\\ud800\""]).prop_map(str::to_owned),
    ];
    let value = leaf.prop_recursive(5, 40, 6, move |inner| {
        let pair = (word.clone(), inner.clone()).prop_map(|(key, value)| format!("{key}:{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|list| format!("[{}]", list.join(","))),
            prop::collection::vec(pair, 0..6).prop_map(|pairs| format!("{{{}}}", pairs.join(","))),
        ]
    });
    value.prop_map(|value| format!("{{\"type\":\"user\",\"message\":{value},\"payload\":{value}}}"))
}
