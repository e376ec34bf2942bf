//! A home and a project of one's own, put back as they were as often as needed, and the binary in them.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes, Permissions};
use std::io::{Read, Seek};
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime};

/// Which binary is put to the test: the one this suite was built with, if nobody names another.
pub(crate) static BINARY: OnceLock<PathBuf> = OnceLock::new();

/// Nothing takes that long unless it hangs: our own lock is waited for for 30 seconds, others' for 20.
const PATIENCE: Duration = Duration::from_secs(60);

/// A directory with a home and the project `repo` in it.
pub(crate) struct Place {
    _own: Option<tempfile::TempDir>,
    top: PathBuf,
    user: User,
}

/// Whose place it is, and who runs the binary in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Me,
    /// Somebody whom modes mean something to, where this process may do anything.
    Nobody,
}

const NOBODY: u32 = 65534;

/// What one name stands for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Thing {
    Directory,
    File(Vec<u8>),
    Link(PathBuf),
}

/// One name below a place.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) thing: Thing,
    pub(crate) mode: u32,
    changed: SystemTime,
}

/// All of a place, by path.
pub(crate) type Tree = BTreeMap<String, Node>;

/// How a run of the binary ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// None if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    /// It was still there when nobody would wait any longer.
    pub(crate) is_stuck: bool,
}

impl Place {
    pub(crate) fn new() -> Self {
        let own = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(own.path()).unwrap();
        Self::furnish(Some(own), top, User::Me)
    }

    /// A place of a user without rights, where this process has all of them.
    pub(crate) fn of_nobody() -> Self {
        let own = tempfile::tempdir().unwrap();
        fs::set_permissions(own.path(), Permissions::from_mode(0o755)).unwrap();
        let top = fs::canonicalize(own.path()).unwrap();
        let is_root = fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
        let user = if is_root { User::Nobody } else { User::Me };
        Self::furnish(Some(own), top, user)
    }

    /// In a directory that somebody else cleans up.
    pub(crate) fn within(top: &Path) -> Self {
        Self::furnish(None, fs::canonicalize(top).unwrap(), User::Me)
    }

    fn furnish(own: Option<tempfile::TempDir>, top: PathBuf, user: User) -> Self {
        let place = Self {
            _own: own,
            top,
            user,
        };
        fs::create_dir_all(place.path("home/.gemini")).unwrap();
        fs::create_dir_all(place.path("repo/.git")).unwrap();
        // Whoever serves models on this machine is no part of a test.
        let alone = r#"{"model": {"localServers": []}}"#;
        place.write("analects-defaults.json", alone);
        place.hand_over();
        place
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub(crate) fn read(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.path(path)).ok()
    }

    pub(crate) fn mode(&self, path: &str, mode: u32) -> &Self {
        fs::set_permissions(self.path(path), Permissions::from_mode(mode)).unwrap();
        self
    }

    /// Says that something was last changed this long ago; negative is in the future.
    pub(crate) fn age(&self, path: &str, secs: i64) -> &Self {
        let span = Duration::from_secs(secs.unsigned_abs());
        let now = SystemTime::now();
        let then = if secs < 0 { now + span } else { now - span };
        let file = File::open(self.path(path)).unwrap();
        file.set_times(FileTimes::new().set_modified(then)).unwrap();
        self
    }

    /// Everything there is.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let mut todo = vec![self.top.clone()];
        while let Some(dir) = todo.pop() {
            for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                let meta = fs::symlink_metadata(&path).unwrap();
                let thing = if meta.is_symlink() {
                    Thing::Link(fs::read_link(&path).unwrap())
                } else if meta.is_dir() {
                    todo.push(path.clone());
                    Thing::Directory
                } else {
                    Thing::File(fs::read(&path).unwrap())
                };
                let name = path.strip_prefix(&self.top).unwrap().to_str().unwrap();
                let changed = meta.modified().unwrap();
                let mode = meta.mode() & 0o7777;
                let node = Node {
                    thing,
                    mode,
                    changed,
                };
                tree.insert(name.to_owned(), node);
            }
        }
        tree
    }

    /// Puts everything back, times included.
    pub(crate) fn restore(&self, tree: &Tree) {
        for entry in fs::read_dir(&self.top).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => fs::remove_dir_all(entry.path()).unwrap(),
                false => fs::remove_file(entry.path()).unwrap(),
            }
        }
        for (name, node) in tree {
            let path = self.path(name);
            match &node.thing {
                Thing::Directory => fs::create_dir(&path).unwrap(),
                Thing::File(bytes) => {
                    fs::write(&path, bytes).unwrap();
                    let times = FileTimes::new().set_modified(node.changed);
                    File::options()
                        .write(true)
                        .open(&path)
                        .and_then(|file| file.set_times(times))
                        .unwrap();
                }
                Thing::Link(target) => symlink(target, &path).unwrap(),
            }
            if !matches!(node.thing, Thing::Link(_)) {
                fs::set_permissions(&path, Permissions::from_mode(node.mode)).unwrap();
            }
        }
        self.hand_over();
    }

    /// Gives everything to whoever it belongs to.
    pub(crate) fn hand_over(&self) {
        if self.user == User::Me {
            return;
        }
        lchown(&self.top, Some(NOBODY), Some(NOBODY)).unwrap();
        for name in self.tree().keys() {
            lchown(self.path(name), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }

    /// The binary, about to run in the project with a clean environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        // What was put here since last time belongs to them, too.
        self.hand_over();
        let mut command = match self.user {
            User::Me => Command::new(binary()),
            User::Nobody => Command::new(binary_for_all()),
        };
        command.args(args);
        self.prepare(&mut command);
        if self.user == User::Nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    /// Puts any program into the place of the binary.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.current_dir(self.path("repo")).env_clear();
        command.env("HOME", self.path("home"));
        let nowhere = self.path("none.json");
        command.env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", &nowhere);
        command.env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", &nowhere);
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        run(self.command(args))
    }
}

/// The binary that is put to the test.
pub(crate) fn binary() -> PathBuf {
    let ours = || PathBuf::from(env!("CARGO_BIN_EXE_analects"));
    BINARY.get_or_init(ours).clone()
}

/// A copy of it where everybody may go: not everybody may enter the directory that it was built in.
fn binary_for_all() -> PathBuf {
    static COPY: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let copy = || {
        let dir = tempfile::tempdir().unwrap();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        let copy = dir.path().join("analects");
        // By a process of its own: one that we start meanwhile would hold it open for writing, and such a file
        // cannot be run.
        let status = Command::new("cp").arg(binary()).arg(&copy).status();
        assert!(status.unwrap().success());
        (dir, copy)
    };
    COPY.get_or_init(copy).1.clone()
}

/// Runs a command to its end, or to the end of our patience.
pub(crate) fn run(mut command: Command) -> Ran {
    let said = Said::of(&mut command);
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
    let (status, is_stuck) = patiently(&child.id(), || child.wait().unwrap());
    said.ran(status, is_stuck)
}

/// Waits for a process that is ended when it takes too long.
pub(crate) fn patiently<T>(pid: &u32, wait: impl FnOnce() -> T) -> (T, bool) {
    let pid = *pid;
    let (done, is_done) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let is_stuck = is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        if is_stuck {
            kill(pid);
        }
        is_stuck
    });
    let waited = wait();
    drop(done);
    (waited, watchdog.join().unwrap())
}

/// Ends a process of ours without asking it.
pub(crate) fn kill(pid: u32) {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let signal = rustix::process::Signal::KILL;
    let _ = pid.map(|pid| rustix::process::kill_process(pid, signal));
}

/// Where a program speaks: files, so that nobody has to listen while it runs.
pub(crate) struct Said {
    out: File,
    err: File,
}

impl Said {
    pub(crate) fn of(command: &mut Command) -> Self {
        let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        command.stdout(out.try_clone().unwrap());
        command.stderr(err.try_clone().unwrap());
        Self { out, err }
    }

    pub(crate) fn ran(self, status: ExitStatus, is_stuck: bool) -> Ran {
        let text = |mut file: File| {
            let mut bytes = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let ended = status.signal();
        assert!(ended.is_some() || status.code().is_some());
        Ran {
            code: status.code(),
            out: text(self.out),
            err: text(self.err),
            is_stuck,
        }
    }
}

/// Waits for a child that was started by hand.
pub(crate) fn wait(mut child: Child) -> (ExitStatus, bool) {
    let pid = child.id();
    patiently(&pid, || child.wait().unwrap())
}
