//! Checking the memory that applies in a directory: load it, look through the project, ask the room.
//!
//! Memory deeper in the project comes just in time in a conversation; here every such place is touched
//! once, so that a check at the root speaks for the whole project.

use std::collections::HashSet;

use analects_memory::check::{self, CheckOptions, Finding, Survey, SurveyOptions};
use analects_memory::codes;
use analects_memory::discover::Trust;
use analects_memory::label::Labels;
use analects_memory::nearby;
use analects_text::decode::{Cut, Repair, decode};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::changes::{Change, Changes};
use analects_world::files::{Files, Pick};

use crate::World;
use crate::load_memory::{self, Prepared, Started};
use crate::mark::Mark;
use crate::pages;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::write::{self, Written};

/// More tokens than this in one file are too many.
const LARGE_TOKENS: usize = 10_000;

/// At most this many directories of a project are looked into.
pub(crate) const MAX_DIRS: usize = 20_000;

/// How many places are touched at once: few enough that they have room beside one another.
const TOUCHED: usize = 16;

/// What a check came to.
#[derive(Debug)]
pub(crate) struct Checked {
    /// What is known about the folder.
    pub prepared: Prepared,
    /// Everything that is wrong.
    pub findings: Vec<Finding>,
    /// How many files were looked at.
    pub n_files: usize,
    /// What could not be looked at.
    pub problems: Vec<Problem>,
    /// The files that may be mended.
    editable: Vec<AbsPath>,
}

/// What was mended, or would be.
#[derive(Debug)]
pub(crate) struct Mended {
    /// Each file, with what was done to it.
    pub files: Vec<(AbsPath, Vec<String>)>,
    /// The change, shown or committed.
    pub written: Written,
}

/// Checks the memory that applies here.
pub(crate) fn check(world: &World<'_>, flags: &Flags) -> Result<Checked, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let survey = survey(world, &prepared, MAX_DIRS);
    let mut started = prepared.start(*world);
    let mut load_problems = std::mem::take(&mut started.problems);
    if let Some(survey) = &survey {
        load_problems.extend(touch_all(world, &prepared, &mut started, survey));
    }
    // A lint of its own says which hidden characters there are, line by line; and what somebody denied is no mistake.
    let is_told = [
        &analects_memory::codes::HIDDEN_LEFT_OUT,
        &analects_memory::codes::DENIED,
    ];
    load_problems.retain(|problem| !is_told.contains(&problem.code));
    let read = pages::read(world.files, &started, prepared.load.file_limit_bytes);
    drop(started);
    // No fault of any file.
    let is_aside = |problem: &Problem| problem.code == &crate::codes::UNFINISHED;
    let (mut problems, load_problems): (Vec<_>, Vec<_>) =
        load_problems.into_iter().partition(is_aside);
    if survey.as_ref().is_some_and(|survey| survey.is_cut) {
        let message = format!("only {MAX_DIRS} directories were looked into");
        let problem = Problem::new(&check::codes::WALK_CUT, message);
        problems.push(problem.in_file(&prepared.root));
    }
    let options = CheckOptions {
        profile: prepared.settings.profile,
        labels: Labels {
            profile: Profile::Analects,
            ..prepared.load.labels.clone()
        },
        large_tokens: LARGE_TOKENS,
        project: name(world, &prepared),
        allowed_secrets: prepared.settings.list(&keys::ALLOWED_SECRETS).to_vec(),
    };
    let mut findings = check::check(
        world.files,
        survey.as_ref(),
        &read.all,
        load_problems,
        &options,
    );
    let editable: HashSet<_> = read.editable.iter().map(AbsPath::as_str).collect();
    for finding in &mut findings {
        let path = finding.problem.path.as_deref();
        finding.is_fixable &= path.is_some_and(|path| editable.contains(path));
    }
    Ok(Checked {
        prepared,
        findings,
        n_files: read.all.len(),
        problems,
        editable: read.editable,
    })
}

/// Mends what can be mended without asking, in all files that belong to the user or the project.
pub(crate) fn mend(
    world: &World<'_>,
    flags: &Flags,
    checked: &Checked,
    who: &str,
) -> Result<Mended, Failure> {
    let mut mended = Vec::new();
    let mut plan = |files: &dyn Files| {
        mended.clear();
        let mut changes = Vec::new();
        for path in &checked.editable {
            let Some(bytes) = write::bytes_of(files, path)? else {
                continue;
            };
            let Some((text, done)) = mended_bytes(&bytes) else {
                continue;
            };
            mended.push((path.clone(), done));
            changes.push(Change::new(path, Some(&bytes), Some(text)));
        }
        let changes = write::hold(world, files, &checked.prepared.root, changes)?;
        Ok(Changes::new(
            who,
            "what can be mended without asking",
            changes,
        ))
    };
    let written = write::write(world, flags, &[], &mut plan)?;
    Ok(Mended {
        files: mended,
        written,
    })
}

/// A file's bytes mended; `None` if there is nothing to mend, or if they are not plain text.
fn mended_bytes(bytes: &[u8]) -> Option<(Vec<u8>, Vec<String>)> {
    let decoded = decode(bytes, Cut::Whole);
    let fixed = check::fixed(&decoded.text).filter(|_| decoded.repair == Repair::None)?;
    let text = Mark::of(bytes).before(fixed.text);
    Some((text.into_bytes(), fixed.done))
}

/// The name of the project; a bare directory is hardly one.
pub(crate) fn name(world: &World<'_>, prepared: &Prepared) -> Option<String> {
    let pick = Pick::names(prepared.discover.markers.clone());
    let listing = world.files.list_one(&prepared.root, &pick).ok()?;
    let name = prepared.root.file_name();
    (!listing.found.is_empty() && !name.is_empty()).then(|| name.to_owned())
}

/// Looks through the project, if it is trusted. Home is never a project, and neither is what holds it.
pub(crate) fn survey(world: &World<'_>, prepared: &Prepared, max_dirs: usize) -> Option<Survey> {
    let root = &prepared.root;
    let home = world.files.real_or_same(&world.around.home);
    let holds_home = home.is_within(&world.files.real_or_same(root));
    if prepared.decision.trust != Trust::Trusted || prepared.no_memory || holds_home {
        return None;
    }
    let discover = &prepared.discover;
    let options = SurveyOptions {
        root: root.clone(),
        cwd: world.around.cwd.clone(),
        names: discover.names.clone(),
        markers: discover.markers.clone(),
        ignore: discover.ignore.clone(),
        max_dirs,
    };
    Some(check::survey(world.files, &options))
}

/// Brings in the memory deeper in the project, and tells what went wrong on the way.
pub(crate) fn touch_all(
    world: &World<'_>,
    prepared: &Prepared,
    started: &mut Started<'_>,
    survey: &Survey,
) -> Vec<Problem> {
    let loaded: HashSet<_> = started.loaded.iter().map(|file| &file.path).collect();
    let deeper = survey.memory.iter().filter(|path| !loaded.contains(path));
    let dirs: Vec<_> = deeper.filter_map(AbsPath::parent).collect();
    let mut problems = Vec::new();
    for dirs in dirs.chunks(TOUCHED) {
        let nearby = nearby::nearby(
            world.files,
            &prepared.places,
            &prepared.discover,
            &mut started.loader,
            dirs,
            usize::MAX,
        );
        problems.extend(nearby.problems);
    }
    // No conversation touches all of these at once, so whether they have room together says nothing.
    problems.retain(|problem| problem.code != &codes::LOAD_CUT);
    problems
}

#[cfg(test)]
mod tests;
