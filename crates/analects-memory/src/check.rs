//! Lints memory: finds what is wrong with it before a model does.
//!
//! One file a lint. Each sees the pages that are loaded together, taken apart once, and where it judges
//! what they say about the project, a [`Survey`] of it. Precision first: a finding that is not one costs
//! more than a fault that stays. Reads through `&dyn Files`, changes nothing; [`fixed`] returns a text.

pub mod codes;
mod conflict;
mod cycle;
mod fix;
mod hidden;
mod missing_command;
mod missing_file;
mod near;
mod pairs;
mod path_shape;
pub(crate) mod references;
mod repeated;
pub(crate) mod said;
pub(crate) mod scope;
mod secret;
pub(crate) mod sheet;
mod size;
mod supposed;
mod survey;
mod unreached;

use std::collections::HashMap;

use crate::label::Labels;
use crate::page::Page;
use analects_text::problem::Problem;
use analects_world::Profile;
use analects_world::files::Files;

pub use fix::{Fixed, fixed};
pub use survey::{Survey, SurveyOptions, survey};

use sheet::Sheet;

/// What the lints want to know.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// Whose import rules apply.
    pub profile: Profile,
    /// How other places are called in messages; also the project's root.
    pub labels: Labels,
    /// More than this is too much for one file.
    pub large_tokens: usize,
    /// The name of the project at hand, if it is one.
    pub project: Option<String>,
    /// Fingerprints of what looks like a secret and is none.
    pub allowed_secrets: Vec<String>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What, and where.
    pub problem: Problem,
    /// Whether [`fixed`] takes care of it.
    pub is_fixable: bool,
}

impl From<Problem> for Finding {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            is_fixable: false,
        }
    }
}

/// Everything that is wrong with `pages`, by path and line, what their load found among it. Without a
/// survey, nothing is asked about the project around them.
#[must_use]
pub fn check(
    files: &dyn Files,
    survey: Option<&Survey>,
    pages: &[Page],
    load_problems: Vec<Problem>,
    options: &CheckOptions,
) -> Vec<Finding> {
    let sheets: Vec<_> = pages
        .iter()
        .map(|page| Sheet::new(page, &options.labels))
        .collect();
    let mut findings: Vec<Finding> = load_problems.into_iter().map(Finding::from).collect();
    for sheet in &sheets {
        findings.extend(size::check(sheet, options.large_tokens));
        findings.extend(hidden::check(sheet));
        findings.extend(secret::check(sheet, &options.allowed_secrets));
    }
    findings.extend(cycle::check(files, &sheets, options.profile));
    let said = said::all(&sheets);
    findings.extend(repeated::check(&sheets, &said));
    findings.extend(near::check(&sheets, &said));
    findings.extend(conflict::check(&sheets, &said));
    if let Some(name) = &options.project {
        findings.extend(scope::check(&sheets, &said, name));
    }
    if let Some(survey) = survey {
        let commands = missing_command::check(files, survey, &sheets);
        // `./x.sh` is both a file and a command: one of them is enough.
        let is_told = |file: &Finding| {
            let is_it = |told: &Finding| {
                let (told, file) = (&told.problem, &file.problem);
                (&told.path, told.line, &told.message) == (&file.path, file.line, &file.message)
            };
            commands.iter().any(is_it)
        };
        let mut missing = missing_file::check(files, survey, &sheets);
        missing.retain(|file| !is_told(file));
        findings.extend(missing);
        findings.extend(commands);
        findings.extend(unreached::check(survey, pages));
    }
    let mut findings = in_order(findings);
    for finding in &mut findings {
        secret::hide(&mut finding.problem);
    }
    findings
}

/// At most this many findings of one kind are shown for one file.
const MAX_ALIKE: usize = 20;

/// By path and line, each once, and not too many of one kind in one file.
fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    let key = |finding: &Finding| {
        let Problem {
            code,
            path,
            line,
            message,
        } = &finding.problem;
        (path.clone(), *line, code.name, message.clone())
    };
    findings.sort_by_cached_key(key);
    findings.dedup_by(|a, b| a.problem == b.problem);
    let mut n_alike: HashMap<_, usize> = HashMap::new();
    findings.retain(|finding| {
        let kind = (finding.problem.path.clone(), finding.problem.code.name);
        let n = n_alike.entry(kind).or_default();
        *n += 1;
        *n <= MAX_ALIKE
    });
    for finding in &mut findings {
        let problem = &mut finding.problem;
        let kind = (problem.path.clone(), problem.code.name);
        // The first one of its kind tells of those that are not shown.
        let n_hidden = n_alike
            .remove(&kind)
            .and_then(|n| n.checked_sub(MAX_ALIKE))
            .filter(|&n| n > 0);
        if let Some(n_hidden) = n_hidden {
            problem.message = format!(
                "{}; {n_hidden} more like this in this file",
                problem.message
            );
        }
    }
    findings
}

#[cfg(test)]
mod tests;
