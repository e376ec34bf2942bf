//! Runs the real binary and stands beside every one of its system calls that touches a place.
//!
//! Each call that writes is a step; so is each one that reads, counted apart. A step can be the last thing that
//! happens, can be torn in the middle, or can be refused by the disk with any error. The clock can be set on the way.
//! Nothing of it is known to the binary, so it is the one that is shipped.

use std::collections::HashMap;
use std::ffi::c_long;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::fault::{Fault, HowLong, Time, Traced};
use crate::place::{Place, Said, kill, patiently};

impl Place {
    /// Runs the binary with a fault on its way.
    pub(crate) fn trace(&self, command: &Command, fault: Fault, time: Time) -> Traced {
        // It waits for a line before it becomes the binary, so that nothing is missed.
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", r#"read -r _ && exec "$0" "$@""#]);
        shell.arg(command.get_program()).args(command.get_args());
        self.prepare(&mut shell);
        for (name, value) in command.get_envs() {
            let _ = value.map(|value| shell.env(name, value));
        }
        let said = Said::of(&mut shell);
        #[expect(
            clippy::zombie_processes,
            reason = "the tracer waits for it, and for its threads"
        )]
        let mut child = shell.stdin(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
        let options = Options::PTRACE_O_TRACESYSGOOD
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEEXEC
            | Options::PTRACE_O_EXITKILL;
        ptrace::seize(pid, options).unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"\n").unwrap();
        drop(stdin);
        let mut tracer = Tracer {
            root: self.path(""),
            pid,
            fault,
            time,
            inside: HashMap::new(),
            steps: Vec::new(),
            reads: Vec::new(),
            n_asked: 0,
        };
        let (status, is_stuck) = patiently(&child.id(), || tracer.stand_by());
        Traced {
            ran: said.ran(status, is_stuck),
            steps: tracer.steps,
            reads: tracer.reads,
            n_asked: tracer.n_asked,
        }
    }
}

/// Whether processes can be watched here at all.
pub(crate) fn can_trace() -> Result<(), String> {
    let mut child = Command::new("/bin/cat")
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let seized = ptrace::seize(pid, Options::PTRACE_O_EXITKILL);
    let _ = child.kill();
    let _ = child.wait();
    seized.map_err(|errno| format!("processes cannot be traced here: {errno}"))
}

struct Tracer {
    root: std::path::PathBuf,
    pid: Pid,
    fault: Fault,
    time: Time,
    /// The threads that are inside a call, and what is to happen at its end.
    inside: HashMap<Pid, AtEnd>,
    steps: Vec<String>,
    reads: Vec<String>,
    n_asked: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtEnd {
    Nothing,
    Refuse(Errno),
    Kill,
    /// The time lies there.
    SetTime(u64),
}

/// What a call does to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Make,
    Write,
    Sync,
    Change,
    Read,
}

impl Tracer {
    /// Follows the process and its threads until it has ended.
    fn stand_by(&mut self) -> ExitStatus {
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        loop {
            match waitpid(None, Some(flags)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == self.pid => {
                    return ExitStatus::from_raw(code << 8);
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == self.pid => {
                    return ExitStatus::from_raw(signal as i32);
                }
                Ok(WaitStatus::PtraceSyscall(pid)) => self.at_call(pid),
                Ok(WaitStatus::PtraceEvent(pid, _, event)) => {
                    if event == libc::PTRACE_EVENT_EXEC && self.time != Time::Real {
                        hide_quick_clock(pid);
                    }
                    let _ = ptrace::syscall(pid, None);
                }
                Ok(WaitStatus::Stopped(pid, signal)) => {
                    let signal = Some(signal).filter(|signal| *signal != Signal::SIGTRAP);
                    let _ = ptrace::syscall(pid, signal);
                }
                Ok(_) => {}
                Err(errno) => panic!("a traced process is gone: {errno}"),
            }
        }
    }

    fn at_call(&mut self, pid: Pid) {
        match self.inside.remove(&pid) {
            Some(at_end) => self.leave(pid, at_end),
            None if is_entered(pid) => {
                let at_end = self.enter(pid);
                self.inside.insert(pid, at_end);
            }
            // The end of a call that was begun before anybody looked: what started the program or the thread.
            None => {}
        }
        // It may be dead by now.
        let _ = ptrace::syscall(pid, None);
    }

    fn enter(&mut self, pid: Pid) -> AtEnd {
        let Ok(regs) = ptrace::getregs(pid) else {
            return AtEnd::Nothing;
        };
        let number = regs.orig_rax.cast_signed();
        if number == libc::SYS_clock_gettime && regs.rdi == libc::CLOCK_REALTIME as u64 {
            return AtEnd::SetTime(regs.rsi);
        }
        let Some((kind, name, what)) = call(pid, &regs, &self.root) else {
            return AtEnd::Nothing;
        };
        if kind == Kind::Read {
            let here = self.reads.len();
            return match self.fault {
                Fault::Unreadable { at, errno } if at == here => {
                    self.reads.push(format!("{name} {what}"));
                    refuse(pid, errno)
                }
                Fault::Unreadable { at, .. } if at < here => AtEnd::Nothing,
                _ => {
                    self.reads.push(format!("{name} {what}"));
                    AtEnd::Nothing
                }
            };
        }
        let here = self.steps.len();
        match self.fault {
            Fault::Refuse { errno, .. } if !applies(errno, kind) => return AtEnd::Nothing,
            _ => self.steps.push(format!("{name} {what}")),
        }
        match self.fault {
            Fault::Kill { at } if at == here => {
                kill(self.pid.as_raw().unsigned_abs());
                AtEnd::Nothing
            }
            Fault::Tear { at } if at == here => {
                if kind == Kind::Write {
                    let mut less = regs;
                    less.rdx /= 2;
                    let _ = ptrace::setregs(pid, less);
                }
                AtEnd::Kill
            }
            Fault::Refuse {
                at,
                errno,
                how_long,
            } if at == here || (at < here && how_long == HowLong::ForGood) => refuse(pid, errno),
            _ => AtEnd::Nothing,
        }
    }

    fn leave(&mut self, pid: Pid, at_end: AtEnd) {
        match at_end {
            AtEnd::Nothing => {}
            AtEnd::Kill => kill(self.pid.as_raw().unsigned_abs()),
            AtEnd::Refuse(errno) => {
                if let Ok(mut regs) = ptrace::getregs(pid) {
                    regs.rax = i64::from(-(errno as i32)).cast_unsigned();
                    let _ = ptrace::setregs(pid, regs);
                }
            }
            AtEnd::SetTime(at) => {
                self.n_asked += 1;
                let off = match self.time {
                    Time::Real => 0,
                    Time::Off(secs) => secs,
                    Time::Jump { asked, from, .. } if self.n_asked <= asked => from,
                    Time::Jump { to, .. } => to,
                };
                let address = at as ptrace::AddressType;
                if let Ok(secs) = ptrace::read(pid, address) {
                    let _ = ptrace::write(pid, address, (secs + off).max(0) as c_long);
                }
            }
        }
    }
}

/// Whether a call has only begun: then the system has put there that it knows no answer yet.
fn is_entered(pid: Pid) -> bool {
    let unanswered = i64::from(-libc::ENOSYS).cast_unsigned();
    ptrace::getregs(pid).is_ok_and(|regs| regs.rax == unanswered)
}

/// Makes the system do nothing; what it answers is set when it comes back.
fn refuse(pid: Pid, errno: Errno) -> AtEnd {
    if let Ok(mut regs) = ptrace::getregs(pid) {
        regs.orig_rax = u64::MAX;
        let _ = ptrace::setregs(pid, regs);
    }
    AtEnd::Refuse(errno)
}

/// Whether a disk could answer so.
fn applies(errno: Errno, kind: Kind) -> bool {
    match errno {
        Errno::ENOSPC | Errno::EDQUOT => matches!(kind, Kind::Make | Kind::Write | Kind::Sync),
        Errno::EROFS | Errno::EACCES => matches!(kind, Kind::Make | Kind::Change),
        _ => true,
    }
}

/// What a call does to the place, how it is called, and to which file; nothing if it is about something else.
fn call(
    pid: Pid,
    regs: &libc::user_regs_struct,
    root: &Path,
) -> Option<(Kind, &'static str, String)> {
    let below = |path: String| {
        let path = Path::new(&path);
        let rest = match path.is_absolute() {
            true => path.strip_prefix(root).ok()?,
            false => path,
        };
        Some(rest.to_string_lossy().into_owned())
    };
    let fd = || below(fd_path(pid, regs.rdi)?);
    let path = |at: u64| below(text(pid, at)?);
    let makes = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
    let (kind, name, what) = match regs.orig_rax.cast_signed() {
        libc::SYS_open if makes(regs.rsi) => (Kind::Make, "create", path(regs.rdi)),
        libc::SYS_openat if makes(regs.rdx) => (Kind::Make, "create", path(regs.rsi)),
        libc::SYS_mkdir => (Kind::Make, "mkdir", path(regs.rdi)),
        libc::SYS_mkdirat => (Kind::Make, "mkdir", path(regs.rsi)),
        libc::SYS_link => (Kind::Make, "link", path(regs.rsi)),
        libc::SYS_linkat => (Kind::Make, "link", path(regs.r10)),
        libc::SYS_symlink => (Kind::Make, "symlink", path(regs.rsi)),
        libc::SYS_symlinkat => (Kind::Make, "symlink", path(regs.rdx)),
        libc::SYS_write | libc::SYS_pwrite64 => (Kind::Write, "write", fd()),
        libc::SYS_fsync | libc::SYS_fdatasync => (Kind::Sync, "sync", fd()),
        libc::SYS_ftruncate => (Kind::Change, "cut", fd()),
        libc::SYS_fchmod => (Kind::Change, "chmod", fd()),
        libc::SYS_fchown => (Kind::Change, "chown", fd()),
        libc::SYS_rename => (Kind::Change, "rename to", path(regs.rsi)),
        libc::SYS_renameat | libc::SYS_renameat2 => (Kind::Change, "rename to", path(regs.r10)),
        libc::SYS_unlink => (Kind::Change, "remove", path(regs.rdi)),
        libc::SYS_unlinkat => (Kind::Change, "remove", path(regs.rsi)),
        libc::SYS_rmdir => (Kind::Change, "rmdir", path(regs.rdi)),
        libc::SYS_open => (Kind::Read, "open", path(regs.rdi)),
        libc::SYS_openat => (Kind::Read, "open", path(regs.rsi)),
        libc::SYS_read | libc::SYS_pread64 | libc::SYS_getdents64 => (Kind::Read, "read", fd()),
        _ => return None,
    };
    what.map(|what| (kind, name, what))
}

fn fd_path(pid: Pid, fd: u64) -> Option<String> {
    let link = fs::read_link(format!("/proc/{pid}/fd/{fd}")).ok()?;
    // Sockets, pipes and the terminal are no part of a place.
    link.is_absolute()
        .then(|| link.to_string_lossy().into_owned())
}

/// A text of the process, up to its zero.
fn text(pid: Pid, at: u64) -> Option<String> {
    let mut bytes = [0; 4096];
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    let n_read = memory.read_at(&mut bytes, at).ok()?;
    let text = bytes.get(..n_read)?.split(|byte| *byte == 0).next()?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Programs ask for the time without a call, by a page that the system lends them. Who does not know of that page
/// has to call.
fn hide_quick_clock(pid: Pid) {
    const AT_IGNORE: c_long = 1;
    let Ok(regs) = ptrace::getregs(pid) else {
        return;
    };
    let word = |at: u64| ptrace::read(pid, at as ptrace::AddressType).unwrap_or(0);
    // The count of arguments, the arguments, a zero, the environment, a zero; then pairs.
    let mut at = regs.rsp + 8 * (word(regs.rsp).cast_unsigned() + 2);
    while word(at) != 0 {
        at += 8;
    }
    at += 8;
    while word(at) != 0 {
        if word(at).cast_unsigned() == libc::AT_SYSINFO_EHDR {
            let _ = ptrace::write(pid, at as ptrace::AddressType, AT_IGNORE);
        }
        at += 16;
    }
}
