//! Clocks that jump: years forward, years back, before the beginning, and in the middle of a command.

use crate::fault::{Fault, Time};
use crate::judge::{Stage, Told, stage};
use crate::place::Ran;
use crate::sound::worked;
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{Minds, WRITERS, Writer};

pub(crate) fn rows() -> Vec<Row> {
    let rows = WRITERS.iter().map(|writer| Row {
        fault: "clock jumps",
        running: writer.name.to_owned(),
        means: "all is done as ever; what comes after it in another year finds it, and undo goes by order",
        is_traced: true,
        attempt: Box::new(|tally, extent| jumping(writer, tally, extent)),
    });
    rows.collect()
}

const YEAR: i64 = 365 * 24 * 60 * 60;

fn jumping(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    place.restore(&story.before);
    let clean = place.trace(&writer.command(place), Fault::None, Time::Off(0));
    assert!(clean.n_asked > 0, "{} never asks for the time", writer.name);
    let mut times = vec![
        Time::Off(20 * YEAR),
        Time::Off(-20 * YEAR),
        // Before 1970 there is nothing; a clock that was never set shows its first day.
        Time::Off(-100 * YEAR),
    ];
    for asked in 1..clean.n_asked {
        for years in [-30, 30] {
            let to = years * YEAR;
            times.push(Time::Jump { asked, from: 0, to });
            times.push(Time::Jump {
                asked,
                from: to,
                to: 0,
            });
        }
    }
    let mut dice = Dice::new(extent.seed, writer.name);
    for at in dice.some(times.len(), 2 * extent.rounds) {
        let Some(time) = times.get(at).copied() else {
            continue;
        };
        place.restore(&story.before);
        let traced = place.trace(&writer.command(place), Fault::None, time);
        let judged = story.judge(place, writer, &traced.ran);
        let minds = writer.minds.contains(&Minds::Clock);
        let judged = judged.and_then(|told| match (told, traced.ran.code) {
            (Told::End, Some(0)) => Ok(()),
            // It said no, and did it when the clock was right again.
            (Told::Beginning, Some(1)) if minds => Ok(()),
            (told, code) => Err(format!("{told:?}, {code:?}: {}", traced.ran.err)),
        });
        let judged = judged.or_else(|why| match minds {
            true => waited(writer, &stage, &traced.ran),
            false => Err(why),
        });
        tally.count(judged, || format!("{time:?}"));
    }
}

/// It had nothing to do, and has when the clock is right again.
fn waited(writer: &Writer, Stage { place, story }: &Stage, ran: &Ran) -> Result<(), String> {
    story.judge_loosely(place, ran)?;
    worked(&writer.run(place))?;
    match story.is_begun(place) {
        true => Ok(()),
        false => Err("nothing is done any more".to_owned()),
    }
}
