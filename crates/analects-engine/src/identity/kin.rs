//! Recognises a project under another path: a checkout that moved, or a worktree.
//!
//! Gemini CLI knows a project by its path alone. We note which `.git` it had (device and inode), so that
//! a moved repository is recognised; a clone has another one and is not the original.

use analects_memory::discover::Trust;
use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};

use super::registry::{Registry, is_slug};
use super::repository::RepositoryIdentity;
use crate::{World, jsonc};

/// What we note about projects, beside Gemini CLI's registry.
#[derive(Debug, Default)]
pub(super) struct Notes {
    entries: Vec<Note>,
}

/// What we note about one project.
#[derive(Debug)]
struct Note {
    slug: String,
    path: AbsPath,
    /// The identity of its `.git`.
    git: String,
    /// Its first commit.
    root_commit: Option<String>,
    /// All that was noted to tell it from others.
    identity: RepositoryIdentity,
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
            let text = |key| item.get(key).and_then(jsonc::Item::text);
            Some(Note {
                slug: Some(slug.clone()).filter(|slug| is_slug(slug))?,
                path: AbsPath::new(text("path")?).ok()?,
                git: text("git")?.to_owned(),
                root_commit: text("rootCommit").map(str::to_owned),
                identity: RepositoryIdentity::parse(item)?,
            })
        };
        let entries = projects.unwrap_or_default().iter().filter_map(entry);
        Self {
            entries: entries.collect(),
        }
    }

    /// The first commit of a project that is where it was, with the `.git` that it had.
    pub(super) fn root_commit(&self, files: &dyn Files, project: &AbsPath) -> Option<String> {
        let git = git_identity(files, project)?;
        let mut entries = self.entries.iter();
        let note = entries.find(|note| note.path == *project && note.git == git)?;
        note.root_commit.clone()
    }

    /// True if a folder was noted for another repository than the one that lies at `project` now.
    pub(super) fn contradict(
        &self,
        files: &dyn Files,
        (slug, project): (&str, &AbsPath),
        root_commit: &dyn Fn() -> Option<String>,
    ) -> bool {
        let mut notes = self.entries.iter();
        let note = notes.find(|note| note.slug == slug && note.path == *project);
        note.is_some_and(|note| note.is_of_another(files, project, root_commit))
    }

    /// The folder that was noted for the repository that lies at `project` now.
    pub(super) fn slug_of_same(
        &self,
        files: &dyn Files,
        project: &AbsPath,
        root_commit: &dyn Fn() -> Option<String>,
    ) -> Option<String> {
        let mut notes = self.entries.iter().rev();
        let is_it = |note: &&Note| {
            note.path == *project && !note.is_of_another(files, project, root_commit)
        };
        notes.find(is_it).map(|note| note.slug.clone())
    }

    /// The folder of the project that `project` was before it moved, and where it was then.
    ///
    /// By its `.git` first; by its first commit only if the old place is gone, for a clone has the same.
    pub(super) fn moved_from(
        &self,
        world: &World<'_>,
        files: &dyn Files,
        project: &AbsPath,
        root_commit: &dyn Fn() -> Option<String>,
    ) -> Option<(String, AbsPath)> {
        let git = git_identity(files, project)?;
        // A folder that belongs to another project by now is not ours any more.
        let registry = Registry::read(files, &world.around.global_dir());
        let is_free = |note: &&Note| !registry.is_taken(files, &note.slug, &note.path);
        let is_it = |note: &&Note| {
            note.git == git
                && note.path != *project
                && git_identity(files, &note.path).as_ref() != Some(&git)
        };
        let note = self.entries.iter().rev().filter(is_free).find(is_it);
        let by_commit = || self.by_commit(files, root_commit).filter(is_free);
        let note = note.or_else(by_commit)?;
        Some((note.slug.clone(), note.path.clone()))
    }

    fn by_commit(
        &self,
        files: &dyn Files,
        root_commit: &dyn Fn() -> Option<String>,
    ) -> Option<&Note> {
        let is_gone = |note: &&Note| note.root_commit.is_some() && files.real(&note.path).is_err();
        let lost: Vec<_> = self.entries.iter().rev().filter(is_gone).collect();
        if lost.is_empty() {
            return None; // nothing to find: git need not be asked
        }
        let root = root_commit()?;
        lost.into_iter()
            .find(|note| note.root_commit.as_ref() == Some(&root))
    }
}

impl Note {
    /// True if another repository lies at `project` now. A folder without git keeps what it has.
    fn is_of_another(
        &self,
        files: &dyn Files,
        project: &AbsPath,
        root_commit: &dyn Fn() -> Option<String>,
    ) -> bool {
        let found = RepositoryIdentity::read(files, project);
        let Some(found) = found.filter(RepositoryIdentity::has_git) else {
            return false;
        };
        if found.is_same(&self.identity) {
            return false;
        }
        self.root_commit.is_none() || root_commit() != self.root_commit
    }
}

/// The first commit of a repository, as git tells it. In a folder that is not trusted nothing is run.
pub(super) fn root_commit(world: &World<'_>, project: &AbsPath, trust: Trust) -> Option<String> {
    if trust == Trust::Untrusted {
        return None;
    }
    // Whatever the repository's own settings say: no hooks, no monitor, no fetching.
    let settings = [
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "protocol.allow=never",
    ];
    let settings = settings.iter().flat_map(|setting| ["-c", setting]);
    let args: Vec<_> = settings
        .chain(["rev-list", "--max-parents=0", "HEAD"])
        .collect();
    let answer = world.programs.ask("git", &args, project).ok()?;
    let is_hash =
        |line: &&str| line.len() >= 40 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    // A history may have several roots; the last one printed is the oldest.
    answer
        .lines()
        .map(str::trim)
        .rfind(|line| is_hash(line))
        .map(str::to_owned)
}

/// The identity of a project's `.git` directory. A worktree's or submodule's `.git` is a file, which git
/// rewrites when it moves: it identifies nothing.
pub(super) fn git_identity(files: &dyn Files, project: &AbsPath) -> Option<String> {
    let git = project.join(".git");
    files.require_dir(&git).ok()?;
    is_its_own(files, project)?;
    files.identify(&git).ok().map(|id| id.to_string())
}

/// The main checkout of a worktree. Both sides must name each other: a repository cannot claim to be a
/// worktree of a project that knows nothing of it.
pub(super) fn main_checkout(files: &dyn Files, project: &AbsPath) -> Option<AbsPath> {
    is_its_own(files, project)?;
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

/// A `.git` that is a link is somebody else's: a repository cannot borrow another one's identity.
fn is_its_own(files: &dyn Files, project: &AbsPath) -> Option<()> {
    let own = files.real(project).ok()?.join(".git");
    (files.real(&project.join(".git")).ok()? == own).then_some(())
}

pub(super) fn line(files: &dyn Files, path: &AbsPath) -> Option<String> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: 8192,
    };
    let bytes = files.read_one(want).ok()?.bytes;
    let text = String::from_utf8(bytes).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}
