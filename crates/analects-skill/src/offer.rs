//! A skill that somebody offers: read from a directory or a package, judged, and not yet anywhere.
//!
//! What an agent could not use, or a person could not see, is refused. Where it only bends the standard, or brings
//! something along that one should know of, that is a doubt: told before anybody agrees.

use std::collections::BTreeSet;

use analects_text::frontmatter::shown;
use analects_text::hidden;
use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick, Subdirs};

use crate::folder::{self, MAX_DEPTH};
use crate::{Refused, skill};

/// Skills lie at most so deep below a directory that somebody names.
const FIND_DEPTH: usize = 5;
/// How many directories are looked through for skills.
const FIND_DIRS: usize = 4_000;
/// How many skills are taken from one source.
pub const MAX_OFFERS: usize = 64;
/// Where no skills lie, however many files do.
const SKIPPED: [&str; 3] = [".git", "node_modules", "target"];

/// A skill as it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its name, and that of its folder.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its files, `SKILL.md` first.
    pub files: Vec<OfferedFile>,
    /// What speaks against taking it, a sentence each.
    pub doubts: Vec<String>,
}

/// A file of an offered skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedFile {
    /// Its path inside the skill.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// The directories of skills in a directory, itself among them, in the order of their paths; and what was not
/// looked into.
///
/// What lies inside a skill belongs to it, and links are not followed.
#[must_use]
pub fn find(files: &dyn Files, top: &AbsPath) -> (Vec<AbsPath>, Vec<String>) {
    let manifest = Pick {
        subdirs: Subdirs::Report,
        ..Pick::names(vec![skill::FILE.to_owned()])
    };
    let mut found = Vec::new();
    let mut doubts = Vec::new();
    let mut level = vec![top.clone()];
    let mut n_dirs = 1;
    for depth in 0..=FIND_DEPTH {
        let mut below = Vec::new();
        for (dir, listing) in level.iter().zip(files.list(&level, &manifest)) {
            let Ok(listing) = listing else { continue };
            if listing.found.iter().any(|found| found.kind != Kind::Dir) {
                found.push(dir.clone());
                continue;
            }
            let is_looked_at = |name: &&String| !SKIPPED.contains(&name.as_str());
            let subdirs = listing.subdirs.iter().filter(is_looked_at);
            below.extend(subdirs.map(|name| dir.join(name)));
        }
        if depth == FIND_DEPTH && !below.is_empty() {
            doubts.push(format!(
                "directories more than {FIND_DEPTH} deep were not looked into"
            ));
        }
        n_dirs += below.len();
        if n_dirs > FIND_DIRS {
            doubts.push(format!(
                "more than {FIND_DIRS} directories: not all were looked into"
            ));
            below.truncate(FIND_DIRS.saturating_sub(n_dirs - below.len()));
        }
        level = below;
    }
    found.sort();
    if found.len() > MAX_OFFERS {
        doubts.push(format!("only the first {MAX_OFFERS} skills were taken"));
        found.truncate(MAX_OFFERS);
    }
    (found, doubts)
}

/// The skill in a directory.
pub fn from_folder(files: &dyn Files, dir: &AbsPath) -> Result<Offer, Refused> {
    // Its history is not a part of it.
    let folder = folder::read_without(files, &files.real_or_same(dir), &[".git"]);
    if let Some(why) = folder.refusals.first() {
        return Err(Refused::BadSkill(why.clone()));
    }
    let file = |file: folder::File| OfferedFile {
        name: file.name,
        text: file.text,
    };
    from_files(folder.files.into_iter().map(file).collect())
}

/// The skill that these files are.
pub fn from_files(mut files: Vec<OfferedFile>) -> Result<Offer, Refused> {
    for file in &files {
        check_name(&file.name).map_err(Refused::BadSkill)?;
    }
    let is_other = |file: &OfferedFile| file.name != skill::FILE;
    files.sort_by(|a, b| (is_other(a), &a.name).cmp(&(is_other(b), &b.name)));
    let manifest = files.first().filter(|file| !is_other(file));
    let manifest =
        manifest.ok_or_else(|| Refused::BadSkill(format!("there is no {} in it", skill::FILE)))?;
    let name = skill::read(&manifest.text, "").name;
    let draft = skill::read(&manifest.text, &name);
    let fault = |fault: &skill::Fault| format!("{}:{}: {}", skill::FILE, fault.line, fault.why);
    let n_chars = draft.description.chars().count();
    let is_usable = skill::is_name(&draft.name)
        && (1..=skill::MAX_DESCRIPTION).contains(&n_chars)
        && !draft.body.contains('\0');
    if !is_usable {
        let why = draft.faults.first().map(fault);
        return Err(Refused::BadSkill(
            why.unwrap_or_else(|| format!("{} cannot be used", skill::FILE)),
        ));
    }
    let mut doubts: Vec<_> = draft.faults.iter().map(fault).collect();
    doubts.extend(scripts(&files));
    Ok(Offer {
        name: draft.name,
        description: draft.description,
        files,
        doubts,
    })
}

/// Says that a skill brings programs along.
fn scripts(files: &[OfferedFile]) -> Option<String> {
    let is_script =
        |file: &&OfferedFile| file.name.starts_with("scripts/") || file.text.starts_with("#!");
    let names: BTreeSet<_> = files
        .iter()
        .filter(is_script)
        .map(|file| &file.name)
        .collect();
    let names: Vec<_> = names.into_iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!("it brings scripts that an agent may run: {names}")
    })
}

/// Whether a name leads to a place inside a skill, on every disk, and looks like what it is.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let said = shown(name);
    if name.contains(['\\', ':']) || name.starts_with('/') {
        return Err(format!("`{said}` is no plain path"));
    }
    if name.contains(char::is_control) || !hidden::find(name).is_empty() {
        return Err(format!("`{said}` has hidden characters in its name"));
    }
    let parts: Vec<_> = name.split('/').collect();
    if parts.iter().any(|part| matches!(*part, "" | "." | "..")) {
        return Err(format!("`{said}` leads elsewhere"));
    }
    if is_history(name) {
        return Err(format!(
            "`{said}` would make it a repository, which runs what it says"
        ));
    }
    if parts.len() > MAX_DEPTH + 1 {
        return Err(format!("`{said}` is nested more than {MAX_DEPTH} deep"));
    }
    match parts.iter().any(|part| part.len() > 255) {
        true => Err(format!("`{said}` is too long for a name")),
        false => Ok(()),
    }
}

/// Whether a file belongs to the history of a repository, which can name programs to be run. Some disks do not tell
/// capitals from small letters.
pub(crate) fn is_history(name: &str) -> bool {
    let mut parts = name.split('/');
    parts.any(|part| part.eq_ignore_ascii_case(".git") || part.eq_ignore_ascii_case("git~1"))
}

#[cfg(test)]
mod tests;
