//! A directory that holds skills: `SKILL.md` in it, and in the directories in it.

use std::collections::BTreeSet;

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Blob, Files, Kind, Pick, Trouble, Want, Within};

use super::{Entry, Skill, Source, Tier, safe};
use crate::codes;
use crate::skill::{self, FILE, MAX_DESCRIPTION};

/// A directory that holds skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// Whose it is.
    pub tier: Tier,
    /// The directory; it need not be there.
    pub dir: AbsPath,
    /// Where everything in it must really lie, if it is not the user's own: a link that leads out is not followed.
    pub within: Option<AbsPath>,
}

/// How many skills of one directory are looked at.
pub const MAX_PER_SHELF: usize = 250;
/// How much of a file is read to learn what it is for. A head may have no more.
const HEAD_BYTES: usize = 66 * 1024;
/// How many files are open in memory at once.
const BATCH: usize = 32;
/// What lies beside skills and is none.
const NEVER_ENTERED: [&str; 1] = ["node_modules"];

/// A file that may be a skill.
struct Candidate {
    /// The name of its directory.
    folder: String,
    path: AbsPath,
}

impl Shelf {
    /// The skills in it, by the names of their directories.
    /// What is said of a file is said once, by whichever way it was found first.
    pub(super) fn look(
        &self,
        files: &dyn Files,
        seen: &mut BTreeSet<AbsPath>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Entry> {
        let candidates = self.candidates(files, problems);
        let mut entries: Vec<Entry> = Vec::new();
        for batch in candidates.chunks(BATCH) {
            let want = |candidate| self.want(candidate);
            let wants: Vec<_> = batch.iter().map(want).collect();
            for (candidate, read) in batch.iter().zip(files.read(&wants)) {
                let mut found = Vec::new();
                match read {
                    Ok(blob) => entries.extend(self.entry(files, candidate, &blob, &mut found)),
                    // A directory without the file is no skill, and nothing is wrong with it.
                    Err(Trouble::Missing | Trouble::NotDir) => continue,
                    Err(trouble) => found.push(skipped(&candidate.path, trouble.to_string())),
                }
                if seen.insert(files.real_or_same(&candidate.path)) {
                    problems.extend(found);
                }
            }
        }
        // A folder that is called like its skill comes before one that only says so.
        entries.sort_by_key(|entry| {
            let folder = entry.skill.path().and_then(AbsPath::parent);
            folder.is_none_or(|folder| folder.file_name() != entry.skill.name)
        });
        entries
    }

    /// The directories in it that hold a skill, good or bad, links resolved; and what was not looked at.
    #[must_use]
    pub fn folders(&self, files: &dyn Files) -> (Vec<AbsPath>, Vec<Problem>) {
        let mut problems = Vec::new();
        let candidates = self.candidates(files, &mut problems);
        let folders = candidates.into_iter().filter_map(|candidate| {
            let real = files.real(&candidate.path).ok()?;
            let folder = files.real(&candidate.path.parent()?).ok()?;
            let is_inside = self.within.as_ref().is_none_or(|root| real.is_within(root));
            if !is_inside {
                problems.push(skipped(&candidate.path, Trouble::Outside.to_string()));
            }
            is_inside.then_some(folder)
        });
        let mut folders: Vec<_> = folders.collect();
        folders.sort_unstable();
        folders.dedup();
        (folders, problems)
    }

    fn candidates(&self, files: &dyn Files, problems: &mut Vec<Problem>) -> Vec<Candidate> {
        let found = match files.list_one(&self.dir, &Pick::ending("")) {
            Ok(listing) => listing.found,
            Err(Trouble::Missing | Trouble::NotDir) => return Vec::new(),
            Err(trouble) => {
                problems.push(skipped(&self.dir, trouble.to_string()));
                return Vec::new();
            }
        };
        let may_be_skill = |name: &str| !name.starts_with('.') && !NEVER_ENTERED.contains(&name);
        let mut names: Vec<_> = found
            .into_iter()
            .filter(|found| matches!(found.kind, Kind::Dir | Kind::Link) || found.name == FILE)
            .map(|found| found.name)
            .filter(|name| may_be_skill(name))
            .collect();
        names.sort_unstable();
        if names.len() > MAX_PER_SHELF {
            let message = format!(
                "{} directories: only the first {MAX_PER_SHELF} are looked at",
                names.len()
            );
            problems.push(Problem::new(&codes::TOO_MANY_SKILLS, message).in_file(&self.dir));
            names.truncate(MAX_PER_SHELF);
        }
        let candidate = |name: String| match name == FILE {
            true => Candidate {
                folder: self.dir.file_name().to_owned(),
                path: self.dir.join(FILE),
            },
            false => Candidate {
                path: self.dir.join(&name).join(FILE),
                folder: name,
            },
        };
        names.into_iter().map(candidate).collect()
    }

    fn want<'a>(&'a self, candidate: &'a Candidate) -> Want<'a> {
        Want {
            path: &candidate.path,
            within: within(self.within.as_ref()),
            limit_bytes: HEAD_BYTES,
        }
    }

    fn entry(
        &self,
        files: &dyn Files,
        candidate: &Candidate,
        blob: &Blob,
        problems: &mut Vec<Problem>,
    ) -> Option<Entry> {
        let path = &candidate.path;
        let text = String::from_utf8_lossy(&blob.bytes);
        let draft = skill::read(&text, &candidate.folder);
        let description = draft.description.trim();
        if description.is_empty() {
            let fault = draft.faults.first();
            let why = match fault {
                Some(fault) if draft.name.is_empty() => fault.why.clone(),
                _ => "it does not say what it is for: `description` is empty".to_owned(),
            };
            let line = fault.map_or(1, |fault| fault.line);
            problems.push(skipped(path, why).on_line(line));
            return None;
        }
        let Some(name) = safe(&draft.name).or_else(|| safe(&candidate.folder)) else {
            problems.push(skipped(path, "it has no name".to_owned()));
            return None;
        };
        if draft.name != name || name != candidate.folder || !skill::is_name(&name) {
            let message = format!(
                "the skill is called `{name}` here: its name breaks the standard, or is not that of its folder"
            );
            problems.push(Problem::new(&codes::SKILL_NAME, message).in_file(path));
        }
        let end = description.char_indices().nth(MAX_DESCRIPTION);
        let kept = end.and_then(|(end, _)| description.get(..end));
        let kept = kept.unwrap_or(description);
        if kept.len() < description.len() {
            let message = format!(
                "the description of `{name}` is cut: it has more than {MAX_DESCRIPTION} characters"
            );
            problems.push(Problem::new(&codes::SKILL_NAME, message).in_file(path));
        }
        let dir = files.real_or_same(&path.parent()?);
        // Whoever activates it may read all of its directory.
        if self
            .within
            .as_ref()
            .is_some_and(|root| !dir.is_within(root))
        {
            problems.push(skipped(path, Trouble::Outside.to_string()));
            return None;
        }
        Some(Entry {
            real: files.real(path).ok(),
            skill: Skill {
                name,
                description: kept.to_owned(),
                tier: self.tier,
                source: Source::Folder {
                    dir,
                    path: path.clone(),
                    within: self.within.clone(),
                },
            },
        })
    }
}

/// How far the way to a file is trusted.
pub(super) fn within(root: Option<&AbsPath>) -> Within<'_> {
    root.map_or(Within::Anywhere, Within::Root)
}

fn skipped(path: &AbsPath, why: String) -> Problem {
    Problem::new(&codes::SKILL_SKIPPED, why).in_file(path)
}
