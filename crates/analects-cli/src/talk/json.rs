//! One object at the end: `{session_id, response, stats, error}`, as Gemini CLI has it, and what is ours.

use std::io::{self, Write};

use analects_engine::talk::{Stats, Tell};
use analects_engine::verbs::SCHEMA_VERSION;
use analects_engine::verbs::answer::Problem;
use analects_text::problem;
use serde::Serialize;

use super::once::Once;
use super::over::{Over, Trouble};
use super::voice::Form;

/// Gathers what is told on the way, and writes it at the end.
pub(super) struct Json<'a> {
    out: Box<dyn Write + 'a>,
    problems: Vec<Problem>,
    known: Once,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    session_id: Option<&'a str>,
    response: Option<&'a str>,
    stats: Option<&'a Stats>,
    error: Option<&'a Trouble>,
    problems: &'a [Problem],
}

impl<'a> Json<'a> {
    pub(super) fn new(out: Box<dyn Write + 'a>) -> Self {
        Self {
            out,
            problems: Vec::new(),
            known: Once::default(),
        }
    }
}

impl Form for Json<'_> {
    fn tell(&mut self, told: &Tell<'_>) -> io::Result<()> {
        if let Tell::Notice(problem) = told {
            self.add(problem);
        }
        Ok(())
    }

    fn end(&mut self, over: &Over) -> io::Result<()> {
        let ended = over.ended.as_ref();
        for problem in ended.into_iter().flat_map(|ended| &ended.problems) {
            self.add(problem);
        }
        let answer = Answer {
            schema_version: SCHEMA_VERSION,
            session_id: ended.map(|ended| &*ended.session),
            response: ended.map(|ended| &*ended.response),
            stats: ended.map(|ended| &ended.stats),
            error: over.error.as_ref(),
            problems: &self.problems,
        };
        serde_json::to_writer_pretty(&mut self.out, &answer)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

impl Json<'_> {
    fn add(&mut self, problem: &problem::Problem) {
        if self.known.is_new(problem) {
            self.problems.push(Problem::from(problem));
        }
    }
}
