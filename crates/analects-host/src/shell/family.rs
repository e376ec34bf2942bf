//! All processes that a command started, wherever they went.
//!
//! They are found in `/proc`: by the group and the session of the command, by their parents, and by a variable in
//! their environment that only they have. Whoever was found once is known from then on. Who left the session, lost
//! its parent and threw its environment away before anybody looked is not found; neither is anybody where there is no
//! `/proc`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use memchr::memmem;
use rustix::process::{Pid, Signal, kill_process};

use crate::process_table::{Stat, stat};

/// The variable.
pub(super) const MARK: &str = "ANALECTS_COMMAND";

/// No environment is longer.
const MAX_ENVIRON_BYTES: u64 = 8 * 1024 * 1024;
/// A command within a command within a command: the marks of the outer ones stay.
const MAX_OUTER_BYTES: usize = 1024;
/// How often relatives of relatives are looked for.
const MAX_GENERATIONS: usize = 32;

/// What the variable says.
pub(super) struct Mark {
    outer: String,
    own: String,
}

impl Mark {
    /// A mark that nobody else has.
    pub(super) fn new(vars: &BTreeMap<String, String>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let outer = vars
            .get(MARK)
            .filter(|outer| outer.len() <= MAX_OUTER_BYTES);
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = since.map_or(0, |since| since.as_nanos());
        let (id, n) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self {
            outer: outer.cloned().unwrap_or_default(),
            own: format!(".{id}-{nanos}-{n}."),
        }
    }

    pub(super) fn value(&self) -> String {
        format!("{}{}", self.outer, self.own)
    }
}

/// The processes of a command.
pub(super) struct Family {
    leader: Pid,
    mark: Mark,
    proc: PathBuf,
    /// Who was found before, and when they began.
    seen: BTreeMap<u32, u64>,
}

/// A process of a command that has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    /// Its number.
    pub(super) pid: u32,
    /// Whether it is still in the group of the command.
    pub(super) is_in_group: bool,
    /// When it began, in ticks: numbers are given out again.
    started: u64,
}

/// A process that is held on to: where the system has handles, no other can be taken for it.
pub(super) struct Hold {
    pid: Pid,
    handle: Option<OwnedFd>,
}

impl Family {
    pub(super) fn new(leader: Pid, mark: Mark, proc: &Path) -> Self {
        Self {
            leader,
            mark,
            proc: proc.to_owned(),
            seen: BTreeMap::new(),
        }
    }

    /// All that run now, by number; `None` if that cannot be found out.
    pub(super) fn members(&mut self) -> Option<Vec<Member>> {
        let leader = u32::try_from(self.leader.as_raw_nonzero().get()).ok()?;
        // Whoever began before the command is none of its processes, and not looked into.
        let since = stat(&self.proc, leader)?.started;
        let mut others = self.running()?;
        others.retain(|&pid, stat| stat.started >= since && pid != std::process::id());
        let own = others.iter().filter(|&(&pid, stat)| {
            self.seen.get(&pid) == Some(&stat.started) || self.is_marked(pid)
        });
        let mut known: BTreeSet<u32> = own.map(|(&pid, _)| pid).chain([leader]).collect();
        for _ in 0..MAX_GENERATIONS {
            let related = others.iter().filter(|(pid, stat)| {
                let relatives = [stat.parent, stat.session, stat.group];
                !known.contains(pid) && relatives.iter().any(|pid| known.contains(pid))
            });
            let related: Vec<_> = related.map(|(&pid, _)| pid).collect();
            if related.is_empty() {
                break;
            }
            known.extend(related);
        }
        others.retain(|pid, _| known.contains(pid));
        // Their parents may be gone the next time, and with them all that leads to them.
        let found = others.iter().map(|(&pid, stat)| (pid, stat.started));
        self.seen = found.collect();
        let members = others.into_iter().map(|(pid, stat)| Member {
            pid,
            is_in_group: stat.group == leader,
            started: stat.started,
        });
        Some(members.collect())
    }

    /// Holds on to a process that was found; `None` if it has ended since.
    pub(super) fn hold(&self, member: &Member) -> Option<Hold> {
        let pid = Pid::from_raw(i32::try_from(member.pid).ok()?)?;
        let handle = handle::open(pid);
        // Looked at again with the handle open: the number cannot become another's from here on.
        let stat = stat(&self.proc, member.pid)?;
        let is_same = stat.started == member.started && !stat.has_ended;
        is_same.then_some(Hold { pid, handle })
    }

    /// Everybody on this machine.
    fn running(&self) -> Option<BTreeMap<u32, Stat>> {
        let entries = fs::read_dir(&self.proc).ok()?.flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let stats = pids.filter_map(|pid| Some((pid, stat(&self.proc, pid)?)));
        Some(stats.filter(|(_, stat)| !stat.has_ended).collect())
    }

    fn is_marked(&self, pid: u32) -> bool {
        let mut environ = Vec::new();
        let file = File::open(self.proc.join(pid.to_string()).join("environ"));
        let read = file.and_then(|file| file.take(MAX_ENVIRON_BYTES).read_to_end(&mut environ));
        read.is_ok() && memmem::find(&environ, self.mark.own.as_bytes()).is_some()
    }
}

impl Hold {
    /// Sends it a signal. Whoever may not is not told: the process will be found again.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = match &self.handle {
            Some(handle) => handle::signal(handle, signal),
            None => kill_process(self.pid, signal),
        };
    }

    /// What stirs when it ends, where there is such a thing.
    pub(super) fn end(self) -> Option<OwnedFd> {
        self.handle
    }
}

#[cfg(target_os = "linux")]
mod handle {
    use std::os::fd::OwnedFd;

    use rustix::io;
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    pub(super) fn open(pid: Pid) -> Option<OwnedFd> {
        pidfd_open(pid, PidfdFlags::empty()).ok()
    }

    pub(super) fn signal(handle: &OwnedFd, signal: Signal) -> io::Result<()> {
        pidfd_send_signal(handle, signal)
    }
}

#[cfg(not(target_os = "linux"))]
mod handle {
    use std::os::fd::OwnedFd;

    use rustix::io;
    use rustix::process::{Pid, Signal};

    pub(super) fn open(_: Pid) -> Option<OwnedFd> {
        None
    }

    pub(super) fn signal(_: &OwnedFd, _: Signal) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_is_part_of_another() {
        let vars = BTreeMap::new();
        let marks: Vec<_> = (0..20).map(|_| Mark::new(&vars)).collect();
        for (idx, mark) in marks.iter().enumerate() {
            let others = marks.iter().enumerate().filter(|&(other, _)| other != idx);
            assert!(
                others
                    .into_iter()
                    .all(|(_, other)| !other.value().contains(&mark.own))
            );
        }
        let inner = BTreeMap::from([(MARK.to_owned(), marks[0].value())]);
        assert!(Mark::new(&inner).value().contains(&marks[0].own));
    }
}
