//! Lint: files that look like memory and are never loaded.

use std::collections::HashSet;

use analects_text::problem::Problem;

use super::survey::Survey;
use super::{Finding, Page, codes};

/// More files than this are counted, not named.
const MAX_NAMED: usize = 20;

pub(super) fn check(survey: &Survey, pages: &[Page]) -> Vec<Finding> {
    // A file that another one imports is reached, whatever it is called.
    let reached: HashSet<_> = pages.iter().map(|page| &page.path).collect();
    let unreached: Vec<_> = survey
        .unreached
        .iter()
        .filter(|file| !reached.contains(&file.path))
        .collect();
    let n_more = unreached.len().saturating_sub(MAX_NAMED);
    let told = |(index, file): (usize, &&super::survey::Unreached)| {
        let mut message = file.why.clone();
        if index + 1 == MAX_NAMED && n_more > 0 {
            message = format!("{message}; {n_more} more files are not loaded");
        }
        Problem::new(&codes::UNREACHED_MEMORY, message)
            .in_file(&file.path)
            .into()
    };
    unreached
        .iter()
        .take(MAX_NAMED)
        .enumerate()
        .map(told)
        .collect()
}
