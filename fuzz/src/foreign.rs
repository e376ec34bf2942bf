//! Records of Claude Code and Codex.

use analects_session::foreign::codex::{titles, unpack};
use analects_session::foreign::{Limits, Record, claude, codex, name};
use analects_session::headline::headline;
use analects_session::into_gemini;
use analects_session::markdown::{Detail, markdown};
use analects_session::record::{By, Start};
use analects_session::replay::replay;
use analects_session::stamp::Stamp;
use analects_text::problem::Problem;

/// What a long text says beyond its limit: that something was left out, and how much.
const ROOM_BYTES: usize = 64;

/// Unpacked, nothing is longer than this.
const UNPACKED_BYTES: usize = 1 << 16;

/// Whatever a record is, it is read, within its limits, and can be imported.
pub fn foreign(data: &[u8]) {
    let small = Limits {
        text_bytes: 40,
        tool_bytes: 20,
    };
    for read in [read_claude, read_codex] {
        let (record, problems) = read(data, Limits::USUAL);
        assert!(problems.len() <= 22);
        for turn in &record.transcript.turns {
            assert!(data.get(turn.span.clone()).is_some());
        }
        grows(data, &record, read);
        imported(&record);
        let (short, _) = read(data, small);
        for turn in &short.transcript.turns {
            for tool in &turn.tools {
                assert!(tool.output.len() <= small.tool_bytes + ROOM_BYTES);
            }
        }
    }
    let (unpacked, _) = unpack(data, UNPACKED_BYTES);
    assert!(unpacked.len() <= UNPACKED_BYTES);
    let (named, problems) = titles(data);
    assert!(named.len() <= data.len() && problems.len() <= 22);
}

type Read = fn(&[u8], Limits) -> (Record, Vec<Problem>);

fn read_claude(data: &[u8], limits: Limits) -> (Record, Vec<Problem>) {
    claude::read(data, &name::claude("5f2e.jsonl").unwrap(), limits)
}

fn read_codex(data: &[u8], limits: Limits) -> (Record, Vec<Problem>) {
    let file = "rollout-2026-01-02T03-04-05-0199a2b4-0000-7000-8000-000000000000.jsonl";
    let named = name::codex(file).unwrap_or_else(|| name::claude("5f2e.jsonl").unwrap());
    codex::read(data, &named, limits)
}

/// A line that breaks off says nothing, and takes nothing away.
fn grows(data: &[u8], record: &Record, read: Read) {
    if !data.ends_with(b"\n") {
        return;
    }
    let torn = [data, b"{\"type\":\"us"].concat();
    let turns = read(&torn, Limits::USUAL).0.transcript.turns;
    assert_eq!(turns, record.transcript.turns);
}

fn imported(record: &Record) {
    let transcript = &record.transcript;
    let _ = headline(transcript.prompts().map(|turn| &*turn.text));
    assert!(!markdown(transcript, "t", Detail::USUAL).is_empty());
    let at = Stamp::from_ms(1_787_306_400_000).unwrap();
    let start = Start {
        session_id: "copy",
        project_hash: "p",
        at,
        by: By::Person,
    };
    let lines = into_gemini::record(transcript, "t", start, at, &str::to_owned);
    let told = replay(lines.into_bytes());
    assert_eq!(told.problems(), []);
    // Tools that a model used after it had spoken join what it said.
    let n_prompts = transcript.prompts().count();
    assert!((n_prompts + 1..=transcript.turns.len() + 1).contains(&told.n_messages()));
}
