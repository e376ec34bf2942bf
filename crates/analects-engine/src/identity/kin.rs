//! Recognising a project under another path: a checkout that moved, a worktree of another one.
//!
//! Gemini CLI knows a project by its path alone. We note which `.git` it had (device and inode), so that
//! a moved repository is recognised; a clone has another one and is not the original.

use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};

use super::registry::is_slug;
use crate::jsonc;

/// What we note about projects, beside Gemini CLI's registry.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Folder name, path, and the identity of its `.git`.
    entries: Vec<(String, AbsPath, String)>,
}

impl Notes {
    pub(super) fn path(global: &AbsPath) -> AbsPath {
        global.join("analects/projects.json")
    }

    pub(super) fn read(files: &dyn Files, global: &AbsPath) -> Self {
        let Some(Ok(root)) = jsonc::read_object(files, &Self::path(global)) else {
            return Self::default();
        };
        let projects = root.get("projects").and_then(|projects| projects.object());
        let entry = |(slug, item): &(String, jsonc::Item)| {
            let path = AbsPath::new(item.get("path")?.text()?).ok()?;
            let git = item.get("git")?.text()?.to_owned();
            is_slug(slug).then_some((slug.clone(), path, git))
        };
        let entries = projects.unwrap_or_default().iter().filter_map(entry);
        Self {
            entries: entries.collect(),
        }
    }

    /// The folder of the project that `project` was before it moved, and where it was then.
    pub(super) fn moved_from(
        &self,
        files: &dyn Files,
        project: &AbsPath,
    ) -> Option<(String, AbsPath)> {
        let git = git_identity(files, project)?;
        let is_it = |(_, path, noted): &&(String, AbsPath, String)| {
            *noted == git && path != project && git_identity(files, path).as_ref() != Some(&git)
        };
        let (slug, path, _) = self.entries.iter().rev().find(is_it)?;
        Some((slug.clone(), path.clone()))
    }
}

/// The identity of a project's `.git` directory. A worktree's or submodule's `.git` is a file, which git
/// rewrites when it moves: it identifies nothing.
pub(super) fn git_identity(files: &dyn Files, project: &AbsPath) -> Option<String> {
    let git = project.join(".git");
    let nothing = analects_world::files::Pick {
        names: vec![],
        suffix: None,
        subdirs: analects_world::files::Subdirs::Skip,
    };
    files.list_one(&git, &nothing).ok()?;
    files.identify(&git).ok().map(|id| id.to_string())
}

/// The main checkout of a worktree. Both sides must name each other: a repository cannot claim to be a
/// worktree of a project that knows nothing of it.
pub(super) fn main_checkout(files: &dyn Files, project: &AbsPath) -> Option<AbsPath> {
    let pointer = line(files, &project.join(".git"))?;
    let gitdir = project.join(pointer.strip_prefix("gitdir:")?.trim());
    let (main, name) = gitdir.as_str().split_once("/.git/worktrees/")?;
    if name.contains('/') {
        return None;
    }
    let back = gitdir.join(&line(files, &gitdir.join("gitdir"))?);
    let is_mutual = files.real(&back).ok()? == files.real(&project.join(".git")).ok()?;
    AbsPath::new(main).ok().filter(|_| is_mutual)
}

fn line(files: &dyn Files, path: &AbsPath) -> Option<String> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: 8192,
    };
    let bytes = files.read_one(want).ok()?.bytes;
    let text = String::from_utf8(bytes).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}
