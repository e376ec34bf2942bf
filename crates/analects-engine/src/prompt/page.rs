//! A prompt while it is written: it knows on which lines its sections stand.

use analects_text::tokens;
use analects_text::trim::trim;
use analects_world::AbsPath;

use super::{Section, Span};

/// A growing text and its sections.
#[derive(Default)]
pub(super) struct Page {
    pub(super) text: String,
    n_breaks: usize,
    pub(super) sections: Vec<Section>,
}

impl Page {
    /// Appends text as it is.
    pub(super) fn say(&mut self, text: &str) {
        self.n_breaks += text.matches('\n').count();
        self.text.push_str(text);
    }

    /// Leaves a blank line after what stands there already, and tells on how many line breaks the next
    /// text follows.
    pub(super) fn begin(&mut self) -> usize {
        if !self.text.is_empty() {
            self.say("\n\n");
        }
        self.n_breaks
    }

    /// Appends a section of our own.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        let text = trim(text);
        if text.is_empty() {
            return;
        }
        let start_line = self.begin() + 1;
        self.say(text);
        self.push(name, None, tokens::estimate(text), start_line, Vec::new());
    }

    /// Appends a file, each of its lines as `filled` has it.
    pub(super) fn add_file(
        &mut self,
        name: &str,
        path: &AbsPath,
        text: &str,
        filled: impl Fn(&str) -> String,
    ) {
        let lines: Vec<_> = text.split('\n').map(filled).collect();
        let is_blank = |line: &&String| trim(line).is_empty();
        let n_before = lines.iter().take_while(is_blank).count();
        let n_after = lines.iter().rev().take_while(is_blank).count();
        let n_said = lines.len().saturating_sub(n_before + n_after);
        let said: Vec<_> = lines.into_iter().skip(n_before).take(n_said).collect();
        if said.is_empty() {
            return;
        }
        let start_line = self.begin() + 1;
        let n_tokens_from = self.text.len();
        let mut spans: Vec<Span> = Vec::new();
        for (at, line) in said.iter().enumerate() {
            let first = self.n_breaks + 1;
            // Blanks around the whole text go, as they do around every section.
            let line = if at == 0 { line.trim_start() } else { line };
            let line = if at + 1 == n_said {
                line.trim_end()
            } else {
                line
            };
            self.say(line);
            add_span(
                &mut spans,
                path,
                first,
                self.n_breaks + 1,
                n_before + at + 1,
            );
            if at + 1 < n_said {
                self.say("\n");
            }
        }
        let cost = tokens::estimate(self.text.get(n_tokens_from..).unwrap_or_default());
        self.push(name, Some(path.clone()), cost, start_line, spans);
    }

    fn push(
        &mut self,
        name: &str,
        source: Option<AbsPath>,
        tokens: usize,
        start_line: usize,
        spans: Vec<Span>,
    ) {
        self.sections.push(Section {
            name: name.to_owned(),
            source,
            tokens,
            start_line,
            end_line: self.n_breaks + 1,
            spans,
        });
    }
}

/// Adds that the lines `first..=last` come from `source_line`; a line that was filled in may be several.
fn add_span(spans: &mut Vec<Span>, path: &AbsPath, first: usize, last: usize, source_line: usize) {
    match spans.last_mut() {
        Some(span)
            if first == last
                && span.end_line - span.start_line
                    == span.source_end_line - span.source_start_line =>
        {
            span.end_line = last;
            span.source_end_line = source_line;
        }
        _ => spans.push(Span {
            start_line: first,
            end_line: last,
            path: path.clone(),
            source_start_line: source_line,
            source_end_line: source_line,
        }),
    }
}
