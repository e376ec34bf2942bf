//! Which repository was trusted: kept beside Gemini CLI's rules, which know paths only.
//!
//! A rule without a record counts, and the record is made at first sight. A rule whose folder holds another repository
//! than the recorded one does not count until the user decides again.

use std::collections::BTreeMap;

use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::Files;

use crate::identity::RepositoryIdentity;
use crate::jsonc;
use crate::verbs::{Failure, Flags};
use crate::{World, json_edit, write};

/// The records, by the folder that a rule is about.
#[derive(Debug, Default)]
pub(super) struct TrustRecords {
    folders: BTreeMap<String, RepositoryIdentity>,
}

fn path(world: &World<'_>) -> AbsPath {
    world.around.state_dir().join("trusted.json")
}

impl TrustRecords {
    /// Reads the records. Those that cannot be read are none: then the rules alone count.
    pub(super) fn read(world: &World<'_>) -> Self {
        let Some(Ok(root)) = jsonc::read_object(world.files, &path(world)) else {
            return Self::default();
        };
        let folders = root.get("folders").and_then(jsonc::Item::object);
        let folders = folders.unwrap_or_default().iter();
        let folders = folders
            .filter_map(|(folder, item)| Some((folder.clone(), RepositoryIdentity::parse(item)?)));
        Self {
            folders: folders.collect(),
        }
    }

    /// True if a folder holds another repository than the one that was trusted.
    pub(super) fn contradict(&self, files: &dyn Files, folder: &AbsPath) -> bool {
        let recorded = self.folders.get(folder.as_str());
        recorded.is_some_and(|recorded| {
            let found = RepositoryIdentity::read(files, folder);
            found.is_some_and(|found| !found.is_same(recorded))
        })
    }

    /// True if a folder is recorded as it is now.
    pub(super) fn has(&self, files: &dyn Files, folder: &AbsPath) -> bool {
        let recorded = self.folders.get(folder.as_str());
        recorded.is_some() && recorded == RepositoryIdentity::read(files, folder).as_ref()
    }
}

/// Records which repository lies in a folder.
pub(super) fn write_record(
    world: &World<'_>,
    flags: &Flags,
    folder: &AbsPath,
) -> Result<(), Failure> {
    let mut plan = |files: &dyn Files| {
        let change = plan_record(world, files, folder, true)?;
        let why = format!("which repository {folder} is");
        Ok(Changes::new("trust", why, change.into_iter().collect()))
    };
    write::write(world, flags, &[], &mut plan).map(drop)
}

/// Plans the record of the repository in a folder, or its removal; `None` if nothing changes.
pub(super) fn plan_record(
    world: &World<'_>,
    files: &dyn Files,
    folder: &AbsPath,
    is_trusted: bool,
) -> Result<Option<Change>, Failure> {
    let path = path(world);
    let old = write::text_of(files, &path)?;
    let is_known = old
        .as_ref()
        .is_some_and(|old| old.contains(folder.as_str()));
    if !is_trusted && !is_known {
        return Ok(None);
    }
    let text = old.as_deref().unwrap_or_default();
    // Records that cannot be read are worth nothing: they are begun again.
    let text = if jsonc::parse_object(text).is_ok() {
        text
    } else {
        ""
    };
    let failed = |bad: jsonc::Bad| Failure::failed(bad.message);
    let mut new = json_edit::set(text, &["folders", folder.as_str()], None).map_err(failed)?;
    let found = RepositoryIdentity::read(files, folder);
    for (name, value) in found.iter().flat_map(RepositoryIdentity::parts) {
        if is_trusted && value.is_some() {
            let place = ["folders", folder.as_str(), name];
            new = json_edit::set(&new, &place, value).map_err(failed)?;
        }
    }
    if old.as_deref().unwrap_or_default() == new {
        return Ok(None);
    }
    let old = old.as_deref().map(str::as_bytes);
    let change = Change::new(&path, old, Some(new.into_bytes()));
    Ok(Some(change.owner_only().leaving(Trace::Nothing)))
}
