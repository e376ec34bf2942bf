//! Where this process stands: working directory, home, environment, program.

use std::env;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use analects_world::{AbsPath, SessionScope, Surroundings};

/// Why the surroundings cannot be told.
#[derive(Debug)]
pub enum NoPlace {
    /// The working directory is gone or may not be read.
    Cwd(std::io::Error),
    /// This user has no home, and nobody named another place.
    Home,
    /// A path that must be spoken of is not UTF-8.
    NotUtf8(PathBuf),
}

impl fmt::Display for NoPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cwd(error) => write!(f, "cannot read the working directory: {error}"),
            Self::Home => f.write_str("this user has no home: name a directory with `--home`"),
            Self::NotUtf8(path) => write!(f, "path is not UTF-8: {}", path.display()),
        }
    }
}

impl std::error::Error for NoPlace {}

/// Reads the surroundings of this process; `cwd` and `home` are what the user said instead, if anything.
///
/// Home is the first of: what the user said, `GEMINI_CLI_HOME`, the system's answer. Gemini CLI takes the temporary
/// directory for users without one; there everybody else could lay settings for us, and programs in them.
pub fn surroundings(cwd: Option<PathBuf>, home: Option<PathBuf>) -> Result<Surroundings, NoPlace> {
    let here = env::current_dir().map_err(NoPlace::Cwd).and_then(abs);
    let cwd = match cwd {
        // As `cd` would have it: the real directory, if there is one.
        Some(said) => match fs::canonicalize(&said) {
            Ok(real) => abs(real)?,
            Err(_) if said.is_absolute() => abs(said)?,
            Err(_) => here?.join(&utf8(said)?),
        },
        None => here?,
    };
    let home = home
        .or_else(|| {
            env::var_os("GEMINI_CLI_HOME")
                .filter(|v| !v.is_empty())
                .map(PathBuf::from)
        })
        .or_else(|| env::home_dir().filter(|home| !home.as_os_str().is_empty()))
        .ok_or(NoPlace::Home)?;
    let home = cwd.join(&utf8(home)?);
    let vars = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    Ok(Surroundings {
        cwd,
        home,
        vars,
        binary: binary(),
        sessions: SessionScope::All,
    })
}

/// The running program, by the name on `PATH` that leads to it if there is one: package managers keep
/// every version in a directory of its own, and only the link to it outlives an update.
fn binary() -> Option<AbsPath> {
    let real = fs::canonicalize(env::current_exe().ok()?).ok()?;
    let name = real.file_name()?;
    let path = env::var_os("PATH").unwrap_or_default();
    let linked = env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|file| fs::canonicalize(file).is_ok_and(|file| file == real));
    abs(linked.unwrap_or(real)).ok()
}

fn abs(path: PathBuf) -> Result<AbsPath, NoPlace> {
    Ok(AbsPath::root().join(&utf8(path)?))
}

fn utf8(path: PathBuf) -> Result<String, NoPlace> {
    path.into_os_string()
        .into_string()
        .map_err(|raw| NoPlace::NotUtf8(raw.into()))
}
