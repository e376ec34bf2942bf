//! Ending a command with all that it started.

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process_group};

use super::Running;
use super::output::Hear;

/// How long somebody has to put things in order.
const GRACE: Duration = Duration::from_millis(500);
/// How long those are waited for who cannot be asked: the system takes its time with some.
const LAST_WAIT: Duration = Duration::from_secs(5);
/// How long until those are looked for again who came to life in between.
const ROUND: Duration = Duration::from_millis(100);
/// How many ends are waited for at once; a file is open for each.
const MAX_AWAITED: usize = 256;

/// Asks all processes of a command to end, and ends those that do not.
pub(super) fn end(running: &mut Running, hear: &mut Hear<'_>) {
    let ends = send(running, Signal::TERM);
    wait(running, ends, Instant::now() + GRACE, hear);
    let until = Instant::now() + LAST_WAIT;
    while !is_over(running) && Instant::now() < until {
        let ends = send(running, Signal::KILL);
        wait(running, ends, until.min(Instant::now() + ROUND), hear);
    }
}

fn is_over(running: &mut Running) -> bool {
    match running.family.members() {
        Some(members) => members.is_empty(),
        None => {
            // Nobody sees who else is in the group. The leader's number is still its own, so this meets no others.
            let _ = kill_process_group(running.leader.pid(), Signal::KILL);
            running.leader.ended().is_some()
        }
    }
}

/// Sends a signal to everybody, and answers what stirs at their ends.
fn send(running: &mut Running, signal: Signal) -> Vec<OwnedFd> {
    let family = &mut running.family;
    let members = family.members().unwrap_or_default();
    // The whole group at once: nobody in it can start another process before its own turn.
    let _ = kill_process_group(running.leader.pid(), signal);
    let mut ends = Vec::new();
    for member in &members {
        let Some(hold) = family.hold(member) else {
            continue;
        };
        if !member.is_in_group {
            hold.signal(signal);
        }
        if ends.len() < MAX_AWAITED {
            ends.extend(hold.end());
        }
    }
    ends
}

/// Hears on until those have ended, or the time is over. Where their ends cannot be told, that of the leader counts.
pub(super) fn wait(
    running: &mut Running,
    mut ends: Vec<OwnedFd>,
    until: Instant,
    hear: &mut Hear<'_>,
) {
    while !ends.is_empty() && Instant::now() < until {
        let fds: Vec<_> = ends.iter().map(AsFd::as_fd).collect();
        let Ok(stirred) = running.output.hear_or(&fds, Some(until), hear) else {
            return;
        };
        for place in stirred.others.into_iter().rev() {
            ends.swap_remove(place);
        }
    }
    while running.leader.ended().is_none() && Instant::now() < until {
        let bell = [running.bell.fd()];
        let Ok(stirred) = running.output.hear_or(&bell, Some(until), hear) else {
            return;
        };
        if !stirred.others.is_empty() {
            running.bell.hush();
        }
    }
}
