//! Looking through skills: by the standard, and for secrets.

use analects_skill::catalog::{Shelf, Tier};
use analects_skill::{check as room, codes, skill};
use analects_text::lines::LineIndex;
use analects_text::problem::Problem;
use analects_text::redact;
use analects_world::AbsPath;

use super::{Skills, named, shelves};
use crate::World;
use crate::load_memory::Prepared;
use crate::remember;
use crate::secrets::Guarded;
use crate::verbs::Failure;

/// Skills that were looked through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// What is wrong with them.
    pub findings: Vec<Problem>,
    /// How many there were.
    pub n_skills: usize,
    /// How many files they have.
    pub n_files: usize,
}

/// Looks through one skill, by its name or its directory; through those of a directory; or through all.
pub fn check(
    world: &World<'_>,
    prepared: &Prepared,
    skills: &Skills,
    wanted: Option<&str>,
) -> Result<Checked, Failure> {
    let (dirs, unseen) = match wanted {
        None => all(world, prepared),
        Some(wanted) => meant(world, skills, wanted)?,
    };
    let allowed = remember::allowed(prepared, &[]);
    let guarded = Guarded { allowed: &allowed };
    let mut checked = Checked {
        findings: unseen,
        ..Checked::default()
    };
    for dir in dirs {
        let room::Checked { findings, files } = room::check(world.files, &dir);
        checked.findings.extend(findings);
        for file in &files {
            let found = secrets(&guarded, &file.text);
            let found = found.into_iter().map(|found| found.in_file(&file.path));
            checked.findings.extend(found);
        }
        checked.n_skills += 1;
        checked.n_files += files.len();
    }
    Ok(checked)
}

/// Directories of skills, and what was not looked at.
type Found = (Vec<AbsPath>, Vec<Problem>);

/// The directories of all skills that could be found here.
fn all(world: &World<'_>, prepared: &Prepared) -> Found {
    let (mut dirs, mut unseen) = Found::default();
    for shelf in shelves(world, prepared) {
        let (folders, problems) = shelf.folders(world.files);
        dirs.extend(folders);
        unseen.extend(problems);
    }
    dirs.sort_unstable();
    dirs.dedup();
    (dirs, unseen)
}

/// The directories that somebody means. A name is a skill's; whatever else leads to a directory.
fn meant(world: &World<'_>, skills: &Skills, wanted: &str) -> Result<Found, Failure> {
    if let Some(skill) = skills.catalog.find(wanted) {
        // What is part of the program was checked with it.
        return Ok((skill.dir().cloned().into_iter().collect(), Vec::new()));
    }
    let path = world.around.resolve(wanted);
    let dir = match path.file_name() == skill::FILE {
        true => path.parent().unwrap_or_else(AbsPath::root),
        false => path,
    };
    let Ok(dir) = world.files.real(&dir) else {
        return named(skills, wanted).map(|_| Found::default());
    };
    let is_skill = world.files.real(&dir.join(skill::FILE)).is_ok();
    let shelf = Shelf {
        tier: Tier::User,
        dir: dir.clone(),
        within: None,
    };
    let (inside, unseen) = shelf.folders(world.files);
    Ok(match is_skill || inside.is_empty() {
        true => (vec![dir], Vec::new()),
        false => (inside, unseen),
    })
}

/// The secrets in a text that nobody allowed, each with its line.
fn secrets(guarded: &Guarded<'_>, text: &str) -> Vec<Problem> {
    let found = guarded.find(text);
    if found.is_empty() {
        return Vec::new();
    }
    let lines = LineIndex::new(text);
    let first = redact::scan(text).first().map(|it| it.range.start);
    let line = first.map_or(1, |at| lines.line(at));
    let mut kinds: Vec<_> = found.iter().map(|secret| secret.kind.as_str()).collect();
    kinds.dedup();
    let prints: Vec<_> = found
        .iter()
        .map(|secret| secret.fingerprint.as_str())
        .collect();
    let message = format!(
        "this looks like a secret ({}); fingerprint {}",
        kinds.join(", "),
        prints.join(", ")
    );
    vec![Problem::new(&codes::SKILL_SECRET, message).on_line(line)]
}
