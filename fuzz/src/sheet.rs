//! Several files in one input.

use analects_text::problem::Problem;

/// A part of an input: what stands behind `//- `, and the lines below it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// What it is called; empty for what stands before the first name.
    pub(crate) name: String,
    /// What it holds, whatever that is.
    pub(crate) bytes: Vec<u8>,
}

impl Part {
    /// What it holds, as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// The parts of an input; there is at least one.
pub(crate) fn parts(data: &[u8]) -> Vec<Part> {
    let part = |name: String| Part {
        name,
        bytes: Vec::new(),
    };
    let mut parts = vec![part(String::new())];
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(b"//- ") {
            Some(name) => parts.push(part(
                String::from_utf8_lossy(name.trim_ascii()).into_owned(),
            )),
            None => parts.last_mut().unwrap().bytes.extend_from_slice(line),
        }
    }
    parts
}

/// The text of all parts of this name: an input that is repeated grows in every part.
pub(crate) fn text_of(parts: &[Part], name: &str) -> String {
    let named = parts.iter().filter(|part| part.name == name);
    named.map(Part::text).collect()
}

/// Checks that a problem speaks of a line that a file has.
#[track_caller]
pub(crate) fn check_line(problem: &Problem, bytes: &[u8]) {
    let n_lines = 1 + bytes.iter().filter(|&&byte| byte == b'\n').count();
    let line = problem.line.unwrap_or(1);
    assert!(
        (1..=n_lines).contains(&line),
        "there is no line {line} of {n_lines}: {problem:?}"
    );
}
