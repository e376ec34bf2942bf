//! A page parsed once, for all lints.

use analects_text::lines::LineIndex;
use analects_text::outline::{Outline, outline};
use analects_text::problem::{Code, Problem};

use super::Page;
use crate::label::Labels;

pub(crate) struct Sheet<'a> {
    pub(crate) page: &'a Page,
    pub(crate) outline: Outline,
    lines: LineIndex,
    /// What the file is called in messages.
    label: String,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(page: &'a Page, labels: &Labels) -> Self {
        Self {
            page,
            outline: outline(&page.text),
            lines: LineIndex::new(&page.text),
            label: labels.label(&page.path),
        }
    }

    /// A problem with what stands at byte `at`.
    pub(crate) fn problem(
        &self,
        code: &'static Code,
        at: usize,
        message: impl Into<String>,
    ) -> Problem {
        Problem::new(code, message)
            .in_file(&self.page.path)
            .on_line(self.lines.line(at))
    }

    /// The place of byte `at`, as messages about another place name it.
    pub(crate) fn place(&self, at: usize) -> String {
        format!("{}:{}", self.label, self.lines.line(at))
    }

    /// What the file is called in messages.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.line(at)
    }
}
