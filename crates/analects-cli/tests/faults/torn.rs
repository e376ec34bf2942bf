//! Records that are torn: cut at any byte, with holes, with the zeros that a power cut leaves.

use serde_json::Value;

use crate::place::Place;
use crate::sound::worked;
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{RECORD, SESSION, record, sessions};

pub(crate) fn rows() -> Vec<Row> {
    let row = |fault, running: &str, attempt: fn(&mut Tally, Extent)| Row {
        fault,
        running: running.to_owned(),
        means: "all whole lines are shown, no byte is changed, what is appended begins a line of its own",
        is_traced: false,
        attempt: Box::new(attempt),
    };
    vec![
        row("torn session line", "a cut in the last two", cut),
        row("torn session line", "zeros at the end", zeros),
        row("torn session line", "garbage between", garbage),
    ]
}

const TURNS: usize = 6;

fn cut(tally: &mut Tally, extent: Extent) {
    let whole = record(TURNS).into_bytes();
    let ends: Vec<_> = (0..whole.len())
        .filter(|at| whole.get(*at) == Some(&b'\n'))
        .collect();
    let from = ends.get(ends.len() - 3).unwrap() + 1;
    let mut dice = Dice::new(extent.seed, "cut");
    let place = Place::new();
    for at in dice.some(whole.len() - from, 20 * extent.rounds) {
        let torn = whole.get(..from + at).unwrap();
        tally.count(goes_on(&place, torn), || format!("cut at {}", from + at));
    }
}

fn zeros(tally: &mut Tally, extent: Extent) {
    let whole = record(TURNS).into_bytes();
    let mut dice = Dice::new(extent.seed, "zeros");
    let place = Place::new();
    for _ in 0..6 * extent.rounds {
        // What was not on the disk yet is zero: from anywhere to the end.
        let mut torn = whole.clone();
        let from = whole.len() - dice.below(900);
        torn.truncate(from);
        torn.resize(from + 1 + dice.below(5000), 0);
        tally.count(goes_on(&place, &torn), || format!("zeros from {from}"));
    }
}

fn garbage(tally: &mut Tally, extent: Extent) {
    let mut dice = Dice::new(extent.seed, "garbage");
    let place = Place::new();
    let pieces: [&[u8]; 6] = [
        b"\0\0\0\0\0\0",
        b"{\"id\":\"half",
        b"\xff\xfe\xfd not text",
        b"[]",
        b"}{\n}{",
        b"{\"$set\":{\"messages\":",
    ];
    for n in 0..6 * extent.rounds {
        let whole = record(TURNS);
        let mut lines: Vec<_> = whole.split_inclusive('\n').map(str::as_bytes).collect();
        let piece = [pieces[n % pieces.len()], b"\n"].concat();
        // The head of a record stays: without it nobody knows what it is.
        let at = 1 + dice.below(lines.len() - 1);
        lines.insert(at, &piece);
        let torn = lines.concat();
        tally.count(goes_on(&place, &torn), || {
            format!("{} before line {at}", String::from_utf8_lossy(&piece))
        });
    }
}

/// A record that is torn is listed, shown as far as it goes, appended to, and shown again.
fn goes_on(place: &Place, torn: &[u8]) -> Result<(), String> {
    sessions(place);
    place
        .write(RECORD, torn)
        .mode(RECORD, 0o600)
        .age(RECORD, 3600);
    let whole = texts(torn);
    let listed = place.run(&["session", "list", "--json"]);
    worked(&listed)?;
    if !listed.out.contains(SESSION) {
        return Err("it is not listed".to_owned());
    }
    shows_all(place, &whole)?;
    let summed = place.run(&["session", "summarize"]);
    worked(&summed)?;
    let now = place.read(RECORD).unwrap_or_default();
    let Some(rest) = now.strip_prefix(torn) else {
        return Err("bytes that were there have changed".to_owned());
    };
    let rest = match torn.ends_with(b"\n") {
        true => rest,
        false => rest.strip_prefix(b"\n").unwrap_or_default(),
    };
    let mut lines = rest
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    let Some(last) = lines.next_back() else {
        return Err(format!("nothing was appended: {}", summed.out));
    };
    if serde_json::from_slice::<Value>(last).is_err()
        || lines.any(|line| serde_json::from_slice::<Value>(line).is_err())
    {
        return Err("what was appended is no line of its own".to_owned());
    }
    shows_all(place, &whole)
}

fn shows_all(place: &Place, texts: &[String]) -> Result<(), String> {
    let shown = place.run(&["session", "show", SESSION]);
    worked(&shown)?;
    match texts.iter().find(|text| !shown.out.contains(text.as_str())) {
        Some(text) => Err(format!("{text:?} is not shown")),
        None => Ok(()),
    }
}

/// What the whole lines of a record say.
fn texts(record: &[u8]) -> Vec<String> {
    let lines = record.split(|byte| *byte == b'\n');
    let read = |line| serde_json::from_slice::<Value>(line).ok();
    let text = |line: Value| match line.get("content")? {
        Value::String(text) => text.get(..30).map(str::to_owned),
        content => content.pointer("/0/text")?.as_str().map(str::to_owned),
    };
    lines.filter_map(read).filter_map(text).collect()
}
