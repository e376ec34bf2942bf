//! Records of Gemini CLI and of ours.

use std::ops::Range;

use analects_session::from_gemini::transcript;
use analects_session::headline::{self, headline};
use analects_session::history::history;
use analects_session::into_gemini;
use analects_session::markdown::{Detail, markdown};
use analects_session::message::{Content, Message, MessageKind};
use analects_session::record::{self, By, Compressed, Recorder, Saying, Start};
use analects_session::replay::{Form, Replayed, Standing, replay as play};
use analects_session::scratchpad::{Scratchpad, scratchpad};
use analects_session::stamp::Stamp;
use analects_world::AbsPath;

/// Whatever a record is, it is replayed; what goes on from there keeps what was said.
pub fn replay(data: &[u8]) {
    let record = play(data.to_vec());
    assert_eq!(record.text().len(), data.len());
    assert!(record.problems().len() <= 23);
    places(&record);
    readers(&record);
    let is_lines = record.form() == Form::Lines;
    if is_lines {
        torn(data);
    }
    resumed(&record);
    if is_lines {
        rewritten(&record);
    }
    copied(&record);
}

fn places(record: &Replayed) {
    let in_bounds = |span: Range<usize>| record.text().get(span).is_some();
    for message in record.messages() {
        assert!(in_bounds(message.span()));
        assert!(record.text().contains(message.raw()));
        assert_eq!(message.read().id, message.id());
    }
    for checkpoint in record.checkpoints() {
        assert!(in_bounds(checkpoint.span()));
    }
    assert_eq!(record.n_messages(), record.messages().len());
    assert!(record.n_user_messages() <= record.n_messages());
    if record.standing() == Standing::Unreadable {
        assert_eq!(record.n_messages(), 0);
    }
}

fn readers(record: &Replayed) {
    let transcript = transcript(record);
    for turn in &transcript.turns {
        assert!(record.text().get(turn.span.clone()).is_some());
    }
    let title = headline(transcript.prompts().map(|turn| &*turn.text));
    assert!(title.is_none_or(|title| title.chars().count() <= headline::MAX_CHARS));
    let text = markdown(&transcript, "t", Detail::USUAL);
    assert!(!text.is_empty());
    let root = AbsPath::new("/repo").unwrap();
    let pad = scratchpad(record, &root);
    let again = Scratchpad::from_value(&pad.to_value()).unwrap();
    assert_eq!(again.to_value(), pad.to_value());
}

/// What stood before the last line still stands when that line is torn.
fn torn(data: &[u8]) {
    let body = data.strip_suffix(b"\n").unwrap_or(data);
    let Some(start) = body.iter().rposition(|&byte| byte == b'\n') else {
        return;
    };
    let before = play(data.get(..=start).unwrap().to_vec());
    // A line with a carriage return inside is several; a brace alone is certainly none.
    let torn = [data.get(..=start).unwrap(), b"{\"id\":\"torn"].concat();
    let torn = play(torn);
    if before.form() == Form::Lines && torn.form() == Form::Lines {
        assert_eq!(read(&torn), read(&before));
        assert!(torn.problems().len() >= before.problems().len());
    }
}

/// Whoever goes on adds to what is there, and takes nothing away.
fn resumed(record: &Replayed) {
    let (mut recorder, lines) = Recorder::resume(record);
    let text = match record.form() {
        Form::Lines => [record.text(), lines.as_str()].concat(),
        Form::Object => lines.as_str().to_owned(),
    };
    let again = play(text.clone().into());
    assert_eq!(again.form(), Form::Lines);
    assert_eq!(again.n_messages(), record.n_messages());
    assert!(!again.is_torn());
    let said = Saying {
        id: "a name that nobody else has".to_owned(),
        at: at(),
        content: Content::Text("more".to_owned()),
    };
    let is_free = record.messages().all(|message| message.id() != said.id);
    let more = recorder.say(MessageKind::User, said);
    let longer = play([&*text, more.as_str()].concat().into());
    assert_eq!(
        longer.n_messages(),
        record.n_messages() + usize::from(is_free)
    );
    if record.form() == Form::Lines {
        let kept: Vec<_> = read(&longer);
        let known = read(record);
        if is_free {
            assert_eq!(kept.split_last().map(|(_, kept)| kept), Some(&*known));
        }
    }
}

/// A history that was written down as it is reads as it was; a compression that is undone never was.
fn rewritten(record: &Replayed) {
    let told = history(record);
    let entries = record::messages(&told, record, at());
    let (mut recorder, mut lines) = Recorder::resume(record);
    lines.extend([recorder.checkpoint(&entries, at())]);
    let again = play([record.text(), lines.as_str()].concat().into());
    assert_eq!(history(&again), told);

    let Some(kept) = entries.last() else { return };
    let (mut recorder, mut lines) = Recorder::resume(record);
    let id = kept.id().into_owned();
    let compressed = Compressed {
        snapshot: &id,
        before: 2,
        after: 1,
        at: at(),
    };
    lines.extend([recorder.compress(record, std::slice::from_ref(kept), compressed)]);
    let short = play([record.text(), lines.as_str()].concat().into());
    assert!(short.n_messages() <= 1);
    let (mut recorder, mut lines) = Recorder::resume(&short);
    let Ok(undone) = recorder.undo(&short, at()) else {
        return;
    };
    lines.extend([undone]);
    let long = play([short.text(), lines.as_str()].concat().into());
    assert_eq!(ids(&long), ids(record));
}

fn copied(record: &Replayed) {
    let transcript = transcript(record);
    let start = Start {
        session_id: "copy",
        project_hash: "p",
        at: at(),
        by: By::Person,
    };
    let copy = into_gemini::copy(record, &transcript, start, at(), &str::to_owned);
    let copy = play(copy.into_bytes());
    assert_eq!(copy.standing(), Standing::Loadable);
    assert_eq!(copy.problems(), []);
    assert!(copy.n_messages() >= record.n_messages());
    let lines = into_gemini::record(&transcript, "t", start, at(), &str::to_owned);
    let told = play(lines.into_bytes());
    assert_eq!(told.problems(), []);
    assert!(told.n_messages() <= transcript.turns.len() + 1);
}

fn read(record: &Replayed) -> Vec<Message> {
    record.messages().map(|message| message.read()).collect()
}

fn ids(record: &Replayed) -> Vec<String> {
    let ids = record.messages().map(|message| message.id().into_owned());
    ids.collect()
}

fn at() -> Stamp {
    Stamp::from_ms(1_787_306_400_000).unwrap()
}
