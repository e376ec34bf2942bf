//! Histories and answers for tests, sane and strange.

use analects_world::model::{Body, Call, Content, Media, Part, Response, Role, Source};
use analects_world::models::{
    Choice, Event, Fault, Finish, Form, Kind, Options, Request, Thinking, Tool, Wire,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::Flow;

/// A request with nothing but a history.
pub(super) fn request<'a>(model: &'a str, history: &'a [Content]) -> Request<'a> {
    Request {
        model,
        system: "",
        history,
        tools: &[],
        options: &Options::USUAL,
    }
}

/// A tool that takes a path.
pub(super) fn ls() -> Tool {
    Tool {
        name: "ls".to_owned(),
        description: "Lists a directory.".to_owned(),
        parameters: json!({ "type": "object", "properties": { "path": { "type": "string" } } }),
    }
}

/// A turn of these parts.
pub(super) fn turn(role: Role, parts: impl Into<Vec<Part>>) -> Content {
    Content {
        id: String::new(),
        role,
        parts: parts.into(),
    }
}

/// An image, a document, a sound.
pub(super) fn media(mime: &str, source: Source) -> Part {
    Part::new(Body::Media(Media {
        mime: mime.to_owned(),
        source,
        rest: Map::new(),
    }))
}

/// A thought.
pub(super) fn thought(text: &str, signature: Option<&str>) -> Part {
    let mut part = Part::text(text);
    part.is_thought = true;
    if let Some(signature) = signature {
        part.rest
            .insert("thoughtSignature".to_owned(), signature.into());
    }
    part
}

/// A call, and a response, that may lack an id.
pub(super) fn call(id: Option<&str>, name: &str, args: Value) -> Part {
    Part::new(Body::Call(Call {
        id: id.map(str::to_owned),
        name: name.to_owned(),
        args,
        rest: Map::new(),
    }))
}

pub(super) fn response(id: Option<&str>, name: &str, response: Value, parts: Vec<Part>) -> Part {
    Part::new(Body::Response(Response {
        id: id.map(str::to_owned),
        name: name.to_owned(),
        response,
        parts,
        rest: Map::new(),
    }))
}

/// A body, line by line: a field each, and a message each.
pub(super) fn lines(body: &Value) -> String {
    let mut lines = String::new();
    for (field, value) in body.as_object().unwrap() {
        match value {
            Value::Array(all) if field == "messages" || field == "tools" => {
                lines.extend(all.iter().map(|one| format!("{field}[] {one}\n")));
            }
            value => lines.extend([format!("{field}: {value}\n")]),
        }
    }
    lines
}

/// What a reader tells, piece after piece.
pub(super) fn read(wire: Wire, pieces: &[&str]) -> (Vec<Event>, Result<(), Fault>) {
    let mut events = Vec::new();
    let mut reader = super::reader(wire);
    for piece in pieces {
        match reader.read(None, piece, &mut |event| events.push(event)) {
            Ok(Flow::More) => {}
            Ok(Flow::Over) => break,
            Err(fault) => return (events, Err(fault)),
        }
    }
    let end = reader.end(&mut |event| events.push(event));
    (events, end)
}

/// The same, told line by line. Pieces are separated by lines too.
pub(super) fn told(wire: Wire, stream: &str) -> String {
    let pieces: Vec<&str> = stream
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let (events, end) = read(wire, &pieces);
    let mut lines: String = events
        .iter()
        .map(|event| format!("{}\n", line(event)))
        .collect();
    if let Err(fault) = end {
        lines.extend([format!("! {}: {fault}\n", fault.kind.as_str())]);
    }
    lines
}

fn line(event: &Event) -> String {
    match event {
        Event::Part(part) => part.to_value().to_string(),
        Event::Usage(usage) => {
            let n = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
            let (prompt, cached) = (n(usage.prompt), n(usage.cached));
            let (answer, thoughts) = (n(usage.answer), n(usage.thoughts));
            format!("usage: {prompt} ({cached} cached) -> {answer}, {thoughts} thought")
        }
        Event::Finish(finish) => format!("{finish:?}"),
    }
}

/// Reads anything without a panic, and tells a finish last of all or a fault.
pub(super) fn check_reading(wire: Wire, pieces: &[String]) {
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let (events, end) = read(wire, &pieces);
    let n_finishes = events
        .iter()
        .filter(|e| matches!(e, Event::Finish(_)))
        .count();
    match end {
        Ok(()) => {
            assert_eq!(n_finishes, 1);
            assert!(matches!(events.last(), Some(Event::Finish(_))));
        }
        Err(fault) => {
            assert_eq!(n_finishes, 0);
            assert!(!fault.message.is_empty() && fault.message.len() < 2000);
            assert_ne!(fault.kind, Kind::Cancelled);
        }
    }
    let bad = events
        .iter()
        .any(|e| matches!(e, Event::Finish(Finish::BadCall(what)) if what.is_empty()));
    assert!(!bad);
}

/// Any JSON, with the words of a wire in its keys and texts.
pub(super) fn json(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i16>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(words).prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    let tree = leaf.prop_recursive(3, 12, 4, move |inner| {
        let fields = prop::collection::vec((select(words), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            fields.prop_map(|fields| {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(fields.collect())
            }),
        ]
    });
    tree.boxed()
}

/// Any history.
pub(super) fn history() -> impl Strategy<Value = Vec<Content>> {
    let role = prop_oneof![Just(Role::User), Just(Role::Model)];
    let parts = prop::collection::vec(part(), 0..5);
    prop::collection::vec(
        (role, parts).prop_map(|(role, parts)| turn(role, parts)),
        0..8,
    )
}

fn part() -> BoxedStrategy<Part> {
    let text = select(&["", " \n", "hi", " é ", "\nwords\n"][..]);
    let signature = select(
        &[
            None,
            Some("anthropic:Sig+/="),
            Some("anthropic:redacted:Data"),
            Some("gemini"),
            Some("anthropic:"),
        ][..],
    );
    prop_oneof![
        4 => text.clone().prop_map(Part::text),
        2 => (text, signature).prop_map(|(text, signature)| thought(text, signature)),
        4 => (id(), name(), args()).prop_map(|(id, name, args)| call(id, name, args)),
        4 => (id(), name(), args(), prop::collection::vec(medium(), 0..2))
            .prop_map(|(id, name, value, parts)| response(id, name, value, parts)),
        2 => medium(),
        1 => Just(Part::new(Body::Other)),
    ]
    .boxed()
}

fn id() -> impl Strategy<Value = Option<&'static str>> {
    select(
        &[
            None,
            Some(""),
            Some("a"),
            Some("b"),
            Some("call_1"),
            Some("a_2"),
            Some("list.files:é"),
            Some("read_file-1759312345678-0123456789abcdef0123"),
        ][..],
    )
}

fn name() -> impl Strategy<Value = &'static str> {
    select(&["ls", "read", "", "a.b c"][..])
}

fn args() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!({}),
        json!({ "output": "x" }),
        json!({ "output": "" }),
        json!({ "error": "x" }),
        json!([1, "é"]),
        json!("text"),
    ])
}

fn medium() -> impl Strategy<Value = Part> {
    let mime = select(&["image/png", "application/pdf", "audio/wav", "video/mp4", ""][..]);
    let source = select(vec![
        Source::Inline("AAAA".to_owned()),
        Source::Inline(String::new()),
        Source::Inline("not base 64".to_owned()),
        Source::Uri("https://example.com/a".to_owned()),
        Source::Uri("gs://a".to_owned()),
    ]);
    (mime, source).prop_map(|(mime, source)| media(mime, source))
}

/// Any options.
pub(super) fn options() -> impl Strategy<Value = Options> {
    let max = select(
        &[
            None,
            Some(0),
            Some(1),
            Some(1024),
            Some(1025),
            Some(4096),
            Some(u32::MAX),
        ][..],
    );
    let temperature = select(&[None, Some(0.0), Some(0.7), Some(9.0), Some(f64::NAN)][..]);
    let thinking = select(
        &[
            Thinking::Usual,
            Thinking::Off,
            Thinking::Tokens(0),
            Thinking::Tokens(1),
            Thinking::Tokens(4096),
            Thinking::Tokens(u32::MAX),
        ][..],
    );
    let form = select(vec![
        Form::Free,
        Form::Json {
            name: "verdict",
            schema: json!({ "type": "object", "properties": {} }),
        },
        Form::Json {
            name: "list",
            schema: json!({ "type": "array", "maxItems": 3 }),
        },
    ]);
    let choice = select(vec![
        Choice::Auto,
        Choice::None,
        Choice::Any,
        Choice::Only("ls".to_owned()),
        Choice::Only("gone".to_owned()),
    ]);
    (max, temperature, thinking, form, choice).prop_map(
        |(max_output_tokens, temperature, thinking, form, choice)| Options {
            max_output_tokens,
            temperature,
            thinking,
            form,
            choice,
        },
    )
}

/// Whether a server takes this for an id or a name.
pub(super) fn is_legal(text: &str, max: usize) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=max).contains(&text.len()) && text.chars().all(legal)
}

/// The text at a place that must hold some that is not blank.
pub(super) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    let text = value.get(field).and_then(Value::as_str);
    let text = text.unwrap_or_else(|| panic!("no {field} in {value}"));
    assert!(!text.trim().is_empty(), "blank {field} in {value}");
    text
}
