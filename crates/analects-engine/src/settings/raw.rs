//! Parts of settings files that are not single values (hooks, servers), kept raw for the modules that read them.

use analects_world::AbsPath;
use serde_json::Value;

use super::{Scope, Workspace, read};
use crate::World;

/// What one file has under a name.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) scope: Scope,
    pub(crate) path: AbsPath,
    pub(crate) value: Value,
}

/// What the files of all scopes that count have under `name`, at the top, weakest first. What is wrong with the files is told
/// by whoever resolves the settings.
pub(crate) fn raw(world: &World<'_>, workspace: Workspace, name: &str) -> Vec<Raw> {
    let (files, _) = read(world, workspace);
    let found = files.into_iter().filter_map(|file| {
        Some(Raw {
            value: file.root.get(name)?.to_json(),
            scope: file.scope,
            path: file.path,
        })
    });
    found.collect()
}
