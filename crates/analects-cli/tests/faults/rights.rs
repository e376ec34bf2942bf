//! Rights that are lost: files and directories that nobody may read, write or enter any more.

use crate::judge::Story;
use crate::place::Place;
use crate::sound::{ended_well, next, worked};
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{WRITERS, Writer};

pub(crate) fn rows() -> Vec<Row> {
    let elsewhere = Row {
        fault: "rights lost",
        running: "inbox accept, then others".to_owned(),
        means: "what may not be removed is refused at once, and keeps nobody else from writing",
        is_traced: false,
        attempt: Box::new(|tally, _| tally.count(others_go_on(), || "the inbox".to_owned())),
    };
    let rows = WRITERS.iter().map(|writer| Row {
        fault: "rights lost",
        running: writer.name.to_owned(),
        means: "it says so or works, all old or all new; with the rights back, the next command works",
        is_traced: false,
        attempt: Box::new(|tally, extent| lost(writer, tally, extent)),
    });
    rows.chain([elsewhere]).collect()
}

/// How many losses each writer meets in an ordinary test.
const LOSSES: usize = 3;

fn lost(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let place = Place::of_nobody();
    let story = Story::learn(&place, writer);
    let names: Vec<_> = story.before.keys().filter(|name| *name != "home").collect();
    let modes = [0o000, 0o444, 0o555];
    let mut dice = Dice::new(extent.seed, writer.name);
    for loss in dice.some(names.len() * modes.len(), LOSSES * extent.rounds) {
        let (Some(name), Some(mode)) =
            (names.get(loss / modes.len()), modes.get(loss % modes.len()))
        else {
            continue;
        };
        let Some(node) = story.before.get(*name) else {
            continue;
        };
        place.restore(&story.before);
        // A link has no rights of its own, and who may not enter where it works does not even begin.
        if place.path(name).is_symlink() || *name == "repo" {
            continue;
        }
        place.mode(name, *mode);
        let ran = writer.run(&place);
        // What was removed or replaced meanwhile has rights of its own.
        let was_taken = !place.path(name).exists() || mode_of(&place, name) != *mode;
        if !was_taken {
            place.mode(name, node.mode);
        }
        let judged = story.judge_loosely(&place, &ran);
        tally.count(judged, || {
            format!("{name} with mode {mode:03o}, {}", ran.err.trim())
        });
    }
}

fn mode_of(place: &Place, name: &str) -> u32 {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(place.path(name)).map_or(0, |meta| meta.mode() & 0o7777)
}

/// A removal that the disk will refuse is refused before it is committed: else every writer would have to finish it first.
fn others_go_on() -> Result<(), String> {
    let place = Place::of_nobody();
    let writer = WRITERS.iter().find(|it| it.name == "memory inbox accept");
    let writer = writer.ok_or("nobody accepts anything")?;
    writer.furnish(&place);
    place.hand_over();
    let closed = "home/.gemini/tmp/repo/memory/skills/deploy";
    place.mode(closed, 0o555);
    let refused = writer.run(&place);
    ended_well(&refused)?;
    if refused.code != Some(1) || !refused.err.contains("nothing has been changed") {
        return Err(format!("{:?}: {}", refused.code, refused.err));
    }
    next(&place)?;
    place.mode(closed, 0o755);
    worked(&writer.run(&place))
}
