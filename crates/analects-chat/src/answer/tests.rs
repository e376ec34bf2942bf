//! Streams, and the turns that come of them.

use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn piece(value: Value) -> Event {
    Event::Part(Part::from_value(value))
}

fn hear(events: impl IntoIterator<Item = Event>) -> Result<Heard, Unusable> {
    let mut answer = Answer::default();
    events.into_iter().for_each(|event| answer.hear(event));
    answer.end()
}

/// The turn that comes of these pieces.
fn check(pieces: Value, turn: Value) {
    let pieces = pieces.as_array().unwrap().iter().cloned().map(piece);
    let heard = hear(pieces.chain([Event::Finish(Finish::Done)])).unwrap();
    let parts: Vec<_> = heard.parts.iter().map(Part::to_value).collect();
    assert_eq!(Value::from(parts), turn);
}

/// What is wrong with an answer of these pieces that ends like this.
fn fault(pieces: Value, finish: Finish) -> Option<Unusable> {
    let pieces = pieces.as_array().unwrap().iter().cloned().map(piece);
    hear(pieces.chain([Event::Finish(finish)])).err()
}

#[test]
fn pieces_of_one_kind_become_one() {
    check(
        json!([
            { "text": "I ", "thought": true }, { "text": "see", "thought": true },
            { "text": "" }, { "text": "Read" }, { "text": "ing 记" }, { "text": "" },
            { "functionCall": { "id": "1", "name": "ls", "args": {} } },
            { "text": "a" }, { "text": "b" },
        ]),
        json!([
            { "text": "I see", "thought": true },
            { "text": "Reading 记" },
            { "functionCall": { "id": "1", "name": "ls", "args": {} } },
            { "text": "ab" },
        ]),
    );
}

#[test]
fn an_answer_that_is_not_whole_says_why() {
    let cut = |pieces: &Value, finish: Finish| {
        let pieces = pieces.as_array().unwrap().iter().cloned().map(piece);
        let heard = hear(pieces.chain([Event::Finish(finish)])).unwrap();
        heard.cut_short().unwrap_or_default()
    };
    let words = json!([{ "text": "half an ans" }]);
    let told = [
        Finish::Done,
        Finish::Length,
        Finish::Blocked("SAFETY".to_owned()),
        Finish::Recitation,
        Finish::Other("pause_turn".to_owned()),
    ]
    .map(|finish| cut(&words, finish));
    expect![[r#"

        the answer is cut off: it reached the greatest length that it may have; ask for the rest
        the answer is not whole: the server held back the rest (SAFETY)
        the answer is not whole: the server held back the rest because it repeats a text of others
        the answer may not be whole: it ended early (pause_turn)"#]]
    .assert_eq(&told.join("\n"));
    // What follows a call is the next answer.
    let call =
        json!([{ "text": "I look" }, { "functionCall": { "id": "1", "name": "ls", "args": {} } }]);
    assert_eq!(cut(&call, Finish::Length), "");
}

#[test]
fn a_signature_stays_where_it_came() {
    // As Gemini signs: at a call, and at an empty text at the end.
    let signed = json!([
        { "text": "a" }, { "text": "b", "thoughtSignature": "S1" }, { "text": "c" }, { "text": "d" },
        { "functionCall": { "name": "ls", "args": {} }, "thoughtSignature": "S2" },
        { "text": "", "thoughtSignature": "S3" },
    ]);
    let turn = json!([
        { "text": "a" }, { "text": "b", "thoughtSignature": "S1" }, { "text": "cd" },
        { "functionCall": { "name": "ls", "args": {} }, "thoughtSignature": "S2" },
        { "text": "", "thoughtSignature": "S3" },
    ]);
    check(signed, turn);
    // Two equal signatures are two.
    let twice = json!([
        { "text": "a", "thoughtSignature": "S" }, { "text": "a", "thoughtSignature": "S" },
    ]);
    check(twice.clone(), twice);
}

#[test]
fn a_thought_takes_the_signature_that_follows_it_alone() {
    check(
        json!([
            { "text": "I ", "thought": true }, { "text": "see", "thought": true },
            { "text": "", "thought": true, "thoughtSignature": "S1" },
            { "text": "more", "thought": true },
            { "text": "", "thought": true, "thoughtSignature": "S2" },
            { "text": "", "thought": true, "thoughtSignature": "S3" },
            { "text": "", "thought": true, "redacted": "R" },
            { "text": "Done." },
        ]),
        json!([
            { "text": "I see", "thought": true, "thoughtSignature": "S1" },
            { "text": "more", "thought": true, "thoughtSignature": "S2" },
            { "text": "", "thought": true, "thoughtSignature": "S3" },
            { "text": "", "thought": true, "redacted": "R" },
            { "text": "Done." },
        ]),
    );
}

#[test]
fn half_a_stream_is_no_turn() {
    let said = || piece(json!({ "text": "Done." }));
    assert_eq!(hear([]), Err(Unusable::Unfinished));
    assert_eq!(hear([said()]), Err(Unusable::Unfinished));
    let call = piece(json!({ "functionCall": { "name": "rm", "args": {} } }));
    assert_eq!(hear([call]), Err(Unusable::Unfinished));
    assert!(hear([said(), Event::Finish(Finish::Done)]).is_ok());
}

#[test]
fn an_answer_without_words_is_of_no_use_whatever_ended_it() {
    let word = || "SAFETY".to_owned();
    for nothing in [
        json!([]),
        json!([{ "text": "" }]),
        json!([{ "text": "\u{200b} \n" }, { "text": "<!-- " }, { "text": "x -->" }]),
        json!([{ "text": "<!-- ", "thoughtSignature": "S" }, { "text": "x -->" }]),
        json!([{ "functionResponse": { "name": "ls", "response": { "output": "forged" } } }]),
    ] {
        let fault = |finish| fault(nothing.clone(), finish);
        assert_eq!(fault(Finish::Done), Some(Unusable::Empty), "{nothing}");
        assert_eq!(fault(Finish::Length), Some(Unusable::Length));
        assert_eq!(
            fault(Finish::Blocked(word())),
            Some(Unusable::Blocked(word()))
        );
        assert_eq!(fault(Finish::Recitation), Some(Unusable::Recitation));
        assert_eq!(fault(Finish::Other(word())), Some(Unusable::Other(word())));
    }
    let thought = json!([{ "text": "hm", "thought": true }]);
    assert_eq!(
        fault(thought.clone(), Finish::Done),
        Some(Unusable::ThoughtOnly)
    );
    assert_eq!(fault(thought, Finish::Length), Some(Unusable::Length));
}

#[test]
fn what_was_said_before_an_early_end_is_of_use() {
    for pieces in [
        json!([{ "text": "a" }]),
        json!([{ "functionCall": { "name": "ls", "args": {} } }]),
        json!([{ "functionCall": { "name": "ls", "args": {} }, "thought": true }]),
        json!([{ "inlineData": { "mimeType": "image/png", "data": "AA" } }]),
        json!([{ "executableCode": { "code": "1" } }]),
    ] {
        for finish in [
            Finish::Done,
            Finish::Length,
            Finish::Recitation,
            Finish::Blocked(String::new()),
            Finish::Other(String::new()),
        ] {
            assert_eq!(fault(pieces.clone(), finish), None, "{pieces}");
        }
        let bad = Finish::BadCall("MALFORMED".to_owned());
        assert_eq!(
            fault(pieces, bad),
            Some(Unusable::BadCall("MALFORMED".to_owned()))
        );
    }
}

#[test]
fn the_last_word_on_what_it_costs_counts() {
    let usage = |answer| Usage {
        answer: Some(answer),
        ..Usage::default()
    };
    let said = piece(json!({ "text": "a" }));
    let events = [
        Event::Usage(usage(1)),
        said,
        Event::Usage(usage(7)),
        Event::Finish(Finish::Done),
    ];
    assert_eq!(hear(events).unwrap().usage, Some(usage(7)));
}

#[test]
fn an_endless_answer_is_let_go() {
    let endless = |event: Event| {
        let mut answer = Answer::default();
        for _ in 0..400 {
            answer.hear(event.clone());
        }
        let kept = answer.parts.len();
        answer.hear(Event::Finish(Finish::Done));
        (kept, answer.end().err())
    };
    let long = piece(json!({ "text": "x".repeat(100_000) }));
    assert_eq!(endless(long), (0, Some(Unusable::TooLong)));
    let calls =
        piece(json!({ "functionCall": { "name": "f", "args": { "x": "y".repeat(100_000) } } }));
    assert_eq!(endless(calls), (0, Some(Unusable::TooLong)));
    let signed = piece(json!({ "text": "", "thoughtSignature": "y".repeat(100_000) }));
    assert_eq!(endless(signed), (0, Some(Unusable::TooLong)));
}

#[test]
fn many_small_pieces_are_many_bytes() {
    let mut answer = Answer::default();
    let turns = [Part::text("x"), Part::call("1", "f", Value::Null)];
    let n_turns = MAX_BYTES / size_of::<Part>();
    for part in turns.iter().cycle().take(n_turns) {
        answer.hear(Event::Part(part.clone()));
    }
    assert_eq!(answer.end(), Err(Unusable::TooLong));
}

#[test]
fn small_values_weigh_what_they_take_in_memory() {
    let mut answer = Answer::default();
    let args = json!({ "a": vec![json!({}); MAX_BYTES / OBJECT_BYTES] });
    answer.hear(Event::Part(Part::call("1", "f", args)));
    answer.hear(Event::Finish(Finish::Done));
    assert_eq!(answer.end(), Err(Unusable::TooLong));
}

fn any_piece() -> impl Strategy<Value = Value> {
    let signature = prop_oneof![3 => Just(None), 1 => (0_u8..3).prop_map(Some)];
    ("[ab]{0,2}", any::<bool>(), signature, 0..5).prop_map(|(text, thought, signature, kind)| {
        let mut value = match kind {
            0 => json!({ "functionCall": { "name": text, "args": {} } }),
            _ => json!({ "text": text }),
        };
        if thought {
            value["thought"] = true.into();
        }
        if let Some(signature) = signature {
            value["thoughtSignature"] = signature.to_string().into();
        }
        value
    })
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_moves(pieces in prop::collection::vec(any_piece(), 0..20)) {
        let events = pieces.iter().cloned().map(piece);
        let mut answer = Answer::default();
        events.for_each(|event| answer.hear(event));
        // Words, and signatures between them, in order. A signature in brackets signs what stands before it.
        let told = |parts: &[Value]| -> String {
            let words = parts.iter().map(|part| {
                let kind = if part["thought"] == true { '~' } else { ' ' };
                let text = part["text"].as_str().map(|text| text.chars().map(|c| format!("{kind}{c}")).collect());
                let call = || format!("call({})", part["functionCall"]["name"]);
                let signature = part["thoughtSignature"].as_str().map(|s| format!("[{s}]"));
                text.unwrap_or_else(call) + &signature.unwrap_or_default()
            });
            words.collect()
        };
        let kept: Vec<_> = answer.parts.iter().map(Part::to_value).collect();
        prop_assert_eq!(told(&kept), told(&pieces));
        // What was signed is not joined with unsigned words, but for a thought that was signed afterwards.
        for part in kept.iter().filter(|part| part.get("thoughtSignature").is_some() && part["thought"] != true) {
            prop_assert!(pieces.contains(part));
        }
    }
}
