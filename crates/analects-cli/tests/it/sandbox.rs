//! A home and a project of one's own, and the binary in it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary directory `/T` with `/T/home` and the project `/T/repo`.
pub(crate) struct Sandbox {
    dir: tempfile::TempDir,
}

/// What a run of the binary left behind; paths begin with `/T`.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let sandbox = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(sandbox.path("home/.gemini")).unwrap();
        fs::create_dir_all(sandbox.path("repo/.git")).unwrap();
        // Whoever serves models on this machine is no part of a test.
        sandbox.write(
            "analects-defaults.json",
            r#"{"model": {"localServers": []}}"#,
        );
        sandbox
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) -> &Self {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
        self
    }

    /// Makes a pipe that nobody writes to.
    pub(crate) fn pipe(&self, path: &str) -> &Self {
        let made = Command::new("mkfifo").arg(self.path(path)).status();
        assert!(made.unwrap().success());
        self
    }

    /// The binary, about to run in the project with a clean environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.program(Path::new(env!("CARGO_BIN_EXE_analects")), args)
    }

    /// Any program in the place of the binary.
    pub(crate) fn program(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(self.path("repo"))
            .env_clear();
        command.env("HOME", self.path("home"));
        let nowhere = self.path("none.json");
        command.env("GEMINI_CLI_SYSTEM_SETTINGS_PATH", &nowhere);
        command.env("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", &nowhere);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.ran(self.command(args).output().unwrap())
    }

    /// Runs as a user without rights, where this process has all of them.
    pub(crate) fn run_as_nobody(&self, args: &[&str]) -> Ran {
        // Nobody may not enter the directory that the binary was built in.
        let copy = self.path("analects");
        if !copy.exists() {
            // By a process of its own: if it were ours, a program that a test beside us starts would have the
            // copy open for writing a moment longer, and such a file cannot be run.
            let mut cp = Command::new("cp");
            let status = cp.arg(env!("CARGO_BIN_EXE_analects")).arg(&copy).status();
            assert!(status.unwrap().success());
        }
        self.ran_as_nobody(self.program(&copy, args))
    }

    /// Runs a line of the shell as a user without rights, where this process has all of them.
    pub(crate) fn run_shell_as_nobody(&self, line: &str) -> Ran {
        self.ran_as_nobody(self.program(Path::new("/bin/sh"), &["-c", line]))
    }

    fn ran_as_nobody(&self, mut command: Command) -> Ran {
        if fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
            command.uid(65534).gid(65534);
        }
        self.ran(command.output().unwrap())
    }

    /// The JSON answer of a run that must succeed.
    pub(crate) fn json(&self, args: &[&str]) -> serde_json::Value {
        let args: Vec<_> = args.iter().copied().chain(["--json"]).collect();
        let ran = self.run(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.err, "", "with --json, stderr stays silent");
        serde_json::from_str(&ran.out).unwrap()
    }

    pub(crate) fn ran(&self, output: Output) -> Ran {
        let real = self.real();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&real, "/T");
        Ran {
            code: output.status.code().expect("the binary ended by itself"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// What stands in the place of `/T`, links followed.
    pub(crate) fn real(&self) -> String {
        let real = fs::canonicalize(self.dir.path()).unwrap();
        real.to_str().unwrap().to_owned()
    }
}
