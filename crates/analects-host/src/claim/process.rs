//! Identifies processes on this machine, so that a reused pid is not mistaken for its predecessor.

use std::fs;
use std::path::Path;

use analects_world::claim::Pulse;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use rustix::system::uname;

use crate::process_table::stat;

/// Whether there is a process of this number. One of somebody else's is alive too.
pub(super) fn pulse(pid: u32) -> Pulse {
    let known = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let is_gone = known.is_none_or(|known| test_kill_process(known) == Err(Errno::SRCH));
    match is_gone {
        true => Pulse::Gone,
        false => Pulse::Beating { born: born(pid) },
    }
}

/// When a process began, in ticks since the machine did, where the system tells.
pub(super) fn born(pid: u32) -> Option<u64> {
    stat(Path::new("/proc"), pid).map(|stat| stat.started)
}

/// Where numbers of processes mean the same: this machine since it was started, and the part of it that we see.
pub(super) fn machine() -> String {
    let name = uname().nodename().to_string_lossy().into_owned();
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let view = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let parts = [name.as_str(), boot.trim(), &view.to_string_lossy()].map(str::to_owned);
    parts.join("/")
}
