//! What changed in memory since it was last loaded here.
//!
//! The fingerprints of the last load lie with our own state, one entry per project. They are written by
//! `memory reload` alone: looking at memory writes nothing.

use std::collections::BTreeMap;

use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, ContentHash};
use analects_world::files::Files;

use crate::load_memory::Started;
use crate::verbs::{Failure, Flags};
use crate::write;
use crate::{World, json_edit, jsonc};

/// How memory differs from the last load.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Whether there was a load to compare with.
    pub is_first: bool,
    /// Files that are new.
    pub added: Vec<String>,
    /// Files whose text, or whose imports' text, is another.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
}

/// Compares a load with the last one in the same project, and remembers it in its place.
pub(crate) fn compare(
    world: &World<'_>,
    flags: &Flags,
    root: &AbsPath,
    started: &Started<'_>,
) -> Result<Difference, Failure> {
    let path = world.around.state_dir().join("last-load.json");
    let now: BTreeMap<_, _> = started
        .loaded
        .iter()
        .map(|file| {
            (
                file.path.to_string(),
                ContentHash::of(file.text.as_bytes()).to_string(),
            )
        })
        .collect();
    let then = last(world.files, &path, root);
    let mut plan = |files: &dyn Files| remember(files, &path, root, &now);
    write::write(world, flags, &[], &mut plan)?;
    Ok(difference(then.as_ref(), &now))
}

fn last(files: &dyn Files, path: &AbsPath, root: &AbsPath) -> Option<BTreeMap<String, String>> {
    let all = jsonc::read_object(files, path)?.ok()?;
    let entry = all.get(root.as_str())?.object()?;
    let text = |(path, hash): &(String, jsonc::Item)| Some((path.clone(), hash.text()?.to_owned()));
    Some(entry.iter().filter_map(text).collect())
}

fn remember(
    files: &dyn Files,
    path: &AbsPath,
    root: &AbsPath,
    now: &BTreeMap<String, String>,
) -> Result<Changes, Failure> {
    let old = write::bytes_of(files, path)?;
    let failed = |bad: jsonc::Bad| Failure::failed(bad.message);
    // Fingerprints that cannot be read are worth nothing: they are begun anew.
    let text = old
        .as_deref()
        .and_then(|bytes| std::str::from_utf8(bytes).ok());
    let text = text.filter(|text| jsonc::parse_object(text).is_ok());
    let new = json_edit::set_object(text.unwrap_or_default(), root.as_str(), now.iter());
    let new = new.map_err(failed)?;
    let new = new.into_bytes();
    let is_same = old.as_ref() == Some(&new);
    let change = Change::new(path, old.as_deref(), Some(new)).owner_only();
    let files = if is_same { Vec::new() } else { vec![change] };
    Ok(Changes::new(
        "memory reload",
        format!("the load in {root}"),
        files,
    ))
}

fn difference(
    then: Option<&BTreeMap<String, String>>,
    now: &BTreeMap<String, String>,
) -> Difference {
    let Some(then) = then else {
        return Difference {
            is_first: true,
            ..Difference::default()
        };
    };
    let keys = |paths: Vec<&String>| paths.into_iter().cloned().collect();
    Difference {
        is_first: false,
        added: keys(
            now.keys()
                .filter(|path| !then.contains_key(*path))
                .collect(),
        ),
        changed: keys(
            now.iter()
                .filter(|(path, hash)| then.get(*path).is_some_and(|old| old != *hash))
                .map(|(path, _)| path)
                .collect(),
        ),
        removed: keys(
            then.keys()
                .filter(|path| !now.contains_key(*path))
                .collect(),
        ),
    }
}
