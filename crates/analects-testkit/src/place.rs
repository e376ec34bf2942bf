//! Where a test takes place.

use analects_world::{AbsPath, SessionScope, Surroundings};

/// A working directory, a home, and environment variables. The program is `/opt/bin/analects`.
#[must_use]
pub fn surroundings(cwd: &str, home: &str, vars: &[(&str, &str)]) -> Surroundings {
    let var = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Surroundings {
        cwd: AbsPath::new(cwd).unwrap(),
        home: AbsPath::new(home).unwrap(),
        vars: vars.iter().map(var).collect(),
        binary: Some(AbsPath::new("/opt/bin/analects").unwrap()),
        sessions: SessionScope::All,
    }
}
