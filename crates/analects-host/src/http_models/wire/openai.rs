//! To be written.

use analects_world::models::{Event, Fault, Listed, Request};
use serde_json::Value;

use super::{Flow, Letter, Reader};

/// Reads an answer.
#[derive(Debug, Default)]
pub(in crate::http_models) struct OpenAiReader;

impl Reader for OpenAiReader {
    fn read(&mut self, _: Option<&str>, _: &str, _: &mut dyn FnMut(Event)) -> Result<Flow, Fault> {
        Ok(Flow::More)
    }

    fn end(self: Box<Self>, _: &mut dyn FnMut(Event)) -> Result<(), Fault> {
        Ok(())
    }
}

pub(super) fn ask(_: &Request<'_>) -> Letter {
    list()
}

pub(super) fn list() -> Letter {
    Letter {
        path: String::new(),
        headers: Vec::new(),
        body: None,
    }
}

pub(super) fn listed(_: &Value) -> Option<Vec<Listed>> {
    None
}
