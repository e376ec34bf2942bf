//! Maps each line of a rendered block back to its file and line.
//!
//! Reads the finished text rather than a record of how it was made: text from files cannot forge our
//! markers, so every marker in a block is ours and says where a file begins and ends. Blocks of the flat
//! format are not traced: there a file's text no longer stands where it was.

use analects_text::trim::trim;
use analects_world::AbsPath;

use crate::import::ImportNode;
use crate::load::Loaded;

/// Lines of a block that follow one another in their file too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The first line in the block, counted from one.
    pub start_line: usize,
    /// The last line in the block.
    pub end_line: usize,
    /// The file.
    pub path: AbsPath,
    /// The line in the file where the span begins.
    pub source_line: usize,
}

impl Span {
    /// The last line in the file.
    #[must_use]
    pub fn source_end_line(&self) -> usize {
        self.source_line + (self.end_line - self.start_line)
    }
}

/// The files and lines behind `block`, which is the block of `file`. Lines of our own have none.
#[must_use]
pub fn trace(block: &str, file: &Loaded) -> Vec<Span> {
    let mut said: Vec<_> = block.split('\n').skip(1).collect();
    said.pop(); // Like the first line, the last one is a marker.
    if said.first().is_some_and(|line| line.starts_with(FLAT)) {
        return Vec::new();
    }
    let mut reading = vec![Reading {
        path: &file.path,
        line: 1 + n_trimmed_lines(&file.text),
        imports: file.imports.iter(),
    }];
    let mut spans = Vec::new();
    for (at, line) in said.iter().enumerate() {
        let ends_import = line.starts_with(END);
        if ends_import && reading.len() > 1 {
            reading.pop();
        }
        let Some(current) = reading.last_mut() else {
            break;
        };
        // The line break before an end marker is ours; behind a file's own last one nothing stands.
        let is_behind_end = line.is_empty() && said.get(at + 1).is_some_and(|l| l.starts_with(END));
        if !is_behind_end && !NOTES.iter().any(|note| line.starts_with(note)) {
            add(&mut spans, at + 2, current);
        }
        if !line.contains(START) {
            current.line += 1;
        } else if let Some(node) = current.imports.next() {
            reading.push(Reading {
                path: &node.path,
                line: 1,
                imports: node.imports.iter(),
            });
        }
    }
    spans
}

const START: &str = "<!-- Imported from: ";
const END: &str = "<!-- End of import from: ";
const FLAT: &str = "--- File: ";
const NOTES: [&str; 3] = ["[cut off", "[same text in", "[changed since"];

/// A file on whose text we are.
struct Reading<'a> {
    path: &'a AbsPath,
    line: usize,
    /// Those of its imports that are still to come.
    imports: std::slice::Iter<'a, ImportNode>,
}

fn add(spans: &mut Vec<Span>, at: usize, current: &Reading<'_>) {
    match spans.last_mut() {
        Some(last)
            if last.path == *current.path
                && last.end_line + 1 == at
                && last.source_end_line() + 1 == current.line =>
        {
            last.end_line = at;
        }
        _ => spans.push(Span {
            start_line: at,
            end_line: at,
            path: current.path.clone(),
            source_line: current.line,
        }),
    }
}

fn n_trimmed_lines(text: &str) -> usize {
    let start = text.find(trim(text)).unwrap_or(0);
    text.get(..start).unwrap_or_default().matches('\n').count()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::layer::Layer;
    use crate::stack::stack;
    use expect_test::{Expect, expect};

    fn node(path: &str, imports: Vec<ImportNode>) -> ImportNode {
        ImportNode {
            path: AbsPath::new(path).unwrap(),
            bytes: 0,
            tokens: 0,
            imports,
        }
    }

    fn check(text: &str, imports: Vec<ImportNode>, limit_tokens: usize, expected: Expect) {
        let file = Loaded {
            path: AbsPath::new("/a.md").unwrap(),
            layer: Layer::Global,
            label: "a.md".to_owned(),
            bytes: 0,
            text: text.to_owned(),
            imports,
            also: vec!["b.md".to_owned()],
            is_of_project: false,
        };
        let stack = stack(std::slice::from_ref(&file), limit_tokens);
        let block = &stack.layers[0].blocks[0].text;
        let mut lines = vec![String::new(); block.split('\n').count() + 1];
        for span in trace(block, &file) {
            let traced = &mut lines[span.start_line..=span.end_line];
            for (at, origin) in traced.iter_mut().enumerate() {
                assert!(origin.is_empty(), "one line, one origin");
                *origin = format!("{}:{}", span.path, span.source_line + at);
            }
        }
        let mut shown = String::new();
        for (text, origin) in block.split('\n').zip(&lines[1..]) {
            writeln!(shown, "{}", format!("{origin:8} {text}").trim_end()).unwrap();
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn lines_without_imports_follow_one_another() {
        check(
            "\n \none\n\ntwo\n",
            vec![],
            1000,
            expect![[r#"
                         --- Context from: a.md ---
                /a.md:3  one
                /a.md:4
                /a.md:5  two
                         [same text in: b.md]
                         --- End of Context from: a.md ---
            "#]],
        );
    }

    #[test]
    fn nested_imports_keep_their_own_lines() {
        let text = "one\nsee <!-- Imported from: b -->\nB1\n<!-- Imported from: c -->\nC1\n\nC3\n\n\
                    <!-- End of import from: c -->\n\n<!-- End of import from: b -->, and \
                    <!-- Imported from: d -->\nD1\n<!-- End of import from: d -->.\nthree\n";
        let imports = vec![node("/b", vec![node("/c", vec![])]), node("/d", vec![])];
        check(
            text,
            imports,
            1000,
            expect![[r#"
                         --- Context from: a.md ---
                /a.md:1  one
                /a.md:2  see <!-- Imported from: b -->
                /b:1     B1
                /b:2     <!-- Imported from: c -->
                /c:1     C1
                /c:2
                /c:3     C3

                /b:2     <!-- End of import from: c -->

                /a.md:2  <!-- End of import from: b -->, and <!-- Imported from: d -->
                /d:1     D1
                /a.md:2  <!-- End of import from: d -->.
                /a.md:3  three
                         [same text in: b.md]
                         --- End of Context from: a.md ---
            "#]],
        );
    }

    #[test]
    fn a_cut_inside_of_an_import_is_no_riddle() {
        let long = "rule\n".repeat(400);
        let text = format!("<!-- Imported from: b -->\n{long}\n<!-- End of import from: b -->");
        let file = Loaded {
            path: AbsPath::new("/a.md").unwrap(),
            layer: Layer::Global,
            label: "a.md".to_owned(),
            bytes: 0,
            text,
            imports: vec![node("/b", vec![])],
            also: vec![],
            is_of_project: false,
        };
        let stack = stack(std::slice::from_ref(&file), 200);
        let spans = trace(&stack.layers[0].blocks[0].text, &file);
        assert_eq!((spans.len(), spans[1].source_line), (2, 1));
        assert!(spans[1].source_end_line() < 200);
    }
}
