//! Prints results the way snapshots want them.

use std::fmt::Write;

use analects_text::problem::Problem;

/// One line a problem: `! code: path:line: message`.
#[must_use]
pub fn show_problems(problems: &[Problem]) -> String {
    let mut shown = String::new();
    for problem in problems {
        writeln!(shown, "! {}: {problem}", problem.code.name).unwrap();
    }
    shown
}
