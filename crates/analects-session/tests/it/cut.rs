//! A session cut off at every single byte, as a crash or a reader in between finds it.

use analects_session::message::Message;
use analects_session::record::Recorder;
use analects_session::replay::{Replayed, replay};
use serde::de::IgnoredAny;

use crate::recorded::recorded;

fn messages(replayed: &Replayed) -> Vec<Message> {
    replayed.messages().map(|message| message.read()).collect()
}

#[test]
fn a_prefix_loses_at_most_its_last_line() {
    let bytes = recorded();
    let mut whole = replay(Vec::new());
    for end in 0..=bytes.len() {
        let cut = &bytes[..end];
        let replayed = replay(cut.to_vec());
        if cut.ends_with(b"\n") {
            whole = replayed;
            assert!(!whole.is_torn());
            continue;
        }
        let n_whole = cut
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let tail = &cut[n_whole..];
        if serde_json::from_slice::<IgnoredAny>(tail).is_ok() {
            // Only its line end is missing.
            let mut ended = cut.to_vec();
            ended.push(b'\n');
            assert_eq!(messages(&replayed), messages(&replay(ended)));
            continue;
        }
        assert_eq!(messages(&replayed), messages(&whole), "cut at {end}");
        assert_eq!(replayed.about(), whole.about(), "cut at {end}");
    }
}

#[test]
fn a_session_goes_on_after_any_cut() {
    let bytes = recorded();
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    for end in (header + 1..bytes.len()).step_by(7) {
        let mut cut = bytes[..end].to_vec();
        let before = replay(cut.clone());
        let (_, lines) = Recorder::resume(&before);
        cut.extend(lines.into_bytes());
        cut.extend(b"{\"id\":\"next\",\"type\":\"user\",\"content\":\"on\"}\n");
        let after = replay(cut);
        let ids: Vec<_> = before.messages().map(|message| message.id()).collect();
        let ids_after: Vec<_> = after.messages().map(|message| message.id()).collect();
        assert_eq!(ids_after.split_last().unwrap().1, ids, "cut at {end}");
    }
}

#[test]
fn an_old_session_cut_anywhere_is_read_without_harm() {
    let old = r#"{
  "sessionId": "s", "projectHash": "p",
  "messages": [{ "id": "a", "type": "user", "content": "漢字 😀" },
    {"id":"b","type":"gemini","content":"x"}
  ]
}"#;
    for end in 0..=old.len() {
        let replayed = replay(old.as_bytes()[..end].to_vec());
        assert!(replayed.n_messages() <= 2);
    }
}
