//! Rights that are lost: files and directories that nobody may read, write or enter any more.

use crate::judge::Story;
use crate::place::Place;
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{WRITERS, Writer};

pub(crate) fn rows() -> Vec<Row> {
    let rows = WRITERS.iter().map(|writer| Row {
        fault: "rights lost",
        running: writer.name.to_owned(),
        means: "it says so or works, all old or all new; with the rights back, the next command works",
        attempt: Box::new(|tally, extent| lost(writer, tally, extent)),
    });
    rows.collect()
}

/// How many losses each writer meets in an ordinary test.
const LOSSES: usize = 4;

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
        if place.path(name).is_symlink() {
            continue;
        }
        place.restore(&story.before);
        place.mode(name, *mode);
        let ran = writer.run(&place);
        // What was removed or replaced meanwhile has rights of its own.
        let was_taken = !place.path(name).exists() || mode_of(&place, name) != *mode;
        if !was_taken {
            place.mode(name, node.mode);
        }
        let judged = story.judge(&place, writer, &ran);
        tally.count(judged, || {
            format!("{name} with mode {mode:03o}, {}", ran.err.trim())
        });
    }
}

fn mode_of(place: &Place, name: &str) -> u32 {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(place.path(name)).map_or(0, |meta| meta.mode() & 0o7777)
}
