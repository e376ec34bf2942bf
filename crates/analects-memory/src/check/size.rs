//! Files that cost too much, and files that say nothing.

use analects_text::problem::Problem;
use analects_text::tokens;
use analects_text::trim::trim;

use super::sheet::Sheet;
use super::{Finding, codes};

pub(super) fn check(sheet: &Sheet<'_>, large_tokens: usize) -> Option<Finding> {
    let page = sheet.page;
    if trim(&page.text).is_empty() {
        let problem = Problem::new(&codes::EMPTY_FILE, "says nothing");
        return Some(problem.in_file(&page.path).into());
    }
    let n_tokens = tokens::estimate(&page.text);
    (n_tokens > large_tokens).then(|| {
        let message = format!("costs {n_tokens} tokens, more than {large_tokens}");
        Problem::new(&codes::LARGE_FILE, message)
            .in_file(&page.path)
            .into()
    })
}
