//! The judge on trial: what it must notice, done to a place by hand. A judge that finds nothing proves nothing.

use std::fs;

use nix::errno::Errno;

use crate::fault::{Fault, HowLong, Time};
use crate::judge::{Stage, Story, stage};
use crate::place::{Place, Ran, Thing, Tree};
use crate::sound::JOURNAL;
use crate::tally::{Extent, Row, Tally};
use crate::writers::{WRITERS, Writer};

/// How these rows are called: they are no faults.
pub(crate) const FAULT: &str = "control";

pub(crate) fn rows() -> Vec<Row> {
    vec![
        Row {
            fault: FAULT,
            running: "the judge itself".to_owned(),
            means: "each planted loss is noticed",
            is_traced: false,
            attempt: Box::new(planted),
        },
        Row {
            fault: FAULT,
            running: "the tracer itself".to_owned(),
            means: "faults strike where they should",
            is_traced: true,
            attempt: Box::new(struck),
        },
    ]
}

const GLOBAL: &str = "home/.gemini/GEMINI.md";
const PROJECT: &str = "acme-shop/GEMINI.md";

/// A loss by its name, and how it is planted.
type Loss = (&'static str, fn(&Place));

/// What is done to a place after a command that changes several files.
const PLANTED: [Loss; 9] = [
    ("half a file", |place| {
        let text = place.read(GLOBAL).unwrap();
        place.write(GLOBAL, text.get(..text.len() / 2).unwrap());
    }),
    ("an empty file", |place| {
        place.write(GLOBAL, "");
    }),
    ("a file that is gone", |place| {
        fs::remove_file(place.path(PROJECT)).unwrap();
    }),
    ("one new file beside an old one", |place| {
        place.write(PROJECT, "- Start in `src/old.rs`\n- Use tabs\n");
    }),
    ("a byte that changed", |place| {
        let mut text = place.read(GLOBAL).unwrap();
        *text.last_mut().unwrap() = b'!';
        place.write(GLOBAL, text);
    }),
    ("rights that changed", |place| {
        place.mode(GLOBAL, 0o644);
    }),
    ("a journal that lost its last change", |place| {
        let journal = place.read(JOURNAL).unwrap();
        let n_lines = journal.split_inclusive(|byte| *byte == b'\n').count();
        let lines = journal.split_inclusive(|byte| *byte == b'\n');
        let kept: Vec<_> = lines.take(n_lines - 2).collect();
        place.write(JOURNAL, kept.concat());
    }),
    ("a journal with a torn line inside", |place| {
        let journal = place.read(JOURNAL).unwrap();
        let torn = [&b"{\"v\":2,\"id\n"[..], &journal].concat();
        place.write(JOURNAL, torn);
    }),
    ("a file nobody knows", |place| {
        place.write("home/.gemini/GEMINI.md.tmp", "left");
    }),
];

fn planted(tally: &mut Tally, _: Extent) {
    let writer = WRITERS.iter().find(|it| it.name == "memory tidy").unwrap();
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    for (name, plant) in PLANTED {
        let done = done(place, story, writer);
        plant(place);
        tally.count(noticed(story.judge(place, writer, &done)), || {
            name.to_owned()
        });
    }
    for (name, ran) in [
        ("a yes without a deed", ran(Some(0), "")),
        ("a panic", ran(Some(101), "thread 'main' panicked at x.rs")),
        (
            "a process that does not end",
            Ran {
                is_stuck: true,
                ..ran(None, "")
            },
        ),
    ] {
        place.restore(&story.before);
        tally.count(noticed(story.judge(place, writer, &ran)), || {
            name.to_owned()
        });
    }
    // What was done, said to be not done.
    done(place, story, writer);
    let denied = ran(Some(1), "hint: nothing has been changed");
    let judged = story.judge(place, writer, &denied);
    tally.count(noticed(judged), || "a no after the deed".to_owned());
    // And nothing is noticed where nothing is wrong.
    let done = done(place, story, writer);
    tally.count(story.judge(place, writer, &done), || "nothing".to_owned());
}

fn done(place: &Place, story: &Story, writer: &Writer) -> Ran {
    place.restore(&story.before);
    let done = writer.run(place);
    assert_eq!(done.code, Some(0), "{}", done.err);
    done
}

fn ran(code: Option<i32>, err: &str) -> Ran {
    Ran {
        code,
        out: String::new(),
        err: err.to_owned(),
        is_stuck: false,
    }
}

fn noticed<T>(judged: Result<T, String>) -> Result<(), String> {
    match judged {
        Ok(_) => Err("nobody noticed".to_owned()),
        Err(_) => Ok(()),
    }
}

fn struck(tally: &mut Tally, _: Extent) {
    let writer = WRITERS.iter().find(|it| it.name == "memory add").unwrap();
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    let trace = |fault, time| {
        place.restore(&story.before);
        place.trace(&writer.command(place), fault, time)
    };
    let clean = trace(Fault::None, Time::Real);
    let step = |name: &str| clean.steps.iter().position(|step| step.starts_with(name));
    let create = step("create home/.gemini/.analects-").unwrap();
    let write = step("write home/.gemini/.analects-").unwrap();
    let rename = step("rename to home/.gemini/GEMINI.md").unwrap();
    let length = |tree: &Tree| {
        let Thing::File(bytes) = &tree.get(GLOBAL).unwrap().thing else {
            panic!("memory is no file");
        };
        bytes.len()
    };
    let (old, whole) = (length(&story.before), length(story.after()));
    for (name, fault, wanted) in [
        ("before it is made", Fault::Kill { at: create }, None),
        ("once it is made", Fault::Tear { at: create }, Some(0)),
        ("before it is written", Fault::Kill { at: write }, Some(0)),
        ("half written", Fault::Tear { at: write }, Some(whole / 2)),
        (
            "before it is in place",
            Fault::Kill { at: rename },
            Some(whole),
        ),
        (
            "once it has changed places with the old one",
            Fault::Tear { at: rename },
            Some(old),
        ),
    ] {
        let traced = trace(fault, Time::Real);
        let staged = place
            .tree()
            .into_iter()
            .find_map(|(name, node)| match node.thing {
                Thing::File(bytes) if name.starts_with("home/.gemini/.analects-") => {
                    Some(bytes.len())
                }
                _ => None,
            });
        let is_dead = traced.ran.code.is_none();
        let judged = match (is_dead, staged == wanted) {
            (true, true) => Ok(()),
            _ => Err(format!("{staged:?} bytes, {:?}", traced.ran)),
        };
        tally.count(judged, || name.to_owned());
    }
    let fault = Fault::Refuse {
        at: 0,
        errno: Errno::ENOSPC,
        how_long: HowLong::Once,
    };
    let refused = trace(fault, Time::Real).ran;
    let judged = match refused.err.contains("no space left on device") {
        true => Ok(()),
        false => Err(format!("{refused:?}")),
    };
    tally.count(judged, || "refused".to_owned());
    // What is only read back once it is written may fail; the reads before that may not.
    let reads = clean.reads.iter().enumerate().rev();
    let mut unread = reads
        .filter(|(_, read)| *read == "read home/.gemini/GEMINI.md")
        .map(|(at, _)| {
            let errno = Errno::EIO;
            trace(Fault::Unreadable { at, errno }, Time::Real).ran
        });
    let is_told = |ran: &Ran| ran.code == Some(1) && ran.err.contains("input/output error");
    let judged = match unread.any(|ran| is_told(&ran)) {
        true => Ok(()),
        false => Err("it was read, and no failure was told".to_owned()),
    };
    tally.count(judged, || "unreadable".to_owned());
    trace(Fault::None, Time::Off(20 * 365 * 24 * 60 * 60));
    let log = place.run(&["memory", "log", "--json"]);
    let log: serde_json::Value = serde_json::from_str(&log.out).unwrap();
    let year = |at: &str| at.get(..4).and_then(|year| year.parse::<i16>().ok());
    let at = log
        .pointer("/changes/0/at")
        .and_then(|at| year(at.as_str()?));
    let now = jiff::Timestamp::now().to_string();
    let judged = match at.zip(year(&now)) {
        Some((at, now)) if (19..=20).contains(&(at - now)) => Ok(()),
        years => Err(format!("{years:?}")),
    };
    tally.count(judged, || "another year".to_owned());
}
