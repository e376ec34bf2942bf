//! Disks that refuse: full, broken, read-only or forbidden, once or for good; and files that cannot be read.

use nix::errno::Errno;

use crate::fault::{Fault, HowLong, Time};
use crate::judge::{Stage, stage};
use crate::tally::{Dice, Extent, Row, Tally};
use crate::writers::{Minds, WRITERS, Writer};

const MEANS: &str = "it says so, all old or all new, what it said holds, the next command works";

/// What disks answer, and for how long.
const ANSWERS: [(&str, Errno, HowLong); 7] = [
    ("ENOSPC", Errno::ENOSPC, HowLong::Once),
    ("ENOSPC", Errno::ENOSPC, HowLong::ForGood),
    ("EIO", Errno::EIO, HowLong::Once),
    ("EIO", Errno::EIO, HowLong::ForGood),
    ("EROFS", Errno::EROFS, HowLong::ForGood),
    ("EACCES", Errno::EACCES, HowLong::Once),
    ("EDQUOT", Errno::EDQUOT, HowLong::ForGood),
];

pub(crate) fn rows() -> Vec<Row> {
    let refusing = WRITERS.iter().map(|writer| Row {
        fault: "refused by the disk",
        running: writer.name.to_owned(),
        means: MEANS,
        is_traced: true,
        attempt: Box::new(|tally, extent| refused(writer, tally, extent)),
    });
    let unreadable = WRITERS.iter().map(|writer| Row {
        fault: "EIO when reading",
        running: writer.name.to_owned(),
        means: MEANS,
        is_traced: true,
        attempt: Box::new(|tally, extent| unreadable(writer, tally, extent)),
    });
    refusing.chain(unreadable).collect()
}

/// How many refusals, and how many failed reads, an ordinary test makes each writer hear.
const REFUSALS: usize = 6;
const READS: usize = 3;

fn refused(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    let mut faults = Vec::new();
    for (_, errno, how_long) in ANSWERS {
        // A fault that never comes counts the steps that it could come at.
        let at = usize::MAX;
        let never = Fault::Refuse {
            at,
            errno,
            how_long,
        };
        place.restore(&story.before);
        let clean = place.trace(&writer.command(place), never, Time::Real);
        assert_eq!(clean.ran.code, Some(0), "{}", clean.ran.err);
        let fault = |at| Fault::Refuse {
            at,
            errno,
            how_long,
        };
        faults.extend((0..clean.steps.len()).map(fault));
    }
    walk(writer, &stage, faults, REFUSALS, tally, extent);
}

fn unreadable(writer: &Writer, tally: &mut Tally, extent: Extent) {
    let stage = stage(writer);
    let Stage { place, story } = &*stage;
    place.restore(&story.before);
    let clean = place.trace(&writer.command(place), Fault::None, Time::Real);
    let errno = Errno::EIO;
    let faults = (0..clean.reads.len()).map(|at| Fault::Unreadable { at, errno });
    let faults = faults.collect();
    walk(writer, &stage, faults, READS, tally, extent);
}

/// Tries some of the faults, or all with enough rounds.
fn walk(
    writer: &Writer,
    Stage { place, story }: &Stage,
    faults: Vec<Fault>,
    share: usize,
    tally: &mut Tally,
    extent: Extent,
) {
    assert!(faults.len() > share, "{}: hardly a step", writer.name);
    let mut dice = Dice::new(extent.seed, writer.name);
    for fault in dice.some(faults.len(), share * extent.rounds) {
        let Some(fault) = faults.get(fault).copied() else {
            continue;
        };
        place.restore(&story.before);
        let traced = place.trace(&writer.command(place), fault, Time::Real);
        let judged = story.judge(place, writer, &traced.ran).map(drop);
        let is_unread = matches!(fault, Fault::Unreadable { .. });
        let judged =
            judged.or_else(
                |why| match is_unread && writer.minds.contains(&Minds::Unreadable) {
                    true => story.judge_loosely(place, &traced.ran),
                    false => Err(why),
                },
            );
        tally.count(judged, || {
            let at = match fault {
                Fault::Refuse { at, .. } => traced.steps.get(at).cloned(),
                _ => traced.reads.last().cloned(),
            };
            format!("{fault:?}, {}", at.unwrap_or_default())
        });
    }
}
