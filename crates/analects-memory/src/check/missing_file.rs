//! Lint: paths of this project that do not exist.
//!
//! A path may be meant from the page's own directory, from any directory above it, or from a place that
//! the page only talks about; so it is missing if nothing in the whole project ends like it. If not even
//! the directory it begins with exists, it must look like a file that people write. A sentence about what
//! is to come, what was, or what lies in another repository is left alone.

use std::collections::HashMap;

use analects_world::AbsPath;
use analects_world::files::Files;

use super::path_shape;
use super::sheet::Sheet;
use super::supposed::is_supposed;
use super::survey::Survey;
use super::{Finding, codes};

pub(super) fn check(files: &dyn Files, survey: &Survey, sheets: &[Sheet<'_>]) -> Vec<Finding> {
    let mut project = Project::new(files, survey);
    let mut findings = Vec::new();
    let root = survey.root();
    for sheet in sheets.iter().filter(|sheet| sheet.page.is_about(root)) {
        for (at, path) in missing(&mut project, sheet) {
            let message = format!("`{path}` does not exist");
            findings.push(sheet.problem(&codes::MISSING_FILE, at, message).into());
        }
    }
    findings
}

/// The paths of a page that lead nowhere, with their places.
pub(super) fn missing<'a>(
    project: &mut Project<'_>,
    sheet: &'a Sheet<'_>,
) -> Vec<(usize, &'a str)> {
    let dir = sheet.page.dir();
    let mut paths = written(sheet);
    paths.retain(|&(at, path)| !is_supposed(&sheet.page.text, at) && project.misses(&dir, path));
    paths
}

/// The paths of a page, with their places.
fn written<'a>(sheet: &'a Sheet<'_>) -> Vec<(usize, &'a str)> {
    let outline = &sheet.outline;
    let spans = outline.spans.iter();
    let in_code = spans.filter_map(|s| Some((s.at.start, path_shape::in_code(&s.text)?)));
    let links = outline.links.iter();
    let in_links = links.filter_map(|l| Some((l.at.start, path_shape::in_link(&l.target)?)));
    in_code.chain(in_links).collect()
}

/// What there is, asked once for each path.
pub(super) struct Project<'a> {
    files: &'a dyn Files,
    survey: &'a Survey,
    known: HashMap<(AbsPath, String), bool>,
}

impl<'a> Project<'a> {
    pub(super) fn new(files: &'a dyn Files, survey: &'a Survey) -> Self {
        Self {
            files,
            survey,
            known: HashMap::new(),
        }
    }

    /// Whether a path that stands in a file of `dir` leads nowhere.
    pub(super) fn misses(&mut self, dir: &AbsPath, path: &str) -> bool {
        let key = (dir.clone(), path.to_owned());
        if let Some(&is_missing) = self.known.get(&key) {
            return is_missing;
        }
        let is_missing = self.is_missing(dir, path);
        self.known.insert(key, is_missing);
        is_missing
    }

    fn is_missing(&self, dir: &AbsPath, path: &str) -> bool {
        let root = self.survey.root();
        // A private note lies elsewhere and speaks of the project all the same.
        let (inside, own) = match dir.is_within(root) {
            true => (dir, None),
            false => (root, Some(dir.join(path))),
        };
        // Who climbs knows where to start; everyone else may stand further up.
        let n_bases = match path.starts_with("..") {
            true => 1,
            false => usize::MAX,
        };
        let above = inside.ancestors().take_while(|base| base.is_within(root));
        let bases: Vec<_> = above.take(n_bases).collect();
        let meant: Vec<_> = bases.iter().map(|base| base.join(path)).collect();
        if meant.iter().any(|path| !path.is_within(root)) {
            // It leads out of the project, where we do not look.
            return false;
        }
        let exists = |path: &AbsPath| self.files.real(path).is_ok();
        let is_made = |path: &AbsPath| self.survey.is_ignored_by_git(path);
        !own.iter().chain(&meant).any(exists)
            && !self.is_elsewhere(path)
            && !meant.iter().any(is_made)
            && self.is_meant(&bases, path)
    }

    /// Whether something deeper in the project ends like this.
    fn is_elsewhere(&self, path: &str) -> bool {
        let ending = path.trim_start_matches("./").trim_start_matches("../");
        self.survey.is_cut || self.survey.has_ending(ending)
    }

    /// Whether a path that does not exist was meant to: it begins with a directory that does, or it is a
    /// file that somebody writes. A lone directory is more often a manner of speaking than a mistake.
    fn is_meant(&self, bases: &[AbsPath], path: &str) -> bool {
        let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
        let (Some(first), second) = (names.next(), names.next()) else {
            return false;
        };
        let is_dir = |base: &AbsPath| self.files.require_dir(&base.join(first)).is_ok();
        path_shape::is_written_by_people(path)
            || (second.is_some() && (first == ".." || bases.iter().any(is_dir)))
    }
}
