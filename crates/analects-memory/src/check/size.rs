//! Lint: files that cost too much, and files that say nothing.

use analects_text::problem::Problem;
use analects_text::tokens;
use analects_text::trim::trim;

use super::sheet::Sheet;
use super::{Finding, codes};
use crate::layer::Layer;

pub(super) fn check(sheet: &Sheet<'_>, large_tokens: usize) -> Option<Finding> {
    let page = sheet.page;
    if trim(&page.text).is_empty() {
        // Forgetting the last entry of one's own memory leaves such a file, and there is nothing to mend about it.
        let is_own = matches!(page.layer, Layer::Global | Layer::Private);
        let problem = Problem::new(&codes::EMPTY_FILE, "says nothing").in_file(&page.path);
        return (!is_own).then(|| problem.into());
    }
    let n_tokens = tokens::estimate(&page.text);
    (n_tokens > large_tokens).then(|| {
        let message = format!("costs {n_tokens} tokens, more than {large_tokens}");
        Problem::new(&codes::LARGE_FILE, message)
            .in_file(&page.path)
            .into()
    })
}
