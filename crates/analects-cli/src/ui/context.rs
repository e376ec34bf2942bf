//! What a path brings in, as people see it.

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::context::Brought;
use analects_text::sanitize;

use super::{Human, Screen};

impl Human for Brought {
    fn show(&self, out: &mut dyn Write, _: &Screen) -> io::Result<()> {
        if self.text.is_empty() {
            return writeln!(out, "Nothing beyond what is loaded at start.");
        }
        writeln!(out, "{}", sanitize::for_terminal(&self.text))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}
