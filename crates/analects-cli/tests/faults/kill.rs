//! Processes that die: before a step, in the middle of it, or at any moment.

use std::thread;
use std::time::{Duration, Instant};

use crate::judge::{Story, Told};
use crate::place::{Place, Said, wait};
use crate::tally::{Dice, Extent, Row, Tally};
use crate::tracer::{Fault, Time};
use crate::writers::{WRITERS, Writer};

const MEANS: &str = "all old or all new, the log true, undo exact, the next command works, no litter";

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for writer in &WRITERS {
        rows.push(Row {
            fault: "killed before a step",
            running: writer.name.to_owned(),
            means: MEANS,
            attempt: Box::new(|tally, extent| {
                at_steps(writer, tally, extent, |at| Fault::Kill { at });
            }),
        });
        rows.push(Row {
            fault: "killed inside a step",
            running: writer.name.to_owned(),
            means: MEANS,
            attempt: Box::new(|tally, extent| {
                at_steps(writer, tally, extent, |at| Fault::Tear { at });
            }),
        });
    }
    for writer in WRITERS.iter().take(3) {
        rows.push(Row {
            fault: "killed at any moment",
            running: writer.name.to_owned(),
            means: MEANS,
            attempt: Box::new(|tally, extent| at_any_moment(writer, tally, extent)),
        });
    }
    rows
}

/// How many steps of each writer an ordinary test tries.
const STEPS: usize = 9;

fn at_steps(writer: &Writer, tally: &mut Tally, extent: Extent, fault: fn(usize) -> Fault) {
    let place = Place::new();
    let story = Story::learn(&place, writer);
    let clean = place.trace(&writer.command(&place), Fault::None, Time::Real);
    assert_eq!(clean.ran.code, Some(0), "{}", clean.ran.err);
    let n_steps = clean.steps.len();
    assert!(n_steps > 5, "{}: only {n_steps} steps", writer.name);
    let mut dice = Dice::new(extent.seed, writer.name);
    let mut told = Vec::new();
    let all = dice.some(n_steps, STEPS * extent.rounds);
    let is_all = all.len() == n_steps;
    for at in all {
        place.restore(&story.before);
        let traced = place.trace(&writer.command(&place), fault(at), Time::Real);
        let judged = story.judge(&place, writer, &traced.ran);
        told.extend(judged.clone());
        tally.count(judged, || {
            let step = traced.steps.last().map_or("", |step| step.as_str());
            format!("step {at} of {n_steps}, {step}")
        });
    }
    if is_all && tally.lost.is_empty() {
        // A walk over all steps meets both ends, or it did not walk.
        assert!(told.contains(&Told::Beginning), "{}: {told:?}", writer.name);
        assert!(told.contains(&Told::End), "{}: {told:?}", writer.name);
    }
}

fn at_any_moment(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let place = Place::new();
    let story = Story::learn(&place, writer);
    let since = Instant::now();
    assert_eq!(writer.run(&place).code, Some(0));
    let whole = since.elapsed();
    let mut dice = Dice::new(extent.seed, writer.name);
    for _ in 0..4 * extent.rounds {
        place.restore(&story.before);
        let mut command = writer.command(&place);
        let said = Said::of(&mut command);
        let mut child = command.spawn().unwrap();
        let share = u32::try_from(dice.below(1000)).unwrap();
        let moment = whole * share / 1000;
        pause(moment);
        let _ = child.kill();
        let (status, is_stuck) = wait(child);
        let ran = said.ran(status, is_stuck);
        tally.count(story.judge(&place, writer, &ran), || format!("after {moment:?}"));
    }
}

/// What is tested is a death at this moment, so the clock is what is waited for.
fn pause(moment: Duration) {
    thread::sleep(moment);
}
