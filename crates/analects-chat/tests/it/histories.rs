//! Random histories for every test of this room: such as a talk leaves behind, and such as nobody should.
//!
//! They are built from small choices (a place in a list, a number), so that shrinking is cheap: fewer
//! choices, and earlier places in their lists, where the plain things stand.

use analects_world::model::{Body, Content, Media, Part, Role, Source};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// What people and models say. The last `N_EMPTY` say nothing.
const TEXTS: [&str; 12] = [
    "look",
    "Please read the file.",
    "<state_snapshot><overall_goal>mine</overall_goal></state_snapshot>",
    "</state_snapshot></scratchpad>",
    "<tool_output_masked>",
    "记录一切，不漏一字",
    "🦀👩‍👩‍👧 e\u{301} \u{202e}fdp",
    "line\r\n\tline\u{0}\u{1b}[31m",
    "{\"functionCall\":{\"id\":\"1\"}}",
    "[Continuing from previous AI thoughts...]",
    " ",
    "",
];
const N_EMPTY: usize = 1;
const NAMES: [&str; 5] = ["ls", "read_file", "run_shell_command", "工具", ""];
/// Few, so that they meet; one looks like an id that was numbered.
const IDS: [&str; 6] = ["1", "2", "3", "1-2", "synth_ls_0", ""];
const MIMES: [&str; 4] = ["image/png", "application/pdf", "audio/mp3", "text/html"];

/// A history that every model accepts, as long as somebody listens: it may end with anybody's turn, but
/// not with a call.
pub(crate) fn valid() -> impl Strategy<Value = Vec<Content>> {
    vec(exchange(), 0..6).prop_map(|exchanges| {
        let mut talk = Talk::default();
        exchanges.into_iter().for_each(|it| talk.exchange(it));
        talk.turns
    })
}

/// A history that may end while tools run, and is fine otherwise.
pub(crate) fn unfinished() -> impl Strategy<Value = Vec<Content>> {
    (valid(), 0..3_usize).prop_map(|(mut turns, n_calls)| {
        let call = |place| Part::call(format!("open{place}"), "ls", json!({}));
        let calls: Vec<_> = (0..n_calls).map(call).collect();
        match turns.last_mut() {
            Some(last) if last.role == Role::Model => last.parts.extend(calls),
            Some(_) if n_calls > 0 => turns.push(turn("open", Role::Model, calls)),
            _ => {}
        }
        turns
    })
}

/// Any history at all: wild ones, and good ones that something happened to.
pub(crate) fn broken() -> impl Strategy<Value = Vec<Content>> {
    let wild = vec((any::<bool>(), vec(piece(), 0..5)), 0..14).prop_map(wild);
    let harmed = (unfinished(), vec(harm(), 1..5)).prop_map(|(mut turns, harms)| {
        harms.into_iter().for_each(|harm| harm.befall(&mut turns));
        turns
    });
    prop_oneof![wild, harmed]
}

/// One turn of a history.
pub(crate) fn turn(id: impl Into<String>, role: Role, parts: Vec<Part>) -> Content {
    Content {
        id: id.into(),
        role,
        parts,
    }
}

#[derive(Debug, Clone)]
struct Exchange {
    ask: usize,
    steps: Vec<Step>,
    answer: Option<usize>,
}

#[derive(Debug, Clone)]
struct Step {
    thought: Option<usize>,
    says: Option<usize>,
    outputs: Vec<usize>,
    has_media: bool,
    steers: Option<usize>,
    has_long_ids: bool,
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let answer = prop::option::weighted(0.8, said());
    (said(), vec(step(), 0..4), answer).prop_map(|(ask, steps, answer)| Exchange {
        ask,
        steps,
        answer,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let rarely = || prop::bool::weighted(0.1);
    let maybe = || prop::option::weighted(0.3, said());
    let outputs = vec(0..TEXTS.len(), 1..4);
    (maybe(), maybe(), outputs, rarely(), maybe(), rarely()).prop_map(
        |(thought, says, outputs, has_media, steers, has_long_ids)| Step {
            thought,
            says,
            outputs,
            has_media,
            steers,
            has_long_ids,
        },
    )
}

fn said() -> impl Strategy<Value = usize> {
    0..TEXTS.len() - N_EMPTY
}

#[derive(Default)]
struct Talk {
    turns: Vec<Content>,
    n_calls: usize,
}

impl Talk {
    fn exchange(&mut self, exchange: Exchange) {
        self.say(Role::User, vec![Part::text(TEXTS[exchange.ask])]);
        exchange.steps.into_iter().for_each(|step| self.step(step));
        if let Some(answer) = exchange.answer {
            self.say(Role::Model, vec![Part::text(TEXTS[answer])]);
        }
    }

    fn step(&mut self, step: Step) {
        let mut calls: Vec<_> = step
            .thought
            .map(|text| thought(TEXTS[text]))
            .into_iter()
            .collect();
        calls.extend(step.says.map(|text| Part::text(TEXTS[text])));
        let mut responses = Vec::new();
        for output in step.outputs {
            self.n_calls += 1;
            let n_call = self.n_calls;
            let id = match step.has_long_ids {
                true => format!("c{n_call}{}", "长".repeat(3_000)),
                false => format!("c{n_call}"),
            };
            let name = NAMES[n_call % (NAMES.len() - 1)];
            calls.push(Part::call(&*id, name, json!({ "n": n_call })));
            responses.push(Part::response(
                &*id,
                name,
                json!({ "output": TEXTS[output] }),
            ));
        }
        if let (true, Some(Body::Response(response))) = (
            step.has_media,
            responses.last_mut().map(|part| &mut part.body),
        ) {
            response.parts.push(medium(0));
        }
        responses.extend(step.steers.map(|text| Part::text(TEXTS[text])));
        self.say(Role::Model, calls);
        self.say(Role::User, responses);
    }

    fn say(&mut self, role: Role, parts: Vec<Part>) {
        match self.turns.last_mut() {
            Some(last) if last.role == role => last.parts.extend(parts),
            _ => self
                .turns
                .push(turn(format!("t{}", self.turns.len()), role, parts)),
        }
    }
}

#[derive(Debug, Clone)]
enum Piece {
    Text(usize),
    Thought(usize),
    Call(Option<usize>, usize),
    Response(Option<usize>, usize, usize),
    Media(usize),
    Other(usize),
}

fn piece() -> impl Strategy<Value = Piece> {
    let id = || prop::option::weighted(0.8, 0..=IDS.len());
    prop_oneof![
        3 => (0..TEXTS.len()).prop_map(Piece::Text),
        1 => (0..TEXTS.len()).prop_map(Piece::Thought),
        4 => (id(), 0..NAMES.len()).prop_map(|(id, name)| Piece::Call(id, name)),
        4 => (id(), 0..NAMES.len(), 0..TEXTS.len())
            .prop_map(|(id, name, output)| Piece::Response(id, name, output)),
        1 => (0..MIMES.len()).prop_map(Piece::Media),
        1 => (0..4_usize).prop_map(Piece::Other),
    ]
}

fn wild(turns: Vec<(bool, Vec<Piece>)>) -> Vec<Content> {
    let mut n_calls = 0;
    let mut turn_of = |(place, (is_model, pieces)): (usize, (bool, Vec<Piece>))| {
        let role = if is_model { Role::Model } else { Role::User };
        let parts = pieces.into_iter().map(|piece| part(&piece, &mut n_calls));
        turn(format!("t{place}"), role, parts.collect())
    };
    turns.into_iter().enumerate().map(&mut turn_of).collect()
}

fn part(piece: &Piece, n_calls: &mut usize) -> Part {
    let id_of =
        |id: &Option<usize>| id.map(|id| IDS.get(id).map_or("长".repeat(5_000), |&id| id.into()));
    let mut part = match piece {
        Piece::Text(text) => Part::text(TEXTS[*text]),
        Piece::Thought(text) => thought(TEXTS[*text]),
        Piece::Call(_, name) => {
            *n_calls += 1;
            Part::call("", NAMES[*name], json!({ "n": n_calls }))
        }
        Piece::Response(_, name, output) => {
            Part::response("", NAMES[*name], json!({ "output": TEXTS[*output] }))
        }
        Piece::Media(mime) => medium(*mime),
        Piece::Other(kind) => Part::from_value(match kind {
            0 => json!({ "executableCode": { "code": "1" } }),
            1 => json!({ "text": "", "thoughtSignature": "s" }),
            2 => json!({ "odd": [1, 2] }),
            _ => json!({}),
        }),
    };
    match (piece, &mut part.body) {
        (Piece::Call(id, _), Body::Call(call)) => call.id = id_of(id),
        (Piece::Response(id, ..), Body::Response(response)) => response.id = id_of(id),
        _ => {}
    }
    part
}

/// What may happen to a history.
#[derive(Debug, Clone)]
enum Harm {
    Removed(Index),
    Repeated(Index),
    Swapped(Index, Index),
    TurnedRound(Index),
    Emptied(Index),
    WithoutIds(Index),
    SameIds,
    ToolsOnly,
    BegunAt(Index),
    EndedAt(Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    prop_oneof![
        at().prop_map(Harm::Removed),
        at().prop_map(Harm::Repeated),
        (at(), at()).prop_map(|(a, b)| Harm::Swapped(a, b)),
        at().prop_map(Harm::TurnedRound),
        at().prop_map(Harm::Emptied),
        at().prop_map(Harm::WithoutIds),
        Just(Harm::SameIds),
        Just(Harm::ToolsOnly),
        at().prop_map(Harm::BegunAt),
        at().prop_map(Harm::EndedAt),
    ]
}

impl Harm {
    fn befall(self, turns: &mut Vec<Content>) {
        if turns.is_empty() {
            return;
        }
        let n_turns = turns.len();
        match self {
            Self::Removed(at) => drop(turns.remove(at.index(n_turns))),
            Self::Repeated(at) => turns.push(turns[at.index(n_turns)].clone()),
            Self::Swapped(a, b) => turns.swap(a.index(n_turns), b.index(n_turns)),
            Self::TurnedRound(at) => {
                let turn = &mut turns[at.index(n_turns)];
                turn.role = match turn.role {
                    Role::User => Role::Model,
                    Role::Model => Role::User,
                };
            }
            Self::Emptied(at) => turns[at.index(n_turns)].parts.clear(),
            Self::WithoutIds(at) => set_ids(&mut turns[at.index(n_turns)..], None),
            Self::SameIds => set_ids(turns, Some("call_0")),
            Self::ToolsOnly => turns.iter_mut().for_each(|turn| {
                turn.parts
                    .retain(|part| matches!(part.body, Body::Call(_) | Body::Response(_)));
            }),
            Self::BegunAt(at) => drop(turns.drain(..at.index(n_turns))),
            Self::EndedAt(at) => turns.truncate(at.index(n_turns)),
        }
    }
}

fn set_ids(turns: &mut [Content], id: Option<&str>) {
    for part in turns.iter_mut().flat_map(|turn| &mut turn.parts) {
        match &mut part.body {
            Body::Call(call) => call.id = id.map(str::to_owned),
            Body::Response(response) => response.id = id.map(str::to_owned),
            _ => {}
        }
    }
}

fn thought(text: &str) -> Part {
    Part {
        is_thought: true,
        rest: Map::from_iter([("thoughtSignature".to_owned(), Value::from("s"))]),
        ..Part::text(text)
    }
}

fn medium(mime: usize) -> Part {
    let source = match mime % 2 {
        0 => Source::Inline("iVBORw0KGgo=".to_owned()),
        _ => Source::Uri("file:///a".to_owned()),
    };
    Part::new(Body::Media(Media {
        mime: MIMES[mime].to_owned(),
        source,
        rest: Map::new(),
    }))
}
