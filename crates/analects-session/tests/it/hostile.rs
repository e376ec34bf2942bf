//! Records that nobody wrote in good faith: huge lines, endless nesting, a million rewinds.
//!
//! None of them may fail, and none may take time that grows faster than the file. If one does, its test does
//! not end: at these sizes anything quadratic takes hours.

use analects_session::from_gemini::read;
use analects_session::history::{history, name_calls};
use analects_session::replay::replay;

const HEADER: &str = "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n";

#[test]
fn a_million_rewinds_are_taken_back_one_by_one() {
    let messages: String = (0..200_000)
        .map(|i| format!("{{\"id\":\"{i}\"}}\n"))
        .collect();
    let mut record = format!("{HEADER}{messages}");
    record.push_str(&"{\"$rewindTo\":\"nobody\"}\n{\"id\":\"a\"}\n".repeat(500_000));
    record.push_str(&"{\"$rewindTo\":\"a\"}\n".repeat(500_000));
    assert_eq!(replay(record.into()).n_messages(), 0);
}

#[test]
fn a_million_checkpoints_and_doubles_cost_what_they_weigh() {
    let checkpoint = "{\"$set\":{\"messages\":[{\"id\":\"a\"},{\"id\":\"b\"}]}}\n{\"id\":\"a\"}\n";
    let record = format!("{HEADER}{}", checkpoint.repeat(200_000));
    assert_eq!(replay(record.into()).n_messages(), 2);
}

#[test]
fn a_line_of_many_megabytes_is_a_line() {
    let long = "é\\n".repeat(8 << 20);
    let record = format!("{HEADER}{{\"id\":\"a\",\"type\":\"user\",\"content\":\"{long}\"}}\n");
    let replayed = replay(record.into());
    assert_eq!(replayed.n_messages(), 1);
    assert!(replayed.is_resumable());
}

#[test]
fn nesting_without_end_says_nothing_and_what_stands_beside_it_stays() {
    let deep = format!("{}1{}", "[".repeat(2 << 20), "]".repeat(2 << 20));
    let record = format!(
        "{HEADER}{{\"id\":\"a\",\"type\":\"user\",\"content\":{deep}}}\n{{\"$set\":{{\"summary\":{deep}}}}}\n\
         {{\"id\":\"b\",\"type\":\"gemini\",\"content\":\"x\",\"toolCalls\":{deep}}}\n{deep}\n{}",
        "{\"a\":".repeat(2 << 20)
    );
    let replayed = replay(record.into());
    assert_eq!(replayed.n_messages(), 2);
    assert_eq!(replayed.problems().len(), 1);
    let (transcript, problems) = read(&replayed);
    let said: Vec<_> = transcript.turns.iter().map(|turn| &*turn.text).collect();
    assert_eq!(said, ["x"]);
    let lines: Vec<_> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(2), Some(4)]);
    assert_eq!(history(&replayed).len(), 1);
}

#[test]
fn many_calls_without_names_find_their_answers() {
    let calls = vec!["{\"functionCall\":{\"name\":\"ls\"}}"; 50_000].join(",");
    let responses = vec!["{\"functionResponse\":{\"name\":\"ls\"}}"; 50_000].join(",");
    let record = format!(
        "{HEADER}{{\"id\":\"a\",\"type\":\"gemini\",\"content\":[{calls}]}}\n\
         {{\"id\":\"b\",\"type\":\"user\",\"content\":[{responses}]}}\n"
    );
    let mut turns = history(&replay(record.into()));
    name_calls(&mut turns);
    let id = |turn_idx: usize| {
        let part = turns[turn_idx].parts[49_999].to_value();
        let tie = part.as_object().and_then(|part| part.values().next());
        tie.unwrap()["id"].clone()
    };
    assert_eq!(id(0), id(1));
}

#[test]
fn bytes_of_every_kind_are_read() {
    for byte in 0..=u8::MAX {
        let replayed = replay(vec![byte; 10_000]);
        assert_eq!(replayed.n_messages(), 0);
        let mut inside =
            format!("{HEADER}{{\"id\":\"a\",\"type\":\"user\",\"content\":\"").into_bytes();
        inside.extend(vec![byte; 100]);
        inside.extend(b"\"}\n{\"id\":\"z\"}\n");
        let replayed = replay(inside);
        assert_eq!(replayed.messages().last().unwrap().id(), "z", "{byte}");
    }
}
