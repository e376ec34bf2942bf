//! Opens the doors of this machine; the commit point also tells the user what it repaired.

use std::io::{self, Write};
use std::path::PathBuf;

use analects_engine::World;
use analects_engine::verbs::Failure;
use analects_host::commit::{CommitDesk, OpenGate};
use analects_host::{
    Disk, DiskClaims, DiskSearch, DiskTapes, HttpModels, LazyIndex, NoPlace, RealPrograms,
    WallClock,
};
use analects_text::sanitize::one_line;
use analects_world::ask::Always;
use analects_world::desk::{
    CommitError, Guard, JournalDamage, Outcome, Plan, Receipt, Repaired, Status,
};
use analects_world::log::Logged;
use analects_world::{Ask, Desk, Progress, Surroundings};

use crate::args::Global;

/// Where we are, and the commit point of this home.
pub(crate) fn open(global: &Global) -> Result<(Surroundings, CommitDesk<'static>), Failure> {
    let around = analects_host::surroundings(global.cwd.clone(), global.home.clone())
        .map_err(|error| Failure::failed(error.to_string()))?;
    let desk = CommitDesk::new(&around.state_dir(), &OpenGate);
    Ok((around, desk))
}

/// In the place of a home that is not there. Nobody but an administrator could lay anything there for us, and Debian
/// promises that nobody does.
const NO_HOME: &str = "/nonexistent";

/// Where we are, for what only reads: a user without a home has memory that lies elsewhere all the same.
///
/// Whether there is a home is told, too.
pub(crate) fn look_around(
    cwd: Option<PathBuf>,
    home: Option<PathBuf>,
) -> Result<(Surroundings, Home), Failure> {
    let (around, home) = match analects_host::surroundings(cwd.clone(), home) {
        Err(NoPlace::Home) => {
            let around = analects_host::surroundings(cwd, Some(NO_HOME.into()));
            (around, Home::Missing)
        }
        around => (around, Home::There),
    };
    let around = around.map_err(|error| Failure::failed(error.to_string()))?;
    Ok((around, home))
}

/// Whether a user has a home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    There,
    Missing,
}

/// The index over what was said, at home.
pub(crate) fn index(around: &Surroundings) -> LazyIndex {
    LazyIndex::new(around.state_dir().join("index.sqlite"))
}

/// The doors of this machine, open as long as a command runs.
pub(crate) struct Doors<'a, D> {
    desk: D,
    index: LazyIndex,
    models: HttpModels,
    always: Always,
    around: &'a Surroundings,
}

impl<'a, D: Desk> Doors<'a, D> {
    /// All of them, with this commit point. Nothing is opened before it is needed.
    pub(crate) fn new(desk: D, around: &'a Surroundings) -> Self {
        Self {
            desk,
            index: index(around),
            models: HttpModels::default(),
            always: Always::default(),
            around,
        }
    }

    /// The world of a use case, with whoever is asked and whoever waits.
    pub(crate) fn world<'w>(
        &'w self,
        person: &'w dyn Ask,
        progress: &'w dyn Progress,
    ) -> World<'w> {
        World {
            files: &Disk,
            search: &DiskSearch,
            desk: &self.desk,
            tapes: &DiskTapes,
            claims: &DiskClaims,
            index: &self.index,
            progress,
            clock: &WallClock,
            programs: &RealPrograms,
            models: &self.models,
            person,
            always: &self.always,
            around: self.around,
        }
    }
}

/// A desk whose repairs do not happen behind anybody's back.
pub(crate) struct TellingDesk<'a>(pub(crate) CommitDesk<'a>);

impl Desk for TellingDesk<'_> {
    fn commit(&self, guards: &[Guard], plan: &mut Plan<'_>) -> Result<Receipt, CommitError> {
        let mut notices = Vec::new();
        let receipt = self.0.commit(guards, &mut |files| {
            let changes = plan(files)?;
            // The last plan is the one that is carried out.
            let planned = changes.files.iter();
            notices = planned.filter_map(|change| change.notice.clone()).collect();
            Some(changes)
        })?;
        tell(&receipt.repaired);
        for notice in notices {
            // If this cannot be written, `doctor` still tells.
            let _ = writeln!(io::stderr().lock(), "warning: {}", one_line(&notice));
        }
        Ok(receipt)
    }

    fn repair(&self) -> Result<Vec<Repaired>, CommitError> {
        let repaired = self.0.repair()?;
        tell(&repaired);
        Ok(repaired)
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn log(&self, visit: &mut dyn FnMut(Logged) -> bool) -> Result<(), CommitError> {
        self.0.log(visit)
    }

    fn check_journal(&self) -> Result<JournalDamage, CommitError> {
        self.0.check_journal()
    }
}

fn tell(repaired: &[Repaired]) {
    for Repaired { id, outcome } in repaired {
        let said = match outcome {
            Outcome::Withdrawn => "was withdrawn: all its files are as they were".to_owned(),
            Outcome::Finished => "was finished: all its files have their new content".to_owned(),
            Outcome::Conflicts(files) => {
                let files: Vec<_> = files.iter().map(ToString::to_string).collect();
                let files = files.join(", ");
                format!(
                    "was finished except for {files}, changed since; our version lies beside it"
                )
            }
        };
        let line = format!("unfinished commit {id} {said}");
        // If this cannot be written, the journal still tells.
        let _ = writeln!(io::stderr().lock(), "warning: {}", one_line(&line));
    }
}
