//! Running other programs, briefly.

use std::ffi::OsStr;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use analects_world::programs::{Checkout, Remote};
use analects_world::{AbsPath, Programs};

use crate::checkout;

/// Whoever has not answered by then is not asked again.
const PATIENCE: Duration = Duration::from_secs(5);
/// Facts are short.
const LIMIT_BYTES: u64 = 64 * 1024;
/// Where programs are if nobody says where.
pub(crate) const STANDARD_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The programs of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealPrograms;

impl Programs for RealPrograms {
    fn ask(&self, program: &str, args: &[&str], dir: &AbsPath) -> Result<String, String> {
        let mut command = Command::new(find(program).ok_or_else(|| format!("no {program} here"))?);
        command.args(args).current_dir(dir.as_str());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        without_git_variables(&mut command);
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C");
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let reader = thread::spawn(move || {
            let mut text = Vec::new();
            let read = stdout.take(LIMIT_BYTES).read_to_end(&mut text);
            read.map(|_| text)
        });
        let since = Instant::now();
        let status = loop {
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None if since.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(2)),
                None => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("{program} took too long"));
                }
            }
        };
        if !status.success() {
            return Err(format!("{program} failed"));
        }
        let text = reader
            .join()
            .map_err(|_| "no output")?
            .map_err(|error| error.to_string())?;
        String::from_utf8(text).map_err(|_| format!("{program} printed no text"))
    }

    fn check_out(
        &self,
        remote: &Remote<'_>,
        hear: &mut dyn FnMut(&str),
        look: &mut dyn FnMut(&Checkout),
    ) -> Result<(), String> {
        checkout::check_out(remote, hear, look)
    }
}

/// Git's own variables could point it at another repository, or make it ask or fetch.
pub(crate) fn without_git_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
}

/// A program in one of the directories of our own `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| STANDARD_PATH.into());
    find_in(&path, program)
}

/// A program in one of the absolute directories of a `PATH`: never one that lies in the project.
pub(crate) fn find_in(path: &OsStr, program: &str) -> Option<PathBuf> {
    let mut found = std::env::split_paths(path).filter(|dir| dir.is_absolute());
    found.find_map(|dir| Some(dir.join(program)).filter(|file| file.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_a_failure_and_no_program_are_told_apart() {
        let ask = |program: &str, args: &[&str]| RealPrograms.ask(program, args, &AbsPath::root());
        assert_eq!(ask("echo", &["hi"]).as_deref(), Ok("hi\n"));
        assert_eq!(ask("false", &[]), Err("false failed".to_owned()));
        assert!(ask("no-such-program-here", &[]).is_err());
    }
}
