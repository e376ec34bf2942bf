//! The lines of a record, and what is wrong with them.

use std::borrow::Cow;
use std::ops::Range;

use analects_text::problem::{Code, Problem};

use super::codes;

/// A file tells at most this many problems; a broken one has as many as lines.
const MAX_PROBLEMS: usize = 20;

/// How lines begin that agents write; a whole one may stand behind one that was cut.
const STARTS: [&str; 2] = ["{\"parentUuid\":", "{\"timestamp\":"];

/// Where a line stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Counted from one.
    pub(super) line: usize,
    /// Its bytes, without the end of the line.
    pub(super) span: Range<usize>,
}

/// Problems, up to a number.
#[derive(Debug, Default)]
pub(super) struct Problems {
    told: Vec<Problem>,
    n_untold: usize,
}

impl Problems {
    /// Notes one.
    pub(super) fn add(&mut self, code: &'static Code, line: usize, message: &str) {
        if self.told.len() < MAX_PROBLEMS {
            self.told.push(Problem::new(code, message).on_line(line));
        } else {
            self.n_untold += 1;
        }
    }

    /// Notes one that belongs to no line.
    pub(super) fn add_whole(&mut self, code: &'static Code, message: String) {
        self.told.push(Problem::new(code, message));
    }

    /// All of them.
    pub(super) fn finish(mut self) -> Vec<Problem> {
        if self.n_untold > 0 {
            let message = format!("{} more problems", self.n_untold);
            self.add_whole(&codes::MORE, message);
        }
        self.told
    }
}

/// Shows every object to `take`, in order, which says whether it could read it.
pub(super) fn read(
    bytes: &[u8],
    problems: &mut Problems,
    mut take: impl FnMut(&str, &Place) -> bool,
) {
    let body = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut start = bytes.len() - body.len();
    for (index, line) in body.split(|&byte| byte == b'\n').enumerate() {
        let end = start + line.len();
        let place = Place {
            line: index + 1,
            span: start..end,
        };
        if !line.trim_ascii().is_empty() {
            let fault = read_line(line, &place, &mut take);
            match fault {
                None => {}
                // A line without an end is the last one.
                Some(Fault::Broken) if end == bytes.len() => {
                    problems.add(
                        &codes::CUT_LINE,
                        place.line,
                        "the last line is not finished",
                    );
                }
                Some(Fault::Broken) => {
                    problems.add(&codes::BROKEN_LINE, place.line, "no JSON object: left out");
                }
                Some(Fault::NotUtf8) => {
                    problems.add(
                        &codes::NOT_UTF8,
                        place.line,
                        "not UTF-8: bytes were replaced",
                    );
                }
            }
        }
        start = end + 1;
    }
}

enum Fault {
    Broken,
    NotUtf8,
}

fn read_line(
    line: &[u8],
    place: &Place,
    take: &mut impl FnMut(&str, &Place) -> bool,
) -> Option<Fault> {
    let text = String::from_utf8_lossy(line);
    let object = text.trim();
    if object.starts_with('{') && take(object, place) {
        return matches!(text, Cow::Owned(_)).then_some(Fault::NotUtf8);
    }
    // Somebody was stopped in the middle of a line, and the next one began to write where it ended.
    let behind = STARTS.iter().filter_map(|start| object.rfind(start)).max();
    if let Some(behind) = behind.and_then(|at| object.get(at..)) {
        take(behind, place);
    }
    Some(Fault::Broken)
}
