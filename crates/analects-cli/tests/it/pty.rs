//! The one way to open a pseudo-terminal.

use std::fs::File;
use std::os::fd::OwnedFd;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Both ends of a terminal: the one that a person sits at, and the name of the one that a program gets.
pub(crate) struct Pty {
    pub(crate) master: OwnedFd,
    name: String,
}

impl Pty {
    pub(crate) fn open() -> Self {
        // A child that held this end as well would keep its own terminal open.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let name = name.into_string().unwrap();
        Self { master, name }
    }

    /// The end of the program. What can be read ends when the last of these is closed.
    pub(crate) fn other_end(&self) -> File {
        let mut options = File::options();
        options.read(true).write(true).open(&self.name).unwrap()
    }
}
