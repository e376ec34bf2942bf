//! Streams in memory, whole and broken, cut into chunks of every size.

use analects_world::model::Part;
use analects_world::models::Finish;

use super::*;

const PIECES: [&str; 2] = [
    r#"{"candidates":[{"content":{"parts":[{"text":"grüß 你"}]}}]}"#,
    r#"{"candidates":[{"content":{"parts":[{"text":"!"}]},"finishReason":"STOP"}]}"#,
];

fn whole() -> Vec<Event> {
    vec![
        Event::Part(Part::text("grüß 你")),
        Event::Part(Part::text("!")),
        Event::Finish(Finish::Done),
    ]
}

/// Reads a stream that comes in chunks of a size.
fn read(stream: &[u8], chunk_bytes: usize, limits: Limits) -> Result<Vec<Event>, Fault> {
    let chunks: Vec<_> = stream
        .chunks(chunk_bytes)
        .map(Bytes::copy_from_slice)
        .collect();
    let mut events = Vec::new();
    read_stream(Wire::Gemini, chunks, limits, &mut |event| {
        events.push(event);
    })?;
    Ok(events)
}

/// A stream means the same however it is cut into chunks.
fn check(stream: impl AsRef<[u8]>, is: &Result<Vec<Event>, Kind>) {
    let stream = stream.as_ref();
    for chunk_bytes in [1, 2, 3, 7, 64, stream.len().max(1)] {
        let events = read(stream, chunk_bytes, Limits::USUAL);
        let text = String::from_utf8_lossy(stream);
        assert_eq!(
            &events.map_err(|fault| fault.kind),
            is,
            "{chunk_bytes}: {text}"
        );
    }
}

#[test]
fn lines_may_end_in_any_way_and_comments_and_ids_mean_nothing() {
    let [one, two] = PIECES;
    check(format!("data: {one}\n\ndata: {two}\n\n"), &Ok(whole()));
    check(
        format!("data:{one}\r\n\r\ndata:{two}\r\n\r\n"),
        &Ok(whole()),
    );
    check(format!("data: {one}\r\rdata: {two}\r\r"), &Ok(whole()));
    check(
        format!(
            "\u{feff}: hi\n\nid: 7\nretry: 10\nevent: x\ndata: {one}\n\n:\n\n\n\ndata: {two}\n\n"
        ),
        &Ok(whole()),
    );
}

#[test]
fn data_may_stand_on_several_lines() {
    let [one, two] = PIECES;
    let (head, tail) = two.split_once(",\"finish").unwrap();
    check(
        format!("data: {one}\n\ndata: {head},\ndata: \"finish{tail}\n\n"),
        &Ok(whole()),
    );
}

#[test]
fn a_last_event_needs_no_empty_line_but_must_be_whole() {
    let [one, two] = PIECES;
    for end in ["", "\n", "\r\n"] {
        check(format!("data: {one}\n\ndata: {two}{end}"), &Ok(whole()));
    }
    let half = two.get(..20).unwrap();
    check(format!("data: {one}\n\ndata: {half}"), &Err(Kind::Cut));
    check(format!("data: {one}\n\nda"), &Err(Kind::Garbled));
    check(format!("data: {one}\n\nevent: message"), &Err(Kind::Cut));
    // Half an event in the midst of a stream is nonsense.
    check(
        format!("data: {half}\n\ndata: {two}\n\n"),
        &Err(Kind::Garbled),
    );
    check(format!("data: {one}\n\n"), &Err(Kind::Cut));
    check("", &Err(Kind::Cut));
}

#[test]
fn what_is_no_stream_of_events_is_garbled() {
    let [one, _] = PIECES;
    check("hello\n\n", &Err(Kind::Garbled));
    check("<html>: hi\n\n", &Err(Kind::Garbled));
    check(
        format!("event: a\nevent: b\ndata: {one}\n\n"),
        &Err(Kind::Garbled),
    );
    check(b"data: {\"a\":\"\xff\"}\n\n", &Err(Kind::Garbled));
    check("retry: soon\n\n", &Err(Kind::Garbled));
    check("data: [DONE]\n\n", &Err(Kind::Garbled));
}

#[test]
fn an_error_that_is_put_into_a_stream_as_bare_json_is_understood() {
    let [one, _] = PIECES;
    let error = "{\n  \"error\": {\n    \"code\": 503,\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n";
    check(format!("data: {one}\n\n{error}"), &Err(Kind::Busy));
    check(format!("data: {one}\n\n[{error}]"), &Err(Kind::Busy));
    check(error, &Err(Kind::Busy));
    check("{\"a\": 1}\n", &Err(Kind::Garbled));
    let endless = "{ ".repeat(100_000);
    let events = read(endless.as_bytes(), 4_096, Limits::USUAL);
    assert_eq!(events.unwrap_err().kind, Kind::Garbled);
}

#[test]
fn neither_an_event_nor_an_answer_grows_without_end() {
    let limits = Limits {
        event_bytes: 100,
        answer_bytes: 1_000,
    };
    let kind = |stream: &str, chunk_bytes| {
        let events = read(stream.as_bytes(), chunk_bytes, limits);
        events.unwrap_err().kind
    };
    for chunk_bytes in [1, 10, 99, 10_000] {
        for end in ["\n", "\r", "\r\n"] {
            let line = format!("data: {}", "x".repeat(101));
            assert_eq!(kind(&line, chunk_bytes), Kind::TooLong);
            let lines = format!("data: xxxx{end}").repeat(11);
            assert_eq!(kind(&lines, chunk_bytes), Kind::TooLong);
            let comments = format!(": hm{end}{end}").repeat(200);
            assert_eq!(kind(&comments, chunk_bytes), Kind::TooLong);
            // As long as it may be, and no longer.
            let fits = format!(":{}{end}:{}{end}{end}", "x".repeat(49), "x".repeat(49)).repeat(9);
            assert_eq!(kind(&fits, chunk_bytes), Kind::Cut);
        }
    }
    let fault = read(&b"x".repeat(101), 50, limits).unwrap_err();
    assert_eq!(
        fault.message,
        "the server sends an event of more than 100 bytes"
    );
}

#[test]
fn what_follows_after_the_end_means_nothing() {
    /// Is over with its first piece.
    struct Short;

    impl Reader for Short {
        fn read(
            &mut self,
            _: Option<&str>,
            _: &str,
            _: &mut dyn FnMut(Event),
        ) -> Result<Flow, Fault> {
            Ok(Flow::Over)
        }

        fn end(self: Box<Self>, hear: &mut dyn FnMut(Event)) -> Result<(), Fault> {
            hear(Event::Finish(Finish::Done));
            Ok(())
        }
    }

    let stream = Bytes::from_static(b"data: a\n\nnonsense\n\n");
    let mut pieces = {
        let first = Ok(stream.slice(..9));
        // Whoever asks for more waits for ever.
        let rest = stream::iter([first]).chain(stream::pending());
        Pieces::new(Box::new(Short), rest.boxed(), Limits::USUAL)
    };
    let mut next = || pieces.next().now_or_never().expect("it is ready");
    assert_eq!(next(), Ok(Some(vec![Event::Finish(Finish::Done)])));
    assert_eq!(next(), Ok(None));
}

#[test]
fn what_is_there_does_not_wait_for_what_is_not() {
    let [one, _] = PIECES;
    let chunk = Bytes::from(format!("data: {one}\n\ndata: {one}\n\n"));
    let bytes = stream::iter([Ok(chunk)]).chain(stream::pending()).boxed();
    let mut pieces = Pieces::new(wire::reader(Wire::Gemini), bytes, Limits::USUAL);
    let events = pieces
        .next()
        .now_or_never()
        .expect("two are ready")
        .unwrap();
    assert_eq!(events.unwrap().len(), 2);
    assert!(pieces.next().now_or_never().is_none());
}
