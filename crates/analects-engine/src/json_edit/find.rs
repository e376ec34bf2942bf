//! Where a value stands in a JSON text.

use std::ops::Range;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, parse_to_ast};

use super::{Step, no};
use crate::jsonc::{self, Bad};
use crate::sequence::Sequence;

/// A value that was found.
#[derive(Debug)]
pub(super) struct Found {
    /// Its bytes.
    pub(super) range: Range<usize>,
    pub(super) is_object: bool,
    /// Its members or elements, if it can have any.
    pub(super) sequence: Option<Sequence>,
    /// The names of its members.
    pub(super) names: Vec<String>,
}

/// The value at `path`, if there is one.
///
/// A name on the way that stands twice is refused: readers disagree on which one counts.
pub(super) fn find(text: &str, path: &[Step<'_>]) -> Result<Option<Found>, Bad> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &jsonc::options());
    let parsed = parsed.map_err(|error| no(&error.to_string()))?;
    let Some(root) = &parsed.value else {
        return Ok(None);
    };
    let mut value = root;
    for step in path {
        let next = match (step, value) {
            (Step::Key(name), Value::Object(object)) => {
                let mut found = object
                    .properties
                    .iter()
                    .filter(|p| p.name.as_str() == *name);
                let first = found.next();
                if found.next().is_some() {
                    return Err(no(&format!("`{name}` stands twice")));
                }
                first.map(|property| &property.value)
            }
            (Step::At(index), Value::Array(array)) => array.elements.get(*index),
            _ => None,
        };
        let Some(next) = next else {
            return Ok(None);
        };
        value = next;
    }
    Ok(Some(found(value)))
}

/// Whether a text that can be parsed holds comments at most.
pub(super) fn is_without_value(text: &str) -> bool {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &jsonc::options());
    parsed.is_ok_and(|parsed| parsed.value.is_none())
}

fn found(value: &Value<'_>) -> Found {
    let range = value.range().start..value.range().end;
    let mut names = Vec::new();
    let parts = match value {
        Value::Object(object) => {
            let properties = &object.properties;
            names.extend(properties.iter().map(|p| p.name.as_str().to_owned()));
            let parts = properties.iter().map(|p| p.range.start..p.range.end);
            Some(parts.collect())
        }
        Value::Array(array) => {
            let elements = array.elements.iter();
            Some(elements.map(|e| e.range().start..e.range().end).collect())
        }
        _ => None,
    };
    Found {
        is_object: matches!(value, Value::Object(_)),
        sequence: parts.map(|parts| Sequence {
            open: range.start,
            close: range.end.saturating_sub(1),
            parts,
        }),
        names,
        range,
    }
}
