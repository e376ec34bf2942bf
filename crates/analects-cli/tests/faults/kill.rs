//! Processes that die: before a step, in the middle of it, or at any moment.

use std::thread;
use std::time::Instant;

use crate::fault::{Fault, Time};
use crate::judge::{Stage, Told, stage};
use crate::place::{Said, wait};
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{WRITERS, Writer};

const MEANS: &str = "all old or all new, log true, undo exact, the next command works, no litter";

pub(crate) fn rows() -> Vec<Row> {
    let at_steps = WRITERS.iter().map(|writer| Row {
        fault: "killed at a step",
        running: writer.name.to_owned(),
        means: MEANS,
        is_traced: true,
        attempt: Box::new(|tally, extent| at_steps(writer, tally, extent)),
    });
    let at_moments = WRITERS.iter().take(3).map(|writer| Row {
        fault: "killed at a moment",
        running: writer.name.to_owned(),
        means: MEANS,
        is_traced: false,
        attempt: Box::new(|tally, extent| at_any_moment(writer, tally, extent)),
    });
    at_steps.chain(at_moments).collect()
}

/// How many deaths of each writer an ordinary test sees; all of them with enough rounds.
const DEATHS: usize = 6;

fn at_steps(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    place.restore(&story.before);
    let clean = place.trace(&writer.command(place), Fault::None, Time::Real);
    assert_eq!(clean.ran.code, Some(0), "{}", clean.ran.err);
    let n_steps = clean.steps.len();
    assert!(n_steps > 5, "{}: only {n_steps} steps", writer.name);
    let mut dice = Dice::new(extent.seed, writer.name);
    let deaths = dice.some(2 * n_steps, DEATHS * extent.rounds);
    let is_all = deaths.len() == 2 * n_steps;
    let mut told = Vec::new();
    for death in deaths {
        let at = death / 2;
        let fault = match death % 2 {
            0 => Fault::Kill { at },
            _ => Fault::Tear { at },
        };
        place.restore(&story.before);
        let traced = place.trace(&writer.command(place), fault, Time::Real);
        let judged = story.judge(place, writer, &traced.ran);
        told.extend(judged.clone());
        tally.count(judged, || {
            let step = traced.steps.last().map_or("", |step| step.as_str());
            format!("{fault:?} of {n_steps}, {step}")
        });
    }
    if is_all && tally.lost.is_empty() {
        // A walk over all steps meets both ends, or it did not walk.
        assert!(told.contains(&Told::Beginning), "{}: {told:?}", writer.name);
        assert!(told.contains(&Told::End), "{}: {told:?}", writer.name);
    }
}

fn at_any_moment(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    place.restore(&story.before);
    let since = Instant::now();
    assert_eq!(writer.run(place).code, Some(0));
    let whole = since.elapsed();
    let mut dice = Dice::new(extent.seed, writer.name);
    for _ in 0..4 * extent.rounds {
        place.restore(&story.before);
        let mut command = writer.command(place);
        let said = Said::of(&mut command);
        let mut child = command.spawn().unwrap();
        let moment = whole * u32::try_from(dice.below(1000)).unwrap() / 1000;
        // A death at this moment is what is tried, so the clock is what is waited for.
        thread::sleep(moment);
        let _ = child.kill();
        let (status, is_stuck) = wait(child);
        let ran = said.ran(status, is_stuck);
        let judged = story.judge(place, writer, &ran);
        tally.count(judged, || format!("after {moment:?}"));
    }
}
