//! A system prompt as people see it: its text, or a table of where each part came from.

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::prompt::{Assembled, Span};
use analects_text::sanitize;
use unicode_width::UnicodeWidthStr;

use super::{Human, Screen, fit, number, pad};

impl Human for Assembled {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if self.system.is_empty() {
            writeln!(out, "The prompt is empty.")
        } else if self.is_map {
            show_map(self, out, screen)
        } else {
            writeln!(out, "{}", sanitize::for_terminal(&self.system))
        }
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

/// One line of the table.
struct Row {
    lines: String,
    tokens: String,
    name: String,
    source: String,
}

fn show_map(assembled: &Assembled, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let rows = rows(assembled, screen);
    let widest = |cell: fn(&Row) -> &String| rows.iter().map(|row| cell(row).width()).max();
    let lines = widest(|row| &row.lines).unwrap_or(0);
    let tokens = widest(|row| &row.tokens).unwrap_or(0);
    let name = widest(|row| &row.name).unwrap_or(0);
    let room = screen.width.saturating_sub(lines + tokens + name + 6);
    for (at, row) in rows.iter().enumerate() {
        let line = format!(
            "{:>lines$}  {:>tokens$}  {}  {}",
            row.lines,
            row.tokens,
            pad(&row.name, name),
            fit(&row.source, room),
        );
        let line = line.trim_end();
        let line = if at == 0 {
            screen.bold(line)
        } else {
            line.into()
        };
        writeln!(out, "{line}")?;
    }
    let total = number(assembled.tokens);
    writeln!(out, "{total} tokens in all")
}

/// A row a section; where a section came from several places, a row for each of them below it.
fn rows(assembled: &Assembled, screen: &Screen) -> Vec<Row> {
    let mut rows = vec![Row {
        lines: "lines".to_owned(),
        tokens: "tokens".to_owned(),
        name: "section".to_owned(),
        source: "source".to_owned(),
    }];
    let short = |path: &str| screen.short(path, Some(&assembled.root));
    let place = |span: &Span| {
        let lines = range(span.source_start_line, span.source_end_line);
        format!("{}:{lines}", short(&span.source))
    };
    for section in &assembled.sections {
        let (source, parts) = match section.spans.as_slice() {
            [only] => (place(only), &[][..]),
            parts => (short(&section.source), parts),
        };
        rows.push(Row {
            lines: range(section.start_line, section.end_line),
            tokens: number(section.tokens),
            name: sanitize::one_line(&section.name).into_owned(),
            source,
        });
        rows.extend(parts.iter().map(|part| Row {
            lines: range(part.start_line, part.end_line),
            tokens: String::new(),
            name: String::new(),
            source: format!("  {}", place(part)),
        }));
    }
    rows
}

fn range(start: usize, end: usize) -> String {
    if start == end {
        start.to_string()
    } else {
        format!("{start}-{end}")
    }
}
