//! Where a value stands in a TOML text, and in how many places.

use std::ops::Range;

use analects_text::lines::LineIndex;
use toml::de::{DeTable, DeValue};

use crate::json_edit::{Step, no};
use crate::jsonc::{Bad, Item, Value};
use crate::sequence::{Sequence, part};

/// A value that was found.
#[derive(Debug)]
pub(super) struct Found {
    /// The value's bytes; of a table with a header, those of the header.
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    pub(super) is_table: bool,
    /// Everything that says something about it: headers, and keys with their values.
    pub(super) statements: Vec<Range<usize>>,
}

/// How a value is written.
#[derive(Debug)]
pub(super) enum Kind {
    /// As one value.
    Value,
    /// Between brackets or braces.
    Inline(Sequence),
    /// A table with a header of its own.
    Header,
    /// A table that only its parts are known of.
    Implied,
    /// A list whose elements have headers.
    Tables,
}

type Spanned<'t> = (usize, Range<usize>, &'t DeValue<'t>);

/// What a text says.
pub(super) fn read(text: &str) -> Result<Item, Bad> {
    let lines = LineIndex::new(text);
    let root = DeTable::parse(text).map_err(|error| Bad {
        message: format!("not valid TOML: {}", error.message()),
        line: error.span().map(|span| lines.line(span.start)),
    })?;
    Ok(table(root.get_ref(), 0, &lines))
}

/// The value at `path`, if there is one.
pub(super) fn find(text: &str, path: &[Step<'_>]) -> Result<Option<Found>, Bad> {
    let root = DeTable::parse(text).map_err(|error| no(error.message()))?;
    let root = DeValue::Table(root.into_inner());
    let mut at: Spanned<'_> = (0, 0..0, &root);
    for step in path {
        let next = match (step, at.2) {
            (Step::Key(name), DeValue::Table(table)) => table
                .get_key_value(*name)
                .map(|(key, value)| (key.span().start, value.span(), value.get_ref())),
            (Step::At(index), DeValue::Array(list)) => list
                .get(*index)
                .map(|value| (value.span().start, value.span(), value.get_ref())),
            _ => None,
        };
        let Some(next) = next else {
            return Ok(None);
        };
        at = next;
    }
    let kind = if path.is_empty() {
        Kind::Implied
    } else {
        kind(text, &at)?
    };
    let mut statements = Vec::new();
    collect(text, &at, &mut statements);
    Ok(Some(Found {
        kind,
        is_table: matches!(at.2, DeValue::Table(_)),
        statements,
        range: at.1,
    }))
}

fn kind(text: &str, (_, range, value): &Spanned<'_>) -> Result<Kind, Bad> {
    let mut parts: Vec<_> = match value {
        DeValue::Table(_) if is_header(text, range) => return Ok(Kind::Header),
        DeValue::Table(table) if is_inline(text, range) => {
            if table.iter().any(|(key, value)| key.span() == value.span()) {
                return Err(no("dotted keys between braces cannot be changed"));
            }
            let parts = table.iter();
            parts
                .map(|(key, value)| key.span().start..value.span().end)
                .collect()
        }
        DeValue::Table(_) => return Ok(Kind::Implied),
        DeValue::Array(_) if is_tables(text, value) => return Ok(Kind::Tables),
        DeValue::Array(list) => list.iter().map(toml::Spanned::span).collect(),
        _ => return Ok(Kind::Value),
    };
    parts.sort_unstable_by_key(|part| part.start);
    Ok(Kind::Inline(Sequence {
        open: range.start,
        close: range.end.saturating_sub(1),
        parts,
    }))
}

/// Every statement that a value is made of.
fn collect(text: &str, (start, range, value): &Spanned<'_>, statements: &mut Vec<Range<usize>>) {
    match value {
        DeValue::Table(table) if !is_inline(text, range) => {
            if is_header(text, range) {
                statements.push(range.clone());
            }
            for (key, value) in table {
                let member = (key.span().start, value.span(), value.get_ref());
                collect(text, &member, statements);
            }
        }
        DeValue::Array(list) if is_tables(text, value) => {
            for value in list.iter() {
                let element = (value.span().start, value.span(), value.get_ref());
                collect(text, &element, statements);
            }
        }
        _ => statements.push(*start..range.end),
    }
}

fn is_header(text: &str, range: &Range<usize>) -> bool {
    part(text, range.clone()).starts_with('[')
}

fn is_inline(text: &str, range: &Range<usize>) -> bool {
    part(text, range.clone()).starts_with('{')
}

/// Whether a list is made of tables with headers.
fn is_tables(text: &str, value: &DeValue<'_>) -> bool {
    let first = value.as_array().and_then(|list| list.first());
    first.is_some_and(|first| {
        matches!(first.get_ref(), DeValue::Table(_)) && is_header(text, &first.span())
    })
}

// The parser refuses deep nesting, so this recursion ends.
fn table(table: &DeTable<'_>, at: usize, lines: &LineIndex) -> Item {
    let member = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key: &toml::Spanned<toml::de::DeString<'_>> = key;
        (key.get_ref().to_string(), item(value, lines))
    };
    Item {
        value: Value::Object(table.iter().map(member).collect()),
        line: lines.line(at),
    }
}

fn item(spanned: &toml::Spanned<DeValue<'_>>, lines: &LineIndex) -> Item {
    let at = spanned.span().start;
    let value = match spanned.get_ref() {
        DeValue::Table(members) => return table(members, at, lines),
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            Value::Number(number.map_or(f64::NAN, |number| number as f64))
        }
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(when) => Value::Text(when.to_string()),
        DeValue::Array(list) => Value::List(list.iter().map(|value| item(value, lines)).collect()),
    };
    Item {
        value,
        line: lines.line(at),
    }
}
