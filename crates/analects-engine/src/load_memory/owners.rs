//! Whose files and folders may give instructions.

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::ownership::{OwnedFiles, TrustedOwners};

use super::Prepared;
use crate::settings::{Settings, keys};
use crate::{World, codes};

/// The setting that allows everything.
const UNCHECKED: &str = "*";

/// Reads from the user's settings and environment whose files count; what makes no sense is reported and does not count.
pub(crate) fn trusted_owners(
    world: &World<'_>,
    settings: &Settings,
) -> (TrustedOwners, Vec<Problem>) {
    let sudo_user = world.around.var("SUDO_UID");
    let mut owners = TrustedOwners {
        sudo_user: sudo_user.and_then(|uid| uid.parse().ok()),
        ..TrustedOwners::default()
    };
    let mut problems = Vec::new();
    for entry in settings.list(&keys::TRUSTED_OWNERS) {
        let group = entry.strip_prefix("group:").map(str::parse);
        match (entry.as_str(), group, entry.parse()) {
            (UNCHECKED, ..) => owners.is_unchecked = true,
            (_, Some(Ok(group)), _) => owners.groups.push(group),
            (_, None, Ok(user)) => owners.users.push(user),
            _ => {
                let name = keys::TRUSTED_OWNERS.name;
                let message = format!("`{name}`: `{entry}` is not the number of a user or group");
                problems.push(Problem::new(&codes::BAD_SETTING, message));
            }
        }
    }
    (owners, problems)
}

/// Finds the first of these directories that strangers own or may write. Those that do not exist are skipped.
pub(crate) fn foreign_directory(
    world: &World<'_>,
    owners: &TrustedOwners,
    dirs: &[AbsPath],
) -> Option<AbsPath> {
    let found = world.files.ownership(dirs).into_iter().zip(dirs);
    let mut foreign = found.filter(|(ownership, _)| {
        let ownership = ownership.as_ref().ok();
        ownership.is_some_and(|ownership| !owners.accepts(ownership))
    });
    foreign.next().map(|(_, dir)| dir.clone())
}

/// The directories below `dir` that give instructions or decide where a project begins, and `dir` itself.
pub(crate) fn instructing_directories(dir: &AbsPath, markers: &[String]) -> Vec<AbsPath> {
    let below = [".gemini", ".agents"].into_iter();
    let below = below.chain(markers.iter().map(String::as_str));
    let below = below.map(|name| dir.join(name));
    std::iter::once(dir.clone()).chain(below).collect()
}

impl Prepared {
    /// The disk without files that strangers own or may write.
    pub(crate) fn owned_files<'a>(&'a self, world: &World<'a>) -> OwnedFiles<'a> {
        OwnedFiles {
            files: world.files,
            owners: &self.load.owners,
        }
    }
}
