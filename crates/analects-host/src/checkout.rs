//! Fetches a git repository into a temporary directory.
//!
//! `git` makes the directory itself, so that it takes it away again where Ctrl-C ends both of us at once; in every
//! other case we do. What a process that was killed left behind goes with the next one.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use analects_world::programs::{Checkout, Remote};
use analects_world::{AbsPath, Programs};
use rustix::process::{Pid, Signal, kill_process};

use crate::RealPrograms;
use crate::private_dir::create_private_dir;
use crate::programs::{find, without_git_variables};

/// How `git` is kept from running anything of a repository, from asking, and from bringing more than was wanted.
const CONFIG: [&str; 12] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.askPass=",
    "credential.interactive=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "submodule.recurse=false",
    "maintenance.auto=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
];
/// What a repository may come by: nothing that runs a program, and nothing that anybody on the way could change.
const PROTOCOLS: &str = "https:ssh:file";
/// No file of a repository is larger, its own among them.
#[cfg(target_os = "linux")]
const MAX_FILE_BYTES: u64 = 512 * 1024 * 1024;
/// No process that works on one takes more.
#[cfg(target_os = "linux")]
const MAX_MEMORY_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// How much of what `git` says is kept for the error.
const KEPT_LINES: usize = 6;
/// A longer line is cut.
const MAX_LINE_BYTES: usize = 1000;
/// How long `git` may take to clean up when its time is over.
const GRACE: Duration = Duration::from_secs(3);

/// See [`Programs::check_out`].
pub(crate) fn check_out(
    remote: &Remote<'_>,
    hear: &mut dyn FnMut(&str),
    look: &mut dyn FnMut(&Checkout),
) -> Result<(), String> {
    let git = find("git").ok_or("there is no git here")?;
    let into = Path::new(remote.into.as_str());
    create_private_dir(into)
        .map_err(|error| format!("cannot make `{}`: {error}", into.display()))?;
    sweep(into);
    let place = Gone(free_name(into));
    clone(&git, remote, &place.0, hear)?;
    let dir = place.0.to_str().and_then(|dir| AbsPath::new(dir).ok());
    let dir = dir.ok_or("its path is not UTF-8")?;
    let commit = RealPrograms.ask("git", &["rev-parse", "HEAD"], &dir)?;
    let commit = commit.trim().to_owned();
    look(&Checkout { dir, commit });
    Ok(())
}

/// A directory that goes when nobody needs it any more.
struct Gone(PathBuf);

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        // Where nobody else fetches anything, nothing is left; a directory that is in use is not empty.
        let _ = self.0.parent().map(fs::remove_dir);
    }
}

/// A name of this process that nothing has.
fn free_name(into: &Path) -> PathBuf {
    let name = |n: u32| into.join(format!("{}-{n}", std::process::id()));
    let mut names = (0_u32..).map(name);
    names
        .find(|path| fs::symlink_metadata(path).is_err())
        .unwrap_or_else(|| name(0))
}

/// Removes what processes left that are no more.
fn sweep(into: &Path) {
    let proc = Path::new("/proc");
    if !proc.join("self").exists() {
        return;
    }
    let Ok(entries) = fs::read_dir(into) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.split_once('-'));
        let pid = pid.and_then(|(pid, _)| pid.parse::<u32>().ok());
        if pid.is_some_and(|pid| !proc.join(pid.to_string()).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn clone(
    git: &Path,
    remote: &Remote<'_>,
    dir: &Path,
    hear: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let mut command = Command::new(git);
    for setting in CONFIG {
        command.args(["-c", setting]);
    }
    command.args([
        "clone",
        "--progress",
        "--depth=1",
        "--no-tags",
        "--single-branch",
    ]);
    // A local repository is read like any other, and not by taking over its files.
    command.args(["--no-local", "--template="]);
    if let Some(reference) = remote.reference {
        command.arg(format!("--branch={reference}"));
    }
    command.arg("--").arg(remote.url).arg(dir);
    without_git_variables(&mut command);
    command
        .current_dir("/")
        .env("GIT_ALLOW_PROTOCOL", PROTOCOLS)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "")
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        // `ssh` asks at the terminal, past us, unless it has somebody to ask; this one knows nothing.
        .env("SSH_ASKPASS", "false")
        .env("SSH_ASKPASS_REQUIRE", "force")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    bound(&child);
    let lines = child.stderr.take().map(lines).ok_or("no output")?;
    let limit = Duration::from_millis(remote.limit_ms);
    let until = Instant::now().checked_add(limit);
    let mut last = Vec::new();
    let is_success = see_through(&mut child, &lines, until, &mut |line| {
        hear(line);
        // What counts something is no reason for anything.
        if !line.contains('%') && !line.starts_with("Cloning into") {
            last.push(line.to_owned());
        }
        let n_extra = last.len().saturating_sub(KEPT_LINES);
        last.drain(..n_extra);
    });
    match is_success {
        Some(true) => Ok(()),
        Some(false) if last.is_empty() => Err("git failed, or was in need of too much".to_owned()),
        Some(false) => Err(last.join("\n")),
        None => Err(format!("git took longer than {} seconds", limit.as_secs())),
    }
}

/// Keeps a child, and all that it starts, from filling the disk or the memory with a repository that was made for that.
#[cfg(target_os = "linux")]
fn bound(child: &Child) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let Some(pid) = pid(child) else { return };
    let limit = |resource, most: u64| {
        let most = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = prlimit(Some(pid), resource, most);
    };
    limit(Resource::Fsize, MAX_FILE_BYTES);
    limit(Resource::As, MAX_MEMORY_BYTES);
}

/// Where the system has no such limits for others, the time alone bounds it.
#[cfg(not(target_os = "linux"))]
fn bound(_: &Child) {}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Hears what a child says until it ends; whether it ended well, or `None` if its time was over.
fn see_through(
    child: &mut Child,
    lines: &Receiver<String>,
    until: Option<Instant>,
    hear: &mut dyn FnMut(&str),
) -> Option<bool> {
    let left = || {
        until.map_or(GRACE, |until| {
            until.saturating_duration_since(Instant::now())
        })
    };
    loop {
        match lines.recv_timeout(left()) {
            Ok(line) => hear(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                end(child);
                return None;
            }
        }
    }
    while !left().is_zero() {
        if let Some(status) = child.try_wait().ok()? {
            return Some(status.success());
        }
        thread::sleep(Duration::from_millis(2));
    }
    end(child);
    None
}

/// Asks a child to end, and ends it if it does not: asked, `git` ends what it started, too.
fn end(child: &mut Child) {
    let _ = pid(child).map(|pid| kill_process(pid, Signal::TERM));
    let since = Instant::now();
    while since.elapsed() < GRACE {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// What is said, line by line; a line that is written over counts as one.
fn lines(mut stderr: ChildStderr) -> Receiver<String> {
    let (tell, told) = mpsc::sync_channel(64);
    thread::spawn(move || {
        let mut line = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(n_read @ 1..) = stderr.read(&mut piece) {
            for &byte in piece.iter().take(n_read) {
                if matches!(byte, b'\r' | b'\n') {
                    let text = String::from_utf8_lossy(&line).trim().to_owned();
                    line.clear();
                    if !text.is_empty() && tell.send(text).is_err() {
                        return;
                    }
                } else if line.len() < MAX_LINE_BYTES {
                    line.push(byte);
                }
            }
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        let _ = (!text.is_empty()).then(|| tell.send(text));
    });
    told
}

#[cfg(test)]
mod tests;
